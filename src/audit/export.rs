//! `audit.jsonl`: the table as lines, appended after each commit.
//!
//! The file is never ahead of the database: lines are written from committed rows. After a kill the
//! file may lag behind; the next start continues at its end and completes a partial last line.
//! Written lines are never changed. The file has no size limit, because the hash chain does not
//! end; when it is moved away, a complete new one is written from the table.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use sayso_store::audit::{self, AuditRow};
use sayso_store::{Readers, StoreError};
use serde::Deserialize;

use super::chain;

/// The name of the file in the data directory.
pub const AUDIT_FILE: &str = "audit.jsonl";
/// How many rows are read at once.
const ROWS: i64 = 500;
/// How much of the end of a file is read to find its last line, in bytes; a line has about 500.
const TAIL_BYTES: u64 = 64 * 1024;

/// The export, up to what is written.
#[derive(Debug)]
pub struct Export {
    path: PathBuf,
    /// The last entry in the file and the length of the file behind it; `None` looks.
    end: Option<(i64, u64)>,
}

/// Why rows could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The table cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be written.
    #[error("`{path}` cannot be written: {error}")]
    File {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
}

/// How a file ends.
struct Tail {
    /// The last whole entry.
    seq: i64,
    /// What stands behind the last line feed.
    rest: String,
    length: u64,
}

#[derive(Deserialize)]
struct Numbered {
    seq: i64,
}

impl Export {
    /// Returns the export into a data directory. Nothing is opened yet.
    pub fn new(data_dir: &Path) -> Self {
        Self {
            path: data_dir.join(AUDIT_FILE),
            end: None,
        }
    }

    /// Appends every committed row that the file does not have.
    pub async fn catch_up(&mut self, readers: &Readers) -> Result<(), ExportError> {
        loop {
            let (seq, length, rest) = self.end().map_err(|error| self.failed(error))?;
            let rows = audit::after(readers, seq, ROWS).await?;
            let Some(last) = rows.last().map(|row| row.seq) else {
                self.end = Some((seq, length));
                return Ok(());
            };
            let length = self
                .append(&rows, &rest)
                .map_err(|error| self.failed(error))?;
            self.end = Some((last, length));
        }
    }

    /// Returns where the file ends: the last entry, the length, and what follows it. The cached
    /// values are used while the length is unchanged.
    fn end(&mut self) -> io::Result<(i64, u64, String)> {
        let length = match std::fs::metadata(&self.path) {
            Ok(known) => known.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        match self.end {
            Some((seq, known)) if known == length && length > 0 => Ok((seq, length, String::new())),
            _ if length == 0 => Ok((0, 0, String::new())),
            _ => {
                let tail = tail(&self.path)?;
                Ok((tail.seq, tail.length, tail.rest))
            }
        }
    }

    /// Appends rows behind `rest`, which is completed when it is the beginning of the first line.
    fn append(&mut self, rows: &[AuditRow], rest: &str) -> io::Result<u64> {
        // Until everything is written, nothing is known of the end.
        self.end = None;
        let mut lines = String::new();
        for row in rows {
            lines.push_str(&chain::line(row));
            lines.push('\n');
        }
        let missing = lines.strip_prefix(rest).map_or_else(
            || {
                tracing::error!(file = %self.path.display(), "last line of the export was not written by Sayso; run `sayso audit verify`");
                format!("\n{lines}")
            },
            str::to_owned,
        );
        let mut file = open(&self.path)?;
        file.write_all(missing.as_bytes())?;
        Ok(file.metadata()?.len())
    }

    fn failed(&self, error: io::Error) -> ExportError {
        ExportError::File {
            path: self.path.display().to_string(),
            error,
        }
    }
}

/// Opens or creates a file for appending; only its owner may read it.
pub fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
}

/// Reads how a file ends.
fn tail(path: &Path) -> io::Result<Tail> {
    let last = last_lines(path, TAIL_BYTES)?;
    let (whole, rest) = last.text.rsplit_once('\n').unwrap_or(("", &last.text));
    let seq = whole
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str::<Numbered>(line).ok())
        .map_or(0, |numbered| numbered.seq);
    Ok(Tail {
        seq,
        rest: rest.to_owned(),
        length: last.length,
    })
}

/// The end of a file.
pub struct LastLines {
    /// The last bytes of it; the first line of them may be half.
    pub text: String,
    /// The length of the whole file.
    pub length: u64,
}

/// Reads at most `bytes` bytes of the end of a file.
pub fn last_lines(path: &Path, bytes: u64) -> io::Result<LastLines> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut end = Vec::new();
    file.take(bytes).read_to_end(&mut end)?;
    Ok(LastLines {
        text: String::from_utf8_lossy(&end).into_owned(),
        length,
    })
}
