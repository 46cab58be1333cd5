//! Recall with a real embedder: what it adds to words alone, by the product's own store, ranker and
//! fusion.
//!
//! The lines of LoCoMo's conversations are the facts of one user each, with who said them.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::ensure;
use futures_util::future::try_join_all;
use sayso::bench_support::{
    Memory as _, MemoryKind, MemorySearch as _, NewMemory, Owner, Store, StoredMemory, Taint,
    TurnId, UserId, Vectors, embedder_at,
};

use crate::models::{Models, Server};
use crate::sets::{Conversation, conversations};
use crate::{Extent, Figures};

/// How many results are looked at.
const SHOWN: usize = 10;
/// The least similarity of the configuration's default.
const MIN_SIMILARITY: f32 = 0.25;

/// Sums of recall at the cutoffs, over all questions.
#[derive(Debug, Default)]
struct Sums {
    questions: f64,
    at_5: f64,
    at_10: f64,
}

impl Sums {
    fn add(&mut self, found: &[usize], wanted: &HashSet<usize>) {
        let among = |count: usize| {
            let first = found.iter().take(count);
            first.filter(|it| wanted.contains(it)).count() as f64 / wanted.len() as f64
        };
        self.questions += 1.0;
        self.at_5 += among(5);
        self.at_10 += among(SHOWN);
    }

    fn note(&self, name: &str, figures: &mut Figures) {
        let share = |sum: f64| (sum / self.questions.max(1.0) * 1000.0).round() / 1000.0;
        figures.note(&format!("recall_{name}_at_5"), share(self.at_5));
        figures.note(&format!("recall_{name}_at_10"), share(self.at_10));
    }

    /// What meaning adds has the last places of ten. On a machine that is too slow for the patience
    /// of a look-up words stand alone, so the short form asks for no gain.
    fn ensure_no_worse_than(&self, words: &Self, extent: Extent) -> anyhow::Result<()> {
        ensure!(
            self.at_5 >= words.at_5 && self.at_10 >= words.at_10,
            "recall by words and meaning is worse than by words alone"
        );
        ensure!(
            extent == Extent::Short || self.at_10 > words.at_10,
            "meaning adds nothing among ten"
        );
        Ok(())
    }
}

/// Measures recall by words alone, and by words and meaning.
pub async fn recall(models: &Models, extent: Extent, figures: &mut Figures) -> anyhow::Result<()> {
    let material = material().join("memory");
    if !material.is_dir() {
        figures.note("recall", "skipped: there are no sets of questions to read");
        return Ok(());
    }
    let server = Server::start(models, &models.embedder, &["embedding=true", "n_ctx=512"]).await?;
    let most = std::env::var("SAYSO_LOCAL_MODEL_LINES").ok();
    let most = most.map_or(Ok(if extent == Extent::Short { 300 } else { 3000 }), |it| {
        it.parse()
    })?;
    let directory = tempfile::tempdir()?;
    let store = Store::open(&directory.path().join("sayso.db")).await?;
    let embedder = embedder_at(&format!("{}/v1", server.url))?;
    let by_words = StoredMemory::new(store.clone());
    let mut taken: Vec<Conversation> = Vec::new();
    let mut lines = 0;
    for conversation in conversations(&material)? {
        if !taken.is_empty() && lines + conversation.turns.len() > most {
            break;
        }
        lines += conversation.turns.len();
        remember(&by_words, owner(taken.len()), &texts(&conversation)).await?;
        taken.push(conversation);
    }
    let vectors = Vectors::open(store.clone(), Arc::clone(&embedder), MIN_SIMILARITY).await?;
    let begun = std::time::Instant::now();
    vectors.catch_up_from_start().await?;
    figures.note("recall_lines", lines);
    figures.note("recall_embedding_s", begun.elapsed().as_secs());
    let fused = StoredMemory::new(store).with_vectors(Some(Arc::new(vectors)));
    let (mut words, mut both) = (Sums::default(), Sums::default());
    for (number, conversation) in taken.iter().enumerate() {
        add(&by_words, owner(number), conversation, &mut words).await?;
        add(&fused, owner(number), conversation, &mut both).await?;
    }
    figures.note("recall_questions", words.questions as u64);
    words.note("words", figures);
    both.note("fused", figures);
    both.ensure_no_worse_than(&words, extent)
}

fn owner(number: usize) -> Owner {
    Owner::User(UserId(number as i64 + 1))
}

fn texts(conversation: &Conversation) -> Vec<String> {
    let turns = conversation.turns.iter();
    turns
        .map(|turn| format!("{}: {}", turn.speaker, turn.text))
        .collect()
}

async fn remember(memory: &StoredMemory, owner: Owner, texts: &[String]) -> anyhow::Result<()> {
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
    Ok(())
}

async fn add(
    memory: &StoredMemory,
    owner: Owner,
    conversation: &Conversation,
    sums: &mut Sums,
) -> anyhow::Result<()> {
    let texts = texts(conversation);
    let places: HashMap<&str, usize> = texts.iter().map(|text| text.trim()).zip(0..).collect();
    for question in &conversation.questions {
        let recalled = memory.recall(owner, &question.text, SHOWN).await?;
        let found = recalled
            .iter()
            .filter_map(|it| places.get(it.text.trim()).copied());
        let found: Vec<usize> = found.collect();
        sums.add(&found, &question.wanted);
    }
    Ok(())
}

fn material() -> PathBuf {
    std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    )
}
