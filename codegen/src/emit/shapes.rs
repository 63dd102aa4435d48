//! How each shape is read, written and made.

use std::collections::BTreeMap;

use askama::Template;
use heck::ToSnakeCase;

use super::literal;
use super::names::Names;
use super::trees::{code, has_unknown};
use crate::model::{Field, Literal, Presence, Revision, Shape, Struct, Type, Union};

#[derive(Template)]
#[template(path = "impls.rs.askama", escape = "none")]
struct Impls {
    structs: Vec<StructImpl>,
    enums: Vec<EnumView>,
    constants: Vec<ConstantImpl>,
    unions: Vec<UnionImpl>,
    raws: Vec<RawView>,
    all: Vec<String>,
}

struct StructImpl {
    ident: String,
    open: bool,
    rest_reader: String,
    reader: String,
    key: String,
    member: String,
    fields: Vec<FieldImpl>,
}

struct FieldImpl {
    ident: String,
    wire: String,
    read: &'static str,
    reader: String,
    finish: String,
    optional: bool,
    constant: Option<String>,
}

struct EnumView {
    ident: String,
    values: Vec<ValueView>,
}

struct ValueView {
    ident: String,
    wire: String,
}

struct ConstantImpl {
    ident: String,
    read: String,
    value: String,
}

struct UnionImpl {
    ident: String,
    tree: String,
    unknown: bool,
    arms: Vec<ArmIdent>,
}

struct ArmIdent {
    ident: String,
}

struct RawView {
    ident: String,
    arms: Vec<RawArm>,
}

struct RawArm {
    snake: String,
    ty: String,
}

/// The code that reads and writes the types of a revision.
pub(super) fn impls(revision: &Revision) -> String {
    let names = Names::beside(revision);
    let mut view = Impls {
        structs: Vec::new(),
        enums: enums(revision),
        constants: Vec::new(),
        unions: Vec::new(),
        raws: raws(revision, &names),
        all: Vec::new(),
    };
    for definition in revision.definitions.values() {
        let ident = definition.ident.clone();
        match &definition.shape {
            Shape::Struct(shape) => view.structs.push(struct_impl(&names, ident.clone(), shape)),
            Shape::Constant(constant) => {
                view.constants.push(ConstantImpl {
                    ident: ident.clone(),
                    read: read_constant("reader", constant),
                    value: constant_value(constant),
                });
            }
            Shape::Union(union) => {
                if let Some(tree) = &union.tree {
                    view.unions.push(UnionImpl {
                        ident: ident.clone(),
                        tree: code(&names, union, tree),
                        unknown: has_unknown(tree),
                        arms: union.arms.iter().map(|arm| ArmIdent { ident: arm.ident.clone() }).collect(),
                    });
                }
            }
            Shape::Enum(_) => {}
            Shape::Alias(_) => continue,
        }
        view.all.push(ident);
    }
    let code = view.render().expect("a template writes to a string");
    without_unused(code)
}

/// Drops the imports that the code doesn't name.
fn without_unused(code: String) -> String {
    let start = code.find("\n{").or_else(|| code.find("impl ")).or_else(|| code.find("crate::raw")).unwrap_or(0);
    let (imports, rest) = code.split_at(start);
    let mut imports = imports.to_owned();
    let used = |name: &str| rest.contains(name);
    if !used("serialize_map") {
        imports = imports.replace("use serde::ser::SerializeMap;\n", "");
    }
    if !used("Map::new") {
        imports = imports.replace("use crate::map::Map;\n", "");
    }
    if !used("Kind::") {
        imports = imports.replace("{Kind, Reader}", "Reader");
    }
    if !used("Slot::") {
        imports = imports.replace(", Slot}", "}");
    }
    if !used("decode::") {
        imports = imports.replace("{self, ", "{");
    }
    imports + rest
}

fn struct_impl(names: &Names, ident: String, shape: &Struct) -> StructImpl {
    let free = |word: &str| match shape.fields.iter().any(|field| field.ident == word) {
        true => format!("{word}_"),
        false => word.to_owned(),
    };
    let reader = free("reader");
    StructImpl {
        ident,
        open: shape.rest.is_some(),
        rest_reader: shape
            .rest
            .as_ref()
            .and_then(|rest| names.reader(rest))
            .unwrap_or_else(|| "Decode::decode".to_owned()),
        key: free("key"),
        member: free("member"),
        fields: shape.fields.iter().map(|field| field_impl(names, field)).collect(),
        reader,
    }
}

