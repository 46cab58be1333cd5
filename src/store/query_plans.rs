//! How the database reads for queries whose tables only grow: by an index, and never all of a
//! table.

use serde::Deserialize;

use super::sql::{Query, Text, query};
use super::{Readers, Store, compactions, lessons, prompts, turns};
use crate::sql;

/// More parameters than any statement has.
const MOST_PARAMETERS: usize = 32;

/// Returns the steps in which a query would be answered.
pub(super) async fn plan(readers: &Readers, query_text: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Step {
        detail: String,
    }
    let plan = format!("EXPLAIN QUERY PLAN {query_text}");
    // What is bound changes no plan (`a_statement_is_planned_once`).
    let values = std::iter::repeat_n(None::<i64>, MOST_PARAMETERS);
    let plan = values.fold(query(Text::built(plan)), Query::bind);
    let plan: Vec<Step> = plan.fetch_all(readers).await.unwrap();
    plan.into_iter().map(|step| step.detail).collect()
}

/// Returns whether a step reads all rows of a table: neither those of a list that was bound, nor
/// those that a step before it found.
fn reads_all(step: &str) -> bool {
    step.starts_with("SCAN") && !step.contains("VIRTUAL TABLE") && !step.contains("(subquery")
}

#[tokio::test]
async fn no_query_over_turns_reads_all_of_them() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let readers = store.reader();
    assert!(reads_all(
        &plan(readers, "SELECT request FROM turns").await[0]
    ));
    for query in [
        turns::HISTORY.to_owned(),
        turns::RESULTS.to_owned(),
        turns::with_results(),
        turns::with_result(),
        turns::FORGOTTEN_AMONG.to_owned(),
        turns::BETWEEN.to_owned(),
        turns::SPEAKERS.to_owned(),
        lessons::are_due(),
        lessons::begins(),
        compactions::are_due(),
        compactions::begins(),
        compactions::NEWEST.to_owned(),
        compactions::UNCOVERED.to_owned(),
        compactions::REPLACED.to_owned(),
        compactions::OUTDATES.to_owned(),
    ] {
        let plan = plan(readers, &query).await;
        assert!(
            !plan.iter().any(|step| reads_all(step)),
            "{query}\n{plan:#?}"
        );
    }
}

#[tokio::test]
async fn no_query_over_prompts_reads_all_of_them() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let readers = store.reader();
    for query in [
        prompts::NEXT_EXPIRY.to_owned(),
        prompts::of_token(),
        prompts::open_of_kind(),
        prompts::open_for_user(),
        prompts::of_subject(),
        prompts::that_expired(),
    ] {
        let plan = plan(readers, &query).await;
        assert!(
            !plan.iter().any(|step| reads_all(step)),
            "{query}\n{plan:#?}"
        );
    }
}

/// Otherwise SQLite would plan a statement with a bound `LIMIT` again each time
/// (`.cargo/config.toml`).
#[tokio::test]
async fn a_statement_is_planned_once() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let is_stable: bool = query(sql!("SELECT sqlite_compileoption_used('ENABLE_QPSG')"))
        .fetch_one(store.reader())
        .await
        .unwrap();
    assert!(is_stable);
}
