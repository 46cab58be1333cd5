//! What the terminal says in our own name, beside what it is given to say.

use std::path::Path;

use sayso_channel::{Language, text};

/// The prefix of Sayso's messages.
pub(crate) const NAME: &str = "sayso> ";

/// What the new form of a message begins with, when the old one cannot be replaced.
pub(crate) const UPDATED: &str = "     ↳ ";

/// What a passing remark begins with: the answer to a press, a hint.
pub(crate) const REMARK: &str = "     · ";

/// What stands before a remark of a script.
pub(crate) const HEADING: &str = "── ";

/// What everything below the first line of a message is moved right by, where it is ours.
pub(crate) const INDENT: &str = "       ";

/// What the line that is being typed begins with.
pub(crate) fn prompt(language: Language) -> &'static str {
    text!(language, "terminal-prompt")
}

/// After Ctrl-C: how to leave.
pub(crate) fn how_to_leave(language: Language) -> &'static str {
    text!(language, "terminal-how-to-leave")
}

/// A file that came with a message.
pub(crate) fn file(language: Language, name: &str, path: &Path) -> String {
    let path = path.display();
    text!(language, "terminal-file", name, path)
}

/// Why an attachment cannot be fetched.
pub(crate) fn no_attachments(language: Language) -> &'static str {
    text!(language, "terminal-no-attachments")
}
