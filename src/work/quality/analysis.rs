//! The analysis of one file.

use std::collections::HashMap;

use sayso_codebase::{CodeLanguage, MAX_FILE_BYTES, MAX_LINE_BYTES, Origin, parse};
use tree_sitter::Node;

use crate::abstract_value::Value;
use crate::blocks::duplicates;
use crate::complexity::{functions, names_by_line, size};
use crate::flow::{self, Event};
use crate::grammar::Family;
use crate::lower::lower;
use crate::report::{FileReport, Finding, Severity, SkipReason};
use crate::rules::{Catalogue, Rule};
use crate::score;
use crate::secrets::{self, is_password, is_secret_name};
use crate::sinks::{Sinks, hidden_order, is_slow_expression};
use crate::smells::{line, smells};
use crate::suppression::Suppressions;
use crate::tokens::{Step, hash, leaves, line_of, text_of, visit};

/// The most findings of a file. A file with more has a score of 0 anyhow.
const MAX_FINDINGS: usize = 500;

/// Analyses a file: its text by its language, which the name tells. A file of another language is
/// searched for secrets alone. Files that are too large, generated or vendored are skipped; the report
/// says so.
pub fn analyse(path: &str, text: &str) -> FileReport {
    let mut report = FileReport::empty(path);
    report.is_test = is_test(path);
    report.skipped = skip_reason(path, text);
    if report.skipped.is_some() {
        return report;
    }
    let mut findings = Findings::new(path);
    let language = CodeLanguage::of_path(path);
    let family = language.and_then(Family::of);
    findings.secrets(text, family.is_some());
    if let (Some(language), Some(family)) = (language, family) {
        let Some(tree) = parse(language, text) else {
            report.skipped = Some(SkipReason::TooSlow);
            return report;
        };
        findings.syntax(family, tree.root_node(), text, &mut report);
    } else {
        report.size = text.split_whitespace().count();
    }
    let suppressions = Suppressions::read(text);
    for (place, rule) in &suppressions.without_reason {
        findings.add(
            "suppression-without-reason",
            None,
            *place,
            hash([rule.as_str()]),
            rule,
        );
    }
    let all = findings.found.len();
    findings
        .found
        .retain(|finding| !suppressions.allows(finding.rule, finding.line));
    report.suppressed = all - findings.found.len();
    report.findings = findings.sorted();
    report.score = score::of_file(&report);
    report
}

fn skip_reason(path: &str, text: &str) -> Option<SkipReason> {
    if text.len() as u64 > MAX_FILE_BYTES {
        return Some(SkipReason::TooLarge);
    }
    if text.lines().any(|line| line.len() > MAX_LINE_BYTES) {
        return Some(SkipReason::LongLine);
    }
    match Origin::of(path, text) {
        Origin::Written => None,
        Origin::Generated => Some(SkipReason::Generated),
        Origin::Vendored => Some(SkipReason::Vendored),
    }
}

/// Returns whether a file holds tests, by the usual names.
fn is_test(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut folders = lower.split('/');
    let name = folders.next_back().unwrap_or_default();
    let is_folder = |folder: &str| {
        matches!(
            folder,
            "test" | "tests" | "testing" | "__tests__" | "spec" | "fixtures" | "testdata"
        )
    };
    let stem = name.split('.').next().unwrap_or(name);
    folders.any(is_folder)
        || stem == "tests"
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || name.contains(".test.")
        || name.contains(".spec.")
        || path.ends_with("Test.java")
        || path.ends_with("Tests.java")
}

/// The findings of a file while it is read.
struct Findings<'p> {
    path: &'p str,
    catalogue: &'static Catalogue,
    found: Vec<Finding>,
}

impl<'p> Findings<'p> {
    fn new(path: &'p str) -> Self {
        Self {
            path,
            catalogue: Catalogue::get(),
            found: Vec::new(),
        }
    }

    fn add(
        &mut self,
        rule: &str,
        severity: Option<Severity>,
        line: usize,
        fingerprint: u64,
        name: &str,
    ) {
        let Some(rule) = self.catalogue.rule(rule) else {
            return;
        };
        let is_known = |known: &Finding| known.rule == rule.id && known.line == line;
        if self.found.len() >= MAX_FINDINGS || self.found.iter().any(is_known) {
            return;
        }
        self.found.push(Finding {
            rule: &rule.id,
            cwe: rule.cwe,
            dimension: rule.dimension(),
            severity: severity.unwrap_or(rule.severity),
            file: self.path.to_owned(),
            line,
            message: message(rule, name),
            fingerprint,
            measure: 0,
        });
    }

