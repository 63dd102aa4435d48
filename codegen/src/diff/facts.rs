//! Compares what is true of a revision as a whole.

use super::class::Class;
use super::compare::{Found, Pair};
use super::document::{Change, What};
use super::meaning::change;
use super::reach::Sides;

/// What changed; the era only where both are known, which those of a schema that isn't ours is not.
pub(super) fn compare(pair: &Pair<'_>) -> Vec<Change> {
    let (old, new) = (pair.old, pair.new);
    let mut found = Vec::new();
    if let (Some(old), Some(new)) = (old.era, new.era)
        && old != new
    {
        found.push(Found::new(What::Era { old, new }, [Class::BreakingOnEncode, Class::BreakingOnDecode]));
    }
    let allowed = |allowed: bool| if allowed { Class::BreakingOnDecode } else { Class::BreakingOnEncode };
    if old.batches != new.batches {
        found.push(Found::new(What::Batches { allowed: new.batches }, [allowed(new.batches)]));
    }
    if old.errors_without_id != new.errors_without_id {
        let what = What::ErrorsWithoutId { allowed: new.errors_without_id };
        found.push(Found::new(what, [allowed(new.errors_without_id)]));
    }
    found.into_iter().filter_map(|found| change(found, Sides::BOTH)).collect()
}
