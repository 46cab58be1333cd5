//! Edits on disk: all of them or none.
//!
//! Each new content is written beside its file, whole and synced, before the first file is renamed
//! into place; a full disk is met there, when nothing has changed yet. Right before a file is
//! replaced it is compared with what the edit began from. Where one is not so, or a rename fails,
//! the ones before it are put back. After a kill, [`finish`](super::recovery) completes or takes
//! back what was begun.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nix::errno::Errno;
use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::stat::{Mode, fchmod};
use nix::unistd::{UnlinkatFlags, unlinkat};

use super::file_edit::{FileEdit, FoundFile};
use crate::workspace::{Missing, Workspace};

/// One set of edits at a time is on its way to disk, whatever project it is in: two chats that
/// change one file are served one after the other, and the second finds what the first left.
static COMMITTING: Mutex<()> = Mutex::new(());

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommitError {
    /// A file is not what the edit began from.
    #[error("`{0}` was changed meanwhile")]
    Changed(String),
    /// A file cannot be written.
    #[error("`{path}`: {error}")]
    Unwritable {
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// A file cannot be written, and one before it could not be put back.
    #[error("`{path}`: {error}; `{left}` could not be put back and stays changed")]
    Torn {
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
        /// The one that stays changed.
        left: String,
    },
}

/// A content that waits beside its file, or a file that is to go.
struct Staged<'a> {
    edit: &'a FileEdit,
    directory: OwnedFd,
    name: PathBuf,
    /// What holds the new content; `None` where the file goes, or once it is in place.
    beside: Option<String>,
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            // What cannot be removed is a hidden file more.
            let _ = unlinkat(&self.directory, &beside[..], UnlinkatFlags::NoRemoveDir);
        }
    }
}

/// Writes edits, or changes nothing. `mark` names them among all others, also after a restart.
pub(crate) fn commit(root: &Path, edits: &[FileEdit], mark: &str) -> Result<(), CommitError> {
    let _alone = COMMITTING.lock().unwrap_or_else(PoisonError::into_inner);
    let first = edits.first().map_or("", |edit| edit.path.as_str());
    let workspace = Workspace::open(root).map_err(unwritable(first))?;
    let mut staged = Vec::with_capacity(edits.len());
    for (number, edit) in edits.iter().enumerate() {
        let beside = beside(mark, number);
        let stage = Staged::new(&workspace, edit, &beside);
        staged.push(stage.map_err(unwritable(&edit.path))?);
    }
    for done in 0..staged.len() {
        if let Err(error) = staged[done].put_in_place(&workspace) {
            return Err(taken_back(&workspace, &staged[..done], error, mark));
        }
    }
    sync_directories(&workspace, edits);
    Ok(())
}

/// Has the names on disk, too: of each file that came, went or was replaced, and of the directories
/// that were made for it.
fn sync_directories(workspace: &Workspace, edits: &[FileEdit]) {
    let mut directories = BTreeSet::new();
    for edit in edits {
        let mut above = Path::new(&edit.path).ancestors().skip(1);
        if edit.was.is_some() {
            directories.extend(above.next());
        } else {
            directories.extend(above);
        }
    }
    for directory in directories {
        let path = match directory.to_str() {
            None => continue,
            Some("") => ".",
            Some(path) => path,
        };
        let synced = workspace.open_directory(path).and_then(|found| {
            // What it is walked by cannot be synced.
            let found = openat(
                &found,
                ".",
                OFlag::O_RDONLY | OFlag::O_CLOEXEC,
                Mode::empty(),
            )?;
            File::from(found).sync_all()
        });
        if let Err(error) = synced {
            // The files are in place; some file systems sync no directories.
            tracing::warn!(%error, "a directory of a project was not synced to disk");
        }
    }
}

/// Returns the name of the file that holds a new content until it is in place.
pub(super) fn beside(mark: &str, number: usize) -> String {
    format!(".sayso-{mark}-{number}.tmp")
}

fn unwritable(path: &str) -> impl FnOnce(io::Error) -> CommitError + use<> {
    let path = path.to_owned();
    move |error| CommitError::Unwritable { path, error }
}

impl<'a> Staged<'a> {
    fn new(workspace: &Workspace, edit: &'a FileEdit, beside: &str) -> io::Result<Self> {
        let missing = if edit.becomes.is_some() {
            Missing::IsMade
        } else {
            Missing::IsAnError
        };
        let (directory, name) = workspace.open_parent(&edit.path, missing)?;
        let mut staged = Self {
            edit,
            directory,
            name,
            beside: None,
        };
        if let Some(becomes) = &edit.becomes {
            staged.write_beside(becomes, beside)?;
        }
        Ok(staged)
    }

    fn write_beside(&mut self, becomes: &FoundFile, beside: &str) -> io::Result<()> {
        // One of this name is left of a commit that a kill cut off.
        match unlinkat(&self.directory, beside, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => {}
            Err(error) => return Err(error.into()),
        }
        let create = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
        // At no time more may read it than may read the file.
        let mode = Mode::from_bits_truncate(becomes.mode);
        let mut file = File::from(openat(&self.directory, beside, create, mode)?);
        self.beside = Some(beside.to_owned());
        file.write_all(&becomes.bytes)?;
        if self.edit.was.is_some() || becomes.mode != NEW_FILE_MODE {
            fchmod(&file, Mode::from_bits_truncate(becomes.mode))?;
        }
        file.sync_all()
    }

    /// Replaces, makes or removes the file.
    fn put_in_place(&mut self, workspace: &Workspace) -> Result<(), CommitError> {
        let path = &self.edit.path;
        let now = FoundFile::read(workspace, path).map_err(unwritable(path))?;
        let is_as_found = match (&now, &self.edit.was) {
            (Some(now), Some(was)) => now.bytes == was.bytes,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_as_found {
            return Err(CommitError::Changed(path.clone()));
        }
        let put = match &self.beside {
            Some(beside) => renameat(&self.directory, &beside[..], &self.directory, &self.name),
            None => unlinkat(&self.directory, &self.name, UnlinkatFlags::NoRemoveDir),
        };
        put.map_err(|error| unwritable(path)(error.into()))?;
        self.beside = None;
        Ok(())
    }
}

/// The permissions that a new file is given where nothing says otherwise; the process's mask
/// narrows them.
pub(crate) const NEW_FILE_MODE: u32 = 0o666;

/// Puts back the files that were changed before an error.
fn taken_back(
    workspace: &Workspace,
    done: &[Staged<'_>],
    error: CommitError,
    mark: &str,
) -> CommitError {
    let mut left = None;
    for (number, staged) in done.iter().enumerate().rev() {
        let inverse = FileEdit {
            path: staged.edit.path.clone(),
            was: staged.edit.becomes.clone(),
            becomes: staged.edit.was.clone(),
        };
        let back = Staged::new(workspace, &inverse, &beside(mark, number))
            .map_err(unwritable(&inverse.path))
            .and_then(|mut back| back.put_in_place(workspace));
        if back.is_err() {
            left = Some(inverse.path);
        }
    }
    match (left, error) {
        (None, error) => error,
        (Some(left), CommitError::Unwritable { path, error }) => {
            CommitError::Torn { path, error, left }
        }
        (Some(left), CommitError::Changed(path)) => CommitError::Torn {
            path,
            error: io::Error::other("it was changed meanwhile"),
            left,
        },
        (Some(_), torn @ CommitError::Torn { .. }) => torn,
    }
}
