//! Places in sources: `file:line:column` in the spellings of compilers, and the frames of traces.

use std::fmt;

/// The longest file name that is taken for one, in bytes.
const FILE_LIMIT: usize = 400;

/// The most places that are kept of one trace.
const TRACE_PLACES: usize = 3;

/// A place in a source file. Lines and columns count from 1, as the tool counts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file as the tool names it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column, where the tool says one.
    pub column: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.line)?;
        match self.column {
            Some(column) => write!(out, ":{column}"),
            None => Ok(()),
        }
    }
}

impl Place {
    pub(super) fn new(file: &str, line: u32, column: Option<u32>) -> Self {
        Self {
            file: file.strip_prefix("file://").unwrap_or(file).to_owned(),
            line,
            column,
        }
    }

    /// Returns whether the file's name ends in an extension, given without its dot. Capitals count: for
    /// compilers `.C` is another language than `.c`.
    pub(super) fn has_extension(&self, extension: &str) -> bool {
        let name = self.file.rsplit_once('.');
        name.is_some_and(|(_, found)| found == extension)
    }

    /// Returns whether the file belongs to a standard library, an installed package or the runtime,
    /// so that an error is seldom to be mended there.
    pub(super) fn is_foreign(&self) -> bool {
        const PARTS: [&str; 9] = [
            "/site-packages/",
            "/lib/python3",
            "node_modules/",
            "/usr/lib/",
            "/usr/local/go/",
            "/usr/include/",
            "/go/pkg/mod/",
            "/rustc/",
            "/sysdeps/",
        ];
        const STARTS: [&str; 3] = ["node:", "<", "internal/"];
        PARTS.iter().any(|part| self.file.contains(part))
            || STARTS.iter().any(|start| self.file.starts_with(start))
    }
}

/// Reads digits at the beginning of a text; returns the number and what follows it.
pub(super) fn number(text: &str) -> Option<(u32, &str)> {
    let end = text
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

/// A place at the beginning of a line, and the text behind it.
pub(super) struct Leading<'a> {
    pub(super) place: Place,
    pub(super) rest: &'a str,
}

/// Reads `file:line` or `file:line:column` at the beginning of a text. `rest` begins behind it.
pub(super) fn leading(text: &str) -> Option<Leading<'_>> {
    let skip = if text.starts_with("file://") {
        7
    } else {
        drive(text)
    };
    let colon = text.get(skip..)?.find(':')? + skip;
    let file = text.get(..colon)?;
    if !is_file(file) {
        return None;
    }
    let (line, rest) = number(text.get(colon + 1..)?)?;
    let behind = rest.strip_prefix(':').and_then(number);
    let (column, rest) = match behind {
        Some((column, rest)) => (Some(column), rest),
        None => (None, rest),
    };
    let place = Place::new(file, line, column);
    Some(Leading { place, rest })
}

/// Reads a place that is the whole end of a text: `f (file:1:2)`, `at file:1:2`.
pub(super) fn trailing(text: &str) -> Option<Place> {
    let text = text.trim_end().trim_end_matches(')');
    let start = text
        .rfind(|letter: char| letter.is_whitespace() || letter == '(')
        .map_or(0, |at| at + 1);
    let found = leading(text.get(start..)?);
    // A frame's function may hold the opening bracket: `(file` is what counts.
    found
        .filter(|found| found.rest.is_empty())
        .map(|found| found.place)
}

/// Reads `file(line,column)`, as tsc and MSBuild write it.
pub(super) fn bracketed(text: &str) -> Option<Leading<'_>> {
    let open = text.find('(')?;
    let file = text.get(..open)?;
    let (line, rest) = number(text.get(open + 1..)?)?;
    let (column, rest) = match rest.strip_prefix(',').and_then(number) {
        Some((column, rest)) => (Some(column), rest),
        None => (None, rest),
    };
    let rest = rest.strip_prefix(')')?;
    is_file(file).then(|| Leading {
        place: Place::new(file, line, column),
        rest,
    })
}

/// Reads a frame of Python: `File "x.py", line 3, in f`.
pub(super) fn python_frame(line: &str) -> Option<Place> {
    let rest = line.trim_start().strip_prefix("File \"")?;
    let (file, rest) = rest.split_once("\", line ")?;
    let (line, _) = number(rest)?;
    (file.len() <= FILE_LIMIT).then(|| Place::new(file, line, None))
}

/// Returns the length of a drive's letter with its colon, as in `C:\x.c`.
fn drive(text: &str) -> usize {
    let mut letters = text.bytes();
    let is_drive = letters
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(b':')
        && matches!(letters.next(), Some(b'\\' | b'/'));
    if is_drive { 2 } else { 0 }
}

/// Returns whether a text can be the name of a source file: no spaces, and a folder or an extension
/// that begins with a letter, so that a time of day or an address with a port is none.
fn is_file(text: &str) -> bool {
    if text.is_empty() || text.len() > FILE_LIMIT || text.contains(char::is_whitespace) {
        return false;
    }
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let has_extension = extension.is_some_and(|extension| {
        extension.len() <= 12 && extension.starts_with(|letter: char| letter.is_ascii_alphabetic())
    });
    let starts_well = !text.starts_with(['(', '"', '\'', '[', '{', '=', '+', '|']);
    let is_known = matches!(name, "Makefile" | "Dockerfile" | "BUILD");
    let is_internal = text.starts_with("node:") || text.starts_with('<');
    starts_well
        && (has_extension || is_known || is_internal || text.contains('/'))
        && name.chars().any(char::is_alphabetic)
}

