//! The files of a project that a command changed, as they were before it.
//!
//! Before a command runs, the files of its project are listed with size and times, and their contents
//! are held in memory as far as there is room; behind it they are listed again. What `.gitignore` leaves
//! out is not looked at, and neither is what git keeps, nor what keeps secrets by its name.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::stat::FileStat;
use sayso_core::transcript::{FileBefore, Scope};
use sayso_policy::{ClearedCall, WorkspaceUse, is_secret_like};
use tokio_util::sync::CancellationToken;

use super::file_edit::{MAX_EDITED_BYTES, digest};
use super::walk::{Until, Visit, Visited, walk};
use crate::files::blocking;
use crate::shell::{BACKGROUND, RUN_CMD};
use crate::workspace::Workspace;

/// How many files a project may have for its commands to be taken back.
const MAX_FILES: usize = 20_000;
/// How much of their contents is held while a command runs, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// How many files a command may change to be taken back.
const MAX_CHANGED: usize = 500;
/// How long a look at the files may take.
const LOOK_TIME: Duration = Duration::from_secs(3);

/// The bounds of what is kept for one command.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    files: usize,
    bytes: u64,
    changed: usize,
}

const BOUNDS: Bounds = Bounds {
    files: MAX_FILES,
    bytes: MAX_BYTES,
    changed: MAX_CHANGED,
};

/// The files of a project before a command.
#[derive(Debug)]
pub struct FilesBefore {
    root: PathBuf,
    /// `None` where there are too many, or they were not listed in time.
    listing: Option<Listing>,
    bounds: Bounds,
}

/// What a command changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandChanges {
    /// The files that can be put back, as they were before it.
    pub files: Vec<FileBefore>,
    /// Whether there may be more, or are more, that cannot be put back.
    pub is_partial: bool,
}

type Listing = BTreeMap<String, Listed>;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Listed {
    stamp: Stamp,
    /// `None` where there was no room for it.
    content: Option<Vec<u8>>,
}

/// What changes when a file does: the change time is the kernel's, and no program sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    file: u64,
    size: i64,
    modified: (i64, i64),
    changed: (i64, i64),
    mode: u32,
}

impl Stamp {
    fn of(stat: &FileStat) -> Self {
        Self {
            file: stat.st_ino,
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
            mode: stat.st_mode & 0o777,
        }
    }
}

impl FilesBefore {
    /// Looks at the files before a cleared call runs; `None` for calls that are no command in a
    /// project, or none that may change it while it is called.
    pub(crate) async fn look(cleared: &ClearedCall, scope: &Scope) -> Option<Self> {
        let call = cleared.call();
        let may_change = call.name == RUN_CMD
            && call.arguments[BACKGROUND] != true
            && cleared.workspace_use() == WorkspaceUse::Changing
            && scope.project.is_some()
            && !scope.is_read_only();
        if !may_change {
            return None;
        }
        Self::look_at(scope.workspace.clone(), BOUNDS).await
    }

    async fn look_at(root: PathBuf, bounds: Bounds) -> Option<Self> {
        let looked = blocking(move || {
            let listing = listed(&root, bounds, &Contents::Held);
            Ok(Self {
                root,
                listing,
                bounds,
            })
        });
        looked.await.ok()
    }

    /// Returns what is different now.
    pub async fn changes(self) -> CommandChanges {
        let compared = blocking(move || Ok(self.compared()));
        compared.await.unwrap_or(CommandChanges {
            files: Vec::new(),
            is_partial: true,
        })
    }

    fn compared(self) -> CommandChanges {
        let nothing_known = CommandChanges {
            files: Vec::new(),
            is_partial: true,
        };
        let Some(before) = self.listing else {
            return nothing_known;
        };
        let Some(now) = listed(&self.root, self.bounds, &Contents::Changed(&before)) else {
            return nothing_known;
        };
        let mut changes = CommandChanges::default();
        let gone = before.keys().filter(|path| !now.contains_key(*path));
        let paths: Vec<&String> = now.keys().chain(gone).collect();
        for path in paths {
            match change(path, before.get(path), now.get(path)) {
                Change::None => {}
                Change::Kept(file) => changes.files.push(file),
                Change::Lost => changes.is_partial = true,
            }
        }
        if changes.files.len() > self.bounds.changed {
            return nothing_known;
        }
        changes
    }
}

/// What became of a file.
enum Change {
    None,
    Kept(FileBefore),
    /// It changed, and what it was is not known.
    Lost,
}

fn change(path: &str, before: Option<&Listed>, now: Option<&Listed>) -> Change {
    if let (Some(before), Some(now)) = (before, now)
        && before.stamp == now.stamp
    {
        return Change::None;
    }
    let becomes = match now {
        None => FileBefore::GONE.to_owned(),
        // One that is too long counts as changed by something else, which an undo asks about.
        Some(now) => now.content.as_deref().map_or(String::new(), digest),
    };
    let file = |was: Option<&Listed>, content: Option<&Vec<u8>>| FileBefore {
        path: path.to_owned(),
        was: content.map(|content| digest(content)),
        content: content.cloned(),
        mode: was.map(|was| was.stamp.mode),
        becomes: becomes.clone(),
        own: false,
    };
    match before {
        None => Change::Kept(file(None, None)),
        Some(Listed { content: None, .. }) => Change::Lost,
        Some(was) => {
            let file = file(Some(was), was.content.as_ref());
            // Touched, or written as it was.
            if file.was.as_ref() == Some(&file.becomes) {
                Change::None
            } else {
                Change::Kept(file)
            }
        }
    }
}

