//! Files that people send: the folder of the workspace that keeps them, how much it holds, and how a
//! file gets there whole.
//!
//! What is fetched is written under a hidden name that only this file of this message has, so an
//! attempt that was cut off is replaced by the next one. Only a whole file gets its name. A file that
//! is there already under its name with the same bytes is the same file, so one that is fetched twice
//! is kept once. One race is accepted: what a command gives that very name at that very moment is
//! replaced.

use std::fs::{self, File};
use std::io::{self, BufReader, Read as _, Seek as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{Mode, SFlag, fstatat};
use nix::unistd::{UnlinkatFlags, unlinkat};
use sayso_core::transcript::{Image, ImageKind};
use thiserror::Error;

use super::file_names::{kind_of, numbered, safe_name};
use crate::workspace::{Missing, Workspace, file_kind};

/// The folder of the workspace.
pub(super) const INBOX: &str = "inbox";
/// The largest file that is taken, in bytes: what Telegram hands to a bot, and what Discord's
/// channel takes.
pub const MAX_INCOMING_BYTES: u64 = 20 * 1024 * 1024;
/// How many files may have the same name but for its number.
const MAX_NAMESAKES: usize = 1_000;
/// How much of a file tells its kind.
const HEAD_BYTES: u64 = 64;
/// What hidden names begin with.
const PART: &str = ".part-";

/// How much the folder may hold, from `[tools]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InboxLimits {
    /// Files.
    pub files: usize,
    /// Bytes of all of them.
    pub bytes: u64,
}

/// A file on its way into the folder. Dropped before it is kept, it leaves nothing.
#[derive(Debug)]
pub struct Incoming {
    directory: OwnedFd,
    part: String,
    file: File,
    /// How long it may be, and whether that is for lack of room.
    room: u64,
}

/// A file that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedFile {
    /// Where, from the workspace.
    pub path: String,
    /// Its kind by its bytes, or else by its name: `PDF`. Empty where neither tells.
    pub kind: String,
    /// What it is to a model that sees.
    pub image: Option<Image>,
    /// Its length.
    pub bytes: u64,
}

/// Why a file is not kept.
#[derive(Debug, Error)]
pub enum NotSaved {
    /// It is larger than any file may be.
    #[error("it is too large")]
    TooLarge,
    /// The folder is full.
    #[error("the folder is full")]
    NoRoom,
    /// The file system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Incoming {
    /// Opens the place of a file that is to come. `key` names it among all files of all messages.
    pub fn open(workspace: &Path, key: &str, limits: InboxLimits) -> Result<Self, NotSaved> {
        let part = format!("{PART}{key}");
        let within = format!("{INBOX}/{part}");
        let workspace = Workspace::open_or_make(workspace)?;
        let (directory, _) = workspace.open_parent(&within, Missing::IsMade)?;
        let room = room(&directory, limits)?;
        let flags = OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_TRUNC | OFlag::O_NOFOLLOW;
        let mode = Mode::from_bits_truncate(0o644);
        let file = openat(&directory, &part[..], flags | OFlag::O_CLOEXEC, mode)
            .map_err(io::Error::from)?;
        Ok(Self {
            directory,
            part,
            file: file.into(),
            room,
        })
    }

    /// Returns where the bytes go.
    pub fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Gives the whole file its name. `wanted` is what others call it; `usual` is a name for one that
    /// has none.
    pub fn keep(mut self, wanted: Option<&str>, usual: &str) -> Result<SavedFile, NotSaved> {
        let bytes = self.file.metadata()?.len();
        if bytes > MAX_INCOMING_BYTES {
            return Err(NotSaved::TooLarge);
        }
        if bytes > self.room {
            return Err(NotSaved::NoRoom);
        }
        let mut head = Vec::new();
        self.file.rewind()?;
        (&self.file).take(HEAD_BYTES).read_to_end(&mut head)?;
        let name = safe_name(wanted, usual, &head);
        self.file.sync_all()?;
        let name = self.place(&name, bytes)?;
        let path = format!("{INBOX}/{name}");
        let image = match ImageKind::of(&head) {
            Some(kind) => Some(self.image(kind, &path)?),
            None => None,
        };
        Ok(SavedFile {
            kind: kind_of(&head, &name),
            image,
            path,
            bytes,
        })
    }

    fn image(&mut self, kind: ImageKind, path: &str) -> io::Result<Image> {
        self.file.rewind()?;
        Ok(Image {
            path: path.to_owned(),
            kind,
            digest: Image::digest_of(&self.file)?,
            data: None,
        })
    }

