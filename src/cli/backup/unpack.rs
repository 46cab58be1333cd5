//! Reading a backup from its first byte to its last, and unpacking it.
//!
//! Every entry must come to the digest that the backup says. Rights are those of the owner alone.
//! Links are made last, and only those that stay inside of the data directory, so that nothing is
//! written through one.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::{
    DirBuilderExt as _, FileExt as _, OpenOptionsExt as _, PermissionsExt as _, symlink,
};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail, ensure};
use tar::{Archive, Entry, EntryType};

use super::DATABASE;
use super::archive::{CONTENTS, Contents, LEFT_OUT, MANIFEST, Manifest, digest};
use super::digest::{EntryDigest, EntryKind};
use super::pack::Packed;
use super::sparse::{self, BLOCK, Described, Segments};
use crate::cli::progress::Progress;

/// The rights of an entry that are kept: those of its owner.
const OWNERS: u32 = 0o700;

/// A backup that was unpacked.
#[derive(Debug)]
pub(super) struct Unpacked {
    pub(super) manifest: Manifest,
    /// How many files were unpacked and checked, beside the database.
    pub(super) files: u64,
    /// Links that lead out of the data directory, which were not made.
    pub(super) links: Vec<PathBuf>,
    directories: Directories,
}

/// The rights that directories have, in the order of the backup. They are given last: not every
/// directory lets its own content in.
#[derive(Debug, Default)]
struct Directories(Vec<(PathBuf, u32)>);

/// Reads a backup that was just written, and checks that it is what was to be written.
pub(super) fn check(path: &Path, packed: &Packed, progress: &Progress) -> anyhow::Result<()> {
    let mut reading = Reading::new(None);
    let (manifest, contents) = reading.all(path, progress)?;
    ensure!(manifest == packed.manifest, "its manifest is another");
    ensure!(contents == packed.contents, "a file is missing");
    Ok(())
}

/// Unpacks a backup into a directory that is empty, and checks that it is whole.
pub(super) fn unpack(path: &Path, into: &Path, progress: &Progress) -> anyhow::Result<Unpacked> {
    let mut reading = Reading::new(Some(into));
    let (manifest, contents) = reading.all(path, progress)?;
    let database = File::open(into.join(DATABASE)).context("it holds no database")?;
    ensure!(
        digest(&database)? == manifest.database,
        "its database was changed or is damaged"
    );
    let links = reading.make_links(into)?;
    Ok(Unpacked {
        manifest,
        files: contents.files,
        links,
        directories: reading.directories,
    })
}

impl Unpacked {
    /// Gives the directories below `into` their rights, the inner ones first.
    pub(super) fn give_rights(&self, into: &Path) -> io::Result<()> {
        for (place, mode) in self.directories.0.iter().rev() {
            let path = into.join(place);
            if fs::symlink_metadata(&path)?.is_dir() {
                fs::set_permissions(&path, Permissions::from_mode(*mode))?;
            }
        }
        Ok(())
    }
}

/// A backup that is being read.
struct Reading<'i> {
    /// Where it is unpacked; `None` only looks.
    into: Option<&'i Path>,
    /// What each entry came to.
    entries: Vec<(PathBuf, String)>,
    files: u64,
    directories: Directories,
    links: Vec<(PathBuf, PathBuf)>,
}

impl<'i> Reading<'i> {
    fn new(into: Option<&'i Path>) -> Self {
        Self {
            into,
            entries: Vec::new(),
            files: 0,
            directories: Directories::default(),
            links: Vec::new(),
        }
    }

