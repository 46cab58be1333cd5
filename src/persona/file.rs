//! One file of the persona, read again when it changed.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::SystemTime;

use sayso_core::transcript::first_chars;

/// The most of a file that reaches the prompt, in characters.
const FILE_CHARS: usize = 4000;
/// The most that is read, in bytes: room for that many characters of four bytes, and for one more.
const FILE_BYTES: u64 = 4 * FILE_CHARS as u64 + 4;

/// A file with what it said when it was last read.
#[derive(Debug)]
pub struct PersonaFile {
    path: PathBuf,
    seen: Option<Version>,
    text: Option<String>,
}

/// What tells two versions of a file apart without reading them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    modified: SystemTime,
    bytes: u64,
}

impl PersonaFile {
    /// Returns the file, not read yet.
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            seen: None,
            text: None,
        }
    }

    /// Returns what the file says now; `None` when it is missing, empty or cannot be read (which is
    /// logged once per version).
    pub fn text(&mut self) -> Option<&str> {
        let version = self.version();
        if version != self.seen {
            self.seen = version;
            self.text = version.and_then(|_| self.read());
        }
        self.text.as_deref()
    }

    fn version(&self) -> Option<Version> {
        // Anything but a plain file could make the read wait for ever.
        let metadata = fs::metadata(&self.path).ok().filter(Metadata::is_file)?;
        Some(Version {
            modified: metadata.modified().ok()?,
            bytes: metadata.len(),
        })
    }

    fn read(&self) -> Option<String> {
        match self.read_bounded() {
            Ok(text) if text.trim().is_empty() => None,
            Ok(text) => Some(self.cut(text.trim())),
            Err(error) => {
                tracing::warn!(path = %self.path.display(), %error, "cannot read a persona file");
                None
            }
        }
    }

    fn read_bounded(&self) -> io::Result<String> {
        let mut bytes = Vec::new();
        File::open(&self.path)?
            .take(FILE_BYTES)
            .read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn cut(&self, text: &str) -> String {
        let Some(kept) = first_chars(text, FILE_CHARS) else {
            return text.to_owned();
        };
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{kept}\n[{name} is cut here: only its first {FILE_CHARS} characters are read]")
    }
}
