//! Tracebacks of Python outside of test reports.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Diagnostic, Findings, Severity, Tool};
use super::super::place::python_frame;

#[derive(Default)]
pub(super) struct Tracebacks {
    open: Option<Block>,
}

impl OutputParser for Tracebacks {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let text = ungrouped(line);
        if self.open.is_some() {
            return self.open_line(text, findings);
        }
        let is_start = text.ends_with("Traceback (most recent call last):");
        // A syntax error has a frame without a title.
        let is_bare = line.starts_with("  File \"") && python_frame(line).is_some();
        if is_start || is_bare {
            let mut block = Block::new("");
            block.push(text);
            self.open = Some(block);
            return true;
        }
        line.starts_with("The above exception was the direct cause of")
            || line.starts_with("During handling of the above exception")
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn end(&mut self, findings: &mut Findings) {
        if let Some(block) = self.open.take() {
            report(&block, "traceback without its end", findings);
        }
    }
}

impl Tracebacks {
    fn open_line(&mut self, text: &str, findings: &mut Findings) -> bool {
        let is_inside = text.starts_with(' ') || text.trim().is_empty();
        if is_inside && let Some(block) = &mut self.open {
            block.push(text);
            return true;
        }
        if let Some(block) = self.open.take() {
            report(&block, text, findings);
        }
        true
    }
}

fn report(block: &Block, message: &str, findings: &mut Findings) {
    findings.saw(Tool::Python);
    findings.diagnostic(Diagnostic::error(message).at(block.places()));
    // The last lines are the source of the deepest frame.
    let lines: Vec<_> = block
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let from = lines.iter().rposition(|line| python_frame(line).is_some());
    for line in lines.iter().skip(from.map_or(lines.len(), |at| at + 1)) {
        findings.excerpt_line(Severity::Error, line);
    }
}

/// Returns a line without the marks of an exception group.
fn ungrouped(line: &str) -> &str {
    let mut text = line;
    loop {
        let inner = text.trim_start();
        let Some(rest) = inner
            .strip_prefix("| ")
            .or_else(|| inner.strip_prefix("+ "))
        else {
            return text;
        };
        text = rest;
    }
}

/// Returns the message at the end of a report that holds a traceback, with the lines below it, and
/// the frames apart.
pub(super) fn message<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let last = lines.iter().rposition(|line| python_frame(line).is_some());
    let below = lines.iter().skip(last.map_or(0, |at| at + 1)).copied();
    // The source of the frame is indented; the exception is not.
    below
        .skip_while(|line| last.is_some() && (line.starts_with(' ') || line.trim().is_empty()))
        .collect()
}
