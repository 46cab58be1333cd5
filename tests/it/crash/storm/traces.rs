//! What a kill leaves behind: the database beside the process, and processes.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, OptionalExtension as _};

use crate::test_bot::rows_of;

/// How long children may outlive a kill.
const ORPHANS_END_WITHIN: Duration = Duration::from_secs(20);

/// What stood in the database when the process was killed.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The newest entry of each turn whose outcome is not out yet.
    pub last_entries: BTreeSet<String>,
    /// The states of the outbox.
    pub outbox: BTreeSet<String>,
}

impl Snapshot {
    /// Reads the database of a process that is no more, and says whether it is whole.
    pub async fn read(database: &Path) -> (Self, bool) {
        if !database.exists() {
            return (Self::default(), true);
        }
        let check = rows_of(database, "PRAGMA quick_check").await;
        let last_entries = rows_of(
            database,
            "SELECT DISTINCT j.kind FROM journal j
             WHERE j.seq = (SELECT max(seq) FROM journal k WHERE k.turn_id = j.turn_id)
               AND (j.kind <> 'ended' OR EXISTS
                    (SELECT 1 FROM outbox o WHERE o.turn_id = j.turn_id
                     AND o.purpose IN ('final', 'question') AND o.state <> 'sent'))",
        );
        let outbox = rows_of(database, "SELECT DISTINCT state FROM outbox");
        let snapshot = Self {
            last_entries: last_entries.await.into_iter().collect(),
            outbox: outbox.await.into_iter().collect(),
        };
        (snapshot, check == ["ok"])
    }
}

/// Looks at the database of a running process, over and over, to catch it at a moment.
pub struct Watch {
    database: Connection,
}

impl Watch {
    /// Opens the database for reading.
    pub fn open(database: &Path) -> Self {
        let reading = OpenFlags::SQLITE_OPEN_READ_ONLY;
        Self {
            database: Connection::open_with_flags(database, reading).unwrap(),
        }
    }

    /// Returns when this kind of entry is the newest of a job's turn.
    pub async fn entry(&mut self, job: &str, kind: &str) {
        let newest = "SELECT kind FROM journal
                      WHERE turn_id = (SELECT max(id) FROM turns WHERE request LIKE $1)
                      ORDER BY seq DESC LIMIT 1";
        self.until(newest, &format!("%{job} %"), kind).await;
    }

    /// Returns when the outcome of a job is in this state.
    pub async fn outcome(&mut self, job: &str, state: &str) {
        let query = "SELECT state FROM outbox WHERE purpose = 'final' AND part LIKE $1 LIMIT 1";
        self.until(query, &format!("%Done: {job} %"), state).await;
    }

    async fn until(&mut self, query: &'static str, like: &str, wanted: &str) {
        loop {
            let found = self.database.query_row(query, [like], |row| row.get(0));
            let found: Option<String> = found.optional().unwrap();
            if found.as_deref() == Some(wanted) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

/// Waits until no process works in the directory any more; returns those that still do.
pub async fn orphans(directory: &Path) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let left = working_in(directory);
        if left.is_empty() || begun.elapsed() > ORPHANS_END_WITHIN {
            return left;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Returns the processes whose directory or home is in the directory, each with its command.
fn working_in(directory: &Path) -> Vec<String> {
    let processes = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let there = processes.filter(|process| works_in(process, directory));
    there.map(|process| command_of(&process)).collect()
}

fn works_in(process: &Path, directory: &Path) -> bool {
    let works_there =
        std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(directory));
    let environment = std::fs::read(process.join("environ")).unwrap_or_default();
    let home = format!("HOME={}", directory.display());
    works_there
        || environment
            .split(|byte| *byte == 0)
            .any(|pair| pair == home.as_bytes())
}

fn command_of(process: &Path) -> String {
    let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}
