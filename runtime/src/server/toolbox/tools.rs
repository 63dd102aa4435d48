//! Tools from async functions.

use std::future::Future;
use std::sync::Arc;

use mcprism_types::bridge::{Options, read_params};
use mcprism_types::{JsonObject, ProtocolVersion, v2025_11_25 as mcp};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::{Builder, Context, TaskSupport};
use super::page::page;
use crate::error::{Error, Result};
use crate::home::HOME;
use crate::router::{Handle, Started, Working, refused_params, whole_arguments};
use crate::sorted::Sorted;

type Call = Box<dyn Fn(Option<JsonObject>, Context) -> Working + Send + Sync>;

/// A tool that was registered.
pub(in super::super) struct Tool {
    definition: mcp::Tool,
    call: Call,
}

/// What a tool brings back.
pub trait ToolOutput {
    /// The schema of the structured content, if there is any.
    fn output_schema() -> Option<JsonObject> {
        None
    }

    /// The result of the call.
    ///
    /// # Errors
    /// If it can't be encoded.
    fn into_result(self) -> Result<mcp::CallToolResult>;
}

/// Structured content: the value goes out as JSON and, for clients of revisions that have none, as text. The
/// tool then declares its schema, which has to be that of an object.
///
/// Specification: `server/tools`, Structured Content.
pub struct Structured<T>(pub T);

/// Why a tool failed. It goes to the model as a result with `isError`, so that it can try something else; any
/// error becomes one by `?`.
///
/// Specification: `server/tools`, Error Handling.
pub struct ToolError(Box<dyn std::error::Error + Send + Sync>);

