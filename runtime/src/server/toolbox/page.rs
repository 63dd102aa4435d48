//! Pages of a list.

use crate::error::{Error, Result};

/// The page that a cursor points at, and the cursor of the next one. A cursor is the key of the first entry of
/// its page, so that it stays right when others come and go.
///
/// # Errors
/// If the cursor isn't one of ours.
///
/// Specification: `server/utilities/pagination`.
pub(super) fn page<'a, K: Ord + AsRef<str> + 'a, T: 'a>(
    all: impl Iterator<Item = (&'a K, &'a T)>,
    cursor: Option<&str>,
    size: Option<usize>,
) -> Result<(Vec<&'a T>, Option<String>)> {
    let from = match cursor {
        None => None,
        Some(cursor) => {
            let unknown = || Error::invalid_params("no such cursor");
            Some(cursor.strip_prefix("from:").ok_or_else(unknown)?.to_owned())
        }
    };
    let mut rest = all.skip_while(|(key, _)| from.as_deref().is_some_and(|from| key.as_ref() < from));
    let mut entries = Vec::new();
    loop {
        match rest.next() {
            None => return Ok((entries, None)),
            Some((key, _)) if size.is_some_and(|size| entries.len() >= size) => {
                return Ok((entries, Some(format!("from:{}", key.as_ref()))));
            }
            Some((_, entry)) => entries.push(entry),
        }
    }
}
