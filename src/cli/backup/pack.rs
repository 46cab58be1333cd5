//! Packing the data directory while it is in use.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use serde::Serialize;
use tar::{Builder, EntryType, Header};

use super::DATABASE;
use super::archive::{CONTENTS, Contents, LEFT_OUT, MANIFEST, Manifest};
use super::digest::{EntryDigest, EntryKind, read_filled};
use super::room;
use super::sparse::{self, BLOCK};

/// What belongs to the database of an instance beside the file itself, behind its name.
const BESIDE_DATABASE: [&str; 3] = ["-wal", "-shm", "-journal"];
/// What comes behind the name of the database in the names of its copies from before updates.
const BEFORE: &str = ".before-";
/// What services read their environment from, secrets among it, right in the data directory.
const ENVIRONMENT: [&str; 2] = [".env", "sayso.env"];

/// A backup that was written.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) manifest: Manifest,
    /// What its entries come to.
    pub(super) contents: Contents,
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
    /// The files that secrets of the configuration are read from, and links on the way to them.
    pub(super) secrets: &'p [PathBuf],
}

impl Packing<'_> {
    /// Packs a copy of the database and the data directory into a file.
    pub(super) fn pack(
        &self,
        file: impl io::Write,
        manifest: Manifest,
        copy: &Path,
    ) -> io::Result<Packed> {
        let mut archive = Growing {
            packing: self,
            builder: Builder::new(BufWriter::new(file)),
            contents: Contents {
                files: 0,
                digests: Vec::new(),
            },
            unreadable: Vec::new(),
        };
        archive.text(MANIFEST, &manifest)?;
        archive.file(copy, Path::new(DATABASE), &fs::metadata(copy)?)?;
        archive.contents.files = 0;
        archive.below(Path::new(""))?;
        let contents = archive.contents.clone();
        archive.text(CONTENTS, &contents)?;
        archive.builder.into_inner()?.flush()?;
        Ok(Packed {
            manifest,
            contents,
            unreadable: archive.unreadable,
        })
    }

    /// Returns the files in the data directory that hold secrets, by their places.
    pub(super) fn secret_places(&self) -> Vec<String> {
        let inside = self
            .secrets
            .iter()
            .filter_map(|path| path.strip_prefix(self.directory).ok());
        let inside = inside.chain(ENVIRONMENT.iter().map(Path::new));
        let there = inside.filter(|place| self.directory.join(place).symlink_metadata().is_ok());
        let mut places: Vec<String> = there.map(|place| place.display().to_string()).collect();
        places.sort();
        places.dedup();
        places
    }

    /// Returns how much room the files take in the archive, without the database.
    pub(super) fn size(&self) -> u64 {
        room::packed_size(self.directory, &|path| {
            let place = path.strip_prefix(self.directory).unwrap_or(path);
            place != Path::new("") && self.is_left_out(place)
        })
    }

    fn is_left_out(&self, place: &Path) -> bool {
        let is_top = place.components().count() == 1;
        let name = place.file_name().unwrap_or_default();
        let ours = LEFT_OUT.iter().chain(&ENVIRONMENT);
        let mut ours = ours.chain([&MANIFEST, &CONTENTS, &DATABASE]);
        if is_top && ours.any(|it| name == *it) {
            return true;
        }
        let path = self.directory.join(place);
        let is_database = path.parent() == self.database.parent()
            && is_of_database(name, self.database.file_name().unwrap_or_default());
        is_database || self.configuration == Some(path.as_path()) || self.secrets.contains(&path)
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
struct Growing<'p, W: io::Write> {
    packing: &'p Packing<'p>,
    builder: Builder<BufWriter<W>>,
    contents: Contents,
    unreadable: Vec<PathBuf>,
}

