//! The files of a workspace that changed in a span of time, found by a bounded walk: no link is
//! followed, and neither hidden files nor files that keep secrets are looked at.
//!
//! Commands of a person may work in the workspace during a walk, and put a link where a folder was. So
//! each folder is opened below the descriptor of its parent, where a link is an error, and never by a
//! path from the root.

use std::collections::BTreeSet;
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::path::Arg;
use sayso_policy::is_secret_like;

use super::glob;

/// How many files and folders are looked at.
const ENTRIES: usize = 20_000;
/// How deep folders are entered. No more folders than this and the workspace are open at once.
const DEPTH: usize = 16;

/// A file of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeenFile {
    /// When its content, name or rights changed last, in milliseconds by the machine's clock.
    pub changed_ms: i64,
    /// Its path in the workspace.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Returns the files of a workspace, those that changed last at the end; none where there is no such
/// folder.
pub fn files(workspace: &Path) -> BTreeSet<SeenFile> {
    let mut walk = Walk {
        found: BTreeSet::new(),
        left: ENTRIES,
    };
    if let Some(folder) = open_folder(CWD, workspace)
        && !walk.enter(folder, "", 0)
    {
        tracing::warn!(folder = %workspace.display(), "a workspace has too many files: some are not looked at for routines");
    }
    walk.found
}

/// Opens a folder below another one; `None` where it is a link or no folder.
fn open_folder(parent: impl AsFd, name: impl Arg) -> Option<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Dir::new(openat(parent, name, flags, Mode::empty()).ok()?).ok()
}

/// A walk through the folders of a workspace, depth first.
struct Walk {
    found: BTreeSet<SeenFile>,
    /// How many entries may still be looked at.
    left: usize,
}

impl Walk {
    /// Notes the files of a folder and of those below it; returns whether all were looked at.
    fn enter(&mut self, mut folder: Dir, name: &str, depth: usize) -> bool {
        while let Some(Ok(entry)) = folder.read() {
            let file_name = entry.file_name();
            if file_name == c"." || file_name == c".." {
                continue;
            }
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            let Some(shown) = file_name.to_str().ok().filter(|it| !it.starts_with('.')) else {
                continue;
            };
            let path = match name {
                "" => shown.to_owned(),
                folder => format!("{folder}/{shown}"),
            };
            let Ok(here) = folder.fd() else {
                continue;
            };
            let Ok(stat) = statat(here, file_name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            match FileType::from_raw_mode(stat.st_mode) {
                FileType::Directory if depth < DEPTH => {
                    if let Some(below) = open_folder(here, file_name)
                        && !self.enter(below, &path, depth + 1)
                    {
                        return false;
                    }
                }
                FileType::RegularFile if !is_secret_like(Path::new(&path)) => {
                    self.found.insert(seen(path, &stat));
                }
                _ => {}
            }
        }
        true
    }
}

/// Returns the files that a pattern names; none where it is no pattern.
pub fn named<'a>(
    files: &'a BTreeSet<SeenFile>,
    pattern: &str,
) -> impl DoubleEndedIterator<Item = &'a SeenFile> {
    let glob = glob::read(pattern);
    files.iter().filter(move |file| {
        let glob = glob.as_ref();
        glob.is_some_and(|glob| glob.is_match(&file.path))
    })
}

fn seen(path: String, stat: &Stat) -> SeenFile {
    // `ctime` also moves when a file is moved here or its old time is put back, and no program sets it.
    let nanos = i64::try_from(stat.st_ctime_nsec).unwrap_or_default();
    SeenFile {
        changed_ms: stat.st_ctime * 1000 + nanos / 1_000_000,
        path,
        bytes: u64::try_from(stat.st_size).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{CWD, RenameFlags, renameat_with};

    use super::{DEPTH, files, named};

    #[test]
    fn links_hidden_files_and_secrets_are_not_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("reports/2026")).unwrap();
        fs::create_dir_all(path(".git")).unwrap();
        for name in [
            "reports/2026/a.csv",
            "todo.md",
            ".hidden",
            ".git/a.csv",
            "id_rsa",
        ] {
            fs::write(path(name), "x").unwrap();
        }
        std::os::unix::fs::symlink("/etc", path("elsewhere")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", path("host.csv")).unwrap();
        let seen = files(folder.path());
        let mut paths: Vec<&str> = seen.iter().map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["reports/2026/a.csv", "todo.md"]);
        let named: Vec<_> = named(&seen, "*.csv").map(|file| &file.path).collect();
        assert_eq!(named, ["reports/2026/a.csv"]);
    }

    #[test]
    fn a_folder_that_becomes_a_link_during_the_walk_is_not_entered() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().join("ann");
        let elsewhere = folder.path().join("bob");
        fs::create_dir_all(workspace.join("a")).unwrap();
        fs::create_dir_all(&elsewhere).unwrap();
        fs::write(workspace.join("a/own.csv"), "x").unwrap();
        fs::write(elsewhere.join("foreign.csv"), "x").unwrap();
        let (one, other) = (workspace.join("a"), workspace.join("b"));
        std::os::unix::fs::symlink(&elsewhere, &other).unwrap();
        let is_over = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).unwrap();
                }
            });
            let found: Vec<_> = (0..10_000).flat_map(|_| files(&workspace)).collect();
            is_over.store(true, Ordering::Relaxed);
            found
        });
        assert!(found.iter().any(|file| file.path.ends_with("/own.csv")));
        let foreign: Vec<_> = found
            .iter()
            .filter(|file| file.path.contains("foreign"))
            .collect();
        assert!(foreign.is_empty(), "{foreign:?}");
    }

    #[test]
    fn folders_are_entered_down_to_a_depth() {
        let folder = tempfile::tempdir().unwrap();
        let mut path = folder.path().to_path_buf();
        for _ in 0..=DEPTH {
            path.push("d");
            fs::create_dir(&path).unwrap();
            fs::write(path.join("a.csv"), "x").unwrap();
        }
        assert_eq!(files(folder.path()).len(), DEPTH);
    }
}
