//! How a server is put together.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use mcprism_types::bridge::Policy;
use mcprism_types::{Json, JsonObject, Notification, ProtocolVersion, Request};

use super::Server;
use super::context::Context;
use super::owned::{Owned, extension_name};
use super::shared::{Config, Shared};
use super::tasks::TaskSupport;
use crate::breaches::{BreachReport, Watch};
use crate::error::{Error, Result};
use crate::home::HOME;
use crate::losses::LossReport;
use crate::router::{RawHandler, Router, TypedHandler, TypedListener};
use crate::session::deadline::Limits;

/// Puts a server together; [`build`](Self::build) tells of the first mistake.
pub struct Builder {
    pub(super) router: Router<Context>,
    pub(super) config: Config,
    spoken: Vec<ProtocolVersion>,
    key: Option<Vec<u8>>,
    state_limit: usize,
    pub(super) mistake: Option<Error>,
    #[cfg(feature = "toolbox")]
    pub(super) toolbox: super::toolbox::Toolbox,
}

impl Builder {
    pub(super) fn new(info: JsonObject) -> Self {
        let config = Config {
            logging: false,
            list_changed: false,
            subscribe: false,
            tasks: std::collections::HashMap::new(),
            instructions: None,
            info,
            info_version: HOME,
            experimental: Vec::new(),
            extensions: Vec::new(),
            policy: Policy::default(),
            limits: Limits::default(),
            line_limit: crate::framing::DEFAULT_LIMIT,
            max_running: 1024,
            grace: Duration::from_secs(5),
            state_lifetime: Duration::from_secs(600),
            on_loss: None,
            watch: Watch::default(),
        };
        Self {
            router: Router::default(),
            config,
            spoken: ProtocolVersion::ALL.to_vec(),
            key: None,
            state_limit: 64 * 1024,
            mistake: None,
            #[cfg(feature = "toolbox")]
            toolbox: super::toolbox::Toolbox::default(),
        }
    }

    /// Handles the requests of a type, of whatever revision. Clients of other revisions are served by the same
    /// handler, with params and results converted, unless there is a handler of a nearer one: the nearest is
    /// taken, and of two as near, the newer.
    #[must_use]
    pub fn on<R, F, T, A>(mut self, handler: F) -> Self
    where
        R: Request + 'static,
        F: Fn(R, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<A>> + Send + 'static,
        A: Into<R::Outcome> + 'static,
    {
        if Owned::of(R::METHOD).is_some() {
            return self.wrong(format!("`{}` is answered by the runtime", R::METHOD));
        }
        let added = self.router.on(R::METHOD, Arc::new(TypedHandler::<R, _>::new(handler)));
        self.note(added)
    }

    /// Handles a method that no revision knows, in the raw form: a vendor's, or an extension's.
    #[must_use]
    pub fn on_raw<F, T>(mut self, method: &str, handler: F) -> Self
    where
        F: Fn(Option<Json>, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<Json>> + Send + 'static,
    {
        if ProtocolVersion::ALL.iter().any(|version| version.method(method).is_some()) {
            return self.wrong(format!("`{method}` is a method of the protocol: handle it with `on`"));
        }
        let added = self.router.on(method, Arc::new(RawHandler(handler)));
        self.note(added)
    }

    /// Listens to the client's notifications of a type, such as `RootsListChangedNotification`.
    #[must_use]
    pub fn on_notification<N, F, T>(mut self, listener: F) -> Self
    where
        N: Notification + 'static,
        F: Fn(N, Context) -> T + Send + Sync + 'static,
        T: Future<Output = ()> + Send + 'static,
    {
        let added = self.router.listen(N::METHOD, Arc::new(TypedListener::<N, _>::new(listener)));
        self.note(added)
    }

    /// The revisions that are spoken: all of them unless this is called. A server of both eras serves both side
    /// by side.
    #[must_use]
    pub fn revisions(mut self, spoken: impl IntoIterator<Item = ProtocolVersion>) -> Self {
        self.spoken = spoken.into_iter().collect();
        self
    }

    /// Tells clients how to use the server.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.config.instructions = Some(text.into());
        self
    }

    /// A name for people.
    #[must_use]
    pub fn title(self, title: &str) -> Self {
        self.describe("title", title)
    }

    /// A page about the server.
    #[must_use]
    pub fn website(self, url: &str) -> Self {
        self.describe("websiteUrl", url)
    }

    fn describe(mut self, name: &str, value: &str) -> Self {
        let value = crate::session::edit::quoted(value);
        let set = crate::session::edit::set(self.config.info.as_str(), &[(name, Some(&value))]);
        match set.and_then(|text| JsonObject::parse(&text)) {
            Ok(info) => self.config.info = info,
            Err(error) => return self.wrong(error),
        }
        self
    }

    /// Lets handlers log to clients; declares `logging`.
    #[must_use]
    pub fn logging(mut self) -> Self {
        self.config.logging = true;
        self
    }

    /// Declares that clients are told when lists change; see [`Server::tools_changed`].
    #[must_use]
    pub fn list_changed(mut self) -> Self {
        self.config.list_changed = true;
        self
    }

    /// Lets clients subscribe to resources; see [`Server::resource_updated`].
    #[must_use]
    pub fn subscriptions(mut self) -> Self {
        self.config.subscribe = true;
        self
    }

    /// Lets clients call a tool as a task, or has them do so. Tools that were registered from functions say it in
    /// their definition (`execution`).
    ///
    /// Specification: `basic/utilities/tasks` of 2025-11-25, the only revision that has tasks in it.
    #[must_use]
    pub fn task_support(mut self, tool: &str, support: TaskSupport) -> Self {
        if support != TaskSupport::Forbidden {
            self.config.tasks.insert(tool.to_owned(), support);
        }
        self
    }

    /// Declares an experimental capability.
    #[must_use]
    pub fn experimental(mut self, name: impl Into<String>, settings: JsonObject) -> Self {
        self.config.experimental.push((name.into(), settings));
        self
    }

    /// Declares an extension, whose name has a prefix, such as `com.example/x`. Only revisions of the modern era
    /// have extensions.
    #[must_use]
    pub fn extension(mut self, name: impl Into<String>, settings: JsonObject) -> Self {
        let name = name.into();
        if !extension_name(&name) {
            return self.wrong(format!("the name of an extension needs a prefix, as in `com.example/x`: `{name}`"));
        }
        self.config.extensions.push((name, settings));
        self
    }

    /// What becomes of what a client's revision can't say.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.config.policy = policy;
        self
    }

