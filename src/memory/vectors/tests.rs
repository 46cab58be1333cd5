//! Found by meaning, kept apart by owner, and kept up whatever the embedder does.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use sayso_channel::HealthStatus;
use sayso_core::transcript::{ChatId, Taint, TurnId, UserId};
use sayso_fakes::{EmbedderFault, FakeEmbedder};
use sayso_providers::{EmbeddingsConfig, OpenAiEmbeddings};
use sayso_store::people;
use sayso_store::people::AccountStanding;
use sayso_store::vectors::Unembedded;
use sayso_store::{query, sql};
use tempfile::TempDir;

use super::index::{Failure, Progress};
use super::*;
use crate::deeds::{Deed, whatever_is_done};
use crate::{Memory, MemoryKind, MemorySearch, NewMemory, StoredMemory};

const LIN: Owner = Owner::User(UserId(1));
const ADA: Owner = Owner::User(UserId(2));

struct Opened {
    memory: StoredMemory,
    vectors: Arc<Vectors>,
    store: Store,
    embedder: FakeEmbedder,
    _directory: TempDir,
}

async fn open() -> Opened {
    open_with(0.25).await
}

async fn open_with(min_similarity: f32) -> Opened {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let embedder = FakeEmbedder::start().await;
    let vectors = vectors_of(&store, &embedder, min_similarity).await;
    Opened {
        memory: StoredMemory::new(store.clone()).with_vectors(Some(Arc::clone(&vectors))),
        vectors,
        store,
        embedder,
        _directory: directory,
    }
}

async fn vectors_of(store: &Store, embedder: &FakeEmbedder, min_similarity: f32) -> Arc<Vectors> {
    let client = OpenAiEmbeddings::new(EmbeddingsConfig {
        base_url: embedder.url().parse().unwrap(),
        api_key: None,
        model: "tiny".to_owned(),
        dimensions: None,
        timeout: Duration::from_secs(20),
    });
    let opened = Vectors::open(store.clone(), Arc::new(client.unwrap()), min_similarity).await;
    Arc::new(opened.unwrap())
}

impl Opened {
    async fn remember(&self, owner: Owner, text: &str) -> MemoryId {
        let new = NewMemory {
            kind: MemoryKind::Fact,
            text: text.to_owned(),
            turn: TurnId(1),
            taint: Taint::default(),
        };
        self.memory.remember(owner, new).await.unwrap().unwrap()
    }

    async fn catch_up(&self) -> Result<(), Failure> {
        let mut progress = Progress::at_start(self.vectors.present());
        self.vectors.catch_up(&mut progress).await
    }

    async fn texts(&self, owner: Owner, query: &str) -> Vec<String> {
        let found = self.memory.recall(owner, query, 5).await.unwrap();
        found.into_iter().map(|memory| memory.text).collect()
    }

    async fn count(&self, text: &'static str) -> i64 {
        query(sql!(text))
            .fetch_one(self.store.reader())
            .await
            .unwrap()
    }

    async fn vectors_kept(&self) -> i64 {
        self.count("SELECT count(*) FROM memory_vectors").await
    }

    async fn change(&self, statement: &'static str) {
        let changed = self.store.write(move |tx| {
            Box::pin(async move {
                tx.connection().batch(statement).await?;
                Ok(())
            })
        });
        changed.await.unwrap();
    }

    /// Returns how often the embedder was asked for a text.
    fn asked_for(&self, text: &str) -> usize {
        let requests = self.embedder.requests();
        requests.iter().flatten().filter(|it| *it == text).count()
    }
}

#[tokio::test]
async fn what_shares_no_word_is_found_by_its_meaning() {
    let opened = open().await;
    opened.embedder.teaches(&["car", "automobile", "汽车"]);
    opened.remember(LIN, "a blue automobile").await;
    opened.remember(LIN, "the green teapot").await;
    assert!(opened.texts(LIN, "car").await.is_empty());
    opened.catch_up().await.unwrap();
    assert_eq!(opened.texts(LIN, "car").await, ["a blue automobile"]);
    assert!(opened.texts(ADA, "car").await.is_empty());
    opened.embedder.assert_clean();
}

