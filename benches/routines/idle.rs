//! A hundred thousand routines of which none is due.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::time::sleep;

use crate::line::Line;
use crate::platform::Platform;
use crate::process::Process;
use crate::rows::{DAY_MS, Many, keep};
use crate::world::World;

const ROUTINES: i64 = 100_000;
/// How long after the start it is quiet.
const SETTLED: Duration = Duration::from_secs(5);
/// Three looks at what is due first.
const WATCHED: Duration = Duration::from_mins(1);

/// Takes the figures; returns what was broken.
pub async fn take(platform: Platform, line: &mut Line) -> anyhow::Result<Vec<String>> {
    let home = tempfile::tempdir()?;
    let home = home.path();
    let world = World::start(platform, Duration::ZERO).await;
    let process = Process::start(&world, home).await?;
    let chats = world.chats(1, 1);
    chats[0].says("hello");
    chats[0].hears().await;
    let without = watch(&process).await?;
    process.kill().await?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let later = Many {
        kind: "turn",
        count: ROUTINES,
        due_ms: since.as_millis() as i64 + DAY_MS,
        apart_ms: 1,
    };
    keep(home, later)?;
    world.forget();
    let process = Process::start(&world, home).await?;
    let with = watch(&process).await?;
    let asked = world.model.requests().len();
    line.note("idle_cpu_percent_without", without);
    line.note("idle_cpu_percent", with);
    line.note("idle_model_calls", asked as f64);
    let is_broken = asked > 0;
    Ok(is_broken
        .then(|| "the model was called while nothing was due".to_owned())
        .into_iter()
        .collect())
}

/// Returns the load of a process that has nothing to do, in percent of a processor.
async fn watch(process: &Process) -> anyhow::Result<f64> {
    sleep(SETTLED).await;
    let (used, began) = (process.processor_time()?, Instant::now());
    sleep(WATCHED).await;
    let used = process.processor_time()?.saturating_sub(used);
    Ok(used.as_secs_f64() / began.elapsed().as_secs_f64() * 100.0)
}
