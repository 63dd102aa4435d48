//! Drives echo servers over pipes, and compares them: how many requests they answer, how soon, and what
//! of the machine they need for it.
//!
//! A server is a binary beside this one. It runs as a child process, afresh for each measurement, is
//! initialized, warmed up, and then has so many `tools/call` of its tool `echo` in flight at any time:
//! for each answer that comes, the next request goes. Requests and answers that can go together do, in
//! one write. The latency of a request is from before the write that it's in to after the read that
//! its answer is in.
//!
//! Both processes are pinned to the same core. The rate thus has the driver's own work in it, as if
//! the two were one program; otherwise the scheduler's choice of cores would decide the figure. Ratios
//! are to the blocking loop in the same round, medians over the rounds.

mod client;
mod measure;
mod report;
mod server;
mod syscalls;

use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

use measure::Figures;

/// The candidates: `loop` is the binary `echo-loop`, from the package of that name in `servers/loop`.
/// The first is what the others are compared to. One more is one line here.
const CANDIDATES: [&str; 4] = ["loop", "ours", "rmcp", "rmcp-best"];

/// Which candidate the limits are for.
const OURS: &str = "ours";

type Failure = Box<dyn std::error::Error>;

/// Drives echo servers over pipes, and compares them to a blocking loop that is written by hand.
///
/// `stdio.sh` builds them and runs this. Prints tables in Markdown.
#[derive(Parser)]
#[command(name = "stdio")]
struct Arguments {
    /// Rounds, in each of which every candidate has its turn
    #[arg(long, default_value_t = 5, value_parser = positive)]
    rounds: usize,
    /// How many requests are in flight, a table for each
    #[arg(long, value_delimiter = ',', default_value = "1,8,64,512", value_parser = positive)]
    in_flight: Vec<usize>,
    /// Requests in each measurement, at least; it lasts a quarter of a second, too
    #[arg(long, default_value_t = 10_000, value_parser = positive)]
    requests: usize,
    /// Only candidates whose name contains this, beside the loop
    #[arg(long, default_value = "")]
    filter: String,
    /// Exit with 1 if ours misses a limit, or isn't there
    #[arg(long)]
    strict: bool,
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "it must be a positive number".to_owned())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("stdio: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let program = std::env::current_exe()?;
    let folder = program.parent().ok_or("this program is in no folder")?;
    let binary = |name: &str| folder.join(format!("echo-{name}"));
    let [base, others @ ..] = CANDIDATES;
    if !binary(base).exists() {
        return Err(format!("there is no echo-{base} in {}; bench/stdio.sh builds it", folder.display()).into());
    }
    let asked = others.into_iter().filter(|name| name.contains(&arguments.filter));
    let (there, absent): (Vec<_>, Vec<_>) = asked.partition(|name| binary(name).exists());
    let mut candidates = vec![(base, binary(base))];
    candidates.extend(there.into_iter().map(|name| (name, binary(name))));

    pin()?;
    let counter = syscalls::Counter::find();
    let figures = measure::all(&candidates, arguments, &counter)?;
    let names: Vec<&str> = candidates.iter().map(|(name, _)| *name).collect();
    let missed = print(&names, &figures, &counter)?;
    for name in &absent {
        eprintln!("echo-{name} isn't in {}, so it was left out", folder.display());
    }
    let failed = !missed.is_empty() || absent.contains(&OURS);
    Ok(ExitCode::from(u8::from(arguments.strict && failed)))
}

/// Pins this process, and with it its children, to the last of the cores that it may use.
fn pin() -> Result<(), Failure> {
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this)?;
    let last = (0..CpuSet::count()).rev().find(|core| allowed.is_set(*core).unwrap_or(false));
    let mut one = CpuSet::new();
    one.set(last.ok_or("this process may use no core")?)?;
    Ok(sched_setaffinity(this, &one)?)
}

fn print(names: &[&str], figures: &[Figures], counter: &syscalls::Counter) -> Result<Vec<String>, Failure> {
    let mut out = stdout().lock();
    let mut missed = Vec::new();
    for figures in figures {
        let (table, more) = report::table(names, figures, counter.misses_some());
        writeln!(out, "{table}")?;
        missed.extend(more);
    }
    writeln!(out, "{}", counter.note())?;
    for missed in &missed {
        writeln!(out, "\nMissed: {missed}.")?;
    }
    Ok(missed)
}

/// Where the binary of a candidate is.
type Candidate<'a> = (&'a str, std::path::PathBuf);

/// A command that runs a binary as it is.
fn plain(binary: &Path) -> std::process::Command {
    std::process::Command::new(binary)
}