/// Collects the places of a trace, in either order.
#[derive(Default)]
pub(super) struct Trace {
    /// Frames of a kind that names the deepest one first.
    deepest_first: Vec<Place>,
    /// Frames of a kind that names the deepest one last.
    deepest_last: Vec<Place>,
}

impl Trace {
    /// Collects the frames in the lines of a report.
    pub(super) fn of<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut trace = Self::default();
        for line in lines {
            trace.line(line);
        }
        trace
    }

    /// Takes a line, which may hold a frame.
    fn line(&mut self, line: &str) {
        let text = line.trim();
        let quoted = text.strip_prefix("E ").map_or(text, str::trim_start);
        if let Some(place) = python_frame(quoted) {
            self.deepest_last.push(place);
        } else if let Some(place) = pytest_frame(line) {
            self.deepest_last.push(place);
        } else if let Some(place) = stack_frame(text) {
            self.deepest_first.push(place);
        }
    }

    /// Returns up to three places, the deepest first; those of libraries only where there are no others.
    pub(super) fn places(self) -> Vec<Place> {
        let mut all = self.deepest_first;
        all.extend(self.deepest_last.into_iter().rev());
        if all.iter().any(|place| !place.is_foreign()) {
            all.retain(|place| !place.is_foreign());
        }
        all.dedup_by(|left, right| left.file == right.file && left.line == right.line);
        all.truncate(TRACE_PLACES);
        all
    }
}

/// `tests/test_x.py:12: ValueError` and `x.py:3: in f`, which begin a line.
fn pytest_frame(line: &str) -> Option<Place> {
    let found = leading(line)?;
    let is_python = found.place.has_extension("py") || found.place.file.starts_with('<');
    (is_python && found.rest.starts_with(':')).then_some(found.place)
}

/// Frames of JavaScript, vitest, Go, Rust and sanitizers.
fn stack_frame(text: &str) -> Option<Place> {
    if let Some((_, at)) = text.split_once(" panicked at ") {
        return leading(at).map(|found| found.place);
    }
    if let Some((_, at)) = text.split_once("did not panic as expected at ") {
        return leading(at).map(|found| found.place);
    }
    if let Some(frame) = text.strip_prefix("at ").or_else(|| text.strip_prefix("❯ ")) {
        return trailing(frame);
    }
    if let Some((frame, offset)) = text.rsplit_once(" +0x") {
        let is_offset = offset.chars().all(|letter| letter.is_ascii_hexdigit());
        return is_offset.then(|| trailing(frame)).flatten();
    }
    if let Some(found) = leading(text) {
        let is_go = found.place.has_extension("go");
        return (is_go && (found.rest.is_empty() || found.rest.starts_with(": ")))
            .then_some(found.place);
    }
    if text.starts_with('#') && text.contains(" in ") {
        return trailing(text);
    }
    // The stack of a TAP report: `Stack.pop (file:///x.mjs:7:42)`.
    let is_frame = text.ends_with(')') && text.contains(" (");
    is_frame.then(|| trailing(text)).flatten()
}

#[cfg(test)]
mod tests {
    use super::{Trace, bracketed, leading, python_frame, trailing};

    fn shown(text: &str) -> Option<String> {
        leading(text).map(|found| format!("{}|{}", found.place, found.rest))
    }

    #[test]
    fn places_at_the_beginning_of_a_line() {
        assert_eq!(
            shown("src/a.rs:3:4: error").as_deref(),
            Some("src/a.rs:3:4|: error")
        );
        assert_eq!(
            shown("a.c:3: undefined").as_deref(),
            Some("a.c:3|: undefined")
        );
        assert_eq!(
            shown("C:\\x\\a.c:3:1: e").as_deref(),
            Some("C:\\x\\a.c:3:1|: e")
        );
        for text in [
            "12:30:45: late",
            "127.0.0.1:80: refused",
            "localhost:80",
            "a b.c:3:1",
            ":3",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn places_elsewhere() {
        let place = trailing("at f (file:///x/a.mjs:7:42)").map(|place| place.to_string());
        assert_eq!(place.as_deref(), Some("/x/a.mjs:7:42"));
        let place = bracketed("src/a.ts(4,58): error").map(|found| found.place.to_string());
        assert_eq!(place.as_deref(), Some("src/a.ts:4:58"));
        let place = python_frame("  File \"x.py\", line 3, in f").map(|place| place.to_string());
        assert_eq!(place.as_deref(), Some("x.py:3"));
    }

    #[test]
    fn the_deepest_place_outside_of_libraries_is_first() {
        let check = |lines: &[&str], expected: &[&str]| {
            let places = Trace::of(lines.iter().copied()).places();
            let shown: Vec<_> = places.iter().map(ToString::to_string).collect();
            assert_eq!(shown, expected);
        };
        check(
            &[
                "  File \"a.py\", line 1",
                "  File \"b.py\", line 2",
                "  File \"/usr/lib/x.py\", line 3",
            ],
            &["b.py:2", "a.py:1"],
        );
        check(
            &["    at read (node:fs:4:2)", "    at f (x.js:1:2)"],
            &["x.js:1:2"],
        );
        check(&["\t/home/x/price.go:4 +0x1a"], &["/home/x/price.go:4"]);
    }
}
