//! Probes the types: one object a line in, one answer a line out.
//!
//! In: `{"revision":"2025-11-25","type":"CallToolResult","json":"<text>"}`, or `"decode"` in place of
//! `"type"`: `client_request`, `server_request`, `input_request`, `client_notification`,
//! `server_notification`, or `result` with a `"method"`.
//!
//! Out: `{"json":"<what was written>"}`, with `"variant"` for a keyed decoder; or
//! `{"error":"…","pointer":"/content/0"}`.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        writeln!(out, "{}", mcprism_tests::roundtrip::answer(&line))?;
        out.flush()?;
    }
}
