//! Everything in a skill's folder, read whole and within bounds, and the hash that names it.
//!
//! What is reviewed, pinned and copied is this and nothing else: a folder is read once, through
//! [`Workspace`], and what cannot be read whole is refused with its reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use sayso_tools::Workspace;
use sha2::{Digest, Sha256};

use super::folder::SKILL_FILE;
use super::problem::Refusal;

/// The most files of a third-party skill.
pub const FILES: usize = 200;
/// The most files and folders.
const ENTRIES: usize = 1000;
/// The most bytes of all of them.
pub const BYTES: u64 = 4 * 1024 * 1024;
/// How deep they may lie.
const DEPTH: usize = 8;
/// The data of version control. It is not reviewed, so it is not copied with a skill, and no skill
/// is loaded from it.
const NOT_COPIED: &str = ".git";
/// The most text that is kept of a skill to show later what changed, in bytes.
const KEPT_BYTES: usize = 256 * 1024;

/// The files of a skill by their paths, with `/` between their parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    files: BTreeMap<String, Vec<u8>>,
    bytes: u64,
}

impl Content {
    /// Reads the folder of a skill that is to be copied: without what version control keeps.
    pub fn at_source(root: &Path) -> Result<Self, Refusal> {
        let mut content = Self::default();
        content.collect(root, "", DEPTH, &mut 0)?;
        content.copied()
    }

    /// Reads the folder of a skill that is loaded where it lies: all that its text may lead to.
    pub fn in_place(root: &Path) -> Result<Self, Refusal> {
        if root.join(NOT_COPIED).symlink_metadata().is_ok() {
            return Err(Refusal::VersionControl);
        }
        Self::at_source(root)
    }