    /// Reads all of it, and compares every entry with what the backup says of it.
    fn all(&mut self, path: &Path, progress: &Progress) -> anyhow::Result<(Manifest, Contents)> {
        let file = progress.counts(File::open(path)?);
        let mut archive = Archive::new(BufReader::new(file));
        let mut entries = archive.entries()?;
        let mut first = entries
            .next()
            .context("it is empty")?
            .context("it is no backup")?;
        ensure!(
            first.path()? == Path::new(MANIFEST),
            "it is no backup of Sayso"
        );
        let manifest = Manifest::read(&mut first)?;
        let mut contents = None;
        for entry in entries {
            let mut entry = entry.context("it is cut off or damaged")?;
            ensure!(
                contents.is_none(),
                "it is damaged: something follows its end"
            );
            if entry.path()? == Path::new(CONTENTS) {
                contents = Some(Contents::read(&mut entry)?);
                continue;
            }
            let described = described(&mut entry)?;
            let place = match &described {
                Some((place, _)) => place.clone(),
                None => entry.path()?.into_owned(),
            };
            let length = described.map(|(_, length)| length);
            self.one(&mut entry, &place, length)
                .with_context(|| format!("`{}`", place.display()))?;
        }
        let contents = contents.context("it is cut off or damaged")?;
        self.compare(&contents)?;
        Ok((manifest, contents))
    }

    fn compare(&self, contents: &Contents) -> anyhow::Result<()> {
        for ((place, digest), expected) in self.entries.iter().zip(&contents.digests) {
            ensure!(
                digest == expected,
                "`{}` was changed or is damaged",
                place.display()
            );
        }
        let is_whole = self.entries.len() == contents.digests.len() && self.files == contents.files;
        ensure!(is_whole, "it is cut off or damaged");
        Ok(())
    }

    /// Reads one entry. `length` is that of a file with holes.
    fn one(
        &mut self,
        entry: &mut Entry<'_, impl Read>,
        place: &Path,
        length: Option<u64>,
    ) -> anyhow::Result<()> {
        let mut components = place.components();
        let is_inside = components.all(|component| matches!(component, Component::Normal(_)))
            && place.components().next().is_some();
        ensure!(is_inside, "it leads out of it");
        let is_ours = LEFT_OUT.iter().any(|name| place.starts_with(name));
        ensure!(!is_ours, "it is no part of a backup");
        let mode = entry.header().mode()? & 0o7777;
        let digest = match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => self.file(entry, place, mode, length)?,
            EntryType::Directory => self.directory(place, mode)?,
            EntryType::Symlink => self.link(entry, place, mode)?,
            _ => bail!("it is of a kind that no backup holds"),
        };
        self.entries.push((place.to_owned(), digest));
        Ok(())
    }

    fn file(
        &mut self,
        entry: &mut Entry<'_, impl Read>,
        place: &Path,
        mode: u32,
        length: Option<u64>,
    ) -> anyhow::Result<String> {
        let modified = Duration::from_secs(entry.header().mtime().unwrap_or_default());
        let (length, segments) = match length {
            Some(length) => (length, sparse::read_list(entry, length)?),
            None => (entry.size(), sparse::whole(entry.size())),
        };
        let file = match self.into {
            Some(into) => Some(new_file(into, place, length)?),
            None => None,
        };
        let mut digest = EntryDigest::new(EntryKind::File, place, mode);
        digest.add(&length.to_le_bytes());
        copy(entry, &segments, file.as_ref(), &mut digest)?;
        if let Some(file) = file {
            file.set_permissions(Permissions::from_mode(mode & OWNERS))?;
            // The time is for people; a file system that does not take it keeps the file.
            let modified = SystemTime::UNIX_EPOCH.checked_add(modified);
            let _ = modified.map(|modified| file.set_modified(modified));
        }
        self.files += u64::from(place != Path::new(DATABASE));
        Ok(digest.finish())
    }

    fn directory(&mut self, place: &Path, mode: u32) -> anyhow::Result<String> {
        if let Some(into) = self.into {
            make_directories(into, place)?;
            self.directories.0.push((place.to_owned(), mode & OWNERS));
        }
        Ok(EntryDigest::new(EntryKind::Directory, place, mode).finish())
    }

    fn link(
        &mut self,
        entry: &Entry<'_, impl Read>,
        place: &Path,
        mode: u32,
    ) -> anyhow::Result<String> {
        let target = entry.link_name()?.context("it is a link to nothing")?;
        let mut digest = EntryDigest::new(EntryKind::Link, place, mode);
        digest.add_target(&target);
        self.links.push((place.to_owned(), target.into_owned()));
        Ok(digest.finish())
    }

    /// Makes the links that stay inside, and returns the others.
    fn make_links(&self, into: &Path) -> anyhow::Result<Vec<PathBuf>> {
        let mut left_out = Vec::new();
        for (place, target) in &self.links {
            if !stays_inside(place, target) {
                left_out.push(place.clone());
                continue;
            }
            let made =
                make_parents(into, place).and_then(|()| Ok(symlink(target, into.join(place))?));
            made.with_context(|| format!("`{}`", place.display()))?;
        }
        Ok(left_out)
    }
}

