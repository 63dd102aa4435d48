//! What all connections of a server share: who handles what in which revision, and how it presents itself.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mcprism_types::bridge::{Options, Part, Policy, Session, translate};
use mcprism_types::{Era, JsonObject, MethodKind, ProtocolVersion, Reader, Sender};

use super::context::Context;
use super::live::Hub;
use super::owned::Owned;
use super::tasks::TaskSupport;
use crate::breaches::Watch;
use crate::error::{Error, Result};
use crate::losses::{LossHook, LossReport};
use crate::router::{Handle, Router};
use crate::session::capability::{needed, tree};
use crate::session::deadline::Limits;
use crate::session::request_state::Seal;
use crate::session::{edit, meta::key, peer::Peer};

/// What an author can choose.
pub(super) struct Config {
    pub(super) logging: bool,
    pub(super) list_changed: bool,
    pub(super) subscribe: bool,
    /// The tools that may run as tasks, and whether they have to.
    pub(super) tasks: HashMap<String, TaskSupport>,
    pub(super) instructions: Option<String>,
    /// `Implementation`, in the words of `info_version`.
    pub(super) info: JsonObject,
    pub(super) info_version: ProtocolVersion,
    pub(super) experimental: Vec<(String, JsonObject)>,
    pub(super) extensions: Vec<(String, JsonObject)>,
    pub(super) policy: Policy,
    pub(super) limits: Limits,
    pub(super) line_limit: usize,
    pub(super) max_running: usize,
    pub(super) grace: Duration,
    pub(super) state_lifetime: Duration,
    pub(super) on_loss: Option<LossHook>,
    pub(super) watch: Watch,
}

pub(crate) struct Shared {
    pub(super) spoken: Vec<ProtocolVersion>,
    pub(super) router: Router<Context>,
    pub(super) config: Config,
    pub(super) seal: Seal,
    pub(super) hub: Hub,
    tables: Vec<(ProtocolVersion, Table)>,
    /// What the server calls itself in modern results.
    stamp: String,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("info", &self.config.info).field("spoken", &self.spoken).finish_non_exhaustive()
    }
}

/// The methods that are served in one revision.
pub(super) struct Table {
    methods: HashMap<String, Entry>,
    /// `ServerCapabilities`.
    pub(super) capabilities: JsonObject,
    /// The result of `initialize`, or of `server/discover`.
    pub(super) opening: String,
}

/// Who serves a method.
#[derive(Clone)]
pub(super) enum Entry {
    Owned(Owned),
    Handler(Arc<str>, Arc<dyn Handle<Context>>),
}

impl Shared {
    pub(super) fn new(
        spoken: Vec<ProtocolVersion>,
        router: Router<Context>,
        config: Config,
        key: &[u8],
        state_limit: usize,
    ) -> Result<Self> {
        let stamp = config.info.as_str().to_owned();
        let mut shared = Self {
            spoken,
            router,
            config,
            seal: Seal::new(key, state_limit),
            hub: Hub::default(),
            tables: Vec::new(),
            stamp,
        };
        for version in shared.spoken.clone() {
            let table = shared.tabulate(version)?;
            shared.tables.push((version, table));
        }
        Ok(shared)
    }

    /// Who serves a method in a revision.
    pub(super) fn entry(&self, version: ProtocolVersion, method: &str) -> Option<&Entry> {
        self.table(version)?.methods.get(method)
    }

    pub(super) fn table(&self, version: ProtocolVersion) -> Option<&Table> {
        self.tables.iter().find(|(other, _)| *other == version).map(|(_, table)| table)
    }

    /// Whether requests of a method may run as tasks in a revision.
    pub(super) fn runs_tasks(&self, version: ProtocolVersion, method: &str) -> bool {
        !self.config.tasks.is_empty()
            && version.method(method).is_some_and(|method| method.alternatives.contains(&"CreateTaskResult"))
    }

