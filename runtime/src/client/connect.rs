//! From a pair of streams to a client.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::Client;
use super::builder::Shared;
use super::connection::ClientConnection;
use super::listen::Streams;
use crate::connection::{CallOptions, Link, drive};
use crate::error::{Error, Result};
use crate::session::deadline::Limits;
use crate::session::negotiation::{Agreed, Event, Negotiation, Step};
use crate::session::peer::Peer;
use crate::transport::Transport;

/// How long what is being served may take once the server has closed its end.
const GRACE: Duration = Duration::from_millis(100);

pub(super) async fn connect(shared: Arc<Shared>, transport: impl Transport) -> Result<Client> {
    let (reader, writer) = transport.halves();
    let link = Arc::new(Link::default());
    let server = Arc::new(OnceLock::new());
    let streams = Arc::new(Streams::default());
    let mut connection =
        ClientConnection::new(Arc::clone(&shared), Arc::clone(&link), Arc::clone(&server), Arc::clone(&streams));
    let (driven, limit) = (Arc::clone(&link), shared.line_limit);
    let driving = tokio::spawn(async move { drive(reader, writer, &driven, &mut connection, limit, GRACE).await });
    // If nothing comes of it, or the caller gives up, the connection is closed.
    let guard = HangUp(Some(Arc::clone(&link)));
    let agreed = negotiate(&shared, &link, &server).await?;
    drop(guard.keep());
    Ok(Client::new(shared, link, agreed, streams, driving))
}

/// Closes the connection unless it is kept.
struct HangUp(Option<Arc<Link>>);

impl HangUp {
    fn keep(mut self) -> Option<Arc<Link>> {
        self.0.take()
    }
}

impl Drop for HangUp {
    fn drop(&mut self) {
        if let Some(link) = &self.0 {
            link.close();
        }
    }
}

/// Finds out which revision the server speaks.
async fn negotiate(shared: &Shared, link: &Link, server: &OnceLock<Arc<Peer>>) -> Result<Agreed> {
    let (mut negotiation, mut step) = Negotiation::begin(&shared.spoken);
    // Whether the last step was a handshake, which has to be finished.
    let mut handshake = false;
    loop {
        let (method, params, limits) = match step {
            Step::Discover(version) => {
                handshake = false;
                let limits = Limits { idle: shared.probe, total: shared.probe };
                ("server/discover", shared.signed(version, None)?, limits)
            }
            Step::Initialize(version) => {
                handshake = true;
                ("initialize", Some(opening(shared, version)?), shared.limits)
            }
            Step::Agreed(agreed) => {
                let peer = Peer::new(agreed.version, agreed.capabilities.clone(), agreed.info.clone());
                if handshake {
                    link.notify("notifications/initialized", None)?;
                }
                let _ = server.set(Arc::new(peer));
                // What came before goes on.
                link.outbox.wake();
                return Ok(agreed);
            }
            Step::Failed(error) => return Err(error),
        };
        let options = CallOptions { limits, silent: true, ..CallOptions::default() };
        step = match link.call(method, params.as_deref(), options).await {
            Ok(result) => negotiation.next(Event::Result(&result)),
            Err(Error::Rpc(error)) => negotiation.next(Event::Error(&error)),
            Err(Error::Timeout { .. }) => negotiation.next(Event::Silence),
            // An answer that can't be read is no modern one.
            Err(error @ Error::Invalid { .. }) if !handshake => {
                tracing::debug!(%error, "an answer to the probe that can't be read");
                negotiation.next(Event::Silence)
            }
            Err(error) => return Err(error),
        };
    }
}

/// The params of `initialize`, in the words of the revision that is asked for.
fn opening(shared: &Shared, version: mcprism_types::ProtocolVersion) -> Result<String> {
    let params = serde_json::json!({
        "protocolVersion": version.as_str(),
        "capabilities": shared.capabilities(version).to_value(),
        "clientInfo": shared.info().to_value(),
    });
    Ok(params.to_string())
}
