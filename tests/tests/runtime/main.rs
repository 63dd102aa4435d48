//! What servers and clients do on a connection, held against the specification's pages and schemas.

mod client;
mod conversations;
mod outputs;
mod process;
mod served;
mod streams;
