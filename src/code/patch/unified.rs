//! Reads unified diffs.
//!
//! The format is that of GNU diffutils (manual, "Detailed Description of Unified Format") with the
//! extended headers of Git (git-diff, "Generating patch text with -p"). Counts in `@@` lines delimit a
//! hunk where they are right; where they are wrong, which is common in what models write, a hunk ends at
//! the next header.

use super::error::{PatchError, SyntaxProblem, shortened};
use super::headers::{Numbers, is_no_newline, read_numbers};
use super::path::PatchPath;
use super::sections::{Body, Sections, added_text};
use super::syntax::{Action, Hunk, HunkLine, LineKind, Patch, Repair};
use super::unified_names::{Names, is_nowhere, read_git_names};
use super::wrapping::{Line, dedented, inside_fences};

/// Returns the place of the first line of a patch in this format, among lines that may be indented.
pub(super) fn find(lines: &[Line<'_>]) -> Option<usize> {
    (0..lines.len()).find(|at| {
        let mut rest = lines.iter().skip(*at).map(|line| line.text.trim_start());
        let first = rest.next().unwrap_or_default();
        let second = rest.next().unwrap_or_default();
        first.starts_with("diff --git ")
            || first.starts_with("GIT binary patch")
            || (first.starts_with("--- ") && second.starts_with("+++ "))
            || (first.starts_with("+++ ") && second.starts_with("@@"))
            || (first.starts_with("@@") && read_numbers(first).is_some())
    })
}

/// Reads a patch whose first line is at this place.
pub(super) fn parse(lines: &[Line<'_>], first: usize) -> Result<Patch, PatchError> {
    let mut sections = Sections::default();
    let unfenced = inside_fences(lines, first)?;
    let (lines, first) = match &unfenced {
        Some(inside) => (inside.as_slice(), 0),
        None => (lines, first),
    };
    let unindented = dedented(lines, first);
    let patch = unindented.as_deref().or_else(|| lines.get(first..));
    sections.note_if(unindented.is_some(), Repair::Indented);
    sections.note_if(unfenced.is_some(), Repair::TextAround);
    let mut reader = Reader {
        lines: patch.unwrap_or_default(),
        at: 0,
        sections,
        file: None,
    };
    while let Some(line) = reader.line(0) {
        reader.read(line)?;
    }
    reader.close()?;
    reader.sections.finish()
}

/// Whether a file exists before and after the patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Kept,
    Deleted,
    Added,
}

/// A file of the patch while it is read.
struct File<'a> {
    line: Line<'a>,
    names: Names,
    has_names: bool,
    fate: Fate,
    has_mode: bool,
    hunks: Vec<Hunk>,
    /// The lines of a new file, as they were written.
    body: Vec<Line<'a>>,
}

struct Reader<'a> {
    lines: &'a [Line<'a>],
    at: usize,
    sections: Sections,
    file: Option<File<'a>>,
}

