//! Times candidates against one another, in rounds.

use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

use crate::allocations;
use crate::candidates::{BASE, Candidate, NAMES};

/// How long one candidate runs at a stretch, in nanoseconds.
const STRETCH: u64 = 2_000_000;

/// What was found for one message in one direction.
pub struct Measured {
    /// By candidate, the median over the rounds of its time as a share of the base's in that round.
    pub ratios: [f64; NAMES.len()],
    /// Median time of the base, in nanoseconds.
    pub base: f64,
    /// By candidate, how often it allocates.
    pub allocations: [u64; NAMES.len()],
}

/// Times reading.
pub fn decode(candidates: &[Candidate; NAMES.len()], rounds: usize) -> Measured {
    let allocations = candidates.each_ref().map(|candidate| allocations::count(|| (candidate.decode)()));
    rounds_of(candidates, rounds, allocations, |candidate, _| (candidate.decode)())
}

/// Times writing, into a buffer that is long enough from the start.
pub fn encode(candidates: &[Candidate; NAMES.len()], rounds: usize) -> Measured {
    let mut out = Vec::new();
    let allocations = candidates.each_ref().map(|candidate| {
        (candidate.encode)(&mut out);
        out.clear();
        allocations::count(|| (candidate.encode)(&mut out))
    });
    rounds_of(candidates, rounds, allocations, |candidate, out| {
        out.clear();
        (candidate.encode)(out);
        black_box(out);
    })
}

/// How long one thing takes as a share of another's time: the median over the rounds, in which the two
/// take turns at being first.
pub fn share(thing: &dyn Fn(), base: &dyn Fn(), rounds: usize) -> f64 {
    let stretch = |run: &dyn Fn(), times: u64| {
        let start = cpu_time();
        for _ in 0..times {
            run();
        }
        (cpu_time() - start) as f64 / times as f64
    };
    let times = |run: &dyn Fn()| {
        let mut times = 16;
        loop {
            let taken = stretch(run, times) * times as f64;
            if taken > STRETCH as f64 / 4.0 {
                return ((times as f64 * STRETCH as f64 / taken) as u64).max(1);
            }
            times *= 4;
        }
    };
    let (thing_times, base_times) = (times(thing), times(base));
    let shares = (0..rounds).map(|round| match round % 2 {
        0 => {
            let taken = stretch(thing, thing_times);
            taken / stretch(base, base_times)
        }
        _ => {
            let taken = stretch(base, base_times);
            stretch(thing, thing_times) / taken
        }
    });
    median(shares.collect())
}

/// Runs every candidate once a round, each round starting with the next one, so that what changes
/// slowly (the clock of the processor, the neighbours) falls on all of them alike.
fn rounds_of(
    candidates: &[Candidate; NAMES.len()],
    rounds: usize,
    allocations: [u64; NAMES.len()],
    run: impl Fn(&Candidate, &mut Vec<u8>),
) -> Measured {
    let mut out = Vec::new();
    let mut stretch = |candidate: &Candidate, times: u64| {
        let start = cpu_time();
        for _ in 0..times {
            run(candidate, &mut out);
        }
        cpu_time() - start
    };
    let times = candidates.each_ref().map(|candidate| {
        let mut times = 1;
        loop {
            let taken = stretch(candidate, times);
            if taken > STRETCH / 4 {
                return (times * STRETCH / taken).max(1);
            }
            times *= 4;
        }
    });
    let mut ratios: [Vec<f64>; NAMES.len()] = Default::default();
    let mut base = Vec::new();
    for round in 0..rounds {
        let mut taken = [0.0; NAMES.len()];
        for turn in 0..NAMES.len() {
            let at = (round + turn) % NAMES.len();
            taken[at] = stretch(&candidates[at], times[at]) as f64 / times[at] as f64;
        }
        base.push(taken[BASE]);
        for (ratios, taken_here) in ratios.iter_mut().zip(taken) {
            ratios.push(taken_here / taken[BASE]);
        }
    }
    Measured { ratios: ratios.map(median), base: median(base), allocations }
}

/// What this thread has used of a processor, in nanoseconds.
fn cpu_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(super::median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(super::median(vec![4.0, 1.0, 3.0, 2.0]), 2.5);
    }
}
