//! kill -9 at any moment: nothing lost, nothing doubled, nothing left running.

mod questions;
mod single;
mod storm;

use storm::{Wrong, storms};

/// How many storms there are, unless `SAYSO_CRASH_SEEDS` says otherwise.
const SEEDS: u64 = 21;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_however_often_it_is_killed() {
    let seeds = std::env::var("SAYSO_CRASH_SEEDS").ok();
    let seeds = seeds.map_or(SEEDS, |seeds| seeds.parse().unwrap());
    let report = storms(seeds).await;
    let stories = report.stories.join("\n\n");
    for wrong in Wrong::ALL {
        assert_eq!(report.times(wrong), 0, "{wrong:?}\n{stories}");
    }
    assert!(report.kills >= 3 * seeds as usize, "{} kills", report.kills);
}
