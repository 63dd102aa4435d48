//! Being told of changes, in whichever style the server has.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcprism_types::Era;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use super::Client;
use crate::connection::CallOptions;
use crate::error::{Error, Result};
use crate::jsonrpc::Id;
use crate::session::deadline::Limits;
use crate::session::edit;
use crate::session::meta::Meta;
use crate::session::subscriptions::Filter;

/// The streams of notifications that this side has open.
#[derive(Debug, Default)]
pub(crate) struct Streams(Mutex<HashMap<Id, Stream>>);

#[derive(Debug)]
struct Stream {
    acknowledged: Option<oneshot::Sender<Filter>>,
    ended: Arc<Notify>,
}

impl Streams {
    fn open(&self, id: &Id, acknowledged: oneshot::Sender<Filter>, ended: Arc<Notify>) {
        self.all().insert(id.clone(), Stream { acknowledged: Some(acknowledged), ended });
    }

    /// Whether a stream is open.
    pub(super) fn has(&self, id: &Id) -> bool {
        self.all().contains_key(id)
    }

    /// Notes what the server has agreed to tell of.
    pub(super) fn acknowledge(&self, params: Option<&str>) {
        let id = Meta::read(params).ok().and_then(|meta| meta.subscription_id);
        let filter = Filter::read(params);
        let (Some(id), Ok(filter)) = (id, filter) else {
            tracing::debug!("an acknowledgement that can't be read");
            return;
        };
        if let Some(stream) = self.all().get_mut(&id)
            && let Some(acknowledged) = stream.acknowledged.take()
        {
            // Who has stopped waiting doesn't need it.
            let _ = acknowledged.send(filter);
        }
    }

    /// Ends a stream, if it is one.
    pub(super) fn end(&self, id: &Id) -> bool {
        let stream = self.all().remove(id);
        if let Some(stream) = &stream {
            stream.ended.notify_waiters();
            stream.ended.notify_one();
        }
        stream.is_some()
    }

    pub(super) fn end_all(&self) {
        let all: Vec<Id> = self.all().keys().cloned().collect();
        for id in all {
            self.end(&id);
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Id, Stream>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a stream when nobody waits for its end any more.
struct Open {
    streams: Arc<Streams>,
    id: Option<Id>,
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            self.streams.end(id);
        }
    }
}

/// A subscription. What it tells of comes to the listeners that were registered with
/// [`on_notification`](super::Builder::on_notification).
///
/// Dropping it ends it where the server is of the modern era; in the legacy era call [`end`](Self::end).
#[derive(Debug)]
pub struct Listening {
    client: Client,
    agreed: Filter,
    stream: Option<(JoinHandle<Result<String>>, Arc<Notify>)>,
}

impl Client {
    /// Asks to be told of changes.
    ///
    /// In the modern era that is a `subscriptions/listen`. In the legacy era it is a `resources/subscribe` for
    /// each of the resources; there, servers tell of their lists without being asked.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn listen(&self, filter: Filter) -> Result<Listening> {
        match self.era() {
            Era::Legacy => {
                for uri in &filter.uris {
                    self.resource("resources/subscribe", uri).await?;
                }
                Ok(Listening { client: self.clone(), agreed: filter, stream: None })
            }
            Era::Modern => self.open_stream(&filter).await,
        }
    }

    async fn resource(&self, method: &'static str, uri: &str) -> Result<()> {
        let params = format!(r#"{{"uri":{}}}"#, edit::quoted(uri));
        self.text_of(self.version(), method, Some(&params), super::CallOptions::default()).await.map(drop)
    }

    async fn open_stream(&self, filter: &Filter) -> Result<Listening> {
        let params = format!(r#"{{"notifications":{}}}"#, filter.written());
        let params = self.0.shared.signed(self.version(), Some(params))?;
        let (sender, acknowledged) = oneshot::channel();
        let ended = Arc::new(Notify::new());
        let (link, streams, told) = (Arc::clone(&self.0.link), Arc::clone(&self.0.streams), Arc::clone(&ended));
        let stream = tokio::spawn(async move {
            let mut sender = Some(sender);
            let mut open = Open { streams, id: None };
            let mut on_id = |id: &Id| {
                open.id = Some(id.clone());
                if let Some(sender) = sender.take() {
                    open.streams.open(id, sender, Arc::clone(&told));
                }
            };
            // It stays open as long as both sides want.
            let forever = Duration::MAX;
            let limits = Limits { idle: forever, total: forever };
            let options = CallOptions { limits, on_id: Some(&mut on_id), ..CallOptions::default() };
            link.call("subscriptions/listen", params.as_deref(), options).await
        });
        // From here on it is given up when it is dropped, and the server is told.
        let mut listening = Listening { client: self.clone(), agreed: Filter::default(), stream: None };
        let (stream, _) = listening.stream.insert((stream, ended));
        let limit = self.0.shared.limits.idle;
        let agreed = tokio::time::timeout(limit, async {
            if let Ok(agreed) = acknowledged.await {
                return Ok(agreed);
            }
            // It has ended before that, and the call says why.
            match stream.await {
                Ok(Err(error)) => Err(error),
                Ok(Ok(_)) => Err(Error::Protocol("the server has ended the stream before it began".to_owned())),
                Err(error) => Err(Error::internal(error)),
            }
        });
        match agreed.await {
            Ok(agreed) => {
                listening.agreed = agreed?;
                Ok(listening)
            }
            Err(_) => Err(Error::Timeout { method: "subscriptions/listen".to_owned(), after: limit }),
        }
    }
}

impl Listening {
    /// What the server tells of: it may be less than was asked for.
    pub fn agreed(&self) -> &Filter {
        &self.agreed
    }

    /// Waits until the server ends it, or the connection is closed. In the legacy era nothing ends it.
    pub async fn ended(&mut self) {
        match &self.stream {
            Some((stream, _)) if stream.is_finished() => {}
            Some((_, ended)) => ended.notified().await,
            None => std::future::pending().await,
        }
    }

    /// Ends it.
    ///
    /// # Errors
    /// As [`call`](Client::call), in the legacy era.
    pub async fn end(mut self) -> Result<()> {
        if let Some((stream, _)) = self.stream.take() {
            stream.abort();
            return Ok(());
        }
        let uris = std::mem::take(&mut self.agreed.uris);
        for uri in &uris {
            self.client.resource("resources/unsubscribe", uri).await?;
        }
        Ok(())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some((stream, _)) = self.stream.take() {
            // The request that it waits for is given up, and the server is told.
            stream.abort();
        }
    }
}
