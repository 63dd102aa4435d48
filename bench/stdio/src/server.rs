//! Runs a server as a child process, and reads what it has used.

use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

use crate::Failure;
use crate::client::Client;

/// How long a server may take for one measurement.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server that runs.
pub struct Server {
    child: Child,
}

impl Server {
    /// Starts a server, does something with a client that is connected to it, and waits for its end.
    pub fn with<T>(
        mut command: Command,
        act: impl FnOnce(&Server, &mut Client) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let what = format!("{command:?}");
        let told = |failure: Failure| format!("{what}: {failure}");
        let (done, waited) = channel::<()>();
        let name = what.clone();
        std::thread::spawn(move || {
            if waited.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("stdio: {name} was not done in {PATIENCE:?}");
                std::process::exit(2);
            }
        });
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|e| told(e.into()))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(told("it has no pipes".into()).into());
        };
        let mut server = Server { child };
        let mut client = Client::connect(to, from).map_err(|error| told(error.into()))?;
        let result = act(&server, &mut client).map_err(told)?;
        drop(client);
        let status = server.child.wait()?;
        drop(done);
        match status.success() {
            true => Ok(result),
            false => Err(told(format!("it ended with {status}").into()).into()),
        }
    }

    /// What it has used of a processor, to the nanosecond, threads that have ended included.
    pub fn cpu_time(&self) -> Result<Duration, Failure> {
        Ok(clock_gettime(ClockId::pid_cpu_clock_id(self.pid()?)?)?.into())
    }

    /// The most memory that it ever had resident, in bytes.
    pub fn peak(&self) -> Result<u64, Failure> {
        Ok(1024 * self.entry("status", "VmHWM:")?)
    }

    /// How often it has asked to read or to write: all but every system call that isn't for waiting.
    pub fn reads_and_writes(&self) -> Result<u64, Failure> {
        Ok(self.entry("io", "syscr:")? + self.entry("io", "syscw:")?)
    }

    fn entry(&self, file: &str, key: &str) -> Result<u64, Failure> {
        let path = format!("/proc/{}/{file}", self.pid()?);
        let text = std::fs::read_to_string(&path)?;
        let entry = text.lines().find_map(|line| line.strip_prefix(key)?.split_whitespace().next()?.parse().ok());
        entry.ok_or_else(|| format!("{path} has no {key}").into())
    }

    fn pid(&self) -> Result<Pid, Failure> {
        Ok(Pid::from_raw(i32::try_from(self.child.id())?))
    }
}
