//! Diagnostics of one line that begin with a place: GCC, clang, linkers, `go build`, `go vet`, mypy,
//! ruff, ESLint's "unix" and "compact", javac, rustc's "short"; errors of make; sanitizers.

use super::super::chain::OutputParser;
use super::super::findings::{Diagnostic, Findings, Severity, Tool};
use super::super::place::{Place, leading, number, trailing};

#[derive(Default)]
pub(super) struct Compilers {
    /// The latest diagnostic's lines may follow.
    open: Option<Excerpt>,
}

/// The lines below a diagnostic of GCC or clang.
struct Excerpt {
    /// `None` below a note, whose lines are dropped.
    severity: Option<Severity>,
    lines: usize,
}

/// The most lines of an excerpt.
const EXCERPT: usize = 8;

impl OutputParser for Compilers {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if let Some(found) = diagnostic(line, findings) {
            let Found::Diagnostic(diagnostic) = found else {
                self.open = Some(Excerpt {
                    severity: None,
                    lines: 0,
                });
                return true;
            };
            let is_drawn = diagnostic
                .places
                .first()
                .is_some_and(|place| place.column.is_some() && !place.has_extension("go"));
            let severity = diagnostic.severity;
            let is_repeated =
                matches!(diagnostic.code.as_deref(), Some(code) if !code.starts_with('-'));
            findings.diagnostic(diagnostic);
            self.open = (is_drawn && !is_repeated).then_some(Excerpt {
                severity: Some(severity),
                lines: 0,
            });
            return true;
        }
        if self.excerpt_line(line, findings) {
            return true;
        }
        self.open = None;
        is_context(line) || unplaced(line, findings)
    }
}

enum Found {
    Diagnostic(Diagnostic),
    Note,
}

impl Compilers {
    /// Takes a line of the source or of its marks.
    fn excerpt_line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        let text = line.trim_start();
        let behind = text
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .trim_start();
        let is_gutter = line.starts_with(' ') && behind.starts_with('|');
        let is_mark = line.starts_with(' ') && text.starts_with(['^', '~']);
        // clang draws the source without a margin, right below the message.
        let is_first = open.lines == 0 && !line.trim().is_empty();
        let is_hint = line.starts_with("    ") && open.lines > 0;
        if open.lines >= EXCERPT || !(is_gutter || is_mark || is_first || is_hint) {
            return false;
        }
        open.lines += 1;
        if let Some(severity) = open.severity {
            findings.excerpt_line(severity, line);
        }
        true
    }
}

/// Reads a diagnostic that begins with its place.
fn diagnostic(line: &str, findings: &mut Findings) -> Option<Found> {
    let line = strip_program(line);
    if let Some(found) = compact(line) {
        findings.saw(Tool::Eslint);
        return Some(Found::Diagnostic(found));
    }
    let found = leading(line)?;
    let rest = found.rest.strip_prefix(':')?.trim_start();
    if rest.starts_with("note: ")
        || rest.starts_with("remark: ")
        || rest.trim_start().starts_with("required from ")
    {
        return Some(Found::Note);
    }
    let place = found.place;
    let diagnostic = worded(rest)
        .or_else(|| unix(rest, findings))
        .or_else(|| coded(rest))
        .or_else(|| linked(rest))
        .or_else(|| go(&place, rest, findings))?;
    if matches!(diagnostic.code.as_deref(), Some(code) if code.starts_with("-W"))
        || place.has_extension("c")
    {
        findings.saw(Tool::Gcc);
    }
    Some(Found::Diagnostic(diagnostic.at([place])))
}

/// Reads `error: message [-Wflag]`, with the words for how bad it is.
fn worded(rest: &str) -> Option<Diagnostic> {
    const WORDS: [(&str, Severity); 6] = [
        ("fatal error: ", Severity::Error),
        ("internal compiler error: ", Severity::Error),
        ("error: ", Severity::Error),
        ("Error: ", Severity::Error),
        ("warning: ", Severity::Warning),
        ("Warning: ", Severity::Warning),
    ];
    let word = WORDS
        .iter()
        .find_map(|(word, severity)| Some((rest.strip_prefix(word)?, *severity)));
    if let Some((message, severity)) = word {
        let (message, code) = match message.trim_end().rsplit_once(" [") {
            Some((said, code)) if code.ends_with(']') && !code.contains(' ') => {
                (said, Some(code.trim_end_matches(']')))
            }
            _ => (message, None),
        };
        return Some(Diagnostic::new(severity, message).code(code));
    }
    // rustc's short format: `error[E0308]: message`.
    let (severity, rest) = match rest.strip_prefix("error[") {
        Some(rest) => (Severity::Error, rest),
        None => (Severity::Warning, rest.strip_prefix("warning[")?),
    };
    let (code, message) = rest.split_once("]: ")?;
    Some(Diagnostic::new(severity, message).code(Some(code)))
}

/// Reads ESLint's "unix": `message [Error/rule]`.
fn unix(rest: &str, findings: &mut Findings) -> Option<Diagnostic> {
    let (message, end) = rest.strip_suffix(']')?.rsplit_once(" [")?;
    let (word, rule) = match end.split_once('/') {
        Some((word, rule)) => (word, Some(rule)),
        None => (end, None),
    };
    let severity = match word {
        "Error" => Severity::Error,
        "Warning" => Severity::Warning,
        _ => return None,
    };
    findings.saw(Tool::Eslint);
    Some(Diagnostic::new(severity, message).code(rule))
}

