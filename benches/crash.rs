//! The storm of the crash tests over many seeds (`SAYSO_CRASH_SEEDS`, 500 unless told otherwise):
//! the real program is killed three times in each, at another point every time, on Telegram or on the
//! platform that `SAYSO_CRASH_PLATFORM` names. Prints how often each promise was broken as one JSON
//! line, last, and fails unless all were kept.

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark prints its figures, and what cannot go on must fail it"
)]

#[path = "../tests/it/ban_list.rs"]
mod ban_list;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "the behaviour tests use the rest of it"
)]
#[path = "../tests/it/platform/mod.rs"]
mod platform;
#[path = "../tests/it/crash/storm/mod.rs"]
mod storm;
#[expect(dead_code, reason = "the behaviour tests use the rest of it")]
#[path = "../tests/it/test_bot.rs"]
mod test_bot;

use std::process::ExitCode;
use std::time::Instant;

use platform::Platform;
use serde_json::json;

/// How many seeds there are, unless `SAYSO_CRASH_SEEDS` says otherwise.
const SEEDS: u64 = 500;

#[tokio::main]
async fn main() -> ExitCode {
    let seeds = std::env::var("SAYSO_CRASH_SEEDS").ok();
    let seeds = seeds.map_or(SEEDS, |seeds| seeds.parse().unwrap());
    let begun = Instant::now();
    let platform = match std::env::var("SAYSO_CRASH_PLATFORM").as_deref() {
        Ok("discord") => Platform::Discord,
        Ok("telegram") | Err(_) => Platform::Telegram,
        Ok(other) => panic!("SAYSO_CRASH_PLATFORM: {other:?} is neither telegram nor discord"),
    };
    let report = storm::storms(platform, seeds).await;
    for story in &report.stories {
        eprintln!("{story}\n");
    }
    println!(
        "{}",
        json!({
            "platform": platform.name(),
            "seeds": seeds,
            "kills": report.kills,
            "requests": report.asked,
            "unanswered": report.times(storm::Wrong::Unanswered),
            "marked_as_repeated": report.marked,
            "answered_twice_unmarked": report.times(storm::Wrong::Doubled),
            "effects_wrong": report.times(storm::Wrong::Effect),
            "orphans": report.times(storm::Wrong::Orphan),
            "databases_damaged": report.times(storm::Wrong::Store),
            "calls_against_the_rules": report.times(storm::Wrong::Wire),
            "not_covered": report.times(storm::Wrong::Coverage),
            "last_entries_at_kills": report.entries,
            "outbox_states_at_kills": report.states,
            "aims_missed": report.missed_aims,
            "seconds": begun.elapsed().as_secs(),
        })
    );
    let all_kept = storm::Wrong::ALL
        .iter()
        .all(|wrong| report.times(*wrong) == 0);
    if all_kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
