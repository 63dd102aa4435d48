//! A thin runtime for every revision of the Model Context Protocol at once: write a server or a client against one
//! revision, and talk to peers of all of them.
//!
//! ```
//! use mcprism::types::{JsonObject, ProtocolVersion, v2025_11_25 as mcp};
//! use mcprism::{Client, Server, transport};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Add {
//!     a: f64,
//!     b: f64,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> mcprism::Result<()> {
//! let server = Server::builder("adder", "1.0")
//!     .tool("add", "Adds two numbers.", async |Add { a, b }: Add, _cx| Ok(a + b))
//!     .build()?;
//!
//! for version in ProtocolVersion::ALL {
//!     let (ours, theirs) = transport::memory();
//!     let server = server.clone();
//!     tokio::spawn(async move { server.serve(theirs).await });
//!     // A client that speaks this revision alone; the call is written at 2025-11-25 all the same.
//!     let client = Client::builder("probe", "1.0").revisions([*version]).connect(ours).await?;
//!     let arguments = JsonObject::parse(r#"{"a":1,"b":2.5}"#).map_err(mcprism::Error::internal)?;
//!     let params = mcp::CallToolRequestParams::new("add").with_arguments(arguments);
//!     let result = client.call(mcp::CallToolRequest::new(params)).await?;
//!     assert!(matches!(&result.content[0], mcp::ContentBlock::Text(block) if block.text == "3.5"));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | module | what it is |
//! |---|---|
//! | [`server`] | a [`Server`]: handlers at any revision, for clients of every revision |
//! | [`client`] | a [`Client`]: calls at any revision, to servers of every revision |
//! | [`transport`] | ways to the peer: standard streams, child processes, memory, any byte stream |
//! | [`types`] | the types of each revision, and the conversions between them |
//! | [`jsonrpc`], [`framing`] | envelopes, and where a message ends |
//! | [`session`] | the state machines of both eras, without I/O |
//! | [`rules`], [`roots`], [`uri_template`] | rules that no schema states, what lies within a root, RFC 6570 |

// The two sides share most of what is beneath them; what only one of them uses would otherwise have to say so.
#![cfg_attr(not(all(feature = "client", feature = "server")), allow(dead_code, unused_imports))]

mod breaches;
#[cfg(feature = "client")]
pub mod client;
mod connection;
mod error;
pub mod framing;
#[cfg(feature = "server")]
mod home;
pub mod jsonrpc;
mod losses;
pub mod roots;
mod router;
pub mod rules;
#[cfg(feature = "server")]
pub mod server;
pub mod session;
mod sorted;
pub mod transport;
pub mod uri_template;

pub use breaches::BreachReport;
#[cfg(feature = "client")]
pub use client::Client;
pub use connection::Progress;
pub use error::{Error, Result};
pub use losses::LossReport;
pub use mcprism_types as types;
#[cfg(feature = "server")]
pub use server::{Context, Server};
