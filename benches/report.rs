//! Makes the tables of the page on performance of what the other benchmarks measured: `benches/all` runs
//! them and this.
//!
//! `report DIRECTORY` prints the tables of the JSON lines in `turns.json`, `crash_telegram.json`,
//! `crash_discord.json` and `chaos.json`; `report DIRECTORY PAGE` writes them into that file as well,
//! between the two lines that mark their place, and changes nothing else of it. It also adds the run to
//! `benches/history.jsonl`, one line of JSON a run.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, thread};

use anyhow::Context as _;
use serde_json::{Map, Value};

/// Where the tables stand on the page.
const BEGIN: &str = "<!-- figures: written by benches/all -->";
const END: &str = "<!-- end of figures -->";

/// What is kept of each run, by the names of `turns.json`; those of Discord begin with `discord_`.
const HISTORY: &str = "benches/history.jsonl";
const KEPT: [&str; 10] = [
    "added_ms_p50",
    "added_ms_p95",
    "floor_ms_p50",
    "to_outbox_ms_p50_100000_known",
    "turns_per_s",
    "in_flight_turns_per_s",
    "cpu_ms_per_turn",
    "rss_idle_mib",
    "rss_10000_chats_mib",
    "idle_cpu_percent",
];

/// Figures by name.
type Figures = Map<String, Value>;

