//! What goes by its age, and what stays.

use std::time::Duration;

use sayso_core::transcript::{Owner, Taint, TurnId, UserId};
use sayso_store::Store;
use sayso_store::query;
use sayso_store::sql;
use sayso_store::word_index::mark;
use tokio_util::sync::CancellationToken;

use super::{Retention, delete_expired};
use crate::{Memory, MemoryKind, MemorySearch, NewFact, NewMemory, Source, StoredMemory};

const LIN: Owner = Owner::User(UserId(1));
const FOR_EVER: Retention = Retention {
    episodes: None,
    learned: None,
    told: None,
    lines: None,
    fades: None,
    fades_below: 100,
};
const MONTH: Option<Duration> = Some(Duration::from_hours(24 * 30));

/// Remembers one of each kind, the first half of them long ago, and returns what a sweep leaves.
async fn left(retention: Retention) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let memory = StoredMemory::new(store.clone());
    remember_all(&memory).await;
    memory.recall(LIN, "old learned 90", 1).await.unwrap();
    store
        .write(|tx| {
            Box::pin(async move {
                query(sql!(
                    "UPDATE memories SET touched_ms = 1000 WHERE text LIKE 'old%'"
                ))
                .execute(tx.connection())
                .await?;
                Ok(())
            })
        })
        .await
        .unwrap();
    delete_expired(&store, &retention, &CancellationToken::new())
        .await
        .unwrap();
    let indexed: i64 = query(sql!(
        "SELECT count(*) FROM memory_words WHERE memory_words MATCH $1 || 'old OR ' || $1 || 'new'"
    ))
    .bind(mark(LIN))
    .fetch_one(store.reader())
    .await
    .unwrap();
    let left: Vec<String> = query(sql!("SELECT text FROM memories ORDER BY id"))
        .fetch_all(store.reader())
        .await
        .unwrap();
    assert_eq!(indexed as usize, left.len());
    assert!(
        left.iter().filter(|text| text.starts_with("new")).count() == 4,
        "{left:?}"
    );
    left.into_iter()
        .filter(|text| text.starts_with("old"))
        .collect()
}

/// Remembers one of each kind, twice.
async fn remember_all(memory: &StoredMemory) {
    for age in ["old", "new"] {
        for (source, confidence) in [
            (Source::Told, 100),
            (Source::Learned, 90),
            (Source::Learned, 40),
        ] {
            let fact = NewFact {
                text: format!("{age} {} {confidence}", source.as_str()),
                topic: None,
                confidence,
                source,
                turn: TurnId(1),
                taint: Taint::default(),
                valid_from_ms: None,
                valid_until_ms: None,
                replaces: None,
            };
            memory.learn(LIN, fact).await.unwrap();
        }
        let episode = NewMemory {
            kind: MemoryKind::Episode,
            text: format!("{age} episode"),
            turn: TurnId(1),
            taint: Taint::default(),
        };
        memory.remember(LIN, episode).await.unwrap();
    }
}

#[tokio::test]
async fn everything_stays_for_ever() {
    assert_eq!(left(FOR_EVER).await.len(), 4);
}

#[tokio::test]
async fn each_kind_has_its_own_age() {
    let episodes = Retention {
        episodes: MONTH,
        ..FOR_EVER
    };
    assert_eq!(
        left(episodes).await,
        ["old told 100", "old learned 90", "old learned 40"]
    );
    let learned = Retention {
        learned: MONTH,
        ..FOR_EVER
    };
    assert_eq!(left(learned).await, ["old told 100", "old episode"]);
    let told = Retention {
        told: MONTH,
        ..FOR_EVER
    };
    assert_eq!(
        left(told).await,
        ["old learned 90", "old learned 40", "old episode"]
    );
}

#[tokio::test]
async fn what_is_unsure_and_was_never_recalled_fades() {
    let fades = Retention {
        fades: MONTH,
        fades_below: 70,
        ..FOR_EVER
    };
    assert_eq!(
        left(fades).await,
        ["old told 100", "old learned 90", "old episode"]
    );
    // The other one was recalled.
    let fades = Retention {
        fades_below: 100,
        ..fades
    };
    assert_eq!(
        left(fades).await,
        ["old told 100", "old learned 90", "old episode"]
    );
}
