//! Bytes in, messages out: where one message of a stream ends and the next one begins.
//!
//! Nothing here does I/O. What was read is pushed, and what is complete is taken; a half-read message
//! stays until the rest comes, whatever happens in between.

mod lines;

pub use lines::{DEFAULT_LIMIT, Line, Lines};