/// Reads ESLint's "compact": `file: line 1, col 2, Error - message (rule)`.
fn compact(line: &str) -> Option<Diagnostic> {
    let (file, rest) = line.split_once(": line ")?;
    let (at, rest) = number(rest)?;
    let (column, rest) = number(rest.strip_prefix(", col ")?)?;
    let rest = rest.strip_prefix(", ")?;
    let (word, message) = rest.split_once(" - ")?;
    let severity = if word == "Error" {
        Severity::Error
    } else {
        Severity::Warning
    };
    let (message, rule) = match message
        .strip_suffix(')')
        .and_then(|said| said.rsplit_once(" ("))
    {
        Some((said, rule)) if !rule.contains(' ') => (said, Some(rule)),
        _ => (message, None),
    };
    Some(
        Diagnostic::new(severity, message)
            .code(rule)
            .at([Place::new(file, at, Some(column))]),
    )
}

/// Reads a linter's code: `F401 [*] message` of ruff, `W0612: message` of pylint.
fn coded(rest: &str) -> Option<Diagnostic> {
    let (code, message) = rest.split_once(' ')?;
    let code = code.trim_end_matches(':');
    let digits = code.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let is_code = digits.len() < code.len()
        && !digits.is_empty()
        && code.len() <= 10
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_syntax = matches!(code, "SyntaxError" | "invalid-syntax");
    if !is_code && !is_syntax {
        return None;
    }
    let message = message.strip_prefix("[*] ").unwrap_or(message);
    Some(Diagnostic::error(message).code(Some(code)))
}

/// Reads what linkers say behind a place.
fn linked(rest: &str) -> Option<Diagnostic> {
    const SIGNS: [&str; 2] = ["undefined reference to ", "multiple definition of "];
    SIGNS
        .iter()
        .any(|sign| rest.starts_with(sign))
        .then(|| Diagnostic::error(rest))
}

/// Reads an error of `go build` or `go vet`, which has no word for how bad it is.
fn go(place: &Place, rest: &str, findings: &mut Findings) -> Option<Diagnostic> {
    if !place.has_extension("go") || rest.is_empty() {
        return None;
    }
    findings.saw(Tool::Go);
    Some(Diagnostic::error(rest))
}

/// Returns a line without the program that says it: `/usr/bin/ld: `, `vet: `.
fn strip_program(line: &str) -> &str {
    match line.split_once(": ") {
        Some(("vet", rest)) => rest,
        Some((program, rest)) if program.ends_with("/ld") || program == "ld" => rest,
        _ => line,
    }
}

/// Returns whether a line only says where the next diagnostic comes from, or how many there were.
fn is_context(line: &str) -> bool {
    let text = line.trim_start();
    let is_origin = line.starts_with("In file included from ")
        || line.starts_with("                 from ")
        || leading(line).is_some_and(|found| {
            let rest = found.rest.trim_start_matches(':').trim_start();
            rest.starts_with("required from") || rest.starts_with("in ") || rest.starts_with("In ")
        })
        || is_enclosing(line);
    let is_total = line.ends_with(" generated.")
        && text.starts_with(|letter: char| letter.is_ascii_digit())
        || line == "compilation terminated."
        || line.starts_with("Found ") && line.contains(" error");
    is_origin || is_total || is_package(line)
}

/// Returns whether a line is like `list.c: In function ‘f’:`.
fn is_enclosing(line: &str) -> bool {
    line.ends_with(':')
        && line.split_once(": ").is_some_and(|(_, rest)| {
            [
                "In function",
                "In member function",
                "In instantiation",
                "In constructor",
                "At top level",
            ]
            .iter()
            .any(|start| rest.starts_with(start))
        })
}

/// Returns whether a line is the title of a Go package: `# example.com/shop`.
fn is_package(line: &str) -> bool {
    let Some(package) = line.strip_prefix("# ") else {
        return false;
    };
    let package = package.split(" [").next().unwrap_or(package);
    package.contains('/') && !package.contains(' ')
}

/// Reads errors that have no place at their beginning.
fn unplaced(line: &str, findings: &mut Findings) -> bool {
    if let Some(rest) = line.strip_prefix("SUMMARY: ")
        && rest.contains("Sanitizer: ")
    {
        let place = rest.split(' ').find_map(trailing);
        findings.diagnostic(Diagnostic::error(rest).at(place));
        return true;
    }
    let is_make = line.starts_with("make") && line.contains(": *** ");
    let is_linker = line.contains(": undefined reference to ")
        || line.contains(": multiple definition of ")
        || line.contains("ld: cannot find ")
        || line.contains("ld: error: ");
    let program = line
        .split_once(": ")
        .filter(|(program, _)| is_program(program));
    let is_program_error = program.is_some_and(|(_, rest)| {
        rest.starts_with("error: ")
            || rest.starts_with("fatal error: ")
            || rest.starts_with("fatal: ")
    });
    if is_make {
        findings.saw(Tool::Make);
    }
    let is_error = is_make || is_linker || is_program_error;
    if is_error {
        findings.diagnostic(Diagnostic::error(strip_program(line)));
    }
    is_error
}

/// Returns whether a text can be the name of a program.
fn is_program(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "+-_./".contains(letter);
    !text.is_empty() && text.len() <= 60 && text.chars().all(is_letter)
}
