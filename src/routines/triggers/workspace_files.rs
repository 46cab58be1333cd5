//! The files of a workspace that changed in a span of time, found by a bounded walk: no link is
//! followed, and neither hidden files nor files that keep secrets are looked at.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use sayso_policy::is_secret_like;

use super::glob;

/// How many files and folders are looked at.
const ENTRIES: usize = 20_000;
/// How deep folders are entered.
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
    let mut found = BTreeSet::new();
    let mut left = ENTRIES;
    let mut folders = vec![(workspace.to_path_buf(), String::new(), 0)];
    while let Some((folder, name, depth)) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            if left == 0 {
                tracing::warn!(folder = %workspace.display(), "a workspace has too many files: some are not looked at for routines");
                return found;
            }
            left -= 1;
            let file_name = entry.file_name();
            let Some(file_name) = file_name.to_str().filter(|it| !it.starts_with('.')) else {
                continue;
            };
            let path = match name.as_str() {
                "" => file_name.to_owned(),
                folder => format!("{folder}/{file_name}"),
            };
            // Of a link this is the link itself.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if metadata.is_dir() && depth < DEPTH {
                folders.push((entry.path(), path, depth + 1));
            } else if metadata.is_file() && !is_secret_like(Path::new(&path)) {
                found.insert(seen(path, &metadata));
            }
        }
    }
    found
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

fn seen(path: String, metadata: &Metadata) -> SeenFile {
    // `ctime` also moves when a file is moved here or its old time is put back, and no program sets it.
    SeenFile {
        changed_ms: metadata.ctime() * 1000 + metadata.ctime_nsec() / 1_000_000,
        path,
        bytes: metadata.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{files, named};

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
}
