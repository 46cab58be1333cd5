//! Writes a patch for changes of files, in both formats.

use std::fmt::Write as _;
use std::ops::Range;

use super::application::{Applied, FileText, Files, apply};
use super::change::{ChangeKind, FileChange};
use super::limits::HUNKS;
use super::line_diff::{Span, spans};
use super::line_text::{Ending, LineText, TextLine};
use super::parse;
use super::path::PatchPath;
use super::seek::{Allowance, Pass, Seeker};

/// How many lines stay above and below a change, at least.
const CONTEXT: usize = 3;
const NO_NEWLINE: &str = "\\ No newline at end of file\n";

/// The formats of patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatchFormat {
    /// Between `*** Begin Patch` and `*** End Patch`.
    Envelope,
    /// A unified diff with the headers of Git.
    Unified,
}

/// Changes that the format has no words for: line ends or a byte order mark that change, a carriage
/// return within the text, a name with signs around it. Or the patch is beyond the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the changes cannot be written as a patch")]
pub struct Unrepresentable;

/// Writes a patch that makes these changes. Each hunk has as many lines around it as it needs to fit in one
/// place only. What is written was read and applied again, with the same result.
pub fn write(format: PatchFormat, changes: &[FileChange]) -> Result<String, Unrepresentable> {
    let mut patch = String::new();
    for change in changes {
        match format {
            PatchFormat::Envelope => envelope(&mut patch, change),
            PatchFormat::Unified => unified(&mut patch, change),
        }
    }
    if format == PatchFormat::Envelope {
        patch = format!("*** Begin Patch\n{patch}*** End Patch\n");
    }
    let applied = parse(&patch).and_then(|patch| apply(&patch, &Before(changes)));
    let is_same = applied.is_ok_and(|applied| is_same(&applied, changes));
    is_same.then_some(patch).ok_or(Unrepresentable)
}

/// The files before some changes.
struct Before<'a>(&'a [FileChange]);

impl Files for Before<'_> {
    fn text(&self, path: &PatchPath) -> FileText<'_> {
        let mut changes = self.0.iter();
        let change = changes.find(|change| old_path(change) == path.as_str());
        let before = change.and_then(|change| change.before.as_deref());
        before.map_or(FileText::Missing, |text| FileText::Text(text.into()))
    }
}

fn is_same(applied: &Applied, changes: &[FileChange]) -> bool {
    let is_made = |change: &FileChange| applied.changes.contains(change);
    applied.changes.len() == changes.len() && changes.iter().all(is_made)
}

fn old_path(change: &FileChange) -> &str {
    change.moved_from.as_deref().unwrap_or(&change.path)
}

fn envelope(patch: &mut String, change: &FileChange) {
    let path = old_path(change);
    let (old, new) = texts(change);
    let header = match change.kind() {
        ChangeKind::Added => {
            let _ = writeln!(patch, "*** Add File: {path}");
            let mut sign = if new.has_mark { "+\u{feff}" } else { "+" };
            for line in &new.lines {
                push_line(patch, sign, line);
                sign = "+";
            }
            return;
        }
        ChangeKind::Deleted => format!("*** Delete File: {path}\n"),
        ChangeKind::Updated => format!("*** Update File: {path}\n"),
        ChangeKind::Moved => format!("*** Update File: {path}\n*** Move to: {}\n", change.path),
    };
    patch.push_str(&header);
    if change.kind() == ChangeKind::Deleted {
        return;
    }
    for window in windows(change, &old) {
        patch.push_str("@@\n");
        push_window(patch, &window, &old, &new);
        if window.old.end == old.lines.len() && !window.old.is_empty() {
            patch.push_str("*** End of File\n");
        }
    }
}

fn unified(patch: &mut String, change: &FileChange) {
    let (old_path, new_path) = (old_path(change), change.path.as_str());
    let (old, new) = texts(change);
    // Writing to a string cannot fail.
    let _ = writeln!(
        patch,
        "diff --git {} {}",
        quoted("a/", old_path),
        quoted("b/", new_path)
    );
    let (mut old_name, mut new_name) = (quoted("a/", old_path), quoted("b/", new_path));
    match change.kind() {
        ChangeKind::Added => {
            patch.push_str("new file mode 100644\n");
            "/dev/null".clone_into(&mut old_name);
        }
        ChangeKind::Deleted => {
            patch.push_str("deleted file mode 100644\n");
            "/dev/null".clone_into(&mut new_name);
        }
        ChangeKind::Moved => {
            let (from, to) = (quoted("", old_path), quoted("", new_path));
            let _ = writeln!(patch, "rename from {from}\nrename to {to}");
        }
        ChangeKind::Updated => {}
    }
    let windows = windows(change, &old);
    if !windows.is_empty() {
        let _ = writeln!(patch, "--- {old_name}\n+++ {new_name}");
    }
    for window in windows {
        let (old_range, new_range) = (numbers(&window.old), numbers(&window.new));
        let _ = writeln!(patch, "@@ -{old_range} +{new_range} @@");
        push_window(patch, &window, &old, &new);
    }
}

