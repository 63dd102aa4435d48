//! A thin runtime for every revision of the Model Context Protocol at once.
//!
//! So far it holds [`jsonrpc`], the envelope that is the same in every revision, and [`framing`], which finds
//! the messages in a stream.

pub mod framing;
pub mod jsonrpc;

pub use mcprism_types as types;
