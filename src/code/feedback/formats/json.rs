//! Lines of JSON: messages of cargo, events of `go test -json`, reports of ESLint, jest and vitest.

use serde::Deserialize;

use super::super::chain::OutputParser;
use super::super::findings::{Diagnostic, Findings, Severity, Tool, add};
use super::super::lines::without_escapes;
use super::super::place::{Place, Trace};
use super::{cargo_json, go};

#[derive(Default)]
pub(super) struct JsonLines {
    go: go::GoEvents,
}

impl OutputParser for JsonLines {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let text = line.trim();
        if text.starts_with("{\"reason\":") {
            return cargo_json::message(text, findings);
        }
        if text.starts_with('{') && text.contains("\"Action\":") {
            return self.go.event(text, findings);
        }
        if text.starts_with("[{\"filePath\":") || text.starts_with("[]") {
            return eslint_report(text, findings);
        }
        text.starts_with('{') && text.contains("\"testResults\":") && jest_report(text, findings)
    }

    fn end(&mut self, findings: &mut Findings) {
        self.go.end(findings);
    }
}

/// A file in ESLint's report (its "json" formatter).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EslintFile {
    file_path: String,
    #[serde(default)]
    messages: Vec<EslintMessage>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EslintMessage {
    rule_id: Option<String>,
    /// 1 is a warning, 2 an error.
    #[serde(default)]
    severity: u8,
    #[serde(default)]
    message: String,
    line: Option<u32>,
    column: Option<u32>,
}

fn eslint_report(text: &str, findings: &mut Findings) -> bool {
    let Ok(files) = serde_json::from_str::<Vec<EslintFile>>(text) else {
        return false;
    };
    findings.saw(Tool::Eslint);
    for file in files {
        for message in file.messages {
            let severity = if message.severity >= 2 {
                Severity::Error
            } else {
                Severity::Warning
            };
            let place = message
                .line
                .map(|line| Place::new(&file.file_path, line, message.column));
            let diagnostic = Diagnostic::new(severity, &message.message);
            findings.diagnostic(diagnostic.code(message.rule_id.as_deref()).at(place));
        }
    }
    true
}

/// The report of `jest --json`; vitest's reporter "json" writes the same.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JestReport {
    num_passed_tests: Option<usize>,
    num_failed_tests: Option<usize>,
    #[serde(default)]
    num_pending_tests: usize,
    #[serde(default)]
    num_todo_tests: usize,
    test_results: Vec<JestFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JestFile {
    #[serde(default)]
    name: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    assertion_results: Vec<JestTest>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JestTest {
    #[serde(default)]
    ancestor_titles: Vec<String>,
    #[serde(default)]
    title: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    failure_messages: Option<Vec<String>>,
}

fn jest_report(text: &str, findings: &mut Findings) -> bool {
    let Ok(report) = serde_json::from_str::<JestReport>(text) else {
        return false;
    };
    findings.saw(Tool::Jest);
    if let Some(passed) = report.num_passed_tests {
        add(&mut findings.counts.passed, passed);
    }
    if let Some(failed) = report.num_failed_tests {
        add(&mut findings.counts.failed, failed);
    }
    add(
        &mut findings.counts.skipped,
        report.num_pending_tests + report.num_todo_tests,
    );
    for file in report.test_results {
        let failing = file
            .assertion_results
            .iter()
            .filter(|test| test.status == "failed");
        let mut is_explained = false;
        for test in failing {
            is_explained = true;
            let mut names = test.ancestor_titles.clone();
            names.push(test.title.clone());
            let messages = test.failure_messages.clone().unwrap_or_default();
            failed(
                &names.join(" › "),
                &messages.join(
                    "
",
                ),
                findings,
            );
        }
        if file.status == "failed" && !is_explained {
            failed(&file.name, &file.message, findings);
        }
    }
    true
}

fn failed(name: &str, message: &str, findings: &mut Findings) {
    let message = without_escapes(message);
    let places = Trace::of(message.lines()).places();
    let said = message
        .lines()
        .take_while(|line| !line.trim_start().starts_with("at "));
    findings.failed(name, said, places);
}
