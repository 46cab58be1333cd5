//! Reports of jest.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Findings, Tool, add};
use super::super::place::number;

#[derive(Default)]
pub(super) struct Jest {
    open: Option<Block>,
    /// The file of the reports below.
    file: String,
}

impl OutputParser for Jest {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if let Some(file) = file_result(line) {
            self.close(findings);
            findings.saw(Tool::Jest);
            file.clone_into(&mut self.file);
            return true;
        }
        let title = line
            .strip_prefix("  ● ")
            .or_else(|| line.strip_prefix("● "));
        if let Some(title) = title {
            self.close(findings);
            let is_suite = title == "Test suite failed to run" && !self.file.is_empty();
            let name = if is_suite { &self.file } else { title };
            self.open = Some(Block::new(name));
            return true;
        }
        if is_summary(line) {
            self.close(findings);
            return counts(line, findings) || is_seen(findings);
        }
        if let Some(block) = &mut self.open {
            block.push(line);
            return true;
        }
        is_seen(findings) && is_test_line(line)
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close(findings);
    }
}

/// Returns whether a line of this output was jest's for certain.
fn is_seen(findings: &Findings) -> bool {
    findings.tools.contains(&Tool::Jest)
}

impl Jest {
    fn close(&mut self, findings: &mut Findings) {
        let Some(block) = self.open.take() else {
            return;
        };
        // What a test printed is no report.
        if block.name == "Console" {
            return;
        }
        findings.saw(Tool::Jest);
        let places = block.places();
        findings.failed(&block.name, message(block.lines()), places);
    }
}

/// Returns the file of `FAIL ./x.test.js` and `PASS src/x.test.js (5.1 s)`.
fn file_result(line: &str) -> Option<&str> {
    // With colours a space stands on either side of the word.
    let trimmed = line.strip_prefix(' ').unwrap_or(line);
    let rest = trimmed
        .strip_prefix("FAIL ")
        .or_else(|| trimmed.strip_prefix("PASS "))?;
    let file = rest.split(' ').find(|word| word.contains('.'))?;
    let is_script = ["js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "cts"]
        .iter()
        .any(|extension| file.rsplit('.').next() == Some(extension));
    is_script.then_some(file)
}

/// Returns the lines of a report above its stack, without the excerpt of the source.
pub(super) fn message<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let above = lines.take_while(|line| {
        let text = line.trim_start();
        !text.starts_with("at ") && !text.starts_with("❯ ")
    });
    let above = above.filter(|line| !is_source(line));
    above
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect()
}

/// Returns whether a line is one of the source with its number: `> 12 |   expect(x)`.
fn is_source(line: &str) -> bool {
    let text = line.trim_start().trim_start_matches("> ").trim_start();
    let behind = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    behind.trim_start().starts_with('|')
}

fn is_summary(line: &str) -> bool {
    const STARTS: [&str; 7] = [
        "Test Suites:",
        "Tests:  ",
        "Snapshots:",
        "Time:  ",
        "Ran all test suites",
        "Snapshot Summary",
        "Summary of all failing tests",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// Reads `Tests:       6 failed, 1 skipped, 1 todo, 141 passed, 149 total`.
fn counts(line: &str, findings: &mut Findings) -> bool {
    let Some(list) = line.strip_prefix("Tests:") else {
        return false;
    };
    findings.saw(Tool::Jest);
    count_in(list.split(", "), findings);
    true
}

/// Adds up the parts of a list such as `6 failed`, `1 skipped`, `1 todo`, `141 passed`, which vitest
/// writes too.
pub(super) fn count_in<'a>(parts: impl Iterator<Item = &'a str>, findings: &mut Findings) {
    for part in parts {
        let Some((many, what)) = number(part.trim()) else {
            continue;
        };
        match what.trim() {
            "passed" => add(&mut findings.counts.passed, many as usize),
            "failed" => add(&mut findings.counts.failed, many as usize),
            "skipped" | "todo" => add(&mut findings.counts.skipped, many as usize),
            _ => {}
        }
    }
}

/// Returns whether a line is a test in the list of a file; failing ones are reported below it.
fn is_test_line(line: &str) -> bool {
    line.starts_with("  ")
        && line
            .trim_start()
            .starts_with(['✓', '✕', '○', '✎', '√', '×'])
}
