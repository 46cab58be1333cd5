//! The chaos tests with the weather of real life: a thousand messages on each platform, both at
//! once, while every kind of bad weather lasts a minute (`SAYSO_CHAOS_SPELL_SECS` for another
//! length). `SAYSO_CHAOS_OUTAGE_SECS` has the platforms out of reach for so long instead, and
//! nothing else happen. Prints what was lost, doubled and noticed as one JSON line, last, and fails
//! unless all promises were kept. It takes about a quarter of an hour.

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
#[path = "../tests/it/chaos/storm/mod.rs"]
mod storm;
#[expect(dead_code, reason = "the behaviour tests use the rest of it")]
#[path = "../tests/it/test_bot.rs"]
mod test_bot;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use platform::Platform;
use serde_json::{Value, json};
use storm::{Forecast, Report, Sky};

/// The weather, unless the length of a spell is overridden.
const FORECAST: Forecast = Forecast {
    messages: 1_000,
    spell: Duration::from_mins(1),
    only: None,
    calm: Duration::from_secs(10),
    // As Discord asks for it.
    heartbeat: Duration::from_millis(41_250),
};

/// How long Sayso relies on Discord to drop what is sent again; an answer that was on the wire when
/// a longer outage began is marked.
const REPEATS_DROPPED_WITHIN: Duration = Duration::from_mins(2);

/// How soon after a fault health must tell of it.
const HONEST_WITHIN: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> ExitCode {
    let forecast = match (
        told("SAYSO_CHAOS_OUTAGE_SECS"),
        told("SAYSO_CHAOS_SPELL_SECS"),
    ) {
        (Some(outage), _) => Forecast {
            spell: outage,
            only: Some(Sky::OutOfReach),
            ..FORECAST
        },
        (None, spell) => Forecast {
            spell: spell.unwrap_or(FORECAST.spell),
            ..FORECAST
        },
    };
    let spell = forecast.spell;
    let begun = Instant::now();
    let (telegram, discord) = tokio::join!(
        storm::run(Platform::Telegram, forecast),
        storm::run(Platform::Discord, forecast),
    );
    let reports = [(Platform::Telegram, telegram), (Platform::Discord, discord)];
    let mut line = json!({ "spell_secs": spell.as_secs() });
    for (platform, report) in &reports {
        line[platform.name()] = figures(report);
        if !keeps_all(*platform, report, spell) {
            tell(*platform, report);
        }
    }
    line["seconds"] = json!(begun.elapsed().as_secs());
    println!("{line}");
    let kept = |(on, report): &(Platform, Report)| keeps_all(*on, report, spell);
    if reports.iter().all(kept) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Returns how many seconds a variable says.
fn told(variable: &str) -> Option<Duration> {
    let seconds = std::env::var(variable).ok()?;
    Some(Duration::from_secs(seconds.parse().unwrap()))
}

/// Tells the whole story of a platform on which a promise was broken.
fn tell(platform: Platform, report: &Report) {
    let Report { lost, doubled, .. } = report;
    let (name, code) = (platform.name(), report.exit_code);
    eprintln!("{name}: lost {lost:?}, doubled {doubled:?}, ended with {code:?}");
    for spell in &report.spells {
        eprintln!("{spell:?}");
    }
    eprintln!("{}\n", report.log);
}

fn figures(report: &Report) -> Value {
    let of_note = report.spells.iter();
    let of_note = of_note.filter(|spell| spell.sky.must_be_noticed());
    let noticed = of_note.map(|spell| spell.noticed_after);
    let well = report.spells.iter().map(|spell| spell.well_after);
    json!({
        "said": report.said,
        "lost": report.lost.len(),
        "doubled": report.doubled.len(),
        "marked": report.marked,
        "unnoticed": report.unnoticed(HONEST_WITHIN).len(),
        "noticed_within_ms": longest(noticed),
        "well_within_ms": longest(well),
    })
}

/// Returns the longest of some times in milliseconds, `None` where one of them never came.
fn longest(mut times: impl Iterator<Item = Option<Duration>>) -> Option<u64> {
    times.try_fold(0, |longest, time| {
        Some(longest.max(time?.as_millis() as u64))
    })
}

/// Nothing is lost or doubled, health tells of every fault in time and is well again in the end,
/// and the process lives until it is asked to end. What Discord drops as a repetition needs no
/// mark, for as long as it does.
fn keeps_all(platform: Platform, report: &Report, spell: Duration) -> bool {
    let may_be_marked = platform == Platform::Telegram || spell > REPEATS_DROPPED_WITHIN;
    report.said == FORECAST.messages
        && report.lost.is_empty()
        && report.doubled.is_empty()
        && report.unnoticed(HONEST_WITHIN).is_empty()
        && report.still_unwell().is_empty()
        && report.exit_code == Some(0)
        && (may_be_marked || report.marked == 0)
}
