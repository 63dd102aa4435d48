//! How a client is put together.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use mcprism_types::bridge::{Loss, Options, Part, Policy, Session, translate};
use mcprism_types::{Era, Json, JsonObject, MethodKind, Notification, ProtocolVersion, Request, Sender};

use super::approval::{self, Answer, Hook, Question};
use super::context::Context;
use super::{Client, connect};
use crate::breaches::{BreachReport, Watch};
use crate::error::{Error, Result};
use crate::losses::{LossHook, LossReport};
use crate::router::{RawHandler, Router, TypedHandler, TypedListener};
use crate::session::capability::{needed, tree};
use crate::session::deadline::Limits;
use crate::session::edit;
use crate::session::level::Level;
use crate::session::meta::key;
use crate::transport::Transport;

/// Puts a client together; [`connect`](Self::connect) tells of the first mistake.
pub struct Builder {
    shared: Shared,
    mistake: Option<Error>,
}

/// What a client is, whatever it is connected to.
pub(super) struct Shared {
    pub(super) spoken: Vec<ProtocolVersion>,
    pub(super) router: Router<Context>,
    pub(super) approve: Hook,
    pub(super) limits: Limits,
    pub(super) probe: Duration,
    pub(super) line_limit: usize,
    /// `Implementation`.
    info: JsonObject,
    declared: Vec<String>,
    level: Option<Level>,
    policy: Policy,
    on_loss: Option<LossHook>,
    pub(super) watch: Watch,
}

impl Builder {
    pub(super) fn new(name: &str, version: &str) -> Self {
        let info = serde_json::Map::from_iter([
            ("name".to_owned(), serde_json::Value::from(name)),
            ("version".to_owned(), serde_json::Value::from(version)),
        ]);
        let shared = Shared {
            spoken: ProtocolVersion::ALL.to_vec(),
            router: Router::default(),
            approve: approval::deny(),
            limits: Limits::default(),
            probe: Duration::from_secs(3),
            line_limit: crate::framing::DEFAULT_LIMIT,
            info: info.into(),
            declared: Vec::new(),
            level: None,
            policy: Policy::default(),
            on_loss: None,
            watch: Watch::default(),
        };
        Self { shared, mistake: None }
    }

    /// The revisions that are spoken: all of them unless this is called; one alone pins the client to it. The
    /// newest one that the server speaks, too, is taken.
    #[must_use]
    pub fn revisions(mut self, spoken: impl IntoIterator<Item = ProtocolVersion>) -> Self {
        self.shared.spoken = spoken.into_iter().collect();
        self
    }