    /// Whether a tool may run as a task.
    pub(super) fn task_support(&self, tool: &str) -> TaskSupport {
        self.config.tasks.get(tool).copied().unwrap_or(TaskSupport::Forbidden)
    }

    /// Converts, and reports what is lost.
    pub(super) fn translate(
        &self,
        from: ProtocolVersion,
        to: ProtocolVersion,
        method: &str,
        part: Part,
        json: Option<&str>,
        options: &Options,
    ) -> Result<Option<String>> {
        if from == to {
            return Ok(json.map(str::to_owned));
        }
        let options = Options { policy: self.config.policy, ..options.clone() };
        let translated = translate(from, to, method, part, json, &options)?;
        self.report(from, to, method, part, translated.losses);
        Ok(translated.json.map(std::borrow::Cow::into_owned))
    }

    /// Reports losses to whoever wants to know.
    pub(super) fn report(
        &self,
        from: ProtocolVersion,
        to: ProtocolVersion,
        method: &str,
        part: Part,
        losses: Vec<mcprism_types::bridge::Loss>,
    ) {
        if losses.is_empty() {
            return;
        }
        let report = LossReport { method: method.to_owned(), part, from, to, losses };
        match &self.config.on_loss {
            Some(hook) => hook(&report),
            None => tracing::warn!(%report, "lost in conversion"),
        }
    }

    /// How params of this peer are converted for a handler at another revision.
    pub(super) fn options(&self, peer: &Peer) -> Options {
        Options {
            policy: self.config.policy,
            session: Session {
                protocol_version: None,
                client_capabilities: peer.capabilities().clone(),
                client_info: peer.info().cloned(),
            },
            ..Options::default()
        }
    }

