//! `trace.jsonl`: every step of every turn, derived from the journals in the order of commits.
//!
//! A line has the time, the turn as `trace_id`, the row of the journal that it comes from and the
//! name of the event. It is a copy for replays and may be deleted at any time: the journal stays.
//! The place to go on from is the row of the last line, so a kill leaves no hole.

mod events;
mod file;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use sayso_core::redact::Redactor;
use sayso_core::transcript::{Entry, TurnId};
use sayso_store::erase::LostTraces;
use sayso_store::traces::{self, JournalRow};
use sayso_store::{Readers, StoreError};
use serde::Deserialize;
use serde_json::{Map, Value};

use self::events::{Kinds, TraceEvent};
use self::file::TraceFile;
use super::calls::CallsSeen;
use super::chain::utc;
use super::export::ExportError;
use super::tidy::tidy;

/// How many entries are read at once.
const ROWS: i64 = 100;
/// How many turns are kept in mind; more are read again when they go on.
const TURNS_IN_MIND: usize = 256;
/// The longest line, in bytes. What is longer says only how long it was.
const LINE_BYTES: usize = 256 * 1024;

/// The trace, up to what is written.
pub struct Trace {
    file: TraceFile,
    redactor: Redactor,
    turns: HashMap<TurnId, TurnSeen>,
}

/// What a line is about.
#[derive(Deserialize)]
struct Named {
    trace_id: String,
    row: i64,
}

/// What of a turn's past its next entries are read with.
#[derive(Debug, Default)]
pub struct TurnSeen {
    /// Its calls.
    pub calls: CallsSeen,
    /// How many steps it has made.
    pub steps: u32,
}

impl TurnSeen {
    fn apply(&mut self, entry: &Entry, at_ms: i64) {
        if matches!(entry, Entry::Replied(_)) {
            self.steps += 1;
        }
        self.calls.apply(entry, at_ms);
    }
}

impl Trace {
    /// Returns the trace into a data directory. Nothing is opened yet.
    pub fn new(data_dir: &Path, redactor: Redactor) -> Self {
        Self {
            file: TraceFile::new(data_dir),
            redactor,
            turns: HashMap::new(),
        }
    }

    /// Appends every committed entry that the file does not have.
    pub async fn catch_up(&mut self, readers: &Readers) -> Result<(), ExportError> {
        loop {
            let rows = traces::journal_after(readers, self.file.last_row()?, ROWS).await?;
            let Some(last) = rows.last().map(|row| row.row) else {
                return Ok(());
            };
            let mut lines = String::new();
            for row in &rows {
                let entry = row.entry()?;
                for (at_ms, event, fields) in self.events(readers, row, &entry).await? {
                    lines.push_str(&self.line(row, at_ms, event, fields));
                    lines.push('\n');
                }
            }
            self.file.append(&lines, last)?;
        }
    }

    /// Loses the lines of turns that were erased, and of rows in which something was. A line that
    /// cannot be read is lost too.
    pub fn lose(&mut self, lost: &LostTraces) -> Result<(), ExportError> {
        let turns: HashSet<String> = lost.turns.iter().map(ToString::to_string).collect();
        let rows: HashSet<i64> = lost.rows.iter().copied().collect();
        self.file.rewrite(|line| {
            let named = serde_json::from_str::<Named>(line);
            named.is_ok_and(|line| !turns.contains(&line.trace_id) && !rows.contains(&line.row))
        })
    }

    /// Returns the events of an entry, and takes it into account.
    async fn events(
        &mut self,
        readers: &Readers,
        row: &JournalRow,
        entry: &Entry,
    ) -> Result<Vec<(i64, TraceEvent, Map<String, Value>)>, StoreError> {
        if self.turns.len() > TURNS_IN_MIND {
            self.turns.clear();
        }
        if row.seq > 0 && !self.turns.contains_key(&row.turn_id) {
            let mut seen = TurnSeen::default();
            for before in traces::journal_before(readers, row.turn_id, row.seq).await? {
                seen.apply(&before.entry()?, before.at_ms);
            }
            self.turns.insert(row.turn_id, seen);
        }
        let kinds = if matches!(entry, Entry::Held { .. } | Entry::Decided(_)) {
            traces::held_kinds(readers, row.turn_id).await?
        } else {
            Vec::new()
        };
        let seen = self.turns.entry(row.turn_id).or_default();
        let events = events::of(entry, row.at_ms, seen, &Kinds(kinds));
        seen.apply(entry, row.at_ms);
        if matches!(entry, Entry::Ended { .. }) {
            self.turns.remove(&row.turn_id);
        }
        Ok(events)
    }

    fn line(
        &self,
        row: &JournalRow,
        at_ms: i64,
        event: TraceEvent,
        fields: Map<String, Value>,
    ) -> String {
        let head = [
            ("at", Value::from(utc(at_ms))),
            ("trace_id", Value::from(row.turn_id.to_string())),
            ("row", Value::from(row.row)),
            ("event", Value::from(event.as_str())),
        ];
        let head = head.map(|(name, value)| (name.to_owned(), value));
        let mut whole: Map<String, Value> = head.clone().into_iter().collect();
        whole.extend(
            fields
                .into_iter()
                .map(|(name, value)| (name, tidy(&self.redactor, value))),
        );
        let line = Value::Object(whole).to_string();
        if line.len() <= LINE_BYTES {
            return line;
        }
        let mut short: Map<String, Value> = head.into_iter().collect();
        short.insert("left_out_bytes".to_owned(), Value::from(line.len()));
        Value::Object(short).to_string()
    }
}