impl<'a> Reader<'a> {
    fn line(&self, ahead: usize) -> Option<Line<'a>> {
        self.lines.get(self.at + ahead).copied()
    }

    fn text(&self, ahead: usize) -> &'a str {
        self.line(ahead).map_or("", |line| line.text)
    }

    fn read(&mut self, line: Line<'a>) -> Result<(), PatchError> {
        let text = line.text;
        let is_old = text.starts_with("--- ") && self.text(1).starts_with("+++ ");
        let is_new = text.starts_with("+++ ") && self.text(1).starts_with("@@");
        self.at += 1;
        if let Some(names) = text.strip_prefix("diff --git ") {
            self.close()?;
            let mut file = File::at(line);
            file.names = read_git_names(names).unwrap_or_default();
            self.file = Some(file);
        } else if is_old || is_new {
            self.read_names(line, is_old)?;
        } else if text.starts_with("@@") {
            self.read_hunk(line)?;
        } else if text.starts_with("GIT binary patch") || text.starts_with("Binary files ") {
            return Err(syntax(line, SyntaxProblem::Binary));
        } else if let Some(file) = self.file.as_mut().filter(|it| !it.has_names) {
            file.read_git_header(line)?;
        } else if is_signed(text) && !is_rule(text) {
            return Err(syntax(line, SyntaxProblem::Misplaced(shortened(text))));
        } else {
            self.sections
                .note_if(!text.trim().is_empty(), Repair::TextAround);
        }
        Ok(())
    }

    /// Reads `---` and `+++`, or `+++` alone.
    fn read_names(&mut self, line: Line<'a>, has_old: bool) -> Result<(), PatchError> {
        let is_git_file = self.file.as_ref().is_some_and(|file| !file.has_names);
        if !is_git_file {
            self.close()?;
        }
        let new = if has_old { self.text(0) } else { line.text };
        let old = if has_old { line.text } else { "" };
        self.at += usize::from(has_old);
        let file = self.file.get_or_insert_with(|| File::at(line));
        file.has_names = true;
        let old = old.strip_prefix("--- ");
        let new = new.strip_prefix("+++ ").unwrap_or_default();
        if is_nowhere(new) {
            file.becomes(Fate::Deleted);
        }
        if old.is_some_and(is_nowhere) {
            file.becomes(Fate::Added);
        }
        file.names.set_headers(old, new);
        Ok(())
    }

    fn read_hunk(&mut self, line: Line<'a>) -> Result<(), PatchError> {
        if self.file.is_none() {
            return Err(syntax(line, SyntaxProblem::NoFile));
        }
        let numbers = read_numbers(line.text);
        let body = self.body(numbers);
        let mut hunk = read_lines(line, body);
        let counts_fit = numbers.is_some_and(|numbers| numbers.fit(&mut hunk));
        hunk.old_start = numbers.filter(|_| counts_fit).map(|it| it.old_start);
        self.sections.note_if(!counts_fit, Repair::WrongCounts);
        self.sections.note_bare(&hunk.lines);
        if hunk.lines.iter().all(HunkLine::is_doubtful) {
            return Err(syntax(line, SyntaxProblem::EmptyHunk));
        }
        if let Some(file) = &mut self.file {
            file.has_names = true;
            file.body.extend(body);
            file.hunks.push(hunk);
        }
        Ok(())
    }

    /// Takes the lines of a hunk: as many as it counts, if a hunk may end there; else all up to the
    /// next header.
    fn body(&mut self, numbers: Option<Numbers>) -> &'a [Line<'a>] {
        let lines = self.lines.get(self.at..).unwrap_or_default();
        let counted = numbers.and_then(|numbers| counted(lines, numbers));
        let length = counted.unwrap_or_else(|| {
            let headers = (0..lines.len()).find(|at| is_header(&lines[*at..]));
            headers.unwrap_or(lines.len())
        });
        self.at += length;
        lines.get(..length).unwrap_or_default()
    }

    /// Ends the current file.
    fn close(&mut self) -> Result<(), PatchError> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let line = file.line;
        let names = file.names.judged(line)?;
        let path = self.sections.path(line, &names.old)?;
        let move_to = match &names.new {
            Some(new) => Some(self.sections.path(line, new)?),
            None => None,
        };
        if file.fate == Fate::Added {
            let text = added_text(&file.body, Body::Signed, &mut self.sections)?;
            return self.sections.push(path, Action::Add { text });
        }
        if file.fate == Fate::Deleted {
            let lines = file.deleted_lines()?;
            return self.sections.push(path, Action::Delete { lines });
        }
        self.sections.note_if(file.has_mode, Repair::ModeIgnored);
        file.check_changes(&path, move_to.as_ref())?;
        let hunks = file.hunks;
        self.sections.push(path, Action::Update { move_to, hunks })
    }
}

impl<'a> File<'a> {
    fn at(line: Line<'a>) -> Self {
        Self {
            line,
            names: Names::default(),
            has_names: false,
            fate: Fate::Kept,
            has_mode: false,
            hunks: Vec::new(),
            body: Vec::new(),
        }
    }

    /// Notes what the headers say of the file. Where they contradict each other it is new.
    fn becomes(&mut self, fate: Fate) {
        self.fate = self.fate.max(fate);
    }

    /// Reads a line between `diff --git` and `---`.
    fn read_git_header(&mut self, line: Line<'_>) -> Result<(), PatchError> {
        let text = line.text;
        let unsupported = |what| Err(syntax(line, SyntaxProblem::Unsupported(what)));
        let mode = [
            "new file mode ",
            "old mode ",
            "new mode ",
            "deleted file mode ",
        ];
        let mode = mode.iter().find_map(|words| text.strip_prefix(words));
        match mode.map(str::trim) {
            Some("120000") => return unsupported("a symbolic link"),
            Some("160000") => return unsupported("a submodule"),
            Some(_) | None => {}
        }
        if text.starts_with("new file mode ") {
            self.becomes(Fate::Added);
        }
        if text.starts_with("deleted file mode ") {
            self.becomes(Fate::Deleted);
        }
        self.has_mode |= text.starts_with("new mode ");
        if let Some(from) = text.strip_prefix("rename from ") {
            self.names.rename_from = Some(from.to_owned());
        } else if let Some(to) = text.strip_prefix("rename to ") {
            self.names.rename_to = Some(to.to_owned());
        } else if text.starts_with("copy from ") || text.starts_with("copy to ") {
            return unsupported("a copy");
        } else if is_signed(text) && !text.starts_with("--- ") && !text.starts_with("+++ ") {
            return Err(syntax(line, SyntaxProblem::Misplaced(shortened(text))));
        }
        Ok(())
    }

