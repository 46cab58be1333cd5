//! What the sandbox costs: `true` with it and without it.

use std::time::{Duration, Instant};

use sayso::bench_support::Access;

use super::Stage;

/// How often each is run; the middle one counts.
const RUNS: usize = 15;
/// The most that it may cost on a busy machine.
const MOST: Duration = Duration::from_millis(150);

fn median(stage: &Stage, access: Access) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let begin = Instant::now();
            stage.start("true", stage.terms(access)).wait().succeeded();
            begin.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}

#[test]
fn a_command_in_the_sandbox_starts_about_as_fast() {
    let stage = Stage::new();
    let (free, confined) = (
        median(&stage, Access::System),
        median(&stage, Access::Workspace),
    );
    assert!(
        confined < free + MOST,
        "{free:?} free, {confined:?} confined"
    );
}
