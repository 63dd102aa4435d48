//! Places: where something that was written comes from, and what stood there.

use std::collections::BTreeMap;

use super::fits::{items, members};
use crate::reader::{Kind, Reader};

/// What stands elsewhere than it stood.
#[derive(Debug, Default)]
pub(super) struct Moves {
    /// Items that are gone: the pointer of their list, and their index, in the order of the text.
    pub(super) removed: Vec<(String, usize)>,
    /// Lists whose first item stands in their place.
    pub(super) unwrapped: Vec<String>,
}

/// The way back from where things stand to where they stood.
#[derive(Debug, Default)]
pub(super) struct Origins {
    /// By the pointer of a list, the items that are gone, in order.
    removed: BTreeMap<String, Vec<usize>>,
    /// Lists whose first item stands in their place, sorted.
    unwrapped: Vec<String>,
}

impl From<Moves> for Origins {
    fn from(moves: Moves) -> Self {
        let mut origins = Self { removed: BTreeMap::new(), unwrapped: moves.unwrapped };
        for (list, index) in moves.removed {
            origins.removed.entry(list).or_default().push(index);
        }
        origins.unwrapped.sort_unstable();
        origins
    }
}

impl Origins {
    /// Where that stood which now stands at a place.
    pub(super) fn of(&self, pointer: &str) -> String {
        if self.removed.is_empty() && self.unwrapped.is_empty() {
            return pointer.to_owned();
        }
        let mut origin = String::new();
        let mut steps = pointer.split('/').skip(1);
        loop {
            if self.unwrapped.binary_search(&origin).is_ok() {
                origin.push_str("/0");
            }
            let Some(step) = steps.next() else { return origin };
            let gone = self.removed.get(&origin);
            origin.push('/');
            match (step.parse::<usize>(), gone) {
                (Ok(index), Some(gone)) => origin.push_str(&before(gone, index).to_string()),
                _ => origin.push_str(step),
            }
        }
    }
}

/// The index that an item had before those in `gone`, which are sorted, were taken out.
fn before(gone: &[usize], index: usize) -> usize {
    // So many were gone already when each of them went: what is left of its index only grows.
    let (mut low, mut high) = (0, gone.len());
    while low < high {
        let middle = (low + high) / 2;
        match gone[middle] - middle <= index {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    index + low
}

/// Places that are looked for, as a tree.
#[derive(Default)]
struct Wanted {
    /// Who wants what stands here.
    by: Vec<usize>,
    below: BTreeMap<String, Wanted>,
}

/// The texts of what stands at JSON pointers, in their order; `None` where nothing does. The text is
/// walked through once, however many there are.
pub(super) fn find<'t>(text: &'t str, pointers: &[&str]) -> Vec<Option<&'t str>> {
    let mut wanted = Wanted::default();
    for (at, pointer) in pointers.iter().enumerate() {
        let steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
        steps.fold(&mut wanted, |wanted, step| wanted.below.entry(step).or_default()).by.push(at);
    }
    let mut found = vec![None; pointers.len()];
    gather(text.trim(), &wanted, &mut found);
    found
}

fn gather<'t>(text: &'t str, wanted: &Wanted, found: &mut [Option<&'t str>]) {
    for at in &wanted.by {
        found[*at] = Some(text);
    }
    if wanted.below.is_empty() {
        return;
    }
    match Reader::new(text).kind() {
        Ok(Kind::Array) => {
            for (at, item) in items(text).unwrap_or_default().into_iter().enumerate() {
                if let Some(wanted) = wanted.below.get(&at.to_string()) {
                    gather(item, wanted, found);
                }
            }
        }
        Ok(Kind::Object) => {
            for (name, value) in members(text).unwrap_or_default() {
                if let Some(wanted) = wanted.below.get(&*name) {
                    gather(value, wanted, found);
                }
            }
        }
        _ => {}
    }
}
