//! A thin runtime for every revision of the Model Context Protocol at once.

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
