//! Joins a method's result and its alternatives into one union.

use std::collections::BTreeMap;

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{Arm, Definition, Revision, Shape, Tree, Type, Union};

/// After this pass a method with alternative results has an outcome, told apart by `resultType`
/// where each arm has that.
///
/// # Errors
/// If the name of the outcome is taken.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    for at in 0..revision.methods.len() {
        let method = &revision.methods[at];
        let Some(result) = method.result.clone().filter(|_| !method.alternatives.is_empty()) else { continue };
        let stem = method.definition.strip_suffix("Request").unwrap_or(&method.definition);
        let name = format!("{stem}Outcome");
        let pointer = revision.definitions[&method.definition].pointer.clone();
        if revision.definitions.contains_key(&name) {
            return Err(Error::new(
                &revision.version,
                pointer,
                format!("the outcome needs the name `{name}`, which is taken"),
                "rename the definition with an erratum",
            ));
        }
        let types: Vec<String> = std::iter::once(result).chain(method.alternatives.iter().cloned()).collect();
        let tree = by_result_type(&revision, decisions, &types);
        let arms = types.into_iter().map(|ty| Arm { ident: String::new(), ty: Type::Named(ty) }).collect();
        let shape = Shape::Union(Union { arms, tree });
        revision
            .definitions
            .insert(name.clone(), Definition { ident: String::new(), pointer, docs: String::new(), shape });
        revision.methods[at].outcome = Some(name);
    }
    Ok(revision)
}

/// The literal of each type, where all have the member and no two have the same.
fn by_result_type(revision: &Revision, decisions: &Decisions, types: &[String]) -> Option<Tree> {
    let mut cases = BTreeMap::new();
    for (at, name) in types.iter().enumerate() {
        let preset = revision.structure(name)?.field("resultType")?.preset.clone()?;
        let mut tree = Tree::Arm(at);
        for rule in decisions.unions.incomplete.iter().filter(|rule| rule.ty == *name) {
            decisions.mark("unions.toml", format!("incomplete {name}"));
            for member in &rule.members {
                tree =
                    Tree::Keys { present: vec![(vec![member.clone()], tree)], absent: Some(Box::new(Tree::Unknown)) };
            }
        }
        if cases.insert(preset, tree).is_some() {
            return None;
        }
    }
    Some(Tree::Tag { path: vec!["resultType".to_owned()], cases, absent: None })
}
