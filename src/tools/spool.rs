//! Output of any size, bounded: its head and tail for the model, the whole in a file of the
//! workspace that `file_read` can read on. Nothing is cut in silence.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, unlinkat};
use sayso_core::redact::{after_cut, before_cut};
use sayso_core::transcript::{CallId, Scope, TurnId};

use super::workspace::{Missing, Workspace};

/// Where outputs are kept, in the workspace.
pub(crate) const OUTPUT_DIRECTORY: &str = ".sayso/output";
/// What one file keeps at most: a command that never stops talking must not fill the disk.
const MAX_KEPT_BYTES: u64 = 16 * 1024 * 1024;
/// How many files are kept; the oldest go first.
const MAX_KEPT_FILES: usize = 50;
/// Bytes set aside for the note that says what is missing.
const NOTE_BYTES: usize = 256;
/// The longest part of a file's name that comes from a call's id.
const MAX_ID_CHARS: usize = 64;

/// Returns what was kept of the output of a call, its errors behind it; `None` where nothing is.
pub async fn kept_output(scope: &Scope, turn: TurnId, call: &CallId) -> Option<String> {
    let scope = Scope {
        turn,
        ..scope.clone()
    };
    let places = [
        SpoolPlace::of(&scope, call),
        SpoolPlace::of_errors(&scope, call),
    ];
    let read = move || {
        let texts = places.iter().filter_map(|place| place.text().ok());
        let texts: Vec<String> = texts.collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    };
    tokio::task::spawn_blocking(read).await.ok()?
}

/// Collects one output.
#[derive(Debug)]
pub(crate) struct Spool {
    place: SpoolPlace,
    capacity: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    kept: Kept,
}

/// The file that an output goes to when it is too long.
#[derive(Debug, Clone)]
pub(crate) struct SpoolPlace {
    workspace: PathBuf,
    path: String,
}

#[derive(Debug)]
enum Kept {
    Nothing,
    File { file: File, bytes: u64 },
    Failed(io::Error),
}

impl SpoolPlace {
    /// Names the file of a call: `.sayso/output/TURN-CALL.txt`.
    pub(crate) fn of(scope: &Scope, call: &CallId) -> Self {
        Self::named(scope, call, "txt")
    }

    /// Names the file of what a call wrote to its standard error.
    pub(crate) fn of_errors(scope: &Scope, call: &CallId) -> Self {
        Self::named(scope, call, "stderr.txt")
    }

    /// Names a file in a directory that is no turn's workspace.
    pub(crate) fn apart(directory: &Path, name: &str) -> Self {
        Self {
            workspace: directory.to_owned(),
            path: name.to_owned(),
        }
    }

    fn named(scope: &Scope, call: &CallId, ending: &str) -> Self {
        let is_safe = |letter: &char| letter.is_ascii_alphanumeric() || "-_".contains(*letter);
        let call: String = call.0.chars().filter(is_safe).take(MAX_ID_CHARS).collect();
        Self {
            workspace: scope.home.clone(),
            path: format!("{OUTPUT_DIRECTORY}/{}-{call}.{ending}", scope.turn),
        }
    }