impl<W: io::Write> Growing<'_, W> {
    fn text(&mut self, place: &str, text: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec(text)?;
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o600);
        self.builder
            .append_data(&mut header, place, text.as_slice())
    }

    /// Packs what is in a directory. Files that disappear meanwhile are skipped; unreadable ones
    /// are reported; links are packed as links.
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
                Err(error) if is_gone(&error) => {}
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
            self.add(EntryDigest::new(
                EntryKind::Directory,
                place,
                mode(&metadata),
            ));
            self.below(place)
        } else if kind.is_symlink() {
            self.link(path, place, &metadata)
        } else if kind.is_file() {
            self.file(path, place, &metadata)
        } else {
            // A pipe or a socket is of a process, and nothing to keep.
            Ok(())
        }
    }

    fn link(&mut self, path: &Path, place: &Path, metadata: &Metadata) -> io::Result<()> {
        let target = fs::read_link(path)?;
        let mut header = Header::new_gnu();
        header.set_metadata(metadata);
        header.set_entry_type(EntryType::Symlink);
        header.set_size(0);
        self.builder.append_link(&mut header, place, &target)?;
        let mut digest = EntryDigest::new(EntryKind::Link, place, mode(metadata));
        digest.add_target(&target);
        self.add(digest);
        Ok(())
    }

    /// Packs a file at the length that it has now: one that grows is cut, one that shrinks is
    /// filled. Its holes stay holes.
    fn file(&mut self, path: &Path, place: &Path, metadata: &Metadata) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(OFlag::O_NOFOLLOW.bits());
        let mut file = options.open(path)?;
        let length = metadata.len();
        let mut segments = sparse::segments(&file, length)?;
        let has_holes = sparse::stored(&segments) < length;
        if !has_holes {
            segments = sparse::whole(length);
        }
        let mut digest = EntryDigest::new(EntryKind::File, place, mode(metadata));
        digest.add(&length.to_le_bytes());
        let mut content = Content::new(&mut file, &segments, digest);
        let mut header = Header::new_gnu();
        header.set_metadata(metadata);
        if has_holes {
            let records = sparse::records(place.as_os_str().as_bytes(), length);
            let records = records.iter().map(|(key, value)| (*key, value.as_slice()));
            self.builder.append_pax_extensions(records)?;
            let list = sparse::list(&segments, length);
            header.set_size(list.len() as u64 + sparse::stored(&segments));
            let name = format!("GNUSparseFile.0/{}", self.contents.files);
            let all = list.as_slice().chain(&mut content);
            self.builder.append_data(&mut header, name, all)?;
        } else {
            self.builder.append_data(&mut header, place, &mut content)?;
        }
        let digest = content.digest;
        self.add(digest);
        self.contents.files += 1;
        Ok(())
    }

    fn add(&mut self, digest: EntryDigest) {
        self.contents.digests.push(digest.finish());
    }
}

/// Returns whether a file went away meanwhile, or a link took its place.
fn is_gone(error: &io::Error) -> bool {
    let is_link = error.raw_os_error() == Some(nix::errno::Errno::ELOOP as i32);
    is_link || error.kind() == io::ErrorKind::NotFound
}

/// Returns the rights as a header has them.
fn mode(metadata: &Metadata) -> u32 {
    metadata.mode() & 0o7777
}

/// The segments of a file, block by block, with their digest.
struct Content<'f> {
    file: &'f mut File,
    segments: std::slice::Iter<'f, Range<u64>>,
    /// What of the segment at hand is not read yet.
    left: Range<u64>,
    block: Vec<u8>,
    /// How much of the block was given out.
    given: usize,
    digest: EntryDigest,
}

impl<'f> Content<'f> {
    fn new(file: &'f mut File, segments: &'f [Range<u64>], digest: EntryDigest) -> Self {
        Self {
            file,
            segments: segments.iter(),
            left: 0..0,
            block: Vec::new(),
            given: 0,
            digest,
        }
    }

    fn next_block(&mut self) -> io::Result<()> {
        if self.left.is_empty() {
            let Some(segment) = self.segments.next() else {
                return Ok(());
            };
            self.file.seek(SeekFrom::Start(segment.start))?;
            self.left = segment.clone();
        }
        let size = (self.left.end - self.left.start).min(BLOCK);
        self.block.resize(size as usize, 0);
        self.given = 0;
        read_filled(self.file, &mut self.block)?;
        self.digest.add_block(self.left.start / BLOCK, &self.block);
        self.left.start += size;
        Ok(())
    }
}

impl Read for Content<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.given == self.block.len() {
            self.block.clear();
            self.given = 0;
            self.next_block()?;
        }
        let rest = self.block.get(self.given..).unwrap_or_default();
        let size = rest.len().min(into.len());
        into[..size].copy_from_slice(&rest[..size]);
        self.given += size;
        Ok(size)
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
            secrets: &["/data/keys/model".into()],
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
            "tmp",
            ".env",
            "etc/sayso.toml",
            "keys/model",
        ] {
            check(place, true);
        }
        for place in [
            "sayso.sqlite.md",
            "sayso.sqlite-notes",
            "workspaces/sayso.sqlite",
            "workspaces/logs",
            "workspaces/backups",
            "workspaces/a/tmp",
            "workspaces/a/.env",
            "keys/other",
            "etc/sayso.toml.old",
            "audit.jsonl",
        ] {
            check(place, false);
        }
    }
}
