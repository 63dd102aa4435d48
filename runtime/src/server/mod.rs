//! Servers: handlers at any revision, for clients of every revision.
//!
//! ```
//! use mcprism::Server;
//! use mcprism::types::{ProtocolVersion, v2025_11_25 as mcp};
//!
//! let server = Server::builder("desk", "2.0")
//!     .on(async |_: mcp::ListToolsRequest, _cx| Ok(mcp::ListToolsResult::new(Vec::new())))
//!     .build()?;
//! let declared = server.capabilities(ProtocolVersion::V2024_11_05).unwrap();
//! assert_eq!(declared.as_str(), r#"{"tools":{}}"#);
//! # Ok::<(), mcprism::Error>(())
//! ```
//!
//! A request goes to the handler of its own revision, else to the nearest one, with params and result converted on the
//! way; what is lost is [reported](Builder::on_loss). The runtime itself answers `initialize`, `server/discover`,
//! `ping`, `logging/setLevel`, `resources/subscribe` and `unsubscribe`, `subscriptions/listen` and `tasks/*`.

mod ask;
mod builder;
mod connection;
mod context;
mod job;
mod live;
mod owned;
mod shared;
mod tasks;
#[cfg(feature = "toolbox")]
mod toolbox;

use std::sync::Arc;

use mcprism_types::{JsonObject, ProtocolVersion};

pub use builder::Builder;
pub use context::Context;
pub use tasks::TaskSupport;
#[cfg(feature = "toolbox")]
pub use toolbox::{Completion, PromptOutput, ResourceOutput, Structured, ToolError, ToolOutput};

use crate::connection::{Link, drive};
use crate::error::Result;
use crate::session::peer::Peer;
use crate::session::subscriptions::Change;
use crate::transport::Transport;
use connection::ServerConnection;
use shared::Shared;

/// A server that is ready to serve. It is cheap to clone, and serves any number of connections.
#[derive(Clone, Debug)]
pub struct Server(Arc<Shared>);

impl Server {
    /// Begins to put a server of this name and version together.
    pub fn builder(name: &str, version: &str) -> Builder {
        let info = serde_json::Map::from_iter([
            ("name".to_owned(), serde_json::Value::from(name)),
            ("version".to_owned(), serde_json::Value::from(version)),
        ]);
        Builder::new(info.into())
    }

    /// The revisions that it speaks, oldest first.
    pub fn revisions(&self) -> &[ProtocolVersion] {
        &self.0.spoken
    }

    /// What it declares to clients of a revision; `None` if it doesn't speak that.
    pub fn capabilities(&self, version: ProtocolVersion) -> Option<&JsonObject> {
        self.0.table(version).map(|table| &table.capabilities)
    }

    /// Serves one client until it closes its end; what is being served then has
    /// [some time](Builder::grace) to be answered.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub async fn serve(&self, transport: impl Transport) -> Result<()> {
        let (reader, writer) = transport.halves();
        let shared = Arc::clone(&self.0);
        let serving = async move {
            let link = Arc::new(Link::default());
            let _closed = CloseOnDrop(Arc::clone(&link));
            let mut connection = ServerConnection::new(Arc::clone(&shared), Arc::clone(&link));
            let (limit, grace) = (shared.config.line_limit, shared.config.grace);
            drive(reader, writer, &link, &mut connection, limit, grace).await
        };
        if tokio::runtime::Handle::current().runtime_flavor() == tokio::runtime::RuntimeFlavor::CurrentThread {
            return Ok(serving.await?);
        }
        // With several threads, in a task of its own the loop runs where the events of the stream arrive.
        let mut serving = AbortOnDrop(tokio::spawn(serving));
        Ok((&mut serving.0).await.map_err(crate::Error::internal)??)
    }

    /// Serves the client that has started this process, over its standard streams.
    ///
    /// # Errors
    /// As [`serve`](Self::serve).
    pub async fn serve_stdio(&self) -> Result<()> {
        self.serve(crate::transport::stdio()?).await
    }

    /// Tells clients that the list of tools has changed.
    pub fn tools_changed(&self) {
        self.tell(&Change::Tools);
    }

    /// Tells clients that the list of prompts has changed.
    pub fn prompts_changed(&self) {
        self.tell(&Change::Prompts);
    }

    /// Tells clients that the list of resources or of templates has changed.
    pub fn resources_changed(&self) {
        self.tell(&Change::Resources);
    }

    /// Tells clients that have subscribed to a resource that it has changed.
    pub fn resource_updated(&self, uri: &str) {
        self.tell(&Change::Resource(uri.to_owned()));
    }

    fn tell(&self, change: &Change) {
        let declared = |peer: &Peer| self.0.table(peer.version()).map(|table| table.capabilities.clone());
        self.0.hub.tell(change, &declared);
    }
}

impl Builder {
    /// [Builds](Self::build) the server and serves the client that has started this process.
    ///
    /// # Errors
    /// As [`build`](Self::build) and [`Server::serve_stdio`].
    pub async fn serve_stdio(self) -> Result<()> {
        self.build()?.serve_stdio().await
    }
}

/// Gives up what is being served if the loop is dropped before its end.
struct CloseOnDrop(Arc<Link>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A task that doesn't outlive who waits for it.
struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
