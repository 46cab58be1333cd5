//! Turns of the real program against a platform and a model on loopback, beside a floor that does
//! nothing but echo: latency, throughput, memory, starts, prompts, and what a power cut loses.
//!
//! Prints lines for people and, last, one JSON line of figures, those of Discord with `discord_`
//! before their names. It takes about ten minutes for each platform; names of measures as arguments
//! (`latency`, `known`, `length`, `load`, `memory`, `starts`, `prompts`, `crash`, `idle`, `soak`,
//! `parallel`) run only these, and `telegram` or `discord` only that one. `against` compares this
//! build with the one that `SAYSO_BENCH_OTHER` names.
//!
//! The program runs with the settings that it is shipped with, but for the addresses of the two
//! services, `allow = ["telegram:*"]` or `["discord:*"]`, and `routing = "two_phase"` where ways of
//! routing are not what is compared. Things to know when reading the figures:
//!
//! - A user may send 30 messages a minute, so each sends at most 25: "one chat" is one person at a
//!   time with 25 messages each, then the next person.
//! - Each turn asks the model twice (the route, then the answer), but for `auto_plain`: plain
//!   questions with `routing = "auto"`, which ask it once. "Added" is the time from the message to
//!   its answer less the time of both calls. A pause of the model ends at a tick of its clock, up
//!   to a millisecond late for each call, of the floor as of Sayso.
//! - The floor runs inside this process, so no message of it changes the process on its way.

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod against;
mod crash;
mod figures;
mod floor;
mod footprint;
mod known;
mod latency;
mod line;
mod load;
mod parallel;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    clippy::unwrap_used,
    reason = "the behaviour tests use the rest of it"
)]
#[path = "../../tests/it/platform/mod.rs"]
mod platform;
mod process;
mod slope;
mod soak;
mod world;

use std::time::Duration;

use anyhow::ensure;
use floor::Floor;
use latency::{Order, Talk};
use line::Line;
use platform::Platform;
use process::Process;
use sayso_fakes::FakeCollector;
use world::World;

/// Measures, each under the name that selects it.
const MEASURES: [&str; 12] = [
    "against", "parallel", "prompts", "starts", "idle", "memory", "latency", "known", "length",
    "load", "crash", "soak",
];

const PLATFORMS: [Platform; 2] = [Platform::Telegram, Platform::Discord];

/// The default number of concurrent turns (`agent.concurrent_turns`).
const AT_ONCE: f64 = 64.0;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let platforms = chosen(&wanted, PLATFORMS.map(|it| (it.name(), it)));
    let measures = chosen(&wanted, MEASURES.map(|it| (it, it)));
    let mut line = Line::default();
    line.note("binary_mib", process::program_mib()?);
    let mut not_taken = Vec::new();
    for platform in platforms {
        line.goes_on_with(platform);
        for measure in &measures {
            if let Err(error) = take(measure, platform, &mut line).await {
                not_taken.push(format!("{measure} on {}: {error:#}", platform.name()));
            }
        }
    }
    println!("{line}");
    let broken = line.broken(soak::may_grow()?);
    ensure!(
        not_taken.is_empty() && broken.is_empty(),
        "not measured: {not_taken:?}; promises broken: {broken:?}"
    );
    Ok(())
}

/// Returns what the arguments name, or everything where they name nothing of this kind.
fn chosen<T: Copy, const N: usize>(wanted: &[String], from: [(&str, T); N]) -> Vec<T> {
    let is_named = |name: &str| wanted.iter().any(|wanted| wanted == name);
    let is_any_named = from.iter().any(|(name, _)| is_named(name));
    let named = from
        .iter()
        .filter(|(name, _)| !is_any_named || is_named(name));
    named.map(|(_, it)| *it).collect()
}

async fn take(measure: &str, platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    match measure {
        // What the model is asked does not depend on where it was said.
        "against" => against::take(platform, line).await,
        "parallel" if platform == Platform::Telegram => parallel::take(platform, line).await,
        "prompts" if platform == Platform::Telegram => prompts(platform, line).await,
        "parallel" | "prompts" => Ok(()),
        "starts" => starts(platform, line).await,
        "idle" => {
            line.note("idle_cpu_percent", footprint::idle_cpu(platform).await?);
            Ok(())
        }
        "memory" => memory(platform, line).await,
        "latency" => latencies(platform, line).await,
        "known" => known_chats(platform, line).await,
        "length" => length(platform, line).await,
        "load" => loads(platform, line).await,
        "soak" => soak::take(platform, line).await,
        _ => crashes(platform, line).await,
    }
}

