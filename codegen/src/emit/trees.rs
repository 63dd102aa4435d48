//! Decision trees as code.

use super::literal;
use super::names::Names;
use crate::model::{JsonKind, Tree, Union};
use crate::passes::kind_variant;

/// Whether a string can lead to no arm, so that the original has to be kept.
pub(super) fn has_unknown(tree: &Tree) -> bool {
    match tree {
        Tree::Arm(_) => false,
        Tree::Tag { .. } | Tree::Unknown => true,
        Tree::Kind(trees) => trees.values().any(has_unknown),
        Tree::Keys { present, absent } => {
            present.iter().any(|(_, tree)| has_unknown(tree)) || absent.as_deref().is_some_and(has_unknown)
        }
    }
}

/// The expression that reads a union.
pub(super) fn code(names: &Names, union: &Union, tree: &Tree) -> String {
    below(names, union, tree, None)
}

/// The expression for a tree below a tag, which has to stand once wherever the original is kept.
fn below(names: &Names, union: &Union, tree: &Tree, tag: Option<&str>) -> String {
    match tree {
        Tree::Arm(at) => {
            let arm = &union.arms[*at];
            match names.reader(&arm.ty) {
                None => format!("Decode::decode(reader).map(Self::{})", arm.ident),
                Some(read) => format!("({read})(reader).map(Self::{})", arm.ident),
            }
        }
        Tree::Unknown => match tag {
            Some(tag) => format!("decode::unknown(reader, {tag}).map(Self::Unknown)"),
            None => "decode::kept(reader).map(Self::Unknown)".to_owned(),
        },
        Tree::Kind(trees) => {
            let arms: String = trees
                .iter()
                .map(|(kind, tree)| format!("Kind::{} => {},\n", kind_variant(*kind), below(names, union, tree, tag)))
                .collect();
            let expected = trees.keys().map(|kind| described(*kind)).collect::<Vec<_>>().join(" or ");
            format!("match reader.kind()? {{ {arms} found => Err(reader.mismatch({}, found)) }}", literal(&expected))
        }
        Tree::Tag { path, cases, absent } => {
            let name = literal(&path.join("."));
            let own = (path.len() == 1).then_some(name.as_str());
            let arms: String = cases
                .iter()
                .map(|(value, tree)| format!("Some({}) => {},\n", literal(value), below(names, union, tree, own)))
                .collect();
            let read = match (path.as_slice(), absent) {
                ([_], Some(_)) => format!("optional_tag({name})"),
                ([_], None) => format!("tag({name})"),
                (way, _) => format!("tag_below(&{way:?})"),
            };
            let unknown = match path.as_slice() {
                [_] => format!("decode::unknown(reader, {name})"),
                _ => "decode::kept(reader)".to_owned(),
            };
            let absent = match absent {
                Some(tree) => below(names, union, tree, own),
                None => format!("Err(decode::missing({name}))"),
            };
            format!(
                "match reader.{read}?.as_deref() {{ {arms} Some(_) => {unknown}.map(Self::Unknown), None => {absent}, }}"
            )
        }
        Tree::Keys { present, absent } => {
            let mut text = String::new();
            for (path, tree) in present {
                let path: Vec<String> = path.iter().map(|step| literal(step)).collect();
                text.push_str(&format!(
                    "if reader.has(&[{}])? {{ {} }} else ",
                    path.join(", "),
                    below(names, union, tree, tag)
                ));
            }
            let last = match absent {
                Some(tree) => below(names, union, tree, tag),
                None => {
                    let keys: Vec<String> = present.iter().map(|(path, _)| literal(&path.join("."))).collect();
                    format!("Err(decode::missing_any(&[{}]))", keys.join(", "))
                }
            };
            format!("{text}{{ {last} }}")
        }
    }
}

fn described(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Array => "an array",
        JsonKind::Boolean => "a boolean",
        JsonKind::Null => "null",
        JsonKind::Number => "a number",
        JsonKind::Object => "an object",
        JsonKind::String => "a string",
    }
}
