//! `sayso restore`: a data directory from a backup.
//!
//! Everything is unpacked and examined in a folder of the data directory, and moved up from there, the
//! database last: the directory itself may be the root of a volume, which gets no other name. While
//! that folder holds something nothing else works in the data directory, and a restore that finds it
//! begins anew. It takes away what the earlier one had moved up, and nothing else.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use sayso_channel::Language;

use super::unpack::{self, Unpacked};
use super::{DATABASE, named, parent_of, room, says};
use crate::cli::exit::Exit;
use crate::cli::messages;
use crate::cli::progress::Progress;
use crate::config::Config;

/// Where a backup is unpacked, in the folder of the restore.
const TREE: &str = "tree";
/// The names of what is about to be moved up, there too: each ends with a zero.
const NAMES: &str = "names";
/// What may lie in a directory that is empty: the lock, and what a file system keeps for itself.
const NOTHING: [&str; 3] = [sayso_store::LOCK, sayso_store::RESTORING, "lost+found"];

/// Makes the data directory from a backup.
pub(in crate::cli) async fn restore(
    config: &Config,
    source: &Path,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let directory = &config.data_dir;
    let shown = directory.display();
    let not_in_place = messages::restore_not_in_place(language, &shown);
    if !is_free(directory)? {
        return says(output, &not_in_place, Exit::Failed);
    }
    let Ok(database) = config.store_path.strip_prefix(directory) else {
        let place = config.store_path.display();
        let said = messages::restore_elsewhere(language, &place);
        return says(output, &said, Exit::Failed);
    };
    // Unpacked it takes about as much as it has itself: holes are in neither.
    let size = fs::metadata(source).map_or(0, |backup| backup.len());
    if let Err(no_room) = room::check(nearest(directory), size) {
        let said = messages::restore_no_room(language, &shown, &no_room.needed, &no_room.free);
        return says(output, &said, Exit::Failed);
    }
    let was_there = directory.exists();
    let _lock = sayso_store::lock_to_restore(directory)?;
    // Another restore may have come to its end before that.
    if !is_free(directory)? {
        return says(output, &not_in_place, Exit::Failed);
    }
    clear(directory).with_context(|| format!("cannot empty `{shown}`"))?;
    let progress = Progress::of(messages::restoring(language), size);
    let restored = restore_into(directory, source, database, &progress).await;
    drop(progress);
    let unpacked = match restored {
        Ok(unpacked) => unpacked,
        Err(error) => {
            // The error that matters is the first one; what is left tells that it is no data directory.
            let _ = clear(directory);
            if !was_there {
                let _ = fs::remove_file(directory.join(sayso_store::LOCK));
                let _ = fs::remove_dir(directory);
            }
            return Err(error);
        }
    };
    says(output, &summary(&unpacked, language, &shown), Exit::Fine)
}

fn summary(unpacked: &Unpacked, language: Language, shown: &dyn std::fmt::Display) -> String {
    let manifest = &unpacked.manifest;
    let rows: i64 = manifest.rows.values().sum();
    let (files, version) = (&unpacked.files, &manifest.version);
    let mut said = vec![messages::restored(language, shown, &rows, files, version)];
    if !manifest.secrets.is_empty() {
        let (named, more) = named(manifest.secrets.iter(), language);
        said.push(messages::restored_without_secrets(language, &named, &more));
    }
    if !unpacked.links.is_empty() {
        let links = unpacked.links.iter().map(|path| path.display());
        let (named, more) = named(links, language);
        said.push(messages::restored_without_links(language, &named, &more));
    }
    said.join("\n")
}

/// Returns the directory that exists already, of those on the way to a path.
fn nearest(path: &Path) -> &Path {
    let mut nearest = path;
    while !nearest.exists() && nearest != parent_of(nearest) {
        nearest = parent_of(nearest);
    }
    nearest
}

