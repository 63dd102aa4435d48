//! A server that does a bit of everything, for conversations and matrices.

use std::time::Duration;

use mcprism::server::{Builder, Structured, ToolError};
use mcprism::session::level::Level;
use mcprism::types::{Map, ProtocolVersion, v2025_11_25 as mcp, v2026_07_28 as modern};
use mcprism::{Context, Server};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: f64,
    b: f64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Say {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Letter {
    /// Who it is for.
    to: String,
    tone: Option<String>,
}

/// A form with one field.
fn form(message: &str) -> mcp::ElicitRequestParams {
    let name = mcp::PrimitiveSchemaDefinition::from(mcp::StringSchema::new());
    let schema = mcp::ElicitRequestFormParamsRequestedSchema::new(Map::from([("name", name)]));
    mcp::ElicitRequestFormParams::new(message, schema).into()
}

/// The server, its handlers written at 2025-11-25.
pub fn desk() -> Builder {
    Server::builder("desk", "2.0")
        .title("Front desk")
        .instructions("Ask before you call.")
        .logging()
        .list_changed()
        .subscriptions()
        .tool("add", "Adds two numbers.", async |Add { a, b }: Add, _cx| Ok(Structured(Sum { sum: a + b })))
        .tool("say", "Says it again.", async |Say { text }: Say, _cx| Ok(text))
        .tool("fail", "Always fails.", async |_: Nothing, _cx| -> Result<String, ToolError> {
            Err(ToolError::new("out of paper"))
        })
        .tool("panic", "Breaks.", async |nothing: Nothing, _cx| -> Result<String, ToolError> {
            let Nothing {} = nothing;
            panic!("the tool is broken")
        })
        .tool("sleep", "Takes a day.", async |_: Nothing, _cx| {
            tokio::time::sleep(Duration::from_secs(86_400)).await;
            Ok("awake")
        })
        .tool("nap", "Takes a second.", async |_: Nothing, _cx| {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok("awake")
        })
        .tool("steps", "Reports three steps and logs two lines.", async |_: Nothing, cx: Context| {
            cx.log(Level::Debug, Some("steps"), "began").await?;
            for step in 1..=3 {
                cx.progress(f64::from(step), Some(3.0), Some("stepping")).await?;
            }
            cx.log(Level::Warning, None, serde_json::json!({"left": 0})).await?;
            Ok("done")
        })
        .tool("backwards", "Reports less than before.", async |_: Nothing, cx: Context| {
            cx.progress(2.0, None, None).await?;
            cx.progress(1.0, None, None).await?;
            Ok("unreachable")
        })
        .tool("greet", "Asks for a name.", async |_: Nothing, cx: Context| {
            let answer = cx.elicit("name", form("Your name?")).await?;
            let name = answer.content.and_then(|content| content.get("name").cloned());
            Ok(match name {
                Some(mcp::ElicitResultContent::String(name)) => format!("Hello, {name}"),
                _ => "Hello, whoever you are".to_owned(),
            })
        })
        .tool("twice", "Asks two questions, one after the other.", async |_: Nothing, cx: Context| {
            let first = cx.elicit("first", form("First?")).await?;
            let second = cx.elicit("second", form("Second?")).await?;
            Ok(format!("{}, {}", action(&first), action(&second)))
        })
        .tool("look", "Asks where it may look.", async |_: Nothing, cx: Context| {
            let roots = cx.list_roots("roots").await?;
            Ok(roots.into_iter().map(|root| root.uri).collect::<Vec<_>>().join(" "))
        })
        .tool("write", "Has the model write.", async |_: Nothing, cx: Context| {
            let message = mcp::SamplingMessage::new(
                mcp::SamplingMessageContentBlock::from(mcp::TextContent::new("Write a line.")),
                mcp::Role::User,
            );
            let result = cx.sample("line", mcp::CreateMessageRequestParams::new(100, vec![message])).await?;
            Ok(result.model)
        })
        .tool_with(as_task("errand", mcp::ToolExecutionTaskSupport::Optional), async |_: Nothing, cx: Context| {
            tokio::time::sleep(Duration::from_secs(1)).await;
            cx.progress(1.0, None, None).await?;
            let answer = cx.elicit("go on", form("Go on?")).await?;
            Ok(action(&answer))
        })
        .tool_with(as_task("haul", mcp::ToolExecutionTaskSupport::Required), async |_: Nothing, _cx| {
            tokio::time::sleep(Duration::from_secs(5)).await;
            Ok("hauled")
        })
        .tool_with(
            as_task("sink", mcp::ToolExecutionTaskSupport::Optional),
            async |_: Nothing, _cx| -> Result<String, ToolError> { Err(ToolError::new("sunk")) },
        )
        .tool("ring", "Changes everything.", async |_: Nothing, cx: Context| {
            cx.server().tools_changed();
            cx.server().prompts_changed();
            cx.server().resources_changed();
            cx.server().resource_updated("desk://bell");
            cx.server().resource_updated("desk://stamp");
            Ok("rung")
        })
        .prompt("letter", "Writes a letter.", async |letter: Letter, _cx| {
            Ok(format!("Write to {}, {}.", letter.to, letter.tone.as_deref().unwrap_or("politely")))
        })
        .resource(mcp::Resource::new("bell", "desk://bell").with_mime_type("text/plain"), async |_cx| {
            Ok("ding".to_owned())
        })
        .resource(mcp::Resource::new("stamp", "desk://stamp"), async |_cx| Ok(vec![0_u8, 255]))
        .resource_template(
            mcp::ResourceTemplate::new("drawer", "desk://drawer/{name}{?depth}"),
            async |uri, variables: mcprism::uri_template::Variables, _cx| match variables
                .get("name")
                .and_then(mcprism::uri_template::Value::as_str)
            {
                Some("locked") => Err(mcprism::Error::resource_not_found(&uri)),
                Some(name) => Ok(format!("what is in {name}")),
                None => Err(mcprism::Error::internal("no name")),
            },
        )
        .complete_prompt("letter", "tone", async |completion, _cx| {
            let tones = ["formal", "friendly", "polite"].into_iter().map(str::to_owned);
            Ok(tones.filter(|tone| tone.starts_with(&completion.value)).collect())
        })
        .complete_resource("desk://drawer/{name}{?depth}", "name", async |completion, _cx| {
            let known = completion.arguments.contains_key("depth");
            Ok((0..150).map(|at| format!("{}{at}{}", completion.value, if known { "!" } else { "" })).collect())
        })
        .on_raw("vendor/echo", async |params, _cx| Ok(params.unwrap_or_else(mcprism::types::Json::null)))
}

/// A tool that may be called as a task.
fn as_task(name: &str, support: mcp::ToolExecutionTaskSupport) -> mcp::Tool {
    let execution = mcp::ToolExecution::default().with_task_support(support);
    mcp::Tool::new(mcprism::types::JsonObject::new(), name).with_execution(execution)
}

fn action(answer: &mcp::ElicitResult) -> String {
    serde_json::to_string(&answer.action).unwrap_or_default()
}

/// A server whose handlers are written at 2026-07-28, one of which asks in person.
pub fn modern_desk() -> Builder {
    Server::builder("desk", "3.0")
        .on(async |_: modern::ListToolsRequest, _cx| {
            let schema = mcprism::types::JsonObject::parse(r#"{"type":"object"}"#).map_err(mcprism::Error::internal)?;
            let tool = modern::Tool::new(schema, "greet");
            Ok(modern::ListToolsResult::new(modern::CacheScope::Private, vec![tool], 0))
        })
        .on(async |modern::CallToolRequest { params, .. }: modern::CallToolRequest, _cx| {
            let answer = params.input_responses.as_ref().and_then(|answers| answers.get("name"));
            let outcome: modern::CallToolOutcome = match answer {
                None => {
                    let question = serde_json::json!({
                        "name": {
                            "method": "elicitation/create",
                            "params": {
                                "mode": "form",
                                "message": "Your name?",
                                "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
                            },
                        },
                    });
                    let questions = mcprism::types::Json::from(question);
                    let questions: modern::InputRequests = questions.decode_as().map_err(mcprism::Error::internal)?;
                    modern::InputRequiredResult::default()
                        .with_input_requests(questions)
                        .with_request_state("in person")
                        .into()
                }
                Some(answer) => {
                    let state = params.request_state.as_deref().unwrap_or("no state");
                    let answer = serde_json::to_string(answer).map_err(mcprism::Error::internal)?;
                    let text = modern::TextContent::new(format!("{answer} with {state}"));
                    modern::CallToolResult::new(vec![text.into()]).into()
                }
            };
            Ok(outcome)
        })
}

/// The versions that a list of names means.
///
/// # Panics
/// If a name is none of a revision.
pub fn versions(names: &[&str]) -> Vec<ProtocolVersion> {
    names.iter().map(|name| name.parse().expect("the name of a revision")).collect()
}
