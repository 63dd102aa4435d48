//! The maintainer's command line: the only code that reads and writes files.

mod changes;
mod check;
mod diff;
mod files;
mod generate;
mod import;
mod model;
mod schemas;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

/// Generates mcprism's types from the official MCP schemas.
///
/// When a revision ships: `cargo xtask import VERSION URL`, then `cargo xtask generate`. What it
/// prints as errors are the decisions that are left to you; CONTRIBUTING.md walks through them.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Take in an official schema.json: its canonical copy, its hash, and what is new in it.
    ///
    /// Writes schema/VERSION/schema.json (keys sorted, prose left out) and the entry in
    /// schema/revisions.toml, then compares with the newest earlier revision. Importing the same
    /// version again replaces it.
    #[command(
        after_help = "Examples:\n  cargo xtask import 2026-07-28 ../specification/schema/2026-07-28/schema.json\n  cargo xtask import 2026-07-28 https://example.org/schema/2026-07-28/schema.json --era modern"
    )]
    Import(import::Import),
    /// Write the crate in generated/ from schema/, or say what would change.
    ///
    /// With no VERSION, all revisions. --check writes nothing, lists what is stale, missing or
    /// stray, and exits with 1 if anything is. --schema makes a stand-alone crate from a schema that
    /// isn't ours: a draft, a fork, an extension; what it can't decide it keeps raw, and says so.
    #[command(
        after_help = "Examples:\n  cargo xtask generate\n  cargo xtask generate --check\n  cargo xtask generate --schema draft.json --out ../draft-types --name draft-types"
    )]
    Generate(generate::Generate),
    /// Print the model of a revision as JSON.
    ///
    /// The model is what the generator knows after its passes; --after stops earlier. VERSION may
    /// also be the path of a schema that isn't ours.
    #[command(after_help = "Example:\n  cargo xtask model 2025-11-25 --after strip_envelope | jq '.definitions.Task'")]
    Model(model::Model),
    /// Say what changed between two revisions, and what that means for a server and a client.
    ///
    /// Each change has its class: additive, loosening, tightening, breaking on decode, breaking on
    /// encode. OLD and NEW may also be the paths of schemas that aren't ours. Renames are taken from
    /// schema/bridges/OLD..NEW.toml, if there is such a file.
    #[command(
        after_help = "Examples:\n  cargo xtask diff 2025-06-18 2025-11-25\n  cargo xtask diff 2025-11-25 draft.json --format markdown --out changes.md\n  cargo xtask diff 2025-11-25 2026-07-28 --format json | jq '.counts'"
    )]
    Diff(diff::Diff),
    /// Run everything that CI checks, in CI's order.
    Check(check::Check),
}

/// How a revision's connections begin.
#[derive(Clone, Copy, ValueEnum)]
enum Era {
    /// By the `initialize` handshake (up to 2025-11-25).
    Legacy,
    /// By the `_meta` of each request (from 2026-07-28).
    Modern,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let root = root();
    let result = match arguments.command {
        Command::Import(import) => import::run(&root, &import),
        Command::Generate(generate) => generate::run(&root, &generate),
        Command::Model(model) => model::run(&root, &model),
        Command::Diff(diff) => diff::run(&root, &diff),
        Command::Check(check) => check::run(&root, &check),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            match error.downcast_ref::<mcprism_codegen::Error>() {
                Some(error) => error.faults().iter().for_each(|fault| eprintln!("error: {fault}")),
                None => eprintln!("error: {error}"),
            }
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}
