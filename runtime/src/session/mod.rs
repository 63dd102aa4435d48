//! The state machines of a connection, without I/O: who speaks which revision, what may be sent, what is
//! pending, and what was subscribed to.
//!
//! Nothing here reads a clock or a stream. Everything takes events and gives back what follows from them,
//! so that each rule is a row in a table of events.

pub mod calls;
pub mod capability;
pub mod deadline;
pub(crate) mod edit;
pub mod gate;
pub mod level;
pub mod meta;
pub mod negotiation;
pub mod peer;
pub mod request_state;
pub mod server;
pub mod subscriptions;
pub mod tasks;
