//! `cargo xtask check`: everything that CI checks, in CI's order.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use clap::Args;

use crate::files::Result;

/// How to check.
#[derive(Args)]
pub struct Check {
    /// List the steps, and run none.
    #[arg(long)]
    list: bool,
}

/// The steps: what each is for, its command, and its environment.
const STEPS: [(&str, &[&str], &[(&str, &str)]); 6] = [
    ("generated files are up to date", &["xtask", "generate", "--check"], &[]),
    (
        "hand-written code is formatted",
        &["fmt", "--check", "-p", "mcprism-codegen", "-p", "mcprism", "-p", "mcprism-tests", "-p", "xtask"],
        &[],
    ),
    (
        "clippy has nothing to say",
        &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
        &[],
    ),
    (
        "the documentation builds",
        &["doc", "--workspace", "--no-deps", "--all-features"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    ("the tests pass", &["test", "--workspace"], &[]),
    ("every set of features compiles", &["test", "-p", "mcprism-tests", "--test", "features", "--", "--ignored"], &[]),
];

/// Runs the command.
pub fn run(root: &Path, arguments: &Check) -> Result<ExitCode> {
    for (at, (what, command, environment)) in STEPS.iter().enumerate() {
        eprintln!("[{}/{}] {what}: cargo {}", at + 1, STEPS.len(), command.join(" "));
        if arguments.list {
            continue;
        }
        let start = Instant::now();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo).args(*command).envs(environment.iter().copied()).current_dir(root).status()?;
        if !status.success() {
            eprintln!("[{}/{}] failed: {what}", at + 1, STEPS.len());
            return Ok(ExitCode::FAILURE);
        }
        eprintln!("[{}/{}] done in {:.0} s", at + 1, STEPS.len(), start.elapsed().as_secs_f64());
    }
    Ok(ExitCode::SUCCESS)
}
