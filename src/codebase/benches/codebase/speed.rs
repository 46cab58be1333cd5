//! What a code base costs: time, memory and bytes.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context as _, ensure};
use sayso_codebase::{Codebase, Query, Refresh};

use crate::Figures;
use crate::git::Git;

/// The longest that a map may take of a code base that is known.
const MAP: Duration = Duration::from_millis(100);

/// The tokens of a map as prompts have it.
const MAP_TOKENS: usize = 1_024;

/// The longest that nineteen of twenty questions may take.
const QUESTION: Duration = Duration::from_millis(50);

/// What is asked.
const QUESTIONS: [&str; 10] = [
    "the live message is edited too often",
    "redact secrets in tool results",
    "approval card expires",
    "retry after rate limit of Telegram",
    "undo of files that a turn changed",
    "budget reservation of a model call",
    "injection check of pages from outside",
    "schema migration of the store",
    "where are skills loaded and refused",
    "parse dates in Chinese",
];

/// Measures on the files of a repository as they are on disk.
pub(crate) fn measure(folder: &Path, figures: &mut Figures) -> anyhow::Result<()> {
    let git = Git::open(folder)?;
    let files: Vec<String> = git.tree("HEAD")?.into_keys().collect();
    let before = resident();
    let mut codebase = Codebase::default();
    let since = Instant::now();
    let report = follow(&mut codebase, folder, &files)?;
    note(figures, "first_index_ms", milliseconds(since));
    println!("{report:?}");
    let memory = resident().saturating_sub(before);
    note(figures, "memory_kib", memory as f64);
    let since = Instant::now();
    let known = follow(&mut codebase, folder, &files)?;
    note(figures, "look_without_a_change_ms", milliseconds(since));
    ensure!(known.changed == 0, "{known:?}");
    note(figures, "files", codebase.len() as f64);
    note(figures, "chunks", codebase.chunks().count() as f64);
    let since = Instant::now();
    let bytes = codebase.to_bytes();
    note(figures, "write_ms", milliseconds(since));
    note(figures, "disk_bytes", bytes.len() as f64);
    let since = Instant::now();
    Codebase::from_bytes(&bytes)?;
    note(figures, "read_ms", milliseconds(since));
    let map = |codebase: &mut Codebase, name, figures: &mut Figures| -> anyhow::Result<Duration> {
        let since = Instant::now();
        follow(codebase, folder, &files)?;
        let map = codebase.locate("undo of files that a turn changed", &[], MAP_TOKENS);
        let taken = since.elapsed();
        note(figures, name, milliseconds(since));
        let (tokens, definitions, shown) = (map.map.tokens, map.map.definitions, map.map.files);
        println!("{tokens} tokens, {definitions} definitions, {shown} files");
        Ok(taken)
    };
    map(&mut codebase, "map_cold_ms", figures)?;
    let warm = map(&mut codebase, "map_warm_ms", figures)?;
    let question = slowest(&codebase);
    note(figures, "question_p95_ms", question.as_secs_f64() * 1_000.0);
    change(&mut codebase, folder, figures)?;
    ensure!(warm <= MAP, "the map took {warm:?}");
    ensure!(question <= QUESTION, "a question took {question:?}");
    Ok(())
}

/// Follows the files as they are long after the last change, so that times of modification count.
fn follow(codebase: &mut Codebase, folder: &Path, files: &[String]) -> io::Result<Refresh> {
    let now = SystemTime::now() + Duration::from_mins(1);
    codebase.refresh(folder, files.iter().map(String::as_str), now)
}

/// Measures how long a change takes until it is found.
fn change(codebase: &mut Codebase, folder: &Path, figures: &mut Figures) -> anyhow::Result<()> {
    let mut paths = codebase.paths();
    let first = paths.find(|path| path.ends_with("/lib.rs"));
    let path = first.context("no source file")?.to_owned();
    drop(paths);
    let mut content = std::fs::read(folder.join(&path))?;
    content.extend(b"fn zzyzx() {}\n");
    let since = Instant::now();
    let put = codebase.put(&path, &content);
    note(figures, "change_to_searchable_ms", milliseconds(since));
    ensure!(put.is_ok(), "{put:?}");
    let found = codebase.rank_files("zzyzx");
    let is_found = found.iter().any(|file| file.path == path);
    ensure!(is_found, "the change is not found");
    Ok(())
}

/// Prints a figure and keeps it.
fn note(figures: &mut Figures, name: &str, value: f64) {
    println!("{name}: {value:.1}");
    figures.insert(name.to_owned(), (value * 10.0).round() / 10.0);
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1_000.0
}

/// Returns the time that nineteen of twenty questions stay below.
fn slowest(codebase: &Codebase) -> Duration {
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..10 {
        for text in QUESTIONS {
            let since = Instant::now();
            let hits = codebase.search(&Query {
                text,
                embedding: None,
                limit: 5,
            });
            times.push(since.elapsed());
            assert!(!hits.is_empty(), "{text}");
        }
    }
    times.sort();
    times
        .get(times.len() * 19 / 20)
        .copied()
        .unwrap_or_default()
}

/// Returns the resident memory of this process in KiB; 0 where the system does not tell.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().split(' ').next()?.parse().ok());
    number.unwrap_or_default()
}
