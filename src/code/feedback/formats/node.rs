//! Errors that end a program of Node.js.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Diagnostic, Findings, Severity, Tool};
use super::super::place::{Place, leading};

/// How many lines may stand between the place and the error: source, mark and a blank line.
const EXCERPT: usize = 8;

#[derive(Default)]
pub(super) struct NodeCrash {
    /// The place above the excerpt of the source, and the lines below it.
    place: Option<Place>,
    excerpt: Vec<String>,
    /// A line that is an error if frames follow.
    candidate: Option<String>,
    open: Option<Block>,
}

impl OutputParser for NodeCrash {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if self.open.is_some() {
            return self.open_line(line, findings);
        }
        if self.place.is_some() && is_error(line) {
            self.open = Some(Block::new(line));
            return true;
        }
        if line.starts_with("    at ")
            && let Some(candidate) = self.candidate.take()
        {
            let mut block = Block::new(&candidate);
            block.push(line);
            self.open = Some(block);
            return true;
        }
        self.candidate = is_error(line).then(|| line.to_owned());
        if let Some(found) = leading(line).filter(|found| found.rest.is_empty()) {
            let is_script = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]
                .iter()
                .any(|extension| found.place.file.ends_with(extension));
            if is_script || found.place.file.starts_with("node:") {
                self.place = Some(found.place);
                self.excerpt.clear();
                return true;
            }
        }
        if self.place.is_some() {
            self.excerpt.push(line.to_owned());
            if self.excerpt.len() > EXCERPT {
                self.place = None;
            }
        }
        false
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close(findings);
    }
}

impl NodeCrash {
    fn open_line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let is_end = line.starts_with("Node.js v");
        let is_inside = line.starts_with([' ', '}', ']']) || line.trim().is_empty();
        if is_inside && let Some(block) = &mut self.open {
            block.push(line);
            return true;
        }
        self.close(findings);
        is_end
    }

    fn close(&mut self, findings: &mut Findings) {
        let Some(block) = self.open.take() else {
            return;
        };
        findings.saw(Tool::Node);
        let mut places = block.places();
        places.retain(|place| !place.is_foreign());
        if places.is_empty() {
            places.extend(self.place.take().filter(|place| !place.is_foreign()));
        }
        findings.diagnostic(Diagnostic::error(&block.name).at(places));
        for line in self
            .excerpt
            .drain(..)
            .filter(|line| !line.trim().is_empty())
        {
            findings.excerpt_line(Severity::Error, &line);
        }
        let cause = block.lines().filter(|line| line.contains("[cause]: "));
        for line in cause {
            findings.excerpt_line(Severity::Error, line);
        }
        self.place = None;
    }
}

/// Returns whether a line names an error: `TypeError: x is undefined`, `Error [ERR_X]: y`.
fn is_error(line: &str) -> bool {
    let line = line.strip_prefix("Uncaught ").unwrap_or(line);
    let Some((name, _)) = line.split_once(':') else {
        return false;
    };
    let name = name.split(" [").next().unwrap_or(name);
    let is_name = name.starts_with(|letter: char| letter.is_ascii_uppercase())
        && name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
    is_name && (name.ends_with("Error") || name.ends_with("Exception"))
}