#[tokio::test]
async fn what_is_found_both_ways_comes_first() {
    let opened = open().await;
    opened.embedder.teaches(&["car", "automobile"]);
    for text in ["automobile", "my car", "the car wash is closed today"] {
        opened.remember(LIN, text).await;
    }
    opened.catch_up().await.unwrap();
    let found = opened.texts(LIN, "my car").await;
    assert_eq!(found[0], "my car");
    assert_eq!(found.len(), 3);
}

#[tokio::test]
async fn a_vector_goes_with_its_memory_and_with_its_text() {
    let opened = open().await;
    let tea = opened.remember(LIN, "likes tea").await;
    opened.remember(LIN, "likes cake").await;
    opened.catch_up().await.unwrap();
    assert_eq!(opened.vectors_kept().await, 2);
    assert_eq!(opened.memory.forget(LIN, &[tea]).await.unwrap(), 1);
    assert_eq!(opened.vectors_kept().await, 1);

    opened.change("UPDATE memories SET touched_ms = 5").await;
    assert_eq!(opened.vectors_kept().await, 1);
    opened
        .change("UPDATE memories SET text = 'likes pie'")
        .await;
    assert_eq!(opened.vectors_kept().await, 0);
    opened.catch_up().await.unwrap();
    assert_eq!(opened.vectors_kept().await, 1);
    opened.change("DELETE FROM memories").await;
    assert_eq!(opened.vectors_kept().await, 0);
}

#[tokio::test]
async fn a_vector_of_what_was_said_before_is_not_kept() {
    let opened = open().await;
    opened.remember(LIN, "likes tea").await;
    let missing = vectors::unembedded(opened.store.reader(), None, MemoryId(0), 5).await;
    let missing = missing.unwrap();
    opened
        .change("UPDATE memories SET text = 'likes pie'")
        .await;
    let present = opened.vectors.turn_to(2).await.unwrap();
    let kept = opened.store.write(move |tx| {
        Box::pin(async move { vectors::keep(tx, present.id, &missing[0], 1.0, &[1, 2]).await })
    });
    assert!(!kept.await.unwrap());
    assert_eq!(opened.vectors_kept().await, 0);
}

#[tokio::test]
async fn another_dimension_embeds_everything_anew_while_words_are_found() {
    let opened = open().await;
    opened.embedder.teaches(&["car", "automobile"]);
    for number in 0..40 {
        opened.remember(LIN, &format!("automobile {number}")).await;
    }
    opened.catch_up().await.unwrap();
    opened.embedder.answers_with(24);
    assert_eq!(opened.texts(LIN, "17").await, ["automobile 17"]);
    assert!(opened.texts(LIN, "car").await.is_empty());
    opened.catch_up().await.unwrap();
    assert_eq!(opened.texts(LIN, "car").await.len(), 5);
    let old = "SELECT count(*) FROM memory_vectors WHERE length(bytes) <> 24";
    assert_eq!(opened.count(old).await, 0);
    assert_eq!(opened.vectors_kept().await, 40);
    assert_eq!(opened.count("SELECT count(*) FROM embedders").await, 1);
}

#[tokio::test]
async fn what_was_interrupted_goes_on_where_it_was() {
    let opened = open().await;
    let texts: Vec<String> = (0..40).map(|number| format!("note {number}")).collect();
    for text in &texts {
        opened.remember(LIN, text).await;
    }
    opened
        .embedder
        .succeeds_and_then_fails(1, EmbedderFault::Status(403, None));
    opened.catch_up().await.unwrap_err();
    assert_eq!(opened.vectors_kept().await, 32);
    opened.embedder.heals();

    // As after a kill: nothing is known but what is in the database.
    let again = vectors_of(&opened.store, &opened.embedder, 0.25).await;
    let mut progress = Progress::at_start(again.present());
    again.catch_up(&mut progress).await.unwrap();
    assert_eq!(opened.vectors_kept().await, 40);
    assert_eq!(opened.asked_for("note 31"), 1);
    assert_eq!(opened.asked_for("note 32"), 2);
}

