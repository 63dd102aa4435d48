//! The rules of a pair of neighbours, and what was found out about them, as data.

use super::crate_files::variant;
use super::{literal, module};
use crate::bridge::{Plan, Rules, SessionSource, To, Watch};

/// Literals, with commas between them.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| literal(name)).collect::<Vec<_>>().join(", ")
}

/// One way between neighbours.
pub(super) fn way(rules: &Rules, plan: &Plan, to: To) -> String {
    let (old, new) = rules.pair.split_once("..").unwrap_or_default();
    let version = |version: &str| format!("ProtocolVersion::{}", variant(&module(version)));
    let (here, there) = match to {
        To::New => (old, new),
        To::Old => (new, old),
    };
    let pair = |key: &str| key.split_once('.').map(|(ty, member)| format!("{ty:?}, {member:?}")).unwrap_or_default();
    let renames: String = rules
        .rename
        .iter()
        .flat_map(|rule| {
            rule.new.iter().map(move |new| match to {
                To::New => format!("({:?}, {new:?}),", rule.old),
                To::Old => format!("({new:?}, {:?}),", rule.old),
            })
        })
        .collect();
    let defaults = |wanted: To| -> String {
        let rules = rules.default.iter().filter(|rule| rule.to == wanted);
        rules
            .flat_map(|rule| {
                rule.members.iter().map(|member| {
                    let (ty, member) = member.split_once('.').unwrap_or_default();
                    let value = rule.value.to_string();
                    format!("Default {{ ty: {ty:?}, member: {member:?}, value: {value:?}, only: {} }},", rule.only)
                })
            })
            .collect()
    };
    let opposite = match to {
        To::New => To::Old,
        To::Old => To::New,
    };
    let session: String = rules
        .session
        .iter()
        .filter(|rule| rule.to == to)
        .map(|rule| {
            let (ty, member) = rule.member.split_once('.').unwrap_or_default();
            let source = match rule.source {
                SessionSource::ProtocolVersion => "ProtocolVersion",
                SessionSource::ClientCapabilities => "ClientCapabilities",
                SessionSource::ClientInfo => "ClientInfo",
            };
            format!("SessionMember {{ ty: {ty:?}, member: {member:?}, source: Source::{source} }},")
        })
        .collect();
    let from_session: String = rules
        .session
        .iter()
        .filter(|rule| rule.to == opposite)
        .map(|rule| format!("({}),", pair(&rule.member)))
        .collect();
    let carried: String =
        rules.carry.iter().flat_map(|rule| &rule.members).map(|member| format!("({}),", pair(member))).collect();
    let cuts: String = rules
        .cut
        .iter()
        .filter(|rule| rule.to == to)
        .flat_map(|rule| &rule.members)
        .map(|member| format!("({}),", pair(member)))
        .collect();
    let substitutes: String = rules
        .substitute
        .iter()
        .filter(|rule| rule.to == to)
        .flat_map(|rule| {
            rule.types.iter().map(|ty| {
                format!("Substitute {{ ty: {ty:?}, with: {:?}, first: {} }},", rule.with.to_string(), rule.first)
            })
        })
        .collect();
    let refusals: String = rules
        .refuse
        .iter()
        .filter(|rule| rule.to == to)
        .flat_map(|rule| rule.types.iter().map(|ty| format!("({ty:?}, {:?}),", rule.reason)))
        .collect();
    let methods: String = rules
        .method
        .iter()
        .flat_map(|rule| rule.names.iter().map(|name| format!("({name:?}, {:?}),", rule.reason)))
        .collect();
    let texts: String = rules
        .text
        .iter()
        .filter(|rule| rule.to == to)
        .map(|rule| {
            let (ty, member) = rule.member.split_once('.').unwrap_or_default();
            format!(
                "Text {{ ty: {ty:?}, member: {member:?}, into: {:?}, unless: {:?}, with: {:?} }},",
                rule.into,
                rule.unless,
                rule.with.to_string()
            )
        })
        .collect();
    let watches = match to {
        To::New => &plan.watch_up,
        To::Old => &plan.watch_down,
    };
    let mut watches: Vec<&Watch> = watches.iter().collect();
    watches.sort_by_key(|watch| (watch.method.len(), &watch.method, watch.result));
    let watches: String = watches
        .into_iter()
        .map(|Watch { method, result, names, inside }| {
            format!(
                "Watch {{ method: {method:?}, result: {result}, names: &[{}], inside: &[{}] }},",
                list(names.iter()),
                inside
                    .iter()
                    .map(|(member, names)| format!("({member:?}, &[{}]),", list(names.iter())))
                    .collect::<String>()
            )
        })
        .collect();
    format!(
        "Way {{ from: {}, to: {}, renames: &[{renames}], defaults: &[{}], implied: &[{}], session: &[{session}],
        from_session: &[{from_session}], carried: &[{carried}], cuts: &[{cuts}], substitutes: &[{substitutes}],
        refusals: &[{refusals}], methods: &[{methods}], texts: &[{texts}], agreed: &[{}], watches: &[{watches}] }},",
        version(here),
        version(there),
        defaults(to),
        defaults(opposite),
        list(plan.agreed.iter()),
    )
}
