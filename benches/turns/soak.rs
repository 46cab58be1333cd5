//! A long, even load: whether memory, open files or the database grow by more than what people said.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};

use crate::line::Line;
use crate::load::{self, Tally};
use crate::platform::Platform;
use crate::process::Process;
use crate::slope::Slope;
use crate::world::World;

/// How long it takes, unless `SAYSO_SOAK_SECS` says otherwise.
const SECONDS: u64 = 120;
/// How many people speak, in turn.
const PEOPLE: usize = 200;
/// A message each so often: 20 in a second, six in a minute from each.
const EVERY: Duration = Duration::from_millis(50);
/// How many messages each of them has written before, as fast as they are answered: then every history is as
/// long as one gets and the caches are full, for which an even load would take a quarter of an hour.
const BEFORE: usize = 25;
/// How many of those people are answered at once.
const AT_ONCE: usize = 40;
/// The beginning, in which what all that needed is given back, is not looked at.
const WARM_UP: f64 = 0.25;
const MODEL_TIME: Duration = Duration::from_millis(20);

/// What was read in each second.
#[derive(Default)]
struct Readings {
    resident_kib: Vec<f64>,
    open_files: Vec<f64>,
    database_kib: Vec<f64>,
}

/// Returns by how much memory may grow in a minute, in KiB: not at all, unless `SAYSO_SOAK_MAY_GROW_KIB` says
/// otherwise, for a build that is still settling after two minutes.
pub fn may_grow() -> anyhow::Result<f64> {
    match std::env::var("SAYSO_SOAK_MAY_GROW_KIB") {
        Ok(kib) => Ok(kib.parse()?),
        Err(_) => Ok(0.0),
    }
}

/// Keeps a Sayso busy and notes how its memory, its open files and its database grew.
pub async fn take(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let seconds = std::env::var("SAYSO_SOAK_SECS").ok();
    let seconds = seconds.map_or(Ok(SECONDS), |seconds| seconds.parse())?;
    let home = tempfile::tempdir()?;
    let world = World::start(platform, MODEL_TIME).await;
    let process = Process::start(&world, home.path()).await?;
    let chats = world.chats(1, PEOPLE);
    let (_, mut tally) = load::in_flight(&chats, BEFORE, AT_ONCE).await;
    world.forget();
    let (mut readings, mut said) = (Readings::default(), 0);
    let (began, mut beat) = (Instant::now(), interval(EVERY));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut expected = Vec::new();
    while began.elapsed() < Duration::from_secs(seconds) {
        beat.tick().await;
        expected.push(load::say(&chats[said % PEOPLE], BEFORE + said));
        said += 1;
        if began.elapsed().as_secs() as usize > readings.resident_kib.len() {
            readings.take(&process, &home.path().join("data"))?;
        }
        // What is answered is not looked at again, so the fakes may forget it.
        if expected.len() == PEOPLE {
            tally += settled(&world, &mut expected).await;
        }
    }
    tally += settled(&world, &mut expected).await;
    line.note("soak_secs", seconds as f64);
    line.note("soak_turns", said as f64);
    line.note("soak_lost", tally.lost as f64);
    line.note("soak_doubled", tally.doubled as f64);
    readings.note(line, said as f64 / seconds as f64)
}

/// Waits for what is still to be answered, and forgets all that was said.
async fn settled(world: &World, expected: &mut Vec<load::Expected<'_>>) -> Tally {
    load::until_answered(world, expected, 0).await;
    let tally = load::tally(expected);
    expected.clear();
    world.forget();
    tally
}

impl Readings {
    fn take(&mut self, process: &Process, data: &Path) -> anyhow::Result<()> {
        self.resident_kib.push(process.resident_mib()? * 1024.0);
        self.open_files.push(process.open_files()? as f64);
        let sizes = ["sayso.db", "sayso.db-wal"].map(|file| fs::metadata(data.join(file)));
        let bytes: u64 = sizes.into_iter().flatten().map(|file| file.len()).sum();
        self.database_kib.push(bytes as f64 / 1024.0);
        Ok(())
    }

    fn note(&self, line: &mut Line, turns_per_second: f64) -> anyhow::Result<()> {
        let behind = |readings: &[f64]| {
            let from = (readings.len() as f64 * WARM_UP) as usize;
            let slope = Slope::of(&readings[from..]);
            slope.ok_or_else(|| anyhow::anyhow!("too short to tell what grows"))
        };
        let memory = behind(&self.resident_kib)?.times(60.0);
        line.note("soak_memory_kib_per_min", memory.by);
        line.note("soak_memory_give_or_take", memory.give_or_take);
        line.note("soak_memory_level", f64::from(memory.may_be_level()));
        let files = behind(&self.open_files)?.times(60.0);
        line.note("soak_open_files_per_min", files.by);
        line.note("soak_open_files_give_or_take", files.give_or_take);
        let database = behind(&self.database_kib)?;
        line.note("soak_database_kib_per_turn", database.by / turns_per_second);
        let last = self.resident_kib.last().copied();
        line.note("soak_memory_mib", last.unwrap_or(f64::NAN) / 1024.0);
        Ok(())
    }
}
