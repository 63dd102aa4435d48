//! One connection: what is to be written, what is waited for, what is being served, and the loop that moves
//! the bytes.

mod batch;
mod drive;
mod link;
mod outbox;
mod queue;

pub(crate) use batch::Batch;
pub(crate) use drive::{Receive, drive};
pub use link::Progress;
pub(crate) use link::{CallOptions, Cancel, Link, Replier, write_answer};
pub(crate) use queue::Queue;