fn field_impl(names: &Names, field: &Field) -> FieldImpl {
    let wire = literal(&field.wire_name);
    let concrete = names.concrete(&field.ty);
    let nullable = Type::Nullable(Box::new(field.ty.clone()));
    let (read, custom, finish) = match field.presence {
        Presence::Required => ("read", names.reader(&field.ty), format!(".required({wire})?")),
        Presence::RequiredNullable => ("read", names.reader(&nullable), format!(".required({wire})?")),
        Presence::RequiredOrEmpty => ("read", names.reader(&field.ty), ".optional().unwrap_or_default()".to_owned()),
        Presence::Optional if concrete.admits_null() => ("read", names.reader(&field.ty), ".optional()".to_owned()),
        Presence::Optional => ("read_optional", names.reader(&field.ty), ".optional()".to_owned()),
    };
    let constant = match &field.ty {
        Type::Literal(constant) if field.is_constant() => Some(constant),
        _ => None,
    };
    FieldImpl {
        ident: field.ident.clone(),
        wire,
        read,
        reader: match constant {
            Some(constant) => format!("|reader| {}", read_constant("reader", constant)),
            None => custom.unwrap_or_else(|| "Decode::decode".to_owned()),
        },
        finish,
        optional: field.presence == Presence::Optional,
        constant: constant.map(constant_value),
    }
}

fn read_constant(reader: &str, constant: &Literal) -> String {
    match constant {
        Literal::String(value) => format!("decode::literal({reader}, {value:?})"),
        Literal::Integer(value) => format!("decode::literal_integer({reader}, {value})"),
        Literal::Boolean(value) => format!("decode::literal_boolean({reader}, {value})"),
    }
}

fn constant_value(constant: &Literal) -> String {
    match constant {
        Literal::String(value) => literal(value),
        Literal::Integer(value) => format!("&{value}i64"),
        Literal::Boolean(value) => format!("&{value}"),
    }
}

fn enums(revision: &Revision) -> Vec<EnumView> {
    revision
        .definitions
        .values()
        .filter_map(|definition| match &definition.shape {
            Shape::Enum(values) => Some(EnumView {
                ident: definition.ident.clone(),
                values: values
                    .iter()
                    .map(|value| ValueView { ident: value.ident.clone(), wire: literal(&value.wire) })
                    .collect(),
            }),
            _ => None,
        })
        .collect()
}

fn raws(revision: &Revision, names: &Names) -> Vec<RawView> {
    revision
        .definitions
        .values()
        .filter_map(|definition| match &definition.shape {
            Shape::Union(Union { arms, tree: None }) => Some(RawView {
                ident: definition.ident.clone(),
                arms: arms
                    .iter()
                    .map(|arm| RawArm { snake: arm.ident.to_snake_case(), ty: names.rust_type(&arm.ty) })
                    .collect(),
            }),
            _ => None,
        })
        .collect()
}

#[derive(Template)]
#[template(path = "constructors.rs.askama", escape = "none")]
struct Constructors {
    structs: Vec<StructMaker>,
    enums: Vec<EnumView>,
    unions: Vec<UnionMaker>,
    raws: Vec<RawView>,
}

struct StructMaker {
    ident: String,
    open: bool,
    by_struct: bool,
    required_ident: String,
    new_docs: &'static str,
    manual_default: bool,
    fields: Vec<FieldMaker>,
}

struct FieldMaker {
    ident: String,
    shown: String,
    is_parameter: bool,
    parameter: String,
    start: String,
    has_setter: bool,
    setter: String,
    setter_parameter: String,
    setter_value: String,
}

struct UnionMaker {
    ident: String,
    from: Vec<FromArm>,
}

struct FromArm {
    ident: String,
    from: String,
    value: &'static str,
}

/// The code that makes the types of a revision.
pub(super) fn constructors(revision: &Revision) -> String {
    let names = Names::beside(revision);
    let mut view =
        Constructors { structs: Vec::new(), enums: enums(revision), unions: Vec::new(), raws: raws(revision, &names) };
    for definition in revision.definitions.values() {
        match &definition.shape {
            Shape::Struct(shape) => view.structs.push(maker(revision, &names, &definition.ident, shape)),
            Shape::Union(union) if union.tree.is_some() => {
                view.unions.push(UnionMaker {
                    ident: definition.ident.clone(),
                    from: from_arms(revision, &names, &definition.ident, union),
                });
            }
            _ => {}
        }
    }
    names.with_imports(&view.render().expect("a template writes to a string"))
}

/// Members that the author has to give.
fn parameters(shape: &Struct) -> impl Iterator<Item = &Field> {
    shape
        .fields
        .iter()
        .filter(|field| field.presence != Presence::Optional && !field.is_constant() && field.preset.is_none())
}

