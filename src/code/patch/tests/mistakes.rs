//! The table of mistakes in `tests/data/patch_mistakes.txt`.

use std::collections::BTreeMap;

use super::super::line_diff::spans;
use super::super::line_text::{Ending, LineText, TextLine};
use super::super::{ChangeKind, FileChange};
use super::applied;

const TABLE: &str = include_str!("../../tests/data/patch_mistakes.txt");

/// A part of the table behind a line with `==`.
struct Part<'a> {
    title: &'a str,
    /// As the table has it, with signs for what cannot be seen.
    written: &'a str,
}

impl Part<'_> {
    /// Returns the text that it stands for.
    fn text(&self) -> String {
        let text = format!("{}\n", self.written).replace("␄\n", "");
        text.replace('⇥', "\t").replace('␠', " ").replace('␍', "\r")
    }
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let parts = text
        .trim_end_matches('\n')
        .split("\n== ")
        .skip(1)
        .map(|part| {
            let (title, written) = part.split_once('\n').unwrap_or((part, ""));
            Part { title, written }
        });
    parts.collect()
}

/// Returns a change as the table writes it.
fn shown(change: &FileChange) -> Vec<String> {
    let (old, new) = (
        LineText::new(change.old_text()),
        LineText::new(change.new_text()),
    );
    let path = &change.path;
    let head = match (change.kind(), &change.moved_from) {
        (ChangeKind::Added, _) => format!("A {path}"),
        (ChangeKind::Deleted, _) => format!("D {path}"),
        (ChangeKind::Updated, _) => format!("M {path}"),
        (ChangeKind::Moved, from) => format!("R {} -> {path}", from.as_deref().unwrap()),
    };
    let mut lines = vec![head];
    let line = |sign: char, at: usize, line: &TextLine<'_>| {
        let ending = match line.ending {
            Ending::Lf => "",
            Ending::CrLf => "␍",
            Ending::None => "␄",
        };
        let text = if line.text.is_empty() {
            "␠".to_owned()
        } else {
            format!(" {}", line.text)
        };
        format!("{sign}{}{text}{ending}", at + 1).replace('\t', "⇥")
    };
    for span in spans(change.old_text(), change.new_text()) {
        lines.extend(span.old.map(|at| line('-', at, &old.lines[at])));
        lines.extend(span.new.map(|at| line('+', at, &new.lines[at])));
    }
    lines
}

fn check(case: &str, files: &BTreeMap<String, String>) {
    let (name, _) = case.split_once('\n').unwrap();
    let parts = parts(case);
    let part = |title: &str| parts.iter().find(|part| part.title == title);
    let result = applied(&part("patch").unwrap().text(), files);
    if let Some(expected) = part("refused") {
        let error = result.expect_err(name).to_string().replace('\t', "⇥");
        assert!(!expected.written.is_empty(), "{name}");
        for line in expected.written.lines() {
            assert!(error.contains(line), "{name}: `{line}` is not in\n{error}");
        }
        return;
    }
    let applied = result.unwrap_or_else(|error| panic!("{name}: {error}"));
    let lines: Vec<String> = applied.changes.iter().flat_map(shown).collect();
    assert_eq!(lines.join("\n"), part("applied").unwrap().written, "{name}");
    let repairs: Vec<String> = applied.repairs.iter().map(|it| format!("{it:?}")).collect();
    assert_eq!(
        repairs.join("\n"),
        part("repairs").unwrap().written,
        "{name}"
    );
}

#[test]
fn every_mistake_has_its_outcome() {
    let mut cases = TABLE.split("\n#### ");
    let files: BTreeMap<String, String> = parts(cases.next().unwrap())
        .iter()
        .map(|part| {
            let path = part.title.strip_prefix("file ").unwrap();
            (path.to_owned(), part.text())
        })
        .collect();
    let cases: Vec<&str> = cases.collect();
    assert!(cases.len() >= 60, "{}", cases.len());
    for case in cases {
        check(case, &files);
    }
}
