//! Folds `allOf` into one object.

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{Field, Inline, Literal, Presence, Revision, Shape, Struct, Type};

/// After this pass no type is an `allOf`.
///
/// # Errors
/// If the parts aren't objects, or contradict each other.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    let before = revision.clone();
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    for definition in revision.definitions.values_mut() {
        let pointer = definition.pointer.clone();
        let mut folder =
            Folder { revision: &before, pointer: &pointer, strict: decisions.strict, warnings: &mut warnings };
        let result = match &mut definition.shape {
            Shape::Alias(ty @ Type::AllOf(_)) => folder.fold(ty, 0).map(|()| {
                if let Shape::Alias(Type::Inline(inline)) = &definition.shape {
                    definition.shape = inline.shape.clone();
                }
            }),
            shape => {
                let mut result = Ok(());
                shape.types_mut(&mut |ty| result = result.clone().and_then(|()| folder.fold(ty, 0)));
                result
            }
        };
        if let Err(error) = result {
            errors.push(error);
        }
    }
    Error::all(errors)?;
    revision.warnings.extend(warnings);
    Ok(revision)
}

struct Folder<'a> {
    revision: &'a Revision,
    pointer: &'a str,
    strict: bool,
    warnings: &'a mut Vec<String>,
}

impl Folder<'_> {
    fn error<T>(&self, message: impl Into<String>, advice: &str) -> Result<T> {
        Err(Error::new(&self.revision.version, self.pointer, message, advice))
    }

    fn fold(&mut self, ty: &mut Type, depth: usize) -> Result<()> {
        if depth > self.revision.definitions.len() + 64 {
            return self.error("an `allOf` contains itself", "break the cycle with an erratum");
        }
        if let Type::AllOf(parts) = ty {
            if let [only] = parts.as_mut_slice() {
                *ty = std::mem::replace(only, Type::Any);
                return self.fold(ty, depth + 1);
            }
            let mut whole: Option<Struct> = None;
            for part in std::mem::take(parts) {
                let part = self.structure(part, depth)?;
                whole = Some(match whole {
                    None => part,
                    Some(whole) => self.merge(whole, part)?,
                });
            }
            let shape = Shape::Struct(whole.unwrap_or(Struct { fields: Vec::new(), rest: Some(Type::Any) }));
            *ty = Type::Inline(Box::new(Inline { pointer: self.pointer.to_owned(), shape }));
        }
        let mut result = Ok(());
        ty.children_mut(&mut |child| {
            if result.is_ok() {
                result = self.fold(child, depth + 1);
            }
        });
        result
    }

    fn structure(&mut self, part: Type, depth: usize) -> Result<Struct> {
        if depth > self.revision.definitions.len() + 64 {
            return self.error("an `allOf` contains itself", "break the cycle with an erratum");
        }
        match part {
            Type::Object => Ok(Struct { fields: Vec::new(), rest: Some(Type::Any) }),
            Type::Map(values) => Ok(Struct { fields: Vec::new(), rest: Some(*values) }),
            Type::Inline(inline) => match inline.shape {
                Shape::Struct(shape) => Ok(shape),
                _ => self.error("an `allOf` of something that is no object", "add a rule to fold_all_of.rs"),
            },
            Type::Named(name) => {
                match self.revision.definitions.get(&name).map(|definition| definition.shape.clone()) {
                    Some(Shape::Struct(shape)) => Ok(shape),
                    Some(Shape::Alias(alias)) => self.structure(alias, depth + 1),
                    _ => self
                        .error(format!("an `allOf` of `{name}`, which is no object"), "add a rule to fold_all_of.rs"),
                }
            }
            mut nested @ Type::AllOf(_) => {
                self.fold(&mut nested, depth + 1)?;
                self.structure(nested, depth + 1)
            }
            _ => self.error("an `allOf` of something that is no object", "add a rule to fold_all_of.rs"),
        }
    }

    fn merge(&mut self, mut whole: Struct, mut part: Struct) -> Result<Struct> {
        let open = whole.rest.is_some() && part.rest.is_some();
        if !open {
            // Members of one part that another, closed part doesn't name make the whole unsatisfiable.
            let message = "an `allOf` of closed objects fits nothing";
            match self.strict {
                true => return self.error(message, "open the parts with an erratum"),
                false => self
                    .warnings
                    .push(format!("{} {}: {message}; read as one closed object", self.revision.version, self.pointer)),
            }
        }
        self.narrow(&mut whole, &part)?;
        self.narrow(&mut part, &whole)?;
        whole.rest = match (whole.rest, part.rest) {
            (Some(Type::Any), rest) | (rest, Some(Type::Any)) => rest,
            (Some(a), Some(b)) if a == b => Some(a),
            (None, _) | (_, None) => None,
            _ => return self.error("an `allOf` with two types for further members", "correct it with an erratum"),
        };
        for field in part.fields {
            match whole.fields.iter_mut().find(|known| known.wire_name == field.wire_name) {
                Some(known) => match both(known, &field) {
                    Some(merged) => *known = merged,
                    // In a schema that isn't ours, the later part is the more precise one.
                    None if !self.strict => {
                        let message =
                            format!("`allOf` gives the member `{}` two types; read as the last", field.wire_name);
                        self.warnings.push(format!("{} {}: {message}", self.revision.version, self.pointer));
                        *known = field;
                    }
                    None => {
                        return self.error(
                            format!("`allOf` gives the member `{}` two types", field.wire_name),
                            "correct it with an erratum",
                        );
                    }
                },
                None => whole.fields.push(field),
            }
        }
        whole.fields.sort_by(|a, b| a.wire_name.cmp(&b.wire_name));
        if !open {
            whole.rest = None;
        }
        Ok(whole)
    }
}

