//! A server in whole: run it, and type a message of any revision on a line.

use mcprism::Server;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: f64,
    b: f64,
}

#[tokio::main]
async fn main() -> mcprism::Result<()> {
    Server::builder("adder", "1.0")
        .tool("add", "Adds two numbers.", async |Add { a, b }: Add, _context| Ok(a + b))
        .serve_stdio()
        .await
}
