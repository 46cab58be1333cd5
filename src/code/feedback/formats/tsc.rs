//! Diagnostics of TypeScript's compiler, plain and pretty, and of tools that write
//! `file(line,column): error CODE: message` as well (MSBuild).

use super::super::chain::OutputParser;
use super::super::findings::{Diagnostic, Findings, Severity, Tool};
use super::super::place::{bracketed, leading};

#[derive(Default)]
pub(super) struct Tsc {
    /// The latest diagnostic, whose lines may follow.
    open: Option<Severity>,
    /// The blank lines since then: one stands above the excerpt, one below.
    blanks: usize,
    /// In the list of files at the end.
    is_listing: bool,
}

impl OutputParser for Tsc {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if let Some(diagnostic) = plain(line).or_else(|| pretty(line)) {
            findings.saw(Tool::Tsc);
            self.open = Some(diagnostic.severity);
            self.blanks = 0;
            findings.diagnostic(diagnostic);
            return true;
        }
        if is_total(line) {
            self.open = None;
            return true;
        }
        if line.starts_with("Errors  Files") {
            self.is_listing = true;
            return true;
        }
        if self.is_listing {
            self.is_listing = line.starts_with(' ');
            return self.is_listing;
        }
        self.below(line, findings)
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

impl Tsc {
    fn below(&mut self, line: &str, findings: &mut Findings) -> bool {
        let Some(severity) = self.open else {
            return false;
        };
        if line.trim().is_empty() {
            self.blanks += 1;
            if self.blanks >= 2 {
                self.open = None;
            }
            return true;
        }
        let is_source = self.blanks == 1;
        if !is_source && !line.starts_with(' ') {
            self.open = None;
            return false;
        }
        findings.excerpt_line(severity, line);
        true
    }
}

/// Reads `src/a.ts(4,58): error TS2339: message`.
fn plain(line: &str) -> Option<Diagnostic> {
    if let Some(found) = bracketed(line) {
        let diagnostic = coded(found.rest.strip_prefix(": ")?)?;
        return Some(diagnostic.at([found.place]));
    }
    let is_global = line.starts_with("error TS");
    if is_global { coded(line) } else { None }
}

/// Reads `src/a.ts:4:58 - error TS2339: message`.
fn pretty(line: &str) -> Option<Diagnostic> {
    let found = leading(line)?;
    let diagnostic = coded(found.rest.strip_prefix(" - ")?)?;
    Some(diagnostic.at([found.place]))
}

/// Reads `error TS2339: message`.
fn coded(text: &str) -> Option<Diagnostic> {
    let (severity, rest) = match text.split_once(' ')? {
        ("error", rest) => (Severity::Error, rest),
        ("warning", rest) => (Severity::Warning, rest),
        _ => return None,
    };
    let (code, message) = rest.split_once(':')?;
    let is_code = code.trim().chars().all(char::is_alphanumeric);
    is_code.then(|| Diagnostic::new(severity, message).code(Some(code.trim())))
}

/// Returns whether a line is `Found 42 errors in 10 files.`
fn is_total(line: &str) -> bool {
    line.starts_with("Found ")
        && (line.contains(" error in ")
            || line.contains(" errors in ")
            || line.contains(" errors."))
}