    /// A modern result with what each of them has to have: its kind, and who answers.
    pub(super) fn stamp(&self, result: &str) -> String {
        let reader = Reader::new(result);
        let has_kind = !matches!(reader.member("resultType"), Ok(None));
        if let (true, Ok(None)) = (has_kind, reader.member("_meta")) {
            // The usual case: nothing has to be looked through a second time.
            let rest = result.trim_start().strip_prefix('{').unwrap_or("}").trim_start();
            let comma = if rest.starts_with('}') { "" } else { "," };
            return format!(r#"{{"_meta":{{"{}":{}}}{comma}{rest}"#, key::SERVER_INFO, self.stamp);
        }
        let marked = edit::set_meta(result, &[(key::SERVER_INFO, Some(&self.stamp))]);
        let marked = marked.and_then(|marked| match has_kind {
            true => Ok(marked),
            false => edit::set(&marked, &[("resultType", Some(r#""complete""#))]),
        });
        marked.unwrap_or_else(|_| result.to_owned())
    }

    fn tabulate(&self, version: ProtocolVersion) -> Result<Table> {
        let mut methods: HashMap<String, Entry> = HashMap::new();
        let from_clients = version
            .methods()
            .iter()
            .filter(|method| method.kind == MethodKind::Request && method.sender.includes(Sender::Client));
        for method in from_clients {
            let entry = match Owned::of(method.name) {
                Some(owned) => self.serves(owned).then_some(Entry::Owned(owned)),
                None => {
                    let handler = self.router.handler(version, method.name).cloned();
                    handler.map(|handler| Entry::Handler(method.name.into(), handler))
                }
            };
            methods.extend(entry.map(|entry| (method.name.to_owned(), entry)));
        }
        for (name, handler) in self.router.vendor_methods() {
            methods.insert(name.to_owned(), Entry::Handler(name.into(), Arc::clone(handler)));
        }
        let capabilities = self.capabilities(version, &methods)?;
        let opening = self.opening(version, &capabilities)?;
        Ok(Table { methods, capabilities, opening })
    }

    /// Whether the server does what one of the runtime's own methods is for.
    fn serves(&self, owned: Owned) -> bool {
        match owned {
            Owned::SetLevel => self.config.logging,
            Owned::Subscribe | Owned::Unsubscribe => self.config.subscribe,
            Owned::Initialize | Owned::Ping | Owned::Discover | Owned::Listen => true,
            Owned::Tasks => !self.config.tasks.is_empty(),
        }
    }

    /// What is declared in a revision: what its methods need that are served, and what is told of.
    fn capabilities(&self, version: ProtocolVersion, methods: &HashMap<String, Entry>) -> Result<JsonObject> {
        let lists = |list: &str| self.config.list_changed && methods.contains_key(list);
        let serves = |name: &str, kind: MethodKind| match (kind, name) {
            (MethodKind::Notification, "notifications/message") => self.config.logging,
            (MethodKind::Notification, "notifications/tools/list_changed") => lists("tools/list"),
            (MethodKind::Notification, "notifications/prompts/list_changed") => lists("prompts/list"),
            (MethodKind::Notification, "notifications/resources/list_changed") => lists("resources/list"),
            (MethodKind::Notification, "notifications/resources/updated") => self.config.subscribe,
            (MethodKind::Notification, _) => false,
            (_, name) => methods.contains_key(name),
        };
        let mut paths = needed(version, Sender::Server, serves);
        for method in version.methods().iter().filter(|method| self.runs_tasks(version, method.name)) {
            let as_task = method.capabilities.iter().filter(|need| {
                need.declared_by == Sender::Server && need.when.is_some_and(|when| when.member == "task")
            });
            paths.extend(as_task.filter(|_| methods.contains_key(method.name)).map(|need| need.path));
        }
        let mut capabilities = tree(paths);
        let mut add = |name: &str, all: &[(String, JsonObject)]| {
            if !all.is_empty() {
                let all = all.iter().map(|(name, settings)| (name.clone(), settings.to_value()));
                capabilities[name] = serde_json::Value::Object(all.collect());
            }
        };
        add("experimental", &self.config.experimental);
        if version.era() == Era::Modern {
            add("extensions", &self.config.extensions);
        }
        JsonObject::try_from(capabilities).map_err(Error::internal)
    }

    /// The result that tells a client of this revision who the server is and what it can do.
    fn opening(&self, version: ProtocolVersion, capabilities: &JsonObject) -> Result<String> {
        let config = &self.config;
        let mut members = serde_json::Map::new();
        members.extend(config.instructions.as_ref().map(|text| ("instructions".to_owned(), text.as_str().into())));
        match version.era() {
            Era::Legacy => {
                members.insert("protocolVersion".to_owned(), config.info_version.as_str().into());
                members.insert("capabilities".to_owned(), serde_json::json!({}));
                members.insert("serverInfo".to_owned(), config.info.to_value());
                let text = serde_json::Value::Object(members).to_string();
                let options = Options::default();
                let text =
                    self.translate(config.info_version, version, "initialize", Part::Result, Some(&text), &options)?;
                let quoted = edit::quoted(version.as_str());
                let fixed = [("protocolVersion", Some(&*quoted)), ("capabilities", Some(capabilities.as_str()))];
                edit::set(text.as_deref().unwrap_or("{}"), &fixed).map_err(Error::internal)
            }
            Era::Modern => {
                let modern = self.spoken.iter().rev().filter(|version| version.era() == Era::Modern);
                let modern: Vec<&str> = modern.map(|version| version.as_str()).collect();
                members.insert("resultType".to_owned(), "complete".into());
                members.insert("supportedVersions".to_owned(), modern.into());
                members.insert("capabilities".to_owned(), capabilities.to_value());
                // It is the same as long as the process lives, for whoever may ask this client.
                members.insert("ttlMs".to_owned(), 60_000.into());
                members.insert("cacheScope".to_owned(), "private".into());
                Ok(self.stamp(&serde_json::Value::Object(members).to_string()))
            }
        }
    }
}
