//! A small file that only its owner reads, and that is replaced whole or not at all.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Replaces a file. When this returns, it is on the disk.
pub(super) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let directory = directory_of(path)?;
    let beside = beside(path);
    remove_half(path)?;
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&beside)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, path))
        .and_then(|()| File::open(directory)?.sync_all());
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Removes what a process left that was killed while it wrote.
pub(super) fn remove_half(path: &Path) -> io::Result<()> {
    match fs::remove_file(beside(path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the directory of a file, which is made when it is missing.
pub(super) fn directory_of(path: &Path) -> io::Result<&Path> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700).create(directory)?;
    Ok(directory)
}

fn beside(path: &Path) -> PathBuf {
    path.with_extension("new")
}
