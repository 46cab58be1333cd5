//! Turns of the real program against a Telegram and a model on loopback, beside a floor that does nothing
//! but echo: latency, throughput, memory, starts, prompts, and what a power cut loses.
//!
//! Prints lines for people and, last, one JSON line of figures. It takes about two minutes; names of
//! measures as arguments (`latency`, `length`, `load`, `memory`, `starts`, `prompts`, `crash`) run only these.
//!
//! The program runs with the settings that it is shipped with, but for the addresses of the two services and
//! `allow = ["telegram:*"]`. Two things to know when reading the figures:
//!
//! - A user may say 30 messages a minute, so nobody here says more: "one chat" is one person at a time with
//!   25 messages each, then the next person.
//! - Each turn asks the model twice (the route, then the answer), but for `auto_plain`: plain questions with
//!   `routing = "auto"`, which ask it once. "Added" is the time from the message to its
//!   answer less the time of both calls. A pause of the model ends at a tick of its clock, up to a millisecond
//!   late for each call, of the floor as of Sayso.
//! - The floor runs inside this process, so no message of it changes the process on its way.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod crash;
mod figures;
mod floor;
mod footprint;
mod latency;
mod load;
mod process;
mod world;

use std::time::Duration;

use serde_json::{Map, Value, json};

use figures::{Figures, rounded};
use floor::Floor;
use latency::{Order, Talk};
use process::Process;
use world::World;

/// Measures, each under the name that selects it.
const MEASURES: [&str; 7] = [
    "prompts", "starts", "memory", "latency", "length", "load", "crash",
];

/// Figures by name, in the order in which they were taken.
type Line = Map<String, Value>;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let mut line = Line::new();
    note(&mut line, "binary_mib", process::program_mib()?);
    for measure in MEASURES {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == measure) {
            continue;
        }
        match measure {
            "prompts" => prompts(&mut line).await?,
            "starts" => starts(&mut line).await?,
            "memory" => memory(&mut line).await?,
            "latency" => latencies(&mut line).await?,
            "length" => length(&mut line).await?,
            "load" => loads(&mut line).await?,
            _ => crashes(&mut line).await?,
        }
    }
    println!("{}", Value::Object(line));
    Ok(())
}

fn note(line: &mut Line, name: &str, figure: f64) {
    let figure = rounded(figure);
    println!("{name:<34} {figure:>9}");
    let written = if figure.fract().abs() > 0.0 {
        json!(figure)
    } else {
        json!(figure as i64)
    };
    line.insert(name.to_owned(), written);
}

async fn prompts(line: &mut Line) -> anyhow::Result<()> {
    let prompts = footprint::prompts().await?;
    note(line, "prompt_bytes_phase1", prompts.route as f64);
    note(line, "prompt_bytes_phase2", prompts.answer as f64);
    Ok(())
}

async fn starts(line: &mut Line) -> anyhow::Result<()> {
    let starts = footprint::starts().await?;
    note(line, "cold_start_ms", starts.cold.median());
    note(line, "restart_ms", starts.again.median());
    Ok(())
}

async fn memory(line: &mut Line) -> anyhow::Result<()> {
    let memory = footprint::memory().await?;
    note(line, "rss_idle_mib", memory.idle);
    note(line, "rss_1000_chats_mib", memory.after_chats);
    Ok(())
}

/// One message at a time: with a model that takes no time, and with one that takes 50 ms for each call.
async fn latencies(line: &mut Line) -> anyhow::Result<()> {
    for (model_ms, people) in [(0, 8), (50, 4)] {
        let suffix = if model_ms == 0 { "" } else { "_model_50" };
        let world = World::start(Duration::from_millis(model_ms)).await;
        let floor = Floor::start(&world).await;
        let chats = world.chats(1, people);
        let bare =
            latency::one_at_a_time(&world, &chats, 25, Order::ChatByChat, Talk::Messages).await;
        note_pair(line, "floor_ms", suffix, &bare.added());
        drop(floor);

        let home = tempfile::tempdir()?;
        let world = World::start(Duration::from_millis(model_ms)).await;
        let process = Process::start(&world, home.path()).await?;
        let used = process.processor_time()?;
        let chats = world.chats(1, people);
        let one =
            latency::one_at_a_time(&world, &chats, 25, Order::ChatByChat, Talk::Messages).await;
        note_pair(line, "added_ms", suffix, &one.added());
        let chats = world.chats(2, people * 5);
        let several =
            latency::one_at_a_time(&world, &chats, 5, Order::RoundRobin, Talk::Messages).await;
        note_pair(line, "added_ms_many_chats", suffix, &several.added());
        unrouted(line, model_ms, suffix, people).await?;
        if model_ms > 0 {
            let beside_one = one.added_over_one_call();
            note(line, "beyond_one_call_ms_p50_model_50", beside_one.median());
            continue;
        }
        let turns = (people * 50 + 2 * latency::WARM_UP) as f64;
        let used = process.processor_time()?.saturating_sub(used);
        let cpu_ms = used.as_secs_f64() * 1000.0;
        note(line, "cpu_ms_per_turn", cpu_ms / turns);
        note(line, "model_calls_per_turn", one.model_calls);
        note(line, "platform_calls_per_turn", one.platform_calls);
    }
    Ok(())
}

