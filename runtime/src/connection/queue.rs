//! Runs what notifications set off, one after the other.

use tokio::sync::mpsc;

use crate::router::Working;

/// How many may wait.
const WAITING: usize = 1024;

/// A queue of listeners at work, in the order in which their notifications came. It ends when it is dropped and
/// everything in it is done.
#[derive(Debug)]
pub(crate) struct Queue(Option<mpsc::Sender<Working>>);

impl Queue {
    pub(crate) fn new() -> Self {
        Self(None)
    }

    /// Adds one. If too many wait, it is dropped.
    pub(crate) fn push(&mut self, working: Working) {
        let sender = self.0.get_or_insert_with(|| {
            let (sender, mut receiver) = mpsc::channel::<Working>(WAITING);
            tokio::spawn(async move {
                while let Some(working) = receiver.recv().await {
                    // In a task of its own, so that a panic ends it and nothing else.
                    if let Err(error) = tokio::spawn(working).await {
                        tracing::warn!(%error, "a listener has failed");
                    }
                }
            });
            sender
        });
        if sender.try_send(working).is_err() {
            tracing::warn!("a notification is dropped: {WAITING} wait for their listeners already");
        }
    }
}
