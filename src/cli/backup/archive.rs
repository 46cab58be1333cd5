//! The file of a backup: a tar archive with a manifest, the database, everything else in the data
//! directory that cannot be made again, and what all of it must come to, without which it was cut
//! off. `pack` writes it, `unpack` reads it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The first entry.
pub(super) const MANIFEST: &str = ".sayso-backup.json";
/// The last entry.
pub(super) const CONTENTS: &str = ".sayso-backup-contents.json";
/// A folder of the data directory for backups.
pub(super) const BACKUPS: &str = "backups";
/// The largest manifest that is read.
const MAX_MANIFEST_BYTES: u64 = 1024 * 1024;
/// The largest list of digests that is read: of some three million entries.
const MAX_CONTENTS_BYTES: u64 = 256 * 1024 * 1024;
/// The form of what is written and read here. The first two had no digests of their files.
const FORM: u32 = 3;
/// What of the data directory is no part of a backup: its lock and what a restore leaves, the logs,
/// which rotate away, files of the moment, other backups, and what a file system keeps for itself.
pub(super) const LEFT_OUT: [&str; 6] = [
    sayso_store::LOCK,
    sayso_store::RESTORING,
    "logs",
    "tmp",
    BACKUPS,
    "lost+found",
];

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
    pub(super) database: String,
    /// The files of the data directory that hold secrets of the configuration, and so are not in it.
    #[serde(default)]
    pub(super) secrets: Vec<String>,
}

/// What the entries of a backup must come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Contents {
    /// How many files there are, without the database and what describes the backup.
    pub(super) files: u64,
    /// The digest of each entry between the manifest and this one, in their order.
    pub(super) digests: Vec<String>,
}

impl Manifest {
    /// Describes a copy of a database.
    pub(super) fn new(
        schema: i64,
        rows: BTreeMap<String, i64>,
        copy: &Path,
        secrets: Vec<String>,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            form: FORM,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema,
            rows,
            database: digest(File::open(copy).context("cannot read the copy")?)?,
            secrets,
        })
    }

    /// Reads a manifest of the form that is written here.
    pub(super) fn read(entry: &mut impl Read) -> anyhow::Result<Self> {
        let manifest = entry.take(MAX_MANIFEST_BYTES);
        let manifest: Self =
            serde_json::from_reader(manifest).context("its manifest cannot be read")?;
        ensure!(manifest.form <= FORM, "a newer Sayso made it; update Sayso");
        ensure!(
            manifest.form == FORM,
            "an older Sayso made it, whose backups held no digests of their files, so it cannot be \
             checked; make a new backup with this version"
        );
        Ok(manifest)
    }
}

impl Contents {
    pub(super) fn read(entry: &mut impl Read) -> anyhow::Result<Self> {
        let contents = entry.take(MAX_CONTENTS_BYTES);
        serde_json::from_reader(contents).context("its list of files cannot be read")
    }
}

/// Returns the SHA-256 of a file.
pub(super) fn digest(file: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut BufReader::new(file), &mut hasher)?;
    Ok(format!("{:x}", hasher.finalize()))
}
