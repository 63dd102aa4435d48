//! One server, five clients, one for each revision, side by side in one process: what each has negotiated, called
//! and got, and what was lost between the server's revision and theirs.

#![expect(clippy::print_stdout, reason = "a program that shows something")]

use std::sync::{Arc, Mutex};

use mcprism::client::{Answer, CallOptions};
use mcprism::server::Structured;
use mcprism::types::{JsonObject, Map, ProtocolVersion, v2025_11_25 as mcp};
use mcprism::{Client, Context, Server, transport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Trip {
    /// Where to.
    harbour: String,
}

#[derive(Serialize, JsonSchema)]
struct Tide {
    harbour: String,
    metres: f64,
    confirmed: bool,
}

/// A tool that asks the user before it answers, whatever the client speaks.
async fn tide(trip: Trip, context: Context) -> Result<Structured<Tide>, mcprism::server::ToolError> {
    let confirmed = match context.elicit("sure", question(&trip.harbour)).await {
        Ok(answer) => answer.action == mcp::ElicitResultAction::Accept,
        // The oldest revisions have no way to ask.
        Err(mcprism::Error::NoSuchMethod { .. }) => false,
        Err(error) => return Err(error.into()),
    };
    context.progress(1.0, Some(1.0), Some("looked up")).await?;
    Ok(Structured(Tide { harbour: trip.harbour, metres: 3.25, confirmed }))
}

fn question(harbour: &str) -> mcp::ElicitRequestParams {
    let schema = mcp::ElicitRequestFormParamsRequestedSchema::new(Map::new());
    mcp::ElicitRequestFormParams::new(format!("Sail to {harbour}?"), schema).into()
}

/// What one client has seen.
struct Row {
    version: ProtocolVersion,
    negotiated: String,
    got: String,
    asked: usize,
    progress: usize,
}

/// Connects a client that speaks one revision, and makes its call.
async fn visit(server: &Server, version: ProtocolVersion) -> mcprism::Result<Row> {
    let (ours, theirs) = transport::memory();
    let serving = tokio::spawn({
        let server = server.clone();
        async move { server.serve(theirs).await }
    });
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    let client = Client::builder("tourist", "1.0")
        .revisions([version])
        .approve(async |_question| Answer::Approve)
        .on(move |_: mcp::ElicitRequest, _context| {
            *count.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += 1;
            std::future::ready(Ok(mcp::ElicitResult::new(mcp::ElicitResultAction::Accept)))
        })
        .connect(ours)
        .await?;
    let mut progress = 0;
    let mut on_progress = |_| progress += 1;
    let arguments = JsonObject::parse(r#"{"harbour":"Cuxhaven"}"#).map_err(mcprism::Error::internal)?;
    let result = client
        .call_with(
            mcp::CallToolRequest::new(mcp::CallToolRequestParams::new("tide").with_arguments(arguments)),
            CallOptions { on_progress: Some(&mut on_progress), ..CallOptions::default() },
        )
        .await?;
    let got = match (&result.structured_content, &result.content[..]) {
        (Some(content), _) => format!("structured {}", content.as_str()),
        (None, [mcp::ContentBlock::Text(block)]) => format!("text {}", block.text),
        (None, other) => format!("{other:?}"),
    };
    let negotiated = format!("{} ({:?})", client.version(), client.era());
    let asked = *asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    client.close().await?;
    serving.await.map_err(mcprism::Error::internal)??;
    Ok(Row { version, negotiated, got, asked, progress })
}

#[tokio::main]
async fn main() -> mcprism::Result<()> {
    let losses = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&losses);
    let server = Server::builder("pilot", "1.0")
        .title("The pilot's office")
        .tool("tide", "The height of the tide.", tide)
        .on_loss(move |report| {
            let mut losses = seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            losses.push(report.to_string());
        })
        .build()?;

    println!("The server speaks {} revisions; its tool is written once, at 2025-11-25.\n", server.revisions().len());
    // Side by side: all five connections are open at once.
    let visits: Vec<_> = ProtocolVersion::ALL
        .iter()
        .map(|version| {
            let server = server.clone();
            tokio::spawn(async move { visit(&server, *version).await })
        })
        .collect();
    println!("| client | negotiated | asked the user | progress | got |");
    println!("|---|---|---:|---:|---|");
    for visit in visits {
        let row = visit.await.map_err(mcprism::Error::internal)??;
        println!("| {} | {} | {} | {} | {} |", row.version, row.negotiated, row.asked, row.progress, row.got);
    }
    println!("\nLost on the way, as the bridges report it:");
    let mut losses = std::mem::take(&mut *losses.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    losses.sort();
    losses.dedup();
    for loss in losses {
        println!("- {loss}");
    }
    Ok(())
}
