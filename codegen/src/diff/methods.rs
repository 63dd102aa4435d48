//! How methods changed.

use super::class::Kind;
use super::reach::{Reach, change};
use super::{Change, MethodDiff, Renames};
use crate::model::{Capability, Method, MethodKind, Revision, Sender};

/// The methods that are new, gone or changed.
pub(super) fn methods(
    older: &Revision,
    newer: &Revision,
    renames: &Renames,
    old_reach: &Reach,
    new_reach: &Reach,
) -> Vec<MethodDiff> {
    let mut names: Vec<&str> = older.methods.iter().chain(&newer.methods).map(|method| method.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let find = |revision: &'_ Revision, name: &str| revision.methods.iter().find(|method| method.name == name).cloned();
    let diffs = names.into_iter().filter_map(|name| {
        let (changes, types) = match (find(older, name), find(newer, name)) {
            (None, Some(method)) => {
                let text = format!("new: {}, sent by {}", travels(method.kind), sender(method.sender));
                let types = new_reach.only_by(name).into_iter().filter(|ty| !old_reach.reaches(ty)).collect();
                (vec![change("", Kind::MethodAdded, text, sides(method.sender))], types)
            }
            (Some(method), None) => {
                let types = old_reach.only_by(name).into_iter().filter(|ty| !new_reach.reaches(ty)).collect();
                (vec![change("", Kind::MethodRemoved, "gone".to_owned(), sides(method.sender))], types)
            }
            (Some(old), Some(new)) => (changes(&old, &new, renames), Vec::new()),
            (None, None) => return None,
        };
        (!changes.is_empty()).then(|| MethodDiff { name: name.to_owned(), changes, types })
    });
    diffs.collect()
}

fn changes(old: &Method, new: &Method, renames: &Renames) -> Vec<Change> {
    let mut changes = Vec::new();
    let sent = sides(new.sender);
    // A result is sent by whoever receives the request.
    let answered = (sent.1, sent.0);
    if old.kind != new.kind {
        let what = format!("travels as {}, was {}", travels(new.kind), travels(old.kind));
        changes.push(change("", Kind::TravelsOtherwise, what, sent));
    }
    let (before, after) = (sides(old.sender), sides(new.sender));
    for (side, was, is, sent) in
        [("client", before.0, after.0, (true, false)), ("server", before.1, after.1, (false, true))]
    {
        match (was, is) {
            (false, true) => changes.push(change("sender", Kind::SenderAdded, format!("a {side} may send it"), sent)),
            (true, false) => {
                changes.push(change("sender", Kind::SenderRemoved, format!("a {side} may not send it any more"), sent));
            }
            _ => {}
        }
    }
    match (old.params_required, new.params_required) {
        (false, true) => changes.push(change("params", Kind::ParamsRequired, "have to be there".to_owned(), sent)),
        (true, false) => changes.push(change("params", Kind::ParamsOptional, "may be absent".to_owned(), sent)),
        _ => {}
    }
    match (&old.result, &new.result) {
        (Some(old), Some(new)) if !renames.same(old, new) => {
            changes.push(change("result", Kind::ResultChanged, format!("`{new}`, was `{old}`"), answered));
        }
        _ => {}
    }
    for alternative in new.alternatives.iter().filter(|new| !old.alternatives.iter().any(|old| renames.same(old, new)))
    {
        changes.push(change("result", Kind::AlternativeAdded, format!("may be `{alternative}`"), answered));
    }
    for alternative in old.alternatives.iter().filter(|old| !new.alternatives.iter().any(|new| renames.same(old, new)))
    {
        changes.push(change(
            "result",
            Kind::AlternativeRemoved,
            format!("can't be `{alternative}` any more"),
            answered,
        ));
    }
    for rule in new.capabilities.iter().filter(|rule| !old.capabilities.contains(rule)) {
        changes.push(change(
            "capability",
            Kind::CapabilityAdded,
            format!("needs {}", declared(rule)),
            sides(rule.sender),
        ));
    }
    for rule in old.capabilities.iter().filter(|rule| !new.capabilities.contains(rule)) {
        let what = format!("does not need {} any more", declared(rule));
        changes.push(change("capability", Kind::CapabilityRemoved, what, sides(rule.sender)));
    }
    changes
}

fn declared(rule: &Capability) -> String {
    let when = rule.when.as_ref().map(|when| match &when.equals {
        Some(value) => format!(" where `{}` is `{value}`", when.member),
        None => format!(" where there is a `{}`", when.member),
    });
    format!("`{}`, declared by the {}{}", rule.path, sender(rule.declared_by), when.unwrap_or_default())
}

fn travels(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Request => "a request",
        MethodKind::Notification => "a notification",
        MethodKind::InputRequest => "a request inside a result",
    }
}

fn sender(sender: Sender) -> &'static str {
    match sender {
        Sender::Client => "client",
        Sender::Server => "server",
        Sender::Both => "either side",
    }
}

/// Whether a client sends it, whether a server does.
fn sides(sender: Sender) -> (bool, bool) {
    (sender != Sender::Server, sender != Sender::Client)
}
