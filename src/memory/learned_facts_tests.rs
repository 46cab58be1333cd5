//! Facts that change, are taken back, forgotten and told anew.

use sayso_core::transcript::{ChatId, MemoryId, Owner, Taint, TurnId, UserId};
use sayso_store::people::AccountStanding;
use sayso_store::query;
use sayso_store::sql;
use sayso_store::word_index::mark;
use sayso_store::{Store, people};
use tempfile::TempDir;

use super::{Learned, NewFact, Source, Topic};
use crate::{Memory, MemorySearch, Recalled, Span, StoredMemory};

const LIN: Owner = Owner::User(UserId(1));
const ADA: Owner = Owner::User(UserId(2));
const GROUP: Owner = Owner::Chat(ChatId(1));

struct Opened {
    memory: StoredMemory,
    store: Store,
    _directory: TempDir,
}

async fn open() -> Opened {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    Opened {
        memory: StoredMemory::new(store.clone()),
        store,
        _directory: directory,
    }
}

fn fact(text: &str) -> NewFact {
    NewFact {
        text: text.to_owned(),
        topic: None,
        confidence: 80,
        source: Source::Learned,
        turn: TurnId(1),
        taint: Taint::default(),
        valid_from_ms: None,
        valid_until_ms: None,
        replaces: None,
    }
}

fn told(text: &str) -> NewFact {
    NewFact {
        source: Source::Told,
        confidence: NewFact::SURE,
        ..fact(text)
    }
}

fn id(learned: &Learned) -> MemoryId {
    match learned {
        Learned::Same(id) | Learned::New(id) | Learned::Replaced { new: id, .. } => *id,
        Learned::Suppressed | Learned::Missing(_) => panic!("nothing was written: {learned:?}"),
    }
}

impl Opened {
    async fn learn(&self, owner: Owner, new: NewFact) -> Learned {
        self.memory.learn(owner, new).await.unwrap()
    }

    async fn change(&self, owner: Owner, old: MemoryId, text: &str) -> Learned {
        let new = NewFact {
            replaces: Some(old),
            ..fact(text)
        };
        self.learn(owner, new).await
    }

    async fn find(&self, owner: Owner, query: &str, span: Span) -> Vec<Recalled> {
        self.memory.find(owner, query, 50, span).await.unwrap()
    }

    async fn texts(&self, owner: Owner, query: &str, span: Span) -> Vec<String> {
        let mut texts: Vec<_> = self
            .find(owner, query, span)
            .await
            .into_iter()
            .map(|memory| memory.text)
            .collect();
        texts.sort();
        texts
    }

    async fn now(&self, owner: Owner, query: &str) -> Vec<String> {
        self.texts(owner, query, Span::Now).await
    }

    async fn ever(&self, owner: Owner, query: &str) -> Vec<String> {
        self.texts(owner, query, Span::Ever).await
    }
}

#[tokio::test]
async fn what_says_the_same_is_touched_whatever_its_spelling() {
    let opened = open().await;
    let first = id(&opened.learn(LIN, fact("likes green tea")).await);
    for same in ["likes green tea", " Likes GREEN tea. "] {
        assert_eq!(opened.learn(LIN, fact(same)).await, Learned::Same(first));
    }
    assert_eq!(opened.ever(LIN, "tea").await, ["likes green tea"]);
    let told = NewFact {
        topic: Some(Topic::Preference),
        ..told("likes green tea")
    };
    assert_eq!(opened.learn(LIN, told).await, Learned::Same(first));
    opened.learn(LIN, fact("likes green tea")).await;
    let found = opened.find(LIN, "tea", Span::Now).await.remove(0);
    assert_eq!(found.source, Some(Source::Told));
    assert_eq!(found.topic, Some(Topic::Preference));
    assert_eq!(found.confidence, NewFact::SURE);
}

#[tokio::test]
async fn what_changed_is_kept_with_the_time_until_when_it_held() {
    let opened = open().await;
    let berlin = id(&opened.learn(LIN, fact("lives in Berlin")).await);
    let learned = opened.change(LIN, berlin, "lives in Munich").await;
    let munich = id(&learned);
    let old = berlin;
    assert_eq!(learned, Learned::Replaced { new: munich, old });
    assert_eq!(opened.now(LIN, "lives").await, ["lives in Munich"]);
    assert_eq!(
        opened.ever(LIN, "lives").await,
        ["lives in Berlin", "lives in Munich"]
    );
    for memory in opened.find(LIN, "lives", Span::Ever).await {
        let is_over = memory.valid_until_ms.is_some();
        assert_eq!(is_over, memory.id == berlin, "{memory:?}");
    }
    // And back again: what once held may hold again.
    let back = opened.change(LIN, munich, "lives in Berlin").await;
    assert_ne!(id(&back), berlin);
    assert_eq!(opened.now(LIN, "lives").await, ["lives in Berlin"]);
}

