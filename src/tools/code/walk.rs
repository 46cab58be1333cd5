//! The files below a folder of the workspace that no `.gitignore` and no `.ignore` leaves out.
//!
//! Each directory is opened from the descriptor of the one above it, and no symlink is followed, so
//! what is planted meanwhile leads nowhere outside. What `.git` holds is never visited.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{FileStat, Mode, SFlag, fstatat};
use tokio_util::sync::CancellationToken;

use crate::workspace::{Workspace, file_kind};

/// How many files and directories are looked at in one walk.
const MAX_ENTRIES: usize = 200_000;
/// How many directories lie in one another at most; each holds a descriptor while it is walked.
const MAX_DEPTH: usize = 64;
/// The most that is read of one file of rules, in bytes.
const MAX_RULES_BYTES: u64 = 256 * 1024;
/// The files of rules; of two rules in one directory the later file's counts.
const RULE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// Opens a directory for listing; a symlink is not one.
const LIST: OFlag = OFlag::O_RDONLY
    .union(OFlag::O_DIRECTORY)
    .union(OFlag::O_NOFOLLOW)
    .union(OFlag::O_CLOEXEC);
/// Opens a file without waiting and without following a symlink.
const READ: OFlag = OFlag::O_RDONLY
    .union(OFlag::O_NOFOLLOW)
    .union(OFlag::O_NONBLOCK)
    .union(OFlag::O_CLOEXEC);

/// Whether a walk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// It does.
    GoOn,
    /// Enough was found.
    Stop,
}

/// Why a walk did not see everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unseen {
    /// The visitor had enough.
    Enough,
    /// Its time was up, or it was stopped.
    Time,
    /// There is too much, or it lies too deep.
    TooMuch,
}

/// When a walk ends whatever is left.
pub(super) struct Until {
    /// At this moment.
    pub(super) deadline: Instant,
    /// When this is cancelled.
    pub(super) stop: CancellationToken,
}

impl Until {
    /// Returns whether it is over.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_cancelled() || Instant::now() >= self.deadline
    }
}

/// A regular file that a walk came to.
pub(super) struct Visited<'a> {
    /// Its path from the root of the workspace.
    pub(super) path: &'a Path,
    /// What the system says of it.
    pub(super) stat: FileStat,
    directory: &'a OwnedFd,
    name: &'a OsStr,
}

impl Visited<'_> {
    /// Opens it; what became a symlink or a pipe meanwhile is an error.
    pub(super) fn open(&self) -> io::Result<File> {
        let file = File::from(openat(self.directory, self.name, READ, Mode::empty())?);
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(io::ErrorKind::InvalidInput.into())
        }
    }
}

/// The rules of one directory.
struct Rules {
    /// The directory, from the root of the workspace.
    directory: PathBuf,
    rules: Gitignore,
}

/// A directory under way.
struct Level {
    descriptor: OwnedFd,
    path: PathBuf,
    /// Names that are still to be looked at, the last one first.
    names: Vec<OsString>,
    /// The rules that hold here, the outermost first.
    rules: Vec<Rc<Rules>>,
}

