//! Recall over many memories: how long it takes, how that grows, how large the database becomes, and what it
//! adds to a turn of the real program.
//!
//! Prints figures for people and, last, all of them as one JSON line. The texts are made up, with words as
//! unevenly common as in life and a third of them Chinese; the questions repeat a few of their words. Names of
//! measures as arguments (`growth`, `many`, `meaning`, `turns`, `million`) run only these; `million`, a million
//! facts of one user, runs only when it is named. How much is put in:
//!
//! | variable | default | is |
//! |---|---|---|
//! | `SAYSO_MEMORY_ONE` | 100,000 | entries of one user: the last point of the curve, and with vectors |
//! | `SAYSO_MEMORY_USERS` | 10,000 | users beside each other |
//! | `SAYSO_MEMORY_EACH` | 20 | entries of each of them; 100 make a million |
//! | `SAYSO_MEMORY_TURN` | 10,000 | entries of each user of the turns |
//! | `SAYSO_MEMORY_MILLION` | 1,000,000 | facts of the one user of `million` |

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[expect(dead_code, reason = "the turns bench uses the rest of it")]
#[path = "../turns/figures.rs"]
mod figures;
mod filled;
mod made_up;
mod meaning;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    clippy::unwrap_used,
    reason = "the behaviour tests use the rest of it"
)]
#[path = "../../tests/it/platform/mod.rs"]
mod platform;
#[expect(dead_code, reason = "the turns bench uses the rest of it")]
#[path = "../turns/process.rs"]
mod process;
mod turns;
#[expect(dead_code, reason = "the turns bench uses the rest of it")]
#[path = "../turns/world.rs"]
mod world;

use anyhow::Context as _;
use figures::{Figures, rounded};
use filled::{Filled, resident_mib};
use serde_json::{Map, json};
use turns::{Beside, Talk};

/// Measures, each under the name that selects it.
const MEASURES: [&str; 5] = ["growth", "many", "meaning", "turns", MILLION];
/// Takes minutes, and so has to be asked for.
const MILLION: &str = "million";

/// Figures by name, in the order in which they were taken.
#[derive(Default)]
struct Line(Map<String, serde_json::Value>);

impl Line {
    fn note(&mut self, name: &str, figure: f64) {
        let figure = rounded(figure);
        println!("{name:<34} {figure:>12}");
        self.0.insert(name.to_owned(), json!(figure));
    }

    fn note_pair(&mut self, name: &str, figures: &Figures) {
        self.note(&format!("{name}_ms_p50"), figures.median());
        self.note(&format!("{name}_ms_p95"), figures.p95());
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let mut line = Line::default();
    for measure in MEASURES {
        let is_named = named.iter().any(|name| name == measure);
        if !is_named && (measure == MILLION || !named.is_empty()) {
            continue;
        }
        match measure {
            "growth" => growth(&mut line).await?,
            "many" => many(&mut line).await?,
            "meaning" => by_meaning(&mut line).await?,
            MILLION => million(&mut line).await?,
            _ => in_turns(&mut line).await?,
        }
    }
    println!("{}", json!(line.0));
    Ok(())
}

/// One user with more and more entries, in one database.
async fn growth(line: &mut Line) -> anyhow::Result<()> {
    let filled = Filled::empty().await?;
    let most = size("SAYSO_MEMORY_ONE", 100_000)?;
    for (user, entries) in (1..).zip([most / 100, most / 10, most]) {
        let per_s = filled.remember(&(user..user + 1), entries).await?;
        let recall = filled.recall(&(user..user + 1), entries).await?;
        line.note_pair(&format!("recall_of_{entries}"), &recall);
        if entries == most {
            line.note("written_per_s", per_s);
            line.note(&format!("database_of_{most}_mib"), filled.mib()?);
            line.note("rss_growth_mib", resident_mib()?);
        }
    }
    Ok(())
}

/// Many users with a few entries each.
async fn many(line: &mut Line) -> anyhow::Result<()> {
    let filled = Filled::empty().await?;
    let users = size("SAYSO_MEMORY_USERS", 10_000)?;
    let each = size("SAYSO_MEMORY_EACH", 20)?;
    let all = users * each;
    let range = 1..users as i64 + 1;
    let per_s = filled.remember(&range, each).await?;
    let recall = filled.recall(&range, each).await?;
    line.note_pair(&format!("recall_among_{all}"), &recall);
    line.note("many_written_per_s", per_s);
    line.note(&format!("database_of_{all}_mib"), filled.mib()?);
    line.note("rss_many_mib", resident_mib()?);
    Ok(())
}

/// One user with a million facts: nothing is refused, and what is done with them goes on.
async fn million(line: &mut Line) -> anyhow::Result<()> {
    let filled = Filled::empty().await?;
    let facts = size("SAYSO_MEMORY_MILLION", 1_000_000)?;
    let per_s = filled.remember_facts(1, facts).await?;
    line.note(&format!("facts_{facts}_written_per_s"), per_s);
    let recall = filled.recall(&(1..2), facts).await?;
    line.note_pair(&format!("recall_of_{facts}_facts"), &recall);
    let (learned, forgotten) = filled.learn_and_forget(1).await?;
    line.note_pair(&format!("one_more_than_{facts}"), &learned);
    line.note_pair(&format!("forget_one_of_{facts}"), &forgotten);
    line.note(&format!("database_of_{facts}_facts_mib"), filled.mib()?);
    line.note("rss_million_mib", resident_mib()?);
    Ok(())
}

/// One user, whose entries have vectors.
async fn by_meaning(line: &mut Line) -> anyhow::Result<()> {
    let most = size("SAYSO_MEMORY_ONE", 100_000)?;
    for entries in [most / 10, most] {
        let filled = Filled::empty().await?;
        filled.remember(&(1..2), entries).await?;
        let found = meaning::recall_by_meaning(&filled, 1, entries).await?;
        line.note_pair(&format!("meaning_of_{entries}"), &found.recall);
        line.note(&format!("embedded_per_s_{entries}"), found.embedded_per_s);
        line.note(
            &format!("database_with_vectors_{entries}_mib"),
            filled.mib()?,
        );
        line.note(&format!("rss_meaning_{entries}_mib"), resident_mib()?);
    }
    Ok(())
}

/// What the entries add to a turn, of its time and of the processor's.
async fn in_turns(line: &mut Line) -> anyhow::Result<()> {
    let entries = size("SAYSO_MEMORY_TURN", 10_000)?;
    let mut both = Beside::start(entries).await?;
    for (name, talk) in [("turn", Talk::Messages), ("question", Talk::Questions)] {
        let turns = both.hear(talk).await?;
        line.note_pair(&format!("{name}_without"), &turns.without);
        line.note_pair(&format!("{name}_with_{entries}"), &turns.with);
        let share = |with: f64, without: f64| (with / without - 1.0) * 100.0;
        line.note(&format!("{name}_cpu_ms_without"), turns.cpu_without);
        line.note(&format!("{name}_cpu_ms_with"), turns.cpu_with);
        let medians = (turns.with.median(), turns.without.median());
        line.note(
            &format!("{name}_added_percent_p50"),
            share(medians.0, medians.1),
        );
        line.note(
            &format!("{name}_added_percent_cpu"),
            share(turns.cpu_with, turns.cpu_without),
        );
    }
    Ok(())
}

fn size(variable: &str, default: usize) -> anyhow::Result<usize> {
    match std::env::var(variable) {
        Ok(written) => written
            .parse()
            .with_context(|| format!("{variable} is no number: {written:?}")),
        Err(_) => Ok(default),
    }
}
