//! Skills on disk: which folders hold one, what is in a folder, and reading it.
//!
//! Nothing outside a skill's folder is ever opened: every file goes through [`Workspace`], which
//! refuses `..`, absolute paths and symbolic links that lead out, and whatever is no regular file.

use std::fs::DirEntry;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sayso_tools::Workspace;

use super::problem::Problem;

/// The most of one file that is read, in bytes.
pub const FILE_BYTES: u64 = 1024 * 1024;
/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";
/// How deep folders are searched for skills, and a skill's folder for its files.
const DEPTH: usize = 6;
/// The most skills that are searched for.
const SKILLS: usize = 10_000;
/// The most files of one skill that are listed.
const FILES: usize = 200;
/// Folders that hold what others made.
const NOT_SEARCHED: [&str; 3] = [".git", "node_modules", "target"];

/// Returns every `SKILL.md` in a folder and below it, in the order of their paths.
///
/// A symbolic link is not followed.
pub fn skills_below(place: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    search(place, DEPTH, &mut found)?;
    found.sort();
    Ok(found)
}

fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let name = entry.file_name();
        if found.len() == SKILLS {
            return Ok(());
        }
        if kind.is_file() && name == SKILL_FILE {
            found.push(entry.path());
        }
        let is_searched = !NOT_SEARCHED.iter().any(|other| name == *other);
        if kind.is_dir() && is_searched && depth > 0 {
            search(&entry.path(), depth - 1, found)?;
        }
    }
    Ok(())
}

/// The folder of one skill.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

/// What is in a folder beside its `SKILL.md`.
#[derive(Debug, Default)]
pub struct Listing {
    /// Files that can be read, with `/` between their parts.
    pub files: Vec<String>,
    /// Symbolic links, which are not listed.
    pub links: Vec<String>,
}

impl Folder {
    /// Returns the folder at a path.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Returns its own name, which is the skill's.
    pub fn name(&self) -> String {
        let whole = self
            .root
            .canonicalize()
            .unwrap_or_else(|_| self.root.clone());
        let name = whole.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Returns the text of a file in it.
    pub fn read(&self, file: &str) -> Result<String, Problem> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::InvalidInput => Problem::LeadsOut(file.to_owned()),
            io::ErrorKind::NotFound => Problem::NoSuchFile(file.to_owned()),
            _ => Problem::Unreadable(error.to_string()),
        };
        let bytes = self.bytes(file).map_err(failed)?;
        if bytes.len() as u64 > FILE_BYTES {
            return Err(Problem::TooLarge);
        }
        String::from_utf8(bytes).map_err(|_| Problem::NotText)
    }

    /// Reads no more than one byte too many.
    fn bytes(&self, file: &str) -> io::Result<Vec<u8>> {
        let opened = Workspace::open(&self.root)?.open_file(file)?;
        let mut bytes = Vec::new();
        opened.take(FILE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns what is in it beside its `SKILL.md`, hidden files left out.
    pub fn list(&self) -> Listing {
        let mut listing = Listing::default();
        self.collect("", DEPTH, &mut listing);
        listing.files.sort();
        listing.links.sort();
        listing
    }

    /// A folder that cannot be read has no files.
    fn collect(&self, below: &str, depth: usize, listing: &mut Listing) {
        let Ok(entries) = std::fs::read_dir(self.root.join(below)) else {
            return;
        };
        for entry in entries.flatten() {
            let Some(name) = visible_name(&entry) else {
                continue;
            };
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = if below.is_empty() {
                name
            } else {
                format!("{below}/{name}")
            };
            if kind.is_symlink() {
                listing.links.push(path);
            } else if kind.is_dir() && depth > 0 {
                self.collect(&path, depth - 1, listing);
            } else if kind.is_file() && path != SKILL_FILE && listing.files.len() < FILES {
                listing.files.push(path);
            }
        }
    }
}

fn visible_name(entry: &DirEntry) -> Option<String> {
    let name = entry.file_name().into_string().ok()?;
    (!name.starts_with('.')).then_some(name)
}
