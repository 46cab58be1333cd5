//! Reads patches between `*** Begin Patch` and `*** End Patch`.
//!
//! The format is that of the `apply_patch` tool of OpenAI's Codex (described in the GPT-4.1 prompting
//! guide, and as a grammar in `codex-rs/apply-patch`): sections `*** Add File:`, `*** Delete File:` and
//! `*** Update File:`, the last with an optional `*** Move to:` and hunks, which `@@` separates, with the
//! text behind it naming what they stand in, and `*** End of File` behind a hunk that ends there.
//! `\ No newline at end of file` is read as in unified diffs.

use super::error::{PatchError, SyntaxProblem, shortened};
use super::headers::{Numbers, is_no_newline, read_numbers};
use super::sections::{Body, Sections, added_text};
use super::syntax::{Action, Hunk, HunkLine, Patch, Repair};
use super::wrapping::{Line, dedented, inside_fences};

/// A line with `***` in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker<'a> {
    Begin,
    End,
    Add(&'a str),
    Delete(&'a str),
    Update(&'a str),
    MoveTo(&'a str),
    EndOfFile,
    Unknown,
}

/// Returns the place of the first line of a patch in this format, among lines that may be indented.
pub(super) fn find(lines: &[Line<'_>]) -> Option<usize> {
    lines.iter().position(|line| {
        matches!(
            marker(line.text.trim_start()),
            Some(Marker::Begin | Marker::Add(_) | Marker::Delete(_) | Marker::Update(_))
        )
    })
}

/// Reads a patch whose first line is at this place.
pub(super) fn parse(lines: &[Line<'_>], first: usize) -> Result<Patch, PatchError> {
    let mut sections = Sections::default();
    let unfenced = inside_unended_fence(lines, first)?;
    let (lines, first) = match &unfenced {
        Some(inside) => (inside.as_slice(), 0),
        None => (lines, first),
    };
    let unindented = dedented(lines, first);
    let patch = unindented.as_deref().or_else(|| lines.get(first..));
    sections.note_if(unindented.is_some(), Repair::Indented);
    sections.note_if(first > 0 || unfenced.is_some(), Repair::TextAround);
    let mut reader = Reader {
        lines: patch.unwrap_or_default(),
        at: 0,
        sections,
    };
    reader.read_all()?;
    reader.sections.finish()
}

/// A patch with both its ends has no need of fences. Without its end it ends where its fence does.
fn inside_unended_fence<'a>(
    lines: &[Line<'a>],
    first: usize,
) -> Result<Option<Vec<Line<'a>>>, PatchError> {
    let mut rest = lines.get(first..).unwrap_or_default().iter();
    if rest.any(|line| marker(line.text.trim_start()) == Some(Marker::End)) {
        return Ok(None);
    }
    inside_fences(lines, first)
}

/// Reads a marker; `None` for a line that is none. Its words are read in any case, and some are known by
/// the other words that models use for them.
fn marker(line: &str) -> Option<Marker<'_>> {
    let text = line.strip_prefix("***")?.trim();
    if text.is_empty() || text.starts_with('*') {
        return None;
    }
    let (words, path) = text.split_once(':').unwrap_or((text, ""));
    let words = words.trim().to_ascii_lowercase();
    Some(match words.as_str() {
        "begin patch" => Marker::Begin,
        "end patch" => Marker::End,
        "add file" | "create file" | "new file" => Marker::Add(path),
        "delete file" | "remove file" => Marker::Delete(path),
        "update file" | "modify file" | "edit file" | "change file" => Marker::Update(path),
        "move to" | "move file to" | "rename to" => Marker::MoveTo(path),
        "end of file" | "eof" => Marker::EndOfFile,
        _ => Marker::Unknown,
    })
}

struct Reader<'a> {
    lines: &'a [Line<'a>],
    at: usize,
    sections: Sections,
}

impl<'a> Reader<'a> {
    fn read_all(&mut self) -> Result<(), PatchError> {
        let mut is_open = false;
        let mut was_closed = false;
        while let Some(line) = self.next() {
            match marker(line.text) {
                Some(Marker::Begin) => is_open = true,
                Some(Marker::End) => {
                    self.sections.note_if(!is_open, Repair::MissingEnvelope);
                    is_open = false;
                    was_closed = true;
                }
                Some(Marker::Add(path)) => self.read_add(line, path)?,
                Some(Marker::Delete(path)) => self.read_delete(line, path)?,
                Some(Marker::Update(path)) => self.read_update(line, path)?,
                Some(Marker::MoveTo(_) | Marker::EndOfFile) => {
                    let text = shortened(line.text);
                    return Err(syntax(line, SyntaxProblem::Misplaced(text)));
                }
                Some(Marker::Unknown) if is_open => return Err(unknown(line)),
                // Text between and behind patches, unless a patch goes on there.
                None if is_open && !line.text.trim().is_empty() && self.sections.is_empty() => {
                    return Err(syntax(line, SyntaxProblem::NoFile));
                }
                Some(Marker::Unknown) | None => {
                    let is_text = !line.text.trim().is_empty();
                    self.sections.note_if(is_text, Repair::TextAround);
                }
            }
        }
        let is_whole = was_closed && !is_open;
        self.sections.note_if(!is_whole, Repair::MissingEnvelope);
        Ok(())
    }

    fn next(&mut self) -> Option<Line<'a>> {
        let line = self.lines.get(self.at).copied();
        self.at += usize::from(line.is_some());
        line
    }

    /// Returns the next line, if it is no marker.
    fn next_of_body(&mut self) -> Option<Line<'a>> {
        let line = self.lines.get(self.at)?;
        if marker(line.text).is_some() {
            return None;
        }
        self.next()
    }

    fn body(&mut self) -> Vec<Line<'a>> {
        std::iter::from_fn(|| self.next_of_body()).collect()
    }

    fn read_add(&mut self, line: Line<'_>, path: &str) -> Result<(), PatchError> {
        let path = self.sections.path(line, path)?;
        let body = self.body();
        self.check_marker()?;
        let text = added_text(&body, Body::MayBeBare, &mut self.sections)?;
        self.sections.push(path, Action::Add { text })
    }

    fn read_delete(&mut self, line: Line<'_>, path: &str) -> Result<(), PatchError> {
        let path = self.sections.path(line, path)?;
        let body = self.body();
        self.check_marker()?;
        let removed = body.iter().filter_map(|line| line.text.strip_prefix('-'));
        let removed: Vec<String> = removed.map(str::to_owned).collect();
        let other = body
            .iter()
            .find(|line| !line.text.starts_with(['-', '@']) && !line.text.trim().is_empty());
        if let Some(other) = other {
            let text = shortened(other.text);
            return Err(syntax(*other, SyntaxProblem::Misplaced(text)));
        }
        let lines = (!removed.is_empty()).then_some(removed);
        self.sections.push(path, Action::Delete { lines })
    }

    fn read_update(&mut self, line: Line<'_>, written: &str) -> Result<(), PatchError> {
        let path = self.sections.path(line, written)?;
        let mut move_to = None;
        let mut hunks = Hunks::default();
        self.skip_file_header();
        while let Some(next) = self.lines.get(self.at).copied() {
            match marker(next.text) {
                Some(Marker::MoveTo(target)) if move_to.is_none() => {
                    move_to = Some(self.sections.path(next, target)?);
                }
                Some(Marker::EndOfFile) => hunks.end_of_file(next)?,
                Some(Marker::Unknown) => return Err(unknown(next)),
                Some(_) => break,
                None => hunks.line(next)?,
            }
            self.at += 1;
        }
        let hunks = hunks.finish(&mut self.sections)?;
        let is_move = move_to.as_ref().is_some_and(|target| *target != path);
        let changes = hunks.iter().any(Hunk::changes);
        if !changes && !is_move {
            return Err(syntax(line, SyntaxProblem::NoHunks(path.to_string())));
        }
        self.sections.push(path, Action::Update { move_to, hunks })
    }

    /// Skips the names of a unified diff below `*** Update File:`.
    fn skip_file_header(&mut self) {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        if let [old, new, ..] = rest
            && old.text.starts_with("--- ")
            && new.text.starts_with("+++ ")
        {
            self.at += 2;
        }
    }

    /// A body ends at a marker of the format.
    fn check_marker(&self) -> Result<(), PatchError> {
        match self.lines.get(self.at) {
            Some(line) if marker(line.text) == Some(Marker::Unknown) => Err(unknown(*line)),
            Some(_) | None => Ok(()),
        }
    }
}

