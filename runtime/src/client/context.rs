//! What a handler of a client knows of the server's request.

use std::sync::Arc;

use mcprism_types::ProtocolVersion;

use crate::connection::Cancel;
use crate::session::peer::Peer;

/// The request of a server that a handler serves.
#[derive(Clone, Debug)]
pub struct Context {
    pub(super) server: Arc<Peer>,
    pub(super) method: String,
    pub(super) cancel: Arc<Cancel>,
}

impl Context {
    /// Who asks, as far as it says.
    pub fn server(&self) -> &Peer {
        &self.server
    }

    /// The revision that the server speaks; the handler may be written at another.
    pub fn version(&self) -> ProtocolVersion {
        self.server.version()
    }

    /// The method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Whether the server has given up the request. The handler's own future is dropped then.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Waits until the server gives up the request.
    pub async fn cancelled(&self) {
        self.cancel.cancelled().await;
    }
}
