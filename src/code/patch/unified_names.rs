//! The names of a file in a unified diff: behind `---` and `+++`, in `diff --git`, and of a rename.

use super::error::{PatchError, SyntaxProblem, shortened};
use super::wrapping::Line;

/// What a patch says of a file's names, in the spelling of the patch.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// From `diff --git`, without `a/`.
    pub(super) git_old: Option<String>,
    /// From `diff --git`, without `b/`.
    pub(super) git_new: Option<String>,
    /// Behind `---`, if it is a file.
    pub(super) old: Option<String>,
    /// Behind `+++`, if it is a file.
    pub(super) new: Option<String>,
    /// Behind `rename from`.
    pub(super) rename_from: Option<String>,
    /// Behind `rename to`.
    pub(super) rename_to: Option<String>,
}

/// The name of a file, and the one that it gets, if that is another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JudgedNames {
    /// The file that is changed.
    pub(super) old: String,
    /// What it is called then, if the patch renames it.
    pub(super) new: Option<String>,
}

impl Names {
    /// Takes what stands behind `---`, if there is such a line, and behind `+++`. Git's `a/` and `b/` are
    /// left out.
    pub(super) fn set_headers(&mut self, old: Option<&str>, new: &str) {
        let old = old.filter(|old| !is_nowhere(old)).map(without_time);
        let new = (!is_nowhere(new)).then(|| without_time(new));
        let has_prefix =
            |name: Option<&String>, prefix| name.is_none_or(|it| it.starts_with(prefix));
        let is_git = has_prefix(old.as_ref(), "a/") && has_prefix(new.as_ref(), "b/");
        let cut = |name: String| match name.get(2..) {
            Some(rest) if is_git => rest.to_owned(),
            Some(_) | None => name,
        };
        self.old = old.map(cut);
        self.new = new.map(cut);
    }

    /// Returns the names that the patch means.
    pub(super) fn judged(&self, line: Line<'_>) -> Result<JudgedNames, PatchError> {
        if let (Some(old), Some(new)) = (&self.rename_from, &self.rename_to) {
            return Ok(JudgedNames {
                old: unquoted(old),
                new: Some(unquoted(new)),
            });
        }
        let is_bare = self.old.is_none() && self.new.is_none();
        let git = |name: &Option<String>| name.clone().filter(|_| is_bare);
        let old = self.old.clone().or_else(|| git(&self.git_old));
        let new = self.new.clone().or_else(|| git(&self.git_new));
        let problem = match (old, new) {
            (Some(old), Some(new)) if old != new => SyntaxProblem::TwoNames {
                old: shortened(&old),
                new: shortened(&new),
            },
            (Some(name), _) | (None, Some(name)) => {
                return Ok(JudgedNames {
                    old: name,
                    new: None,
                });
            }
            (None, None) => SyntaxProblem::NoFile,
        };
        let line = line.number;
        Err(PatchError::Syntax { line, problem })
    }
}

/// Returns whether a name stands for no file.
pub(super) fn is_nowhere(name: &str) -> bool {
    matches!(
        without_time(name).as_str(),
        "/dev/null" | "dev/null" | "nul" | "NUL"
    )
}

/// Reads what stands behind `diff --git`: two names, which are the same but for their first part.
pub(super) fn read_git_names(text: &str) -> Option<Names> {
    let text = text.trim_end();
    let halves = text
        .match_indices(' ')
        .map(|(at, _)| (&text[..at], &text[at + 1..]));
    let names = halves.map(|(old, new)| (unquoted(old), unquoted(new)));
    let mut names = names.filter_map(|(old, new)| {
        let old = old.strip_prefix("a/").unwrap_or(&old).to_owned();
        let new = new.strip_prefix("b/").unwrap_or(&new).to_owned();
        (old == new).then_some((old, new))
    });
    let (old, new) = names.next()?;
    Some(Names {
        git_old: Some(old),
        git_new: Some(new),
        ..Names::default()
    })
}

/// Returns a name without the time behind it, which a tab separates, and without quotes.
fn without_time(name: &str) -> String {
    let name = name.split('\t').next().unwrap_or_default();
    unquoted(name)
}

/// Returns a name without quotes, in which Git writes bytes as octal numbers.
fn unquoted(name: &str) -> String {
    let name = name.trim();
    let inner = name
        .strip_prefix('"')
        .and_then(|inner| inner.strip_suffix('"'));
    let Some(inner) = inner else {
        return name.to_owned();
    };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let octal = behind
            .get(..3)
            .filter(|_| *first == b'\\')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        let (byte, length) = match (octal, behind.first()) {
            (Some(byte), _) => (byte, 3),
            (None, Some(b'n')) if *first == b'\\' => (b'\n', 1),
            (None, Some(b't')) if *first == b'\\' => (b'\t', 1),
            (None, Some(same @ (b'\\' | b'"'))) if *first == b'\\' => (*same, 1),
            (None, _) => (*first, 0),
        };
        bytes.push(byte);
        rest = behind.get(length..).unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Names, is_nowhere, read_git_names, unquoted};

    fn git(text: &str) -> Option<String> {
        read_git_names(text)?.git_old
    }

    #[test]
    fn names_are_read_as_git_writes_them() {
        assert_eq!(git("a/x y b/x y").as_deref(), Some("x y"));
        assert_eq!(git("a/src/a.rs b/src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(git("x x").as_deref(), Some("x"));
        assert_eq!(git("a/x b/y"), None);
        assert_eq!(unquoted("\"a/\\344\\275\\240.txt\""), "a/你.txt");
        assert_eq!(unquoted("\"a\\\"b\\\\c\""), "a\"b\\c");
        assert!(is_nowhere("/dev/null\t1970-01-01"));
        assert!(!is_nowhere("a/dev/null"));
    }

    #[test]
    fn prefixes_are_left_out_where_both_are_there() {
        let read = |old, new| {
            let mut names = Names::default();
            names.set_headers(Some(old), new);
            (names.old.unwrap_or_default(), names.new.unwrap_or_default())
        };
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(read("a/x\t2024-01-01", "b/x"), pair("x", "x"));
        assert_eq!(read("a/x", "a/x"), pair("a/x", "a/x"));
        assert_eq!(read("/dev/null", "b/x"), pair("", "x"));
        assert_eq!(read("src/x", "src/x"), pair("src/x", "src/x"));
    }
}