impl ToolError {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into().into())
    }

    /// What the call comes to: an error of the protocol stays one, any other is for the model.
    fn into_result(self) -> Result<mcp::CallToolResult> {
        match self.0.downcast::<Error>() {
            Ok(error) if matches!(*error, Error::Rpc(_) | Error::NotDeclared { .. } | Error::Closed) => Err(*error),
            Ok(error) => Ok(failed(&error.to_string())),
            Err(error) => Ok(failed(&error.to_string())),
        }
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl std::fmt::Debug for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

fn text(text: String) -> mcp::CallToolResult {
    mcp::CallToolResult::new(vec![mcp::TextContent::new(text).into()])
}

fn failed(message: &str) -> mcp::CallToolResult {
    text(message.to_owned()).with_is_error(true)
}

impl ToolOutput for mcp::CallToolResult {
    fn into_result(self) -> Result<mcp::CallToolResult> {
        Ok(self)
    }
}

impl ToolOutput for () {
    fn into_result(self) -> Result<mcp::CallToolResult> {
        Ok(mcp::CallToolResult::new(Vec::new()))
    }
}

impl ToolOutput for Vec<mcp::ContentBlock> {
    fn into_result(self) -> Result<mcp::CallToolResult> {
        Ok(mcp::CallToolResult::new(self))
    }
}

impl ToolOutput for mcp::ContentBlock {
    fn into_result(self) -> Result<mcp::CallToolResult> {
        vec![self].into_result()
    }
}

/// Whatever can be shown goes out as text.
macro_rules! shown {
    ($($ty:ty)*) => {$(
        impl ToolOutput for $ty {
            fn into_result(self) -> Result<mcp::CallToolResult> {
                Ok(text(self.to_string()))
            }
        }
    )*};
}

shown! { String &str bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 }

impl<T: Serialize + JsonSchema> ToolOutput for Structured<T> {
    fn output_schema() -> Option<JsonObject> {
        Some(schema::<T>())
    }

    fn into_result(self) -> Result<mcp::CallToolResult> {
        let content = JsonObject::from_serialize(&self.0).map_err(Error::internal)?;
        Ok(text(content.to_string()).with_structured_content(content))
    }
}

/// The schema of a type, as one JSON object.
fn schema<T: JsonSchema>() -> JsonObject {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    // A boolean schema, which says nothing of an object, is caught where the tool is registered.
    JsonObject::from_serialize(&schema).unwrap_or_default()
}

impl Builder {
    /// Registers a tool: its arguments are those of the function's struct, whose schema clients see.
    ///
    /// Arguments that don't fit are answered for it: with -32602 up to 2025-06-18, from 2025-11-25 on with a
    /// result with `isError`, as those revisions have it.
    ///
    /// Specification: `server/tools`.
    #[must_use]
    pub fn tool<A, O, F, T>(self, name: &str, description: &str, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        O: ToolOutput,
        F: Fn(A, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<O, ToolError>> + Send + 'static,
    {
        let definition = mcp::Tool::new(JsonObject::new(), name).with_description(description);
        self.tool_with(definition, function)
    }

    /// Registers a tool with a title, annotations, icons and whatever else its definition says. A schema that is
    /// empty there is taken from the function's types.
    #[must_use]
    pub fn tool_with<A, O, F, T>(mut self, mut definition: mcp::Tool, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        O: ToolOutput,
        F: Fn(A, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<O, ToolError>> + Send + 'static,
    {
        let name = definition.name.clone();
        if let Err(why) = check_name(&name) {
            return self.wrong(format!("the tool `{name}`: {why}"));
        }
        if definition.input_schema.is_empty() {
            definition.input_schema = schema::<A>();
        }
        definition.output_schema = definition.output_schema.or_else(O::output_schema);
        let schemas = [Some(&definition.input_schema), definition.output_schema.as_ref()];
        for schema in schemas.into_iter().flatten() {
            let kind: Option<String> = schema.get("type").and_then(|kind| kind.read().ok());
            if kind.as_deref() != Some("object") {
                let found = schema.get("type").map_or_else(|| "no `type`".to_owned(), |kind| kind.to_string());
                return self.wrong(format!("the tool `{name}`: a schema has to be of an object, and has {found}"));
            }
        }
        let support = definition.execution.as_ref().and_then(|execution| execution.task_support.as_ref());
        self = match support {
            Some(mcp::ToolExecutionTaskSupport::Optional) => self.task_support(&name, TaskSupport::Optional),
            Some(mcp::ToolExecutionTaskSupport::Required) => self.task_support(&name, TaskSupport::Required),
            _ => self,
        };
        let output = match Output::of(definition.output_schema.as_ref()) {
            Ok(output) => output,
            Err(why) => return self.wrong(format!("the tool `{name}`: its output schema: {why}")),
        };
        let output = Arc::new(output);
        let call: Call = Box::new(move |arguments, context| {
            let version = context.version();
            let output = Arc::clone(&output);
            let read = arguments.unwrap_or_default().read::<A>();
            let calling = read.map(|arguments| function(arguments, context));
            Box::pin(async move {
                written(
                    match calling {
                        Ok(calling) => match calling.await {
                            Ok(output) => output.into_result(),
                            Err(error) => error.into_result(),
                        },
                        Err(error) => {
                            let message = format!("the arguments don't fit: {error}");
                            // From the revision on that this is written at, such a mistake is for the model.
                            match version >= HOME {
                                true => Ok(failed(&message)),
                                false => Err(Error::invalid_params(message)),
                            }
                        }
                    },
                    &output,
                )
            })
        });
        self.toolbox.has(super::tools);
        if self.toolbox.tools.insert(name.clone(), Tool { definition, call }).is_some() {
            return self.wrong(format!("two tools are called `{name}`"));
        }
        self
    }
}

/// A name has 1 to 128 of the letters, digits and signs that are allowed (`server/tools`, Tool Names). The page doesn't
/// list the slash, which the proposal behind it does (SEP-986), and which is in use.
fn check_name(name: &str) -> Result<(), &'static str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    match name.len() {
        1..=128 if name.bytes().all(allowed) => Ok(()),
        1..=128 => Err("a name has only letters, digits, `_`, `-`, `.` and `/`"),
        _ => Err("a name has 1 to 128 characters"),
    }
}

/// Registers the handlers for `tools/list` and `tools/call`.
pub(super) fn install(builder: Builder, tools: Arc<Sorted<Tool>>, size: Option<usize>) -> Builder {
    let listed = Arc::clone(&tools);
    builder
        .on(move |list: mcp::ListToolsRequest, _| {
            let cursor = list.params.and_then(|params| params.cursor);
            let found = page(&listed, cursor.as_deref(), size).map(|(tools, next)| {
                let tools = tools.iter().map(|(_, tool)| tool.definition.clone()).collect();
                let mut result = mcp::ListToolsResult::new(tools);
                result.next_cursor = next;
                result
            });
            std::future::ready(found)
        })
        .handle("tools/call", Arc::new(Calls(tools)))
}

/// Calls tools, without a future around that of the tool.
struct Calls(Arc<Sorted<Tool>>);

impl Handle<Context> for Calls {
    fn version(&self) -> Option<ProtocolVersion> {
        Some(HOME)
    }

    fn start(
        &self,
        from: ProtocolVersion,
        params: Option<&str>,
        options: &Options,
        context: Context,
    ) -> Result<Started> {
        let read = read_params::<mcp::CallToolRequest>(from, params, options).map_err(refused_params)?;
        whole_arguments(&read.losses)?;
        let Some(tool) = self.0.get(&read.value.name) else {
            let name: String = read.value.name.chars().take(128).collect();
            return Err(Error::invalid_params(format!("unknown tool: `{name}`")));
        };
        Ok(Started { working: (tool.call)(read.value.arguments, context), losses: read.losses })
    }
}

/// What the structured content of a tool has to be.
enum Output {
    /// It may be absent.
    Free,
    /// It has to be there, and to fit.
    #[cfg(feature = "validate")]
    Fits(crate::rules::Schema),
    /// It has to be there.
    #[cfg(not(feature = "validate"))]
    There,
}

impl Output {
    #[cfg(feature = "validate")]
    fn of(schema: Option<&JsonObject>) -> Result<Self, crate::rules::Misfit> {
        schema.map_or(Ok(Self::Free), |schema| crate::rules::Schema::new(schema).map(Self::Fits))
    }

    #[cfg(not(feature = "validate"))]
    #[expect(clippy::unnecessary_wraps, reason = "with the feature `validate` a schema may be wrong")]
    fn of(schema: Option<&JsonObject>) -> Result<Self, std::convert::Infallible> {
        Ok(if schema.is_some() { Self::There } else { Self::Free })
    }

    /// Refuses a result that breaks the tool's own word.
    fn check(&self, result: &str) -> Result<()> {
        let checked = match self {
            Self::Free => Ok(()),
            #[cfg(feature = "validate")]
            Self::Fits(schema) => crate::rules::output_fits(HOME, schema, result),
            #[cfg(not(feature = "validate"))]
            Self::There => crate::rules::structured_content(HOME, true, result).map(drop),
        };
        checked.map_err(|breach| Error::Internal(format!("the tool's result breaks a rule: {breach}")))
    }
}

/// The text of a result.
fn written(result: Result<mcp::CallToolResult>, output: &Output) -> Result<String> {
    let text = serde_json::to_string(&result?).map_err(Error::internal)?;
    output.check(&text)?;
    Ok(text)
}
