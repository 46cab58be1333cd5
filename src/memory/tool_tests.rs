//! What the model hears when it uses its memory.

use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{MemoryForget, MemoryRecall, MemoryStore};
use crate::memory::{Memory, StoredMemory};
use crate::store::Store;
use crate::transcript::{CallId, Owner, ToolCall, ToolOutcome, TurnId, UserId};

const LIN: Owner = Owner::User(UserId(1));
const ADA: Owner = Owner::User(UserId(2));

struct Opened {
    memory: Arc<dyn Memory>,
    _directory: TempDir,
}

async fn open() -> Opened {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    Opened {
        memory: Arc::new(StoredMemory::new(store)),
        _directory: directory,
    }
}

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: CallId("1".into()),
        name: name.into(),
        arguments,
    }
}

/// Returns what the model hears, with ids and dates replaced.
fn heard(result: Result<String, ToolOutcome>) -> String {
    let text = result.unwrap_or_else(|outcome| outcome.for_model());
    text.lines()
        .map(|line| match line.find("(id ") {
            Some(start) => format!("{}(id)", &line[..start]),
            None => line.to_owned(),
        })
        .collect::<Vec<_>>()
        .join("\n")
}

impl Opened {
    async fn store(&self, owner: Owner, text: &str) -> String {
        let tool = MemoryStore::new(Arc::clone(&self.memory));
        let call = call("memory_store", json!({"text": text}));
        heard(tool.store(owner, TurnId(1), &call).await)
    }

    async fn recall(&self, owner: Owner, arguments: Value) -> String {
        let tool = MemoryRecall::new(Arc::clone(&self.memory));
        heard(tool.recall(owner, &call("memory_recall", arguments)).await)
    }

    async fn forget(&self, owner: Owner, arguments: Value) -> String {
        let tool = MemoryForget::new(Arc::clone(&self.memory));
        heard(tool.forget(owner, &call("memory_forget", arguments)).await)
    }
}

#[tokio::test]
async fn what_was_stored_is_recalled_by_its_owner_only() {
    let opened = open().await;
    assert_eq!(
        opened.store(LIN, "Lin likes green tea").await,
        "remembered (id)"
    );
    let query = json!({"query": "tea"});
    assert_eq!(
        opened.recall(LIN, query.clone()).await,
        "- Lin likes green tea (id)"
    );
    assert_eq!(
        opened.recall(ADA, query).await,
        "nothing remembered matches; try other words"
    );
}

#[tokio::test]
async fn a_recall_is_limited() {
    let opened = open().await;
    for number in 0..9 {
        opened.store(LIN, &format!("tea number {number}")).await;
    }
    let lines = async |arguments| opened.recall(LIN, arguments).await.lines().count();
    assert_eq!(lines(json!({"query": "tea"})).await, 5);
    assert_eq!(lines(json!({"query": "tea", "limit": 2})).await, 2);
    assert_eq!(lines(json!({"query": "tea", "limit": 0})).await, 1);
    assert_eq!(lines(json!({"query": "tea", "limit": 1000})).await, 9);
}

#[tokio::test]
async fn a_query_forgets_only_what_it_clearly_means() {
    let opened = open().await;
    opened.store(LIN, "The phone number of Kim is 123").await;
    opened.store(LIN, "The number of cats is 2").await;
    let by = |query: &str| json!({"query": query});
    insta::assert_snapshot!(opened.forget(LIN, by("number")).await, @r"
    nothing was forgotten: no single memory is meant. Call again with the `id` of one of these:
    - The number of cats is 2 (id)
    - The phone number of Kim is 123 (id)
    ");
    insta::assert_snapshot!(opened.forget(LIN, by("number of dogs")).await, @r"
    nothing was forgotten: no single memory is meant. Call again with the `id` of one of these:
    - The number of cats is 2 (id)
    - The phone number of Kim is 123 (id)
    ");
    insta::assert_snapshot!(opened.forget(LIN, by("phone number")).await, @"forgotten: The phone number of Kim is 123");
    insta::assert_snapshot!(opened.forget(LIN, by("phone")).await, @"nothing remembered matches");
    assert_eq!(
        opened.recall(LIN, by("number")).await,
        "- The number of cats is 2 (id)"
    );
}

#[tokio::test]
async fn an_id_forgets_one_memory_of_its_owner() {
    let opened = open().await;
    opened.store(LIN, "likes tea").await;
    let id = opened.memory.recall(LIN, "tea", 1).await.unwrap()[0].id;
    let by_text = json!({"id": id.to_string()});
    let refusal = format!("[错误] there is no memory {id}");
    assert_eq!(opened.forget(ADA, by_text.clone()).await, refusal);
    assert_eq!(opened.forget(LIN, by_text.clone()).await, "forgotten");
    assert_eq!(opened.forget(LIN, by_text).await, refusal);
}

#[tokio::test]
async fn bad_arguments_are_answered_with_what_is_allowed() {
    let opened = open().await;
    insta::assert_snapshot!(opened.store(LIN, " ").await, @"[错误] `text` is empty");
    insta::assert_snapshot!(opened.store(LIN, &"长".repeat(2001)).await, @"[错误] `text` has 2001 characters; at most 2000 are allowed. Shorten it, or split it");
    insta::assert_snapshot!(opened.recall(LIN, json!({"text": "tea"})).await, @r#"
    [错误] bad arguments for `memory_recall`: `text`: unknown field `text`, expected `query` or `limit`
    expected: {"query": string, "limit"?: integer}
    "#);
    insta::assert_snapshot!(opened.forget(LIN, json!({})).await, @"[错误] give `query` or `id`");
    insta::assert_snapshot!(opened.forget(LIN, json!({"id": "the first"})).await, @"[错误] `id` is `the first`; take one from `memory_recall`");
    insta::assert_snapshot!(opened.forget(LIN, json!({"id": 7})).await, @r#"
    [错误] bad arguments for `memory_forget`: `id`: invalid type: integer `7`, expected a string
    expected: {"query"?: string, "id"?: string}
    "#);
}
