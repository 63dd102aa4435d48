//! Answers the tool `echo` with mcprism, as its README writes a server.

use mcprism::Server;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> mcprism::Result<()> {
    Server::builder("echo", "1.0")
        .tool("echo", "Says it again.", async |Echo { text }: Echo, _context| Ok(text))
        .serve_stdio()
        .await
}
