//! The files: which there are, what they say, and which are left out.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sayso_injection::{Treatment, check_tool_result};
use sayso_tools::decode;

use super::index::Index;
use super::passages::passages;
use super::{Inventory, Passage};

/// The largest file, in bytes.
const FILE_BYTES: u64 = 256 * 1024;
/// The most that is kept of all files, in bytes. It stays in memory with its words.
const ALL_BYTES: u64 = 4 * 1024 * 1024;
/// The most files.
const FILES: usize = 200;

/// Something that is not recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The file, as `knowledge/wifi.md`.
    pub source: String,
    /// Why.
    pub why: Why,
}

/// Why a file or a passage of it is not recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It is too large.
    TooLarge,
    /// It is no text, or in an encoding that is not known.
    NotText,
    /// It is a link to something that lies elsewhere.
    LeadsOut,
    /// It is no plain file.
    NoFile,
    /// It cannot be read.
    Unreadable(String),
    /// There is no room beside the others, which come before it by name.
    NoRoom,
    /// A passage gives orders to the model, as an attack does: the one below this heading.
    GivesOrders(String),
}

/// The files of a directory as they were when they were last looked at.
#[derive(Debug)]
pub(super) struct IndexSet {
    directory: PathBuf,
    files: BTreeMap<String, Kept>,
    index: Arc<Index>,
}

/// A file with what it said.
#[derive(Debug)]
struct Kept {
    seen: Seen,
    passages: Vec<Passage>,
    left_out: Vec<Why>,
}

/// What tells two versions of a file apart without reading them.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    File {
        bytes: u64,
        inode: u64,
        modified: (i64, i64),
        changed: (i64, i64),
    },
    Bad(Why),
}

impl IndexSet {
    pub(super) fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            files: BTreeMap::new(),
            index: Arc::default(),
        }
    }

    /// Returns whether the directory is missing, and no file of it is known.
    pub(super) fn is_missing(&self) -> bool {
        let is_found = || fs::metadata(&self.directory).is_ok();
        self.files.is_empty() && !is_found()
    }

    /// Looks at every file, and reads those that changed.
    pub(super) fn look(&mut self) {
        let found = self.found();
        let same = found.len() == self.files.len()
            && found
                .iter()
                .all(|(name, seen)| self.files.get(name).is_some_and(|it| it.seen == *seen));
        if same {
            return;
        }
        let mut before = std::mem::take(&mut self.files);
        for (name, seen) in found {
            let known = before.remove(&name).filter(|known| known.seen == seen);
            let file = known.unwrap_or_else(|| self.read(&name, seen));
            self.files.insert(name, file);
        }
        let passages = self.files.values().flat_map(|kept| kept.passages.clone());
        self.index = Arc::new(Index::of(passages.collect()));
        tracing::info!(
            files = self.files.len(),
            passages = self.index.len(),
            "knowledge files loaded"
        );
    }

    pub(super) fn index(&self) -> Arc<Index> {
        Arc::clone(&self.index)
    }

    pub(super) fn inventory(&self) -> Inventory {
        let recalled = self.files.values().filter(|kept| !kept.passages.is_empty());
        let left_out = self.files.iter().flat_map(|(name, kept)| {
            kept.left_out.iter().map(|why| LeftOut {
                source: source(name),
                why: why.clone(),
            })
        });
        Inventory {
            files: recalled.count(),
            passages: self.index.len(),
            left_out: left_out.collect(),
        }
    }

    /// Returns the files by name; none where there is no directory.
    fn found(&self) -> BTreeMap<String, Seen> {
        let mut found = BTreeMap::new();
        let names = match names(&self.directory) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return found,
            Err(error) => {
                found.insert(String::new(), Seen::Bad(Why::Unreadable(error.to_string())));
                return found;
            }
        };
        let mut room = ALL_BYTES;
        for (place, name) in names.into_iter().enumerate() {
            let seen = match self.version(&name) {
                Ok(Seen::File { bytes, .. }) if bytes > FILE_BYTES => Seen::Bad(Why::TooLarge),
                Ok(Seen::File { bytes, .. }) if place >= FILES || bytes > room => {
                    Seen::Bad(Why::NoRoom)
                }
                Ok(seen) => seen,
                Err(error) => Seen::Bad(Why::Unreadable(error.to_string())),
            };
            if let Seen::File { bytes, .. } = seen {
                room -= bytes;
            }
            found.insert(name, seen);
        }
        found
    }

    fn version(&self, name: &str) -> io::Result<Seen> {
        let path = self.directory.join(name);
        if fs::symlink_metadata(&path)?.is_symlink() {
            let target = fs::canonicalize(&path)?;
            if !target.starts_with(fs::canonicalize(&self.directory)?) {
                return Ok(Seen::Bad(Why::LeadsOut));
            }
        }
        let metadata = fs::metadata(&path)?;
        if !metadata.is_file() {
            return Ok(Seen::Bad(Why::NoFile));
        }
        Ok(Seen::File {
            bytes: metadata.len(),
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    fn read(&self, name: &str, seen: Seen) -> Kept {
        let text = match &seen {
            Seen::Bad(why) => Err(why.clone()),
            Seen::File { .. } => text(&self.directory.join(name)),
        };
        let (passages, left_out) = match text {
            Ok(text) => without_orders(passages(name, &text)),
            Err(why) => (Vec::new(), vec![why]),
        };
        for why in &left_out {
            tracing::warn!(file = source(name), %why, "knowledge file skipped");
        }
        Kept {
            seen,
            passages,
            left_out,
        }
    }
}

fn source(name: &str) -> String {
    format!("knowledge/{name}")
}

/// Returns the names of the texts in a directory, in order. What is hidden is none.
fn names(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_text = path.extension().is_some_and(|extension| extension == "md");
        if is_text && !name.starts_with('.') {
            names.push(name.into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn text(path: &Path) -> Result<String, Why> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| Why::Unreadable(error.to_string()))?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(Why::TooLarge);
    }
    let decoded = decode(&bytes).ok_or(Why::NotText)?;
    if !decoded.encoding.is_plain() {
        let encoding = decoded.encoding;
        tracing::info!(file = %path.display(), %encoding, "knowledge file decoded from a legacy encoding");
    }
    Ok(decoded.text.into_owned())
}

fn without_orders(passages: Vec<Passage>) -> (Vec<Passage>, Vec<Why>) {
    let gives_orders = |passage: &Passage| {
        let read = format!("{}\n{}", passage.heading, passage.text);
        check_tool_result(&read).treatment == Treatment::Block
    };
    let (orders, passages): (Vec<_>, Vec<_>) = passages.into_iter().partition(gives_orders);
    let left_out = orders.into_iter();
    (
        passages,
        left_out
            .map(|passage| Why::GivesOrders(passage.heading))
            .collect(),
    )
}
