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

/// One step.
struct Step {
    /// What is true if it succeeds.
    what: &'static str,
    /// The arguments of cargo, by spaces.
    command: &'static str,
    /// The flags that rustdoc gets.
    rustdoc: &'static str,
}

/// The steps, in order.
const STEPS: [Step; 6] = [
    Step { what: "generated files are up to date", command: "xtask generate --check", rustdoc: "" },
    Step {
        what: "hand-written code is formatted",
        command: "fmt --check -p mcprism-codegen -p mcprism -p mcprism-tests -p xtask",
        rustdoc: "",
    },
    Step {
        what: "clippy has nothing to say",
        command: "clippy --workspace --all-targets --all-features -- -D warnings",
        rustdoc: "",
    },
    Step {
        what: "the documentation builds",
        command: "doc --workspace --no-deps --all-features",
        rustdoc: "-D warnings",
    },
    Step { what: "the tests pass", command: "test --workspace", rustdoc: "" },
    Step {
        what: "every set of features compiles",
        command: "test -p mcprism-tests --test features -- --ignored",
        rustdoc: "",
    },
];

/// Runs the command.
pub fn run(root: &Path, arguments: &Check) -> Result<ExitCode> {
    for (at, Step { what, command, rustdoc }) in STEPS.iter().enumerate() {
        eprintln!("[{}/{}] {what}: cargo {command}", at + 1, STEPS.len());
        if arguments.list {
            continue;
        }
        let start = Instant::now();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut process = Command::new(cargo);
        process.args(command.split(' ')).current_dir(root);
        if !rustdoc.is_empty() {
            process.env("RUSTDOCFLAGS", rustdoc);
        }
        let status = process.status()?;
        if !status.success() {
            eprintln!("[{}/{}] failed: {what}", at + 1, STEPS.len());
            return Ok(ExitCode::FAILURE);
        }
        eprintln!("[{}/{}] done in {:.0} s", at + 1, STEPS.len(), start.elapsed().as_secs_f64());
    }
    Ok(ExitCode::SUCCESS)
}
