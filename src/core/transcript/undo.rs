//! What a file was before a call changed it.

/// A file as a call found it, and as it leaves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileBefore {
    /// Where it is in the workspace.
    pub path: String,
    /// The digest of what it was; `None` where it was not there, empty where it was too long to
    /// read.
    pub was: Option<String>,
    /// What it was, where that was kept.
    pub content: Option<Vec<u8>>,
    /// Its permissions.
    pub mode: Option<u32>,
    /// The digest of what the call writes, or [`FileBefore::GONE`]; empty where something else changed
    /// the file between two calls.
    pub becomes: String,
    /// Whether nothing from outside had come into the workspace by then.
    pub own: bool,
}

impl FileBefore {
    /// Stands for the digest of a file that a call removes.
    pub const GONE: &'static str = "gone";

    /// Returns whether it can be put back.
    pub fn is_kept(&self) -> bool {
        self.was.is_none() || self.content.is_some()
    }

    /// Returns one change for each file: from what it was before the first to what the last left.
    /// Where something else changed it between two calls, nothing counts as left by them.
    pub fn merged(changes: Vec<Self>) -> Vec<Self> {
        let mut merged: Vec<Self> = Vec::new();
        for change in changes {
            match merged.iter_mut().find(|known| known.path == change.path) {
                Some(known) if known.is_followed_by(&change) => known.becomes = change.becomes,
                Some(known) => known.becomes.clear(),
                None => merged.push(change),
            }
        }
        merged
    }

    /// Returns whether a later change found the file as this one left it, or as it was if this one
    /// came to nothing.
    fn is_followed_by(&self, later: &Self) -> bool {
        let found = later.was.as_deref().unwrap_or(Self::GONE);
        let is_as_left = found == self.becomes || later.was == self.was;
        is_as_left && !self.becomes.is_empty()
    }
}

/// How a file is now, compared with before a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileNow {
    /// As it was before.
    AsBefore,
    /// As the call left it.
    AsWritten,
    /// Otherwise: something else changed it since. With its digest, where it can be read.
    Changed(Option<String>),
}

#[cfg(test)]
mod tests {
    use super::FileBefore;

    fn change(path: &str, was: &str, becomes: &str) -> FileBefore {
        FileBefore {
            path: path.to_owned(),
            was: Some(was.to_owned()),
            content: Some(was.as_bytes().to_vec()),
            mode: None,
            becomes: becomes.to_owned(),
            own: false,
        }
    }

    #[test]
    fn several_changes_of_a_file_are_one_from_the_first_to_the_last() {
        let changes = vec![
            change("a", "1", "2"),
            change("b", "1", "2"),
            change("a", "2", "3"),
        ];
        let merged = vec![change("a", "1", "3"), change("b", "1", "2")];
        assert_eq!(FileBefore::merged(changes), merged);
        let came_to_nothing = vec![change("a", "1", "2"), change("a", "1", "3")];
        assert_eq!(FileBefore::merged(came_to_nothing), [change("a", "1", "3")]);
    }

    #[test]
    fn what_something_else_changed_between_two_calls_is_asked_about() {
        let changes = vec![
            change("a", "1", "2"),
            change("a", "by hand", "3"),
            change("a", "3", "4"),
        ];
        assert_eq!(FileBefore::merged(changes), [change("a", "1", "")]);
    }
}