    /// Moves it to the first name that is free, or that it has already.
    fn place(&mut self, name: &str, bytes: u64) -> io::Result<String> {
        for number in 1..=MAX_NAMESAKES {
            let name = numbered(name, number);
            match fstatat(&self.directory, &name[..], AtFlags::AT_SYMLINK_NOFOLLOW) {
                Err(Errno::ENOENT) => {
                    renameat(&self.directory, &self.part[..], &self.directory, &name[..])?;
                    return Ok(name);
                }
                Err(error) => return Err(error.into()),
                Ok(stat) if file_kind(&stat) != SFlag::S_IFREG => {}
                Ok(stat) => {
                    let is_as_long = u64::try_from(stat.st_size) == Ok(bytes);
                    if is_as_long && self.is_same_as(&name)? {
                        return Ok(name);
                    }
                }
            }
        }
        Err(io::Error::other("too many files have this name"))
    }

    fn is_same_as(&mut self, name: &str) -> io::Result<bool> {
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let other = File::from(openat(&self.directory, name, flags, Mode::empty())?);
        self.file.rewind()?;
        let ours = BufReader::new(&self.file).bytes();
        for (our, their) in ours.zip(BufReader::new(other).bytes()) {
            if our? != their? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // It is gone where it was kept.
        let _ = unlinkat(&self.directory, &self.part[..], UnlinkatFlags::NoRemoveDir);
    }
}

/// Returns how many more bytes the folder takes.
fn room(directory: &OwnedFd, limits: InboxLimits) -> Result<u64, NotSaved> {
    let (mut files, mut bytes) = (0, 0);
    for entry in fs::read_dir(format!("/proc/self/fd/{}", directory.as_raw_fd()))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PART) {
            continue;
        }
        files += 1;
        bytes += entry.metadata()?.len();
    }
    if files >= limits.files || bytes >= limits.bytes {
        return Err(NotSaved::NoRoom);
    }
    Ok(limits.bytes - bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const LIMITS: InboxLimits = InboxLimits {
        files: 3,
        bytes: 100,
    };

    fn keep(workspace: &Path, key: &str, name: &str, content: &str) -> Result<String, NotSaved> {
        let incoming = Incoming::open(workspace, key, LIMITS)?;
        incoming.file()?.write_all(content.as_bytes())?;
        Ok(incoming.keep(Some(name), "file")?.path)
    }

    fn names(workspace: &Path) -> Vec<String> {
        let entries = fs::read_dir(workspace.join(INBOX)).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_kept_once_under_a_name_of_its_own() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        assert_eq!(keep(home, "1-0", "a.txt", "one").unwrap(), "inbox/a.txt");
        assert_eq!(keep(home, "1-0", "a.txt", "one").unwrap(), "inbox/a.txt");
        assert_eq!(keep(home, "2-0", "a.txt", "two").unwrap(), "inbox/a-2.txt");
        assert_eq!(names(home), ["a-2.txt", "a.txt"]);
    }

    #[test]
    fn what_was_cut_off_is_replaced_and_leaves_nothing() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        let cut_off = Incoming::open(home, "1-0", LIMITS).unwrap();
        cut_off.file().unwrap().write_all(b"a long beginn").unwrap();
        std::mem::forget(cut_off);
        assert_eq!(names(home), [".part-1-0"]);
        keep(home, "1-0", "a.txt", "whole").unwrap();
        assert_eq!(names(home), ["a.txt"]);
        assert_eq!(fs::read(home.join("inbox/a.txt")).unwrap(), b"whole");
        drop(Incoming::open(home, "2-0", LIMITS).unwrap());
        assert_eq!(names(home), ["a.txt"]);
    }

    #[test]
    fn a_full_folder_takes_nothing() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        let long = "x".repeat(60);
        keep(home, "1-0", "a", &long).unwrap();
        let refused = keep(home, "2-0", "b", &long[1..]);
        assert!(matches!(refused, Err(NotSaved::NoRoom)), "{refused:?}");
        keep(home, "3-0", "c", "c").unwrap();
        keep(home, "4-0", "d", "d").unwrap();
        let refused = keep(home, "5-0", "e", "e");
        assert!(matches!(refused, Err(NotSaved::NoRoom)), "{refused:?}");
        assert_eq!(names(home), ["a", "c", "d"]);
    }

    #[test]
    fn nothing_is_put_outside_by_a_link() {
        let home = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), home.path().join(INBOX)).unwrap();
        let refused = keep(home.path(), "1-0", "a", "a");
        assert!(matches!(refused, Err(NotSaved::Io(_))), "{refused:?}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
