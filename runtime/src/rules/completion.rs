//! Completion: no more than 100 values at once, which the page says in every revision.
//!
//! Page: `server/utilities/completion`. Only the schema of 2026-07-28 says so too.

use mcprism_types::Reader;

use super::judge::{Judge, Place, items, member};
use super::table::COMPLETIONS;

const MOST: usize = 100;

/// Judges what `completion/complete` results in.
pub(super) fn result(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    let Some(values) = member(reader, "completion").and_then(|completion| member(&completion, "values")) else {
        return;
    };
    let mut count = 0;
    items(&values, &mut |_, _| count += 1);
    if count > MOST {
        judge.breaks(&COMPLETIONS, &place.name("completion").name("values"));
    }
}
