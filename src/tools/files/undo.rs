//! What a file was before `file_write` or an undo changed it, and putting that back.
//!
//! The old content is looked at before the call is written down as begun, and it is kept with that, so
//! whatever was changed can be told from what was not. Putting back is one rename for each file, and
//! does nothing to one that is as it was: it may be repeated.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, unlinkat};
use sayso_core::transcript::{FileBefore, FileNow};
use sayso_policy::{ClearedCall, Reach};
use sha2::{Digest, Sha256};

use super::write::{self, encoded_like, written_by};
use crate::encoding::DECODED_BYTES;
use crate::workspace::{Missing, Workspace};

/// The largest file of which the old content is kept, in bytes.
const KEPT_BYTES: u64 = 1024 * 1024;
/// The most that is read of a file to compare it, in bytes; a longer one counts as changed. What is
/// compared is what is decoded, so that what a file becomes is known before it is written.
const COMPARED_BYTES: u64 = DECODED_BYTES;

/// Looks at the file that a call is about to write; `None` where it writes none, or none that can be
/// looked at.
pub(crate) async fn before(call: &ClearedCall, workspace: &Path) -> Option<FileBefore> {
    let (path, content) = written_by(call)?;
    let root = workspace.to_path_buf();
    let look = move || {
        let place = Workspace::open(&root)?;
        let Reach::Inside(resolved) = place.reach(&path)? else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let path = place.relative(&resolved).to_string_lossy().into_owned();
        look_at(&place, path, &content)
    };
    tokio::task::spawn_blocking(look).await.ok()?.ok()
}

/// Looks at a file that an undo is about to put back.
pub(crate) async fn as_found(workspace: &Path, path: &str) -> io::Result<FileBefore> {
    let (root, path) = (workspace.to_path_buf(), path.to_owned());
    let look = move || Ok(found(&Workspace::open(&root)?, path)?.0);
    tokio::task::spawn_blocking(look)
        .await
        .map_err(io::Error::other)?
}

fn look_at(place: &Workspace, path: String, content: &str) -> io::Result<FileBefore> {
    let (before, bytes) = found(place, path)?;
    let becomes = match &before.was {
        Some(_) => digest(&encoded_like(bytes.as_deref(), content).bytes),
        None => digest(content.as_bytes()),
    };
    Ok(FileBefore { becomes, ..before })
}

/// Returns the current state of a file, with as much of it as is kept, and all of it that is
/// compared.
fn found(place: &Workspace, path: String) -> io::Result<(FileBefore, Option<Vec<u8>>)> {
    let nothing = FileBefore {
        path,
        was: None,
        content: None,
        mode: None,
        becomes: String::new(),
        own: false,
    };
    let mut file = match place.open_file(&nothing.path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((nothing, None)),
        Err(error) => return Err(error),
    };
    let mode = file.metadata()?.mode() & 0o777;
    let bytes = read(&mut file, COMPARED_BYTES)?;
    let is_kept = |bytes: &&[u8]| bytes.len() as u64 <= KEPT_BYTES;
    let before = FileBefore {
        was: Some(bytes.as_deref().map_or_else(String::new, digest)),
        content: bytes.as_deref().filter(is_kept).map(<[u8]>::to_vec),
        mode: Some(mode),
        ..nothing
    };
    Ok((before, bytes))
}

/// Says how files are now, in the order of `before`.
pub(crate) async fn compare(workspace: &Path, before: &[FileBefore]) -> Vec<FileNow> {
    let unknown = vec![FileNow::Changed(None); before.len()];
    let (root, before) = (workspace.to_path_buf(), before.to_vec());
    let look = move || {
        let now = |file: &FileBefore| compare_one(&root, file).unwrap_or(FileNow::Changed(None));
        before.iter().map(now).collect()
    };
    tokio::task::spawn_blocking(look).await.unwrap_or(unknown)
}

