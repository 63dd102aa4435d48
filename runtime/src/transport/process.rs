//! A server that is started as a child process.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// How many bytes of a line of the standard error are kept.
const LINE: u64 = 64 * 1024;

/// A server to be started, and what to do with it.
///
/// Specification: `basic/transports`, stdio; `basic/lifecycle` of 2025-11-25, Shutdown.
#[derive(Debug)]
pub struct Process {
    command: Command,
    errors: Errors,
    patience: Duration,
}

/// What becomes of what a server writes to its standard error, which isn't part of the protocol.
enum Errors {
    /// It goes to this process's.
    HandedOn,
    /// It goes nowhere.
    Dropped,
    /// It goes to a function, line by line.
    Lines(Box<dyn FnMut(&str) + Send>),
}

impl std::fmt::Debug for Errors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::HandedOn => "HandedOn",
            Self::Dropped => "Dropped",
            Self::Lines(_) => "Lines",
        })
    }
}

impl Process {
    /// The program, by its path or its name in `PATH`. No shell is asked.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self { command: Command::new(program), errors: Errors::HandedOn, patience: Duration::from_secs(3) }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Gives it none of the variables of this process's environment.
    #[must_use]
    pub fn env_clear(mut self) -> Self {
        self.command.env_clear();
        self
    }

    /// The folder that it is started in.
    #[must_use]
    pub fn current_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Drops what it writes to its standard error, which otherwise goes to this process's.
    #[must_use]
    pub fn without_errors(mut self) -> Self {
        self.errors = Errors::Dropped;
        self
    }

    /// Hands what it writes to its standard error to a function, line by line. It need not be about errors.
    #[must_use]
    pub fn on_errors(mut self, line: impl FnMut(&str) + Send + 'static) -> Self {
        self.errors = Errors::Lines(Box::new(line));
        self
    }

    /// How long it has to end by itself once its standard input is closed, and again once it was asked to: 3
    /// seconds unless this is called.
    #[must_use]
    pub fn patience(mut self, time: Duration) -> Self {
        self.patience = time;
        self
    }

    /// Starts it.
    ///
    /// # Errors
    /// If it can't be started.
    pub(crate) fn start(self) -> std::io::Result<(Running, ChildStdout, ChildStdin)> {
        let Self { mut command, errors, patience } = self;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        command.stderr(match errors {
            Errors::HandedOn => Stdio::inherit(),
            Errors::Dropped => Stdio::null(),
            Errors::Lines(_) => Stdio::piped(),
        });
        // In a group of its own, so that what it starts itself can be ended with it.
        #[cfg(unix)]
        command.process_group(0);
        let program = command.as_std().get_program().to_string_lossy().into_owned();
        let mut child = command.spawn().map_err(|error| {
            std::io::Error::new(error.kind(), format!("the server `{program}` can't be started: {error}"))
        })?;
        if let (Some(stream), Errors::Lines(hook)) = (child.stderr.take(), errors) {
            tokio::spawn(read_errors(stream, hook));
        }
        let missing = || std::io::Error::other("the server has no pipes");
        let output = child.stdout.take().ok_or_else(missing)?;
        let input = child.stdin.take().ok_or_else(missing)?;
        Ok((Running { child: Some(child), patience }, output, input))
    }
}

/// Hands on the lines of a standard error. A line that is very long comes in pieces.
async fn read_errors(stream: ChildStderr, mut hook: Box<dyn FnMut(&str) + Send>) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut reader).take(LINE).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => hook(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n'])),
        }
    }
}

/// A server that runs. It doesn't outlive this: dropped, it is ended in the background, or killed if there is no
/// runtime any more.
#[derive(Debug)]
pub(crate) struct Running {
    child: Option<Child>,
    patience: Duration,
}

impl Running {
    /// Ends it, after its standard input was closed: waits, asks it to, waits, kills it.
    ///
    /// # Errors
    /// If the system can't say what has become of it.
    pub(crate) async fn end(mut self) -> std::io::Result<()> {
        match self.child.take() {
            Some(child) => end(child, self.patience).await,
            None => Ok(()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let (Some(child), Ok(runtime)) = (self.child.take(), tokio::runtime::Handle::try_current()) {
            let patience = self.patience;
            runtime.spawn(async move {
                // Nobody is left to be told.
                let _ = end(child, patience).await;
            });
        }
    }
}

async fn end(mut child: Child, patience: Duration) -> std::io::Result<()> {
    if let Ok(ended) = tokio::time::timeout(patience, child.wait()).await {
        return ended.map(drop);
    }
    #[cfg(unix)]
    {
        signal(&child, rustix::process::Signal::TERM);
        if let Ok(ended) = tokio::time::timeout(patience, child.wait()).await {
            return ended.map(drop);
        }
        signal(&child, rustix::process::Signal::KILL);
    }
    child.kill().await
}

/// Sends a signal to the server and to whatever it has started.
#[cfg(unix)]
fn signal(child: &Child, signal: rustix::process::Signal) {
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may have ended at this very moment.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}
