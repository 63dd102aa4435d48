//! Sets members of a JSON object in its text, and leaves the rest as it is.

use mcprism_types::{Decoded, Kind, Reader};

/// The text of `object` in which each member has this value; `None` takes it out.
pub(crate) fn set(object: &str, members: &[(&str, Option<&str>)]) -> Decoded<String> {
    let mut reader = Reader::new(object);
    let mut out = String::with_capacity(object.len() + 64);
    out.push('{');
    let separate = |out: &mut String| {
        if out.len() > 1 {
            out.push(',');
        }
    };
    for (name, value) in members {
        if let Some(value) = value {
            separate(&mut out);
            push_name(&mut out, name);
            out.push_str(value);
        }
    }
    reader.object(&mut |reader, name| {
        let replaced = members.iter().any(|(member, _)| *member == name);
        let value = reader.skip()?;
        if !replaced {
            separate(&mut out);
            push_name(&mut out, name);
            out.push_str(value);
        }
        Ok(())
    })?;
    reader.finish()?;
    out.push('}');
    Ok(out)
}

/// The text of `object` in whose `_meta` each member has this value.
pub(crate) fn set_meta(object: &str, members: &[(&str, Option<&str>)]) -> Decoded<String> {
    let mut found = "{}";
    if let Some(mut reader) = Reader::new(object).member("_meta")?
        && reader.kind()? == Kind::Object
    {
        found = reader.skip()?;
    }
    let meta = set(found, members)?;
    set(object, &[("_meta", Some(&meta))])
}

/// A string as JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn push_name(out: &mut String, name: &str) {
    // Names with nothing to escape are nearly all of them.
    match name.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        true => {
            out.push('"');
            out.push_str(name);
            out.push('"');
        }
        false => out.push_str(&quoted(name)),
    }
    out.push(':');
}