/// Returns the name and length of a file with holes.
fn described(entry: &mut Entry<'_, impl Read>) -> anyhow::Result<Option<(PathBuf, u64)>> {
    let mut described = Described::default();
    for record in entry.pax_extensions()?.into_iter().flatten() {
        let record = record?;
        described.take(record.key_bytes(), record.value_bytes());
    }
    Ok(described.finish())
}

/// Copies the blocks of an entry to their places.
fn copy(
    entry: &mut impl Read,
    segments: &Segments,
    file: Option<&File>,
    digest: &mut EntryDigest,
) -> io::Result<()> {
    let mut block = vec![0; BLOCK as usize];
    for segment in segments {
        let mut at = segment.start;
        while at < segment.end {
            let size = (segment.end - at).min(BLOCK);
            let block = &mut block[..size as usize];
            entry.read_exact(block)?;
            digest.add_block(at / BLOCK, block);
            if let Some(file) = file {
                file.write_all_at(block, at)?;
            }
            at += size;
        }
    }
    // Whatever follows is not what was packed.
    let mut rest = [0];
    let is_end = entry.read(&mut rest)? == 0;
    is_end
        .then_some(())
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it is longer than it says"))
}

fn new_file(into: &Path, place: &Path, length: u64) -> anyhow::Result<File> {
    make_parents(into, place)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let file = options.open(into.join(place)).context("cannot write it")?;
    file.set_len(length).context("cannot write it")?;
    Ok(file)
}

fn make_parents(into: &Path, place: &Path) -> anyhow::Result<()> {
    make_directories(into, place.parent().unwrap_or(Path::new("")))
}

/// Makes a directory and those above it. What is there must be directories, and no links to some.
fn make_directories(into: &Path, place: &Path) -> anyhow::Result<()> {
    let mut path = into.to_owned();
    for component in place.components() {
        path.push(component);
        match fs::symlink_metadata(&path) {
            Ok(there) => ensure!(there.is_dir(), "it leads through what is no directory"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                DirBuilder::new().mode(OWNERS).create(&path)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Returns whether a link stays inside of the directory that it lies in somewhere. It may climb
/// before it goes down, and not again behind a name: that name may be a link itself.
fn stays_inside(place: &Path, target: &Path) -> bool {
    let mut depth = place.components().count().saturating_sub(1);
    let mut goes_down = false;
    for component in target.components() {
        match component {
            Component::ParentDir if goes_down || depth == 0 => return false,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => goes_down = true,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r12_a_link_stays_inside_or_is_none() {
        let stays = |place: &str, target: &str| stays_inside(Path::new(place), Path::new(target));
        assert!(stays("workspaces/a/bin/tsc", "../typescript/bin/tsc"));
        assert!(stays("workspaces/a/x", "b"));
        assert!(stays("workspaces/a/x", "../../knowledge/x.md"));
        for target in [
            "/",
            "/etc/passwd",
            "../../..",
            "../../../etc",
            "b/../../../..",
            "b/..",
        ] {
            assert!(!stays("workspaces/a/x", target), "{target}");
        }
    }
}
