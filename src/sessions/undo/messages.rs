//! What `/undo` says.

use sayso_channel::Language;
use sayso_channel::text;
use sayso_core::transcript::FileBefore;

/// How many files are named; of more it is said how many.
const NAMED: usize = 20;

/// What became of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is as it was before.
    PutBack,
    /// It was not there before, and is gone.
    Removed,
    /// It was as before already.
    WasSo,
    /// Too little of it was kept, or its place cannot be reached.
    Left,
    /// The disk did not take it; it may at another time.
    Failed,
}

impl Fate {
    /// Returns what became of a file that was put back to this.
    pub fn of_restored(file: &FileBefore) -> Self {
        if file.was.is_none() {
            Self::Removed
        } else {
            Self::PutBack
        }
    }

    /// Returns whether the file was put back.
    pub fn is_restored(self) -> bool {
        match self {
            Self::PutBack | Self::Removed => true,
            Self::WasSo | Self::Left | Self::Failed => false,
        }
    }

    /// Returns whether the file is as before.
    pub fn is_as_before(self) -> bool {
        self.is_restored() || self == Self::WasSo
    }
}

/// The answer to `/undo`: what became of the files.
pub fn done(request: &str, files: &[(String, Fate)], language: Language) -> String {
    if let [(path, fate)] = files {
        return done_in_one(path, *fate, language);
    }
    let before = files.iter().filter(|(_, fate)| fate.is_as_before()).count();
    let all = files.len();
    let head = if before == 0 {
        text!(language, "undo-done-nothing", request)
    } else if before < all {
        text!(language, "undo-done-some", before, all, request)
    } else {
        text!(language, "undo-done-all", all, request)
    };
    let line = |(path, fate): &(String, Fate)| match fate {
        Fate::PutBack => text!(language, "undo-done-put-back", path),
        Fate::Removed => text!(language, "undo-done-removed", path),
        Fate::WasSo => text!(language, "undo-done-was-so", path),
        Fate::Left => text!(language, "undo-done-left", path),
        Fate::Failed => text!(language, "undo-done-failed", path),
    };
    listed(head, files.iter().map(line), language)
}

/// The answer to `/undo` where one file was changed.
fn done_in_one(path: &str, fate: Fate, language: Language) -> String {
    match fate {
        Fate::PutBack => text!(language, "undo-done-in-one-put-back", path),
        Fate::Removed => text!(language, "undo-done-in-one-removed", path),
        Fate::WasSo => text!(language, "undo-done-in-one-was-so", path),
        Fate::Left => text!(language, "undo-done-in-one-left", path),
        Fate::Failed => text!(language, "undo-done-in-one-failed", path),
    }
}

/// The button below it.
pub fn redo(language: Language) -> &'static str {
    text!(language, "undo-redo")
}

/// The last line of the notice once it was pressed.
pub fn brings_back(language: Language) -> &'static str {
    text!(language, "undo-brings-back")
}

/// The same when the undo was reversed.
pub fn redone(paths: &[String], language: Language) -> String {
    match paths {
        [path] => text!(language, "undo-redone-one", path),
        paths => text!(language, "undo-redone-several", count = paths.len()),
    }
}

/// The same when files are not as the undo left them.
pub fn not_redone(paths: &[String], language: Language) -> String {
    let named = named(paths, language);
    text!(language, "undo-not-redone", named, count = paths.len())
}

/// The same when the disk did not take files.
pub fn redo_failed(paths: &[String], language: Language) -> String {
    let named = named(paths, language);
    text!(language, "undo-redo-failed", named)
}

/// The same when what the undo took away is not kept any more.
pub fn not_kept(language: Language) -> &'static str {
    text!(language, "undo-not-kept")
}

/// Returns files in one sentence.
fn named(paths: &[String], language: Language) -> String {
    let names = paths.iter().take(NAMED).map(|path| format!("`{path}`"));
    let names: Vec<String> = names.collect();
    let more = paths.len().saturating_sub(NAMED);
    let shown = names.join(text!(language, "list-names"));
    if more == 0 {
        return shown;
    }
    text!(language, "undo-named", shown, more, all = paths.len())
}

/// The card that asks, since something else changed files in the meantime.
pub fn changed_since(request: &str, paths: &[String], language: Language) -> String {
    let head = text!(language, "undo-changed-since-head", request);
    let lines = paths.iter().map(|path| format!("- `{path}`"));
    listed(head, lines, language)
}

fn listed(
    head: String,
    lines: impl ExactSizeIterator<Item = String>,
    language: Language,
) -> String {
    let more = lines.len().saturating_sub(NAMED);
    let mut all = vec![head];
    all.extend(lines.take(NAMED));
    match more {
        0 => {}
        more => all.push(text!(language, "undo-listed", more)),
    }
    all.join("\n")
}

/// Its buttons.
pub fn labels(language: Language) -> (&'static str, &'static str) {
    (
        text!(language, "undo-put-back"),
        text!(language, "undo-leave-them"),
    )
}

/// The card after a yes.
pub fn puts_back(language: Language) -> &'static str {
    text!(language, "undo-puts-back")
}

/// The card after a no, or when it was asked anew.
pub fn left(language: Language) -> &'static str {
    text!(language, "undo-left")
}

/// The card that expired without an answer.
pub fn expired(language: Language) -> &'static str {
    text!(language, "undo-expired")
}

/// Nothing was changed, or all of it was put back.
pub fn nothing(language: Language) -> &'static str {
    text!(language, "undo-nothing")
}

/// The turn that changed files is not over.
pub fn not_over(language: Language) -> &'static str {
    text!(language, "undo-not-over")
}

/// It was somebody else's turn.
pub fn not_yours(language: Language) -> &'static str {
    text!(language, "undo-not-yours")
}

/// It was asked for before.
pub fn at_it(language: Language) -> &'static str {
    text!(language, "undo-at-it")
}