    /// Returns the lines of a deleted file, where the patch has them.
    fn deleted_lines(&self) -> Result<Option<Vec<String>>, PatchError> {
        let mut lines = Vec::new();
        for line in self.hunks.iter().flat_map(|hunk| &hunk.lines) {
            match line.kind {
                LineKind::Removed => lines.push(line.text.clone()),
                LineKind::Context if line.is_doubtful() => {}
                LineKind::Context | LineKind::Added => {
                    let text = shortened(&line.text);
                    return Err(syntax(self.line, SyntaxProblem::Misplaced(text)));
                }
            }
        }
        Ok((!self.hunks.is_empty()).then_some(lines))
    }

    /// A file that is updated changes, or is moved.
    fn check_changes(
        &self,
        path: &PatchPath,
        move_to: Option<&PatchPath>,
    ) -> Result<(), PatchError> {
        let mut lines = self.hunks.iter().flat_map(|hunk| &hunk.lines);
        let changes = lines.any(|line| line.kind != LineKind::Context);
        if changes || move_to.is_some_and(|target| target != path) {
            return Ok(());
        }
        if self.has_mode {
            return Err(syntax(
                self.line,
                SyntaxProblem::Unsupported("a change of a file's mode"),
            ));
        }
        Err(syntax(self.line, SyntaxProblem::NoHunks(path.to_string())))
    }
}

/// Reads the lines of a hunk.
fn read_lines(header: Line<'_>, body: &[Line<'_>]) -> Hunk {
    let mut lines: Vec<HunkLine> = Vec::with_capacity(body.len());
    for line in body {
        if !is_no_newline(line.text) {
            lines.push(HunkLine::read(line.text));
        } else if let Some(last) = lines.last_mut() {
            last.is_without_newline = true;
        }
    }
    Hunk {
        patch_line: header.number,
        lines,
        ..Hunk::default()
    }
}

/// Returns how many lines a hunk takes by its counts; `None` where it cannot end there.
fn counted(lines: &[Line<'_>], numbers: Numbers) -> Option<usize> {
    let (mut old, mut new) = (numbers.old_count, numbers.new_count);
    let mut length = 0;
    while old > 0 || new > 0 {
        let text = lines.get(length)?.text;
        length += 1;
        if is_no_newline(text) {
            continue;
        }
        let kind = HunkLine::read(text).kind;
        old = old.checked_sub(usize::from(kind != LineKind::Added))?;
        new = new.checked_sub(usize::from(kind != LineKind::Removed))?;
    }
    let has_marker = |line: &Line<'_>| is_no_newline(line.text);
    length += usize::from(lines.get(length).is_some_and(has_marker));
    let behind = lines.get(length..)?;
    let blank = behind
        .iter()
        .take_while(|line| line.text.trim().is_empty())
        .count();
    let rest = behind.get(blank..)?;
    let next = rest.first().map_or("", |line| line.text);
    let may_end = !is_signed(next) && !next.starts_with(' ');
    (may_end || is_header(rest)).then_some(length)
}

/// Returns whether a header begins here, or the signature of a mail.
fn is_header(lines: &[Line<'_>]) -> bool {
    let text = |at: usize| lines.get(at).map_or("", |line: &Line<'_>| line.text);
    let first = text(0);
    let is_signature = first == "-- " && text(1).starts_with(|it: char| it.is_ascii_digit());
    first.starts_with("@@")
        || first.starts_with("diff --git ")
        || first.starts_with("Index: ")
        || is_signature
        || (first.starts_with("--- ") && text(1).starts_with("+++ ") && text(2).starts_with("@@"))
}

/// Returns whether a line is one of hyphens alone, as mails have between their parts.
fn is_rule(line: &str) -> bool {
    line.trim_end().chars().all(|letter| letter == '-')
}

fn is_signed(line: &str) -> bool {
    line.starts_with(['+', '-'])
}

fn syntax(line: Line<'_>, problem: SyntaxProblem) -> PatchError {
    PatchError::Syntax {
        line: line.number,
        problem,
    }
}