/// Plain questions with `routing = "auto"`: one model call each.
async fn unrouted(
    line: &mut Line,
    model_ms: u64,
    suffix: &str,
    people: usize,
) -> anyhow::Result<()> {
    let home = tempfile::tempdir()?;
    let world = World::start(Duration::from_millis(model_ms)).await;
    let auto = "[agent]\nrouting = \"auto\"\n";
    let _process = Process::start_with(&world, home.path(), auto).await?;
    let chats = world.chats(1, people);
    let order = Order::ChatByChat;
    let plain = latency::one_at_a_time(&world, &chats, 25, order, Talk::PlainQuestions).await;
    note_pair(line, "auto_plain_added_ms", suffix, &plain.added());
    if model_ms == 0 {
        note(line, "auto_plain_model_calls_per_turn", plain.model_calls);
    }
    Ok(())
}

fn note_pair(line: &mut Line, name: &str, suffix: &str, figures: &Figures) {
    note(line, &format!("{name}_p50{suffix}"), figures.median());
    note(line, &format!("{name}_p95{suffix}"), figures.p95());
}

/// One conversation that becomes long: what its first and its last messages take.
async fn length(line: &mut Line) -> anyhow::Result<()> {
    let home = tempfile::tempdir()?;
    let world = World::start(Duration::ZERO).await;
    let _process = Process::start(&world, home.path()).await?;
    let (first, last) = latency::at_both_ends(&world).await;
    note(line, "first_50_of_550_ms_p50", first.median());
    note(line, "last_50_of_550_ms_p50", last.median());
    Ok(())
}

/// Many people at once, with a model that takes 100 ms for each call.
async fn loads(line: &mut Line) -> anyhow::Result<()> {
    let model_time = Duration::from_millis(100);
    let world = World::start(model_time).await;
    let floor = Floor::start(&world).await;
    let bare = burst(&world).await;
    note(line, "floor_turns_per_s", bare.per_second());
    let chats = world.chats(2, 40);
    let (took, _) = load::in_flight(&chats, 15, 40).await;
    note(
        line,
        "floor_in_flight_turns_per_s",
        600.0 / took.as_secs_f64(),
    );
    drop(floor);

    let home = tempfile::tempdir()?;
    let world = World::start(model_time).await;
    let process = Process::start(&world, home.path()).await?;
    let whole = burst(&world).await;
    note(line, "turns_per_s", whole.per_second());
    note(line, "rss_burst_peak_mib", process.peak_mib()?);
    let chats = world.chats(2, 40);
    let (took, in_flight) = load::in_flight(&chats, 15, 40).await;
    note(line, "in_flight_turns_per_s", 600.0 / took.as_secs_f64());
    note(line, "lost", (whole.tally.lost + in_flight.lost) as f64);
    let doubled = whole.tally.doubled + in_flight.doubled;
    note(line, "doubled", doubled as f64);
    Ok(())
}

/// A burst of 200 chats with five messages each.
struct Burst {
    took: Duration,
    tally: load::Tally,
}

impl Burst {
    fn per_second(&self) -> f64 {
        (1_000 - self.tally.lost) as f64 / self.took.as_secs_f64()
    }
}

async fn burst(world: &World) -> Burst {
    world.forget();
    let chats = world.chats(1, 200);
    let expected = load::say_at_once(&chats, 5);
    let took = load::until_answered(world, &expected, 0).await;
    Burst {
        took,
        tally: load::tally(&expected),
    }
}

/// A power cut early, in the middle and late in a burst.
async fn crashes(line: &mut Line) -> anyhow::Result<()> {
    let (mut lost, mut doubled, mut marked) = (0, 0, 0);
    for answered in [20, 60, 120] {
        let crash = crash::kill_after(answered).await?;
        println!(
            "killed after {:>3} of 200 answers: {:?}, polls again after {:.0} ms, all answered after {:.1} s",
            crash.answered_before,
            crash.tally,
            crash.restart.as_secs_f64() * 1000.0,
            crash.caught_up.as_secs_f64(),
        );
        lost += crash.tally.lost;
        doubled += crash.tally.doubled;
        marked += crash.tally.marked;
    }
    note(line, "killed_lost", f64::from(lost as u32));
    note(line, "killed_doubled", f64::from(doubled as u32));
    note(line, "killed_resent_marked", f64::from(marked as u32));
    Ok(())
}
