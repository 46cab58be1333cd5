//! The log file: always there, bounded, readable by its owner only, and never in the way. What
//! cannot be written is left out, and the file is tried again later.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where it stands in the data directory.
const NAME: &str = "logs/sayso.log";
/// From this size on a new file is begun, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// How many files there are at most, with the one that is written: 64 MiB in all.
const MAX_FILES: u32 = 8;
/// How long a file that could not be written is left alone.
const PAUSE: Duration = Duration::from_secs(10);

/// Returns where the log of an instance is.
pub(super) fn path_in(data_dir: &Path) -> PathBuf {
    data_dir.join(NAME)
}

/// A log that is continued in a new file when it is full; the older ones are `.1`, `.2` and so on.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    max_bytes: u64,
    open: Option<Open>,
    retry_at: Option<Instant>,
}

#[derive(Debug)]
struct Open {
    file: File,
    bytes: u64,
}

impl LogFile {
    /// Takes the file; it is opened with the first line.
    pub(super) fn at(path: PathBuf) -> Self {
        Self {
            path,
            max_bytes: MAX_BYTES,
            open: None,
            retry_at: None,
        }
    }

    /// Writes a line, or leaves it out.
    pub(super) fn add(&mut self, line: &[u8]) {
        let now = Instant::now();
        if self.retry_at.is_some_and(|at| now < at) {
            return;
        }
        self.retry_at = None;
        if self.try_add(line).is_err() {
            // The failure could be reported only through this file.
            self.open = None;
            self.retry_at = Some(now + PAUSE);
        }
    }

    fn try_add(&mut self, line: &[u8]) -> io::Result<()> {
        let more = line.len() as u64;
        let is_full = |open: &Open| open.bytes > 0 && open.bytes + more > self.max_bytes;
        let mut open = match self.open.take() {
            Some(open) => open,
            None => open_at(&self.path)?,
        };
        if is_full(&open) {
            drop(open);
            self.shift()?;
            open = open_at(&self.path)?;
        }
        open.file.write_all(line)?;
        open.bytes += more;
        self.open = Some(open);
        Ok(())
    }

    /// Gives each file the next number; the oldest one goes.
    fn shift(&self) -> io::Result<()> {
        for number in (0..MAX_FILES - 1).rev() {
            match fs::rename(self.numbered(number), self.numbered(number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn numbered(&self, number: u32) -> PathBuf {
        match number {
            0 => self.path.clone(),
            number => self.path.with_extension(format!("log.{number}")),
        }
    }
}

fn open_at(path: &Path) -> io::Result<Open> {
    if let Some(directory) = path.parent() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)?;
    }
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)?;
    let bytes = file.metadata()?.len();
    Ok(Open { file, bytes })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::{LogFile, MAX_FILES, path_in};

    fn names(directory: &std::path::Path) -> Vec<String> {
        let entries = fs::read_dir(directory.join("logs")).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_full_file_is_kept_under_a_number_and_the_oldest_goes() {
        let directory = tempfile::tempdir().unwrap();
        let mut log = LogFile::at(path_in(directory.path()));
        log.max_bytes = 10;
        for number in 10..30 {
            log.add(format!("line {number}\n").as_bytes());
        }
        let names = names(directory.path());
        assert_eq!(names.len(), MAX_FILES as usize, "{names:?}");
        let read =
            |name: &str| fs::read_to_string(directory.path().join("logs").join(name)).unwrap();
        assert_eq!(read("sayso.log"), "line 29\n");
        assert_eq!(read("sayso.log.7"), "line 22\n");
    }

    #[test]
    fn it_goes_on_where_it_ended() {
        let directory = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            LogFile::at(path_in(directory.path())).add(b"a line\n");
        }
        let text = fs::read_to_string(path_in(directory.path())).unwrap();
        assert_eq!(text, "a line\na line\n");
    }

    #[test]
    fn only_its_owner_reads_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = path_in(directory.path());
        LogFile::at(path.clone()).add(b"a line\n");
        let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(path.clone()), 0o600);
        assert_eq!(mode(path.parent().unwrap().to_owned()), 0o700);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_left_alone_and_tried_again() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("logs"), "in the way").unwrap();
        let path = path_in(directory.path());
        let mut log = LogFile::at(path.clone());
        log.add(b"lost\n");
        fs::remove_file(directory.path().join("logs")).unwrap();
        log.add(b"lost as well, during the pause\n");
        log.retry_at = Some(std::time::Instant::now());
        log.add(b"kept\n");
        assert_eq!(fs::read_to_string(path).unwrap(), "kept\n");
    }
}
