//! Who may name whom, and how a file looks: the rules of `ARCHITECTURE.md` that a machine can keep.
//!
//! Everything is read from the sources as they stand; nothing is compiled for it. The readers are
//! in `source.rs`, and `samples.rs` shows each rule a file that breaks it.

mod cycles;
mod rules;
mod samples;
mod source;
mod word_list;
mod words;

use std::path::{Path, PathBuf};

use source::Source;

/// A room, and the rooms that it may name.
type Row = (&'static str, &'static [&'static str]);

/// Who may name whom in `src/`, bottom first. What is not listed is not allowed.
const TABLE: [Row; 29] = [
    ("transcript", &[]),
    ("redact", &[]),
    ("when", &[]),
    ("store", &["transcript"]),
    ("prompts", &["store", "transcript"]),
    ("audit", &["redact", "store", "transcript"]),
    ("bus", &["transcript"]),
    ("persona", &["store", "transcript"]),
    ("providers", &["redact", "transcript"]),
    ("approvals", &["store", "transcript"]),
    ("budget", &["prompts", "store", "transcript"]),
    ("policy", &["approvals", "transcript", "when"]),
    ("tools", &["policy", "redact", "transcript"]),
    (
        "memory",
        &["policy", "providers", "store", "tools", "transcript"],
    ),
    ("skills", &["policy", "store", "tools", "transcript"]),
    ("settings", &["policy", "store", "tools", "transcript"]),
    ("routines", &["policy", "store", "tools", "transcript"]),
    ("delivery", &["redact", "store", "transcript"]),
    ("processes", &["delivery", "store", "tools", "transcript"]),
    (
        "executor",
        &["approvals", "policy", "redact", "tools", "transcript"],
    ),
    (
        "agent",
        &[
            "executor",
            "memory",
            "persona",
            "policy",
            "providers",
            "redact",
            "skills",
            "tools",
            "transcript",
        ],
    ),
    (
        "sessions",
        &[
            "agent",
            "approvals",
            "audit",
            "budget",
            "bus",
            "delivery",
            "executor",
            "memory",
            "policy",
            "prompts",
            "redact",
            "store",
            "transcript",
        ],
    ),
    (
        "intake",
        &[
            "bus",
            "delivery",
            "redact",
            "sessions",
            "store",
            "transcript",
        ],
    ),
    (
        "commands",
        &[
            "approvals",
            "audit",
            "budget",
            "bus",
            "delivery",
            "intake",
            "memory",
            "persona",
            "policy",
            "prompts",
            "routines",
            "sessions",
            "skills",
            "store",
            "transcript",
            "when",
        ],
    ),
    ("http", &["store"]),
    ("config", &["budget", "policy", "providers", "redact"]),
    ("demo", &[]),
    (
        "app",
        &[
            "agent",
            "audit",
            "budget",
            "bus",
            "commands",
            "config",
            "delivery",
            "demo",
            "executor",
            "http",
            "intake",
            "memory",
            "persona",
            "policy",
            "processes",
            "providers",
            "redact",
            "routines",
            "sessions",
            "settings",
            "skills",
            "store",
            "tools",
        ],
    ),
    (
        "cli",
        &[
            "agent",
            "app",
            "audit",
            "budget",
            "commands",
            "config",
            "http",
            "memory",
            "policy",
            "providers",
            "redact",
            "skills",
            "store",
            "transcript",
        ],
    ),
];

/// Returns the directory of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every source file of the project: the rooms, and the crates of the channels.
fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(&root().join("src"), &mut files);
    for channel in folders(&root().join("channels")) {
        collect(&channel.join("src"), &mut files);
    }
    assert!(files.len() > 150, "only {} sources were found", files.len());
    files
}

fn collect(folder: &Path, into: &mut Vec<Source>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(root()).unwrap();
            into.push(Source::new(&name.to_string_lossy(), &text));
        }
    }
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.is_dir()).collect()
}

/// Fails with every breach of a rule, one line each.
#[track_caller]
fn check(rule: impl Fn(&Source) -> Vec<String>) {
    let breaches: Vec<String> = sources().iter().flat_map(rule).collect();
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn every_file_says_what_it_owns() {
    check(rules::header);
}

#[test]
fn no_file_has_a_second_subject() {
    check(rules::file_length);
}

#[test]
fn no_function_is_too_long_to_read() {
    check(rules::function_length);
}

#[test]
fn a_room_names_only_the_rooms_below_it() {
    check(|source| rules::rooms(source, &TABLE));
}

#[test]
fn every_room_has_its_row_and_every_row_its_room() {
    let mut rooms: Vec<String> = folders(&root().join("src"))
        .iter()
        .filter_map(|room| Some(room.file_name()?.to_string_lossy().into_owned()))
        .collect();
    let mut rows: Vec<&str> = TABLE.iter().map(|(room, _)| *room).collect();
    rooms.sort_unstable();
    rows.sort_unstable();
    assert_eq!(rooms, rows);
}

#[test]
fn the_table_has_no_circles() {
    assert_eq!(rules::circle(&TABLE), None);
}

#[test]
fn intake_is_no_more_than_a_door() {
    let (_, names) = TABLE.iter().find(|(room, _)| *room == "intake").unwrap();
    assert!(names.len() <= 6, "{names:?}");
}

/// Every table with a token is one more mechanism that has to check who pressed where and when.
#[test]
fn tokens_are_kept_by_prompts_and_approvals_alone() {
    let schema = root().join("migrations/sqlite/0100_baseline.sql");
    let schema = std::fs::read_to_string(schema).unwrap();
    let tables = schema.split("CREATE TABLE ").skip(1);
    let with_token: Vec<&str> = tables
        .filter(|table| {
            let columns = table.split(") STRICT").next().unwrap_or_default();
            let mut columns = columns.lines().skip(1).map(str::trim_start);
            columns.any(|column| column.starts_with("token "))
        })
        .filter_map(|table| table.split_whitespace().next())
        // What `pollers` has is the digest of the token of a bot.
        .filter(|table| *table != "pollers")
        .collect();
    assert_eq!(with_token, ["cards", "held_calls", "prompts"]);
}

#[test]
fn files_of_a_room_name_each_other_in_one_direction() {
    assert_eq!(cycles::cycles(&sources()), Vec::<String>::new());
}

#[test]
fn a_room_leaves_alone_what_is_not_its_own() {
    check(rules::forbidden_words);
}

#[test]
fn a_tool_runs_in_the_executor_and_nowhere_else() {
    check(rules::one_executor);
}

#[test]
fn every_driver_has_its_calls_run_by_the_executor() {
    check(rules::one_call_path);
}

#[test]
fn a_channel_knows_nothing_of_ours_but_what_a_channel_is() {
    for channel in folders(&root().join("channels")) {
        let manifest = std::fs::read_to_string(channel.join("Cargo.toml")).unwrap();
        let name = channel.file_name().unwrap().to_string_lossy();
        assert_eq!(rules::manifest(&name, &manifest), Vec::<String>::new());
    }
}

#[test]
fn no_sentence_needs_a_second_reading() {
    check(words::riddles_in_code);
    let documents = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "docs/words.md",
    ];
    let breaches: Vec<String> = documents
        .into_iter()
        .flat_map(|name| {
            let text = std::fs::read_to_string(root().join(name)).unwrap();
            words::riddles_in_document(name, &text)
        })
        .collect();
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn words_of_the_list() {
    let page = std::fs::read_to_string(root().join("docs/words.md")).unwrap();
    let words = word_list::other_words(&page);
    assert!(words.len() > 20, "{words:?}");
    check(|source| word_list::in_source(&words, source));
}
