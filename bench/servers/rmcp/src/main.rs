//! Answers the tool `echo` with rmcp, as its documentation writes a server: the macros, `stdio()`, and
//! the runtime that `#[tokio::main]` starts.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::stdio;
use rmcp::{ServiceExt, schemars, tool, tool_router};
use serde::Deserialize;

struct Echo;

#[derive(Deserialize, schemars::JsonSchema)]
struct EchoArguments {
    text: String,
}

#[tool_router(server_handler)]
impl Echo {
    #[tool(description = "Says what it is told")]
    fn echo(&self, Parameters(EchoArguments { text }): Parameters<EchoArguments>) -> String {
        text
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Echo.serve(stdio()).await?;
    service.waiting().await?;
    Ok(())
}
