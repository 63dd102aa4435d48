//! What is to be written to the peer.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::sync::Notify;

/// Above this many bytes, whoever has more to send waits, and no more requests are read.
const HIGH: usize = 1024 * 1024;

/// Lines that wait to be written, in order.
///
/// Answers are always taken, since they are there already; a peer that doesn't read them isn't read from, so
/// that they stay few. Whatever else is sent waits for [`room`](Self::room).
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    state: Mutex<State>,
    /// There is room again.
    room: Notify,
}

/// How things stand with an [`Outbox`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// Whether so many answers wait that no more requests should be read.
    pub(crate) congested: bool,
    /// Whether nothing is taken any more.
    pub(crate) closed: bool,
    /// Whether there was a reason to look since the last turn.
    pub(crate) news: bool,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    /// How many of the bytes are answers.
    answers: usize,
    closed: bool,
    /// Whether there is a reason to look since the last turn.
    news: bool,
    /// Who is to be told of it.
    waker: Option<Waker>,
}

impl State {
    /// Notes that there is a reason to look; whoever waits for one is to be woken once the lock is free.
    fn tell(&mut self) -> Option<Waker> {
        self.news = true;
        self.waker.take()
    }
}

impl Outbox {
    /// Adds a line, without its break, by what `write` appends; nothing is added if that fails. Once the
    /// connection is closed, lines go nowhere.
    pub(crate) fn push(&self, write: &mut dyn FnMut(&mut Vec<u8>) -> serde_json::Result<()>) -> serde_json::Result<()> {
        self.add(false, write)
    }

    /// Adds a line that answers a request.
    pub(crate) fn answer(
        &self,
        write: &mut dyn FnMut(&mut Vec<u8>) -> serde_json::Result<()>,
    ) -> serde_json::Result<()> {
        self.add(true, write)
    }

    fn add(
        &self,
        answer: bool,
        write: &mut dyn FnMut(&mut Vec<u8>) -> serde_json::Result<()>,
    ) -> serde_json::Result<()> {
        let mut state = self.state();
        if state.closed {
            return Ok(());
        }
        let start = state.bytes.len();
        if let Err(error) = write(&mut state.bytes) {
            state.bytes.truncate(start);
            return Err(error);
        }
        state.bytes.push(b'\n');
        if answer {
            state.answers += state.bytes.len() - start;
        }
        let waker = state.tell();
        drop(state);
        wake(waker);
        Ok(())
    }

    /// Waits until there is room for more, or the connection is closed.
    pub(crate) async fn room(&self) {
        loop {
            let room = self.room.notified();
            if !self.is_full() {
                return;
            }
            room.await;
        }
    }

    /// Whether there is no room for more.
    pub(crate) fn is_full(&self) -> bool {
        let state = self.state();
        !state.closed && state.bytes.len() >= HIGH
    }

    /// Whether so many answers wait that no more requests should be taken.
    pub(crate) fn is_congested(&self) -> bool {
        self.state().answers >= HIGH
    }

    /// Takes what is to be written into `out`, if that is empty, and says how things stand.
    pub(crate) fn turn(&self, out: &mut Vec<u8>) -> Turn {
        let mut state = self.state();
        let takes = out.is_empty() && !state.bytes.is_empty();
        if takes {
            std::mem::swap(out, &mut state.bytes);
            state.answers = 0;
        }
        let news = std::mem::take(&mut state.news);
        let turn = Turn { congested: state.answers >= HIGH, closed: state.closed, news };
        drop(state);
        if takes {
            self.room.notify_waiters();
        }
        turn
    }

    /// Has the loop look again.
    pub(crate) fn wake(&self) {
        let waker = self.state().tell();
        wake(waker);
    }

    /// Is ready if there is a reason to look since the last turn; otherwise the task is woken once there is one.
    pub(crate) fn poll_news(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.state();
        if state.news {
            return Poll::Ready(());
        }
        if !state.waker.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            state.waker = Some(context.waker().clone());
        }
        Poll::Pending
    }

    /// Takes nothing any more; what waits for room goes on.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        let waker = state.tell();
        drop(state);
        self.room.notify_waiters();
        wake(waker);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.state().closed
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}
