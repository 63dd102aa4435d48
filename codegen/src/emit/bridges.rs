//! What conversions between revisions need, as data: shapes, names, rules.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToShoutySnakeCase;

use super::crate_files::variant;
use super::ways::{list, way};
use super::{File, format, literal, module};
use crate::bridge::{Known, Plan, Resolved, Rules, To, answer, resolved};
use crate::error::{Error, Result};
use crate::model::{Bounds, JsonKind, Lengths, Literal, Presence, Revision, Shape, Tree, Type};
use crate::passes::kind_variant;

/// The hand-written parts of the conversions.
const SUPPORT: [(&str, &str); 10] = [
    ("mod", include_str!("../../templates/support/bridge/mod.rs")),
    ("convert", include_str!("../../templates/support/bridge/convert.rs")),
    ("fault", include_str!("../../templates/support/bridge/fault.rs")),
    ("fits", include_str!("../../templates/support/bridge/fits.rs")),
    ("object", include_str!("../../templates/support/bridge/object.rs")),
    ("place", include_str!("../../templates/support/bridge/place.rs")),
    ("rules", include_str!("../../templates/support/bridge/rules.rs")),
    ("shape", include_str!("../../templates/support/bridge/shape.rs")),
    ("template", include_str!("../../templates/support/bridge/template.rs")),
    ("typed", include_str!("../../templates/support/bridge/typed.rs")),
];

/// The files of the module `bridge`.
///
/// # Errors
/// If two types would have the same name in Rust, or a template gives something else than Rust.
pub fn bridge_files(revisions: &[Revision], known: &Known, plans: &[(&Rules, Plan)]) -> Result<Vec<File>> {
    let modules: Vec<String> = revisions.iter().map(|revision| format!("mod {};", module(&revision.version))).collect();
    let mut files: Vec<File> = SUPPORT
        .iter()
        .map(|(name, content)| {
            let content = content.replace("// {{revisions}}", &modules.join("\n"));
            format::support(&format!("bridge/{name}"), &content)
        })
        .collect();
    let rust = |name: &str, sentence: &str, source: &str, code: &str| {
        Ok(File { path: format!("src/bridge/{name}.rs"), content: format::file("bridge", sentence, source, code)? })
    };
    for revision in revisions {
        let sentence = format!("What the messages of {} look like.", revision.version);
        let source = format!("schema/{}/schema.json", revision.version);
        files.push(rust(&module(&revision.version), &sentence, &source, &shapes(revision)?)?);
    }
    files.push(rust("tables", "What each revision's messages look like.", "schema/", &tables(revisions))?);
    files.push(rust(
        "known",
        "Which members types have in any revision.",
        "schema/",
        &known_members(known, revisions),
    )?);
    let mut ways = "use super::rules::{Default, SessionMember, Source, Substitute, Text, Watch, Way};\nuse crate::ProtocolVersion;\n".to_owned();
    let list: String =
        plans.iter().flat_map(|(rules, plan)| [way(rules, plan, To::New), way(rules, plan, To::Old)]).collect();
    ways.push_str(&format!("/// The ways between neighbours: up and down from the oldest, then from the next.\npub(super) static WAYS: &[Way] = &[{list}];\n"));
    files.push(rust("ways", "The ways between neighbours.", "schema/bridges/", &ways)?);
    Ok(files)
}

/// The types that messages reach, sorted.
fn reached(revision: &Revision) -> BTreeSet<&str> {
    let mut reached = BTreeSet::new();
    let results: Vec<Type> = revision.methods.iter().filter_map(answer).collect();
    let mut open: Vec<&str> = revision.methods.iter().flat_map(|method| method.params.names()).collect();
    open.extend(
        results
            .iter()
            .flat_map(Type::names)
            .filter_map(|name| revision.definitions.get_key_value(name))
            .map(|(name, _)| name.as_str()),
    );
    while let Some(name) = open.pop() {
        if let Some((name, definition)) = revision.definitions.get_key_value(name)
            && reached.insert(name.as_str())
        {
            open.extend(definition.shape.types().into_iter().flat_map(Type::names));
        }
    }
    reached
}

fn constant(name: &str) -> String {
    name.to_shouty_snake_case()
}

