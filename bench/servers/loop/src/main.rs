//! Answers `initialize` and the tool `echo`, in a blocking loop that is written by hand.
//!
//! It does what every server has to: read what is there, find the lines, read each envelope, write the
//! answers to all of them at once. Nothing is checked that isn't used.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Write, stdin, stdout};
use std::os::fd::AsFd;

use serde::Deserialize;
use serde_json::value::RawValue;

/// What a pipe holds.
const CHUNK: usize = 64 * 1024;

type Failure = Box<dyn std::error::Error>;

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct CallToolParams<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    arguments: EchoArguments<'a>,
}

#[derive(Deserialize)]
struct EchoArguments<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

fn main() -> Result<(), Failure> {
    // Past the buffers of the standard library: it locks, and looks for lines once more.
    let mut input = File::from(stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(stdout().as_fd().try_clone_to_owned()?);
    let mut read = vec![0; CHUNK];
    let mut filled = 0;
    let mut answers = Vec::new();
    loop {
        if filled == read.len() {
            read.resize(2 * filled, 0);
        }
        match input.read(&mut read[filled..])? {
            0 => return Ok(()),
            count => filled += count,
        }
        let mut start = 0;
        while let Some(length) = read[start..filled].iter().position(|byte| *byte == b'\n') {
            answer(&read[start..start + length], &mut answers)?;
            start += length + 1;
        }
        read.copy_within(start..filled, 0);
        filled -= start;
        if !answers.is_empty() {
            output.write_all(&answers)?;
            answers.clear();
        }
    }
}

/// Writes the answer to a line, if it is a request.
fn answer(line: &[u8], out: &mut Vec<u8>) -> Result<(), Failure> {
    let envelope: Envelope = serde_json::from_slice(line)?;
    let Some(id) = envelope.id else { return Ok(()) };
    write!(out, r#"{{"jsonrpc":"2.0","id":{id},"#)?;
    match (&*envelope.method, envelope.params) {
        ("tools/call", Some(params)) => {
            let params: CallToolParams = serde_json::from_str(params.get())?;
            if params.name == "echo" {
                out.extend_from_slice(br#""result":{"content":[{"type":"text","text":"#);
                serde_json::to_writer(&mut *out, &params.arguments.text)?;
                out.extend_from_slice(b"}]}}\n");
            } else {
                out.extend_from_slice(br#""error":{"code":-32602,"message":"no such tool"}}"#);
                out.push(b'\n');
            }
        }
        ("initialize", _) => {
            out.extend_from_slice(br#""result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"#);
            out.extend_from_slice(br#""serverInfo":{"name":"echo-loop","version":"0.0.0"}}}"#);
            out.push(b'\n');
        }
        _ => {
            out.extend_from_slice(br#""error":{"code":-32601,"message":"no such method"}}"#);
            out.push(b'\n');
        }
    }
    Ok(())
}
