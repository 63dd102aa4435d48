//! URIs: of roots, of resources and of icons, and how a URI is written at all.
//!
//! Pages: `client/roots` (all revisions: a root is a `file://` URI), `server/resources` (since 2025-06-18:
//! schemes as in RFC 3986), `basic/index` (since 2025-11-25: clients refuse icons with unsafe schemes).

use mcprism_types::Reader;

use super::judge::{Judge, Place, items, string};
use super::table::{ICON, RESOURCE, ROOT};

/// Members that hold an object whose `uri` is a resource's. In `content` that is only so for links.
const RESOURCES: &[&str] = &["contents", "resource", "resources"];

/// Judges the `uri` of an object that `holder` holds and that says of itself what kind it is.
pub(super) fn uri(judge: &mut Judge, uri: &str, place: &Place<'_>, holder: &str, kind: Option<&str>) {
    let is_link = holder == "content" && kind == Some("resource_link");
    if holder == "roots" && !(is_uri(uri) && has_scheme(uri, "file") && uri[4..].starts_with("://")) {
        judge.breaks(&ROOT, place);
    }
    if (is_link || RESOURCES.contains(&holder)) && !is_uri(uri) {
        judge.breaks(&RESOURCE, place);
    }
}

/// Judges where icons are.
pub(super) fn icons(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    items(reader, &mut |index, icon| {
        let safe = |uri: &str| ["https", "http", "data"].iter().any(|scheme| has_scheme(uri, scheme));
        if string(icon, "src").is_some_and(|src| !safe(&src)) {
            judge.breaks(&ICON, &place.item(index).name("src"));
        }
    });
}

fn has_scheme(uri: &str, scheme: &str) -> bool {
    uri.split_once(':').is_some_and(|(found, _)| found.eq_ignore_ascii_case(scheme))
}

/// Whether this is an absolute URL: a URI, and with a host if it is for the web.
pub(super) fn is_url(text: &str) -> bool {
    let web = ["https", "http"].iter().any(|scheme| has_scheme(text, scheme));
    is_uri(text) && (!web || has_host(text))
}

/// Whether what follows the scheme names a host.
fn has_host(uri: &str) -> bool {
    let Some((_, rest)) = uri.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    !host.is_empty() && !host.starts_with(':')
}

/// Whether this is written as RFC 3986 has it: a scheme, and after it nothing but the characters of a URI,
/// with whole percent-encodings and one fragment at most.
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(byte);
    let encoded = |part: &str| part.len() >= 2 && part.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    is_scheme
        && rest.as_bytes().iter().all(is_plain)
        && rest.split('%').skip(1).all(encoded)
        && rest.bytes().filter(|byte| *byte == b'#').count() <= 1
}
