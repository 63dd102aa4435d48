//! A thin runtime for every revision of the Model Context Protocol at once.
//!
//! So far it holds [`jsonrpc`]: the envelope that is the same in every revision.

pub mod jsonrpc;

pub use mcprism_types as types;
