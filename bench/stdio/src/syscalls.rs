//! Counts the system calls of a server.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::server::Server;
use crate::{Failure, plain};

/// How many requests are in the shorter and the longer of two runs. What they differ by is free of
/// what a server does at its start and at its end.
const REQUESTS: [usize; 2] = [1_000, 6_000];

/// A way to count.
pub enum Counter {
    /// A program that runs another, and writes a count to a file.
    Tool(&'static Tool),
    /// What the system says about reads and writes alone, so that the true number is higher.
    ReadsAndWrites,
}

/// A program that runs another, and counts its system calls.
pub struct Tool {
    name: &'static str,
    arguments: &'static [&'static str],
    /// The count, in what it has written.
    count: fn(&str) -> Option<u64>,
}

/// In the order of how little they disturb the server.
const TOOLS: [Tool; 2] = [
    Tool {
        name: "perf",
        arguments: &["stat", "-x,", "-e", "raw_syscalls:sys_enter", "-o"],
        count: |text| text.lines().find(|line| line.contains("raw_syscalls"))?.split(',').next()?.parse().ok(),
    },
    Tool {
        name: "strace",
        arguments: &["-f", "-c", "-o"],
        count: |text| text.lines().find(|line| line.ends_with(" total"))?.split_whitespace().nth(3)?.parse().ok(),
    },
];

impl Counter {
    /// The first that is installed and permitted.
    pub fn find() -> Self {
        let works = |tool: &Tool| {
            let output = Output::new();
            let mut command = tool.command(Path::new("true"), &output);
            let ran = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            ran.is_ok_and(|status| status.success()) && tool.read(&output).is_ok()
        };
        match TOOLS.iter().find(|tool| works(tool)) {
            Some(tool) => Counter::Tool(tool),
            None => Counter::ReadsAndWrites,
        }
    }

    /// System calls for each request, with so many in flight.
    pub fn per_request(&self, binary: &Path, in_flight: usize) -> Result<f64, Failure> {
        let mut counts = [(0.0, 0.0); 2];
        for (count, requests) in counts.iter_mut().zip(REQUESTS) {
            let (calls, answered) = self.count(binary, in_flight, requests)?;
            *count = (calls as f64, answered as f64);
        }
        let [(few_calls, few), (many_calls, many)] = counts;
        Ok((many_calls - few_calls) / (many - few))
    }

    fn count(&self, binary: &Path, in_flight: usize, requests: usize) -> Result<(u64, usize), Failure> {
        match self {
            Counter::Tool(tool) => {
                let output = Output::new();
                let answered = Server::with(tool.command(binary, &output), |_, client| {
                    Ok(client.load(in_flight, requests, Duration::ZERO)?.requests)
                })?;
                Ok((tool.read(&output)?, answered))
            }
            Counter::ReadsAndWrites => Server::with(plain(binary), |server, client| {
                let answered = client.load(in_flight, requests, Duration::ZERO)?.requests;
                Ok((server.reads_and_writes()?, answered))
            }),
        }
    }

    /// Whether some system calls are not counted.
    pub fn misses_some(&self) -> bool {
        matches!(self, Counter::ReadsAndWrites)
    }

    /// How the system calls were counted.
    pub fn note(&self) -> String {
        match self {
            Counter::Tool(tool) => format!("System calls were counted by {}.", tool.name),
            Counter::ReadsAndWrites => "System calls could not be counted, so these are reads and writes alone, and \
                the true numbers are higher; a limit that these keep may be missed all the same. To count them, install `strace` (`apt-get install strace`), or `perf` \
                (`apt-get install linux-perf`), and permit it."
                .to_owned(),
        }
    }
}

impl Tool {
    fn command(&self, binary: &Path, output: &Output) -> Command {
        let mut command = Command::new(self.name);
        command.args(self.arguments).arg(&output.0).arg("--").arg(binary);
        command
    }

    fn read(&self, output: &Output) -> Result<u64, Failure> {
        let text = std::fs::read_to_string(&output.0)?;
        (self.count)(&text).ok_or_else(|| format!("{} wrote no count: {text}", self.name).into())
    }
}

/// A file that a tool writes, gone afterwards.
struct Output(PathBuf);

impl Output {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("mcprism-bench-syscalls-{}", std::process::id())))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // It isn't there if the tool has failed.
        _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::TOOLS;

    #[test]
    fn the_counts_are_found() {
        let [perf, strace] = &TOOLS;
        let text = "# started on Tue Dec  1 05:22:24 2026\n\n145,,raw_syscalls:sys_enter,1293664,100.00,,\n";
        assert_eq!((perf.count)(text), Some(145));
        assert_eq!((perf.count)("<not supported>,,raw_syscalls:sys_enter,0,100.00,,\n"), None);
        let text = "\
            % time     seconds  usecs/call     calls    errors syscall\n\
            ------ ----------- ----------- --------- --------- ----------------\n\
            100.00    0.000915           6       145        19 total\n";
        assert_eq!((strace.count)(text), Some(145));
    }
}
