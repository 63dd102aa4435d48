//! Makes the instances of one definition and asks the judge about each.

use super::build::{Builder, Mood};
use super::plan::points;
use super::random::Random;
use super::rules::Rules;
use serde_json::Value;
use std::collections::BTreeSet;

/// How many instances are left to chance.
const BY_CHANCE: usize = 20;

/// What was made for one definition; no value occurs twice.
#[derive(Debug, Clone, Default)]
pub struct Generated {
    /// Accepted by the judge.
    pub valid: Vec<Value>,
    /// Refused by the judge: what the model that values are made from doesn't know.
    pub rejected: Vec<Value>,
}

/// The instances of a definition that the judge accepts, at most about 150 of them: the minimal
/// one first, then the maximal one, then one for each thing that may differ, then mixtures.
///
/// # Panics
///
/// As [`Rules::validator`] does.
pub fn instances(rules: &Rules, name: &str, seed: u64) -> Vec<Value> {
    generated(rules, name, seed).valid
}

/// As [`instances`], with those that the judge refused.
///
/// # Panics
///
/// As [`Rules::validator`] does.
pub fn generated(rules: &Rules, name: &str, seed: u64) -> Generated {
    let judge = rules.validator(name);
    let node = rules.node(name);
    let mut builder = Builder::new(rules.model(), Random::new(seed, name));
    let mut made = Vec::new();
    for mood in [Mood::Minimal, Mood::Maximal, Mood::Vendor] {
        made.extend(builder.whole(node, mood));
    }
    for point in points(rules.model(), node) {
        made.extend(builder.touched(node, &point.path, point.touch));
    }
    for _ in 0..BY_CHANCE {
        made.extend(builder.whole(node, Mood::Random));
    }
    let mut seen = BTreeSet::new();
    let mut generated = Generated::default();
    for value in made {
        if seen.insert(value.to_string()) {
            let accepted = judge.is_valid(&value);
            let list = if accepted { &mut generated.valid } else { &mut generated.rejected };
            list.push(value);
        }
    }
    generated
}
