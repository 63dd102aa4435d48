//! Tables in Markdown, and the limits that ours misses.

use crate::candidates::{BASE, NAMES, OURS};
use crate::measure::Measured;
use crate::messages::Message;

/// What was found for one message.
pub struct Row {
    /// The message.
    pub message: Message,
    /// How reading it went.
    pub decode: Measured,
    /// How writing it went.
    pub encode: Measured,
}

/// A table of times as shares of the base's, whose own column says how long it took.
pub fn times(title: &str, rows: &[Row], part: impl Fn(&Row) -> (&Measured, f64)) -> String {
    let cells = |row: &Row| {
        let (measured, limit) = part(row);
        let mut cells = measured.ratios.map(|ratio| format!("{ratio:.2}"));
        cells[BASE] = format!("{:.2} µs", measured.base / 1_000.0);
        if exceeds(measured.ratios[OURS], limit) {
            cells[OURS] += " (missed)";
        }
        (cells, format!("≤ {limit:.2}"))
    };
    table(title, rows, cells)
}

/// A table of allocations for one message.
pub fn allocations(title: &str, rows: &[Row], part: impl Fn(&Row) -> (&Measured, Option<u64>)) -> String {
    let cells = |row: &Row| {
        let (measured, limit) = part(row);
        let mut cells = measured.allocations.map(|count| count.to_string());
        if limit.is_some_and(|limit| measured.allocations[OURS] > limit) {
            cells[OURS] += " (missed)";
        }
        (cells, limit.map(|limit| format!("≤ {limit}")).unwrap_or_default())
    };
    table(title, rows, cells)
}

/// Whether a ratio is past its limit as it is printed: a thousandth is noise.
fn exceeds(ratio: f64, limit: f64) -> bool {
    (ratio * 100.0).round() > (limit * 100.0).round()
}

fn table(title: &str, rows: &[Row], cells: impl Fn(&Row) -> ([String; NAMES.len()], String)) -> String {
    let mut heads = NAMES.map(str::to_owned).to_vec();
    heads.insert(OURS + 1, "ours must be".to_owned());
    let mut text = format!("### {title}\n\n| message | {} |\n", heads.join(" | "));
    text.push_str(&format!("|---|{}\n", "---:|".repeat(heads.len())));
    for row in rows {
        let (cells, limit) = cells(row);
        let mut cells = cells.to_vec();
        cells.insert(OURS + 1, limit);
        text.push_str(&format!("| {} | {} |\n", row.message.name, cells.join(" | ")));
    }
    text
}

/// Each limit that ours misses, as a sentence.
pub fn missed(rows: &[Row]) -> Vec<String> {
    let mut missed = Vec::new();
    for Row { message, decode, encode } in rows {
        let name = message.name;
        let times = [("decode", decode, message.decode_limit), ("encode", encode, message.encode_limit)];
        for (direction, measured, limit) in times {
            let ratio = measured.ratios[OURS];
            if exceeds(ratio, limit) {
                missed
                    .push(format!("{name}: {direction} takes {ratio:.2} × a `Value`'s time, the limit is {limit:.2}"));
            }
        }
        let counts = [("decode", decode, message.allocation_limit), ("encode", encode, Some(0))];
        for (direction, measured, limit) in counts {
            let count = measured.allocations[OURS];
            if let Some(limit) = limit.filter(|limit| count > *limit) {
                missed.push(format!("{name}: {direction} allocates {count} times, the limit is {limit}"));
            }
        }
    }
    missed
}
