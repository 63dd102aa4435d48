//! Keeps requests in flight over a server's pipes, and looks at every answer.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use memchr::{memchr, memmem};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use serde_json::Value;

/// What a pipe holds.
const CHUNK: usize = 64 * 1024;

/// Of so many answers, the first is read whole; of the others, the id.
const SAMPLE: usize = 128;

/// A client that is connected to a server.
pub struct Client {
    to: ChildStdin,
    from: ChildStdout,
    /// What is to be written, and how much of it has been.
    out: Vec<u8>,
    written: usize,
    /// What was read, and how much of the buffer that is.
    read: Vec<u8>,
    filled: usize,
    /// The first id that was not used yet.
    next: u64,
}

/// How requests went.
pub struct Load {
    /// How many were answered.
    pub requests: usize,
    /// How long that took.
    pub taken: Duration,
    /// How long each took, in nanoseconds.
    pub latencies: Vec<u32>,
}

/// A place for a request in flight. When it is answered, the next one in the same place has an id that
/// is higher by the number of places; so the place follows from the id.
struct Place {
    id: u64,
    sent: Duration,
}

impl Client {
    /// Initializes the session.
    pub fn connect(to: ChildStdin, from: ChildStdout) -> Result<Self> {
        // A write must never wait: the server may be waiting for its own answers to be read.
        let flags = OFlag::from_bits_truncate(fcntl(&to, FcntlArg::F_GETFL)?);
        fcntl(&to, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        let mut client = Client { to, from, out: Vec::new(), written: 0, read: vec![0; CHUNK], filled: 0, next: 1 };
        client.out.extend_from_slice(
            br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
        );
        client.out.extend_from_slice(br#""clientInfo":{"name":"stdio","version":"0.0.0"},"capabilities":{}}}"#);
        client.out.push(b'\n');
        client.write()?;
        let end = loop {
            client.read()?;
            if let Some(end) = memchr(b'\n', &client.read[..client.filled]) {
                break end;
            }
        };
        let answer: Value = serde_json::from_slice(&client.read[..end])?;
        if answer["id"] != 0 || answer["result"]["protocolVersion"] != "2025-11-25" {
            return Err(wrong("an answer to initialize", &client.read[..end]));
        }
        client.discard(end + 1);
        client.out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client.out.push(b'\n');
        client.write()?;
        Ok(client)
    }

    /// Keeps so many requests in flight until there were so many, for so long, and then waits for the
    /// last of them.
    pub fn load(&mut self, in_flight: usize, requests: usize, time: Duration) -> Result<Load> {
        let mut latencies = Vec::with_capacity(requests);
        let first = self.next;
        let step = in_flight as u64;
        let start = Instant::now();
        let mut places: Vec<Place> = (first..first + step).map(|id| Place { id, sent: Duration::ZERO }).collect();
        for place in &places {
            request(place.id, &mut self.out);
        }
        self.next = first + step;
        let mut begun = in_flight;
        let mut refilled = Vec::with_capacity(in_flight);
        while latencies.len() < begun {
            self.write()?;
            self.read()?;
            let now = start.elapsed();
            let mut at = 0;
            while let Some(length) = memchr(b'\n', &self.read[at..self.filled]) {
                let line = &self.read[at..at + length];
                at += length + 1;
                let Some(id) = id_of(line)? else { continue };
                let index = (id.wrapping_sub(first) % step) as usize;
                let place = &mut places[index];
                if place.id != id {
                    return Err(wrong(&format!("an id that is in flight, not {id}"), line));
                }
                if latencies.len() % SAMPLE == 0 {
                    check(id, line)?;
                }
                latencies.push(u32::try_from((now - place.sent).as_nanos()).unwrap_or(u32::MAX));
                if begun < requests || now < time {
                    place.id += step;
                    request(place.id, &mut self.out);
                    self.next = self.next.max(place.id + 1);
                    begun += 1;
                    refilled.push(index);
                } else {
                    // No second answer will do.
                    place.id = u64::MAX;
                }
            }
            self.discard(at);
            let now = start.elapsed();
            for index in refilled.drain(..) {
                places[index].sent = now;
            }
        }
        Ok(Load { requests: begun, taken: start.elapsed(), latencies })
    }

    /// Writes as much of what is to be written as goes at once.
    fn write(&mut self) -> Result<()> {
        while self.written < self.out.len() {
            match self.to.write(&self.out[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.written = 0;
        Ok(())
    }

    /// Waits for something to read.
    fn read(&mut self) -> Result<()> {
        if self.filled == self.read.len() {
            self.read.resize(2 * self.filled, 0);
        }
        match self.from.read(&mut self.read[self.filled..])? {
            0 => Err(Error::new(ErrorKind::UnexpectedEof, "the server closed its output")),
            count => {
                self.filled += count;
                Ok(())
            }
        }
    }

    /// Forgets the beginning of what was read.
    fn discard(&mut self, count: usize) {
        self.read.copy_within(count..self.filled, 0);
        self.filled -= count;
    }
}

/// What the tool is told, a text that differs with the request.
fn text(id: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Pack my box with five dozen liquor jugs, says request ");
    number(id, out);
}

fn request(id: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    number(id, out);
    out.extend_from_slice(br#","method":"tools/call","params":{"name":"echo","arguments":{"text":""#);
    text(id, out);
    out.extend_from_slice(b"\"}}}\n");
}

/// Writes a number in decimal: `write!` would take a tenth of the driver's time.
fn number(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return out.extend_from_slice(&digits[start..]);
        }
    }
}

/// The id of an answer, wherever it stands, or none for a message that is no answer. In a whole read
/// of each line the driver would spend more than the servers do.
fn id_of(line: &[u8]) -> Result<Option<u64>> {
    const KEY: &[u8] = br#""id":"#;
    let digits = memmem::find(line, KEY).map(|at| &line[at + KEY.len()..]).unwrap_or_default();
    let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (1..20).contains(&count) {
        return Ok(Some(digits[..count].iter().fold(0, |id, digit| id * 10 + u64::from(digit - b'0'))));
    }
    let message: Value = serde_json::from_slice(line)?;
    match (&message["id"], &message["method"]) {
        (Value::Number(id), Value::Null) => Ok(id.as_u64()),
        (Value::Null, Value::String(_)) => Ok(None),
        _ => Err(wrong("an answer or a notification", line)),
    }
}

/// Reads an answer whole: it must be what the request was told.
fn check(id: u64, line: &[u8]) -> Result<()> {
    let mut expected = Vec::new();
    text(id, &mut expected);
    let answer: Value = serde_json::from_slice(line)?;
    let result = &answer["result"];
    let said = result["content"][0]["text"].as_str().unwrap_or_default();
    if answer["id"] != id || result["isError"] == true || said.as_bytes() != expected {
        return Err(wrong(&format!("an answer to {id} with its text"), line));
    }
    Ok(())
}

fn wrong(expected: &str, line: &[u8]) -> Error {
    Error::new(ErrorKind::InvalidData, format!("expected {expected}: {}", String::from_utf8_lossy(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_wherever_it_stands() {
        for line in [
            r#"{"jsonrpc":"2.0","id":17,"result":{}}"#,
            r#"{"id":17,"result":{},"jsonrpc":"2.0"}"#,
            r#"{ "result": {}, "id" : 17 }"#,
        ] {
            assert_eq!(id_of(line.as_bytes()).unwrap(), Some(17));
        }
        assert_eq!(id_of(br#"{"jsonrpc":"2.0","method":"notifications/message"}"#).unwrap(), None);
        assert!(id_of(br#"{"jsonrpc":"2.0","id":null,"error":{}}"#).is_err());
    }

    #[test]
    fn an_answer_must_have_the_text() {
        let mut line = Vec::new();
        line.extend_from_slice(br#"{"id":7,"result":{"content":[{"type":"text","text":""#);
        text(7, &mut line);
        line.extend_from_slice(br#""}]}}"#);
        check(7, &line).unwrap();
        check(8, &line).unwrap_err();
        check(7, br#"{"id":7,"error":{"code":-32602,"message":"no such tool"}}"#).unwrap_err();
    }

    #[test]
    fn numbers_are_decimal() {
        for value in [0, 7, 10, 123_456, u64::MAX] {
            let mut out = Vec::new();
            number(value, &mut out);
            assert_eq!(out, value.to_string().into_bytes());
        }
    }
}