    /// Takes reports of what is lost between revisions; without this they are logged as warnings.
    #[must_use]
    pub fn on_loss(mut self, hook: impl Fn(&LossReport) + Send + Sync + 'static) -> Self {
        self.config.on_loss = Some(Box::new(hook));
        self
    }

    /// Takes reports of rules that messages of the client break; without this they are logged as warnings.
    #[must_use]
    pub fn on_breach(mut self, hook: impl Fn(&BreachReport) + Send + Sync + 'static) -> Self {
        self.config.watch = Watch::new(hook);
        self
    }

    /// The key that request states are sealed with, and how long they hold. Servers with the same key take each
    /// other's retries; without one, a key is drawn that only this process knows.
    #[must_use]
    pub fn request_states(mut self, key: &[u8], lifetime: Duration) -> Self {
        self.key = Some(key.to_owned());
        self.config.state_lifetime = lifetime;
        self
    }

    /// How large a request state may be, in bytes: 64 KiB unless this is called.
    #[must_use]
    pub fn request_state_limit(mut self, bytes: usize) -> Self {
        self.state_limit = bytes;
        self
    }

    /// How long the client's answers to questions on the connection are waited for.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.config.limits = limits;
        self
    }

    /// How many bytes a message may have: 16 MiB unless this is called. A longer one is passed over.
    #[must_use]
    pub fn message_limit(mut self, bytes: usize) -> Self {
        self.config.line_limit = bytes;
        self
    }

    /// How many requests of one connection may be served at once: 1024 unless this is called. Further ones are
    /// refused.
    #[must_use]
    pub fn max_running(mut self, requests: usize) -> Self {
        self.config.max_running = requests;
        self
    }

    /// How long requests that are being served may take once the client has closed its end: 5 seconds unless
    /// this is called.
    #[must_use]
    pub fn grace(mut self, time: Duration) -> Self {
        self.config.grace = time;
        self
    }

    /// The server.
    ///
    /// # Errors
    /// The first mistake that was made on the way: two handlers for one method and revision, a name that breaks
    /// the rules, no revision to speak.
    pub fn build(self) -> Result<Server> {
        #[cfg(feature = "toolbox")]
        let this = super::toolbox::install(self);
        #[cfg(not(feature = "toolbox"))]
        let this = self;
        if let Some(mistake) = this.mistake {
            return Err(mistake);
        }
        let mut spoken = this.spoken;
        spoken.sort_unstable();
        spoken.dedup();
        if spoken.is_empty() {
            return Err(Error::Internal("a server has to speak at least one revision".to_owned()));
        }
        let key = match this.key {
            Some(key) => key,
            None => {
                let mut key = vec![0; 32];
                getrandom::fill(&mut key).map_err(Error::internal)?;
                key
            }
        };
        let shared = Shared::new(spoken, this.router, this.config, &key, this.state_limit)?;
        Ok(Server(Arc::new(shared)))
    }

    /// Registers a handler of whatever kind.
    #[cfg(feature = "toolbox")]
    pub(super) fn handle(mut self, method: &str, handler: Arc<dyn crate::router::Handle<Context>>) -> Self {
        let added = self.router.on(method, handler);
        self.note(added)
    }

    pub(super) fn wrong(mut self, why: impl std::fmt::Display) -> Self {
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
