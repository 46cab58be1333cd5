//! What the program costs when nobody writes: its start, its memory, its prompts.

use std::time::Duration;

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
const CHATS: usize = 1_000;
/// How many of the thousand chats have a message under way at once.
const AT_ONCE: usize = 40;

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
    /// After a thousand people have had an answer.
    pub after_chats: f64,
}

/// Reads the memory at rest, before and after a thousand chats.
pub async fn memory(platform: Platform) -> anyhow::Result<Memory> {
    let home = tempfile::tempdir()?;
    let world = World::start(platform, Duration::ZERO).await;
    let process = Process::start(&world, home.path()).await?;
    sleep(REST).await;
    let idle = process.resident_mib()?;
    let chats = world.chats(1, CHATS);
    let (_, tally) = load::in_flight(&chats, 1, AT_ONCE).await;
    anyhow::ensure!(tally.lost == 0, "{} of {CHATS} got no answer", tally.lost);
    sleep(REST).await;
    Ok(Memory {
        idle,
        after_chats: process.resident_mib()?,
    })
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
