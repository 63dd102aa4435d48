//! Capabilities as ways through an object, such as `resources.subscribe`.

use mcprism_types::{JsonObject, Kind, MethodKind, ProtocolVersion, Reader, Sender};
use serde_json::{Map, Value};

/// Whether capabilities declare what is at the end of a way: each object on it is there, and at its end is an
/// object or `true`.
pub fn declares(capabilities: &JsonObject, path: &str) -> bool {
    let mut reader = Reader::new(capabilities.as_str());
    for step in path.split('.') {
        match reader.member(step) {
            Ok(Some(inner)) => reader = inner,
            _ => return false,
        }
    }
    match reader.kind() {
        Ok(Kind::Object) => true,
        Ok(Kind::Boolean) => reader.boolean().unwrap_or(false),
        _ => false,
    }
}

/// The object that declares what is at the end of each way.
pub fn tree<'a>(paths: impl IntoIterator<Item = &'a str>) -> Value {
    let mut root = Map::new();
    for path in paths {
        let mut place = &mut root;
        let mut steps = path.split('.').peekable();
        while let Some(step) = steps.next() {
            // What can only be had or not is a boolean in every revision; anything else may say more.
            let end = steps.peek().is_none() && matches!(step, "listChanged" | "subscribe");
            let entry = place.entry(step).or_insert_with(|| if end { true.into() } else { Map::new().into() });
            match entry {
                Value::Object(inner) => place = inner,
                _ => break,
            }
        }
    }
    Value::Object(root)
}

/// What has to have been declared by `side` before messages of these methods may be sent in this revision,
/// whatever their params.
pub fn needed<'a>(
    version: ProtocolVersion,
    side: Sender,
    serves: impl Fn(&str, MethodKind) -> bool + 'a,
) -> Vec<&'a str> {
    let mut paths: Vec<&str> = Vec::new();
    for method in version.methods().iter().filter(|method| serves(method.name, method.kind)) {
        let needs = method.capabilities.iter().filter(|need| need.declared_by == side && need.when.is_none());
        paths.extend(needs.map(|need| need.path).filter(|path| !paths.contains(path)).collect::<Vec<_>>());
    }
    paths
}
