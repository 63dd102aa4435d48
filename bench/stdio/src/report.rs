//! Tables in Markdown, and the limits that ours misses.

use crate::OURS;
use crate::measure::{Figures, Found};

/// What ours must be with so many requests in flight; the peak is the same for all.
struct Limits {
    in_flight: usize,
    /// At least this × the loop's rate.
    rate: f64,
    /// At most this × the loop's processor time.
    cpu: f64,
    /// At most so many system calls for a request.
    syscalls: f64,
}

const LIMITS: [Limits; 2] = [
    Limits { in_flight: 1, rate: 0.65, cpu: 2.0, syscalls: 3.1 },
    Limits { in_flight: 64, rate: 0.40, cpu: 3.0, syscalls: 0.2 },
];

/// What ours may have resident, in MB.
const PEAK: f64 = 4.0;

const HEAD: &str = "\
| server | requests/s | × the loop | p50, µs | p99, µs | CPU s for 10,000 | × the loop | syscalls a request | peak, MB |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
";

/// A table for one number in flight, and each limit that ours misses, as a sentence. Some system calls
/// may not be counted, so that there are more of them.
pub fn table(names: &[&str], figures: &Figures, more_syscalls: bool) -> (String, Vec<String>) {
    let in_flight = figures.in_flight;
    let mut text = format!("### {in_flight} in flight\n\n{HEAD}");
    let mut missed = Vec::new();
    for (name, found) in names.iter().zip(&figures.candidates) {
        let limits = Judge { of_ours: *name == OURS, in_flight, missed: &mut missed };
        text.push_str(&format!("| {name} | {} |\n", cells(found, more_syscalls, limits).join(" | ")));
    }
    (text, missed)
}

fn cells(found: &Found, more_syscalls: bool, mut judge: Judge) -> [String; 8] {
    let limits = LIMITS.iter().find(|limits| limits.in_flight == judge.in_flight);
    let rate = limits.map(|limits| Limit::AtLeast(limits.rate));
    let cpu = limits.map(|limits| Limit::AtMost(limits.cpu));
    let syscalls = limits.map(|limits| Limit::AtMost(limits.syscalls));
    [
        format!("{:.0}", found.rate),
        judge.cell("its requests/s × the loop's", found.rate_ratio, 2, rate),
        format!("{:.1}", found.p50 * 1e6),
        format!("{:.1}", found.p99 * 1e6),
        format!("{:.4}", found.cpu * 1e4),
        judge.cell("its CPU seconds × the loop's", found.cpu_ratio, 2, cpu),
        format!(
            "{}{}",
            if more_syscalls { "> " } else { "" },
            judge.cell("its syscalls a request", found.syscalls, 3, syscalls)
        ),
        judge.cell("its peak in MB", found.peak / 1e6, 2, Some(Limit::AtMost(PEAK))),
    ]
}

#[derive(Clone, Copy)]
enum Limit {
    AtLeast(f64),
    AtMost(f64),
}

/// Holds ours to its limits, and notes what it misses.
struct Judge<'a> {
    of_ours: bool,
    in_flight: usize,
    missed: &'a mut Vec<String>,
}

impl Judge<'_> {
    /// A figure with so many digits, for ours with its limit.
    fn cell(&mut self, what: &str, figure: f64, digits: usize, limit: Option<Limit>) -> String {
        let cell = format!("{figure:.digits$}");
        let Some(limit) = limit.filter(|_| self.of_ours) else { return cell };
        // As it is printed: what comes after is noise.
        let rounded = |figure: f64| (figure * 10_f64.powi(digits as i32)).round();
        let (limit, holds) = match limit {
            Limit::AtLeast(limit) => (format!("≥ {limit:.2}"), rounded(figure) >= rounded(limit)),
            Limit::AtMost(limit) => (format!("≤ {limit:.2}"), rounded(figure) <= rounded(limit)),
        };
        if holds {
            return format!("{cell} ({limit})");
        }
        self.missed.push(format!("{} in flight: {what} must be {limit}, and is {cell}", self.in_flight));
        format!("{cell} ({limit}, missed)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rate_ratio: f64, syscalls: f64) -> Found {
        Found { rate: 1e5, rate_ratio, p50: 1e-5, p99: 2e-5, cpu: 5e-6, cpu_ratio: 1.0, syscalls, peak: 2e6 }
    }

    #[test]
    fn only_ours_is_judged() {
        let figures = Figures { in_flight: 64, candidates: vec![found(1.0, 0.05), found(0.1, 20.0)] };
        assert!(table(&["loop", "rmcp"], &figures, false).1.is_empty());
        let (text, missed) = table(&["loop", OURS], &figures, false);
        assert!(text.contains("| 0.10 (≥ 0.40, missed) |"), "{text}");
        assert!(text.contains("| 1.00 (≤ 3.00) |"), "{text}");
        assert_eq!(
            missed,
            [
                "64 in flight: its requests/s × the loop's must be ≥ 0.40, and is 0.10",
                "64 in flight: its syscalls a request must be ≤ 0.20, and is 20.000",
            ]
        );
    }

    #[test]
    fn other_numbers_in_flight_have_a_peak_only() {
        let figures = Figures { in_flight: 8, candidates: vec![found(0.1, 20.0)] };
        let (text, missed) = table(&[OURS], &figures, false);
        assert!(text.contains("| 2.00 (≤ 4.00) |"), "{text}");
        assert!(missed.is_empty());
        assert!(table(&[OURS], &figures, true).0.contains("| > 20.000 |"));
    }
}
