//! The directory that tools are confined to: where a path leads, and opening it for certain.
//!
//! Two steps, since between a decision and its execution the tree may change. [`Workspace::reach`]
//! resolves a path with its symlinks, for the policy. The openers then walk the *resolved* path
//! from the workspace's own descriptor and follow no symlink at all: what was swapped meanwhile
//! is refused, and nothing outside is ever opened.
//!
//! Two things are of the workspace because the operator put them there: what is mounted in it, and
//! a file that has a second name (a hard link) elsewhere. Neither can be made from inside: mounting
//! takes rights that no command has, and the sandbox links nothing across its borders. A write
//! replaces the name in the workspace and never changes the file behind another name. On a file
//! system that takes upper and lower case for the same, a path to the workspace in other letters
//! counts as outside.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{FileStat, Mode, SFlag, fstat, fstatat, mkdirat};
use sayso_policy::Reach;

/// A workspace that exists, and stays the one that was opened.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    directory: OwnedFd,
}

/// Opens a directory as a place to walk on from; a symlink is not a directory.
const WALK: OFlag = OFlag::O_PATH
    .union(OFlag::O_DIRECTORY)
    .union(OFlag::O_NOFOLLOW)
    .union(OFlag::O_CLOEXEC);

/// Opens without waiting for anybody at the other end of a pipe or terminal.
const READ: OFlag = OFlag::O_RDONLY
    .union(OFlag::O_NOFOLLOW)
    .union(OFlag::O_NONBLOCK)
    .union(OFlag::O_NOCTTY)
    .union(OFlag::O_CLOEXEC);

impl Workspace {
    /// Opens a workspace that exists. One that does not is made for a turn before it begins; the folder
    /// of a project never is.
    pub fn open(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let directory = File::open(&root)?.into();
        Ok(Self { root, directory })
    }

    /// Opens a directory of Sayso's own, and makes it when it does not exist yet.
    pub(crate) fn open_or_make(root: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(root)?;
        Self::open(root)
    }

    /// Returns where it is, symlinks resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns where a path leads, symlinks resolved. What does not exist yet is resolved as far
    /// as it exists.
    pub fn reach(&self, path: &str) -> io::Result<Reach> {
        if path.is_empty() || path.contains('\0') {
            return Err(refused("the path is empty or has a NUL in it"));
        }
        let resolved = resolve(&self.root.join(path))?;
        Ok(if resolved.starts_with(&self.root) {
            Reach::Inside(resolved)
        } else {
            Reach::Outside(resolved)
        })
    }

    /// Returns the resolved path of something inside, as people and the model name it.
    pub fn relative<'a>(&self, resolved: &'a Path) -> &'a Path {
        let relative = resolved.strip_prefix(&self.root).unwrap_or(resolved);
        if relative.as_os_str().is_empty() {
            Path::new(".")
        } else {
            relative
        }
    }

    /// Opens a regular file for reading. Pipes, devices and sockets are refused without waiting.
    pub fn open_file(&self, path: &str) -> io::Result<File> {
        let (parent, name) = self.open_parent(path, Missing::IsAnError)?;
        // Looked at before it is opened, since opening a device may already do something.
        let stat = fstatat(&parent, name.as_os_str(), AtFlags::AT_SYMLINK_NOFOLLOW)?;
        check_kind(&stat)?;
        let file = openat(&parent, name.as_os_str(), READ, Mode::empty())?;
        check_kind(&fstat(&file)?)?;
        Ok(file.into())
    }

    /// Opens a directory; its entries are listed through the descriptor.
    pub fn open_directory(&self, path: &str) -> io::Result<OwnedFd> {
        let names = self.names(path)?;
        self.walk(&names, Missing::IsAnError)
    }

    /// Opens the directory that a file is in, or will be, and returns it with the file's name.
    pub fn open_parent(&self, path: &str, missing: Missing) -> io::Result<(OwnedFd, PathBuf)> {
        let mut names = self.names(path)?;
        let Some(name) = names.pop() else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        Ok((self.walk(&names, missing)?, name))
    }

    /// Returns the names on the way from the workspace to what a path leads to.
    fn names(&self, path: &str) -> io::Result<Vec<PathBuf>> {
        let Reach::Inside(resolved) = self.reach(path)? else {
            return Err(refused("it leads out of the workspace"));
        };
        let inside = resolved.strip_prefix(&self.root).unwrap_or(&resolved);
        inside
            .components()
            .map(|component| match component {
                Component::Normal(name) => Ok(PathBuf::from(name)),
                Component::Prefix(_)
                | Component::RootDir
                | Component::CurDir
                | Component::ParentDir => Err(refused("it leads out of the workspace")),
            })
            .collect()
    }

    fn walk(&self, names: &[PathBuf], missing: Missing) -> io::Result<OwnedFd> {
        let mut here = self.directory.try_clone()?;
        for name in names {
            here = step(&here, name.as_os_str(), missing)?;
        }
        Ok(here)
    }
}

/// What to do about a directory that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Say so.
    IsAnError,
    /// Make it.
    IsMade,
}

fn step(here: &OwnedFd, name: &OsStr, missing: Missing) -> io::Result<OwnedFd> {
    match openat(here, name, WALK, Mode::empty()) {
        Err(Errno::ENOENT) if missing == Missing::IsMade => {
            match mkdirat(here, name, Mode::from_bits_truncate(0o755)) {
                Ok(()) | Err(Errno::EEXIST) => {}
                Err(error) => return Err(error.into()),
            }
            Ok(openat(here, name, WALK, Mode::empty())?)
        }
        opened => Ok(opened?),
    }
}

/// Refuses what is no regular file. A symbolic link is one that appeared since the path was resolved.
fn check_kind(stat: &FileStat) -> io::Result<()> {
    match file_kind(stat) {
        SFlag::S_IFREG => Ok(()),
        SFlag::S_IFDIR => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(refused("it is not a regular file")),
    }
}

/// Returns the type bits of a file.
pub(crate) fn file_kind(stat: &FileStat) -> SFlag {
    SFlag::from_bits_truncate(stat.st_mode & SFlag::S_IFMT.bits())
}

fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut existing = path.to_path_buf();
    let mut missing = Vec::new();
    loop {
        match existing.canonicalize() {
            Ok(resolved) => {
                return Ok(missing
                    .iter()
                    .rev()
                    .fold(resolved, |path, name| path.join(name)));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) if existing.symlink_metadata().is_ok() => {
                return Err(refused("a symbolic link on the way leads nowhere"));
            }
            Err(error) => {
                let Some(Component::Normal(name)) = existing.components().next_back() else {
                    return Err(error);
                };
                missing.push(name.to_owned());
                existing.pop();
            }
        }
    }
}

fn refused(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

#[cfg(test)]
#[path = "workspace_fuzz_tests.rs"]
mod fuzz_tests;
#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
