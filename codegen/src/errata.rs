//! Corrects a schema where it is known to be wrong.

use serde_json::Value;

use crate::decisions::{Decisions, Erratum};
use crate::error::{Error, Result};

/// Applies the errata for a revision and returns how many there were.
///
/// # Errors
/// For our own revisions, an erratum whose place or old value is gone.
pub fn apply(version: &str, schema: &mut Value, decisions: &Decisions) -> Result<usize> {
    let keyword = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    let mut applied = 0;
    let mut errors = Vec::new();
    for erratum in &decisions.errata.erratum {
        if !decisions.concerns(Some(&erratum.revisions), version) {
            let decided = erratum.not_in.iter().any(|other| other == version);
            let here = schema.pointer(&format!("/{keyword}/{}", erratum.pointer));
            if !decided && here == Some(&erratum.old) {
                errors.push(undecided(version, keyword, erratum));
            }
            continue;
        }
        match schema.pointer_mut(&format!("/{keyword}/{}", erratum.pointer)).filter(|place| **place == erratum.old) {
            Some(place) => {
                *place = erratum.new.clone();
                decisions.mark("errata.toml", erratum.key(version));
                applied += 1;
            }
            None if decisions.strict => errors.push(gone(version, keyword, erratum)),
            None => {}
        }
    }
    Error::all(errors)?;
    Ok(applied)
}

fn gone(version: &str, keyword: &str, erratum: &Erratum) -> Error {
    let message = format!("the erratum expects {} here", erratum.old);
    Error::new(
        version,
        format!("#/{keyword}/{}", erratum.pointer),
        message,
        "if upstream has corrected it, take the revision out of errata.toml",
    )
}

fn undecided(version: &str, keyword: &str, erratum: &Erratum) -> Error {
    let message = format!("the erratum of {} fits here too", erratum.revisions.join(", "));
    let advice = format!("in errata.toml, add \"{version}\" to its `revisions`, or to `not_in` if it is right here");
    Error::new(version, format!("#/{keyword}/{}", erratum.pointer), message, advice)
}
