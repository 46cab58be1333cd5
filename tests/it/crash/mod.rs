//! kill -9 at any moment: nothing lost, nothing doubled, nothing left running.

mod questions;
mod single;
mod storm;

pub use storm::random::Random;
pub use storm::traces::orphans;
use storm::{Report, Wrong, storms};

use crate::platform::Platform;

/// How many storms there are on Telegram and on Discord, unless `SAYSO_CRASH_SEEDS` says otherwise.
const SEEDS: [u64; 2] = [21, 7];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_however_often_it_is_killed() {
    outlives_storms(Platform::Telegram, SEEDS[0]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_doubled_or_marked_on_discord_however_often_it_is_killed() {
    let report = outlives_storms(Platform::Discord, SEEDS[1]).await;
    assert_eq!(report.marked, 0, "Discord drops what is sent again");
}

async fn outlives_storms(platform: Platform, seeds: u64) -> Report {
    let wanted = std::env::var("SAYSO_CRASH_SEEDS").ok();
    let seeds = wanted.map_or(seeds, |seeds| seeds.parse().unwrap());
    let report = storms(platform, seeds).await;
    let stories = report.stories.join("\n\n");
    for wrong in Wrong::ALL {
        assert_eq!(report.times(wrong), 0, "{wrong:?}\n{stories}");
    }
    assert!(report.kills >= 3 * seeds as usize, "{} kills", report.kills);
    report
}
