//! Reports of vitest.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Findings, Tool};
use super::jest;

#[derive(Default)]
pub(super) struct Vitest {
    /// The tests that the next report belongs to: equal ones share it.
    names: Vec<String>,
    open: Block,
}

/// The most tests that share a report.
const MAX_SHARED: usize = 100;

impl OutputParser for Vitest {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let text = line.trim_start();
        // jest writes files in this way where it writes colours.
        let failing = line
            .strip_prefix(" FAIL  ")
            .filter(|name| name.contains(" > ") || name.contains(" [ "));
        if let Some(name) = failing {
            if !self.open.is_empty() {
                self.close(findings);
            }
            findings.saw(Tool::Vitest);
            // A file that could not run is named twice: `x.test.js [ x.test.js ]`.
            let name = name.split(" [ ").next().unwrap_or(name);
            if self.names.len() < MAX_SHARED {
                self.names.push(name.to_owned());
            }
            return true;
        }
        if text.starts_with("⎯⎯⎯") {
            self.close(findings);
            return true;
        }
        if counts(text, line, findings) {
            self.close(findings);
            return true;
        }
        if !self.names.is_empty() {
            self.open.push(line);
            return true;
        }
        is_list(line, findings)
    }

    fn is_open(&self) -> bool {
        !self.names.is_empty()
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close(findings);
    }
}

impl Vitest {
    fn close(&mut self, findings: &mut Findings) {
        let block = std::mem::take(&mut self.open);
        for name in std::mem::take(&mut self.names) {
            findings.failed(&name, jest::message(block.lines()), block.places());
        }
    }
}

/// Reads the lines at the end: ` Tests  4 failed | 133 passed | 1 skipped (138)`.
fn counts(text: &str, line: &str, findings: &mut Findings) -> bool {
    const OTHERS: [&str; 5] = [
        "Test Files  ",
        "Start at  ",
        "Duration  ",
        "Snapshots  ",
        "Errors  ",
    ];
    if !line.starts_with(' ') {
        return false;
    }
    if OTHERS.iter().any(|start| text.starts_with(start)) {
        return findings.tools.contains(&Tool::Vitest) || text.starts_with("Test Files");
    }
    let Some(list) = text.strip_prefix("Tests  ") else {
        return false;
    };
    let list = list.rsplit_once(" (").map_or(list, |(list, _)| list);
    findings.saw(Tool::Vitest);
    jest::count_in(list.split(" | "), findings);
    true
}

/// Returns whether a line is a test in the list above the reports. Failing ones are reported below.
fn is_list(line: &str, findings: &mut Findings) -> bool {
    let text = line.trim_start();
    if text.starts_with("RUN ") && line.starts_with(' ') {
        findings.saw(Tool::Vitest);
        return true;
    }
    let is_seen = findings.tools.contains(&Tool::Vitest);
    is_seen && line.starts_with(' ') && text.starts_with(['✓', '×', '↓', '→', '❯', '□', '…'])
}
