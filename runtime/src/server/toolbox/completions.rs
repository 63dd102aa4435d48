//! Suggestions for the arguments of prompts and the variables of templates.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mcprism_types::v2025_11_25 as mcp;

use super::super::{Builder, Context};
use crate::error::{Error, Result};

/// How many values are suggested at once (`server/utilities/completion`).
const MOST: usize = 100;

type Completing = Pin<Box<dyn Future<Output = Result<Vec<String>>> + Send>>;
type Complete = Box<dyn Fn(Completion, Context) -> Completing + Send + Sync>;

/// What is to be completed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// What was typed so far.
    pub value: String,
    /// The arguments that were chosen already, by name; none where the client's revision doesn't say.
    pub arguments: std::collections::BTreeMap<String, String>,
}

/// The functions that were registered, by what they are for and the name of the argument.
pub(super) type Completions = HashMap<(For, String), Complete>;

/// What has arguments that are completed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum For {
    Prompt(String),
    Template(String),
}

impl Builder {
    /// Registers suggestions for an argument of a prompt. At most 100 of them are sent, with how many there are.
    ///
    /// Specification: `server/utilities/completion`.
    #[must_use]
    pub fn complete_prompt<F, T>(self, prompt: &str, argument: &str, function: F) -> Self
    where
        F: Fn(Completion, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<Vec<String>>> + Send + 'static,
    {
        self.complete(For::Prompt(prompt.to_owned()), argument, Box::new(move |c, cx| Box::pin(function(c, cx))))
    }

    /// Registers suggestions for a variable of a template of resources, given as it was registered.
    ///
    /// Specification: `server/utilities/completion`.
    #[must_use]
    pub fn complete_resource<F, T>(self, uri_template: &str, variable: &str, function: F) -> Self
    where
        F: Fn(Completion, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<Vec<String>>> + Send + 'static,
    {
        self.complete(
            For::Template(uri_template.to_owned()),
            variable,
            Box::new(move |c, cx| Box::pin(function(c, cx))),
        )
    }

    fn complete(mut self, what: For, argument: &str, function: Complete) -> Self {
        let shown = format!("{what:?}");
        self.toolbox.has(super::completions);
        if self.toolbox.completions.insert((what, argument.to_owned()), function).is_some() {
            return self.wrong(format!("the argument `{argument}` of {shown} has two completions"));
        }
        self
    }
}

/// Registers the handler for `completion/complete`.
pub(super) fn install(builder: Builder, completions: Arc<Completions>) -> Builder {
    builder.on(move |mcp::CompleteRequest { params, .. }: mcp::CompleteRequest, context| {
        let what = match params.ref_ {
            mcp::CompleteRequestParamsRef::RefPrompt(prompt) => Ok(For::Prompt(prompt.name)),
            mcp::CompleteRequestParamsRef::RefResource(template) => Ok(For::Template(template.uri)),
            other => Err(Error::invalid_params(format!("nothing of this kind is completed: {other:?}"))),
        };
        let chosen = params.context.and_then(|context| context.arguments);
        let arguments = chosen.map(|chosen| chosen.into_iter().collect()).unwrap_or_default();
        let completion = Completion { value: params.argument.value, arguments };
        let completing = what.map(|what| {
            let function = completions.get(&(what, params.argument.name));
            function.map(|function| function(completion, context))
        });
        async move {
            // An argument without suggestions has none.
            let mut values = match completing? {
                Some(completing) => completing.await?,
                None => Vec::new(),
            };
            let total = values.len();
            values.truncate(MOST);
            let more = total > MOST;
            let completion = mcp::CompleteResultCompletion::new(values)
                .with_total(i64::try_from(total).unwrap_or(i64::MAX))
                .with_has_more(more);
            Ok(mcp::CompleteResult::new(completion))
        }
    })
}
