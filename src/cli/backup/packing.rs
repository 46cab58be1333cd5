//! Packing the data directory, as it is while somebody works in it.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tar::{Builder, EntryType, Header};

use super::DATABASE;
use super::archive::{COUNT, Count, LEFT_OUT, MANIFEST, Manifest};

/// What belongs to the database of an instance beside the file itself, behind its name.
const BESIDE_DATABASE: [&str; 3] = ["-wal", "-shm", "-journal"];
/// What comes behind the name of the database in the names of its copies from before updates.
const BEFORE: &str = ".before-";

/// A backup that was written.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) manifest: Manifest,
    /// How many files are in it beside the database.
    pub(super) files: u64,
    /// What could not be read, and so is not in it.
    pub(super) unreadable: Vec<PathBuf>,
}

/// What is packed, and what of it is not. All paths are absolute and without links.
#[derive(Debug)]
pub(super) struct Packing<'p> {
    /// The data directory.
    pub(super) directory: &'p Path,
    /// The database of the instance, of which a copy is packed.
    pub(super) database: &'p Path,
    /// The configuration, wherever it lies.
    pub(super) configuration: Option<&'p Path>,
}

impl Packing<'_> {
    /// Packs a copy of the database and the data directory into a file.
    pub(super) fn pack(&self, file: &File, manifest: Manifest, copy: &Path) -> io::Result<Packed> {
        let mut archive = Growing {
            packing: self,
            builder: Builder::new(BufWriter::new(file)),
            files: 0,
            unreadable: Vec::new(),
        };
        archive.text(MANIFEST, &manifest)?;
        archive.file(copy, Path::new(DATABASE), &fs::metadata(copy)?)?;
        archive.below(Path::new(""))?;
        let files = archive.files - 1;
        archive.text(COUNT, &Count { files })?;
        archive.builder.into_inner()?.flush()?;
        Ok(Packed {
            manifest,
            files,
            unreadable: archive.unreadable,
        })
    }

    fn is_left_out(&self, place: &Path) -> bool {
        let is_top = place.components().count() == 1;
        let name = place.file_name().unwrap_or_default();
        let mut ours = LEFT_OUT.iter().chain([&MANIFEST, &COUNT, &DATABASE]);
        if is_top && ours.any(|it| name == *it) {
            return true;
        }
        let path = self.directory.join(place);
        let is_database = path.parent() == self.database.parent()
            && is_of_database(name, self.database.file_name().unwrap_or_default());
        is_database || self.configuration == Some(path.as_path())
    }
}

/// Returns whether a name is that of a database, or of what lies beside it and belongs to it.
fn is_of_database(name: &OsStr, database: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let Some(rest) = name.strip_prefix(database.as_encoded_bytes()) else {
        return false;
    };
    let is_beside = BESIDE_DATABASE.iter().any(|end| rest == end.as_bytes());
    rest.is_empty() || is_beside || rest.starts_with(BEFORE.as_bytes())
}

/// An archive that is being written.
struct Growing<'p, 'f> {
    packing: &'p Packing<'p>,
    builder: Builder<BufWriter<&'f File>>,
    files: u64,
    unreadable: Vec<PathBuf>,
}

impl Growing<'_, '_> {
    fn text(&mut self, place: &str, text: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(text)?;
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o600);
        self.builder
            .append_data(&mut header, place, text.as_slice())
    }

    /// Packs what is in a directory. What goes away meanwhile is not there; what cannot be read is
    /// told; links are packed as such.
    fn below(&mut self, place: &Path) -> io::Result<()> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.packing.directory.join(place))? {
            names.push(entry?.file_name());
        }
        names.sort();
        for name in names {
            let place = place.join(&name);
            if self.packing.is_left_out(&place) {
                continue;
            }
            let path = self.packing.directory.join(&place);
            match self.one(&path, &place) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    self.unreadable.push(path);
                }
                Err(error) => {
                    let why = format!("`{}`: {error}", path.display());
                    return Err(io::Error::new(error.kind(), why));
                }
                Ok(()) => {}
            }
        }
        Ok(())
    }

    fn one(&mut self, path: &Path, place: &Path) -> io::Result<()> {
        let metadata = fs::symlink_metadata(path)?;
        let kind = metadata.file_type();
        if kind.is_dir() {
            self.builder.append_dir(place, path)?;
            self.below(place)
        } else if kind.is_symlink() {
            let mut header = Header::new_gnu();
            header.set_metadata(&metadata);
            header.set_entry_type(EntryType::Symlink);
            header.set_size(0);
            self.builder
                .append_link(&mut header, place, fs::read_link(path)?)
        } else if kind.is_file() {
            self.file(path, place, &metadata)
        } else {
            // A pipe or a socket is of a process, and nothing to keep.
            Ok(())
        }
    }

    /// Packs a file at the length that it has now: one that grows is cut, one that shrinks is filled.
    fn file(&mut self, path: &Path, place: &Path, metadata: &Metadata) -> io::Result<()> {
        let file = File::open(path)?;
        let mut header = Header::new_gnu();
        header.set_metadata(metadata);
        let length = metadata.len();
        let exactly = file.take(length).chain(io::repeat(0)).take(length);
        self.builder.append_data(&mut header, place, exactly)?;
        self.files += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_database_its_own_and_the_configuration_are_left_out_wherever_they_lie() {
        let packing = Packing {
            directory: Path::new("/data"),
            database: Path::new("/data/sayso.sqlite"),
            configuration: Some(Path::new("/data/etc/sayso.toml")),
        };
        let check = |place: &str, expected: bool| {
            assert_eq!(packing.is_left_out(Path::new(place)), expected, "{place}");
        };
        for place in [
            "sayso.sqlite",
            "sayso.sqlite-wal",
            "sayso.sqlite.before-0028",
            "sayso.lock",
            "backups",
            ".restoring",
            "lost+found",
            "etc/sayso.toml",
        ] {
            check(place, true);
        }
        for place in [
            "sayso.sqlite.md",
            "sayso.sqlite-notes",
            "workspaces/sayso.sqlite",
            "workspaces/logs",
            "workspaces/backups",
            "etc/sayso.toml.old",
            "audit.jsonl",
        ] {
            check(place, false);
        }
    }
}
