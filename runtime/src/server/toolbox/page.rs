//! Pages of a list.

use crate::error::{Error, Result};
use crate::sorted::Sorted;

/// Entries by their keys, and the cursor of the next page, if there is one.
pub(super) type Page<'a, T> = (&'a [(String, T)], Option<String>);

/// The page that a cursor points at, and the cursor of the next one. A cursor is the key of the first entry of
/// its page, so that it stays right when others come and go.
///
/// # Errors
/// If the cursor isn't one of ours.
///
/// Specification: `server/utilities/pagination`.
pub(super) fn page<'a, T>(all: &'a Sorted<T>, cursor: Option<&str>, size: Option<usize>) -> Result<Page<'a, T>> {
    let from = match cursor {
        None => "",
        Some(cursor) => cursor.strip_prefix("from:").ok_or_else(|| Error::invalid_params("no such cursor"))?,
    };
    let rest = all.from(from);
    Ok(match size.filter(|size| *size < rest.len()) {
        None => (rest, None),
        Some(size) => (&rest[..size], Some(format!("from:{}", rest[size].0))),
    })
}
