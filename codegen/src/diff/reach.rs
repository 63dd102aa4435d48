//! Who sends a type, and with which methods it travels.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Form, Method, MethodKind, Presence, Revision, Sender, Type};

/// Who sends something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) client: bool,
    pub(super) server: bool,
}

impl Sides {
    pub(super) const BOTH: Self = Self { client: true, server: true };

    pub(super) fn of(sender: Sender) -> Self {
        Self { client: sender != Sender::Server, server: sender != Sender::Client }
    }

    /// The other side of each.
    pub(super) fn swapped(self) -> Self {
        Self { client: self.server, server: self.client }
    }

    /// Who sends it in both revisions; if that is nobody, in either.
    pub(super) fn joined(self, other: Self) -> Self {
        let both = Self { client: self.client && other.client, server: self.server && other.server };
        match both.sender() {
            Some(_) => both,
            None => self.and(other),
        }
    }

    fn and(self, other: Self) -> Self {
        Self { client: self.client || other.client, server: self.server || other.server }
    }

    pub(super) fn sender(self) -> Option<Sender> {
        match (self.client, self.server) {
            (true, true) => Some(Sender::Both),
            (true, false) => Some(Sender::Client),
            (false, true) => Some(Sender::Server),
            (false, false) => None,
        }
    }
}

/// Who sends each type: params go one way, results and errors the other.
pub(super) fn senders(revision: &Revision) -> BTreeMap<&str, Sides> {
    let mut senders: BTreeMap<&str, Sides> = BTreeMap::new();
    let mut note = |names: BTreeSet<&'_ str>, sides: Sides| {
        for (name, _) in names.into_iter().filter_map(|name| revision.definitions.get_key_value(name)) {
            let known = senders.entry(name.as_str()).or_default();
            *known = known.and(sides);
        }
    };
    let mut answers = Sides::default();
    for method in &revision.methods {
        let sides = Sides::of(method.sender);
        note(inside(revision, asking(method)), sides);
        note(inside(revision, answering(method)), sides.swapped());
        if method.kind == MethodKind::Request {
            answers = answers.and(sides.swapped());
        }
    }
    note(inside(revision, errors(revision)), answers);
    senders
}

/// The types that only these methods carry, each with the first of them. What is part of a type that
/// stays has to do with that type, not with a method.
pub(super) fn only_with<'r>(
    revision: &'r Revision,
    methods: &BTreeSet<&str>,
    stays: impl Fn(&str) -> bool,
) -> BTreeMap<&'r str, &'r str> {
    let carried = |method: &'r Method| inside(revision, asking(method).chain(answering(method)));
    let (these, others): (Vec<&Method>, Vec<&Method>) =
        revision.methods.iter().partition(|method| methods.contains(method.name.as_str()));
    let mut elsewhere: BTreeSet<&str> = others.into_iter().flat_map(carried).collect();
    elsewhere.extend(inside(revision, errors(revision)));
    elsewhere.extend(inside(revision, revision.definitions.keys().map(String::as_str).filter(|name| stays(name))));
    let mut with = BTreeMap::new();
    for method in these {
        for name in carried(method).into_iter().filter(|name| !elsewhere.contains(name)) {
            with.entry(name).or_insert(method.name.as_str());
        }
    }
    with
}

/// The types that go with a method.
fn asking(method: &Method) -> impl Iterator<Item = &str> {
    std::iter::once(method.definition.as_str()).chain(method.params.names())
}

/// The types that come back.
fn answering(method: &Method) -> impl Iterator<Item = &str> {
    let results = method.result.iter().chain(&method.alternatives).chain(&method.outcome);
    results.map(String::as_str)
}

/// The types of errors: what stands in their envelope, and what has the members that they have.
fn errors(revision: &Revision) -> impl Iterator<Item = &str> {
    let in_envelopes = revision.envelopes.values().filter(|envelope| envelope.form == Form::Error);
    let has = |name: &str, member: &str| {
        let field = revision.structure(name).and_then(|shape| shape.field(member));
        field.is_some_and(|field| field.presence == Presence::Required)
    };
    let names = revision.definitions.keys().map(String::as_str);
    let alike = names.filter(move |name| has(name, "code") && has(name, "message"));
    in_envelopes.filter_map(|envelope| envelope.body.as_deref()).chain(alike)
}

/// These types and all that they are made of.
fn inside<'r>(revision: &'r Revision, names: impl Iterator<Item = &'r str>) -> BTreeSet<&'r str> {
    let mut all = BTreeSet::new();
    let mut open: Vec<&str> = names.collect();
    while let Some(name) = open.pop() {
        if all.insert(name)
            && let Some(definition) = revision.definitions.get(name)
        {
            open.extend(definition.shape.types().into_iter().flat_map(Type::names));
        }
    }
    all
}
