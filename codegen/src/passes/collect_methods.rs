//! Collects the methods from the unions that list them, with their results.

use std::collections::BTreeMap;

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{Arm, Capability, Definition, Method, MethodKind, Revision, Sender, Shape, Tree, Type, Union};

/// The unions that list methods: who sends them, and how they travel.
pub const UNIONS: [(&str, Sender, MethodKind); 5] = [
    ("ClientNotification", Sender::Client, MethodKind::Notification),
    ("ClientRequest", Sender::Client, MethodKind::Request),
    ("InputRequest", Sender::Server, MethodKind::InputRequest),
    ("ServerNotification", Sender::Server, MethodKind::Notification),
    ("ServerRequest", Sender::Server, MethodKind::Request),
];

/// After this pass `methods` is complete but for `params`, and each of those unions is a union,
/// even of one, that is told apart by its methods.
///
/// # Errors
/// If an arm has no method, or a result is missing and nothing in methods.toml says it.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    let mut methods: BTreeMap<String, Method> = BTreeMap::new();
    let mut errors = Vec::new();
    for (union, sender, kind) in UNIONS {
        let arms = arms(&revision, union);
        let all = match revision.definitions.get(union).map(|definition| &definition.shape) {
            Some(Shape::Union(union)) => union.arms.len(),
            Some(_) => 1,
            None => 0,
        };
        if arms.len() < all {
            let pointer = format!("#/{}/{union}", revision.keyword);
            let message = format!("messages of `{union}` without a name: {}", all - arms.len());
            match decisions.strict {
                true => errors.push(Error::new(
                    &revision.version,
                    pointer,
                    message,
                    "give them definitions with an erratum",
                )),
                false => revision.warnings.push(format!(
                    "{} {pointer}: {message}; they are missing from the table of methods",
                    revision.version
                )),
            }
        }
        let mut cases = BTreeMap::new();
        for (at, name) in arms.iter().enumerate() {
            let Some(wire) = revision.structure(name).and_then(|shape| shape.literal("method")).map(str::to_owned)
            else {
                let pointer = format!("#/{}/{union}", revision.keyword);
                errors.push(Error::new(
                    &revision.version,
                    pointer,
                    format!("`{name}` has no `method` literal"),
                    "correct it with an erratum",
                ));
                continue;
            };
            if let Some(Tree::Arm(other)) = cases.insert(wire.clone(), Tree::Arm(at)) {
                errors.push(Error::new(
                    &revision.version,
                    format!("#/{}/{union}", revision.keyword),
                    format!("both `{}` and `{name}` have the method `{wire}`", arms[other]),
                    "take one of them out with an erratum",
                ));
            }
            let method = methods.entry(wire.clone()).or_insert_with(|| Method {
                name: wire,
                kind,
                sender,
                definition: name.clone(),
                params: Type::Object,
                params_required: false,
                result: None,
                alternatives: Vec::new(),
                outcome: None,
                capabilities: Vec::new(),
                docs: String::new(),
            });
            if method.sender != sender {
                method.sender = Sender::Both;
            }
        }
        if let Some(definition) = revision.definitions.get_mut(union).filter(|_| !arms.is_empty() && arms.len() == all)
        {
            let arms_count = arms.len();
            let named = arms.into_iter().map(|name| Arm { ident: String::new(), ty: Type::Named(name) }).collect();
            // The one arm of a union of one checks its method itself.
            let tree = match arms_count {
                1 => Tree::Arm(0),
                _ => Tree::Tag { path: vec!["method".to_owned()], cases, absent: None },
            };
            definition.shape = Shape::Union(Union { arms: named, tree: Some(tree) });
        }
    }
    for method in methods.values_mut().filter(|method| method.kind != MethodKind::Notification) {
        if let Err(error) = results(method, &mut revision, decisions) {
            errors.push(error);
        }
    }
    for method in methods.values_mut() {
        if let Err(error) = capabilities(method, &revision, decisions) {
            errors.push(error);
        }
    }
    revision.methods = methods.into_values().collect();
    Error::all(errors)?;
    Ok(revision)
}