/// Returns a name as Git writes it: in quotes if it has one in it.
fn quoted(prefix: &str, path: &str) -> String {
    if path.contains('"') {
        return format!("\"{prefix}{}\"", path.replace('"', "\\\""));
    }
    format!("{prefix}{path}")
}

/// Returns a range as `@@` lines have it: an empty one begins at the line above it.
fn numbers(range: &Range<usize>) -> String {
    let start = if range.is_empty() {
        range.start
    } else {
        range.start + 1
    };
    match range.len() {
        1 => start.to_string(),
        length => format!("{start},{length}"),
    }
}

fn texts(change: &FileChange) -> (LineText<'_>, LineText<'_>) {
    (
        LineText::new(change.old_text()),
        LineText::new(change.new_text()),
    )
}

/// A hunk: the spans that change, and the lines around them.
struct Window {
    old: Range<usize>,
    new: Range<usize>,
    spans: Vec<Span>,
}

/// Returns the hunks of a change. Lines are added around those that fit in more than one place, until each
/// fits in one only; the whole file does, at the latest.
fn windows(change: &FileChange, old: &LineText<'_>) -> Vec<Window> {
    let spans = spans(change.old_text(), change.new_text());
    let mut contexts = vec![CONTEXT; spans.len()];
    let mut seeker = Seeker::new(&old.lines);
    let mut allowance = Allowance::default();
    loop {
        let windows = merged(&spans, &contexts, old.lines.len());
        let mut at = 0;
        let mut from = 0;
        let mut is_done = windows.len() <= HUNKS;
        for window in &windows {
            let wanted = old.lines.get(window.old.clone()).unwrap_or_default();
            let wanted: Vec<&str> = wanted.iter().map(|line| line.text).collect();
            let places = seeker.places(Pass::Exact, &wanted, from, &mut allowance);
            let Ok(places) = places else {
                contexts.fill(old.lines.len());
                return merged(&spans, &contexts, old.lines.len());
            };
            let is_unique = wanted.is_empty() || places.len() == 1;
            if !is_unique || windows.len() > HUNKS {
                for context in &mut contexts[at..at + window.spans.len()] {
                    *context = context.saturating_mul(2);
                }
            }
            is_done &= is_unique;
            at += window.spans.len();
            from = window.old.end;
        }
        if is_done {
            return windows;
        }
    }
}

/// Returns spans with some lines around each, as many as `contexts` says; those that touch become one hunk.
fn merged(spans: &[Span], contexts: &[usize], lines: usize) -> Vec<Window> {
    let mut windows: Vec<Window> = Vec::new();
    for (span, context) in spans.iter().zip(contexts) {
        let mut own = Window {
            old: span.old.start.saturating_sub(*context)
                ..span.old.end.saturating_add(*context).min(lines),
            new: span.new.clone(),
            spans: Vec::new(),
        };
        let apart = windows
            .iter()
            .rposition(|last| last.old.end < own.old.start);
        for last in windows.drain(apart.map_or(0, |at| at + 1)..) {
            own.old.start = own.old.start.min(last.old.start);
            own.old.end = own.old.end.max(last.old.end);
            own.spans.extend(last.spans);
        }
        own.spans.push(span.clone());
        windows.push(own);
    }
    for window in &mut windows {
        if let (Some(first), Some(last)) = (window.spans.first(), window.spans.last()) {
            let above = first.old.start - window.old.start;
            let below = window.old.end - last.old.end;
            window.new = first.new.start - above..last.new.end + below;
        }
    }
    windows
}

fn push_window(patch: &mut String, window: &Window, old: &LineText<'_>, new: &LineText<'_>) {
    let mut at = window.old.start;
    let mut push = |sign: &str, lines: &[TextLine<'_>], range: Range<usize>| {
        for line in lines.get(range).unwrap_or_default() {
            push_line(patch, sign, line);
        }
    };
    for span in &window.spans {
        push(" ", &old.lines, at..span.old.start);
        push("-", &old.lines, span.old.clone());
        push("+", &new.lines, span.new.clone());
        at = span.old.end;
    }
    push(" ", &old.lines, at..window.old.end);
}

fn push_line(patch: &mut String, sign: &str, line: &TextLine<'_>) {
    patch.push_str(sign);
    patch.push_str(line.text);
    patch.push('\n');
    if line.ending == Ending::None {
        patch.push_str(NO_NEWLINE);
    }
}
