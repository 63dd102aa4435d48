//! A thin runtime for every revision of the Model Context Protocol at once.
//!
//! So far it holds [`jsonrpc`], the envelope that is the same in every revision, [`framing`], which finds
//! the messages in a stream, [`uri_template`], which reads and writes the URIs of resource templates, and
//! [`roots`], which tells the files that a client has shown from others.

pub mod framing;
pub mod jsonrpc;
pub mod roots;
pub mod uri_template;

pub use mcprism_types as types;
