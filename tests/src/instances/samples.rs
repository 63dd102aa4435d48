//! The scalars and opaque JSON that instances are filled with, chosen to break careless code.

use super::model::Range;
use super::random::Random;
use serde_json::{Value, json};

/// Strings: plain, empty, escaped, outside the basic plane, right to left, and lookalikes of other
/// JSON kinds.
pub(super) const STRINGS: [&str; 14] = [
    "text",
    "",
    "🦀👩‍👩‍👧 emoji",
    "שלום \u{202e}עולם",
    "line\u{2028}and\u{2029}paragraph",
    "nul \u{0} bell \u{7} escape \u{1b} delete \u{7f}",
    "\"quoted\" and 'quoted'",
    "back\\slash \\u0041 \\n",
    "tab\tline\nreturn\r\nend",
    "null",
    "https://example.com/a%20b?c=d&e#f",
    "e\u{301} é \u{feff}\u{fffd}\u{10ffff}",
    "{\"type\":\"text\"}",
    " leading and trailing ",
];

/// Names of members that no schema knows. The first is used where a single one is enough.
pub(super) const NAMES: [&str; 9] =
    ["x-vendor", "vendor.example/key", "", "a/b~c~0d", "ключ 🔑", "\"\\\u{0}\n", "__proto__", "X-VENDOR", "0"];

/// Integers within the bounds, the plainest first; the last ones are written as floats.
pub(super) fn integers(range: &Range) -> Vec<Value> {
    let all = [
        json!(1),
        json!(0),
        json!(-1),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(9_007_199_254_740_993_i64),
        json!(3.0),
        json!(-0.0),
    ];
    within(all.to_vec(), range)
}

/// Numbers within the bounds, the plainest first; some have no fraction and are written as floats.
pub(super) fn numbers(range: &Range) -> Vec<Value> {
    let all = [
        json!(0.5),
        json!(0),
        json!(1),
        json!(1.0),
        json!(1e-7),
        json!(-2.25),
        json!(0.1),
        json!(1e300),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(5e-324),
    ];
    within(all.to_vec(), range)
}

/// Opaque JSON of every kind, with other JSON inside.
pub(super) fn anything() -> Vec<Value> {
    vec![
        json!("text"),
        json!(null),
        json!({}),
        json!([]),
        json!({"a": {"b": [1, 2.5, null, {"c": [[], {}]}]}, "": "empty name"}),
        json!([true, false, null, -1, 1e-7, u64::MAX, i64::MIN, "nul \u{0} and \u{2028}"]),
        json!(false),
        json!(0),
        json!(1e300),
        json!({"type": "text", "text": 5, "jsonrpc": "1.0", "method": null}),
        json!("\\\" 🦀"),
        deep(40),
    ]
}

/// What stands behind the unknown member of an open object.
pub(super) fn vendor() -> Value {
    json!({"nested": {"list": [1, 2.5, null, {"deeper": "🦀"}], "flag": true}, "none": null})
}

/// Lists and objects inside one another, `levels` of them.
pub(super) fn deep(levels: usize) -> Value {
    (0..levels).fold(
        json!("bottom"),
        |inner, level| {
            if level % 2 == 0 { json!([inner]) } else { json!({"down": inner}) }
        },
    )
}

/// Opaque JSON by chance, at most `levels` deep.
pub(super) fn chance(random: &mut Random, levels: usize) -> Value {
    let kinds = if levels == 0 { 5 } else { 8 };
    match random.below(kinds) {
        0 => Value::Null,
        1 => json!(random.once_in(2)),
        2 => random.pick(&integers(&Range::default())).clone(),
        3 => random.pick(&numbers(&Range::default())).clone(),
        4 => json!(random.pick(&STRINGS)),
        5 => random.pick(&anything()).clone(),
        6 => (0..random.below(4)).map(|_| chance(random, levels - 1)).collect(),
        _ => {
            let size = random.below(4);
            let entries = (0..size).map(|_| {
                let name = (*random.pick(&NAMES)).to_owned();
                (name, chance(random, levels - 1))
            });
            Value::Object(entries.collect())
        }
    }
}

fn within(mut all: Vec<Value>, range: &Range) -> Vec<Value> {
    // The bounds themselves come last, so that they are there whatever they are.
    all.extend([range.least, range.most].into_iter().flatten().map(|bound| json!(bound)));
    all.retain(|value| value.as_f64().is_some_and(|number| range.holds(number)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_kept_and_reached() {
        let unit = Range { least: Some(0.0), most: Some(1.0) };
        let numbers = numbers(&unit);
        assert!(numbers.contains(&json!(1e-7)) && numbers.contains(&json!(1.0)));
        assert!(!numbers.contains(&json!(-2.25)));
        let natural = Range { least: Some(0.0), most: None };
        assert!(!integers(&natural).contains(&json!(-1)));
    }

    #[test]
    fn depth_is_counted_in_levels() {
        let mut value = &deep(40);
        let mut levels = 0;
        while let Some(inner) = value.get(0).or_else(|| value.get("down")) {
            value = inner;
            levels += 1;
        }
        assert_eq!(levels, 40);
    }
}
