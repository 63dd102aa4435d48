//! Clients: calls at any revision, to servers of every revision.
//!
//! ```
//! use mcprism::types::v2025_11_25 as mcp;
//! use mcprism::{Client, Server, transport};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> mcprism::Result<()> {
//! let server = Server::builder("empty", "1.0")
//!     .on(async |_: mcp::ListToolsRequest, _cx| Ok(mcp::ListToolsResult::new(Vec::new())))
//!     .build()?;
//! let (ours, theirs) = transport::memory();
//! tokio::spawn(async move { server.serve(theirs).await });
//!
//! let client = Client::builder("probe", "1.0").connect(ours).await?;
//! assert_eq!(client.server().name().as_deref(), Some("empty"));
//! assert!(client.call(mcp::ListToolsRequest::new()).await?.tools.is_empty());
//! client.close().await?;
//! # Ok(())
//! # }
//! ```

mod approval;
mod builder;
mod call;
mod connect;
mod connection;
mod context;
mod listen;
mod pages;
#[cfg(feature = "v2025_11_25")]
mod tool;

use std::sync::Arc;

use mcprism_types::{Era, JsonObject, ProtocolVersion};

pub use approval::{Answer, Question};
pub use builder::Builder;
pub use call::CallOptions;
pub use context::Context;
pub use listen::Listening;
pub use pages::Pages;

pub use crate::session::subscriptions::Filter;

use crate::connection::Link;
use crate::error::Result;
use crate::session::negotiation::Agreed;
use crate::session::peer::Peer;
use builder::Shared;

/// How long a server may take to read what was written before the connection was closed.
const LINGER: std::time::Duration = std::time::Duration::from_secs(5);

/// A connection to a server. It is cheap to clone; the connection is closed when the last clone is dropped, or by
/// [`close`](Self::close).
#[derive(Clone)]
pub struct Client(Arc<Connected>);

/// What the clones share.
pub(crate) struct Connected {
    shared: Arc<Shared>,
    link: Arc<Link>,
    server: Arc<Peer>,
    /// `ClientCapabilities` in the revision that is spoken.
    capabilities: JsonObject,
    instructions: Option<String>,
    streams: Arc<listen::Streams>,
    /// The loop that moves the bytes.
    driving: std::sync::Mutex<Option<tokio::task::JoinHandle<std::io::Result<()>>>>,
    /// The server, if it was started from here.
    #[cfg(feature = "process")]
    process: std::sync::Mutex<Option<crate::transport::Running>>,
}

impl Client {
    /// Begins to put a client of this name and version together.
    pub fn builder(name: &str, version: &str) -> Builder {
        Builder::new(name, version)
    }

    /// The revision that is spoken.
    pub fn version(&self) -> ProtocolVersion {
        self.0.server.version()
    }

    /// How that revision was agreed on.
    pub fn era(&self) -> Era {
        self.0.server.era()
    }

    /// What the server says of itself: its capabilities, its name. None of it is verified.
    pub fn server(&self) -> &Peer {
        &self.0.server
    }

    /// How to use the server, for a model, as the server says it.
    pub fn instructions(&self) -> Option<&str> {
        self.0.instructions.as_deref()
    }

    /// Closes the connection, and waits until what was to be written is, up to five seconds. A server that was started from here is
    /// ended: it has some time to do so by itself, is then asked to, and is killed in the end.
    ///
    /// # Errors
    /// If reading or writing has failed.
    pub async fn close(self) -> Result<()> {
        self.0.link.close();
        let driving = self.0.driving.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let driven = match driving {
            Some(mut driving) => match tokio::time::timeout(LINGER, &mut driving).await {
                Ok(driven) => driven.map_err(crate::Error::internal)?,
                // A server that reads nothing any more is not waited for.
                Err(_) => {
                    driving.abort();
                    Ok(())
                }
            },
            None => Ok(()),
        };
        #[cfg(feature = "process")]
        {
            let process = self.0.process.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            if let Some(process) = process {
                process.end().await?;
            }
        }
        Ok(driven?)
    }

    fn new(
        shared: Arc<Shared>,
        link: Arc<Link>,
        agreed: Agreed,
        streams: Arc<listen::Streams>,
        driving: tokio::task::JoinHandle<std::io::Result<()>>,
    ) -> Self {
        let capabilities = shared.capabilities(agreed.version);
        Self(Arc::new(Connected {
            server: Arc::new(Peer::new(agreed.version, agreed.capabilities, agreed.info)),
            instructions: agreed.instructions,
            capabilities,
            shared,
            link,
            streams,
            driving: std::sync::Mutex::new(Some(driving)),
            #[cfg(feature = "process")]
            process: std::sync::Mutex::default(),
        }))
    }

    /// Ends a process with the connection.
    #[cfg(feature = "process")]
    fn owns(&self, process: crate::transport::Running) {
        *self.0.process.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(process);
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("server", &self.0.server).finish_non_exhaustive()
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.link.close();
    }
}
