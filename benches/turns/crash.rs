//! A power cut in the middle of a burst: what a restart on the same files makes of it.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::load::{self, Tally};
use crate::platform::Platform;
use crate::process::Process;
use crate::world::World;

const CHATS: usize = 100;
const EACH: usize = 2;
const MODEL_TIME: Duration = Duration::from_millis(100);
/// How long answers may still come after the last that was expected: time for doubles to show.
const AFTERWARDS: Duration = Duration::from_secs(1);

/// What a kill came to.
pub struct Crash {
    /// After how many answers the process was killed.
    pub answered_before: usize,
    /// What became of all messages in the end.
    pub tally: Tally,
    /// From the second start until it hears people.
    pub restart: Duration,
    /// From the second start to the last answer.
    pub caught_up: Duration,
}

/// Kills the process after about `answered` of 200 answers, and starts it again.
pub async fn kill_after(platform: Platform, answered: usize) -> anyhow::Result<Crash> {
    let home = tempfile::tempdir()?;
    let world = World::start(platform, MODEL_TIME).await;
    let process = Process::start(&world, home.path()).await?;
    let chats = world.chats(1, CHATS);
    let expected = load::say_at_once(&chats, EACH);
    load::until_answered(&world, &expected, expected.len() - answered).await;
    process.kill().await?;
    let answered_before = expected.len() - load::tally(&expected).lost;
    let began = Instant::now();
    let process = Process::start(&world, home.path()).await?;
    let restart = process.time_to_hear();
    load::until_answered(&world, &expected, 0).await;
    let caught_up = began.elapsed();
    sleep(AFTERWARDS).await;
    Ok(Crash {
        answered_before,
        tally: load::tally(&expected),
        restart,
        caught_up,
    })
}
