//! Who is told of what has changed, in both styles.

use std::collections::BTreeSet;

use mcprism_types::{Decoded, Kind, Reader};

use crate::jsonrpc::Id;

/// How many resources one connection may subscribe to.
const LIMIT: usize = 4096;

/// How many bytes their URIs may have together.
const LIMIT_BYTES: usize = 4 * 1024 * 1024;

/// Something that has changed at the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources, or of their templates.
    Resources,
    /// A resource, by its URI.
    Resource(String),
}

impl Change {
    /// The notification that tells of it.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Prompts => "notifications/prompts/list_changed",
            Self::Resources => "notifications/resources/list_changed",
            Self::Resource(_) => "notifications/resources/updated",
        }
    }
}

/// What the client of a connection wants to be told of.
///
/// In the legacy style it subscribes to resources one by one, and is told of every list that changes; in the
/// modern one each `subscriptions/listen` has a filter.
///
/// Specification: `server/resources` of 2025-11-25, Subscriptions; `basic/patterns/subscriptions` of
/// 2026-07-28.
#[derive(Debug, Default)]
pub struct Subscriptions {
    /// Whether there is a legacy session.
    session: bool,
    resources: BTreeSet<String>,
    streams: Vec<(Id, Filter)>,
}

/// What a stream tells of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Whether it tells of the list of tools.
    pub tools: bool,
    /// Whether it tells of the list of prompts.
    pub prompts: bool,
    /// Whether it tells of the list of resources.
    pub resources: bool,
    /// The resources that it tells of.
    pub uris: BTreeSet<String>,
}

/// The connection has more subscriptions than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl Subscriptions {
    /// Notes that there is a legacy session.
    pub fn begin_session(&mut self) {
        self.session = true;
    }

    /// Notes a `resources/subscribe`.
    ///
    /// # Errors
    /// If there are too many.
    pub fn subscribe(&mut self, uri: &str) -> Result<(), TooMany> {
        let more = self.count() >= LIMIT || self.bytes() + uri.len() > LIMIT_BYTES;
        if more && !self.resources.contains(uri) {
            return Err(TooMany);
        }
        self.resources.insert(uri.to_owned());
        Ok(())
    }

    /// Notes a `resources/unsubscribe`; of what was not subscribed to, nothing.
    pub fn unsubscribe(&mut self, uri: &str) {
        self.resources.remove(uri);
    }

    /// Notes a `subscriptions/listen`.
    ///
    /// # Errors
    /// If there are too many.
    pub fn listen(&mut self, id: Id, filter: Filter) -> Result<(), TooMany> {
        if self.count() + filter.uris.len() + 1 > LIMIT || self.bytes() + filter.bytes() > LIMIT_BYTES {
            return Err(TooMany);
        }
        self.streams.push((id, filter));
        Ok(())
    }

    /// Ends a stream.
    pub fn end(&mut self, id: &Id) {
        self.streams.retain(|(other, _)| other != id);
    }

    /// Ends all streams; gives back their ids.
    pub fn end_all(&mut self) -> Vec<Id> {
        std::mem::take(&mut self.streams).into_iter().map(|(id, _)| id).collect()
    }

    /// Who is told of a change: each stream by its id, the session by `None`.
    pub fn told(&self, change: &Change) -> Vec<Option<Id>> {
        let session = self.session
            && match change {
                Change::Resource(uri) => self.resources.contains(uri),
                Change::Tools | Change::Prompts | Change::Resources => true,
            };
        let streams = self.streams.iter().filter(|(_, filter)| match change {
            Change::Tools => filter.tools,
            Change::Prompts => filter.prompts,
            Change::Resources => filter.resources,
            Change::Resource(uri) => filter.uris.contains(uri),
        });
        session.then_some(None).into_iter().chain(streams.map(|(id, _)| Some(id.clone()))).collect()
    }

    fn bytes(&self) -> usize {
        let session: usize = self.resources.iter().map(String::len).sum();
        session + self.streams.iter().map(|(_, filter)| filter.bytes()).sum::<usize>()
    }

    fn count(&self) -> usize {
        self.resources.len() + self.streams.iter().map(|(_, filter)| filter.uris.len() + 1).sum::<usize>()
    }
}

impl Filter {
    /// Reads the filter of `subscriptions/listen` from the text of its `params`.
    ///
    /// # Errors
    /// If it isn't there, or doesn't fit; the place counts from `params`.
    pub fn read(params: Option<&str>) -> Decoded<Self> {
        let missing = || mcprism_types::DecodeError::shape("missing member `notifications`");
        let mut reader = Reader::new(params.unwrap_or("{}")).member("notifications")?.ok_or_else(missing)?;
        let mut filter = Self::default();
        let flag = |reader: &mut Reader<'_>| match reader.kind()? {
            Kind::Null => reader.null().map(|()| false),
            _ => reader.boolean(),
        };
        let read = reader.object(&mut |reader, name| match name {
            "toolsListChanged" => flag(reader).map(|value| filter.tools = value),
            "promptsListChanged" => flag(reader).map(|value| filter.prompts = value),
            "resourcesListChanged" => flag(reader).map(|value| filter.resources = value),
            "resourceSubscriptions" if reader.kind()? != Kind::Null => reader.array(&mut |reader| {
                filter.uris.insert(reader.string()?.into_owned());
                Ok(())
            }),
            _ => reader.skip().map(drop),
        });
        read.map_err(|error| error.inside("notifications"))?;
        Ok(filter)
    }

    /// The same without what the server doesn't tell of.
    #[must_use]
    pub fn limited(mut self, tools: bool, prompts: bool, resources: bool, updates: bool) -> Self {
        self.tools &= tools;
        self.prompts &= prompts;
        self.resources &= resources;
        if !updates {
            self.uris.clear();
        }
        self
    }

    fn bytes(&self) -> usize {
        self.uris.iter().map(String::len).sum()
    }

    /// The filter as the acknowledgement says it.
    pub fn written(&self) -> serde_json::Value {
        let mut members = serde_json::Map::new();
        let flags = [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ];
        members.extend(flags.into_iter().filter(|(_, on)| *on).map(|(name, on)| (name.to_owned(), on.into())));
        if !self.uris.is_empty() {
            members.insert("resourceSubscriptions".to_owned(), self.uris.iter().cloned().collect());
        }
        members.into()
    }
}
