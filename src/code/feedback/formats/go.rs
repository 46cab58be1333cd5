//! Output of `go test`, plain and as JSON events, and panics of Go programs.

use std::collections::HashMap;

use serde::Deserialize;

use super::super::chain::OutputParser;
use super::super::findings::{Block, Diagnostic, Findings, Severity, Tool, add};
use super::super::place::{Place, leading};

/// The most tests whose output is kept until their result is known.
const MAX_TESTS: usize = 1_000;

/// What the tests wrote that have no result yet, by name.
#[derive(Default)]
struct Logs {
    by_test: HashMap<String, Block>,
}

impl Logs {
    fn push(&mut self, test: &str, line: &str) {
        if self.by_test.len() >= MAX_TESTS && !self.by_test.contains_key(test) {
            return;
        }
        let log = self
            .by_test
            .entry(test.to_owned())
            .or_insert_with(|| Block::new(test));
        log.push(line);
    }

    fn take(&mut self, test: &str) -> Option<Block> {
        self.by_test.remove(test)
    }
}

#[derive(Default)]
pub(super) struct GoTest {
    logs: Logs,
    /// The test that writes now (`go test -v`).
    running: Option<String>,
    /// The failing test whose lines follow.
    failing: Option<Block>,
    /// A panic, up to the end of its package.
    panic: Option<Block>,
    /// The first failure that has no package yet.
    unnamed: usize,
}

impl OutputParser for GoTest {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let text = line.trim_start();
        if let Some(marker) = text.strip_prefix("=== ") {
            self.close_failing(findings);
            self.running = marker.split_whitespace().nth(1).map(ToOwned::to_owned);
            findings.saw(Tool::Go);
            return true;
        }
        if let Some(result) = text.strip_prefix("--- ") {
            return self.result(result, findings);
        }
        if self.panic.is_some() {
            return self.panic_line(line, findings);
        }
        if line.starts_with("panic: ") || line.starts_with("fatal error: ") {
            let mut block = Block::new("");
            block.push(line);
            self.panic = Some(block);
            return true;
        }
        if let Some(package) = package_result(line) {
            self.close_failing(findings);
            self.package(package, findings);
            return true;
        }
        self.logged(line, findings)
    }

    fn is_open(&self) -> bool {
        self.panic.is_some() || self.failing.is_some()
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close_panic(findings);
        self.close_failing(findings);
    }
}

impl GoTest {
    /// Reads `FAIL: TestX/case (0.01s)` behind the dashes.
    fn result(&mut self, result: &str, findings: &mut Findings) -> bool {
        let Some((state, rest)) = result.split_once(": ") else {
            return false;
        };
        let name = rest.rsplit_once(" (").map_or(rest, |(name, _)| name);
        match state {
            "PASS" => add(&mut findings.counts.passed, 1),
            "SKIP" => add(&mut findings.counts.skipped, 1),
            "FAIL" => {}
            _ => return false,
        }
        self.close_failing(findings);
        self.running = None;
        findings.saw(Tool::Go);
        let log = self.logs.take(name);
        if state == "FAIL" {
            let _ = findings.failure(name);
            self.failing = Some(log.unwrap_or_else(|| Block::new(name)));
        }
        true
    }

    /// Takes a line that a test wrote.
    fn logged(&mut self, line: &str, findings: &mut Findings) -> bool {
        if let Some(block) = &mut self.failing {
            if line.starts_with("    ") || line.starts_with('\t') {
                block.push(line);
                return true;
            }
            self.close_failing(findings);
        }
        match &self.running {
            Some(test) if !line.starts_with("FAIL") && line != "PASS" => {
                self.logs.push(test, line);
                true
            }
            _ => line == "FAIL" || line == "PASS" || line.starts_with("exit status "),
        }
    }

    fn panic_line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let is_end =
            line.starts_with("FAIL") || line.starts_with("exit status ") || line.starts_with("ok ");
        if is_end {
            self.close_panic(findings);
            return self.line(line, findings);
        }
        if let Some(block) = &mut self.panic {
            block.push(line);
        }
        true
    }

    /// A panic belongs to the test that failed before it, or whose function is in its stack.
    fn close_panic(&mut self, findings: &mut Findings) {
        let Some(block) = self.panic.take() else {
            return;
        };
        findings.saw(Tool::Go);
        let message = panic_message(&block);
        if let Some(failing) = self.failing.take() {
            return findings.failed(&failing.name, message, block.places());
        }
        if let Some(test) = block.lines().find_map(test_of_frame) {
            return findings.failed(test, message, block.places());
        }
        let mut message = message.into_iter();
        let first = message.next().unwrap_or_default();
        findings.diagnostic(Diagnostic::error(first).at(block.places()));
        for line in message {
            findings.excerpt_line(Severity::Error, line);
        }
    }

    fn close_failing(&mut self, findings: &mut Findings) {
        if let Some(block) = self.failing.take() {
            report(&block.name, &block, findings);
        }
    }

    /// Notes the package of the failures above its line.
    fn package(&mut self, package: &str, findings: &mut Findings) {
        self.running = None;
        for failure in findings.failures.iter_mut().skip(self.unnamed) {
            failure.group.get_or_insert_with(|| package.to_owned());
        }
        self.unnamed = findings.failures.len();
    }
}

