//! Goes to each object of a message that may have `_meta`, icons or a URI, in whatever revision.
//!
//! It goes by the names of members, and passes over what isn't the protocol's (arguments, schemas,
//! structured content, metadata), where such names mean anything or nothing.

use mcprism_types::{Decoded, Kind, Reader};

use super::judge::{Judge, Place};
use super::{meta, uris};

/// Members that hold an object of the protocol's, or a list of them.
const HOLDERS: &[&str] = &[
    "clientInfo",
    "content",
    "contents",
    "messages",
    "params",
    "prompts",
    "resource",
    "resourceTemplates",
    "resources",
    "roots",
    "serverInfo",
    "tools",
];

/// Members that hold a map of them.
const MAPS: &[&str] = &["inputRequests", "inputResponses"];

/// Looks at a whole params or result.
pub(super) fn message(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    // A text that doesn't fit is judged as far as it goes.
    let _ = object(judge, &mut reader.clone(), place, "");
}

/// Looks at one object, which `holder` holds. The reader knows how deep it may go.
fn object(judge: &mut Judge, reader: &mut Reader<'_>, place: &Place<'_>, holder: &str) -> Decoded<()> {
    if reader.kind()? != Kind::Object {
        return reader.skip().map(drop);
    }
    let (mut kind, mut uri) = (None, None);
    reader.object(&mut |reader, name| {
        let place = place.name(name);
        match name {
            // Strings, if they are what they should be.
            "type" => kind = reader.clone().string().ok(),
            "uri" => uri = reader.clone().string().ok(),
            "_meta" => meta::object(judge, reader, &place),
            "icons" => uris::icons(judge, reader, &place),
            _ if HOLDERS.contains(&name) => return held(judge, reader, &place, name),
            _ if MAPS.contains(&name) && reader.kind()? == Kind::Object => {
                return reader.object(&mut |reader, key| object(judge, reader, &place.name(key), name));
            }
            _ => {}
        }
        reader.skip().map(drop)
    })?;
    if let Some(uri) = uri {
        uris::uri(judge, &uri, &place.name("uri"), holder, kind.as_deref());
    }
    Ok(())
}

/// Looks at an object or at each of a list.
fn held(judge: &mut Judge, reader: &mut Reader<'_>, place: &Place<'_>, holder: &str) -> Decoded<()> {
    if reader.kind()? != Kind::Array {
        return object(judge, reader, place, holder);
    }
    let mut index = 0;
    reader.array(&mut |reader| {
        index += 1;
        object(judge, reader, &place.item(index - 1), holder)
    })
}
