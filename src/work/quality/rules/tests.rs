//! The rules against their examples.

use super::{Catalogue, RulesFile};
use crate::analyse;

#[test]
fn the_data_can_be_read() {
    for text in [include_str!("security.toml"), include_str!("smells.toml")] {
        let read: Result<RulesFile, _> = toml::from_str(text);
        assert_eq!(read.map_err(|error| error.to_string()).err(), None);
    }
    assert!(Catalogue::get().rules.len() > 40);
}

/// Files of examples: how their code is named, and their lines. `+` is found by the rule, `-` is not.
const EXAMPLES: [(&str, &str); 6] = [
    ("a.py", include_str!("examples/python.txt")),
    ("a.js", include_str!("examples/javascript.txt")),
    ("A.java", include_str!("examples/java.txt")),
    ("a.go", include_str!("examples/go.txt")),
    ("a.rs", include_str!("examples/rust.txt")),
    ("a.c", include_str!("examples/c.txt")),
];

#[test]
fn every_rule_finds_its_examples_and_no_others() {
    let (mut wrong, mut found, mut clean) = (Vec::new(), 0, 0);
    for (path, examples) in EXAMPLES {
        for example in examples.lines() {
            let (head, code) = example.split_once(" | ").unwrap();
            let (sign, rule) = head.split_once(' ').unwrap();
            let report = analyse(path, &code.replace("\\n", "\n"));
            let is_found = report.findings.iter().any(|finding| finding.rule == rule);
            let is_wanted = sign == "+";
            if is_found != is_wanted {
                wrong.push(format!("{path}: {example}"));
            }
            found += usize::from(is_wanted);
            clean += usize::from(!is_wanted);
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(found >= 150 && clean >= 150, "{found} and {clean}");
}