    /// Handles what servers ask for: `CreateMessageRequest`, `ElicitRequest` or `ListRootsRequest` of whatever
    /// revision, and declares the capability. Sampling and elicitation are [denied](Self::approve) unless the
    /// approval says otherwise; the handler isn't even called.
    #[must_use]
    pub fn on<R, F, T, A>(mut self, handler: F) -> Self
    where
        R: Request + 'static,
        F: Fn(R, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<A>> + Send + 'static,
        A: Into<R::Outcome> + 'static,
    {
        let from_server = |version: &ProtocolVersion| {
            version.method(R::METHOD).is_some_and(|method| method.sender.includes(Sender::Server))
        };
        if R::METHOD == "ping" || R::METHOD.starts_with("tasks/") || !ProtocolVersion::ALL.iter().any(from_server) {
            return self.wrong(format!("`{}` is nothing that a client handles", R::METHOD));
        }
        let added = self.shared.router.on(R::METHOD, Arc::new(TypedHandler::<R, _>::new(handler)));
        self.note(added)
    }

    /// Handles a request of the server's that no revision knows, in the raw form.
    #[must_use]
    pub fn on_raw<F, T>(mut self, method: &str, handler: F) -> Self
    where
        F: Fn(Option<Json>, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<Json>> + Send + 'static,
    {
        if ProtocolVersion::ALL.iter().any(|version| version.method(method).is_some()) {
            return self.wrong(format!("`{method}` is a method of the protocol: handle it with `on`"));
        }
        let added = self.shared.router.on(method, Arc::new(RawHandler(handler)));
        self.note(added)
    }

    /// Listens to the server's notifications of a type, such as `LoggingMessageNotification`.
    #[must_use]
    pub fn on_notification<N, F, T>(mut self, listener: F) -> Self
    where
        N: Notification + 'static,
        F: Fn(N, Context) -> T + Send + Sync + 'static,
        T: Future<Output = ()> + Send + 'static,
    {
        let added = self.shared.router.listen(N::METHOD, Arc::new(TypedListener::<N, _>::new(listener)));
        self.note(added)
    }

    /// Decides on what servers ask for, before a handler is called: show the [`Question`] to the user, and let
    /// them say. Without this everything is denied.
    ///
    /// Nothing in a question makes it harmless: neither what the server calls itself, nor the annotations of the
    /// tool that was called, which are hints that nobody has checked.
    #[must_use]
    pub fn approve<F, T>(mut self, hook: F) -> Self
    where
        F: Fn(Question) -> T + Send + Sync + 'static,
        T: Future<Output = Answer> + Send + 'static,
    {
        self.shared.approve = Arc::new(move |question| Box::pin(hook(question)));
        self
    }

    /// Declares what handlers alone don't say, such as `elicitation.url`, `sampling.tools` or
    /// `roots.listChanged`; revisions that don't know it are told nothing of it. A client that shows forms and opens
    /// pages declares both `elicitation.form` and `elicitation.url`; without either, forms are meant.
    #[must_use]
    pub fn declare(mut self, capability: &str) -> Self {
        self.shared.declared.push(capability.to_owned());
        self
    }

    /// How long answers are waited for, where a call doesn't say.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.shared.limits = limits;
        self
    }

    /// How long to wait for the answer to `server/discover` before the server is taken for one of the legacy
    /// era: 3 seconds unless this is called.
    #[must_use]
    pub fn probe_timeout(mut self, time: Duration) -> Self {
        self.shared.probe = time;
        self
    }

    /// The least severe log entries that requests ask for where the revision is of the modern era; in the legacy
    /// era, call `logging/setLevel`.
    #[must_use]
    pub fn log_level(mut self, level: Level) -> Self {
        self.shared.level = Some(level);
        self
    }

    /// How many bytes a message may have: 16 MiB unless this is called. A longer one is passed over.
    #[must_use]
    pub fn message_limit(mut self, bytes: usize) -> Self {
        self.shared.line_limit = bytes;
        self
    }

    /// What becomes of what the server's revision can't say.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.shared.policy = policy;
        self
    }

    /// Takes reports of what is lost between revisions; without this they are logged as warnings.
    #[must_use]
    pub fn on_loss(mut self, hook: impl Fn(&LossReport) + Send + Sync + 'static) -> Self {
        self.shared.on_loss = Some(Box::new(hook));
        self
    }

    /// Takes reports of rules that messages of the server break; without this they are logged as warnings.
    #[must_use]
    pub fn on_breach(mut self, hook: impl Fn(&BreachReport) + Send + Sync + 'static) -> Self {
        self.shared.watch = Watch::new(hook);
        self
    }

    /// Connects to a server, and finds out which revision it speaks.
    ///
    /// # Errors
    /// The first mistake that was made on the way; that there is no common revision; or what the server
    /// answers.
    pub async fn connect(self, transport: impl Transport) -> Result<Client> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        if self.shared.spoken.is_empty() {
            return Err(Error::Internal("a client has to speak at least one revision".to_owned()));
        }
        connect::connect(Arc::new(self.shared), transport).await
    }

    /// Starts a server as a child process, connects to it, and finds out which revision it speaks. The process is
    /// ended with the connection.
    ///
    /// # Errors
    /// If it can't be started, and as [`connect`](Self::connect).
    #[cfg(feature = "process")]
    pub async fn spawn(self, process: crate::transport::Process) -> Result<Client> {
        let (running, output, input) = process.start()?;
        match self.connect((output, input)).await {
            Ok(client) => {
                client.owns(running);
                Ok(client)
            }
            Err(error) => {
                running.end().await?;
                Err(error)
            }
        }
    }

    fn wrong(mut self, why: impl std::fmt::Display) -> Self {
        self.mistake.get_or_insert(Error::Internal(why.to_string()));
        self
    }

    fn note(mut self, added: Result<()>) -> Self {
        if let Err(error) = added {
            self.mistake.get_or_insert(error);
        }
        self
    }
}

