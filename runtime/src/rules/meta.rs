//! Names of keys in `_meta`, and what stands at those that the specification defines.
//!
//! A key is an optional prefix and a name. The prefix is labels with dots between them and a slash after
//! them; a label begins with a letter, ends with a letter or digit, and has hyphens too in between. The
//! name may be empty; otherwise it begins and ends with a letter or digit, and has `-`, `_` and `.` too
//! in between. Keys that a peer made up are reported, and no reason to refuse anything.
//!
//! Pages: `basic/index` since 2025-06-18 (before, no page names keys), and for extensions
//! `basic/versioning` of 2026-07-28.

use mcprism_types::{Kind, ProtocolVersion, Reader};

use super::Breach;
use super::judge::{Judge, Place, member, members};
use super::table::{self, EXTENSION, META_KEY, META_RESERVED, SUBSCRIPTION, TRACEPARENT};

const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Says whether a key of `_meta` is well formed, for who is about to write one.
///
/// Page: `basic/index` since 2025-06-18.
///
/// ```
/// use mcprism::rules::meta_key;
///
/// assert!(meta_key("progressToken").is_ok());
/// assert!(meta_key("com.example/trace-id").is_ok());
/// assert!(meta_key("example/a/b").is_err());
/// ```
///
/// # Errors
/// The rule, with an empty pointer.
pub fn meta_key(key: &str) -> Result<(), Breach> {
    match split(key) {
        Some(_) => Ok(()),
        None => Err(META_KEY.breach(String::new())),
    }
}

/// Whether a key of `_meta` has a prefix that this revision reserves for MCP, though the revision
/// defines no such key.
///
/// Since 2026-07-28 extensions define keys below `io.modelcontextprotocol/`, so that none of them is
/// called undefined. A key that isn't well formed isn't reserved.
///
/// ```
/// use mcprism::rules::reserved_meta_key;
/// use mcprism::types::ProtocolVersion;
///
/// assert!(reserved_meta_key(ProtocolVersion::V2025_11_25, "dev.mcp/mine"));
/// assert!(!reserved_meta_key(ProtocolVersion::V2025_11_25, "com.example.mcp/mine"));
/// ```
pub fn reserved_meta_key(version: ProtocolVersion, key: &str) -> bool {
    let (Some(reserved), Some((Some(prefix), _))) = (table::reserved(version), split(key)) else { return false };
    let labels: Vec<&str> = prefix.split('.').collect();
    let defined = |known: &&str| *known == key || (known.ends_with('/') && key.starts_with(*known));
    (reserved.prefix)(&labels) && !reserved.defined.iter().any(defined)
}

/// Judges the keys of a `_meta`, and the values of those that the protocol has rules for.
pub(super) fn object(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    members(reader, &mut |key, value| {
        let place = place.name(key);
        if split(key).is_none() {
            judge.breaks(&META_KEY, &place);
        } else if reserved_meta_key(judge.version(), key) {
            judge.breaks(&META_RESERVED, &place);
        }
        match key {
            "traceparent" if !value.clone().string().is_ok_and(|text| is_traceparent(&text)) => {
                judge.breaks(&TRACEPARENT, &place);
            }
            CLIENT_CAPABILITIES => extensions(judge, value, &place),
            CLIENT_INFO | SERVER_INFO => {
                if let Some(icons) = member_of_object(value, "icons") {
                    super::uris::icons(judge, &icons, &place.name("icons"));
                }
            }
            _ => {}
        }
    });
}

/// A notification that only travels on a subscription says which.
pub(super) fn subscription(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    let id = member(reader, "_meta").and_then(|meta| member_of_object(&meta, SUBSCRIPTION_ID));
    if id.is_none() {
        judge.breaks(&SUBSCRIPTION, &place.name("_meta").name(SUBSCRIPTION_ID));
    }
}

/// Extensions that a server declares.
pub(super) fn server_extensions(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    if let Some(capabilities) = member(reader, "capabilities") {
        extensions(judge, &capabilities, &place.name("capabilities"));
    }
}

/// Extensions among capabilities.
fn extensions(judge: &mut Judge, capabilities: &Reader<'_>, place: &Place<'_>) {
    let Some(extensions) = member_of_object(capabilities, "extensions") else { return };
    let place = place.name("extensions");
    members(&extensions, &mut |name, _| {
        if !matches!(split(name), Some((Some(_), _))) {
            judge.breaks(&EXTENSION, &place.name(name));
        }
    });
}

/// As [`member`], of what may be no object.
fn member_of_object<'a>(reader: &Reader<'a>, name: &str) -> Option<Reader<'a>> {
    (reader.clone().kind().ok()? == Kind::Object).then(|| member(reader, name))?
}

/// The prefix without its slash, and the name; `None` if the key isn't well formed.
fn split(key: &str) -> Option<(Option<&str>, &str)> {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let is_label = |label: &str| {
        label.starts_with(|first: char| first.is_ascii_alphabetic())
            && label.ends_with(|last: char| last.is_ascii_alphanumeric())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_name = name.is_empty()
        || (name.starts_with(|first: char| first.is_ascii_alphanumeric())
            && name.ends_with(|last: char| last.is_ascii_alphanumeric())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
    (is_name && prefix.is_none_or(|prefix| prefix.split('.').all(is_label))).then_some((prefix, name))
}

/// `00-<32 digits>-<16 digits>-<2 digits>`, in lower-case hexadecimal, where neither id is all zeros. A
/// version after 00 may have more after another hyphen; ff is none.
fn is_traceparent(text: &str) -> bool {
    let parts: Vec<&str> = text.splitn(5, '-').collect();
    let hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let id = |part: &str, length| hex(part, length) && part.bytes().any(|byte| byte != b'0');
    match parts[..] {
        [version, trace, parent, flags, ref rest @ ..] => {
            hex(version, 2)
                && version != "ff"
                && id(trace, 32)
                && id(parent, 16)
                && hex(flags, 2)
                && (rest.is_empty() || version != "00")
        }
        _ => false,
    }
}
