//! How fast messages are read and written, and with how many allocations: mcprism beside rmcp,
//! rust-mcp-schema, `serde_json::Value` and a borrowed envelope.
//!
//! ```text
//! cargo run --release --manifest-path bench/Cargo.toml -- --rounds 60 --filter tools/call
//! ```
//!
//! Each candidate is checked first: it has to read the message as what it is, and to write what it
//! read. Then it runs for two milliseconds at a time, in rounds in which every candidate has its turn
//! on the same message, by the clock of this thread's processor time. A figure is the median over the
//! rounds of a candidate's time divided by `Value`'s in the same round: 0.50 is half a `Value`'s time.
//! Only such ratios say anything; the times beside them depend on the machine and on its neighbours.
//!
//! Reading goes from the text of the whole message to the exact type, and includes the drop. For ours
//! that is `jsonrpc::Message::parse`, then `decode` by the method (a result's method is the one that is
//! pending); for the peers it is serde_json on the message types that their transports read. The
//! envelope leaves `params` and `result` as text, so it shows what any reader has to spend. Writing
//! goes into a buffer that is used again. Counts of allocations repeat exactly; growing is one, too.

mod allocations;
mod candidates;
mod conversions;
mod measure;
mod messages;
mod report;

use std::io::Write;
use std::process::ExitCode;

use candidates::Failure;
use report::Row;

const HELP: &str = "\
Measures how fast messages are read and written, against the peers and serde_json's Value.

Usage: mcprism-bench [--rounds N] [--filter TEXT] [--strict]

  --rounds N      rounds for each message and direction (default 60; one takes about 10 ms)
  --filter TEXT   only messages whose name contains TEXT, or `conversion`
  --strict        exit with 1 if ours misses a limit
  --help          this text

Build it with --release. It prints tables in Markdown.
";

/// What was asked for.
struct Arguments {
    rounds: usize,
    filter: String,
    strict: bool,
    help: bool,
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("mcprism-bench: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, Failure> {
    let arguments = arguments(std::env::args().skip(1))?;
    let mut out = std::io::stdout().lock();
    if arguments.help {
        out.write_all(HELP.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = Vec::new();
    for message in messages::all() {
        if !message.name.contains(&arguments.filter) {
            continue;
        }
        let name = message.name;
        let candidates = candidates::all(&message).map_err(|failure| format!("{name}: {failure}"))?;
        let decode = measure::decode(&candidates, arguments.rounds);
        let encode = measure::encode(&candidates, arguments.rounds);
        rows.push(Row { message, decode, encode });
    }
    let conversions = match "conversion".contains(&arguments.filter) {
        true => conversions::all(arguments.rounds)?,
        false => Vec::new(),
    };
    if rows.is_empty() && conversions.is_empty() {
        return Err(format!("no message's name contains `{}`", arguments.filter).into());
    }
    let tables = [
        report::times("Decode, × `Value`", &rows, |row| (&row.decode, row.message.decode_limit)),
        report::times("Encode, × `Value`", &rows, |row| (&row.encode, row.message.encode_limit)),
        report::allocations("Allocations, decode", &rows, |row| (&row.decode, row.message.allocation_limit)),
        report::allocations("Allocations, encode", &rows, |row| (&row.encode, Some(0))),
    ];
    if !rows.is_empty() {
        out.write_all(tables.join("\n").as_bytes())?;
    }
    let mut missed = report::missed(&rows);
    if !conversions.is_empty() {
        let (table, more) = conversions::report(&conversions);
        writeln!(out, "\n{table}")?;
        missed.extend(more);
    }
    for missed in &missed {
        writeln!(out, "\nMissed: {missed}.")?;
    }
    Ok(ExitCode::from(u8::from(arguments.strict && !missed.is_empty())))
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, Failure> {
    let mut arguments = Arguments { rounds: 60, filter: String::new(), strict: false, help: false };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--rounds" => {
                let rounds = value()?;
                arguments.rounds = rounds
                    .parse()
                    .ok()
                    .filter(|rounds| *rounds > 0)
                    .ok_or_else(|| format!("--rounds needs a positive number, not `{rounds}`"))?;
            }
            "--filter" => arguments.filter = value()?,
            "--strict" => arguments.strict = true,
            "--help" | "-h" => arguments.help = true,
            _ => return Err(format!("unknown argument `{word}`; see --help").into()),
        }
    }
    Ok(arguments)
}