/// The names of the arms of a union that may be written as one type only, or even in place.
fn arms(revision: &Revision, union: &str) -> Vec<String> {
    let Some(definition) = revision.definitions.get(union) else {
        return Vec::new();
    };
    match &definition.shape {
        Shape::Union(union) => union
            .arms
            .iter()
            .filter_map(|arm| match &arm.ty {
                Type::Named(name) => Some(name.clone()),
                _ => None,
            })
            .collect(),
        Shape::Alias(Type::Named(only)) => vec![only.clone()],
        // Upstream's tool writes a union of one as that one's members.
        Shape::Struct(shape) => {
            let same = |other: &Definition| matches!(&other.shape, Shape::Struct(other) if other == shape);
            revision
                .definitions
                .iter()
                .find(|(name, other)| *name != union && same(other))
                .map(|(name, _)| name.clone())
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

fn results(method: &mut Method, revision: &mut Revision, decisions: &Decisions) -> Result<()> {
    let stem = method.definition.strip_suffix("Request").unwrap_or(&method.definition).to_owned();
    let usual = format!("{stem}Result");
    let explicit: Vec<String> =
        match revision.structure(&format!("{usual}Response")).and_then(|shape| shape.field("result")) {
            Some(field) => field.ty.names().into_iter().map(str::to_owned).collect(),
            None => Vec::new(),
        };
    let mut rule = decisions.methods.result.iter().filter(|rule| {
        rule.method == method.name
            && decisions.concerns(rule.revisions.as_deref(), &revision.version)
            && revision.definitions.contains_key(&rule.ty)
    });
    method.result = if explicit.contains(&usual) {
        Some(usual)
    } else if let [only] = explicit.as_slice() {
        Some(only.clone())
    } else if let Some(rule) = rule.next() {
        mark(decisions, &revision.version, rule.revisions.is_some(), &rule.key("result"));
        Some(rule.ty.clone())
    } else if revision.definitions.contains_key(&usual) {
        Some(usual)
    } else if let Some(first) = explicit.first() {
        Some(first.clone())
    } else {
        let pointer = format!("#/{}/{}", revision.keyword, method.definition);
        let undefined = decisions.methods.result.iter().find(|rule| rule.method == method.name);
        let message = match undefined {
            Some(rule) => {
                format!("methods.toml says that `{}` results in `{}`, which is not defined", method.name, rule.ty)
            }
            None => format!("nothing says what `{}` results in", method.name),
        };
        if decisions.strict {
            let advice = format!("add to methods.toml:\n\n[[result]]\nmethod = \"{}\"\ntype = \"…\"\n", method.name);
            return Err(Error::new(&revision.version, pointer, message, advice));
        }
        revision.warnings.push(format!("{} {pointer}: {message}; its result is raw JSON", revision.version));
        None
    };
    let main = method.result.clone();
    method.alternatives = explicit.into_iter().filter(|name| Some(name) != main.as_ref()).collect();
    for rule in &decisions.methods.alternative {
        if rule.method == method.name
            && decisions.concerns(rule.revisions.as_deref(), &revision.version)
            && revision.definitions.contains_key(&rule.ty)
        {
            mark(decisions, &revision.version, rule.revisions.is_some(), &rule.key("alternative"));
            if !method.alternatives.contains(&rule.ty) {
                method.alternatives.push(rule.ty.clone());
            }
        }
    }
    Ok(())
}

fn capabilities(method: &mut Method, revision: &Revision, decisions: &Decisions) -> Result<()> {
    for rule in &decisions.methods.capability {
        let here = rule.method == method.name
            && decisions.concerns(rule.revisions.as_deref(), &revision.version)
            && (method.sender == Sender::Both || method.sender == rule.sender);
        if !here {
            continue;
        }
        let side = if rule.declared_by == Sender::Client { "ClientCapabilities" } else { "ServerCapabilities" };
        if !path_exists(revision, side, &rule.path) {
            if decisions.strict && rule.revisions.is_some() {
                let pointer = format!("#/{}/{side}", revision.keyword);
                let message = format!("no capability `{}`, which `{}` is said to need", rule.path, method.name);
                return Err(Error::new(&revision.version, pointer, message, "correct the rule in methods.toml"));
            }
            continue;
        }
        mark(decisions, &revision.version, rule.revisions.is_some(), &rule.key());
        method.capabilities.push(Capability {
            sender: rule.sender,
            declared_by: rule.declared_by,
            path: rule.path.clone(),
            when: rule.when.clone(),
        });
    }
    let free = decisions.methods.free.iter().any(|free| free.methods.contains(&method.name));
    if free && method.capabilities.is_empty() {
        decisions.mark("methods.toml", format!("free {}", method.name));
    }
    if decisions.strict && !free && method.capabilities.is_empty() {
        let pointer = format!("#/{}/{}", revision.keyword, method.definition);
        let message = format!("nothing says what has to be declared before `{}`", method.name);
        let advice = format!(
            "add to methods.toml a [[capability]] for it, or, if nothing has to be:\n\n[[free]]\nmethods = [\"{}\"]\nreason = \"…\"\n",
            method.name
        );
        return Err(Error::new(&revision.version, pointer, message, advice));
    }
    Ok(())
}

/// Whether the way leads through members of nested objects.
fn path_exists(revision: &Revision, side: &str, path: &str) -> bool {
    let mut shape = revision.resolve(side).cloned();
    for step in path.split('.') {
        let ty = match &shape {
            Some(Shape::Struct(structure)) => structure.field(step).map(|field| field.ty.clone()),
            _ => None,
        };
        shape = match ty {
            Some(Type::Inline(inline)) => Some(inline.shape),
            Some(Type::Named(name)) => revision.resolve(&name).cloned(),
            Some(leaf) => Some(Shape::Alias(leaf)),
            None => return false,
        };
    }
    true
}

fn mark(decisions: &Decisions, version: &str, by_revision: bool, key: &str) {
    match by_revision {
        true => decisions.mark("methods.toml", format!("{version} {key}")),
        false => decisions.mark("methods.toml", key),
    }
}
