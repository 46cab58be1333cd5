//! The Test Anything Protocol (version 13 and 14), as `node --test` writes it where no terminal is.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Findings, Tool, add};
use super::super::place::number;

#[derive(Default)]
pub(super) struct Tap {
    is_seen: bool,
    /// The failing test whose details may follow.
    failing: Option<String>,
    /// Details between `---` and `...`; they have a name where the test failed.
    details: Option<Block>,
    /// Tests that passed and were skipped, for outputs without counts at the end.
    passed: usize,
    skipped: usize,
    is_counted: bool,
}

impl OutputParser for Tap {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let text = line.trim_start();
        if self.details.is_some() {
            return self.detail_line(line, findings);
        }
        if text == "---" && self.is_seen {
            self.details = Some(Block::new(&self.failing.take().unwrap_or_default()));
            return true;
        }
        if line.starts_with("TAP version ") {
            self.is_seen = true;
            return true;
        }
        if let Some(rest) = text.strip_prefix("not ok ") {
            self.is_seen = true;
            return self.result(rest, Outcome::Failed, findings);
        }
        if let Some(rest) = text.strip_prefix("ok ").filter(|_| self.is_seen) {
            return self.result(rest, Outcome::Passed, findings);
        }
        self.is_seen && self.comment(text, findings)
    }

    fn is_open(&self) -> bool {
        self.details.is_some()
    }

    fn end(&mut self, findings: &mut Findings) {
        if let Some(block) = self.details.take() {
            report(&block, findings);
        }
        if self.is_seen && !self.is_counted {
            add(&mut findings.counts.passed, self.passed);
            add(&mut findings.counts.skipped, self.skipped);
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Outcome {
    Passed,
    Failed,
}

impl Tap {
    /// Reads `4 - name # SKIP reason` behind the outcome.
    fn result(&mut self, rest: &str, outcome: Outcome, findings: &mut Findings) -> bool {
        let Some((_, rest)) = number(rest) else {
            return false;
        };
        let name = rest.trim_start().trim_start_matches("- ");
        let (name, directive) = name.split_once(" # ").unwrap_or((name, ""));
        let directive = directive.to_ascii_uppercase();
        let is_excused = directive.starts_with("SKIP") || directive.starts_with("TODO");
        self.failing = None;
        match outcome {
            _ if is_excused => self.skipped += 1,
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => {
                self.failing = Some(name.to_owned());
                let _ = findings.failure(name);
            }
        }
        true
    }

    fn detail_line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if line.trim() != "..." {
            if let Some(block) = &mut self.details {
                block.push(line);
            }
            return true;
        }
        if let Some(block) = self.details.take() {
            report(&block, findings);
        }
        true
    }

    /// Reads the comments at the end: `# pass 122`.
    fn comment(&mut self, text: &str, findings: &mut Findings) -> bool {
        let Some(rest) = text.strip_prefix("# ") else {
            return text.starts_with("1..");
        };
        let Some((what, many)) = rest.split_once(' ') else {
            return false;
        };
        let count = match what {
            "pass" => &mut findings.counts.passed,
            "fail" => &mut findings.counts.failed,
            "skipped" | "todo" => &mut findings.counts.skipped,
            "tests" => {
                // node says what ran; others have a plan only.
                findings.saw(Tool::Node);
                return true;
            }
            _ => return matches!(what, "Subtest:" | "suites" | "cancelled" | "duration_ms"),
        };
        if let Some((many, "")) = number(many) {
            add(count, many as usize);
            self.is_counted = true;
        }
        true
    }
}

/// Reads the details of a failing test: the keys `error`, `location` and `stack` of node.
fn report(block: &Block, findings: &mut Findings) {
    if block.name.is_empty() {
        return;
    }
    let lines: Vec<_> = block.lines().map(str::trim).collect();
    let at = lines
        .iter()
        .position(|line| line.starts_with("error:") || line.starts_with("message:"));
    let (_, below) = lines.split_at(at.unwrap_or(0));
    let mut message = Vec::new();
    if let Some((first, below)) = below.split_first() {
        let said = first
            .split_once(':')
            .map_or(*first, |(_, said)| said.trim());
        if said.starts_with('|') || said.starts_with('>') {
            let inside = below.iter().copied().take_while(|line| !is_key(line));
            message.extend(inside);
        } else {
            message.push(said.trim_matches(['\'', '"']));
        }
    }
    findings.failed(&block.name, message, block.places());
}

/// Returns whether a line is one of the keys that node writes behind the error.
fn is_key(line: &str) -> bool {
    const KEYS: [&str; 8] = [
        "code:",
        "name:",
        "expected:",
        "actual:",
        "operator:",
        "stack:",
        "failureType:",
        "at:",
    ];
    KEYS.iter().any(|key| line.starts_with(key))
}
