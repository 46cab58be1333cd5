//! This build beside another one, in turns within one run: what a change costs, on any machine.
//!
//! `SAYSO_BENCH_OTHER` is the path of the other program. Each round starts both on fresh
//! directories, the first one of a round being the second one of the next.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::figures::Figures;
use super::latency::{self, Order, Talk};
use super::line::Line;
use super::platform::Platform;
use super::process::{ONE_AFTER_THE_OTHER, PROGRAM, Process};
use super::world::World;

/// How often each program is measured.
const ROUNDS: usize = 6;
/// People per round, with 25 messages each.
const PEOPLE: usize = 4;

/// What the rounds of one program gave.
#[derive(Default)]
struct Rounds {
    cold_start_ms: Vec<f64>,
    restart_ms: Vec<f64>,
    added_ms: Vec<f64>,
    cpu_ms_per_turn: Vec<f64>,
    waits_per_turn: Vec<f64>,
    interrupts_per_turn: Vec<f64>,
    resident_mib: Vec<f64>,
}

/// Measures both programs and notes the ratio of this one to the other, where there is another.
pub async fn take(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let Some(other) = std::env::var_os("SAYSO_BENCH_OTHER").map(PathBuf::from) else {
        return Ok(());
    };
    let (mut this_one, mut other_one) = (Rounds::default(), Rounds::default());
    for round in 0..ROUNDS {
        if round % 2 == 0 {
            this_one.add(platform, Path::new(PROGRAM)).await?;
            other_one.add(platform, &other).await?;
        } else {
            other_one.add(platform, &other).await?;
            this_one.add(platform, Path::new(PROGRAM)).await?;
        }
    }
    for ((name, this), (_, other)) in this_one.medians().into_iter().zip(other_one.medians()) {
        line.note(&format!("{name}_this"), this);
        line.note(&format!("{name}_other"), other);
        line.note(&format!("{name}_ratio"), this / other);
    }
    Ok(())
}

impl Rounds {
    async fn add(&mut self, platform: Platform, program: &Path) -> anyhow::Result<()> {
        let home = tempfile::tempdir()?;
        let world = World::start(platform, Duration::ZERO).await;
        let process =
            Process::start_program(program, &world, home.path(), ONE_AFTER_THE_OTHER).await?;
        self.cold_start_ms
            .push(milliseconds(process.time_to_hear()));
        let used = process.processor_time()?;
        let switched = process.context_switches()?;
        let chats = world.chats(1, PEOPLE);
        let talk = Talk::Messages;
        let one = latency::one_at_a_time(&world, &chats, 25, Order::ChatByChat, talk).await;
        self.added_ms.push(one.added().median());
        let turns = (PEOPLE * 25 + latency::WARM_UP) as f64;
        let used = process.processor_time()?.saturating_sub(used);
        self.cpu_ms_per_turn.push(milliseconds(used) / turns);
        let now = process.context_switches()?;
        let per_turn = |before: u64, now: u64| now.saturating_sub(before) as f64 / turns;
        self.waits_per_turn
            .push(per_turn(switched.voluntary, now.voluntary));
        self.interrupts_per_turn
            .push(per_turn(switched.others, now.others));
        self.resident_mib.push(process.resident_mib()?);
        process.kill().await?;
        let again =
            Process::start_program(program, &world, home.path(), ONE_AFTER_THE_OTHER).await?;
        self.restart_ms.push(milliseconds(again.time_to_hear()));
        again.kill().await
    }

    fn medians(&self) -> [(&'static str, f64); 7] {
        let median = |values: &[f64]| Figures::of_milliseconds(values).median();
        [
            ("cold_start_ms", median(&self.cold_start_ms)),
            ("restart_ms", median(&self.restart_ms)),
            ("added_ms_p50", median(&self.added_ms)),
            ("cpu_ms_per_turn", median(&self.cpu_ms_per_turn)),
            ("voluntary_switches_per_turn", median(&self.waits_per_turn)),
            ("other_switches_per_turn", median(&self.interrupts_per_turn)),
            ("resident_mib", median(&self.resident_mib)),
        ]
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