/// The shapes of a revision.
fn shapes(revision: &Revision) -> Result<String> {
    let mut code = String::new();
    let mut taken: BTreeMap<String, &str> = BTreeMap::new();
    for name in reached(revision) {
        let ident = constant(name);
        if let Some(other) = taken.insert(ident.clone(), name) {
            let message = format!("`{name}` and `{other}` would both be `{ident}`");
            return Err(Error::new(&revision.version, name, message, "name one of them in unions.toml"));
        }
        match &revision.definitions[name].shape {
            Shape::Struct(shape) => {
                if shape.fields.len() > 128 {
                    let message =
                        format!("`{name}` has {} members, and conversions count up to 128", shape.fields.len());
                    let advice = "let codegen/templates/support/bridge/convert.rs count further";
                    return Err(Error::new(&revision.version, name, message, advice));
                }
                let members: String = shape
                    .fields
                    .iter()
                    .map(|field| {
                        let presence = match field.presence {
                            Presence::Required | Presence::RequiredNullable => "required",
                            Presence::RequiredOrEmpty => "or_empty",
                            Presence::Optional
                                if field.wire_name == "_meta" && revision.borrowed_meta.contains(name) =>
                            {
                                "borrowed"
                            }
                            Presence::Optional => "optional",
                        };
                        let shape = expression(revision, &field.ty);
                        let shape = match field.presence {
                            Presence::RequiredNullable => format!("Shape::Nullable(&{shape})"),
                            _ => shape,
                        };
                        format!("{presence}({}, {shape}),", literal(&field.wire_name))
                    })
                    .collect();
                let rest = match &shape.rest {
                    Some(rest) => format!("Some({})", expression(revision, rest)),
                    None => "None".to_owned(),
                };
                code.push_str(&format!(
                    "static {ident}: Object = Object {{ name: {name:?}, members: &[{members}], rest: {rest} }};\n"
                ));
            }
            Shape::Enum(values) => {
                let values: Vec<String> = values.iter().map(|value| literal(&value.wire)).collect();
                code.push_str(&format!(
                    "static {ident}: Enum = Enum {{ name: {name:?}, values: &[{}] }};\n",
                    values.join(", ")
                ));
            }
            Shape::Union(union) => {
                let arms: Vec<String> = union.arms.iter().map(|arm| expression(revision, &arm.ty)).collect();
                let outcome = revision.methods.iter().any(|method| method.outcome.as_deref() == Some(name));
                let tree = match &union.tree {
                    Some(tree) => format!("Some({})", tree_expression(tree)),
                    None => "None".to_owned(),
                };
                code.push_str(&format!(
                    "static {ident}: Union = Union {{ name: {name:?}, arms: &[{}], outcome: {outcome}, tree: {tree} }};\n",
                    arms.join(", ")
                ));
            }
            Shape::Alias(_) | Shape::Constant(_) => {}
        }
    }
    let messages: String = revision
        .methods
        .iter()
        .map(|method| {
            let result = match answer(method) {
                Some(result) => format!("Some({})", expression(revision, &result)),
                None if method.kind == crate::model::MethodKind::Notification => "None".to_owned(),
                None => "Some(Shape::Any)".to_owned(),
            };
            format!(
                "Message {{ method: {:?}, params: {}, required: {}, result: {result} }},",
                method.name,
                expression(revision, &method.params),
                method.params_required
            )
        })
        .collect();
    code.push_str(&format!("/// The messages, by method.\npub(super) static MESSAGES: &[Message] = &[{messages}];\n"));
    Ok(format!("{}{code}", imports(&code)))
}

/// The names that the code uses.
fn imports(code: &str) -> String {
    const ITEMS: [(&str, &str); 12] = [
        ("Bounds", "Bounds {"),
        ("Enum", ": Enum ="),
        ("FREE", "(FREE)"),
        ("Kind", "Kind::"),
        ("List", "&List {"),
        ("Message", ": &[Message]"),
        ("OPEN", "&OPEN"),
        ("Object", " Object {"),
        ("Shape", "Shape::"),
        ("Tree", "Tree::"),
        ("Union", ": Union ="),
        ("optional", "optional("),
    ];
    let mut items: Vec<&str> =
        ITEMS.into_iter().filter(|(_, needle)| code.contains(needle)).map(|(name, _)| name).collect();
    items.extend(["borrowed", "or_empty", "required"].into_iter().filter(|name| code.contains(&format!("{name}("))));
    items.sort_unstable();
    format!("use super::shape::{{{}}};\n", items.join(", "))
}