#[tokio::test]
async fn what_is_over_does_not_come_up_until_it_is_asked_for() {
    let opened = open().await;
    let over = NewFact {
        valid_from_ms: Some(1000),
        valid_until_ms: Some(2000),
        ..fact("is on holiday")
    };
    opened.learn(LIN, over).await;
    assert!(opened.now(LIN, "holiday").await.is_empty());
    assert_eq!(opened.ever(LIN, "holiday").await, ["is on holiday"]);
    // Said again, it holds again.
    opened.learn(LIN, fact("is on holiday")).await;
    assert_eq!(opened.now(LIN, "holiday").await, ["is on holiday"]);
}

#[tokio::test]
async fn a_fact_cannot_end_before_it_begins() {
    let opened = open().await;
    let wrong = NewFact {
        valid_from_ms: Some(2000),
        valid_until_ms: Some(1000),
        ..fact("is on holiday")
    };
    opened.memory.learn(LIN, wrong).await.unwrap_err();
    assert!(opened.ever(LIN, "holiday").await.is_empty());
}

#[tokio::test]
async fn no_one_changes_or_takes_back_what_belongs_to_another_owner() {
    let opened = open().await;
    let learned = opened.learn(LIN, fact("lives in Berlin")).await;
    let berlin = id(&learned);
    for other in [ADA, GROUP] {
        assert_eq!(
            opened.change(other, berlin, "lives in Munich").await,
            Learned::Missing(berlin)
        );
        assert!(!opened.memory.undo(other, &learned).await.unwrap());
        assert!(opened.ever(other, "lives").await.is_empty());
    }
    assert_eq!(opened.now(LIN, "lives").await, ["lives in Berlin"]);
}

#[tokio::test]
async fn a_change_of_what_was_changed_already_writes_nothing() {
    let opened = open().await;
    let berlin = id(&opened.learn(LIN, fact("lives in Berlin")).await);
    opened.change(LIN, berlin, "lives in Munich").await;
    let late = opened.change(LIN, berlin, "lives in Oslo").await;
    assert_eq!(late, Learned::Missing(berlin));
    assert_eq!(opened.now(LIN, "lives").await, ["lives in Munich"]);
}

#[tokio::test]
async fn undo_takes_back_exactly_one_learning() {
    let opened = open().await;
    let new = opened.learn(LIN, fact("likes oolong tea")).await;
    let berlin = id(&opened.learn(LIN, fact("lives in Berlin")).await);
    let changed = opened.change(LIN, berlin, "lives in Munich").await;

    assert!(opened.memory.undo(LIN, &changed).await.unwrap());
    assert_eq!(opened.ever(LIN, "lives").await, ["lives in Berlin"]);
    assert_eq!(opened.find(LIN, "lives", Span::Now).await[0].id, berlin);
    assert_eq!(
        opened.find(LIN, "lives", Span::Now).await[0].valid_until_ms,
        None
    );
    assert!(!opened.memory.undo(LIN, &changed).await.unwrap());

    assert!(opened.memory.undo(LIN, &new).await.unwrap());
    assert!(opened.ever(LIN, "tea").await.is_empty());
    let again = fact("The user likes Oolong tea");
    assert_eq!(opened.learn(LIN, again).await, Learned::Suppressed);
}

#[tokio::test]
async fn undo_of_what_was_changed_since_leaves_the_newest() {
    let opened = open().await;
    let berlin = id(&opened.learn(LIN, fact("lives in Berlin")).await);
    let munich = opened.change(LIN, berlin, "lives in Munich").await;
    opened.change(LIN, id(&munich), "lives in Oslo").await;
    assert!(opened.memory.undo(LIN, &munich).await.unwrap());
    assert_eq!(opened.now(LIN, "lives").await, ["lives in Oslo"]);
    assert_eq!(
        opened.ever(LIN, "lives").await,
        ["lives in Berlin", "lives in Oslo"]
    );
}

#[tokio::test]
async fn undo_restores_everything_that_one_fact_took_the_place_of() {
    let opened = open().await;
    let berlin = id(&opened.learn(LIN, fact("lives in Berlin")).await);
    opened.learn(LIN, fact("lives in Munich")).await;
    let changed = opened.change(LIN, berlin, "lives in Munich").await;
    assert_eq!(opened.now(LIN, "lives").await, ["lives in Munich"]);
    assert!(opened.memory.undo(LIN, &changed).await.unwrap());
    assert_eq!(
        opened.now(LIN, "lives").await,
        ["lives in Berlin", "lives in Munich"]
    );
}

#[tokio::test]
async fn undo_after_the_old_was_said_again_leaves_one_of_it() {
    let opened = open().await;
    let berlin = id(&opened.learn(LIN, fact("lives in Berlin")).await);
    let changed = opened.change(LIN, berlin, "lives in Munich").await;
    opened.learn(LIN, told("lives in Berlin")).await;
    assert!(opened.memory.undo(LIN, &changed).await.unwrap());
    assert_eq!(opened.ever(LIN, "lives").await, ["lives in Berlin"]);
}