/// The hunks of a section while they are read.
#[derive(Default)]
struct Hunks {
    done: Vec<ReadHunk>,
    current: Option<ReadHunk>,
}

/// A hunk with the numbers behind its `@@`, if any.
struct ReadHunk {
    hunk: Hunk,
    numbers: Option<Numbers>,
}

impl Hunks {
    fn line(&mut self, line: Line<'_>) -> Result<(), PatchError> {
        if let Some(header) = line.text.strip_prefix("@@") {
            return self.header(line, header);
        }
        let is_blank = line.text.trim().is_empty();
        if is_blank && self.current.is_none() {
            return Ok(());
        }
        let current = self.current.get_or_insert_with(|| ReadHunk::at(line));
        if is_no_newline(line.text) {
            if let Some(last) = current.hunk.lines.last_mut() {
                last.is_without_newline = true;
            }
        } else if current.hunk.is_at_end {
            if !is_blank {
                let text = shortened(line.text);
                return Err(syntax(line, SyntaxProblem::Misplaced(text)));
            }
        } else {
            current.hunk.lines.push(HunkLine::read(line.text));
        }
        Ok(())
    }

    /// A line with `@@` begins a hunk, or says more about where the one that it begins stands.
    fn header(&mut self, line: Line<'_>, header: &str) -> Result<(), PatchError> {
        let goes_on = self
            .current
            .as_ref()
            .is_some_and(|it| it.hunk.lines.is_empty());
        if !goes_on {
            self.close(line)?;
        }
        let current = self.current.get_or_insert_with(|| ReadHunk::at(line));
        if let Some(numbers) = read_numbers(line.text) {
            current.numbers = Some(numbers);
            return Ok(());
        }
        let scope = header.trim_end().trim_end_matches("@@").trim_end();
        let scope = scope.strip_prefix(' ').unwrap_or(scope);
        if !matches!(scope.trim(), "" | "..." | "…") {
            current.hunk.scopes.push(scope.to_owned());
        }
        Ok(())
    }

