//! Calls of a tool whose definition is known.

use mcprism_types::{JsonObject, v2025_11_25 as mcp};

use super::{CallOptions, Client};
use crate::error::{Error, Result};

impl Client {
    /// Calls a tool that the server has listed. That its structured content is there, if it has an output schema, and
    /// with the feature `validate` that it fits, is judged, and [reported](super::Builder::on_breach) if not.
    ///
    /// The annotations of a tool are hints that nobody has checked: nothing is allowed or skipped because of them.
    ///
    /// # Errors
    /// As [`call`](Self::call). A tool that has failed is a result with `isError`.
    ///
    /// Specification: `server/tools`.
    pub async fn call_tool(
        &self,
        tool: &mcp::Tool,
        arguments: JsonObject,
        options: CallOptions<'_>,
    ) -> Result<mcp::CallToolResult> {
        let params = mcp::CallToolRequestParams::new(&tool.name).with_arguments(arguments);
        let result = self.call_with(mcp::CallToolRequest::new(params), options).await?;
        if let Some(schema) = &tool.output_schema {
            let text = serde_json::to_string(&result).map_err(Error::internal)?;
            self.judge_output(schema, &text);
        }
        Ok(result)
    }

    /// Reports an output that breaks the tool's own word. What the conversion made of it is not the server's fault:
    /// revisions without structured content are let be.
    fn judge_output(&self, schema: &JsonObject, result: &str) {
        let version = self.version();
        #[cfg(feature = "validate")]
        let judged = match crate::rules::Schema::new(schema) {
            Ok(schema) => crate::rules::output_fits(version, &schema, result),
            Err(misfit) => {
                tracing::warn!(%misfit, "a tool's output schema can't be judged by");
                Ok(())
            }
        };
        #[cfg(not(feature = "validate"))]
        let judged = {
            let _ = schema;
            crate::rules::structured_content(version, true, result).map(drop)
        };
        if let Err(breach) = judged {
            self.0.shared.watch.report(version, "tools/call", mcprism_types::bridge::Part::Result, vec![breach]);
        }
    }
}