    /// Returns what is in the file.
    fn text(&self) -> io::Result<String> {
        let file = Workspace::open(&self.workspace)?.open_file(&self.path)?;
        let mut bytes = Vec::new();
        file.take(MAX_KEPT_BYTES).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn create(&self) -> io::Result<File> {
        let workspace = Workspace::open_or_make(Path::new(&self.workspace))?;
        let (directory, name) = workspace.open_parent(&self.path, Missing::IsMade)?;
        match unlinkat(&directory, &name, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => {}
            Err(error) => return Err(error.into()),
        }
        let create = OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
        let file = openat(&directory, &name, create, Mode::from_bits_truncate(0o600))?;
        remove_oldest(&directory)?;
        Ok(file.into())
    }
}

fn remove_oldest(directory: &OwnedFd) -> io::Result<()> {
    let entries = std::fs::read_dir(format!("/proc/self/fd/{}", directory.as_raw_fd()))?;
    let mut files: Vec<_> = entries
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.file_name())))
        .collect();
    files.sort_unstable();
    let surplus = files.len().saturating_sub(MAX_KEPT_FILES);
    for (_, name) in &files[..surplus] {
        match unlinkat(directory, name.as_os_str(), UnlinkatFlags::NoRemoveDir) {
            // A directory was not created by us, and a file may already be gone.
            Ok(()) | Err(Errno::EISDIR | Errno::ENOENT) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

impl Spool {
    /// Begins an output of which at most `capacity` bytes will be shown.
    pub(crate) fn new(place: SpoolPlace, capacity: usize) -> Self {
        Self {
            place,
            capacity,
            head: Vec::new(),
            tail: VecDeque::new(),
            total: 0,
            kept: Kept::Nothing,
        }
    }

    /// Takes more output.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let fitting = bytes.len().min(self.capacity - self.head.len());
        let (first, rest) = bytes.split_at(fitting);
        self.head.extend_from_slice(first);
        self.total += bytes.len() as u64;
        if rest.is_empty() {
            return;
        }
        self.keep_head();
        self.keep(rest);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(self.capacity);
        self.tail.drain(..surplus);
    }

    /// Returns all that came, and keeps it in the file; after [`MAX_KEPT_BYTES`] nothing more.
    pub(crate) fn whole(&mut self) -> io::Result<Vec<u8>> {
        if self.total == 0 {
            return Ok(Vec::new());
        }
        self.keep_head();
        match &mut self.kept {
            Kept::File { file, .. } => {
                let mut bytes = Vec::new();
                file.rewind()?;
                file.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            Kept::Nothing => Ok(self.head.clone()),
            Kept::Failed(error) => Err(error.kind().into()),
        }
    }

    /// Returns how many bytes came.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Returns the output as text of at most `allowance` bytes, with a note where it was cut.
    pub(crate) fn finish(mut self, allowance: usize) -> String {
        self.so_far(allowance)
    }

    /// Returns the same of an output that may go on.
    pub(crate) fn so_far(&mut self, allowance: usize) -> String {
        if self.total <= allowance as u64 && self.tail.is_empty() {
            let text = String::from_utf8_lossy(&self.head);
            if text.len() <= allowance {
                return text.into_owned();
            }
        }
        self.keep_head();
        let room = allowance.saturating_sub(NOTE_BYTES);
        let head = self.first(room / 2);
        let tail = self.last(room - room / 2);
        format!(
            "{}\n{}\n{}",
            head.text,
            self.note(head.bytes, tail.bytes),
            tail.text
        )
    }

    fn first(&self, room: usize) -> Piece {
        let bytes = &self.head[..self.head.len().min(room)];
        let whole = bytes.len() - unfinished_character(bytes);
        let mut text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
        text.truncate(text.floor_char_boundary(room));
        // Half a secret would not be found where secrets are hidden.
        let half = text.len() - before_cut(&text).len();
        text.truncate(text.len() - half);
        Piece {
            text,
            bytes: whole - half,
        }
    }

    fn last(&self, room: usize) -> Piece {
        let missing = room.saturating_sub(self.tail.len()).min(self.head.len());
        let from_head = &self.head[self.head.len() - missing..];
        let from_tail = self.tail.iter().skip(self.tail.len().saturating_sub(room));
        let bytes: Vec<u8> = from_head.iter().chain(from_tail).copied().collect();
        let begin = bytes
            .iter()
            .take_while(|byte| is_continuation(**byte))
            .count();
        let mut text = String::from_utf8_lossy(&bytes[begin..]).into_owned();
        text.drain(..text.ceil_char_boundary(text.len().saturating_sub(room)));
        let half = text.len() - after_cut(&text).len();
        text.drain(..half);
        Piece {
            text,
            bytes: bytes.len() - begin - half,
        }
    }

    fn note(&self, head: usize, tail: usize) -> String {
        let missing = self.total.saturating_sub((head + tail) as u64);
        let total = self.total;
        let path = &self.place.path;
        match &self.kept {
            Kept::File { bytes, .. } if *bytes == total => format!(
                "[{missing} of {total} bytes left out here; the whole is in `{path}`: read on with \
                 file_read at offset {head}]"
            ),
            Kept::File { bytes, .. } => format!(
                "[{missing} of {total} bytes left out here; the first {bytes} bytes are in \
                 `{path}`: read on with file_read at offset {head}]"
            ),
            Kept::Nothing => format!("[{missing} of {total} bytes left out here]"),
            Kept::Failed(error) => format!(
                "[{missing} of {total} bytes left out here, and they could not be kept: {}]",
                error.kind()
            ),
        }
    }

    fn keep_head(&mut self) {
        if !matches!(self.kept, Kept::Nothing) {
            return;
        }
        self.kept = match self.place.create() {
            Ok(file) => Kept::File { file, bytes: 0 },
            Err(error) => Kept::Failed(error),
        };
        let head = std::mem::take(&mut self.head);
        self.keep(&head);
        self.head = head;
    }

    /// Writes to the file, which is the page cache: short enough to do between two reads.
    fn keep(&mut self, more: &[u8]) {
        let Kept::File { file, bytes } = &mut self.kept else {
            return;
        };
        let room = usize::try_from(MAX_KEPT_BYTES - *bytes).unwrap_or(usize::MAX);
        let fitting = &more[..more.len().min(room)];
        match file.write_all(fitting) {
            Ok(()) => *bytes += fitting.len() as u64,
            Err(error) => self.kept = Kept::Failed(error),
        }
    }
}

/// A shown part of an output, and how many of its bytes it stands for.
struct Piece {
    text: String,
    bytes: usize,
}

/// Returns how many bytes at the end belong to a character whose rest is cut off.
pub(crate) fn unfinished_character(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
        Ok(_) | Err(_) => 0,
    }
}

/// Returns whether a byte continues a UTF-8 character.
pub(crate) fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sayso_core::transcript::CallId;

    use super::{Spool, SpoolPlace};
    use crate::testing::scope;

    fn spooled(workspace: &Path, capacity: usize, output: &[u8]) -> String {
        let place = SpoolPlace::of(&scope(workspace), &CallId("../call 1".into()));
        let mut spool = Spool::new(place, capacity);
        output.chunks(7).for_each(|chunk| spool.push(chunk));
        spool.finish(capacity)
    }

    fn kept(workspace: &Path) -> Vec<u8> {
        std::fs::read(workspace.join(".sayso/output/5-call1.txt")).unwrap()
    }

    #[test]
    fn what_fits_is_shown_whole_and_kept_nowhere() {
        let workspace = tempfile::tempdir().unwrap();
        assert_eq!(spooled(workspace.path(), 1000, b"hello\n"), "hello\n");
        assert!(!workspace.path().join(".sayso").exists());
    }

    #[test]
    fn what_does_not_fit_keeps_head_and_tail_and_the_whole_in_a_file() {
        let workspace = tempfile::tempdir().unwrap();
        let output = format!("{}{}{}", "a".repeat(200), "-".repeat(5000), "z".repeat(200));
        let text = spooled(workspace.path(), 656, output.as_bytes());
        let expected = format!(
            "{}\n[5000 of 5400 bytes left out here; the whole is in `.sayso/output/5-call1.txt`: \
             read on with file_read at offset 200]\n{}",
            "a".repeat(200),
            "z".repeat(200)
        );
        assert_eq!(text, expected);
        assert_eq!(kept(workspace.path()), output.as_bytes());
    }

    #[test]
    fn no_word_is_cut_in_two() {
        let workspace = tempfile::tempdir().unwrap();
        let output = "ghp_secret42 ".repeat(400);
        for capacity in 600..626 {
            let text = spooled(workspace.path(), capacity, output.as_bytes());
            let (head, tail) = text.split_once("\n[").unwrap();
            let tail = tail.rsplit_once("]\n").unwrap().1;
            let words = head.split(' ').chain(tail.split(' '));
            let halves = words.filter(|word| !["", "ghp_secret42"].contains(word));
            assert_eq!(halves.count(), 0, "{text}");
        }
    }

    #[test]
    fn no_character_is_cut_in_two() {
        let workspace = tempfile::tempdir().unwrap();
        let output = "你好".repeat(1000);
        for capacity in 600..610 {
            let text = spooled(workspace.path(), capacity, output.as_bytes());
            assert!(!text.contains('\u{fffd}'), "{text}");
            assert!(text.len() <= capacity, "{} > {capacity}", text.len());
        }
    }

    #[test]
    fn bytes_that_are_no_text_stay_in_bounds_too() {
        let workspace = tempfile::tempdir().unwrap();
        for length in [900, 5000] {
            let output = vec![0xff; length];
            let text = spooled(workspace.path(), 1000, &output);
            assert!(text.len() <= 1000, "{}", text.len());
            assert_eq!(kept(workspace.path()), output);
        }
    }

    #[test]
    fn the_oldest_files_make_room() {
        let workspace = tempfile::tempdir().unwrap();
        let directory = workspace.path().join(".sayso/output");
        std::fs::create_dir_all(&directory).unwrap();
        for number in 0..55 {
            let file = std::fs::File::create(directory.join(number.to_string())).unwrap();
            let age = std::time::Duration::from_secs(1000 - number);
            file.set_modified(std::time::SystemTime::now() - age)
                .unwrap();
        }
        spooled(workspace.path(), 600, &[b'x'; 5000]);
        let left = std::fs::read_dir(&directory).unwrap().count();
        assert_eq!(left, super::MAX_KEPT_FILES);
        assert!(directory.join("54").exists() && !directory.join("5").exists());
        assert_eq!(kept(workspace.path()).len(), 5000);
    }

    #[test]
    fn a_link_planted_at_the_place_is_not_followed() {
        let workspace = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let link = workspace.path().join(".sayso");
        std::os::unix::fs::symlink(elsewhere.path(), link).unwrap();
        let text = spooled(workspace.path(), 600, &[b'x'; 5000]);
        assert!(text.contains("could not be kept"), "{text}");
        assert_eq!(elsewhere.path().read_dir().unwrap().count(), 0);
    }
}
