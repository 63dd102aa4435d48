//! Structured content that a tool has promised: refused where it is made, reported where it is received.

use std::sync::{Arc, Mutex};

use mcprism::client::CallOptions;
use mcprism::rules::Schema;
use mcprism::types::{Json, JsonObject, ProtocolVersion, v2025_11_25 as mcp};
use mcprism::{Client, Error, Server, transport};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Say {
    /// What comes back as structured content.
    content: Option<serde_json::Map<String, serde_json::Value>>,
}

fn tool() -> mcp::Tool {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    mcp::Tool::new(JsonObject::new(), "count").with_output_schema(JsonObject::try_from(schema).unwrap())
}

fn result(content: Option<serde_json::Map<String, serde_json::Value>>) -> mcp::CallToolResult {
    let result = mcp::CallToolResult::new(Vec::new());
    match content {
        Some(content) => result.with_structured_content(JsonObject::from(content)),
        None => result,
    }
}

async fn client(server: Server, version: ProtocolVersion, heard: Arc<Mutex<Vec<String>>>) -> Client {
    let (ours, theirs) = transport::memory();
    tokio::spawn(async move { server.serve(theirs).await });
    let builder = Client::builder("c", "1").revisions([version]);
    builder.on_breach(move |report| heard.lock().unwrap().push(report.to_string())).connect(ours).await.unwrap()
}

fn arguments(value: serde_json::Value) -> JsonObject {
    JsonObject::try_from(value).unwrap()
}

/// spec: 2025-11-25 server/tools, Output Schema.
#[tokio::test]
async fn what_does_not_fit_is_refused_where_it_is_made() {
    let server = Server::builder("s", "1")
        .tool_with(tool(), async |Say { content }: Say, _cx| Ok(result(content)))
        .build()
        .unwrap();
    let client = client(server, ProtocolVersion::V2025_11_25, Arc::default()).await;
    let tool = tool();
    let right = client.call_tool(&tool, arguments(json!({"content": {"n": 1}})), CallOptions::default()).await;
    assert_eq!(right.unwrap().structured_content.unwrap().get("n").unwrap().as_str(), "1");
    for (wrong, place) in [(json!({"content": {"n": "1"}}), "/structuredContent/n"), (json!({}), "/structuredContent")]
    {
        let error = client.call_tool(&tool, arguments(wrong), CallOptions::default()).await.unwrap_err();
        let Error::Rpc(error) = error else { panic!("{error}") };
        assert_eq!(error.code, -32603);
        assert!(error.message.contains(place), "{}", error.message);
    }
}

/// spec: 2025-11-25 server/tools, Output Schema: clients should validate.
#[tokio::test]
async fn what_does_not_fit_is_reported_where_it_is_received() {
    for version in ProtocolVersion::ALL {
        let server = Server::builder("s", "1")
            .on(async |call: mcp::CallToolRequest, _cx| {
                let say: Say = call.params.arguments.unwrap_or_default().read().map_err(Error::internal)?;
                Ok(result(say.content))
            })
            .build()
            .unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let client = client(server, *version, Arc::clone(&heard)).await;
        for value in [json!({"content": {"n": 1}}), json!({"content": {"n": "1"}}), json!({})] {
            client.call_tool(&tool(), arguments(value), CallOptions::default()).await.unwrap();
        }
        let heard = heard.lock().unwrap().clone();
        // Revisions without structured content have promised nothing.
        match *version >= ProtocolVersion::V2025_06_18 {
            true => {
                assert_eq!(heard.len(), 2, "{version}: {heard:?}");
                assert!(heard[0].contains("/structuredContent/n") && heard[0].contains("server/tools"), "{heard:?}");
            }
            false => assert!(heard.is_empty(), "{version}: {heard:?}"),
        }
    }
}

/// spec: 2026-07-28 basic, JSON Schema Usage: nothing is fetched, and there are bounds.
#[test]
fn a_hostile_schema_is_refused() {
    let schema = |value: serde_json::Value| Schema::new(&Json::from(value)).map(drop);
    assert_eq!(schema(json!({"type": "object"})), Ok(()));
    assert!(schema(json!({"$ref": "https://example.com/schema.json"})).is_err());
    assert!(schema(json!({"$ref": "file:///etc/passwd"})).is_err());
    assert!(schema(json!({"type": "no such type"})).is_err());
    let mut deep = json!({});
    for _ in 0..100 {
        deep = json!({"not": deep});
    }
    assert!(schema(deep).is_err());
    let wide: Vec<_> = (0..30_000).map(|at| json!({"const": at})).collect();
    assert!(schema(json!({"anyOf": wide})).is_err());
}