async fn prompts(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let prompts = footprint::prompts(platform).await?;
    line.note("prompt_bytes_phase1", prompts.route as f64);
    line.note("prompt_bytes_phase2", prompts.answer as f64);
    Ok(())
}

async fn starts(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let starts = footprint::starts(platform).await?;
    line.note("cold_start_ms", starts.cold.median());
    line.note("restart_ms", starts.again.median());
    Ok(())
}

async fn memory(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let memory = footprint::memory(platform).await?;
    line.note("rss_idle_mib", memory.idle);
    for (chats, mib) in memory.after_chats {
        line.note(&format!("rss_{chats}_chats_mib"), mib);
    }
    Ok(())
}

/// One message at a time: with a model that takes no time, and with one that takes 50 ms for each
/// call.
async fn latencies(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    for (model_ms, people) in [(0, 8), (50, 4)] {
        let suffix = if model_ms == 0 { "" } else { "_model_50" };
        let world = World::start(platform, Duration::from_millis(model_ms)).await;
        let floor = Floor::start(&world).await;
        let chats = world.chats(1, people);
        let bare =
            latency::one_at_a_time(&world, &chats, 25, Order::ChatByChat, Talk::Messages).await;
        line.note_pair("floor_ms", suffix, &bare.added());
        drop(floor);

        let home = tempfile::tempdir()?;
        let world = World::start(platform, Duration::from_millis(model_ms)).await;
        let process = Process::start(&world, home.path()).await?;
        let used = process.processor_time()?;
        let chats = world.chats(1, people);
        let one =
            latency::one_at_a_time(&world, &chats, 25, Order::ChatByChat, Talk::Messages).await;
        line.note_pair("added_ms", suffix, &one.added());
        let chats = world.chats(2, people * 5);
        let several =
            latency::one_at_a_time(&world, &chats, 5, Order::RoundRobin, Talk::Messages).await;
        line.note_pair("added_ms_many_chats", suffix, &several.added());
        unrouted(platform, line, model_ms, suffix, people).await?;
        if model_ms > 0 {
            let beside_one = one.added_over_one_call();
            line.note("beyond_one_call_ms_p50_model_50", beside_one.median());
            let typing = latency::to_typing(&world.chats(3, 40)).await;
            line.note_pair("typing_ms", suffix, &typing);
            continue;
        }
        let turns = (people * 50 + 2 * latency::WARM_UP) as f64;
        let used = process.processor_time()?.saturating_sub(used);
        let cpu_ms = used.as_secs_f64() * 1000.0;
        line.note("cpu_ms_per_turn", cpu_ms / turns);
        line.note("model_calls_per_turn", one.model_calls);
        line.note("platform_calls_per_turn", one.platform_calls);
    }
    Ok(())
}

/// Plain questions with `routing = "auto"`: one model call each.
async fn unrouted(
    platform: Platform,
    line: &mut Line,
    model_ms: u64,
    suffix: &str,
    people: usize,
) -> anyhow::Result<()> {
    let home = tempfile::tempdir()?;
    let world = World::start(platform, Duration::from_millis(model_ms)).await;
    let auto = "[agent]\nrouting = \"auto\"\n";
    let _process = Process::start_with(&world, home.path(), auto).await?;
    let chats = world.chats(1, people);
    let order = Order::ChatByChat;
    let plain = latency::one_at_a_time(&world, &chats, 25, order, Talk::PlainQuestions).await;
    line.note_pair("auto_plain_added_ms", suffix, &plain.added());
    if model_ms == 0 {
        line.note("auto_plain_model_calls_per_turn", plain.model_calls);
    }
    Ok(())
}

/// One message at a time again, when ever more people are known who are silent.
async fn known_chats(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    for known in [1_000, 10_000, 100_000] {
        let home = tempfile::tempdir()?;
        let world = World::start(platform, Duration::ZERO).await;
        let process = Process::start(&world, home.path()).await?;
        let first = world.chats(3, 1);
        first[0].says("hello");
        first[0].hears().await;
        process.kill().await?;
        known::add(&home.path().join("data/sayso.db"), known)?;
        let process = Process::start(&world, home.path()).await?;
        let chats = world.chats(1, 8);
        let order = Order::RoundRobin;
        let times = latency::one_at_a_time(&world, &chats, 25, order, Talk::Messages).await;
        let suffix = format!("_{known}_known");
        line.note_pair("added_ms", &suffix, &times.added());
        line.note(&format!("rss{suffix}_mib"), process.resident_mib()?);
        let heard = process.time_to_hear().as_secs_f64() * 1000.0;
        line.note(&format!("restart_ms{suffix}"), heard);
        process.kill().await?;
        let collector = FakeCollector::start().await;
        let traces = format!("[log]\ntraces = \"{}\"\n", collector.url());
        let _process = Process::start_with(&world, home.path(), &traces).await?;
        let chats = world.chats(2, 8);
        let times = latency::to_the_outbox(&world, &collector, &chats, 25).await;
        line.note_pair("to_outbox_ms", &suffix, &times);
    }
    Ok(())
}