    fn end_of_file(&mut self, line: Line<'_>) -> Result<(), PatchError> {
        let Some(current) = &mut self.current else {
            let text = shortened(line.text);
            return Err(syntax(line, SyntaxProblem::Misplaced(text)));
        };
        current.hunk.is_at_end = true;
        Ok(())
    }

    /// Ends the current hunk before this line.
    fn close(&mut self, line: Line<'_>) -> Result<(), PatchError> {
        let Some(current) = self.current.take() else {
            return Ok(());
        };
        if current.hunk.lines.iter().all(HunkLine::is_doubtful) {
            return Err(syntax(line, SyntaxProblem::EmptyHunk));
        }
        self.done.push(current);
        Ok(())
    }

    fn finish(mut self, sections: &mut Sections) -> Result<Vec<Hunk>, PatchError> {
        if let Some(current) = &self.current {
            let number = current.hunk.patch_line;
            self.close(Line { number, text: "" })?;
        }
        let hunks = self.done.into_iter().map(|read| {
            let ReadHunk { mut hunk, numbers } = read;
            hunk.take_numbers(numbers, sections);
            sections.note_bare(&hunk.lines);
            hunk
        });
        Ok(hunks.collect())
    }
}

impl ReadHunk {
    fn at(line: Line<'_>) -> Self {
        let hunk = Hunk {
            patch_line: line.number,
            ..Hunk::default()
        };
        Self {
            hunk,
            numbers: None,
        }
    }
}

impl Hunk {
    /// Whether it removes or adds a line.
    fn changes(&self) -> bool {
        self.old_lines().count() != self.lines.len() || self.new_lines().count() != self.lines.len()
    }

    /// Takes the line number of a header, if its counts agree with the lines.
    fn take_numbers(&mut self, numbers: Option<Numbers>, sections: &mut Sections) {
        let Some(numbers) = numbers else {
            return;
        };
        if numbers.fit(self) {
            self.old_start = Some(numbers.old_start);
            return;
        }
        sections.note_if(true, Repair::WrongCounts);
    }
}

fn unknown(line: Line<'_>) -> PatchError {
    syntax(line, SyntaxProblem::UnknownMarker(shortened(line.text)))
}

fn syntax(line: Line<'_>, problem: SyntaxProblem) -> PatchError {
    PatchError::Syntax {
        line: line.number,
        problem,
    }
}
