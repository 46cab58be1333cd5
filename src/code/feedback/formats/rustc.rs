//! Diagnostics as rustc draws them, what cargo says around them, and tools that draw alike (clippy,
//! ruff).

use super::super::chain::OutputParser;
use super::super::findings::{Diagnostic, Findings, Severity, Tool};
use super::super::place::leading;

#[derive(Default)]
pub(super) struct Rustc {
    open: Option<Open>,
    /// The line before, which may be the title of what ruff draws.
    previous: String,
    /// The latest error has no place, so that its causes may follow.
    may_have_causes: bool,
}

/// A diagnostic whose lines are being read.
struct Open {
    diagnostic: Diagnostic,
    excerpt: Vec<String>,
}

impl OutputParser for Rustc {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if self.open.is_some() {
            return self.open_line(line, findings);
        }
        if is_summary(line) || is_cargo_progress(line) {
            findings.saw(Tool::Cargo);
            return true;
        }
        if let Some(diagnostic) = header(line) {
            self.open = Some(Open {
                diagnostic,
                excerpt: Vec::new(),
            });
            return true;
        }
        if self.may_have_causes && (line == "Caused by:" || line.starts_with("  ")) {
            findings.excerpt_line(Severity::Error, line);
            return true;
        }
        if line.trim_start().starts_with("--> ")
            && let Some(diagnostic) = ruff_header(&self.previous)
        {
            findings.saw(Tool::Ruff);
            self.open = Some(Open {
                diagnostic,
                excerpt: Vec::new(),
            });
            return self.open_line(line, findings);
        }
        self.may_have_causes &= line.trim().is_empty();
        line.clone_into(&mut self.previous);
        false
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close(findings);
    }
}

impl Rustc {
    fn open_line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if line.trim().is_empty() {
            self.close(findings);
            return true;
        }
        if !is_drawing(line) {
            self.close(findings);
            return self.line(line, findings);
        }
        let Some(open) = &mut self.open else {
            return false;
        };
        let below = line.trim_start();
        let place = below
            .strip_prefix("--> ")
            .or_else(|| below.strip_prefix("::: "));
        if let Some(found) = place.and_then(leading)
            && open.diagnostic.places.is_empty()
        {
            open.diagnostic.places.push(found.place);
            return true;
        }
        let is_empty_gutter = matches!(below, "|" | "...");
        if !is_empty_gutter {
            open.excerpt.push(line.to_owned());
            // More is cut where it is noted.
            open.excerpt.truncate(20);
        }
        true
    }

    fn close(&mut self, findings: &mut Findings) {
        let Some(open) = self.open.take() else {
            return;
        };
        let severity = open.diagnostic.severity;
        if open.diagnostic.code.is_some() && !open.diagnostic.places.is_empty() {
            let is_rust = open
                .diagnostic
                .places
                .iter()
                .any(|place| place.has_extension("rs"));
            if is_rust {
                findings.saw(Tool::Rustc);
            }
        }
        self.may_have_causes = severity == Severity::Error && open.diagnostic.places.is_empty();
        let before = findings.errors.len() + findings.warnings.len();
        findings.diagnostic(open.diagnostic);
        // An excerpt of a diagnostic that is known already would land below another.
        if findings.errors.len() + findings.warnings.len() > before {
            for line in open.excerpt {
                findings.excerpt_line(severity, &line);
            }
        }
    }
}

/// Returns whether a line belongs to what is drawn below a title.
fn is_drawing(line: &str) -> bool {
    let behind = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered =
        behind.len() < line.len() && behind.trim_start().starts_with(['|', '-', '+', '~']);
    line.starts_with(' ')
        || is_numbered
        || ["help: ", "note: ", "..."]
            .iter()
            .any(|start| line.starts_with(start))
}

/// Reads `error[E0308]: mismatched types` and the like without a code.
fn header(line: &str) -> Option<Diagnostic> {
    let (severity, rest) = if let Some(rest) = line.strip_prefix("error") {
        (Severity::Error, rest)
    } else {
        (Severity::Warning, line.strip_prefix("warning")?)
    };
    if let Some(message) = rest.strip_prefix(": ") {
        return Some(Diagnostic::new(severity, message));
    }
    let (code, message) = rest.strip_prefix('[')?.split_once("]: ")?;
    Some(Diagnostic::new(severity, message).code(Some(code)))
}

/// Reads `F401 [*] `os` imported but unused`, the title of what ruff draws.
fn ruff_header(line: &str) -> Option<Diagnostic> {
    let (code, message) = line.split_once(' ')?;
    let code = code.trim_end_matches(':');
    let is_code = code.starts_with(|letter: char| letter.is_ascii_uppercase())
        && code
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit());
    let is_syntax = code == "invalid-syntax";
    let message = message.strip_prefix("[*] ").unwrap_or(message);
    (is_code || is_syntax).then(|| Diagnostic::error(message).code(Some(code)))
}

/// Returns whether a line counts or repeats what was said.
fn is_summary(line: &str) -> bool {
    const STARTS: [&str; 9] = [
        "error: could not compile ",
        "error: aborting due to ",
        "error: test failed, to rerun",
        "error: doctest failed, to rerun",
        "error: build failed",
        "warning: build failed",
        "Some errors have detailed explanations",
        "For more information about ",
        "error: could not document ",
    ];
    let is_count = line.starts_with("warning: ")
        && (line.contains(" generated ") || line.ends_with(" emitted"))
        || line.starts_with("error: ") && line.ends_with(" targets failed:");
    is_count || STARTS.iter().any(|start| line.starts_with(start))
}

/// Returns whether a line is one of cargo's verbs, which end at column 12.
fn is_cargo_progress(line: &str) -> bool {
    const VERBS: [&str; 20] = [
        "Compiling",
        "Checking",
        "Finished",
        "Running",
        "Doc-tests",
        "Downloading",
        "Downloaded",
        "Updating",
        "Locking",
        "Adding",
        "Fresh",
        "Blocking",
        "Building",
        "Documenting",
        "Executable",
        "Dirty",
        "Removing",
        "Installing",
        "Packaging",
        "Generated",
    ];
    let word = line.trim_start();
    let indent = line.len() - word.len();
    let verb = word.split(' ').next().unwrap_or_default();
    VERBS.contains(&verb) && indent + verb.len() == 12
}
