//! How the database reads for queries whose tables only grow: by an index, and never all of a
//! table.

use serde::Deserialize;

use super::sql::{Assembled, Query, query};
use super::{
    Readers, Store, compactions, history, lessons, prompts, routine_events, routine_runs, routines,
    turns,
};
use crate::sql;

/// More parameters than any statement has.
const MOST_PARAMETERS: usize = 32;

/// Returns the steps in which a query would be answered.
pub(super) async fn plan(readers: &Readers, query_text: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Step {
        detail: String,
    }
    let plan = explained("EXPLAIN QUERY PLAN ", query_text);
    let plan: Vec<Step> = plan.fetch_all(readers).await.unwrap();
    plan.into_iter().map(|step| step.detail).collect()
}

/// Returns a query that explains another one. What is bound changes no plan
/// (`a_statement_is_planned_once`).
pub(super) fn explained(how: &str, query_text: &str) -> Query<'static> {
    let mut query = Assembled::default();
    query.push(how).push(query_text);
    std::iter::repeat_n(None::<i64>, MOST_PARAMETERS).fold(query.query(), Query::bind)
}

/// Returns whether a step reads all rows of a table: neither those of a list that was bound, nor
/// those that another step found.
fn reads_all(plan: &[String]) -> bool {
    let is_subquery = |name: &str| {
        let made = plan.iter().filter_map(|step| {
            let named = step.strip_prefix("CO-ROUTINE ");
            named.or_else(|| step.strip_prefix("MATERIALIZE "))
        });
        made.into_iter().any(|subquery| subquery == name)
    };
    let mut scans = plan.iter().filter_map(|step| step.strip_prefix("SCAN "));
    scans.any(|scan| {
        let name = scan.split(' ').next().unwrap_or_default();
        !scan.contains("VIRTUAL TABLE") && !is_subquery(name)
    })
}

#[tokio::test]
async fn no_query_over_turns_reads_all_of_them() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let readers = store.reader();
    assert!(reads_all(&plan(readers, "SELECT request FROM turns").await));
    for query in [
        history::HISTORY,
        turns::RESULTS,
        turns::WITH_RESULTS.as_str(),
        turns::WITH_RESULT.as_str(),
        turns::FORGOTTEN_AMONG,
        turns::BETWEEN,
        turns::SPEAKERS,
        lessons::ARE_DUE.as_str(),
        lessons::BEGINS.as_str(),
        compactions::ARE_DUE.as_str(),
        compactions::BEGINS.as_str(),
        compactions::NEWEST,
        compactions::UNCOVERED,
        compactions::REPLACED,
        compactions::OUTDATES,
    ] {
        let plan = plan(readers, query).await;
        assert!(
            !reads_all(&plan),
            "{query}
{plan:#?}"
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
        prompts::NEXT_EXPIRY,
        prompts::OF_TOKEN.as_str(),
        prompts::OPEN_OF_KIND.as_str(),
        prompts::OPEN_FOR_USER.as_str(),
        prompts::OF_SUBJECT.as_str(),
        prompts::THAT_EXPIRED.as_str(),
    ] {
        let plan = plan(readers, query).await;
        assert!(
            !reads_all(&plan),
            "{query}
{plan:#?}"
        );
    }
}

#[tokio::test]
async fn what_is_due_is_found_by_an_index() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let readers = store.reader();
    for query in [
        routines::ARE_DUE,
        routines::NEXT,
        routines::OF_EVENTS,
        routines::OF_EVENTS_IN,
        routine_events::WAITING,
        routine_events::OF_RUN,
        routine_runs::OPEN_OF,
        routine_runs::OF_TURN,
    ] {
        let plan = plan(readers, query.as_str()).await;
        assert!(!reads_all(&plan), "{}\n{plan:#?}", query.as_str());
        assert!(
            !plan.iter().any(|step| step.contains("TEMP B-TREE")),
            "{plan:#?}"
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
