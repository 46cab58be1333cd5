//! Paths of a patch: relative, without a way out of the project's folder.

use std::fmt;

use sayso_core::visible::without_hidden;

use super::error::{PathProblem, shortened};

/// A path below the project's folder, with `/` between its parts: not absolute, without `.`, `..`, empty
/// parts and control characters. What it names on disk, and whether through a symbolic link, is left to
/// who opens it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatchPath(String);

/// A path that may not be named.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the path `{path}` {problem}")]
pub struct RefusedPath {
    /// The path, cut to a length that can be shown.
    pub path: String,
    /// What is wrong with it.
    pub problem: PathProblem,
}

impl PatchPath {
    /// Reads a path as models write it: quotes, backticks and spaces around it are left out, backslashes
    /// between its parts are read as `/`, and `.` and empty parts are left out.
    pub fn read(written: &str) -> Result<Self, RefusedPath> {
        let bare = unquoted(written).replace('\\', "/");
        let refused = |problem| RefusedPath {
            path: shortened(&without_hidden(&bare)),
            problem,
        };
        if bare.chars().any(char::is_control) || without_hidden(&bare) != bare {
            return Err(refused(PathProblem::Control));
        }
        if is_absolute(&bare) {
            return Err(refused(PathProblem::Absolute));
        }
        let parts = bare.split('/').filter(|part| !matches!(*part, "" | "."));
        let parts: Vec<&str> = parts.collect();
        if parts.contains(&"..") {
            return Err(refused(PathProblem::Parent));
        }
        if parts.is_empty() {
            let is_folder = !bare.is_empty();
            return Err(refused(if is_folder {
                PathProblem::Folder
            } else {
                PathProblem::Empty
            }));
        }
        if bare.ends_with('/') || bare.ends_with("/.") {
            return Err(refused(PathProblem::Folder));
        }
        Ok(Self(parts.join("/")))
    }

    /// Returns the path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PatchPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Returns a path without what is written around it.
fn unquoted(written: &str) -> &str {
    let trimmed = written.trim();
    for sign in ['"', '\'', '`'] {
        let inner = trimmed.strip_prefix(sign);
        if let Some(inner) = inner.and_then(|inner| inner.strip_suffix(sign)) {
            return inner.trim();
        }
    }
    trimmed
}

/// Returns whether a path begins at the root, at a drive (`C:`), at a home folder, or with a scheme.
fn is_absolute(path: &str) -> bool {
    let mut letters = path.chars();
    let is_drive =
        letters.next().is_some_and(|it| it.is_ascii_alphabetic()) && letters.next() == Some(':');
    let is_home = path == "~" || path.starts_with("~/");
    path.starts_with('/') || is_drive || is_home || path.contains("://")
}

#[cfg(test)]
mod tests {
    use super::PatchPath;

    fn read(path: &str) -> String {
        match PatchPath::read(path) {
            Ok(path) => path.to_string(),
            Err(refused) => refused.problem.to_string(),
        }
    }

    #[test]
    fn a_path_is_read_as_models_write_it() {
        assert_eq!(read("src/a.rs"), "src/a.rs");
        assert_eq!(read(" ./src//a.rs "), "src/a.rs");
        assert_eq!(read("`src/a.rs`"), "src/a.rs");
        assert_eq!(read("\"文件/名 字.txt\""), "文件/名 字.txt");
        assert_eq!(read("src\\win\\a.rs"), "src/win/a.rs");
        assert_eq!(read("a/..b/c..d"), "a/..b/c..d");
    }

    #[test]
    fn a_path_that_leads_out_is_refused() {
        let absolute = "is absolute; write it relative to the project's folder";
        for path in [
            "/etc/passwd",
            "C:\\x",
            "c:x",
            "\\\\host\\x",
            "~/x",
            "file:///etc/x",
            "'/etc/x'",
        ] {
            assert_eq!(read(path), absolute, "{path}");
        }
        for path in ["../x", "a/../../x", "a\\..\\x", "..", "a/.."] {
            assert!(read(path).starts_with("contains `..`"), "{path}");
        }
        assert_eq!(read("  "), "is empty");
        assert_eq!(read("src/"), "names a folder, not a file");
        assert_eq!(read("."), "names a folder, not a file");
        for path in ["a\u{0}b", "a\u{202e}b", "a\u{200b}b", "a\tb"] {
            assert!(read(path).starts_with("contains control"), "{path}");
        }
    }
}
