//! What server authors do all day, from functions: tools, resources, prompts, completions.
//!
//! It is written against one revision, whose types it shows; clients of other revisions are served across the
//! conversions, as with any handler.

mod completions;
mod page;
mod prompts;
mod resources;
mod tools;

use std::sync::Arc;

use mcprism_types::v2025_11_25 as mcp;

use super::Builder;
use super::context::Context;
use crate::sorted::Sorted;
pub use completions::Completion;
pub use prompts::PromptOutput;
pub use resources::ResourceOutput;
pub use tools::{Structured, ToolError, ToolOutput};

/// What was registered.
#[derive(Default)]
pub(super) struct Toolbox {
    tools: Sorted<tools::Tool>,
    prompts: Sorted<prompts::Prompt>,
    resources: resources::Resources,
    completions: completions::Completions,
    page_size: Option<usize>,
    /// Registers the handlers for what there is. A kind that isn't used is no part of the program.
    parts: Vec<Part>,
}

/// Registers the handlers for one kind of what is in the toolbox.
type Part = fn(Builder, &mut Toolbox) -> Builder;

impl Builder {
    /// How many entries a page of a list has: all of them unless this is called.
    #[must_use]
    pub fn page_size(mut self, entries: usize) -> Self {
        self.toolbox.page_size = Some(entries.max(1));
        self
    }
}

impl Context {
    /// Asks the user something: see [`ask`](Self::ask), and what it says about being run again.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    ///
    /// Specification: `client/elicitation`.
    pub async fn elicit(
        &self,
        key: &str,
        params: impl Into<mcp::ElicitRequestParams>,
    ) -> crate::Result<mcp::ElicitResult> {
        self.ask(key, mcp::ElicitRequest::new(params)).await
    }

    /// Asks the client's model: see [`ask`](Self::ask), and what it says about being run again.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    ///
    /// Specification: `client/sampling`.
    pub async fn sample(
        &self,
        key: &str,
        params: mcp::CreateMessageRequestParams,
    ) -> crate::Result<mcp::CreateMessageResult> {
        self.ask(key, mcp::CreateMessageRequest::new(params)).await
    }

    /// Asks where the client lets the server look: see [`ask`](Self::ask), and what it says about being run
    /// again.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    ///
    /// Specification: `client/roots`.
    pub async fn list_roots(&self, key: &str) -> crate::Result<Vec<mcp::Root>> {
        Ok(self.ask(key, mcp::ListRootsRequest::new()).await?.roots)
    }
}

/// Registers the handlers for what is in the toolbox.
pub(super) fn install(mut builder: Builder) -> Builder {
    let mut toolbox = std::mem::take(&mut builder.toolbox);
    for part in std::mem::take(&mut toolbox.parts) {
        builder = part(builder, &mut toolbox);
    }
    builder
}

impl Toolbox {
    /// Notes that something of a kind was registered.
    fn has(&mut self, part: Part) {
        if !self.parts.iter().any(|other| std::ptr::fn_addr_eq(*other, part)) {
            self.parts.push(part);
        }
    }
}

fn tools(builder: Builder, toolbox: &mut Toolbox) -> Builder {
    tools::install(builder, Arc::new(std::mem::take(&mut toolbox.tools)), toolbox.page_size)
}

fn prompts(builder: Builder, toolbox: &mut Toolbox) -> Builder {
    prompts::install(builder, Arc::new(std::mem::take(&mut toolbox.prompts)), toolbox.page_size)
}

fn resources(builder: Builder, toolbox: &mut Toolbox) -> Builder {
    resources::install(builder, Arc::new(std::mem::take(&mut toolbox.resources)), toolbox.page_size)
}

fn completions(builder: Builder, toolbox: &mut Toolbox) -> Builder {
    completions::install(builder, Arc::new(std::mem::take(&mut toolbox.completions)))
}
