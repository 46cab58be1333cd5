//! What is found, and what is not.

use super::*;

#[test]
fn the_built_in_rules_can_be_read_and_hold_their_examples() {
    let rules = Box::leak(Box::new(Rulebook::load().unwrap()));
    for rule in rules.written() {
        let found = |text: &str| {
            let mut findings = Vec::new();
            rules.scan(&Folded::new(text, 0..text.len()), &mut findings);
            findings.iter().any(|finding| finding.rule == rule.name)
        };
        for text in &rule.r#match {
            assert!(found(text), "`{}` misses: {text}", rule.name);
        }
        for text in &rule.not_match {
            assert!(!found(text), "`{}` finds: {text}", rule.name);
        }
    }
}
