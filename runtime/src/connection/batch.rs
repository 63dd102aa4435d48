//! The answers to a batch, which go out together.

use std::sync::{Mutex, PoisonError};

use super::link::Link;

/// The answers to the requests of one batch. They are written as one array once the last request is done;
/// nothing is written if there are none.
///
/// Specification: `basic` of 2025-03-26, Batching.
#[derive(Debug)]
pub(crate) struct Batch(Mutex<State>);

#[derive(Debug)]
struct State {
    /// The answers, each behind a `[` or a `,`.
    bytes: Vec<u8>,
    open: usize,
}

impl Batch {
    /// A batch of so many messages that may be answered, and one more that the one who reads it holds until
    /// all were begun.
    pub(crate) fn new() -> Self {
        Self(Mutex::new(State { bytes: Vec::new(), open: 1 }))
    }

    /// Notes that one more message may be answered.
    pub(crate) fn begin(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).open += 1;
    }

    /// How many bytes of answers wait for the last one.
    pub(crate) fn size(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).bytes.len()
    }

    /// Adds the answer to one of the messages, or notes that it gets none.
    pub(crate) fn done(&self, link: &Link, answer: Option<&[u8]>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = answer {
            let mark = if state.bytes.is_empty() { b'[' } else { b',' };
            state.bytes.push(mark);
            state.bytes.extend_from_slice(answer);
        }
        state.open -= 1;
        if state.open > 0 || state.bytes.is_empty() {
            return;
        }
        state.bytes.push(b']');
        let bytes = std::mem::take(&mut state.bytes);
        drop(state);
        // Bytes that are there can be written.
        let _ = link.outbox.answer(&mut |out| {
            out.extend_from_slice(&bytes);
            Ok(())
        });
    }
}
