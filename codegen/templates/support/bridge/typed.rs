//! Conversions between generated types.

use serde::Serialize;

use super::{Loss, Options, Part, Refused, next, translate};
use crate::decode::Decode;
use crate::error::DecodeError;
use crate::method::{Notification, Request, Revision};
use crate::reader::Reader;
use crate::ProtocolVersion;

/// A value in the target revision.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted<T> {
    /// The value.
    pub value: T,
    /// What was lost.
    pub losses: Vec<Loss>,
}

/// Converts the params of a request, `A`, to those of the same method in another revision, `B`.
///
/// # Errors
/// As [`translate`].
pub fn params<A: Request, B: Request>(params: &A::Params, options: &Options) -> Result<Converted<B::Params>, Refused> {
    same_method(A::METHOD, B::METHOD)?;
    read_params::<B>(A::Revision::VERSION, Some(&written(params)?), options)
}

/// Converts a result of the request `A` to one of the same method in another revision, `B`.
///
/// # Errors
/// As [`translate`].
pub fn result<A: Request, B: Request>(
    outcome: &A::Outcome,
    options: &Options,
) -> Result<Converted<B::Outcome>, Refused> {
    same_method(A::METHOD, B::METHOD)?;
    read_result::<B>(A::Revision::VERSION, &written(outcome)?, options)
}

/// Converts the params of a notification, `A`, to those of the same one in another revision, `B`.
///
/// # Errors
/// As [`translate`].
pub fn notification<A: Notification, B: Notification>(
    params: &A::Params,
    options: &Options,
) -> Result<Converted<B::Params>, Refused> {
    same_method(A::METHOD, B::METHOD)?;
    read_notification::<B>(A::Revision::VERSION, Some(&written(params)?), options)
}

/// Reads params that a peer of the revision `from` sent, as those of `B`. Absent ones read as empty.
///
/// # Errors
/// As [`translate`], and if what was converted doesn't fit the type.
pub fn read_params<B: Request>(
    from: ProtocolVersion,
    json: Option<&str>,
    options: &Options,
) -> Result<Converted<B::Params>, Refused> {
    read(from, B::Revision::VERSION, B::METHOD, Part::Params, json, options)
}

/// Reads a result that a peer of the revision `from` sent, as one of `B`.
///
/// # Errors
/// As [`translate`], and if what was converted doesn't fit the type.
pub fn read_result<B: Request>(
    from: ProtocolVersion,
    json: &str,
    options: &Options,
) -> Result<Converted<B::Outcome>, Refused> {
    read(from, B::Revision::VERSION, B::METHOD, Part::Result, Some(json), options)
}

/// Reads the params of a notification that a peer of the revision `from` sent, as those of `B`. Absent
/// ones read as empty.
///
/// # Errors
/// As [`translate`], and if what was converted doesn't fit the type.
pub fn read_notification<B: Notification>(
    from: ProtocolVersion,
    json: Option<&str>,
    options: &Options,
) -> Result<Converted<B::Params>, Refused> {
    read(from, B::Revision::VERSION, B::METHOD, Part::Notification, json, options)
}

fn read<T: Decode>(
    from: ProtocolVersion,
    to: ProtocolVersion,
    method: &str,
    part: Part,
    json: Option<&str>,
    options: &Options,
) -> Result<Converted<T>, Refused> {
    if let Some(value) = json.and_then(|json| unchanged(from, to, method, part, json)) {
        return Ok(Converted { value, losses: Vec::new() });
    }
    let translated = translate(from, to, method, part, json, options)?;
    let text = translated.json.as_deref().unwrap_or("{}");
    let value = crate::decode(text).map_err(|error| refused(&error))?;
    Ok(Converted { value, losses: translated.losses })
}

/// Reads a text of a neighbour at once where nothing in it has to be converted: no name stands in it
/// that the target may not see, no kind that the target doesn't know, and nothing is missing.
fn unchanged<T: Decode>(
    from: ProtocolVersion,
    to: ProtocolVersion,
    method: &str,
    part: Part,
    json: &str,
) -> Option<T> {
    let way = next(from, to).filter(|way| way.to == to)?;
    let watch = way.watch(method, part == Part::Result)?;
    let mut reader = Reader::watching(json, watch.names, watch.inside);
    // A text that is refused is refused with the words of the slow way.
    let value = T::decode(&mut reader).ok()?;
    reader.finish().ok()?;
    (!reader.met()).then_some(value)
}

fn written(value: &impl Serialize) -> Result<String, Refused> {
    serde_json::to_string(value).map_err(|error| Refused::whole(error.to_string()))
}

fn refused(error: &DecodeError) -> Refused {
    Refused { pointer: error.pointer(), why: error.message().to_owned() }
}

fn same_method(a: &str, b: &str) -> Result<(), Refused> {
    match a == b {
        true => Ok(()),
        false => Err(Refused::whole(format!("`{a}` and `{b}` are different methods"))),
    }
}
