//! Whether a value fits a JSON Schema that somebody else has written.

use std::fmt;

use jsonschema::Validator;
use mcprism_types::{Json, ProtocolVersion};

use super::Breach;
use super::table::STRUCTURED_FITS;
use super::tools::structured_content;

/// How deep a schema may be nested.
const DEPTH: usize = 64;

/// How many values a schema may consist of.
const SIZE: usize = 20_000;

/// A JSON Schema, such as a tool's `outputSchema`: of the dialect that `$schema` names, or of 2020-12.
///
/// Nothing is ever fetched: a schema that refers to another place is refused, as is one so large or so deep that
/// judging by it could take for ever.
///
/// Specification: `server/tools`, Output Schema; `basic` of 2026-07-28, JSON Schema Usage.
#[derive(Debug)]
pub struct Schema(Validator);

/// What is wrong with a schema, or with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Where, as a JSON pointer (RFC 6901) into the schema or the value.
    pub pointer: String,
    /// What.
    pub why: String,
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// If it is no valid schema, refers to another place, or is too large.
    pub fn new(schema: &Json) -> Result<Self, Misfit> {
        let schema = schema.to_value();
        let whole = |why: &str| Misfit { pointer: String::new(), why: why.to_owned() };
        let mut left = SIZE;
        if !bounded(&schema, DEPTH, &mut left) {
            return Err(whole("the schema is too large to judge by"));
        }
        let read = jsonschema::options().build(&schema);
        read.map(Self).map_err(|error| Misfit { pointer: error.instance_path().to_string(), why: error.to_string() })
    }

    /// Whether a value fits; the first place where it doesn't.
    ///
    /// # Errors
    /// If it doesn't.
    pub fn check(&self, value: &Json) -> Result<(), Misfit> {
        let value = value.to_value();
        let checked = self.0.validate(&value);
        checked.map_err(|error| Misfit { pointer: error.instance_path().to_string(), why: error.to_string() })
    }
}

/// Judges the result of a tool by its output schema, where the revision has structured content.
///
/// # Errors
/// If it has none though it should, or has one that doesn't fit; the place counts from the result.
pub fn output_fits(version: ProtocolVersion, schema: &Schema, result: &str) -> Result<(), Breach> {
    let Some(content) = structured_content(version, true, result)? else { return Ok(()) };
    schema.check(&content).map_err(|misfit| STRUCTURED_FITS.breach(format!("/structuredContent{}", misfit.pointer)))
}

/// Whether a schema has at most so many values, so deep.
fn bounded(value: &serde_json::Value, depth: usize, left: &mut usize) -> bool {
    let Some(less) = left.checked_sub(1) else { return false };
    *left = less;
    let Some(deeper) = depth.checked_sub(1) else { return false };
    match value {
        serde_json::Value::Array(all) => all.iter().all(|value| bounded(value, deeper, left)),
        serde_json::Value::Object(all) => all.values().all(|value| bounded(value, deeper, left)),
        _ => true,
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.why),
            pointer => write!(f, "{pointer}: {}", self.why),
        }
    }
}

impl std::error::Error for Misfit {}
