//! Prompts from async functions.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mcprism_types::{JsonObject, v2025_11_25 as mcp};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::{Builder, Context};
use super::page::page;
use crate::error::{Error, Result};
use crate::sorted::Sorted;

type Getting = Pin<Box<dyn Future<Output = Result<mcp::GetPromptResult>> + Send>>;
type Get = Box<dyn Fn(JsonObject, Context) -> Getting + Send + Sync>;

/// A prompt that was registered.
pub(in super::super) struct Prompt {
    definition: mcp::Prompt,
    get: Get,
}

/// What a prompt brings back.
pub trait PromptOutput {
    /// The result of `prompts/get`.
    fn into_result(self) -> mcp::GetPromptResult;
}

impl PromptOutput for mcp::GetPromptResult {
    fn into_result(self) -> mcp::GetPromptResult {
        self
    }
}

impl PromptOutput for Vec<mcp::PromptMessage> {
    fn into_result(self) -> mcp::GetPromptResult {
        mcp::GetPromptResult::new(self)
    }
}

/// One message of the user's.
impl PromptOutput for String {
    fn into_result(self) -> mcp::GetPromptResult {
        let message = mcp::PromptMessage::new(mcp::TextContent::new(self), mcp::Role::User);
        mcp::GetPromptResult::new(vec![message])
    }
}

impl Builder {
    /// Registers a prompt: its arguments are the members of the function's struct, each of them a string on the
    /// wire. Those that the struct doesn't require are optional; their descriptions are those of the members.
    ///
    /// Specification: `server/prompts`.
    #[must_use]
    pub fn prompt<A, O, F, T>(mut self, name: &str, description: &str, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        O: PromptOutput,
        F: Fn(A, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<O>> + Send + 'static,
    {
        if name.is_empty() {
            return self.wrong("a prompt needs a name");
        }
        let mut definition = mcp::Prompt::new(name).with_description(description);
        let arguments = arguments::<A>();
        if !arguments.is_empty() {
            definition = definition.with_arguments(arguments);
        }
        let get: Get = Box::new(move |arguments, context| {
            let read = arguments.read::<A>();
            let getting = read.map(|arguments| function(arguments, context));
            Box::pin(async move {
                match getting {
                    Ok(getting) => getting.await.map(PromptOutput::into_result),
                    Err(error) => Err(Error::invalid_params(format!("the arguments don't fit: {error}"))),
                }
            })
        });
        self.toolbox.has(super::prompts);
        if self.toolbox.prompts.insert(name.to_owned(), Prompt { definition, get }).is_some() {
            return self.wrong(format!("two prompts are called `{name}`"));
        }
        self
    }
}

/// The arguments that a struct's schema describes.
fn arguments<A: JsonSchema>() -> Vec<mcp::PromptArgument> {
    let schema = SchemaGenerator::default().into_root_schema_for::<A>();
    let required: Vec<&str> = match schema.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let Some(Value::Object(properties)) = schema.get("properties") else { return Vec::new() };
    let argument = |(name, property): (&String, &Value)| {
        let mut argument = mcp::PromptArgument::new(name).with_required(required.contains(&name.as_str()));
        if let Some(description) = property.get("description").and_then(Value::as_str) {
            argument = argument.with_description(description);
        }
        argument
    };
    properties.iter().map(argument).collect()
}

/// Registers the handlers for `prompts/list` and `prompts/get`.
pub(super) fn install(builder: Builder, prompts: Arc<Sorted<Prompt>>, size: Option<usize>) -> Builder {
    let listed = Arc::clone(&prompts);
    builder
        .on(move |list: mcp::ListPromptsRequest, _| {
            let cursor = list.params.and_then(|params| params.cursor);
            let found = page(&listed, cursor.as_deref(), size).map(|(prompts, next)| {
                let prompts = prompts.iter().map(|(_, prompt)| prompt.definition.clone()).collect();
                let mut result = mcp::ListPromptsResult::new(prompts);
                result.next_cursor = next;
                result
            });
            std::future::ready(found)
        })
        .on(move |mcp::GetPromptRequest { params, .. }: mcp::GetPromptRequest, context| -> Getting {
            match prompts.get(&params.name) {
                Some(prompt) => {
                    let arguments = params.arguments.as_ref().map(JsonObject::from_serialize);
                    match arguments.transpose() {
                        Ok(arguments) => (prompt.get)(arguments.unwrap_or_default(), context),
                        Err(error) => Box::pin(std::future::ready(Err(Error::invalid_params(error)))),
                    }
                }
                None => {
                    let name: String = params.name.chars().take(128).collect();
                    Box::pin(std::future::ready(Err(Error::invalid_params(format!("unknown prompt: `{name}`")))))
                }
            }
        })
}