fn report(name: &str, block: &Block, findings: &mut Findings) {
    let lines: Vec<_> = block.lines().map(str::trim_start).collect();
    let places: Vec<Place> = lines
        .iter()
        .filter_map(|line| go_place(line))
        .take(3)
        .collect();
    let message: Vec<_> = lines.iter().map(|line| said(line)).collect();
    if message.is_empty() && block.is_empty() {
        return;
    }
    findings.failed(name, message, places);
}

/// Returns the place of a line that `t.Error` or `t.Log` wrote.
fn go_place(line: &str) -> Option<Place> {
    let found = leading(line)?;
    found.place.has_extension("go").then_some(found.place)
}

/// Returns a logged line without its place.
fn said(line: &str) -> &str {
    match leading(line) {
        Some(found) if found.place.has_extension("go") => found.rest.trim_start_matches(": "),
        _ => line,
    }
}

/// Returns the lines of a panic above its first stack, once each.
fn panic_message(block: &Block) -> Vec<&str> {
    let above = block
        .lines()
        .take_while(|line| !line.starts_with("goroutine "));
    let above = above.map(str::trim).filter(|line| !line.is_empty());
    let mut lines: Vec<_> = above
        .map(|line| line.trim_end_matches(" [recovered]"))
        .collect();
    lines.dedup();
    lines
}

/// Returns the test in a frame such as `example.com/shop/slow.TestNeverEnds(0xc000)`.
fn test_of_frame(line: &str) -> Option<&str> {
    let (function, _) = line.split_once('(')?;
    let (_, name) = function.rsplit_once('.')?;
    let is_test = name.starts_with("Test") && !line.starts_with(['\t', ' ']);
    (is_test
        && name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_'))
    .then_some(name)
}

/// Returns the package of `FAIL\tpackage\t0.01s` and `ok  \tpackage\t0.01s`.
fn package_result(line: &str) -> Option<&str> {
    let mut parts = line.split('\t');
    let state = parts.next()?.trim();
    let package = parts.next()?;
    let package = package.split(' ').next().unwrap_or(package);
    matches!(state, "FAIL" | "ok" | "?").then_some(package)
}

/// An event of `go test -json` (`go doc test2json`).
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: String,
    test: Option<String>,
    output: Option<String>,
}

/// The events of `go test -json`. Packages run at once, so that lines are kept by package and test.
#[derive(Default)]
pub(super) struct GoEvents {
    logs: Logs,
    /// The lines that belong to no test, by package, for the parser of plain output.
    packages: HashMap<String, GoTest>,
}

impl GoEvents {
    /// Reads an event.
    pub(super) fn event(&mut self, text: &str, findings: &mut Findings) -> bool {
        let Ok(event) = serde_json::from_str::<Event>(text) else {
            return false;
        };
        findings.saw(Tool::Go);
        let Some(test) = &event.test else {
            self.package_event(&event, findings);
            return true;
        };
        let key = format!("{} {test}", event.package);
        match event.action.as_str() {
            "output" => {
                let output = event.output.unwrap_or_default();
                let line = output.trim_end();
                let is_marker =
                    line.trim_start().starts_with("=== ") || line.trim_start().starts_with("--- ");
                if !is_marker {
                    self.logs.push(&key, line);
                }
            }
            "pass" => {
                let _ = self.logs.take(&key);
                add(&mut findings.counts.passed, 1);
            }
            "skip" => {
                let _ = self.logs.take(&key);
                add(&mut findings.counts.skipped, 1);
            }
            "fail" => self.fail(&event.package, test, findings),
            _ => {}
        }
        true
    }

    fn fail(&mut self, package: &str, test: &str, findings: &mut Findings) {
        if let Some(block) = self.logs.take(&format!("{package} {test}")) {
            let is_panic = block.lines().any(|line| line.starts_with("panic: "));
            if is_panic {
                findings.failed(test, panic_message(&block), block.places());
            } else {
                report(test, &block, findings);
            }
        }
        if let Some(failure) = findings.failure(test) {
            failure.group = Some(package.to_owned());
        }
    }

    fn package_event(&mut self, event: &Event, findings: &mut Findings) {
        let Some(output) = &event.output else {
            return;
        };
        let is_known = self.packages.contains_key(&event.package);
        if !is_known && self.packages.len() >= MAX_TESTS {
            return;
        }
        let parser = self.packages.entry(event.package.clone()).or_default();
        let _ = parser.line(output.trim_end(), findings);
    }

    pub(super) fn end(&mut self, findings: &mut Findings) {
        for parser in self.packages.values_mut() {
            parser.end(findings);
        }
    }
}
