//! The rows of routines, written beside the program while it does not run.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// How many milliseconds a day has.
pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Routines of one kind to be kept, shared out among all people that the database knows.
#[derive(Debug, Clone, Copy)]
pub struct Many {
    /// `remind` or `turn`.
    pub kind: &'static str,
    /// How many.
    pub count: i64,
    /// When the first of them is due.
    pub due_ms: i64,
    /// How long after it the next one is.
    pub apart_ms: i64,
}

/// Returns the database of a home directory.
pub fn database(home: &Path) -> PathBuf {
    home.join("data/sayso.db")
}

/// Keeps routines that are due once a day, on the clock of UTC.
pub fn keep(home: &Path, many: Many) -> anyhow::Result<()> {
    let written = rusqlite::Connection::open(database(home))?;
    written.execute(
        "WITH RECURSIVE
             n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1),
             person AS (
                 SELECT row_number() OVER (ORDER BY s.id) - 1 AS at, t.user_id, s.chat_id, s.id,
                     (SELECT o.address FROM outbox o JOIN turns begun ON begun.id = o.turn_id
                      WHERE begun.session_id = s.id LIMIT 1) AS address
                 FROM sessions s JOIN turns t ON t.session_id = s.id GROUP BY s.id)
         INSERT INTO routines (user_id, role, chat_id, session_id, address, kind, schedule, zone,
             anchor_ms, prompt, created_ms, changed_ms, due_ms, next_ms)
         SELECT user_id, 'member', chat_id, person.id, address, ?1, 'every 1440 minutes', 'UTC',
             ?3 + i * ?4 - 2 * ?5, 'look at number ' || i, ?3 - 3 * ?5, ?3 - 3 * ?5,
             ?3 + i * ?4, ?3 + i * ?4
         FROM n JOIN person ON person.at = n.i % (SELECT count(*) FROM person)",
        (many.kind, many.count, many.due_ms, many.apart_ms, DAY_MS),
    )?;
    Ok(())
}

/// Reads one number for each row, while the program runs or not.
pub fn numbers(home: &Path, query: &str) -> anyhow::Result<Vec<f64>> {
    let reading = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let read = rusqlite::Connection::open_with_flags(database(home), reading)?;
    let mut rows = read.prepare(query)?;
    let rows = rows.query_map((), |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Reads one number.
pub fn number(home: &Path, query: &str) -> anyhow::Result<f64> {
    let numbers = numbers(home, query)?;
    numbers.first().copied().context("the query gave no row")
}