/// Whether `new` takes a struct, since a row of values couldn't be told apart.
pub(super) fn takes_struct(shape: &Struct) -> bool {
    parameters(shape).count() > 3
}

/// The name of that struct.
pub(super) fn required_ident(names: &Names, ident: &str) -> String {
    let name = format!("{ident}Required");
    match names.ours(&name) == name {
        true => name,
        false => format!("{name}Members"),
    }
}

fn maker(revision: &Revision, names: &Names, ident: &str, shape: &Struct) -> StructMaker {
    let by_struct = takes_struct(shape);
    let inside = Names::new(revision);
    let fields = shape.fields.iter().filter(|field| !field.is_constant()).map(|field| {
        let into = into(revision, names, &field.ty);
        let ty = names.rust_type(&field.ty);
        let given = field.presence != Presence::Optional && field.preset.is_none();
        let ident = &field.ident;
        let start = match (&field.preset, given) {
            (Some(preset), _) => format!("{}::from({})", names.rust_type(&field.ty), literal(preset)),
            (None, true) if by_struct => format!("required.{ident}"),
            (None, true) if field.presence == Presence::RequiredNullable => ident.clone(),
            (None, true) if into => format!("{ident}.into()"),
            (None, true) => ident.clone(),
            (None, false) => "None".to_owned(),
        };
        let parameter = match (field.presence, into) {
            (Presence::RequiredNullable, _) => format!("Option<{ty}>"),
            (_, true) => format!("impl Into<{ty}>"),
            (_, false) => ty,
        };
        let value = if into { format!("{ident}.into()") } else { ident.clone() };
        let preset = field.preset.is_some() && field.presence != Presence::Optional;
        FieldMaker {
            ident: ident.clone(),
            shown: format!("`{}`", field.wire_name.replace('`', "'")),
            is_parameter: given,
            has_setter: field.presence == Presence::Optional || preset,
            setter: format!("with_{}", ident.trim_end_matches('_')),
            setter_value: if preset { value } else { format!("Some({value})") },
            setter_parameter: parameter.clone(),
            parameter,
            start: match start == *ident {
                true => ident.clone(),
                false => format!("{ident}: {start}"),
            },
        }
    });
    let fields: Vec<_> = unique_setters(fields.collect());
    let nothing = !fields.iter().any(|field| field.is_parameter);
    StructMaker {
        ident: ident.to_owned(),
        open: shape.rest.is_some(),
        by_struct,
        required_ident: required_ident(&inside, ident),
        new_docs: if nothing {
            "The value with nothing set."
        } else {
            "The value with the members that have to be there."
        },
        manual_default: nothing && fields.iter().any(|field| !field.has_setter || !field.start.ends_with(": None")),
        fields,
    }
}

fn unique_setters(mut fields: Vec<FieldMaker>) -> Vec<FieldMaker> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for field in &mut fields {
        let count = counts.entry(field.setter.clone()).or_default();
        *count += 1;
        if *count > 1 {
            field.setter = format!("with_{}", field.ident);
        }
    }
    fields
}

/// Whether an author may give something that converts.
fn into(revision: &Revision, names: &Names, ty: &Type) -> bool {
    match names.concrete(ty) {
        Type::String | Type::Any | Type::Number(_) => true,
        Type::Named(name) => matches!(
            revision.definitions.get(name).map(|definition| &definition.shape),
            Some(Shape::Union(Union { tree: Some(_), .. }))
        ),
        _ => false,
    }
}

/// The arms that a value converts into: those whose type no other arm has.
fn from_arms(revision: &Revision, names: &Names, union: &str, shape: &Union) -> Vec<FromArm> {
    let mut from = Vec::new();
    let rust: Vec<String> = shape.arms.iter().map(|arm| names.rust_type(names.concrete(&arm.ty))).collect();
    for (at, arm) in shape.arms.iter().enumerate() {
        let concrete = names.concrete(&arm.ty);
        let own = matches!(concrete, Type::Named(name) if revision.definitions.get(name).is_some_and(|definition| definition.ident != union));
        let plain =
            matches!(concrete, Type::String | Type::Boolean | Type::Integer(_) | Type::Number(_) | Type::Array(..));
        if !(own || plain) || rust.iter().filter(|other| **other == rust[at]).count() > 1 {
            continue;
        }
        let mut push = |from_type: &str, value: &'static str| {
            from.push(FromArm { ident: arm.ident.clone(), from: from_type.to_owned(), value });
        };
        push(&rust[at], "value");
        match concrete {
            Type::String => push("&str", "value.to_owned()"),
            Type::Number(_) => {
                push("f64", "value.into()");
                push("i64", "value.into()");
            }
            _ => {}
        }
    }
    from
}
