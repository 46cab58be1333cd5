//! How well what was said is found again, without an embedder: recall and nDCG on public sets of
//! questions, beside plain BM25 in the same run. Fails when a figure is below its bound; prints all
//! figures as one JSON line, last.
//!
//! The sets are read from `SAYSO_MATERIAL` (default `../shared/material`). What runs on what:
//!
//! - **MemDaily** and **CMRC 2018**: the whole of recall, [`StoredMemory`] over a database on disk.
//!   The messages of each trajectory are the facts of one user; the passages of CMRC are the facts
//!   of one more.
//! - **LoCoMo**: the ranker of production, [`rank`], fed by this file. Single lines of a conversation
//!   are not in the memory's tables, so each turn is made an [`Entry`] here, with its session as
//!   stretch, its place, its speaker and its date; the caption of a picture is part of the text. All
//!   turns of a conversation are ranked: it has fewer that hold a word of the question than recall
//!   takes as candidates, or few more.
//!
//! The baseline is BM25 as the books have it (k1 1.2, b 0.75), for each owner alone, over the same
//! texts: words in lower case without stems or stop words, and pairs of Chinese characters.

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "recall/bm25.rs"]
mod bm25;
#[path = "recall/sets.rs"]
mod sets;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use bm25::Bm25;
use futures_util::future::try_join_all;
use sayso::bench_support::{
    Entry, Memory as _, MemoryKind, MemorySearch as _, NewMemory, Owner, Said, Statistics, Store,
    StoredMemory, Taint, TurnId, UserId, asked_at, rank,
};
use sets::{Conversation, Passages, Trajectory};

/// How many results are looked at.
const SHOWN: usize = 10;
/// The least that each figure must be.
const BOUNDS: [(&str, f64); 4] = [
    ("locomo_recall_at_5", 0.63),
    ("locomo_recall_at_10", 0.72),
    ("memdaily_recall_at_5", 0.88),
    ("cmrc_recall_at_1", 0.95),
];

/// The sums over all questions of one set.
#[derive(Debug, Default)]
struct Sums {
    questions: f64,
    at_1: f64,
    at_5: f64,
    at_10: f64,
    gain: f64,
}

impl Sums {
    /// Adds a question: what was found, best first, and what should have been.
    fn add(&mut self, found: &[usize], wanted: &HashSet<usize>) {
        let all = wanted.len() as f64;
        let among = |count: usize| {
            let first = found.iter().take(count);
            first.filter(|found| wanted.contains(found)).count() as f64 / all
        };
        let worth = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let gain: f64 = (0..SHOWN)
            .zip(found)
            .filter(|(_, found)| wanted.contains(found))
            .map(|(place, _)| worth(place))
            .sum();
        let best: f64 = (0..wanted.len().min(SHOWN)).map(worth).sum();
        self.questions += 1.0;
        self.at_1 += among(1);
        self.at_5 += among(5);
        self.at_10 += among(SHOWN);
        self.gain += gain / best;
    }

    fn of(&self, sum: f64) -> f64 {
        sum / self.questions.max(1.0)
    }
}

/// Production and baseline over the same questions.
#[derive(Debug, Default)]
struct Compared {
    sayso: Sums,
    bm25: Sums,
}

type Figures = BTreeMap<String, f64>;

impl Compared {
    fn write(&self, figures: &mut Figures, name: &str, of: fn(&Sums) -> f64) {
        figures.insert(name.to_owned(), self.sayso.of(of(&self.sayso)));
        figures.insert(format!("{name}_bm25"), self.bm25.of(of(&self.bm25)));
    }
}

