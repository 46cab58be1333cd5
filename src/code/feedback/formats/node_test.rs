//! The reporter "spec" of `node --test`.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Findings, Tool, add};
use super::super::place::number;
use super::jest;

#[derive(Default)]
pub(super) struct NodeTest {
    open: Option<Block>,
}

impl OutputParser for NodeTest {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let text = line.trim_start();
        if let Some(rest) = text.strip_prefix("✖ ") {
            return self.failing(rest, findings);
        }
        if text.starts_with("✔ ") || text.starts_with("▶ ") || text.starts_with("﹣ ") {
            self.close(findings);
            return true;
        }
        if let Some(rest) = line.strip_prefix("ℹ ") {
            self.close(findings);
            return counts(rest, findings);
        }
        if line.starts_with("test at ") {
            self.close(findings);
            return true;
        }
        let Some(block) = &mut self.open else {
            return false;
        };
        if line.starts_with(' ') || line.trim().is_empty() {
            block.push(line);
            return true;
        }
        self.close(findings);
        false
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close(findings);
    }
}

impl NodeTest {
    /// Reads `name (0.5ms)`. Linters begin their last line with the same mark.
    fn failing(&mut self, rest: &str, findings: &mut Findings) -> bool {
        if rest == "failing tests:" {
            self.close(findings);
            return true;
        }
        let Some((name, duration)) = rest.rsplit_once(" (") else {
            return false;
        };
        if !duration.trim_end().contains("ms)") {
            return false;
        }
        self.close(findings);
        findings.saw(Tool::Node);
        let _ = findings.failure(name);
        self.open = Some(Block::new(name));
        true
    }

    fn close(&mut self, findings: &mut Findings) {
        let Some(block) = self.open.take() else {
            return;
        };
        let places = block.places();
        findings.failed(&block.name, jest::message(block.lines()), places);
    }
}

/// Reads `pass 122`.
fn counts(rest: &str, findings: &mut Findings) -> bool {
    let Some((what, many)) = rest.split_once(' ') else {
        return false;
    };
    let Some((many, _)) = number(many) else {
        return false;
    };
    findings.saw(Tool::Node);
    match what {
        "pass" => add(&mut findings.counts.passed, many as usize),
        "fail" | "cancelled" => add(&mut findings.counts.failed, many as usize),
        "skipped" | "todo" => add(&mut findings.counts.skipped, many as usize),
        _ => {}
    }
    true
}
