//! Which room may name which table of the store.
//!
//! The store knows nothing of why a row is written, so what a row means is kept by the rooms that
//! write it: the fewer they are, the fewer there are to read when a table changes.

use std::collections::{BTreeMap, BTreeSet};

use super::cycles;
use super::source::Source;

/// A file of queries, and the rooms that name it.
type Row = (&'static str, &'static [&'static str]);

/// A room that is to be added here needs a reason that a reviewer believes.
const TABLE: [Row; 55] = [
    ("accepted_instructions", &["commands", "sessions"]),
    ("audit", &["audit", "cli"]),
    ("cards", &["approvals", "commands", "sessions"]),
    ("changed_settings", &["app", "cli", "settings"]),
    ("chat_names", &["intake"]),
    (
        "chats",
        &[
            "app", "commands", "delivery", "intake", "routines", "sessions",
        ],
    ),
    ("compactions", &["memory", "sessions"]),
    ("counts", &["http"]),
    ("detours", &["delivery", "sessions"]),
    ("episodes", &["memory"]),
    ("erase", &["audit", "commands", "sessions"]),
    ("file_changes", &["commands", "sessions"]),
    ("history", &["sessions"]),
    ("inbox", &["commands", "intake", "sessions"]),
    ("jobs", &["routines", "sessions"]),
    (
        "languages",
        &["commands", "delivery", "intake", "routines", "sessions"],
    ),
    ("learned_facts", &["memory"]),
    ("lessons", &["commands", "memory", "sessions"]),
    ("line_words", &["memory"]),
    ("lines", &["memory"]),
    ("links", &["commands"]),
    ("memories", &["commands", "memory"]),
    ("memory_words", &["memory"]),
    (
        "outbox",
        &[
            "commands",
            "delivery",
            "intake",
            "processes",
            "routines",
            "sessions",
        ],
    ),
    ("pairing", &["commands"]),
    (
        "people",
        &["cli", "commands", "intake", "routines", "sessions"],
    ),
    ("personal_times", &["commands", "routines"]),
    ("pollers", &["app"]),
    ("processes", &["commands", "processes", "sessions"]),
    ("profiles", &["commands", "persona"]),
    ("prompts", &["commands", "prompts"]),
    ("questions", &["commands", "sessions"]),
    ("queued", &["intake", "sessions"]),
    ("reindex", &["memory"]),
    ("retention", &["sessions"]),
    ("routine_events", &["routines"]),
    ("routine_runs", &["commands", "routines"]),
    ("routines", &["budget", "cli", "commands", "routines"]),
    ("seen_files", &["commands", "sessions"]),
    ("session_work", &["sessions"]),
    ("skill_pins", &["cli", "commands", "skills"]),
    ("skill_reviews", &["commands"]),
    ("skills_off", &["commands", "skills"]),
    ("skipped", &["intake", "sessions"]),
    ("stops", &["commands", "intake", "sessions"]),
    ("tombstones", &["memory"]),
    ("traces", &["audit", "cli"]),
    ("turn_ends", &["sessions"]),
    ("turns", &["commands", "intake", "memory", "sessions"]),
    ("undone_files", &["sessions"]),
    ("unindexed", &["memory"]),
    ("usage", &["approvals", "budget", "sessions"]),
    ("vectors", &["memory"]),
    ("word_index", &["commands", "memory"]),
    ("workspaces", &["commands", "sessions"]),
];

/// Where the files of queries are.
const FOLDERS: [&str; 3] = ["src/store/", "src/store/tables/", "src/store/search/"];

/// Returns the names of the files of queries. What else the crate shows, every room may name.
fn tables(sources: &[Source]) -> BTreeSet<&str> {
    let paths = sources.iter().map(|source| source.path.as_str());
    paths
        .filter_map(|path| {
            let (folder, file) = path.split_at(path.rfind('/')? + 1);
            FOLDERS
                .contains(&folder)
                .then(|| file.strip_suffix(".rs"))?
        })
        .collect()
}

/// Returns the rooms that name each table, tests left out.
fn named(sources: &[Source]) -> BTreeMap<String, BTreeSet<&str>> {
    let tables = tables(sources);
    let mut named: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        if source.path.starts_with("src/store/") {
            continue;
        }
        let Some(room) = source.room().filter(|_| !cycles::is_test(&source.path)) else {
            continue;
        };
        for path in cycles::paths(source) {
            if let [store, table, ..] = &path[..]
                && store == "sayso_store"
                && tables.contains(table.as_str())
            {
                named.entry(table.clone()).or_default().insert(room);
            }
        }
    }
    named
}

/// Returns where the sources and the table differ: what is named without leave, and what is allowed
/// in vain.
pub fn breaches(sources: &[Source]) -> Vec<String> {
    let mut named = named(sources);
    let mut breaches = Vec::new();
    for (table, rooms) in TABLE {
        let found = named.remove(table).unwrap_or_default();
        let allowed: BTreeSet<&str> = rooms.iter().copied().collect();
        let without = found.difference(&allowed);
        breaches.extend(without.map(|room| format!("`{room}` names the table `{table}`")));
        let in_vain = allowed.difference(&found);
        breaches.extend(in_vain.map(|room| format!("`{room}` no longer names `{table}`")));
    }
    breaches.extend(
        named
            .into_keys()
            .map(|table| format!("`{table}` has no row")),
    );
    breaches
}

#[test]
fn a_room_that_is_not_in_the_table_is_found() {
    let sources = [
        ("src/routines/a.rs", "use sayso_store::{Tx, inbox};\n"),
        (
            "src/http/a.rs",
            "fn a() { sayso_store::new_table::read() }\n",
        ),
        ("src/store/inbox.rs", ""),
        ("src/store/tables/new_table.rs", ""),
    ];
    let found = breaches(&sources.map(|(path, text)| Source::new(path, text)));
    let expected = [
        "`routines` names the table `inbox`",
        "`intake` no longer names `inbox`",
        "`new_table` has no row",
    ];
    for breach in expected {
        assert!(found.iter().any(|it| it == breach), "{breach}");
    }
}
