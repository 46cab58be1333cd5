//! Who may name whom, and how a file looks: the rules of the book that a machine can keep.
//!
//! Everything is read from the sources as they stand; nothing is compiled for it. The readers are
//! in `source.rs`, and `samples.rs` shows each rule a file that breaks it.

mod cycles;
mod limits;
mod rules;
mod samples;
mod source;
mod store_tables;
mod texts;
mod texts_samples;
mod word_list;
mod words;

use std::path::{Path, PathBuf};

use source::Source;

/// A room, and the rooms that it may name.
type Row = (&'static str, &'static [&'static str]);

/// What lies below `sayso`: the rooms of `sayso-core`, and the crates that are a room each. Who of these
/// may name whom is in their manifests, where the compiler keeps to it.
const BELOW: [&str; 16] = [
    "approval",
    "checks",
    "code",
    "codebase",
    "fetch",
    "injection",
    "memory",
    "policy",
    "providers",
    "quality",
    "redact",
    "sandbox",
    "store",
    "tools",
    "transcript",
    "when",
];

/// Who may name whom in `sayso-core`, bottom first.
const CORE_TABLE: [Row; 5] = [
    ("texts", &[]),
    ("transcript", &[]),
    ("redact", &[]),
    ("when", &["transcript"]),
    ("approval", &["transcript"]),
];

/// Who may name whom in `sayso`, bottom first. What is not listed is not allowed.
const TABLE: [Row; 22] = [
    ("prompts", &["store", "transcript"]),
    ("audit", &["redact", "store", "transcript"]),
    ("bus", &["transcript"]),
    ("persona", &["store", "transcript"]),
    ("approvals", &["approval", "store", "transcript"]),
    ("budget", &["prompts", "store", "transcript"]),
    (
        "skills",
        &["injection", "policy", "store", "tools", "transcript"],
    ),
    ("settings", &["policy", "store", "tools", "transcript"]),
    ("delivery", &["redact", "store", "transcript"]),
    (
        "routines",
        &[
            "bus",
            "delivery",
            "injection",
            "policy",
            "prompts",
            "redact",
            "store",
            "tools",
            "transcript",
            "when",
        ],
    ),
    ("code_index", &["codebase", "redact", "tools"]),
    ("processes", &["delivery", "store", "tools", "transcript"]),
    (
        "executor",
        &["approval", "policy", "redact", "tools", "transcript"],
    ),
    (
        "agent",
        &[
            "checks",
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
            "approval",
            "approvals",
            "audit",
            "budget",
            "bus",
            "delivery",
            "executor",
            "injection",
            "memory",
            "policy",
            "prompts",
            "redact",
            "routines",
            "store",
            "tools",
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
            "code_index",
            "delivery",
            "injection",
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
    ("http", &["routines", "store"]),
    (
        "config",
        &[
            "budget",
            "checks",
            "policy",
            "providers",
            "redact",
            "routines",
        ],
    ),
    ("demo", &[]),
    (
        "app",
        &[
            "agent",
            "audit",
            "budget",
            "bus",
            "checks",
            "code_index",
            "commands",
            "config",
            "delivery",
            "demo",
            "executor",
            "fetch",
            "http",
            "intake",
            "memory",
            "persona",
            "policy",
            "processes",
            "providers",
            "redact",
            "routines",
            "sandbox",
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
            "codebase",
            "commands",
            "config",
            "http",
            "injection",
            "memory",
            "policy",
            "providers",
            "quality",
            "redact",
            "routines",
            "skills",
            "store",
            "transcript",
            "when",
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

#[test]
fn every_text_for_people_is_there_in_every_language() {
    let files = texts::files(&root().join("locales"));
    for language in sayso_core::Language::ALL {
        let of_language = files.iter().filter(|file| file.language == language.code());
        let areas: Vec<&str> = of_language.map(|file| file.area.as_str()).collect();
        assert_eq!(areas, sayso_core::texts::AREAS, "{}", language.code());
    }
    let sources = sources();
    let uses = sources.iter().flat_map(|source| {
        let lines: Vec<&str> = source.lines.iter().map(|line| line.text.as_str()).collect();
        texts::uses(&source.path, &lines.join("\n"))
    });
    let breaches = texts::breaches(&files, &uses.collect::<Vec<_>>());
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
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

/// Prints everything that is long, with its reason.
#[test]
fn what_is_long_says_why() {
    for long in sources().iter().flat_map(rules::long) {
        println!("{}: {}", long.what, long.reason.unwrap_or_default());
    }
    check(rules::unexplained);
}

#[test]
fn limits_hold_by_structure() {
    check(limits::breaches);
}

#[test]
fn a_room_names_only_the_rooms_below_it() {
    check(|source| match source.place() {
        Some((source::SAYSO, _)) => rules::rooms(source, &TABLE, &BELOW),
        Some((source::CORE, _)) => rules::rooms(source, &CORE_TABLE, &[]),
        Some(_) | None => Vec::new(),
    });
}

/// Returns the rooms that a crate has as modules, sorted.
fn rooms_in(folder: &str) -> Vec<String> {
    let folders = folders(&root().join(folder)).into_iter();
    let rooms = folders.filter(|folder| folder.join("mod.rs").exists());
    let names = rooms.filter_map(|room| Some(room.file_name()?.to_string_lossy().into_owned()));
    let mut rooms: Vec<String> = names.collect();
    rooms.sort_unstable();
    rooms
}

#[test]
fn every_room_has_its_row_and_every_row_its_room() {
    for (folder, table) in [("src", &TABLE[..]), ("src/core", &CORE_TABLE)] {
        let mut rows: Vec<&str> = table.iter().map(|(room, _)| *room).collect();
        rows.sort_unstable();
        assert_eq!(rooms_in(folder), rows);
    }
}

#[test]
fn the_table_has_no_circles() {
    assert_eq!(rules::circle(&TABLE, &BELOW), None);
    assert_eq!(rules::circle(&CORE_TABLE, &[]), None);
}

/// Returns the manifests of the crates in `src/`, sorted by their folders.
fn manifests() -> Vec<(String, String)> {
    fn collect(folder: &Path, into: &mut Vec<(String, String)>) {
        for inner in folders(folder) {
            if let Ok(manifest) = std::fs::read_to_string(inner.join("Cargo.toml")) {
                let name = inner.strip_prefix(root()).unwrap().to_string_lossy();
                into.push((format!("{name}/"), manifest));
            }
            collect(&inner, into);
        }
    }
    let mut manifests = Vec::new();
    collect(&root().join("src"), &mut manifests);
    manifests.sort_unstable();
    manifests
}

#[test]
fn every_crate_is_known_here() {
    let manifests = manifests();
    let found: Vec<&str> = manifests.iter().map(|(name, _)| name.as_str()).collect();
    let mut known = source::CRATES.map(|(folder, _)| folder);
    known.sort_unstable();
    assert_eq!(found, known);
}

#[test]
fn what_only_judges_is_built_without_a_runtime() {
    for (folder, manifest) in manifests() {
        let is_pure = [
            "src/code/",
            "src/core/",
            "src/policy/",
            "src/policy/injection/",
        ];
        let mut named = rules::dependencies(&manifest)
            .filter(|line| ["reqwest", "tokio", "rustix"].contains(&rules::named(line)));
        assert!(
            !is_pure.contains(&folder.as_str()) || named.next().is_none(),
            "{folder}"
        );
    }
}

/// What clears a call without a judgement, and its like, is for tests.
#[test]
fn no_crate_is_built_with_what_is_for_tests() {
    let mut manifests = manifests();
    let own = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    manifests.push(("./".to_owned(), own));
    for (folder, manifest) in manifests {
        let mut named = rules::dependencies(&manifest);
        let found = named.find(|line| line.contains("testing"));
        assert_eq!(found, None, "{folder}");
    }
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
fn a_table_of_the_store_is_named_by_the_rooms_of_its_row() {
    assert_eq!(store_tables::breaches(&sources()), Vec::<String>::new());
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
fn an_approval_comes_from_a_row_and_from_nowhere_else() {
    check(rules::one_redeemer);
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

/// Collects the pages of the book.
fn pages(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            into.push(path);
        }
    }
}

#[test]
fn no_sentence_needs_a_second_reading() {
    check(words::riddles_in_code);
    let mut documents: Vec<PathBuf> = [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
    ]
    .map(|name| root().join(name))
    .to_vec();
    pages(&root().join("docs/src"), &mut documents);
    assert!(documents.len() > 50, "{documents:?}");
    let breaches: Vec<String> = documents
        .iter()
        .flat_map(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            let name = path.strip_prefix(root()).unwrap().to_string_lossy();
            words::riddles_in_document(&name, &text)
        })
        .collect();
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn words_of_the_list() {
    let page = std::fs::read_to_string(root().join("docs/src/contributing/words.md")).unwrap();
    let words = word_list::other_words(&page);
    assert!(words.len() > 20, "{words:?}");
    check(|source| word_list::in_source(&words, source));
    let files = texts::files(&root().join("locales"));
    let other = files
        .iter()
        .flat_map(|file| word_list::in_texts(&words, file));
    assert_eq!(other.collect::<Vec<_>>(), Vec::<String>::new());
}
