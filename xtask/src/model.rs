//! `cargo xtask model`: the model of a revision as JSON.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use mcprism_codegen::{Source, model};

use crate::files::{Result, read};
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
    let entries = schemas::entries(root)?;
    let (source, strict) = match entries.get(&arguments.version) {
        Some(entry) => (schemas::source(root, &arguments.version, entry)?, true),
        None if Path::new(&arguments.version).is_file() => {
            let path = PathBuf::from(&arguments.version);
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("schema").to_owned();
            (Source { version: stem, text: read(&path)?, era: None }, false)
        }
        None => {
            let known: Vec<&str> = entries.keys().map(String::as_str).collect();
            return Err(format!("{} is neither a revision ({}) nor a file", arguments.version, known.join(", ")).into());
        }
    };
    let decisions = schemas::decisions(root, strict)?;
    let modelled = model(&source, &decisions, arguments.after.as_deref())?;
    for warning in &modelled.revision.warnings {
        eprintln!("warning: {warning}");
    }
    println!("{}", serde_json::to_string_pretty(&modelled.revision)?);
    Ok(ExitCode::SUCCESS)
}
