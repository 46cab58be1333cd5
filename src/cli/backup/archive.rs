//! The file of a backup: a tar archive with a manifest, the database, and everything else in the data
//! directory that cannot be made again.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tar::{Archive, Builder, EntryType, Header};

use super::DATABASE;

/// The first entry.
const MANIFEST: &str = ".sayso-backup.json";
/// The largest manifest that is read.
const MAX_MANIFEST_BYTES: u64 = 1024 * 1024;
/// The form of what is written here.
const FORM: u32 = 1;
/// What of the data directory is no part of a backup: its lock, and the logs, which rotate away.
const LEFT_OUT: [&str; 2] = ["sayso.lock", "logs"];

/// What is in a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    form: u32,
    /// The version of Sayso that made it.
    pub(super) version: String,
    /// The newest migration that the database has seen.
    pub(super) schema: i64,
    /// How many rows each table has.
    pub(super) rows: BTreeMap<String, i64>,
    /// The SHA-256 of the database.
    database: String,
}

/// A backup that was written.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) manifest: Manifest,
    /// How many files are in it beside the database.
    pub(super) files: u64,
}

impl Manifest {
    /// Describes a copy of a database.
    pub(super) fn new(
        schema: i64,
        rows: BTreeMap<String, i64>,
        copy: &Path,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            form: FORM,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema,
            rows,
            database: digest(File::open(copy).context("cannot read the copy")?)?,
        })
    }
}

/// Packs a copy of the database and the data directory into a file, without these paths of it.
pub(super) fn pack(
    file: &File,
    manifest: Manifest,
    copy: &Path,
    directory: &Path,
    left_out: &[PathBuf],
) -> io::Result<Packed> {
    let mut packing = Packing {
        archive: Builder::new(BufWriter::new(file)),
        directory,
        left_out,
        files: 0,
    };
    let text = serde_json::to_vec_pretty(&manifest)?;
    let mut header = Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o600);
    packing
        .archive
        .append_data(&mut header, MANIFEST, text.as_slice())?;
    packing.file(copy, Path::new(DATABASE), &fs::metadata(copy)?)?;
    packing.below(Path::new(""))?;
    let files = packing.files - 1;
    packing.archive.into_inner()?.flush()?;
    Ok(Packed { manifest, files })
}

struct Packing<'p> {
    archive: Builder<BufWriter<&'p File>>,
    directory: &'p Path,
    left_out: &'p [PathBuf],
    files: u64,
}

impl Packing<'_> {
    /// Packs what is in a directory. What goes away meanwhile is not there; links are packed as such.
    fn below(&mut self, place: &Path) -> io::Result<()> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.directory.join(place))? {
            names.push(entry?.file_name());
        }
        names.sort();
        for name in names {
            let place = place.join(&name);
            if self.is_left_out(&place) {
                continue;
            }
            let path = self.directory.join(&place);
            match self.one(&path, &place) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
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
            self.archive.append_dir(place, path)?;
            self.below(place)
        } else if kind.is_symlink() {
            let mut header = Header::new_gnu();
            header.set_metadata(&metadata);
            header.set_entry_type(EntryType::Symlink);
            header.set_size(0);
            self.archive
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
        self.archive.append_data(&mut header, place, exactly)?;
        self.files += 1;
        Ok(())
    }

    fn is_left_out(&self, place: &Path) -> bool {
        let path = self.directory.join(place);
        let is_database = |left_out: &PathBuf| {
            // With its log, its index, and its copies from before updates.
            let beginning = left_out.file_name().unwrap_or_default();
            path.parent() == left_out.parent()
                && path
                    .file_name()
                    .is_some_and(|name| begins_with(name, beginning))
        };
        let is_top = place.components().count() == 1;
        let name = place.file_name().unwrap_or_default();
        let is_ours = LEFT_OUT
            .iter()
            .chain([&MANIFEST, &DATABASE])
            .any(|it| name == *it);
        (is_top && is_ours) || self.left_out.iter().any(is_database)
    }
}

/// Returns whether a name is this one, or this one with `-` or `.` and more behind it.
fn begins_with(name: &OsStr, beginning: &OsStr) -> bool {
    let rest = name
        .as_encoded_bytes()
        .strip_prefix(beginning.as_encoded_bytes());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"-") || rest.starts_with(b"."))
}

/// Reads a backup that was just written, from its first byte to its last.
pub(super) fn check(path: &Path, packed: &Packed) -> anyhow::Result<()> {
    let mut archive = Archive::new(BufReader::new(File::open(path)?));
    let (mut manifest, mut database, mut files) = (None, None, 0);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let place = entry.path()?.into_owned();
        if place == Path::new(MANIFEST) {
            manifest = Some(read_manifest(&mut entry)?);
        } else if place == Path::new(DATABASE) {
            database = Some(digest(entry)?);
        } else {
            files += u64::from(entry.header().entry_type().is_file());
            io::copy(&mut entry, &mut io::sink())?;
        }
    }
    ensure!(
        manifest.as_ref() == Some(&packed.manifest),
        "its manifest is another"
    );
    ensure!(
        database.as_ref() == Some(&packed.manifest.database),
        "its database is another"
    );
    ensure!(files == packed.files, "a file is missing");
    Ok(())
}

/// Unpacks a backup, and checks that its database is the one that was packed.
pub(super) fn unpack(path: &Path, into: &Path) -> anyhow::Result<Manifest> {
    let mut archive = Archive::new(BufReader::new(File::open(path)?));
    let mut entries = archive.entries()?;
    let mut first = entries
        .next()
        .context("it is empty")?
        .context("it is no backup")?;
    ensure!(
        first.path()? == Path::new(MANIFEST),
        "it is no backup of Sayso"
    );
    let manifest = read_manifest(&mut first)?;
    ensure!(manifest.form == FORM, "a newer Sayso made it; update Sayso");
    for entry in entries {
        let mut entry = entry.context("it is cut off or damaged")?;
        let place = entry.path()?.into_owned();
        if !entry
            .unpack_in(into)
            .with_context(|| format!("`{}`", place.display()))?
        {
            bail!("`{}` leads out of it", place.display());
        }
    }
    let database = into.join(DATABASE);
    let database = File::open(&database).context("it holds no database")?;
    ensure!(
        digest(&database)? == manifest.database,
        "its database was changed or is damaged"
    );
    database.sync_all()?;
    Ok(manifest)
}

fn read_manifest(entry: &mut impl Read) -> anyhow::Result<Manifest> {
    let manifest = entry.take(MAX_MANIFEST_BYTES);
    serde_json::from_reader(manifest).context("its manifest cannot be read")
}

fn digest(file: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut BufReader::new(file), &mut hasher)?;
    Ok(format!("{:x}", hasher.finalize()))
}