fn compare_one(root: &Path, before: &FileBefore) -> io::Result<FileNow> {
    let found = Workspace::open(root).and_then(|place| place.open_file(&before.path));
    let now = match found {
        Ok(mut file) => read(&mut file, COMPARED_BYTES)?.map(|bytes| digest(&bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(match before.was {
                None => FileNow::AsBefore,
                Some(_) if before.becomes == FileBefore::GONE => FileNow::AsWritten,
                Some(_) => FileNow::Changed(None),
            });
        }
        Err(error) => return Err(error),
    };
    Ok(match (now, &before.was) {
        (Some(now), Some(was)) if now == *was => FileNow::AsBefore,
        (Some(now), _) if now == before.becomes => FileNow::AsWritten,
        (now, _) => FileNow::Changed(now),
    })
}

/// Puts a file back to what it was.
///
/// # Errors
/// Where its place cannot be reached any more, or nothing of it was kept.
pub(crate) async fn put_back(workspace: &Path, before: &FileBefore) -> io::Result<()> {
    let (root, before) = (workspace.to_path_buf(), before.clone());
    let put = move || match (&before.was, &before.content) {
        (None, _) => remove(&root, &before.path),
        (Some(_), Some(content)) => {
            let mode = before.mode.map(Mode::from_bits_truncate);
            write::write(&root, &before.path, content, mode)
        }
        (Some(_), None) => Err(io::Error::other("its content was not kept")),
    };
    tokio::task::spawn_blocking(put)
        .await
        .map_err(io::Error::other)?
}

fn remove(root: &Path, path: &str) -> io::Result<()> {
    let removed = Workspace::open(root)
        .and_then(|place| place.open_parent(path, Missing::IsAnError))
        .and_then(|(directory, name)| Ok(unlinkat(&directory, &name, UnlinkatFlags::NoRemoveDir)?));
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Reads a whole file; `None` when it is longer than `most`.
fn read(file: &mut File, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use sayso_core::transcript::{FileBefore, FileNow};
    use tempfile::TempDir;

    use super::{compare, look_at, put_back};
    use crate::workspace::Workspace;

    /// Looks at `a`, which is then written as `new`.
    fn written(root: &Path) -> FileBefore {
        let place = Workspace::open(root).unwrap();
        let before = look_at(&place, "a".to_owned(), "new").unwrap();
        fs::write(root.join("a"), "new").unwrap();
        before
    }

    async fn now(root: &Path, before: &FileBefore) -> FileNow {
        compare(root, std::slice::from_ref(before)).await.remove(0)
    }

    #[tokio::test]
    async fn a_file_is_put_back_with_its_mode_as_often_as_wanted() {
        let root = TempDir::new().unwrap();
        let file = root.path().join("a");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let before = written(root.path());
        assert_eq!(now(root.path(), &before).await, FileNow::AsWritten);
        for _ in 0..2 {
            put_back(root.path(), &before).await.unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "old");
            assert_eq!(now(root.path(), &before).await, FileNow::AsBefore);
        }
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[tokio::test]
    async fn a_file_that_was_not_there_goes() {
        let root = TempDir::new().unwrap();
        let before = written(root.path());
        for _ in 0..2 {
            put_back(root.path(), &before).await.unwrap();
            assert!(!root.path().join("a").exists());
            assert_eq!(now(root.path(), &before).await, FileNow::AsBefore);
        }
    }

    #[tokio::test]
    async fn a_change_of_somebody_else_is_seen() {
        let root = TempDir::new().unwrap();
        let file = root.path().join("a");
        fs::write(&file, "old").unwrap();
        let before = written(root.path());
        fs::write(&file, "newer").unwrap();
        let newer = FileNow::Changed(Some(super::digest(b"newer")));
        assert_eq!(now(root.path(), &before).await, newer);
        fs::remove_file(&file).unwrap();
        assert_eq!(now(root.path(), &before).await, FileNow::Changed(None));
        fs::create_dir(&file).unwrap();
        assert_eq!(now(root.path(), &before).await, FileNow::Changed(None));
    }

    #[tokio::test]
    async fn of_a_large_file_nothing_is_kept() {
        let root = TempDir::new().unwrap();
        fs::write(root.path().join("a"), "x".repeat(1024 * 1024 + 1)).unwrap();
        let before = written(root.path());
        assert_eq!(before.content, None);
        assert!(put_back(root.path(), &before).await.is_err());
        assert_eq!(now(root.path(), &before).await, FileNow::AsWritten);
    }
}