impl Shared {
    /// What is declared in a revision: what the handlers are for, and what was declared besides.
    pub(super) fn capabilities(&self, version: ProtocolVersion) -> JsonObject {
        let handles = |name: &str, kind: MethodKind| {
            kind != MethodKind::Notification && self.router.handler(version, name).is_some()
        };
        let mut paths: Vec<&str> = needed(version, Sender::Client, handles);
        paths.extend(self.declared.iter().map(String::as_str).filter(|path| knows(version, path)));
        JsonObject::try_from(tree(paths)).unwrap_or_default()
    }

    pub(super) fn info(&self) -> &JsonObject {
        &self.info
    }

    /// How params are converted for a server of this revision.
    pub(super) fn options(&self, version: ProtocolVersion) -> Options {
        Options {
            policy: self.policy,
            session: Session {
                protocol_version: None,
                client_capabilities: self.capabilities(version),
                client_info: Some(self.info.clone()),
            },
            ..Options::default()
        }
    }

    /// Converts, and reports what is lost.
    pub(super) fn translate(
        &self,
        from: ProtocolVersion,
        to: ProtocolVersion,
        method: &str,
        part: Part,
        json: Option<&str>,
    ) -> Result<Option<String>> {
        if from == to {
            return Ok(json.map(str::to_owned));
        }
        let translated = translate(from, to, method, part, json, &self.options(to))?;
        self.report(from, to, method, part, translated.losses);
        Ok(translated.json.map(std::borrow::Cow::into_owned))
    }

    pub(super) fn report(
        &self,
        from: ProtocolVersion,
        to: ProtocolVersion,
        method: &str,
        part: Part,
        losses: Vec<Loss>,
    ) {
        if losses.is_empty() {
            return;
        }
        let report = LossReport { method: method.to_owned(), part, from, to, losses };
        match &self.on_loss {
            Some(hook) => hook(&report),
            None => tracing::warn!(%report, "lost in conversion"),
        }
    }

    /// Params as a server of this revision wants them: in the modern era they say who asks.
    pub(super) fn signed(&self, version: ProtocolVersion, params: Option<String>) -> Result<Option<String>> {
        if version.era() == Era::Legacy {
            return Ok(params);
        }
        let (name, capabilities) = (edit::quoted(version.as_str()), self.capabilities(version));
        let level = self.level.map(|level| edit::quoted(level.as_str()));
        let mut members = vec![
            (key::PROTOCOL_VERSION, Some(&*name)),
            (key::CLIENT_INFO, Some(self.info.as_str())),
            (key::CLIENT_CAPABILITIES, Some(capabilities.as_str())),
        ];
        // A level that the author has set for one request stays.
        members.extend(level.as_deref().map(|level| (key::LOG_LEVEL, Some(level))));
        let signed = edit::set_meta(params.as_deref().unwrap_or("{}"), &members);
        Ok(Some(signed.map_err(Error::internal)?))
    }
}

/// Whether a revision has a capability, as far as its methods tell: the way itself, or one beside it.
fn knows(version: ProtocolVersion, path: &str) -> bool {
    let beside = path.rsplit_once('.').map(|(parent, _)| format!("{parent}."));
    version.methods().iter().flat_map(|method| method.capabilities).any(|capability| {
        capability.declared_by == Sender::Client
            && (capability.path == path || beside.as_ref().is_some_and(|beside| capability.path.starts_with(beside)))
    })
}