#[tokio::test]
async fn a_refused_text_does_not_hold_up_the_others() {
    let opened = open().await;
    for text in ["one", "two xyzzy", "three"] {
        opened.remember(LIN, text).await;
    }
    opened.embedder.refuses_texts_with("xyzzy");
    opened.catch_up().await.unwrap();
    assert_eq!(opened.vectors_kept().await, 2);
}

#[tokio::test]
async fn model_f6_a_memory_that_is_too_long_is_embedded_in_parts_and_blocks_no_other() {
    let opened = open().await;
    opened.embedder.teaches(&["dog", "puppy", "狗"]);
    opened.embedder.reads_at_most(100);
    let long = format!("{}dog", "green tea at four o'clock. ".repeat(30));
    let chinese = format!("{}狗", "茶".repeat(450));
    for text in [
        "my sister lives in Lisbon",
        &long,
        &chinese,
        "my dog is called Rex",
    ] {
        opened.remember(LIN, text).await;
    }
    opened.catch_up().await.unwrap();
    assert_eq!(opened.vectors_kept().await, 4);
    assert_eq!(opened.texts(LIN, "puppy").await, ["my dog is called Rex"]);
    // A refusal of this kind is not repeated: whole, once in the batch and once alone.
    assert_eq!(opened.asked_for(&long), 2);
    assert_eq!(
        opened.vectors.health().read().status,
        HealthStatus::Connected
    );
    opened.embedder.assert_clean();
}

#[tokio::test]
async fn model_f6_a_single_memory_that_is_too_long_is_embedded_in_parts() {
    let opened = open().await;
    opened.embedder.reads_at_most(100);
    opened.remember(LIN, &"茶".repeat(1_700)).await;
    opened.catch_up().await.unwrap();
    assert_eq!(opened.vectors_kept().await, 1);
}

#[tokio::test]
async fn model_f6_a_query_that_is_too_long_is_found_by_its_parts() {
    let opened = open().await;
    opened.embedder.teaches(&["car", "automobile"]);
    opened.embedder.reads_at_most(100);
    opened.remember(LIN, "automobile").await;
    opened.catch_up().await.unwrap();
    let query = "car ".repeat(300);
    assert_eq!(opened.texts(LIN, &query).await, ["automobile"]);
    assert!(!opened.vectors.outage.is_fresh());
}

#[tokio::test]
async fn model_f6_a_refusal_of_any_status_that_holds_for_one_text_is_about_that_text() {
    for status in [400, 403, 413, 422, 500, 501, 503] {
        let opened = open().await;
        for text in ["one", "two", "three"] {
            opened.remember(LIN, text).await;
        }
        // The batch is refused, with the repetitions of those that may pass; no text alone is.
        let is_repeated = matches!(status, 500 | 503);
        for _ in 0..if is_repeated { 3 } else { 1 } {
            opened
                .embedder
                .fails_next(EmbedderFault::Status(status, None));
        }
        opened.catch_up().await.unwrap();
        assert_eq!(opened.vectors_kept().await, 3, "{status}");
    }
}

#[tokio::test]
async fn where_every_text_is_refused_it_is_the_embedder() {
    let opened = open().await;
    for text in ["one", "two", "three"] {
        opened.remember(LIN, text).await;
    }
    opened.embedder.fails(EmbedderFault::Status(400, None));
    let failure = opened.catch_up().await.unwrap_err();
    assert!(matches!(failure, Failure::Embedder(_)), "{failure:?}");
}

#[tokio::test]
async fn a_row_that_is_no_vector_is_made_again() {
    let opened = open().await;
    opened.remember(LIN, "likes tea").await;
    opened.catch_up().await.unwrap();
    opened
        .change("UPDATE memory_vectors SET bytes = x'01'")
        .await;
    assert_eq!(opened.texts(LIN, "likes").await, ["likes tea"]);
    opened.catch_up().await.unwrap();
    let whole = "SELECT count(*) FROM memory_vectors WHERE length(bytes) = 64";
    assert_eq!(opened.count(whole).await, 1);
}