    /// Adds what is in a folder; `seen` counts folders too.
    fn collect(
        &mut self,
        root: &Path,
        below: &str,
        depth: usize,
        seen: &mut usize,
    ) -> Result<(), Refusal> {
        let entries =
            fs::read_dir(root.join(below)).map_err(|error| Refusal::unreadable(&error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Refusal::unreadable(&error))?;
            let kind = entry
                .file_type()
                .map_err(|error| Refusal::unreadable(&error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if below.is_empty() && name == NOT_COPIED {
                continue;
            }
            let path = match below {
                "" => name,
                below => format!("{below}/{name}"),
            };
            *seen += 1;
            if *seen > ENTRIES {
                return Err(Refusal::TooManyFiles);
            }
            if kind.is_dir() {
                let deeper = depth.checked_sub(1).ok_or(Refusal::TooDeep)?;
                self.collect(root, &path, deeper, seen)?;
            } else if kind.is_file() {
                let bytes = read(root, &path).map_err(|error| Refusal::unreadable(&error))?;
                self.add(path, bytes)?;
            } else {
                return Err(Refusal::NoPlainFile(path));
            }
        }
        Ok(())
    }

    /// Adds a file, as long as there is room for it.
    pub fn add(&mut self, path: String, bytes: Vec<u8>) -> Result<(), Refusal> {
        self.bytes += bytes.len() as u64;
        if self.bytes > BYTES {
            return Err(Refusal::TooLarge);
        }
        if self.files.len() == FILES {
            return Err(Refusal::TooManyFiles);
        }
        match self.files.insert(path.clone(), bytes) {
            None => Ok(()),
            Some(_) => Err(Refusal::Twice(path)),
        }
    }

    /// Returns the content in the form that a copy has, if it is a skill: so the review sees
    /// exactly what is later loaded from the copy, regardless of the source.
    pub fn copied(mut self) -> Result<Self, Refusal> {
        self.files.retain(|path, _| {
            let first = path.split('/').next();
            first != Some(NOT_COPIED)
        });
        self.bytes = bytes_of(&self.files);
        if !self.files.contains_key(SKILL_FILE) {
            return Err(Refusal::NoSkill);
        }
        let mut folders = BTreeSet::new();
        for path in self.files.keys() {
            let ends: Vec<usize> = path.match_indices('/').map(|(end, _)| end).collect();
            if ends.len() > DEPTH {
                return Err(Refusal::TooDeep);
            }
            folders.extend(ends.iter().filter_map(|end| path.get(..*end)));
        }
        if folders.len() + self.files.len() > ENTRIES {
            return Err(Refusal::TooManyFiles);
        }
        if let Some(both) = folders.iter().find(|path| self.files.contains_key(**path)) {
            return Err(Refusal::Twice((*both).to_owned()));
        }
        Ok(self)
    }

    /// Returns the part of it below a folder, as a skill of its own.
    pub fn below(self, folder: &str) -> Self {
        let prefix = format!("{folder}/");
        let files = self.files.into_iter();
        let files: BTreeMap<_, _> = files
            .filter_map(|(path, bytes)| Some((path.strip_prefix(&prefix)?.to_owned(), bytes)))
            .collect();
        Self {
            bytes: bytes_of(&files),
            files,
        }
    }

    /// Returns the folders in it that hold a skill, each by its path; `""` is the whole.
    pub fn skills(&self) -> Vec<&str> {
        let folders = self.files.keys().filter_map(|path| {
            let folder = path.strip_suffix(SKILL_FILE)?;
            (folder.is_empty() || folder.ends_with('/')).then(|| folder.trim_end_matches('/'))
        });
        folders.collect()
    }

    /// Returns the files with their bytes, in the order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files
            .iter()
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// Returns a file as text, if it is one.
    pub fn text(&self, path: &str) -> Option<&str> {
        let bytes = self.files.get(path)?;
        std::str::from_utf8(bytes).ok()
    }

    /// Returns how many bytes all files have.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the SHA-256 of all paths and all bytes, in hexadecimal.
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        for (path, bytes) in &self.files {
            // Lengths keep what belongs to the path from what belongs to the file.
            hasher.update((path.len() as u64).to_be_bytes());
            hasher.update(path);
            hasher.update((bytes.len() as u64).to_be_bytes());
            hasher.update(bytes);
        }
        format!("{:x}", hasher.finalize())
    }

    /// Returns what is stored to show later changes: the text of text files, and the hash of all
    /// others.
    pub fn kept(&self) -> StoredFiles {
        let mut room = KEPT_BYTES;
        let keep = |(path, bytes): (&String, &Vec<u8>)| {
            let text = std::str::from_utf8(bytes).ok();
            let text = text.filter(|text| text.len() <= room);
            room -= text.map_or(0, str::len);
            let kept = match text {
                Some(text) => StoredFile::Text(text.to_owned()),
                None => StoredFile::Hash(format!("{:x}", Sha256::digest(bytes))),
            };
            (path.clone(), kept)
        };
        StoredFiles(self.files.iter().map(keep).collect())
    }

    /// Writes all files below a folder that is not there yet, and has them on disk.
    pub fn write(&self, root: &Path) -> io::Result<()> {
        fs::create_dir_all(root)?;
        for (path, bytes) in &self.files {
            let path = root.join(path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            let mut file = fs::File::create_new(&path)?;
            io::Write::write_all(&mut file, bytes)?;
            file.sync_all()?;
        }
        fs::File::open(root)?.sync_all()
    }
}

fn bytes_of(files: &BTreeMap<String, Vec<u8>>) -> u64 {
    files.values().map(|bytes| bytes.len() as u64).sum()
}

/// Reads a file of a folder, one byte more than there is room for at most.
fn read(root: &Path, path: &str) -> io::Result<Vec<u8>> {
    let opened = Workspace::open(root)?.open_file(path)?;
    let mut bytes = Vec::new();
    opened.take(BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What is kept of a skill that was approved: enough to show what another one changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StoredFiles(pub(super) BTreeMap<String, StoredFile>);

/// A file of it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredFile {
    /// Its text.
    Text(String),
    /// Its SHA-256, where it is no text or too long to be kept.
    Hash(String),
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Content, FILES};
    use crate::skills::problem::Refusal;

    fn content(files: &[(&str, &str)]) -> Content {
        let mut content = Content::default();
        for (path, text) in files {
            content
                .add((*path).to_owned(), text.as_bytes().to_vec())
                .unwrap();
        }
        content
    }

    #[test]
    fn a_folder_is_read_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("tea");
        let tea = content(&[("SKILL.md", "boil"), ("scripts/.hidden.sh", "ls")]);
        tea.write(&root).unwrap();
        std::fs::create_dir(root.join(".git")).unwrap();
        std::fs::write(root.join(".git/config"), "x").unwrap();
        let read = Content::at_source(&root).unwrap();
        assert_eq!(read, tea);
        assert_eq!(read.hash(), tea.hash());
        assert_eq!(Content::in_place(&root), Err(Refusal::VersionControl));
        std::os::unix::fs::symlink("/etc/passwd", root.join("names")).unwrap();
        assert_eq!(
            Content::at_source(&root),
            Err(Refusal::NoPlainFile("names".to_owned()))
        );
        assert_eq!(
            Content::at_source(&root.join("scripts")),
            Err(Refusal::NoSkill)
        );
    }

    #[test]
    fn what_is_copied_is_read_back_as_the_same_or_refused_before() {
        let deep = |folders: usize| format!("{}x", "f/".repeat(folders));
        let mut given = content(&[("SKILL.md", "boil"), (".git/hooks/run", "ls")]);
        given.add(deep(8), b"x".to_vec()).unwrap();
        let copied = given.copied().unwrap();
        assert_eq!(copied.bytes(), 5);
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("tea");
        copied.write(&root).unwrap();
        assert_eq!(Content::in_place(&root).unwrap(), copied);

        let mut too_deep = content(&[("SKILL.md", "boil")]);
        too_deep.add(deep(9), b"x".to_vec()).unwrap();
        assert_eq!(too_deep.copied(), Err(Refusal::TooDeep));
        let both = content(&[("SKILL.md", "boil"), ("a", "x"), ("a/b/c", "x")]);
        assert_eq!(both.copied(), Err(Refusal::Twice("a".to_owned())));
        let mut wide = content(&[("SKILL.md", "boil")]);
        for number in 0..150 {
            let path = format!("{number}/a/b/c/d/e/f/x");
            wide.add(path, vec![]).unwrap();
        }
        assert_eq!(wide.copied(), Err(Refusal::TooManyFiles));
    }

    #[test]
    fn a_hash_names_paths_and_bytes() {
        let hash = |files: &[(&str, &str)]| content(files).hash();
        let tea = hash(&[("SKILL.md", "ab"), ("x", "")]);
        assert_eq!(tea, hash(&[("x", ""), ("SKILL.md", "ab")]));
        assert_ne!(tea, hash(&[("SKILL.md", "ab"), ("y", "")]));
        assert_ne!(tea, hash(&[("SKILL.md", "a"), ("x", "b")]));
        assert_ne!(tea, hash(&[("SKILL.md", "ab")]));
    }

    #[test]
    fn more_than_there_is_room_for_is_refused() {
        let mut large = content(&[("SKILL.md", "x")]);
        let rest = vec![0; BYTES as usize];
        assert_eq!(large.add("rest".to_owned(), rest), Err(Refusal::TooLarge));
        let mut many = Content::default();
        for number in 0..FILES {
            many.add(number.to_string(), vec![]).unwrap();
        }
        assert_eq!(
            many.add("more".to_owned(), vec![]),
            Err(Refusal::TooManyFiles)
        );
        let mut twice = content(&[("SKILL.md", "x")]);
        assert_eq!(
            twice.add("SKILL.md".to_owned(), vec![]),
            Err(Refusal::Twice("SKILL.md".to_owned()))
        );
    }
}