/// Returns whether nothing lies in a directory but what a restore that was cut short put there.
fn is_free(directory: &Path) -> anyhow::Result<bool> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read `{}`", directory.display()));
        }
    };
    let moved = moved_up(directory)?;
    for entry in entries {
        let name = entry?.file_name();
        let is_nothing = NOTHING.iter().any(|nothing| name == *nothing);
        if !is_nothing && !moved.iter().any(|moved| *moved == name) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the names of what a restore that was cut short was moving up.
fn moved_up(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let list = match fs::read(directory.join(sayso_store::RESTORING).join(NAMES)) {
        Ok(list) => list,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    Ok(list
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| std::ffi::OsString::from_vec(name.to_vec()).into())
        .collect())
}

/// Removes what a restore that was cut short put into a directory.
fn clear(directory: &Path) -> io::Result<()> {
    for name in moved_up(directory)? {
        remove_tree(&directory.join(name))?;
    }
    remove_tree(&directory.join(sayso_store::RESTORING))
}

/// Removes a file or a directory, also one whose rights do not let anybody into it.
fn remove_tree(path: &Path) -> io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !metadata.is_dir() {
        return fs::remove_file(path);
    }
    fs::set_permissions(path, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(path)? {
        remove_tree(&entry?.path())?;
    }
    fs::remove_dir(path)
}

/// Unpacks a backup in a directory that is empty and locked, examines it, and moves it up.
async fn restore_into(
    directory: &Path,
    source: &Path,
    database: &Path,
    progress: &Progress,
) -> anyhow::Result<Unpacked> {
    let restoring = directory.join(sayso_store::RESTORING);
    let tree = restoring.join(TREE);
    let mut builder = DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(&tree);
    made.with_context(|| format!("cannot make `{}`", tree.display()))?;
    let unpacked = unpack::unpack(source, &tree, progress)
        .with_context(|| format!("`{}` cannot be restored", source.display()))?;
    let copy = tree.join(DATABASE);
    let examined = sayso_store::examine(&copy).await?;
    let manifest = &unpacked.manifest;
    if (examined.schema, &examined.rows) != (manifest.schema, &manifest.rows) {
        bail!("the database in it is not the one that was backed up");
    }
    if database != Path::new(DATABASE) {
        fs::rename(&copy, tree.join(database)).context("cannot name the database")?;
    }
    move_up(directory, &restoring, &tree, database)
        .and_then(|()| unpacked.give_rights(directory))
        .and_then(|()| finish(directory, &restoring, &tree))
        .with_context(|| format!("cannot fill `{}`", directory.display()))?;
    Ok(unpacked)
}

/// Moves up what was unpacked, the database last. When it begins, all of it is on the disk.
fn move_up(directory: &Path, restoring: &Path, tree: &Path, database: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(tree)? {
        names.push(entry?.file_name());
    }
    names.sort_by_key(|name| (name == database.as_os_str(), name.clone()));
    let written: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    fs::write(restoring.join(NAMES), written.join(&0))?;
    rustix::fs::syncfs(File::open(restoring)?)?;
    for name in names {
        fs::rename(tree.join(&name), directory.join(&name))?;
    }
    Ok(())
}

/// Takes away what says that a restore goes on, its last word last.
fn finish(directory: &Path, restoring: &Path, tree: &Path) -> io::Result<()> {
    rustix::fs::syncfs(File::open(directory)?)?;
    fs::remove_dir(tree)?;
    fs::remove_file(restoring.join(NAMES))?;
    fs::remove_dir(restoring)?;
    File::open(directory)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_restore_that_was_cut_short_left_goes_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("data");
        assert!(is_free(&directory).unwrap());
        let restoring = directory.join(sayso_store::RESTORING);
        fs::create_dir_all(restoring.join("tree/workspaces/closed")).unwrap();
        let closed = restoring.join("tree/workspaces/closed");
        fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
        assert!(is_free(&directory).unwrap());

        fs::write(restoring.join(NAMES), "audit\0sayso.db").unwrap();
        fs::create_dir(directory.join("audit")).unwrap();
        assert!(is_free(&directory).unwrap());
        fs::write(directory.join("mine.txt"), "mine").unwrap();
        assert!(!is_free(&directory).unwrap());

        clear(&directory).unwrap();
        let left: Vec<_> = fs::read_dir(&directory).unwrap().collect();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].as_ref().unwrap().file_name(), "mine.txt");
    }
}
