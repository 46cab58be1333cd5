//! Verifying: the chain in the table, its payloads, and the export, line by line against the table.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::time::Duration;

use sayso_store::audit::{self, AuditRow};
use sayso_store::{Readers, StoreError};
use serde::Deserialize;
use thiserror::Error;

use super::chain;

/// How many rows are read at once.
const ROWS: i64 = 500;
/// The longest line that is read, in bytes; ours have about 500.
const LINE_BYTES: u64 = 64 * 1024;
/// How often a file that is behind is looked at again: a running Sayso writes it after the commit.
const LOOKS: usize = 8;
/// How long to wait between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// An entry of the chain by its place and hash, as an operator noted it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Its place.
    pub seq: i64,
    /// Its hash: 64 hexadecimal digits.
    pub hash: String,
}

/// What was verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The newest entry; `None` when there is none yet.
    pub head: Option<Head>,
    /// How many payloads there are.
    pub payloads: u64,
}

/// Why nothing can be said.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The table cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read.
    #[error("`{path}` cannot be read: {error}")]
    File {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
}

/// What is wrong: the first thing that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// The table has no such entry, but later ones.
    RowMissing {
        /// The entry.
        seq: i64,
    },
    /// An entry of the table does not fit its hash.
    RowChanged {
        /// The entry.
        seq: i64,
    },
    /// The payload of an entry is not what was written.
    PayloadChanged {
        /// The entry.
        seq: i64,
    },
    /// A line is no entry.
    LineUnreadable {
        /// The line, and the entry that belongs there.
        line: i64,
    },
    /// A line differs from its entry in the table.
    LineChanged {
        /// The line, and the entry that belongs there.
        line: i64,
    },
    /// A line holds another entry than belongs there: one was cut out, added or moved.
    LineMisplaced {
        /// The line, and the entry that belongs there.
        line: i64,
        /// The entry that stands there.
        found: i64,
    },
    /// The file ends, and the table goes on.
    FileEnds {
        /// The last line.
        line: i64,
        /// The newest entry of the table.
        head: i64,
    },
    /// The file goes on, and the table has ended.
    TableEnds {
        /// The newest entry of the table.
        head: i64,
    },
    /// The entry that the operator noted is not there, or has another hash.
    HeadGone {
        /// The entry.
        seq: i64,
    },
}

/// Verifies the table, and the file against it. Works beside a running Sayso.
pub async fn verify(
    readers: &Readers,
    file: &Path,
    noted: Option<&Head>,
) -> Result<Result<Verified, Broken>, VerifyError> {
    for _ in 1..LOOKS {
        let found = verify_once(readers, file, noted).await?;
        if !matches!(
            found,
            Err(Broken::FileEnds { .. } | Broken::TableEnds { .. })
        ) {
            return Ok(found);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    verify_once(readers, file, noted).await
}

async fn verify_once(
    readers: &Readers,
    file: &Path,
    noted: Option<&Head>,
) -> Result<Result<Verified, Broken>, VerifyError> {
    let mut lines = Lines::open(file)?;
    let mut head = Head {
        seq: 0,
        hash: chain::GENESIS.to_owned(),
    };
    let mut payloads = 0;
    let mut file_end = None;
    loop {
        let rows = audit::after(readers, head.seq, ROWS).await?;
        let Some(last) = rows.last() else {
            break;
        };
        match check_payloads(readers, &rows, head.seq, last.seq).await? {
            Ok(count) => payloads += count,
            Err(broken) => return Ok(Err(broken)),
        }
        for row in &rows {
            if let Err(broken) = check_row(row, &head, noted) {
                return Ok(Err(broken));
            }
            head = Head {
                seq: row.seq,
                hash: row.hash.clone(),
            };
            if file_end.is_some() {
                continue;
            }
            match lines.next()? {
                None => file_end = Some(row.seq - 1),
                Some(line) => {
                    if let Err(broken) = check_line(&line, row) {
                        return Ok(Err(broken));
                    }
                }
            }
        }
    }
    if let Some(line) = file_end {
        let head = head.seq;
        return Ok(Err(Broken::FileEnds { line, head }));
    }
    if lines.next()?.is_some() {
        return Ok(Err(Broken::TableEnds { head: head.seq }));
    }
    if let Some(noted) = noted.filter(|noted| noted.seq > head.seq) {
        return Ok(Err(Broken::HeadGone { seq: noted.seq }));
    }
    Ok(Ok(Verified {
        head: Some(head).filter(|head| head.seq > 0),
        payloads,
    }))
}

/// Checks that a row follows the one before and has not changed.
fn check_row(row: &AuditRow, before: &Head, noted: Option<&Head>) -> Result<(), Broken> {
    let seq = before.seq + 1;
    if row.seq != seq {
        return Err(Broken::RowMissing { seq });
    }
    if row.hash != chain::hash(&before.hash, row) {
        return Err(Broken::RowChanged { seq });
    }
    let is_other = |noted: &&Head| noted.seq == seq && noted.hash != row.hash;
    match noted.filter(is_other) {
        Some(_) => Err(Broken::HeadGone { seq }),
        None => Ok(()),
    }
}

/// Returns how many payloads of these rows there still are; each must be what its row says.
async fn check_payloads(
    readers: &Readers,
    rows: &[AuditRow],
    after: i64,
    until: i64,
) -> Result<Result<u64, Broken>, StoreError> {
    let payloads = audit::payloads(readers, after, until).await?;
    for payload in &payloads {
        let digest = chain::digest(&payload.salt, &payload.payload);
        let row = rows.iter().find(|row| row.seq == payload.seq);
        if row.and_then(|row| row.digest.as_ref()) != Some(&digest) {
            return Ok(Err(Broken::PayloadChanged { seq: payload.seq }));
        }
    }
    Ok(Ok(payloads.len() as u64))
}

#[derive(Deserialize)]
struct Numbered {
    seq: i64,
}

/// Checks that a line is that of a row.
fn check_line(line: &[u8], row: &AuditRow) -> Result<(), Broken> {
    if line == format!("{}\n", chain::line(row)).as_bytes() {
        return Ok(());
    }
    Err(match serde_json::from_slice::<Numbered>(line) {
        Err(_) => Broken::LineUnreadable { line: row.seq },
        Ok(numbered) if numbered.seq == row.seq => Broken::LineChanged { line: row.seq },
        Ok(numbered) => Broken::LineMisplaced {
            line: row.seq,
            found: numbered.seq,
        },
    })
}

/// The lines of a file, each with its line feed.
struct Lines {
    path: String,
    file: Option<BufReader<File>>,
}

impl Lines {
    /// Opens a file; one that does not exist has no lines.
    fn open(path: &Path) -> Result<Self, VerifyError> {
        let shown = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Self {
                path: shown,
                file: Some(BufReader::new(file)),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self {
                path: shown,
                file: None,
            }),
            Err(error) => Err(VerifyError::File { path: shown, error }),
        }
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>, VerifyError> {
        let Some(file) = &mut self.file else {
            return Ok(None);
        };
        let mut line = Vec::new();
        file.take(LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| VerifyError::File {
                path: self.path.clone(),
                error,
            })?;
        Ok((!line.is_empty()).then_some(line))
    }
}
