//! What the score, the comparison and suppressions promise.

use proptest::prelude::*;

use crate::{Severity, analyse, compare, score_of_all};

const CODE: &str = "import hashlib\n\ndef find(cursor, name):\n    cursor.execute(\"SELECT * FROM a WHERE b = '\" + name + \"'\")\n    return hashlib.md5(name).hexdigest()\n";

proptest! {
    #[test]
    fn another_finding_never_raises_a_score(
        kept in proptest::collection::vec(any::<bool>(), 0..20),
        size in 0_usize..20_000,
        is_test: bool,
    ) {
        let mut report = analyse("a.py", CODE);
        let all = report.findings.clone();
        prop_assert!(!all.is_empty());
        report.findings.clear();
        (report.size, report.is_test) = (size, is_test);
        let mut before = score_of_all([&report]);
        prop_assert_eq!(before, 100);
        for (number, is_high) in kept.into_iter().enumerate() {
            let mut finding = all[number % all.len()].clone();
            finding.severity = if is_high { Severity::High } else { Severity::Low };
            report.findings.push(finding);
            let after = score_of_all([&report]);
            prop_assert!(after <= before);
            before = after;
        }
        prop_assert!(before < 100 || report.findings.is_empty());
    }

    #[test]
    fn any_text_is_analysed(text in "\\PC{0,300}") {
        for path in ["a.py", "a.js", "a.ts", "A.java", "a.go", "a.rs", "a.c", "a.cpp", "a.yml"] {
            analyse(path, &text);
        }
    }
}

#[test]
fn layout_and_folder_change_no_score() {
    let spaced = CODE
        .replace("execute(", "execute(\n        ")
        .replace(".md5(name)", ".md5(\n        name,\n    )")
        .replace("\n\n", "\n\n\n");
    let (one, other) = (analyse("a/b.py", CODE), analyse("c/d/e.py", &spaced));
    assert_eq!(one.score, other.score);
    assert!(one.score < 100);
    let change = compare(&[one], &[other]);
    assert_eq!(
        (change.score, change.findings.len(), change.resolved),
        (100, 0, 0)
    );
}

#[test]
fn only_what_is_new_or_worse_counts_in_a_change() {
    let before = analyse("a.py", CODE);
    let more = format!("{CODE}\ndef other(path):\n    return eval(path)\n");
    let change = compare(std::slice::from_ref(&before), &[analyse("a.py", &more)]);
    let rules: Vec<_> = change.findings.iter().map(|it| it.finding().rule).collect();
    assert_eq!(rules, ["code-from-text"]);
    assert_eq!(change.score, 67);
    let change = compare(&[before], &[analyse("a.py", "x = 1\n")]);
    assert_eq!((change.score, change.resolved), (100, 2));
}

#[test]
fn a_suppression_needs_a_reason() {
    let with = "import hashlib\n# sayso: allow weak-hash: names of files\nx = hashlib.md5(b'')\n";
    let report = analyse("a.py", with);
    assert_eq!((report.findings.len(), report.suppressed), (0, 1));
    let without = with.replace(": names of files", "");
    let report = analyse("a.py", &without);
    let rules: Vec<_> = report.findings.iter().map(|it| it.rule).collect();
    assert_eq!(rules, ["suppression-without-reason", "weak-hash"]);
}

#[test]
fn functions_are_counted() {
    let rust = "fn f(a: u8, b: &str) -> u8 {\n    if a > 1 && a < 9 {\n        for _ in 0..a {\n            g()?;\n        }\n    }\n    match a { 0 => 1, 1 => 2, _ => 3 }\n}\n";
    let report = analyse("a.rs", rust);
    let function = &report.functions[0];
    assert_eq!((function.name.as_str(), function.line), ("f", 1));
    assert_eq!((function.complexity, function.nesting), (7, 2));
    assert_eq!((function.length, function.parameters), (8, 2));
}
