//! Who sends a type, and which methods reach it.

use std::collections::{BTreeMap, BTreeSet};

use super::Change;
use super::class::Kind;
use crate::bridge::answer;
use crate::model::{Revision, Sender, Type};
use crate::passes::UNIONS;

/// Who sends the types of a revision.
pub(super) struct Reach {
    /// By type: whether a client sends it, whether a server does.
    sent: BTreeMap<String, (bool, bool)>,
    /// By type: the methods that reach it.
    methods: BTreeMap<String, BTreeSet<String>>,
}

impl Reach {
    pub(super) fn of(revision: &Revision) -> Self {
        let mut reach = Self { sent: BTreeMap::new(), methods: BTreeMap::new() };
        for method in &revision.methods {
            let (client, server) = match method.sender {
                Sender::Client => (true, false),
                Sender::Server => (false, true),
                Sender::Both => (true, true),
            };
            reach.walk(revision, &method.params, (client, server), &method.name);
            if let Some(result) = answer(method) {
                // Answers go the other way.
                reach.walk(revision, &result, (server, client), &method.name);
            }
        }
        // Errors with data of their own: either side may answer with one.
        for name in revision.definitions.keys().filter(|name| name.ends_with("Error")) {
            reach.walk(revision, &Type::Named(name.clone()), (true, true), "");
        }
        reach
    }

    fn walk(&mut self, revision: &Revision, ty: &Type, by: (bool, bool), method: &str) {
        let mut seen = BTreeSet::new();
        let mut open: Vec<String> = ty.names().into_iter().map(str::to_owned).collect();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let sent = self.sent.entry(name.clone()).or_default();
            *sent = (sent.0 || by.0, sent.1 || by.1);
            if !method.is_empty() {
                self.methods.entry(name.clone()).or_default().insert(method.to_owned());
            }
            if let Some(definition) = revision.definitions.get(&name) {
                open.extend(definition.shape.types().into_iter().flat_map(Type::names).map(str::to_owned));
            }
        }
    }

    /// Whether any message has the type.
    pub(super) fn reaches(&self, name: &str) -> bool {
        self.sent.contains_key(name)
    }

    /// Who sends a type: a client, a server.
    pub(super) fn sent(&self, name: &str) -> (bool, bool) {
        self.sent.get(name).copied().unwrap_or_default()
    }

    /// The types that no other method reaches.
    pub(super) fn only_by(&self, method: &str) -> Vec<String> {
        let only = self.methods.iter().filter(|(_, methods)| methods.len() == 1 && methods.contains(method));
        only.map(|(name, _)| name.clone()).collect()
    }
}

/// A change of something that is sent by a client, by a server, or by both.
pub(super) fn change(at: &str, kind: Kind, what: String, (client, server): (bool, bool)) -> Change {
    Change {
        at: at.to_owned(),
        kind,
        what,
        class: kind.class(),
        server: kind.means(server, client),
        client: kind.means(client, server),
    }
}

/// Whether a type is there for the generator's sake, or said where its method is.
pub(super) fn told_by_methods(revision: &Revision, name: &str) -> bool {
    UNIONS.iter().any(|(union, _, _)| *union == name)
        || revision.methods.iter().any(|method| method.definition == name || method.outcome.as_deref() == Some(name))
}
