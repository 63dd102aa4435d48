//! `cargo xtask model`: the model of a revision as JSON.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use crate::files::Result;
use crate::schemas;

/// Which model to print.
#[derive(Args)]
pub struct Model {
    /// One of our revisions, or the path of a schema that isn't ours.
    version: String,
    /// Stop after this pass; `lower` for the model before the first.
    #[arg(long, value_name = "PASS")]
    after: Option<String>,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the model is what was asked for")]
pub fn run(root: &Path, arguments: &Model) -> Result<ExitCode> {
    let modelled = schemas::chosen(root, &arguments.version, arguments.after.as_deref())?;
    println!("{}", serde_json::to_string_pretty(&modelled.revision)?);
    Ok(ExitCode::SUCCESS)
}