/// Of which files the contents are read.
enum Contents<'a> {
    /// Of all, as far as there is room.
    Held,
    /// Of those that differ from this.
    Changed(&'a Listing),
}

impl Contents<'_> {
    fn wants(&self, path: &str, stamp: &Stamp) -> bool {
        match self {
            Self::Held => true,
            Self::Changed(before) => before.get(path).is_none_or(|was| was.stamp != *stamp),
        }
    }
}

/// Lists the files below a root; `None` where there are too many, or not enough time.
fn listed(root: &Path, bounds: Bounds, contents: &Contents<'_>) -> Option<Listing> {
    let workspace = Workspace::open(root).ok()?;
    let until = Until {
        deadline: Instant::now() + LOOK_TIME,
        stop: CancellationToken::new(),
    };
    let (mut listing, mut room) = (Listing::new(), bounds.bytes);
    let unseen = walk(&workspace, ".", &until, &mut |file| {
        if listing.len() >= bounds.files {
            return Visit::Stop;
        }
        if let Some(path) = file.path.to_str().filter(|_| !is_secret_like(file.path)) {
            let stamp = Stamp::of(&file.stat);
            let content = contents.wants(path, &stamp).then(|| content(file, room));
            let content = content.flatten();
            room -= content.as_ref().map_or(0, |content| content.len() as u64);
            listing.insert(path.to_owned(), Listed { stamp, content });
        }
        Visit::GoOn
    });
    unseen.ok()?.is_none().then_some(listing)
}

/// Reads a file, where it can be changed by patches and there is room for it.
fn content(file: &Visited<'_>, room: u64) -> Option<Vec<u8>> {
    let most = MAX_EDITED_BYTES.min(room);
    if u64::try_from(file.stat.st_size).is_ok_and(|size| size > most) {
        return None;
    }
    let mut bytes = Vec::new();
    let opened = file.open().ok()?;
    opened.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use sayso_core::transcript::FileBefore;
    use tempfile::TempDir;

    use super::{BOUNDS, Bounds, CommandChanges, FilesBefore};
    use crate::code::file_edit::digest;

    /// Lists a folder, does something in it, and returns what is found to have changed.
    async fn changes_of(bounds: Bounds, root: &Path, does: impl FnOnce(&Path)) -> CommandChanges {
        let before = FilesBefore::look_at(root.to_path_buf(), bounds).await;
        does(root);
        before.unwrap().changes().await
    }

    fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in files {
            fs::write(folder.path().join(path), content).unwrap();
        }
        folder
    }

    fn file(path: &str, was: Option<&str>, becomes: Option<&str>) -> FileBefore {
        let gone = || FileBefore::GONE.to_owned();
        FileBefore {
            path: path.to_owned(),
            was: was.map(|was| digest(was.as_bytes())),
            content: was.map(|was| was.as_bytes().to_vec()),
            mode: was.map(|_| 0o644),
            becomes: becomes.map_or_else(gone, |becomes| digest(becomes.as_bytes())),
            own: false,
        }
    }

    #[tokio::test]
    async fn what_came_changed_and_went_is_known_and_nothing_else() {
        let files = [
            ("a", "one"),
            ("b", "two"),
            ("same", "three"),
            (".gitignore", "*.log\n"),
            (".env", "KEY=1"),
        ];
        let folder = folder(&files);
        let changes = changes_of(BOUNDS, folder.path(), |root| {
            fs::write(root.join("a"), "1").unwrap();
            fs::remove_file(root.join("b")).unwrap();
            fs::write(root.join("c"), "new").unwrap();
            fs::write(root.join("same"), "three").unwrap();
            fs::write(root.join("x.log"), "ignored").unwrap();
            fs::write(root.join(".env"), "KEY=2").unwrap();
        })
        .await;
        let mut files = changes.files;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let expected = [
            file("a", Some("one"), Some("1")),
            file("b", Some("two"), None),
            file("c", None, Some("new")),
        ];
        assert_eq!(files, expected);
        assert!(!changes.is_partial);
    }

    #[tokio::test]
    async fn beyond_the_bounds_it_says_that_not_all_is_known() {
        let files = [("a", "one"), ("b", "two")];
        let write = |root: &Path| {
            fs::write(root.join("a"), "changed a").unwrap();
            fs::write(root.join("b"), "changed b").unwrap();
        };
        let nothing = CommandChanges {
            files: Vec::new(),
            is_partial: true,
        };
        let few_files = Bounds { files: 1, ..BOUNDS };
        let found = changes_of(few_files, folder(&files).path(), write).await;
        assert_eq!(found, nothing);
        let few_changes = Bounds {
            changed: 1,
            ..BOUNDS
        };
        let found = changes_of(few_changes, folder(&files).path(), write).await;
        assert_eq!(found, nothing);
        let few_bytes = Bounds { bytes: 3, ..BOUNDS };
        let found = changes_of(few_bytes, folder(&files).path(), write).await;
        assert_eq!(found.files.len(), 1, "there was room for one");
        assert!(found.is_partial);
        // What does not change needs no room.
        let found = changes_of(few_bytes, folder(&files).path(), |_| {}).await;
        assert_eq!(found, CommandChanges::default());
    }
}