    fn add_measured(
        &mut self,
        rule: &str,
        line: usize,
        fingerprint: u64,
        measure: usize,
        name: &str,
    ) {
        let before = self.found.len();
        let name = if name.is_empty() {
            measure.to_string()
        } else {
            format!("{name}; {measure}")
        };
        self.add(rule, None, line, fingerprint, &name);
        if let Some(added) = self.found.get_mut(before) {
            added.measure = measure;
        }
    }

    fn secrets(&mut self, text: &str, is_code: bool) {
        for secret in secrets::in_text(text, is_code) {
            let line = text.lines().nth(secret.line - 1).unwrap_or_default();
            let fingerprint = hash(line.split_whitespace());
            self.add(
                "hardcoded-secret",
                None,
                secret.line,
                fingerprint,
                &secret.kind,
            );
        }
        if let Some(line) = hidden_order(text) {
            self.add("bidi-text", None, line, 0, "");
        }
    }

    fn syntax<'t>(
        &mut self,
        family: Family,
        root: Node<'t>,
        text: &'t str,
        report: &mut FileReport,
    ) {
        report.size = size(root);
        let functions = functions(family, root, text);
        let names = names_by_line(&functions);
        self.security(family, root, text);
        for smell in smells(family, root, text, &functions) {
            let pieces = [smell.rule, smell.name.as_str()];
            self.add_measured(
                smell.rule,
                line(&smell),
                hash(pieces),
                smell.measure,
                &smell.name,
            );
        }
        for duplicate in duplicates(root, text) {
            let what = format!("line {}", duplicate.first_line);
            let place = line_of(duplicate.node);
            self.add_measured(
                "duplicate-block",
                place,
                duplicate.content,
                duplicate.length,
                &what,
            );
        }
        self.place_in_functions(&names);
        report.functions = functions.into_iter().map(|it| it.report).collect();
    }

    fn security<'t>(&mut self, family: Family, root: Node<'t>, text: &'t str) {
        let code = lower(family, root, text);
        let mut sinks = Sinks::new(family, text);
        let mut passwords = Vec::new();
        flow::run(family, &code, &mut |event| {
            sinks.check(&event);
            passwords.extend(password(&event));
        });
        for broken in sinks.broken {
            let severity = Some(broken.severity);
            let fingerprint = fingerprint(broken.node, text);
            self.add(
                &broken.rule.id,
                severity,
                line_of(broken.node),
                fingerprint,
                "",
            );
        }
        for node in passwords {
            let place = line_of(node);
            let is_known =
                |known: &Finding| known.line == place && known.rule == "hardcoded-secret";
            if !self.found.iter().any(is_known) {
                self.add(
                    "hardcoded-password",
                    None,
                    place,
                    fingerprint(node, text),
                    "",
                );
            }
        }
        visit(root, |node| {
            if node.kind() == "regex" && is_slow_expression(text_of(node, text)) {
                let fingerprint = fingerprint(node, text);
                self.add("slow-expression", None, line_of(node), fingerprint, "");
            }
            Step::Into
        });
    }

    /// The same finding in another function is another one.
    fn place_in_functions(&mut self, names: &HashMap<usize, &str>) {
        for finding in &mut self.found {
            if finding.measure == 0
                && let Some(name) = names.get(&finding.line)
            {
                finding.fingerprint ^= hash([*name]);
            }
        }
    }

    fn sorted(self) -> Vec<Finding> {
        let mut found = self.found;
        found.sort_by(|one, other| (one.line, one.rule).cmp(&(other.line, other.rule)));
        found
    }
}

fn message(rule: &Rule, name: &str) -> String {
    let sentence = rule.sentence();
    if name.is_empty() {
        sentence.to_owned()
    } else {
        format!("{sentence} ({name})")
    }
}

/// A number for a piece of code, without its layout.
fn fingerprint(node: Node<'_>, text: &str) -> u64 {
    let leaves = leaves(node);
    let is_layout = |leaf: &str| matches!(leaf, "," | ";" | "(" | ")");
    let texts = leaves.iter().map(|leaf| text_of(*leaf, text));
    hash(texts.filter(|leaf| !is_layout(leaf)))
}

/// The node where a password is given a text, if this event does that.
fn password<'t>(event: &Event<'_, 't>) -> Option<Node<'t>> {
    let is_given = |path: &str, value: &Value| {
        is_secret_name(path)
            && value.whole_text().is_some_and(is_password)
            && value.number.is_none()
    };
    match event {
        Event::Assign { node, path, value } => is_given(path, value).then_some(*node),
        Event::Call(call) => {
            let mut arguments = call.arguments.iter();
            let given = arguments.any(|argument| {
                (argument.name).is_some_and(|name| is_given(name, &argument.value))
            });
            given.then_some(call.node)
        }
        Event::Import { .. } => None,
    }
}
