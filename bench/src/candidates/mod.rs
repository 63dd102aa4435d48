//! What is measured: each way to read and write a message, checked once before it is timed.

mod envelope;
mod ours;
mod rmcp;
mod rust_mcp_schema;
mod value;

use std::error::Error;
use std::hint::black_box;

use serde_json::Value;

use crate::messages::Message;

/// The names of the candidates, in the order of [`all`]: columns of the tables.
pub const NAMES: [&str; 5] = ["`Value`", "envelope", "**ours**", "rmcp", "rust-mcp-schema"];

/// The place in [`NAMES`] of what the others are compared with.
pub const BASE: usize = 0;

/// The place in [`NAMES`] of ours.
pub const OURS: usize = 2;

/// What goes wrong in a candidate.
pub type Failure = Box<dyn Error>;

/// One way to read and write one message.
pub struct Candidate {
    /// Reads the message, and drops what it was read to.
    pub decode: Box<dyn Fn()>,
    /// Writes the message, which was read before, at the end of a buffer.
    pub encode: Box<Encode>,
}

/// Writes at the end of a buffer.
type Encode = dyn Fn(&mut Vec<u8>);

/// Every candidate for a message.
///
/// # Errors
/// If one of them reads the message as something else, or doesn't write what was read.
pub fn all(message: &Message) -> Result<[Candidate; NAMES.len()], Failure> {
    Ok([
        value::candidate(message)?,
        envelope::candidate(message)?,
        ours::candidate(message)?,
        rmcp::candidate(message)?,
        rust_mcp_schema::candidate(message)?,
    ])
}

/// Checks a way to read and write, and keeps it for timing.
fn checked<T: 'static>(
    message: &Message,
    decode: impl Fn(&'static str) -> Result<T, Failure> + 'static,
    type_name: impl Fn(&T) -> &'static str,
    encode: impl Fn(&T, &mut Vec<u8>) -> serde_json::Result<()> + 'static,
) -> Result<Candidate, Failure> {
    let text = message.text;
    let value = decode(text)?;
    let found = type_name(&value);
    if found != message.type_name {
        return Err(format!("expected {}, decoded {found}", message.type_name).into());
    }
    let mut out = Vec::new();
    encode(&value, &mut out)?;
    if !same(&serde_json::from_str(text)?, &serde_json::from_slice(&out)?) {
        return Err(format!("what was written differs: {}", String::from_utf8_lossy(&out)).into());
    }
    Ok(Candidate {
        decode: Box::new(move || {
            black_box(&decode(black_box(text)));
        }),
        encode: Box::new(move |out| {
            black_box(&encode(black_box(&value), out));
        }),
    })
}

/// Equality of JSON, numbers by value: a peer may write `42` as `42.0`.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
