//! A thin runtime for every revision of the Model Context Protocol at once.
//!
//! So far it holds [`jsonrpc`], the envelope that is the same in every revision, [`framing`], which finds
//! the messages in a stream, and [`rules`], which checks what no schema states.

pub mod framing;
pub mod jsonrpc;
pub mod rules;

pub use mcprism_types as types;
