//! Which files of a workspace a command may read without approval: all but those whose names
//! suggest secrets.
//!
//! Landlock can only allow, and what it allows for a directory it allows for everything below it.
//! So a directory is allowed as a whole where nothing below it holds secrets, and entry by entry
//! otherwise. A file that is created after the scan, in a directory that was allowed as a whole,
//! can be read; only another command of the same workspace can create one.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, OpenHow, ResolveFlag, openat2};
use sayso_policy::is_secret_like;

/// The most entries that are looked at. What is over that is not allowed.
const MAX_ENTRIES: usize = 200_000;
/// How deep directories are looked into. What is deeper is not allowed.
const MAX_DEPTH: usize = 64;
/// Git's own files are called as branches are, and keep no secrets by that.
const REPOSITORY: &str = ".git";

/// Returns the files and directories that hold no secrets by their names, relative to the root,
/// which is `.`. No symlink is among them: what it leads to is allowed where it is, or not at all.
pub(crate) fn ordinary(root: &Path) -> Vec<PathBuf> {
    let mut look = Look {
        root,
        left: MAX_ENTRIES,
    };
    match look.directory(Path::new(""), MAX_DEPTH) {
        Readable::Whole => vec![PathBuf::from(".")],
        Readable::Parts(parts) => parts,
    }
}

/// Opens one of these places to make a rule of it. Nothing outside the root is opened, whatever
/// was put in its place meanwhile.
pub(crate) fn open_below(root: &OwnedFd, place: &Path) -> io::Result<OwnedFd> {
    let how = OpenHow::new()
        .flags(OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC)
        .resolve(ResolveFlag::RESOLVE_BENEATH | ResolveFlag::RESOLVE_NO_SYMLINKS);
    Ok(openat2(root, place, how)?)
}

struct Look<'r> {
    root: &'r Path,
    /// How many entries may still be looked at.
    left: usize,
}

/// What of a directory may be read.
enum Readable {
    Whole,
    Parts(Vec<PathBuf>),
}

impl Look<'_> {
    fn directory(&mut self, directory: &Path, depth: usize) -> Readable {
        let mut parts = Vec::new();
        let Ok(entries) = fs::read_dir(self.root.join(directory)) else {
            return Readable::Parts(parts);
        };
        let mut is_whole = true;
        for entry in entries {
            let Ok(entry) = entry else {
                is_whole = false;
                continue;
            };
            if self.left == 0 {
                return Readable::Parts(parts);
            }
            self.left -= 1;
            match self.at(directory, &entry, depth) {
                Readable::Whole => parts.push(directory.join(entry.file_name())),
                Readable::Parts(inner) => {
                    is_whole = false;
                    parts.extend(inner);
                }
            }
        }
        if is_whole {
            Readable::Whole
        } else {
            Readable::Parts(parts)
        }
    }

    fn at(&mut self, directory: &Path, entry: &fs::DirEntry, depth: usize) -> Readable {
        let nothing = Readable::Parts(Vec::new());
        let name = entry.file_name();
        let Ok(kind) = entry.file_type() else {
            return nothing;
        };
        if kind.is_dir() {
            // A directory called `credentials` is one of many; all that is in `.ssh` is a secret.
            let within = directory.join(&name);
            let is_full_of_secrets = is_secret_like(&within.join("any"));
            match depth.checked_sub(1) {
                Some(_) if name == REPOSITORY => Readable::Whole,
                Some(depth) if !is_full_of_secrets => self.directory(&within, depth),
                Some(_) | None => nothing,
            }
        } else if is_secret_like(&directory.join(&name)) {
            nothing
        } else {
            Readable::Whole
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::ordinary;

    /// What may be read of a workspace with these files; one that ends in `/` is a directory.
    fn readable(files: &[&str]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            if file.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
        }
        let mut readable: Vec<_> = ordinary(root.path())
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        readable.sort();
        readable
    }

    #[test]
    fn a_workspace_without_secrets_is_readable_as_a_whole() {
        assert_eq!(readable(&["a", "src/b", ".env.example"]), ["."]);
        assert_eq!(
            readable(&["credentials/mod.rs", ".git/refs/prod.env"]),
            ["."]
        );
    }

    #[test]
    fn beside_a_secret_everything_else_is() {
        let files = [
            ".env",
            "a",
            "src/b",
            "deep/er/x.pem",
            "deep/er/c",
            "deep/d/",
        ];
        assert_eq!(readable(&files), ["a", "deep/d", "deep/er/c", "src"]);
        assert_eq!(readable(&[".ssh/config", "a"]), ["a"]);
        let settings = [
            ".config/gh/hosts.yml",
            ".config/x/y",
            "gh/a.rs",
            "inbox/env",
            "inbox/b",
        ];
        assert_eq!(readable(&settings), [".config/x", "gh", "inbox/b"]);
    }

    #[test]
    fn a_link_is_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(root.path().join(".env"), "").unwrap();
        symlink(outside.path(), root.path().join("out")).unwrap();
        symlink(root.path().join(".env"), root.path().join("in")).unwrap();
        let readable = ordinary(root.path());
        let opens = |name: &std::path::PathBuf| {
            let root = fs::File::open(root.path()).unwrap().into();
            super::open_below(&root, name).unwrap()
        };
        for name in &readable {
            let opened = nix::sys::stat::fstat(opens(name)).unwrap();
            let kind = nix::sys::stat::SFlag::from_bits_truncate(opened.st_mode);
            assert!(kind.contains(nix::sys::stat::SFlag::S_IFLNK), "{name:?}");
        }
    }
}