fn main() -> anyhow::Result<()> {
    let material = material().join("memory");
    if !material.is_dir() {
        println!("skipped: no sets at {}", material.display());
        return Ok(());
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let mut figures = Figures::new();

    let locomo = locomo(&sets::conversations(&material)?);
    locomo.write(&mut figures, "locomo_recall_at_5", |sums| sums.at_5);
    locomo.write(&mut figures, "locomo_recall_at_10", |sums| sums.at_10);
    locomo.write(&mut figures, "locomo_ndcg_at_10", |sums| sums.gain);

    let directory = tempfile::tempdir()?;
    runtime.block_on(async {
        let store = Store::open(&directory.path().join("sayso.db")).await?;
        let memory = StoredMemory::new(store);
        let memdaily = memdaily(&memory, &sets::trajectories(&material)?).await?;
        memdaily.write(&mut figures, "memdaily_recall_at_5", |sums| sums.at_5);
        memdaily.write(&mut figures, "memdaily_recall_at_10", |sums| sums.at_10);
        memdaily.write(&mut figures, "memdaily_ndcg_at_10", |sums| sums.gain);
        let cmrc = cmrc(&memory, &sets::passages(&material)?).await?;
        cmrc.write(&mut figures, "cmrc_recall_at_1", |sums| sums.at_1);
        anyhow::Ok(())
    })?;

    println!("{}", serde_json::to_string(&figures)?);
    for (name, bound) in BOUNDS {
        let figure = figures.get(name).copied().unwrap_or_default();
        ensure!(figure >= bound, "{name} is {figure:.4}, below {bound}");
    }
    Ok(())
}

fn locomo(conversations: &[Conversation]) -> Compared {
    let mut compared = Compared::default();
    for conversation in conversations {
        let entries: Vec<_> = conversation
            .turns
            .iter()
            .map(|turn| Entry {
                text: &turn.text,
                at_ms: turn.at_ms,
                kind: MemoryKind::Episode,
                said: Some(Said {
                    stretch: turn.session,
                    place: turn.place,
                    speaker: &turn.speaker,
                }),
                importance: 1.0,
                holds: None,
            })
            .collect();
        let baseline = Bm25::new(conversation.turns.iter().map(|turn| turn.text.as_str()));
        for question in &conversation.questions {
            let query = asked_at(&question.text, conversation.end(), |time| {
                time.and_utc().timestamp_millis()
            });
            let statistics = Statistics::of(&query, &entries);
            let found = rank(&query, &statistics, &entries);
            compared.sayso.add(&found, &question.wanted);
            compared
                .bm25
                .add(&baseline.find(&question.text), &question.wanted);
        }
    }
    println!("LoCoMo: {} questions", compared.sayso.questions);
    compared
}

async fn memdaily(memory: &StoredMemory, trajectories: &[Trajectory]) -> anyhow::Result<Compared> {
    let mut compared = Compared::default();
    for (number, trajectory) in trajectories.iter().enumerate() {
        let owner = Owner::User(UserId(number as i64 + 1));
        let owned = Owned::remember(memory, owner, &trajectory.messages).await?;
        let baseline = Bm25::new(trajectory.messages.iter().map(String::as_str));
        for question in &trajectory.questions {
            let found = owned.find(memory, &question.text).await?;
            compared.sayso.add(&found, &question.wanted);
            compared
                .bm25
                .add(&baseline.find(&question.text), &question.wanted);
        }
    }
    println!("MemDaily: {} questions", compared.sayso.questions);
    Ok(compared)
}

async fn cmrc(memory: &StoredMemory, passages: &Passages) -> anyhow::Result<Compared> {
    let mut compared = Compared::default();
    let owner = Owner::User(UserId(1_000_000));
    let owned = Owned::remember(memory, owner, &passages.texts).await?;
    let baseline = Bm25::new(passages.texts.iter().map(String::as_str));
    for question in &passages.questions {
        let found = owned.find(memory, &question.text).await?;
        compared.sayso.add(&found, &question.wanted);
        compared
            .bm25
            .add(&baseline.find(&question.text), &question.wanted);
    }
    println!("CMRC 2018: {} questions", compared.sayso.questions);
    Ok(compared)
}

/// What one owner was made to remember.
struct Owned {
    owner: Owner,
    places: HashMap<String, usize>,
}

impl Owned {
    async fn remember(
        memory: &StoredMemory,
        owner: Owner,
        texts: &[String],
    ) -> anyhow::Result<Self> {
        let remembered = texts.iter().map(|text| {
            let new = NewMemory {
                kind: MemoryKind::Fact,
                text: text.clone(),
                turn: TurnId(1),
                taint: Taint::default(),
            };
            memory.remember(owner, new)
        });
        try_join_all(remembered).await?;
        let places = texts.iter().map(|text| text.trim().to_owned()).zip(0..);
        Ok(Self {
            owner,
            places: places.collect(),
        })
    }

    /// Returns the places of what is recalled, best first.
    async fn find(&self, memory: &StoredMemory, question: &str) -> anyhow::Result<Vec<usize>> {
        let recalled = memory.recall(self.owner, question, SHOWN).await?;
        let place = |text: &String| self.places.get(text).copied();
        recalled
            .iter()
            .map(|memory| place(&memory.text).context("recalled what was never remembered"))
            .collect()
    }
}

fn material() -> PathBuf {
    std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    )
}