#[tokio::test]
async fn what_is_forgotten_goes_with_its_past_and_does_not_come_back() {
    let opened = open().await;
    let berlin = id(&opened.learn(LIN, fact("lives in Berlin")).await);
    let munich = id(&opened.change(LIN, berlin, "lives in Munich").await);
    assert_eq!(opened.memory.forget(LIN, &[munich]).await.unwrap(), 1);
    assert!(opened.ever(LIN, "lives").await.is_empty());
    for near in [
        "User lives in Berlin",
        "lives in Munich, with a cat",
        "living in munich",
    ] {
        assert_eq!(
            opened.learn(LIN, fact(near)).await,
            Learned::Suppressed,
            "{near}"
        );
    }
    // Another owner never forgot it, and another town was never said.
    for (owner, text) in [(ADA, "lives in Berlin"), (LIN, "lives in Oslo")] {
        let learned = opened.learn(owner, fact(text)).await;
        assert!(matches!(learned, Learned::New(_)), "{text}: {learned:?}");
    }
}

#[tokio::test]
async fn what_is_told_anew_lifts_the_tombstone() {
    let opened = open().await;
    let tea = id(&opened.learn(LIN, fact("likes green tea")).await);
    opened.memory.forget(LIN, &[tea]).await.unwrap();
    let told = opened.learn(LIN, told("I like green tea")).await;
    opened.memory.forget(ADA, &[id(&told)]).await.unwrap();
    assert_eq!(opened.now(LIN, "tea").await, ["I like green tea"]);
    let learned = opened.learn(LIN, fact("likes green tea and cake")).await;
    assert!(matches!(learned, Learned::New(_)), "{learned:?}");
}

#[tokio::test]
async fn accounts_of_a_person_share_facts_tombstones_and_undo() {
    let opened = open().await;
    let store = &opened.store;
    let users = store
        .write(|tx| {
            Box::pin(async move {
                let one =
                    people::add_sender(tx, "telegram", "1", "Lin", AccountStanding::Member).await?;
                let other =
                    people::add_sender(tx, "discord", "2", "Lin", AccountStanding::Member).await?;
                people::join(tx, one, other).await?;
                Ok([one, other])
            })
        })
        .await
        .unwrap();
    let [one, other] = users.map(Owner::User);
    let berlin = id(&opened.learn(one, fact("lives in Berlin")).await);
    assert_eq!(
        opened.learn(other, fact("lives in Berlin")).await,
        Learned::Same(berlin)
    );
    let changed = opened.change(other, berlin, "lives in Munich").await;
    assert_eq!(opened.now(one, "lives").await, ["lives in Munich"]);
    assert!(opened.memory.undo(one, &changed).await.unwrap());
    assert_eq!(opened.now(other, "lives").await, ["lives in Berlin"]);
    opened.memory.forget(other, &[berlin]).await.unwrap();
    for account in [one, other] {
        let learned = opened.learn(account, fact("lives in Berlin")).await;
        assert_eq!(learned, Learned::Suppressed);
    }
}

#[tokio::test]
async fn a_recall_is_a_use_and_a_look_is_none() {
    let opened = open().await;
    opened.learn(LIN, fact("likes green tea")).await;
    opened.find(LIN, "tea", Span::Now).await;
    opened.memory.recall(LIN, "tea", 5).await.unwrap();
    opened.memory.recall(LIN, "nothing", 5).await.unwrap();
    // Behind it in line.
    opened.learn(LIN, fact("likes cake")).await;
    let uses: Vec<(String, i64, bool)> = query(sql!(
        "SELECT text, recalls, recalled_ms IS NOT NULL FROM memories ORDER BY id"
    ))
    .fetch_all(opened.store.reader())
    .await
    .unwrap();
    assert_eq!(
        uses,
        [
            ("likes green tea".to_owned(), 1, true),
            ("likes cake".to_owned(), 0, false)
        ]
    );
}

#[tokio::test]
async fn no_word_of_what_was_forgotten_is_left_in_the_tables() {
    let opened = open().await;
    let secret = id(&opened.learn(LIN, fact("collects zeppelins")).await);
    opened.memory.forget(LIN, &[secret]).await.unwrap();
    let dump: String = query(sql!(
        "SELECT coalesce(group_concat(quote(word) || quote(words) || quote(owner_id)), '')
         FROM tombstones JOIN tombstone_words ON tombstone_id = id"
    ))
    .fetch_one(opened.store.reader())
    .await
    .unwrap();
    assert!(!dump.is_empty());
    assert!(!dump.contains("zeppelin"), "{dump}");
    let indexed: i64 = query(sql!(
        "SELECT count(*) FROM memory_words WHERE memory_words MATCH $1 || 'zeppelins'"
    ))
    .bind(mark(LIN))
    .fetch_one(opened.store.reader())
    .await
    .unwrap();
    assert_eq!(indexed, 0);
}
