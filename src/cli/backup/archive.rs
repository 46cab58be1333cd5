//! The file of a backup: a tar archive with a manifest, the database, everything else in the data
//! directory that cannot be made again, and the count of it all, without which it was cut off.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tar::{Archive, Entry};

use super::DATABASE;
use super::packing::Packed;
use crate::store;

/// The first entry.
pub(super) const MANIFEST: &str = ".sayso-backup.json";
/// The last entry.
pub(super) const COUNT: &str = ".sayso-backup-count.json";
/// A folder of the data directory for backups.
pub(super) const BACKUPS: &str = "backups";
/// The largest manifest that is read.
const MAX_MANIFEST_BYTES: u64 = 1024 * 1024;
/// The form of what is written here. In the first one the count may be missing.
const FORM: u32 = 2;
/// From this form on every backup ends with its count.
const COUNTED: u32 = 2;
/// What of the data directory is no part of a backup: its lock and what a restore leaves, the logs,
/// which rotate away, other backups, and what a file system keeps for itself.
pub(super) const LEFT_OUT: [&str; 5] =
    [store::LOCK, store::RESTORING, "logs", BACKUPS, "lost+found"];

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

/// How much is in a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Count {
    /// The files, without the database and what describes the backup.
    pub(super) files: u64,
}

/// A backup that was unpacked.
#[derive(Debug)]
pub(super) struct Unpacked {
    pub(super) manifest: Manifest,
    directories: Directories,
}

/// The rights that directories have, in the order of the backup. They are given last: not every
/// directory lets its own content in.
#[derive(Debug, Default)]
pub(super) struct Directories(Vec<(PathBuf, u32)>);

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

/// Reads a backup that was just written, from its first byte to its last.
pub(super) fn check(path: &Path, packed: &Packed) -> anyhow::Result<()> {
    let mut archive = Archive::new(BufReader::new(File::open(path)?));
    let (mut manifest, mut database, mut count, mut files) = (None, None, None, 0);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let place = entry.path()?.into_owned();
        if place == Path::new(MANIFEST) {
            manifest = Some(read_manifest(&mut entry)?);
        } else if place == Path::new(COUNT) {
            count = Some(read_count(&mut entry)?);
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
    let expected = Count {
        files: packed.files,
    };
    ensure!(
        files == packed.files && count == Some(expected),
        "a file is missing"
    );
    Ok(())
}

/// Unpacks a backup, and checks that it is whole and its database the one that was packed.
pub(super) fn unpack(path: &Path, into: &Path) -> anyhow::Result<Unpacked> {
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
    ensure!(
        (1..=FORM).contains(&manifest.form),
        "a newer Sayso made it; update Sayso"
    );
    let (mut directories, mut count, mut files) = (Directories::default(), None, 0);
    for entry in entries {
        let mut entry = entry.context("it is cut off or damaged")?;
        let place = entry.path()?.into_owned();
        if place == Path::new(COUNT) {
            count = Some(read_count(&mut entry)?);
            continue;
        }
        let unpacked = unpack_one(&mut entry, &place, into, &mut directories);
        unpacked.with_context(|| format!("`{}`", place.display()))?;
        let is_file = entry.header().entry_type().is_file() && place != Path::new(DATABASE);
        files += u64::from(is_file);
    }
    let is_whole = match count {
        Some(count) => count == Count { files },
        None => manifest.form < COUNTED,
    };
    ensure!(is_whole, "it is cut off or damaged");
    let database = into.join(DATABASE);
    let database = File::open(&database).context("it holds no database")?;
    ensure!(
        digest(&database)? == manifest.database,
        "its database was changed or is damaged"
    );
    Ok(Unpacked {
        manifest,
        directories,
    })
}

fn unpack_one(
    entry: &mut Entry<'_, impl Read>,
    place: &Path,
    into: &Path,
    directories: &mut Directories,
) -> anyhow::Result<()> {
    let is_inside = place
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    ensure!(is_inside, "it leads out of it");
    let is_ours = LEFT_OUT.iter().any(|name| place.starts_with(name));
    ensure!(!is_ours, "it is no part of a backup");
    if !entry.unpack_in(into)? {
        bail!("it leads out of it");
    }
    if entry.header().entry_type().is_dir() {
        let mode = entry.header().mode()? & 0o777;
        fs::set_permissions(into.join(place), Permissions::from_mode(mode | 0o700))?;
        directories.0.push((place.to_owned(), mode));
    }
    Ok(())
}

impl Unpacked {
    /// Gives the directories below `into` their rights, the inner ones first.
    pub(super) fn give_rights(&self, into: &Path) -> io::Result<()> {
        for (place, mode) in self.directories.0.iter().rev() {
            let path = into.join(place);
            // Of two entries of one name the later one may be no directory.
            if fs::symlink_metadata(&path)?.is_dir() {
                fs::set_permissions(&path, Permissions::from_mode(*mode))?;
            }
        }
        Ok(())
    }
}

fn read_manifest(entry: &mut impl Read) -> anyhow::Result<Manifest> {
    let manifest = entry.take(MAX_MANIFEST_BYTES);
    serde_json::from_reader(manifest).context("its manifest cannot be read")
}

fn read_count(entry: &mut impl Read) -> anyhow::Result<Count> {
    let count = entry.take(MAX_MANIFEST_BYTES);
    serde_json::from_reader(count).context("its count cannot be read")
}

fn digest(file: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut BufReader::new(file), &mut hasher)?;
    Ok(format!("{:x}", hasher.finalize()))
}
