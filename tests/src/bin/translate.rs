//! Converts between revisions: one object a line in, one answer a line out.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

const HELP: &str = r#"Converts params, results and notifications between revisions.

Usage: translate < questions

In, one object a line:

  {"from":"2026-07-28","to":"2024-11-05","method":"tools/call","part":"result","json":"<text>"}

  part     params, result or notification
  json     the text to convert; absent or null where a message has no params
  session  what the client said of itself, for requests that have to say it each time:
           {"clientCapabilities":{…},"clientInfo":{…},"protocolVersion":"…"}, with or without the
           prefix `io.modelcontextprotocol/`; other members are not read
  mode     strict (default), or keep: members that only other revisions know stay
  policy   substitute (default), drop or refuse: what becomes of content that can't be said

Out, one object a line:

  {"json":"<text>","losses":[{"pointer":"/tools/0/title","what":"…","why":"…"}]}
  {"refused":"<where, what, what next>"}

A pointer counts from the text that came in, and `what` is the value that was lost there. A line that
is no question is refused, and the next one is read. Blank lines are skipped.
"#;

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = io::stdout().lock();
    match arguments.first().map(String::as_str) {
        None => {}
        Some("--help" | "-h") => {
            out.write_all(HELP.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(other) => {
            writeln!(io::stderr(), "unknown argument `{other}`; questions come on stdin, see --help")?;
            return Ok(ExitCode::from(2));
        }
    }
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        writeln!(out, "{}", mcprism_tests::translate::answer(&line))?;
        out.flush()?;
    }
}
