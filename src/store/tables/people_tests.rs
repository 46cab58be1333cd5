//! Users are grouped into persons and parted again, and each keeps its account.

use sayso_core::transcript::UserId;
use tempfile::TempDir;

use super::{AccountStanding, accounts_of, add_sender, join, part};
use crate::{Store, StoreError};

struct Opened {
    store: Store,
    _directory: TempDir,
}

async fn open() -> Opened {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    Opened {
        store,
        _directory: directory,
    }
}

impl Opened {
    async fn adds(&self, channel: &'static str, sender: &'static str) -> UserId {
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    add_sender(tx, channel, sender, sender, AccountStanding::Listed).await
                })
            })
            .await
            .unwrap()
    }

    async fn joins(&self, one: UserId, other: UserId) {
        self.store
            .write(move |tx| Box::pin(async move { join(tx, one, other).await }))
            .await
            .unwrap();
    }

    async fn parts(&self, user: UserId) {
        self.store
            .write(move |tx| Box::pin(async move { part(tx, user).await }))
            .await
            .unwrap();
    }

    /// Returns the accounts of a user's person, as in `telegram:1 discord:2`.
    async fn accounts(&self, user: UserId) -> String {
        let accounts = self
            .store
            .write(move |tx| Box::pin(async move { accounts_of(tx, user).await }))
            .await
            .unwrap();
        let named = |account: &super::AccountRow| format!("{}:{}", account.channel, account.sender);
        accounts.iter().map(named).collect::<Vec<_>>().join(" ")
    }
}

#[tokio::test]
async fn persons_are_joined_whole_and_parted_one_account_at_a_time() {
    let opened = open().await;
    let (one, two) = (opened.adds("a", "1").await, opened.adds("b", "2").await);
    let (three, four) = (opened.adds("c", "3").await, opened.adds("d", "4").await);
    assert_eq!(opened.accounts(one).await, "a:1");
    opened.joins(one, two).await;
    opened.joins(three, four).await;
    assert_eq!(opened.accounts(two).await, "b:2 a:1");
    opened.joins(two, three).await;
    assert_eq!(opened.accounts(four).await, "d:4 a:1 b:2 c:3");
    opened.parts(one).await;
    assert_eq!(opened.accounts(one).await, "a:1");
    assert_eq!(opened.accounts(three).await, "c:3 b:2 d:4");
    opened.parts(three).await;
    opened.parts(four).await;
    assert_eq!(opened.accounts(two).await, "b:2");
    opened.joins(one, three).await;
    assert_eq!(
        opened.accounts(two).await,
        "b:2",
        "who left is not taken along"
    );
}

#[tokio::test]
async fn an_account_is_the_same_person_on_every_channel_of_its_platform() {
    let opened = open().await;
    let first = opened.adds("telegram", "7").await;
    opened.adds("telegram.work", "8").await;
    opened.adds("telegrams", "7").await;
    opened.adds("discord", "7").await;
    assert_eq!(opened.accounts(first).await, "telegram:7");
    let work = opened.adds("telegram.work", "7").await;
    assert_ne!(work, first);
    opened.adds("telegram.play", "7").await;
    assert_eq!(
        opened.accounts(first).await,
        "telegram:7 telegram.play:7 telegram.work:7"
    );
    let discord = opened.adds("discord.work", "7").await;
    assert_eq!(opened.accounts(discord).await, "discord.work:7 discord:7");
}

#[tokio::test]
async fn a_join_that_fails_leaves_everybody_as_they_were() {
    let opened = open().await;
    let (one, two) = (opened.adds("a", "1").await, opened.adds("b", "2").await);
    let failed = opened
        .store
        .write(move |tx| {
            Box::pin(async move {
                join(tx, one, two).await?;
                Err::<(), _>(StoreError::Fenced)
            })
        })
        .await;
    assert_eq!(failed, Err(StoreError::Fenced));
    assert_eq!(opened.accounts(one).await, "a:1");
}