fn expression(revision: &Revision, ty: &Type) -> String {
    let bounds = |bounds: &Bounds| match (bounds.minimum, bounds.maximum) {
        (None, None) => "FREE".to_owned(),
        (minimum, maximum) => format!("Bounds {{ minimum: {minimum:?}, maximum: {maximum:?} }}"),
    };
    match resolved(revision, ty) {
        (name, Resolved::Shape(shape)) => match shape {
            Shape::Struct(_) => format!("Shape::Object(&{})", constant(name)),
            Shape::Enum(_) => format!("Shape::Enum(&{})", constant(name)),
            Shape::Union(_) => format!("Shape::Union(&{})", constant(name)),
            Shape::Constant(value) => constant_expression(value),
            Shape::Alias(_) => "Shape::Any".to_owned(),
        },
        (_, Resolved::Type(ty)) => match ty {
            Type::Object => "Shape::Object(&OPEN)".to_owned(),
            Type::String => "Shape::String".to_owned(),
            Type::Boolean => "Shape::Boolean".to_owned(),
            Type::Null => "Shape::Null".to_owned(),
            Type::Integer(limits) => format!("Shape::Integer({})", bounds(limits)),
            Type::Number(limits) => format!("Shape::Number({})", bounds(limits)),
            Type::Literal(value) => constant_expression(value),
            Type::Array(items, Lengths { minimum, maximum }) => format!(
                "Shape::List(&List {{ items: {}, minimum: {minimum:?}, maximum: {maximum:?} }})",
                expression(revision, items)
            ),
            Type::Map(values) => format!(
                "Shape::Object(&Object {{ name: \"\", members: &[], rest: Some({}) }})",
                expression(revision, values)
            ),
            Type::Nullable(inner) => format!("Shape::Nullable(&{})", expression(revision, inner)),
            Type::Any | Type::Inline(_) | Type::AllOf(_) | Type::Named(_) | Type::Boxed(_) => "Shape::Any".to_owned(),
        },
    }
}

fn constant_expression(value: &Literal) -> String {
    match value {
        Literal::String(value) => format!("Shape::Constant({value:?})"),
        Literal::Integer(value) => format!("Shape::ConstantInteger({value})"),
        Literal::Boolean(value) => format!("Shape::ConstantBoolean({value})"),
    }
}

fn tree_expression(tree: &Tree) -> String {
    let below = |tree: &Option<Box<Tree>>| match tree {
        Some(tree) => format!("Some(&{})", tree_expression(tree)),
        None => "None".to_owned(),
    };
    match tree {
        Tree::Arm(at) => format!("Tree::Arm({at})"),
        Tree::Unknown => "Tree::Unknown".to_owned(),
        Tree::Kind(cases) => {
            let case = |(kind, tree): (&JsonKind, &Tree)| {
                format!("(Kind::{}, {}),", kind_variant(*kind), tree_expression(tree))
            };
            format!("Tree::Kind(&[{}])", cases.iter().map(case).collect::<String>())
        }
        Tree::Tag { path, cases, absent } => {
            let cases: String =
                cases.iter().map(|(value, tree)| format!("({value:?}, {}),", tree_expression(tree))).collect();
            format!("Tree::Tag {{ path: &{path:?}, cases: &[{cases}], absent: {} }}", below(absent))
        }
        Tree::Keys { present, absent } => {
            let present: String =
                present.iter().map(|(way, tree)| format!("(&{way:?}, {}),", tree_expression(tree))).collect();
            format!("Tree::Keys {{ present: &[{present}], absent: {} }}", below(absent))
        }
    }
}

fn tables(revisions: &[Revision]) -> String {
    let modules = revisions.iter().map(|revision| module(&revision.version)).collect::<Vec<_>>().join(", ");
    let cases: String = revisions
        .iter()
        .map(|revision| {
            let module = module(&revision.version);
            format!("ProtocolVersion::{} => {module}::MESSAGES,", variant(&module))
        })
        .collect();
    format!(
        "use super::shape::Message;\nuse super::{{{modules}}};\nuse crate::ProtocolVersion;\n
        /// The messages of a revision, by method.
        pub(super) fn messages(version: ProtocolVersion) -> &'static [Message] {{ match version {{ {cases} }} }}\n"
    )
}

fn known_members(known: &Known, revisions: &[Revision]) -> String {
    let reached: BTreeSet<&str> = revisions.iter().flat_map(reached).collect();
    let rows: String = known
        .iter()
        .filter(|(name, members)| reached.contains(name.as_str()) && !members.is_empty())
        .map(|(name, members)| format!("({name:?}, &[{}]),", list(members.iter())))
        .collect();
    format!(
        "/// The members of each type in any revision, both sorted.
        static KNOWN: &[(&str, &[&str])] = &[{rows}];

        /// Whether a type, by its name here or there, has a member in any revision.
        pub(super) fn known(here: &str, there: &str, member: &str) -> bool {{
            [here, there].into_iter().any(|ty| {{
                let row = KNOWN.binary_search_by(|(name, _)| (*name).cmp(ty));
                row.is_ok_and(|at| KNOWN[at].1.binary_search(&member).is_ok())
            }})
        }}\n"
    )
}