/// A row of what is measured on each platform: its name, Sayso's cell and the floor's. In a cell, `{name}` is a
/// figure and `{one/other}` how often one has the other in it.
struct Row(&'static str, &'static str, &'static str);

const ROWS: [Row; 22] = [
    Row(
        "added latency of a turn, model 0 ms, p50 / p95",
        "{added_ms_p50} / {added_ms_p95} ms ({added_ms_p50/floor_ms_p50} x)",
        "{floor_ms_p50} / {floor_ms_p95} ms",
    ),
    Row(
        "the same, each message from another chat",
        "{added_ms_many_chats_p50} / {added_ms_many_chats_p95} ms",
        "",
    ),
    Row(
        "the same, with 1,000 / 10,000 / 100,000 chats known, p50",
        "{added_ms_p50_1000_known} / {added_ms_p50_10000_known} / {added_ms_p50_100000_known} ms",
        "",
    ),
    Row(
        "the same, with 100,000 chats known, p95",
        "{added_ms_p95_100000_known} ms ({added_ms_p95_100000_known/floor_ms_p95} x)",
        "",
    ),
    Row(
        "from the message until the row of its answer is on disk, with 1,000 / 10,000 / 100,000 chats known, p50; p95",
        "{to_outbox_ms_p50_1000_known} / {to_outbox_ms_p50_10000_known} / {to_outbox_ms_p50_100000_known} ms; {to_outbox_ms_p95_100000_known} ms",
        "",
    ),
    Row(
        "added latency over both calls of a 50 ms model, p50 / p95",
        "{added_ms_p50_model_50} / {added_ms_p95_model_50} ms",
        "{floor_ms_p50_model_50} / {floor_ms_p95_model_50} ms (one call)",
    ),
    Row(
        "`routing = \"auto\"` and a plain question: over the one call of a 50 ms model",
        "{auto_plain_added_ms_p50_model_50} / {auto_plain_added_ms_p95_model_50} ms",
        "",
    ),
    Row(
        "200 chats x 5 messages at once, model 100 ms",
        "{turns_per_s} turns/s, {burst_times_the_least} times the least time",
        "{floor_turns_per_s} turns/s",
    ),
    Row(
        "2,000 chats x 5 messages at once, model 100 ms",
        "{turns_per_s_2000_chats} turns/s",
        "",
    ),
    Row(
        "40 in flight, 600 messages, model 100 ms",
        "{in_flight_turns_per_s} turns/s",
        "{floor_in_flight_turns_per_s} turns/s",
    ),
    Row("processor time of a turn", "{cpu_ms_per_turn} ms", ""),
    Row(
        "one chat of 5,000 messages: 50 of them behind 0 / 500 / 4,950, p50",
        "{behind_0_messages_ms_p50} / {behind_500_messages_ms_p50} / {behind_4950_messages_ms_p50} ms",
        "",
    ),
    Row(
        "memory at rest / after 1,000 / after 10,000 chats",
        "{rss_idle_mib} / {rss_1000_chats_mib} / {rss_10000_chats_mib} MiB",
        "",
    ),
    Row(
        "most memory in the burst of 200 / of 2,000 chats",
        "{rss_burst_peak_mib} / {rss_peak_2000_chats_mib} MiB",
        "",
    ),
    Row("processor when idle", "{idle_cpu_percent} %", ""),
    Row(
        "start to first poll or IDENTIFY: new / existing database / 100,000 chats known",
        "{cold_start_ms} / {restart_ms} / {restart_ms_100000_known} ms",
        "",
    ),
    Row(
        "model calls and platform calls per message (polls aside)",
        "{model_calls_per_turn} and {platform_calls_per_turn}",
        "1 and 1",
    ),
    Row(
        "lost / doubled in the bursts of 200 / of 2,000 chats",
        "{lost} / {doubled}, {lost_2000_chats} / {doubled_2000_chats}",
        "",
    ),
    Row(
        "kill -9 after about 20, 60 and 120 of 200 answers, then a restart: lost / doubled / sent again with a mark, of 600",
        "{killed_lost} / {killed_doubled} / {killed_resent_marked}",
        "",
    ),
    Row(
        "soak of 20 messages a second: seconds, turns, lost / doubled",
        "{soak_secs}, {soak_turns}, {soak_lost} / {soak_doubled}",
        "",
    ),
    Row(
        "memory over the soak (95 % of the time within)",
        "{soak_memory_kib_per_min} (± {soak_memory_give_or_take}) KiB a minute, {soak_memory_mib} MiB in the end",
        "",
    ),
    Row(
        "open files over the soak, and the database",
        "{soak_open_files_per_min} (± {soak_open_files_give_or_take}) a minute; {soak_database_kib_per_turn} KiB a turn",
        "",
    ),
];

fn main() -> anyhow::Result<()> {
    let mut arguments = env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let directory = arguments
        .next()
        .context("no directory of figures is named")?;
    let tables = tables(Path::new(&directory))?;
    println!("{tables}");
    let Some(page) = arguments.next() else {
        return Ok(());
    };
    let text = fs::read_to_string(&page)?;
    let (before, rest) = text
        .split_once(BEGIN)
        .context("no line begins the figures")?;
    let (_, after) = rest.split_once(END).context("no line ends the figures")?;
    fs::write(page, format!("{before}{BEGIN}\n\n{tables}\n{END}{after}"))?;
    let mut history = fs::read_to_string(HISTORY).unwrap_or_default();
    history += &kept(&read(&Path::new(&directory).join("turns.json")))?;
    fs::write(HISTORY, history)?;
    Ok(())
}

/// Returns the line of a run for the history.
fn kept(turns: &Figures) -> anyhow::Result<String> {
    let day = env::var("SAYSO_BENCH_DAY").context("SAYSO_BENCH_DAY does not say the day")?;
    let mut line = Map::from_iter([("day".to_owned(), Value::from(day))]);
    for name in KEPT {
        for name in [name.to_owned(), format!("discord_{name}")] {
            if let Some(figure) = turns.get(&name) {
                line.insert(name, figure.clone());
            }
        }
    }
    Ok(format!("{}\n", Value::Object(line)))
}

fn tables(directory: &Path) -> anyhow::Result<String> {
    let turns = read(&directory.join("turns.json"));
    let mut text = format!("{}\n\n", machine()?);
    text += "| | Telegram | its floor | Discord | its floor |\n|---|---|---|---|---|\n";
    for Row(name, sayso, floor) in &ROWS {
        let cells = ["", "discord_"].map(|platform| {
            let filled = [sayso, floor].map(|cell| filled(cell, &turns, platform));
            filled.join(" | ")
        });
        writeln!(text, "| {name} | {} |", cells.join(" | "))?;
    }
    text += "\n| both platforms | |\n|---|---|\n";
    let both = "| the program (`--profile dist`, stripped) | {binary_mib} MiB |\n\
        | model request for \"hello\", Phase 1 / Phase 2 | {prompt_bytes_phase1} / {prompt_bytes_phase2} bytes |\n";
    text += &filled(both, &turns, "");
    for (platform, file) in [
        ("Telegram", "crash_telegram.json"),
        ("Discord", "crash_discord.json"),
    ] {
        write!(text, "| {platform}, kills at chosen points | ")?;
        let crash = "{kills} kills, {requests} requests: {unanswered} unanswered, \
            {answered_twice_unmarked} doubled unmarked, {marked_as_repeated} marked, {effects_wrong} wrong effects, \
            {orphans} orphans, {databases_damaged} damaged databases |\n";
        text += &filled(crash, &read(&directory.join(file)), "");
    }
    let chaos = read(&directory.join("chaos.json"));
    for (platform, name) in [("Telegram", "telegram"), ("Discord", "discord")] {
        let figures = chaos.get(name).and_then(Value::as_object);
        let figures = figures.cloned().unwrap_or_default();
        let of = format!("| {platform}, every kind of fault for {{spell_secs}} s each | ");
        text += &filled(&of, &chaos, "");
        let weather = "{said} messages: {lost} lost, {doubled} doubled unmarked, {marked} marked; faults told \
            within {noticed_within_ms} ms, well again within {well_within_ms} ms |\n";
        text += &filled(weather, &figures, "");
    }
    Ok(text)
}

/// Reads the figures of one benchmark; one that ended without them has none.
fn read(file: &Path) -> Figures {
    let text = fs::read_to_string(file).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Returns a cell with the figures in it; what was not measured is a dash.
fn filled(cell: &str, figures: &Figures, prefix: &str) -> String {
    let mut text = String::new();
    let mut rest = cell;
    while let Some((before, name)) = rest.split_once('{') {
        let (name, after) = name.split_once('}').unwrap_or((name, ""));
        text += before;
        text += &said(name, figures, prefix).unwrap_or_else(|| "-".to_owned());
        rest = after;
    }
    text + rest
}

fn said(name: &str, figures: &Figures, prefix: &str) -> Option<String> {
    let figure = |name: &str| figures.get(&format!("{prefix}{name}"))?.as_f64();
    let figure = match name.split_once('/') {
        Some((one, other)) => figure(one)? / figure(other)?,
        None => figure(name)?,
    };
    Some(rounded(figure))
}

/// Three digits that count, at most, and whole numbers whole.
fn rounded(figure: f64) -> String {
    let places = match figure.abs() {
        _ if figure.fract() == 0.0 => 0,
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    format!("{figure:.places$}")
}

/// When and where all this was measured; the day comes from who runs it.
fn machine() -> anyhow::Result<String> {
    let day = env::var("SAYSO_BENCH_DAY").context("SAYSO_BENCH_DAY does not say the day")?;
    let cores = thread::available_parallelism()?;
    let memory = fs::read_to_string("/proc/meminfo")?;
    let kib = memory
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next());
    let gib = kib.context("no MemTotal")?.parse::<f64>()? / 1024.0 / 1024.0;
    Ok(format!(
        "Measured by `benches/all` on {day}, on {cores} cores with {gib:.0} GiB of memory."
    ))
}
