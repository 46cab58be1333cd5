//! The file of the trace and its older parts: bounded in size and number.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::audit::export::{ExportError, last_lines, open};

/// The name of the file in the data directory; older parts have a number behind it.
pub const TRACE_FILE: &str = "trace.jsonl";
/// From this length on a new part is begun, in bytes.
const PART_BYTES: u64 = 16 * 1024 * 1024;
/// How many older parts are kept.
const OLDER_PARTS: u32 = 4;
/// How much of the end is read to find the last line: twice the longest.
const TAIL_BYTES: u64 = 512 * 1024;

/// The file of a trace.
#[derive(Debug)]
pub struct TraceFile {
    path: PathBuf,
    part_bytes: u64,
    /// The row of the last line; `None` looks.
    last_row: Option<i64>,
}

#[derive(Deserialize)]
struct Placed {
    row: i64,
}

impl TraceFile {
    /// Returns the file in a data directory. Nothing is opened yet.
    pub fn new(data_dir: &Path) -> Self {
        Self {
            path: data_dir.join(TRACE_FILE),
            part_bytes: PART_BYTES,
            last_row: None,
        }
    }

    /// Returns the row of the last line; 0 when there is none.
    pub fn last_row(&mut self) -> Result<i64, ExportError> {
        if let Some(row) = self.last_row {
            return Ok(row);
        }
        let row = [self.path.clone(), self.part(1)]
            .iter()
            .find_map(|path| last_row(path).transpose())
            .transpose()
            .map_err(|error| self.failed(error))?;
        let row = row.unwrap_or_default();
        self.last_row = Some(row);
        Ok(row)
    }

    /// Appends lines, the last of which comes from this row.
    pub fn append(&mut self, lines: &str, row: i64) -> Result<(), ExportError> {
        self.write(lines).map_err(|error| self.failed(error))?;
        self.last_row = Some(row);
        Ok(())
    }

    /// Rewrites every part without the lines that `is_kept` refuses. A part is replaced whole, so a
    /// kill leaves it as it was or as it should be.
    pub fn rewrite(&mut self, is_kept: impl Fn(&str) -> bool) -> Result<(), ExportError> {
        // The place to go on from stays, also when its line goes.
        self.last_row()?;
        let parts = (1..=OLDER_PARTS).map(|number| self.part(number));
        for path in [self.path.clone()].into_iter().chain(parts) {
            rewrite(&path, &is_kept).map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn write(&self, lines: &str) -> io::Result<()> {
        let mut file = open(&self.path)?;
        if file.metadata()?.len() >= self.part_bytes {
            self.begin_part()?;
            file = open(&self.path)?;
        }
        file.write_all(lines.as_bytes())
    }

    /// Moves each part one number up; the oldest goes.
    fn begin_part(&self) -> io::Result<()> {
        for number in (1..OLDER_PARTS).rev() {
            let part = self.part(number);
            if part.exists() {
                std::fs::rename(part, self.part(number + 1))?;
            }
        }
        std::fs::rename(&self.path, self.part(1))
    }

    fn part(&self, number: u32) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(format!(".{number}"));
        PathBuf::from(path)
    }

    fn failed(&self, error: io::Error) -> ExportError {
        ExportError::File {
            path: self.path.display().to_string(),
            error,
        }
    }
}

fn rewrite(path: &Path, is_kept: impl Fn(&str) -> bool) -> io::Result<()> {
    let lines = match File::open(path) {
        Ok(part) => BufReader::new(part),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    match std::fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut kept = BufWriter::new(open(&beside)?);
    for line in lines.split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        if is_kept(&line) {
            writeln!(kept, "{line}")?;
        }
    }
    kept.into_inner()?.sync_all()?;
    std::fs::rename(beside, path)
}

/// Returns the row of the last whole line of a file, if there is one.
fn last_row(path: &Path) -> io::Result<Option<i64>> {
    let end = match last_lines(path, TAIL_BYTES) {
        Ok(end) => end,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut newest_first = end.text.lines().rev();
    Ok(newest_first.find_map(|line| {
        let placed: Placed = serde_json::from_str(line).ok()?;
        Some(placed.row)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(directory: &tempfile::TempDir) -> TraceFile {
        TraceFile {
            part_bytes: 20,
            ..TraceFile::new(directory.path())
        }
    }

    #[test]
    fn parts_are_bounded_in_size_and_number() {
        let directory = tempfile::tempdir().unwrap();
        let mut trace = file(&directory);
        for row in 0..20 {
            trace
                .append(&format!("{{\"row\":{row},\"text\":\"…\"}}\n"), row)
                .unwrap();
        }
        let mut names: Vec<String> = std::fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        insta::assert_snapshot!(names.join(" "), @"trace.jsonl trace.jsonl.1 trace.jsonl.2 trace.jsonl.3 trace.jsonl.4");
        let newest = std::fs::read_to_string(directory.path().join(TRACE_FILE)).unwrap();
        assert!(newest.contains("\"row\":19"), "{newest}");
    }

    #[test]
    fn a_new_start_goes_on_behind_the_last_whole_line() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(file(&directory).last_row().unwrap(), 0);
        file(&directory)
            .append("{\"row\":7}\n{\"row\":8}\n{\"row\":9,\"te", 9)
            .unwrap();
        assert_eq!(file(&directory).last_row().unwrap(), 8);
    }

    #[test]
    fn only_its_owner_may_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        file(&directory).append("{\"row\":1}\n", 1).unwrap();
        let mode = std::fs::metadata(directory.path().join(TRACE_FILE))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