impl Folder<'_> {
    /// A member that the other part doesn't name is one of its further members.
    fn narrow(&mut self, part: &mut Struct, other: &Struct) -> Result<()> {
        let Some(further) = other.rest.as_ref().filter(|further| **further != Type::Any) else { return Ok(()) };
        for field in part.fields.iter_mut().filter(|field| other.field(&field.wire_name).is_none()) {
            let wanted = Field { ty: further.clone(), presence: Presence::Optional, ..field.clone() };
            match both(field, &wanted) {
                Some(narrowed) => *field = narrowed,
                None => {
                    return self.error(
                        format!("`allOf` gives the member `{}` two types", field.wire_name),
                        "correct it with an erratum",
                    );
                }
            }
        }
        Ok(())
    }
}

/// A member that has to be what both say.
fn both(a: &Field, b: &Field) -> Option<Field> {
    let whole = |field: &Field| match field.presence {
        Presence::RequiredNullable => Type::Nullable(Box::new(field.ty.clone())),
        _ => field.ty.clone(),
    };
    let optional = a.presence == Presence::Optional && b.presence == Presence::Optional;
    let (ty, presence) = match (common(&whole(a), &whole(b))?, optional) {
        (ty, true) => (ty, Presence::Optional),
        (Type::Nullable(inner), false) => (*inner, Presence::RequiredNullable),
        (ty, false) => (ty, Presence::Required),
    };
    let docs = if a.docs.is_empty() { b.docs.clone() } else { a.docs.clone() };
    Some(Field { ty, presence, docs, ..a.clone() })
}

/// What is both of one type and of another.
fn common(a: &Type, b: &Type) -> Option<Type> {
    Some(match (a, b) {
        (a, b) if a == b => a.clone(),
        (Type::Any, ty) | (ty, Type::Any) => ty.clone(),
        (Type::Nullable(a), Type::Nullable(b)) => Type::Nullable(Box::new(common(a, b)?)),
        (Type::Nullable(inner), ty) | (ty, Type::Nullable(inner)) => common(inner, ty)?,
        (literal @ Type::Literal(Literal::String(_)), Type::String)
        | (Type::String, literal @ Type::Literal(Literal::String(_))) => literal.clone(),
        (literal @ Type::Literal(Literal::Integer(_)), Type::Integer(_) | Type::Number(_))
        | (Type::Integer(_) | Type::Number(_), literal @ Type::Literal(Literal::Integer(_))) => literal.clone(),
        (object @ (Type::Inline(_) | Type::Named(_) | Type::Map(_)), Type::Object)
        | (Type::Object, object @ (Type::Inline(_) | Type::Named(_) | Type::Map(_))) => object.clone(),
        _ => return None,
    })
}