#[tokio::test]
async fn words_are_found_while_the_embedder_is_away_and_no_one_waits_for_it_twice() {
    let opened = open().await;
    opened.remember(LIN, "likes tea").await;
    opened.embedder.fails(EmbedderFault::Status(403, None));
    for _ in 0..3 {
        assert_eq!(opened.texts(LIN, "tea").await, ["likes tea"]);
    }
    assert_eq!(opened.asked_for("tea"), 1);
}

#[tokio::test]
async fn a_person_finds_what_each_account_said_as_long_as_they_are_joined() {
    let opened = open().await;
    opened.embedder.teaches(&["car", "automobile"]);
    let accounts = opened.store.write(|tx| {
        Box::pin(async move {
            let one = people::add_sender(tx, "a", "1", "Lin", AccountStanding::Member).await?;
            let other = people::add_sender(tx, "b", "2", "lin#2", AccountStanding::Member).await?;
            Ok((one, other))
        })
    });
    let (one, other) = accounts.await.unwrap();
    let (by_one, by_other) = (Owner::User(one), Owner::User(other));
    for owner in [by_one, by_other, Owner::Chat(ChatId(one.0))] {
        opened.remember(owner, "automobile").await;
    }
    opened.remember(by_other, "blue automobile").await;
    opened.catch_up().await.unwrap();
    assert_eq!(opened.texts(by_one, "car").await, ["automobile"]);
    let joined = opened
        .store
        .write(move |tx| Box::pin(async move { people::join(tx, one, other).await }));
    joined.await.unwrap();
    let both = opened.texts(by_one, "car").await;
    assert_eq!(both, ["automobile", "blue automobile"], "each text once");
}

/// The nearest neighbours of every owner are exactly its own memories, as no distance is too large
/// here.
async fn owners_never_meet_after(deeds: Vec<Deed>) {
    let opened = open_with(-1.0).await;
    let mut expected: HashMap<Owner, HashMap<&str, MemoryId>> = HashMap::new();
    for deed in deeds {
        match deed {
            Deed::CatchUp => opened.catch_up().await.unwrap(),
            Deed::Remember(owner, text) => {
                let id = opened.remember(owner, text).await;
                expected.entry(owner).or_default().insert(text, id);
            }
            Deed::Forget(owner, text) => {
                if let Some(id) = expected.entry(owner).or_default().remove(text) {
                    opened.memory.forget(owner, &[id]).await.unwrap();
                }
            }
        }
    }
    opened.catch_up().await.unwrap();
    // One that has not remembered anything makes the embedder known.
    let nobody = opened.vectors.nearest(Owner::User(UserId(5)), "tea").await;
    assert_eq!(nobody.unwrap(), []);
    let mut kept = 0;
    for (owner, memories) in expected {
        let nearest = opened.vectors.nearest(owner, "green tea").await.unwrap();
        kept += nearest.len() as i64;
        let nearest: BTreeSet<MemoryId> = nearest.into_iter().collect();
        assert_eq!(nearest, memories.into_values().collect(), "{owner:?}");
    }
    assert_eq!(opened.vectors_kept().await, kept);
}

#[test]
fn vectors_of_owners_never_meet() {
    whatever_is_done(owners_never_meet_after);
}

#[tokio::test]
async fn model_f6_memories_are_embedded_with_the_name_of_who_said_them() {
    let opened = open().await;
    opened
        .store
        .write(|tx| {
            Box::pin(async move {
                let users = "INSERT INTO users (id, created_ms) VALUES (1, 1);
                     INSERT INTO senders (channel, sender, user_id, name, standing)
                     VALUES ('test', 'lin', 1, 'Lin', 'owner')";
                tx.connection().batch(users).await?;
                Ok(())
            })
        })
        .await
        .unwrap();
    opened.remember(LIN, "likes tea").await;
    opened.remember(ADA, "likes cake").await;
    let missing = vectors::unembedded(opened.store.reader(), None, MemoryId(0), 5).await;
    let texts: Vec<String> = missing
        .unwrap()
        .iter()
        .map(Unembedded::embedded_text)
        .collect();
    assert_eq!(texts, ["Lin: likes tea", "likes cake"]);
}
