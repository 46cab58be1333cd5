//! Writing the file so that only its owner can read it, and whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Writes `text` with mode 0600, replacing what was there.
pub(super) fn write_file(target: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = target
        .parent()
        .filter(|directory| !directory.as_os_str().is_empty())
    {
        fs::create_dir_all(directory)?;
    }
    let mut beside = target.as_os_str().to_owned();
    beside.push(format!(".new-{}", std::process::id()));
    let beside = Path::new(&beside);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(beside)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(beside, target));
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(beside);
    }
    written
}
