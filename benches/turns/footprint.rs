//! What the program costs without messages: its start, its memory, its prompts.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::figures::Figures;
use crate::load;
use crate::platform::Platform;
use crate::process::Process;
use crate::world::World;

/// How often a start is timed.
const STARTS: usize = 7;
/// How long the process may come to rest before its memory is read.
const REST: Duration = Duration::from_secs(3);
/// How many people have had an answer when the memory is read a second and a third time.
const CHATS: [usize; 2] = [1_000, 10_000];
/// How many of the chats have a message under way at once.
const AT_ONCE: usize = 40;
/// How long after the last answer nothing of it is left to do.
const SETTLED: Duration = Duration::from_secs(15);
/// How long an idle process is watched: its clock counts in hundredths of a second, a 6,000th of
/// this.
const WATCHED: Duration = Duration::from_mins(1);

/// Starts: on an empty directory, and on one that has been used.
pub struct Starts {
    /// The first start ever, which makes the database.
    pub cold: Figures,
    /// The next start on the same files.
    pub again: Figures,
}

/// Times the way from the start of the process until it hears people.
pub async fn starts(platform: Platform) -> anyhow::Result<Starts> {
    let (mut cold, mut again) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let home = tempfile::tempdir()?;
        for times in [&mut cold, &mut again] {
            let world = World::start(platform, Duration::ZERO).await;
            let process = Process::start(&world, home.path()).await?;
            times.push(process.time_to_hear());
            process.kill().await?;
        }
    }
    Ok(Starts {
        cold: Figures::of(&cold),
        again: Figures::of(&again),
    })
}

/// Resident memory, in MiB.
pub struct Memory {
    /// Before anybody wrote.
    pub idle: f64,
    /// After this number of people have had an answer.
    pub after_chats: [(usize, f64); 2],
}

/// Reads the memory at rest, before anybody and after many people wrote.
pub async fn memory(platform: Platform) -> anyhow::Result<Memory> {
    let home = tempfile::tempdir()?;
    let world = World::start(platform, Duration::ZERO).await;
    let process = Process::start(&world, home.path()).await?;
    sleep(REST).await;
    let idle = process.resident_mib()?;
    let chats = world.chats(1, CHATS[1]);
    let (mut spoken, mut after_chats) = (0, CHATS.map(|chats| (chats, f64::NAN)));
    for (count, mib) in &mut after_chats {
        let (_, tally) = load::in_flight(&chats[spoken..*count], 1, AT_ONCE).await;
        anyhow::ensure!(tally.lost == 0, "{} of {count} got no answer", tally.lost);
        spoken = *count;
        world.forget();
        sleep(REST).await;
        *mib = process.resident_mib()?;
    }
    Ok(Memory { idle, after_chats })
}

/// Returns the idle CPU load of the program, in percent of one processor.
pub async fn idle_cpu(platform: Platform) -> anyhow::Result<f64> {
    let home = tempfile::tempdir()?;
    let world = World::start(platform, Duration::ZERO).await;
    let process = Process::start(&world, home.path()).await?;
    let chats = world.chats(1, 1);
    chats[0].says("hello");
    chats[0].hears().await;
    sleep(SETTLED).await;
    let (used, began) = (process.processor_time()?, Instant::now());
    sleep(WATCHED).await;
    let used = process.processor_time()?.saturating_sub(used);
    Ok(used.as_secs_f64() / began.elapsed().as_secs_f64() * 100.0)
}

/// The bodies of the two model requests for "hello", in bytes.
pub struct Prompts {
    /// Phase 1: the route.
    pub route: usize,
    /// Phase 2: the answer.
    pub answer: usize,
}

/// Says "hello" to a fresh process and weighs what the model is sent.
pub async fn prompts(platform: Platform) -> anyhow::Result<Prompts> {
    let home = tempfile::tempdir()?;
    let world = World::start(platform, Duration::ZERO).await;
    let _process = Process::start(&world, home.path()).await?;
    let chats = world.chats(1, 1);
    chats[0].says("hello");
    chats[0].hears().await;
    let requests = world.model.requests();
    let bytes = |of_routing: bool| {
        let asked = requests.iter();
        asked
            .filter(|request| request.is_routing() == of_routing)
            .map(|request| request.body_bytes())
            .sum()
    };
    Ok(Prompts {
        route: bytes(true),
        answer: bytes(false),
    })
}