/// One conversation that becomes long: what its messages take at its beginning, after a while, in
/// the end.
async fn length(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let home = tempfile::tempdir()?;
    let world = World::start(platform, Duration::ZERO).await;
    let process = Process::start(&world, home.path()).await?;
    let stretches = latency::along_a_conversation(&world, &process).await?;
    for (behind, stretch) in latency::STRETCHES.iter().zip(stretches) {
        let name = format!("behind_{behind}_messages");
        line.note(&format!("{name}_ms_p50"), stretch.whole.median());
        line.note(&format!("{name}_cpu_ms_per_turn"), stretch.cpu_ms_per_turn);
    }
    Ok(())
}

/// Many people at once, with a model that takes 100 ms for each call.
async fn loads(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let model_time = Duration::from_millis(100);
    let world = World::start(platform, model_time).await;
    let floor = Floor::start(&world).await;
    let bare = burst(&world, 200).await;
    line.note("floor_turns_per_s", bare.per_second());
    let chats = world.chats(2, 40);
    let (took, _) = load::in_flight(&chats, 15, 40).await;
    line.note("floor_in_flight_turns_per_s", 600.0 / took.as_secs_f64());
    drop(floor);

    let home = tempfile::tempdir()?;
    let world = World::start(platform, model_time).await;
    let process = Process::start(&world, home.path()).await?;
    let whole = burst(&world, 200).await;
    line.note("turns_per_s", whole.per_second());
    let possible = AT_ONCE / (2.0 * model_time.as_secs_f64());
    line.note("burst_times_the_least", possible / whole.per_second());
    line.note("rss_burst_peak_mib", process.peak_mib()?);
    let chats = world.chats(2, 40);
    let (took, in_flight) = load::in_flight(&chats, 15, 40).await;
    line.note("in_flight_turns_per_s", 600.0 / took.as_secs_f64());
    line.note("lost", (whole.tally.lost + in_flight.lost) as f64);
    let doubled = whole.tally.doubled + in_flight.doubled;
    line.note("doubled", doubled as f64);
    let crowd = burst(&world, 2_000).await;
    line.note("turns_per_s_2000_chats", crowd.per_second());
    line.note("lost_2000_chats", crowd.tally.lost as f64);
    line.note("doubled_2000_chats", crowd.tally.doubled as f64);
    line.note("rss_peak_2000_chats_mib", process.peak_mib()?);
    Ok(())
}

/// A burst of chats with five messages each.
struct Burst {
    turns: usize,
    took: Duration,
    tally: load::Tally,
}

impl Burst {
    fn per_second(&self) -> f64 {
        (self.turns - self.tally.lost) as f64 / self.took.as_secs_f64()
    }
}

async fn burst(world: &World, chats: usize) -> Burst {
    world.forget();
    // Each burst has its own people.
    let chats = world.chats(chats as i64, chats);
    let expected = load::say_at_once(&chats, 5);
    let took = load::until_answered(world, &expected, 0).await;
    Burst {
        turns: expected.len(),
        took,
        tally: load::tally(&expected),
    }
}

/// A power cut early, in the middle and late in a burst.
async fn crashes(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let (mut lost, mut doubled, mut marked) = (0, 0, 0);
    for answered in [20, 60, 120] {
        let crash = crash::kill_after(platform, answered).await?;
        println!(
            "killed after {:>3} of 200 answers: {:?}, listens again after {:.0} ms, all answered after {:.1} s",
            crash.answered_before,
            crash.tally,
            crash.restart.as_secs_f64() * 1000.0,
            crash.caught_up.as_secs_f64(),
        );
        lost += crash.tally.lost;
        doubled += crash.tally.doubled;
        marked += crash.tally.marked;
    }
    line.note("killed_lost", f64::from(lost as u32));
    line.note("killed_doubled", f64::from(doubled as u32));
    line.note("killed_resent_marked", f64::from(marked as u32));
    Ok(())
}
