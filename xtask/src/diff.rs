//! `cargo xtask diff`: what changed between two revisions, as a document.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use mcprism_codegen::diff::{Difference, Renames, diff};
use mcprism_codegen::model::Revision;

use crate::changes;
use crate::files::{Result, read, write};
use crate::schemas;

/// What to compare.
#[derive(Args)]
pub struct Diff {
    /// The old revision: one of ours, or the path of a schema that isn't.
    old: String,
    /// The new revision: one of ours, or the path of a schema that isn't.
    new: String,
    /// How to write it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Write it to this file rather than to stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// How to write a difference.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For the terminal.
    Text,
    /// For a page.
    Markdown,
    /// For programs.
    Json,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the document is what was asked for")]
pub fn run(root: &Path, arguments: &Diff) -> Result<ExitCode> {
    let (old, new) = (modelled(root, &arguments.old)?, modelled(root, &arguments.new)?);
    let document = written(&compared(root, &old, &new)?, arguments.format)?;
    match &arguments.out {
        None => print!("{document}"),
        Some(path) => {
            let wrote = write(path, &document).map_err(|error| format!("can't write {error}"))?;
            eprintln!("{} {}", if wrote { "wrote" } else { "unchanged:" }, path.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A model; one of ours is compared even before all of its decisions are taken.
fn modelled(root: &Path, version: &str) -> Result<Revision> {
    let entries = schemas::entries(root)?;
    match (schemas::chosen(root, version, None), entries.get(version)) {
        (Ok(modelled), _) => Ok(modelled.revision),
        (Err(error), Some(entry)) => match schemas::loosely(root, version, entry) {
            Ok(modelled) => {
                eprintln!("warning: {version} has open decisions (see `cargo xtask generate`), which are passed over");
                Ok(modelled.revision)
            }
            Err(_) => Err(error),
        },
        (Err(error), None) => Err(error),
    }
}

/// The difference of two models, with the renames that schema/bridges/ has for the neighbours between
/// them. A schema that isn't ours is taken for a successor of our newest revision.
pub fn compared(root: &Path, old: &Revision, new: &Revision) -> Result<Difference> {
    let versions: Vec<String> = schemas::entries(root)?.into_keys().collect();
    let place = |revision: &Revision| versions.iter().position(|version| *version == revision.version);
    let last = versions.len().saturating_sub(1);
    let (from, to) = (place(old).unwrap_or(last), place(new).unwrap_or(last));
    let mut renames = Renames::default();
    let pairs = &versions[from.min(to)..=from.max(to)];
    for pair in pairs.windows(2) {
        let file = format!("schema/bridges/{}..{}.toml", pair[0], pair[1]);
        let path = root.join(&file);
        if path.is_file() {
            renames = renames.then(&Renames::read(&file, &read(&path)?)?);
        }
    }
    if from > to {
        renames = renames.reversed();
    }
    // Over several revisions, and for a draft, much of it is about types that are only in between.
    if pairs.len() == 2 && place(old).is_some() && place(new).is_some() {
        for (from, to) in renames.idle(old, new) {
            eprintln!("warning: no rename of {from} to {to}: {} and {} don't have both", old.version, new.version);
        }
    }
    Ok(diff(old, new, &renames.fitting(old, new)))
}

fn written(difference: &Difference, format: Format) -> Result<String> {
    Ok(match format {
        Format::Text => changes::text(difference),
        Format::Markdown => changes::markdown(difference),
        Format::Json => serde_json::to_string_pretty(difference)? + "\n",
    })
}
