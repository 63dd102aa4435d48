//! JSON-RPC 2.0 as MCP uses it: the envelope around every message, once for all revisions.
//!
//! [`Message`] borrows from the text that was received and leaves `params` and `result` raw, to be
//! read when it is known as what. [`Request`], [`Notification`], [`Response`] and [`ErrorResponse`]
//! are whole messages with a typed body.
//!
//! ```
//! use mcprism::jsonrpc::{Id, Message, Request};
//! use mcprism::types::v2025_11_25 as mcp;
//!
//! let text = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add"}}"#;
//! let Ok(Message::Request(request)) = Message::parse(text) else { panic!("a request") };
//! assert_eq!((&request.id, &*request.method), (&Id::Integer(7), "tools/call"));
//!
//! let typed = Request::<mcp::CallToolRequest>::decode(text)?;
//! assert_eq!(typed.body.params.name, "add");
//! assert_eq!(typed.encode()?, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Specification: `basic` of each revision (`basic/messages` in 2024-11-05), and JSON-RPC 2.0.

mod batch;
mod body;
mod error;
mod id;
mod message;
mod splice;

pub use batch::Incoming;
pub use body::{ErrorResponse, Notification, Request, Response};
pub use error::{ErrorObject, Fault, code};
pub use id::Id;
pub use message::{Message, RawError, RawNotification, RawRequest, RawResponse};
