//! A thin runtime for every revision of the Model Context Protocol at once.

mod connection;
mod error;
pub mod framing;
pub mod jsonrpc;
mod losses;
mod router;
#[cfg(feature = "server")]
mod server;
pub mod session;
pub mod transport;

pub use connection::Progress;
pub use error::{Error, Result};
pub use losses::LossReport;
pub use mcprism_types as types;
pub use router::{Handler, Listener};
#[cfg(feature = "server")]
pub use server::{Builder, Context, Server};
#[cfg(feature = "toolbox")]
pub use server::{PromptOutput, Structured, ToolError, ToolOutput};