/// Walks a directory of the workspace in the order of names. Returns why not everything was seen, if
/// so.
pub(super) fn walk(
    workspace: &Workspace,
    at: &str,
    until: &Until,
    visit: &mut dyn FnMut(&Visited<'_>) -> Visit,
) -> io::Result<Option<Unseen>> {
    let mut levels = vec![first_level(workspace, at)?];
    let (mut entries, mut is_cut) = (0, false);
    loop {
        let depth = levels.len();
        let Some(level) = levels.last_mut() else {
            return Ok(is_cut.then_some(Unseen::TooMuch));
        };
        let Some(name) = level.names.pop() else {
            levels.pop();
            continue;
        };
        entries += 1;
        if entries > MAX_ENTRIES {
            return Ok(Some(Unseen::TooMuch));
        }
        if until.is_over() {
            return Ok(Some(Unseen::Time));
        }
        let path = level.path.join(&name);
        let Ok(stat) = fstatat(&level.descriptor, &*name, AtFlags::AT_SYMLINK_NOFOLLOW) else {
            // It has gone meanwhile.
            continue;
        };
        let kind = file_kind(&stat);
        let is_directory = kind == SFlag::S_IFDIR;
        if is_left_out(&level.rules, &path, is_directory) {
            continue;
        }
        if is_directory && depth >= MAX_DEPTH {
            is_cut = true;
        } else if is_directory && name != ".git" {
            let below = level.below(&name, path);
            // One that may not be read, or has gone, has nothing to show.
            levels.extend(below);
        } else if kind == SFlag::S_IFREG {
            let visited = Visited {
                path: &path,
                stat,
                directory: &level.descriptor,
                name: &name,
            };
            if visit(&visited) == Visit::Stop {
                return Ok(Some(Unseen::Enough));
            }
        }
    }
}

/// Opens where the walk begins, with the rules of every directory on the way.
fn first_level(workspace: &Workspace, at: &str) -> io::Result<Level> {
    let resolved = match workspace.reach(at)? {
        sayso_policy::Reach::Inside(resolved) => resolved,
        sayso_policy::Reach::Outside(_) => {
            let problem = "it leads out of the workspace";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
    };
    let inside = resolved.strip_prefix(workspace.root()).unwrap_or(&resolved);
    let mut path = PathBuf::new();
    let mut level = Level::of(listed(workspace, &path)?, path.clone(), Vec::new())?;
    for name in inside.components() {
        path.push(name);
        let rules = level.rules;
        level = Level::of(listed(workspace, &path)?, path.clone(), rules)?;
    }
    Ok(level)
}

/// Opens a directory of the workspace for listing.
fn listed(workspace: &Workspace, path: &Path) -> io::Result<OwnedFd> {
    let shown = if path.as_os_str().is_empty() {
        ".".into()
    } else {
        path.to_string_lossy()
    };
    let found = workspace.open_directory(&shown)?;
    Ok(openat(&found, ".", LIST, Mode::empty())?)
}

impl Level {
    fn of(descriptor: OwnedFd, path: PathBuf, mut rules: Vec<Rc<Rules>>) -> io::Result<Self> {
        let entries = std::fs::read_dir(format!("/proc/self/fd/{}", descriptor.as_raw_fd()))?;
        let mut names: Vec<OsString> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.sort_unstable_by(|one, other| other.cmp(one));
        rules.extend(rules_of(&descriptor, &path).map(Rc::new));
        Ok(Self {
            descriptor,
            path,
            names,
            rules,
        })
    }

    fn below(&self, name: &OsStr, path: PathBuf) -> Option<Self> {
        let descriptor = openat(&self.descriptor, name, LIST, Mode::empty()).ok()?;
        Self::of(descriptor, path, self.rules.clone()).ok()
    }
}

/// Returns the rules that a directory has of its own.
fn rules_of(directory: &OwnedFd, path: &Path) -> Option<Rules> {
    let mut builder = GitignoreBuilder::new("");
    for name in RULE_FILES {
        let Ok(file) = openat(directory, name, READ, Mode::empty()) else {
            continue;
        };
        let mut bytes = Vec::new();
        let file = File::from(file);
        if file.take(MAX_RULES_BYTES).read_to_end(&mut bytes).is_err() {
            continue;
        }
        for line in String::from_utf8_lossy(&bytes).lines() {
            // A line that is no rule leaves nothing out, as in git.
            let _ = builder.add_line(None, line);
        }
    }
    let rules = builder.build().ok().filter(|rules| !rules.is_empty())?;
    Some(Rules {
        directory: path.to_path_buf(),
        rules,
    })
}

/// Returns whether rules leave a path out: of those that speak of it, the innermost counts.
fn is_left_out(rules: &[Rc<Rules>], path: &Path, is_directory: bool) -> bool {
    for one in rules.iter().rev() {
        let relative = path.strip_prefix(&one.directory).unwrap_or(path);
        let matched = one.rules.matched(relative, is_directory);
        if !matched.is_none() {
            return matched.is_ignore();
        }
    }
    false
}
