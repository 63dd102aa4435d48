//! Measures candidates against one another, in rounds.

use std::path::Path;
use std::time::Duration;

use crate::server::Server;
use crate::syscalls::Counter;
use crate::{Arguments, Candidate, Failure, plain};

/// How long a measurement lasts at least.
const STRETCH: Duration = Duration::from_millis(250);

/// What comes first: caches, buffers and threads are what they will be.
const WARM_UP: (usize, Duration) = (1_000, Duration::from_millis(50));

/// What was found with so many requests in flight.
pub struct Figures {
    /// How many were in flight.
    pub in_flight: usize,
    /// By candidate.
    pub candidates: Vec<Found>,
}

/// What was found for one candidate, medians over the rounds.
pub struct Found {
    /// Requests a second.
    pub rate: f64,
    /// The rate, as a share of the base's in the same round.
    pub rate_ratio: f64,
    /// The median of the latency, in seconds.
    pub p50: f64,
    /// Its 99th percentile, in seconds.
    pub p99: f64,
    /// Seconds of a processor that the server used for a request.
    pub cpu: f64,
    /// The same, × the base's in the same round.
    pub cpu_ratio: f64,
    /// System calls of the server for a request.
    pub syscalls: f64,
    /// The most memory that it had resident, in bytes.
    pub peak: f64,
}

/// One measurement.
struct Run {
    rate: f64,
    p50: f64,
    p99: f64,
    cpu: f64,
    peak: f64,
}

/// Measures every candidate once a round with each number in flight, each round starting with the next
/// candidate, so that what changes slowly falls on all of them alike.
pub fn all(candidates: &[Candidate], arguments: &Arguments, counter: &Counter) -> Result<Vec<Figures>, Failure> {
    let mut runs: Vec<Vec<Vec<Run>>> =
        arguments.in_flight.iter().map(|_| candidates.iter().map(|_| Vec::new()).collect()).collect();
    for round in 0..arguments.rounds {
        eprintln!("round {} of {}", round + 1, arguments.rounds);
        for (in_flight, runs) in arguments.in_flight.iter().zip(&mut runs) {
            for turn in 0..candidates.len() {
                let at = (round + turn) % candidates.len();
                runs[at].push(run(&candidates[at].1, *in_flight, arguments.requests)?);
            }
        }
    }
    eprintln!("counting system calls");
    let figures = arguments.in_flight.iter().zip(&runs).map(|(in_flight, runs)| {
        let [base, ..] = &runs[..] else { return Err("there is no candidate".into()) };
        let candidates = candidates.iter().zip(runs).map(|((_, binary), runs)| {
            let of = |part: fn(&Run) -> f64| median(runs.iter().map(part).collect());
            let share = |part: fn(&Run) -> f64| {
                median(runs.iter().zip(base).map(|(run, base)| part(run) / part(base)).collect())
            };
            Ok(Found {
                rate: of(|run| run.rate),
                rate_ratio: share(|run| run.rate),
                p50: of(|run| run.p50),
                p99: of(|run| run.p99),
                cpu: of(|run| run.cpu),
                cpu_ratio: share(|run| run.cpu),
                syscalls: counter.per_request(binary, *in_flight)?,
                peak: of(|run| run.peak),
            })
        });
        Ok(Figures { in_flight: *in_flight, candidates: candidates.collect::<Result<_, Failure>>()? })
    });
    figures.collect()
}

fn run(binary: &Path, in_flight: usize, requests: usize) -> Result<Run, Failure> {
    Server::with(plain(binary), |server, client| {
        client.load(in_flight, WARM_UP.0, WARM_UP.1)?;
        let before = server.cpu_time()?;
        let mut load = client.load(in_flight, requests, STRETCH)?;
        let used = server.cpu_time()? - before;
        let count = load.requests as f64;
        load.latencies.sort_unstable();
        let latency = |share: f64| {
            let at = (share * (load.latencies.len() - 1) as f64).round() as usize;
            f64::from(load.latencies[at]) / 1e9
        };
        Ok(Run {
            rate: count / load.taken.as_secs_f64(),
            p50: latency(0.50),
            p99: latency(0.99),
            cpu: used.as_secs_f64() / count,
            peak: server.peak()? as f64,
        })
    })
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
