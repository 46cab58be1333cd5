//! Comments that say why a finding is none: `sayso: allow RULE-ID: reason`, on its line or the line
//! above it.

use std::collections::HashMap;

/// What such a comment begins with, after its sign.
const BEGIN: &str = "sayso: allow ";

/// The comments of a file.
#[derive(Debug, Default)]
pub(crate) struct Suppressions {
    /// The rules that are allowed at each line.
    allowed: HashMap<usize, Vec<String>>,
    /// Lines of comments without a reason, and their rules.
    pub(crate) without_reason: Vec<(usize, String)>,
}

impl Suppressions {
    /// Reads the comments of a text. What is not in a comment is not read: a comment begins with one of
    /// the usual signs.
    pub(crate) fn read(text: &str) -> Self {
        let mut found = Self::default();
        for (number, line) in text.lines().enumerate() {
            let Some((before, rest)) = line.split_once(BEGIN) else {
                continue;
            };
            let sign = before.trim_end();
            let is_comment = ["//", "#", "/*", "*", "--", "<!--", "///", "//!", ";"];
            if !is_comment.iter().any(|mark| sign.ends_with(mark)) {
                continue;
            }
            let (rule, reason) = rest.split_once(':').unwrap_or((rest, ""));
            let rule = rule.trim().trim_end_matches("*/").trim_end().to_owned();
            let reason = reason
                .trim()
                .trim_end_matches("*/")
                .trim_end_matches("-->")
                .trim();
            if reason.is_empty() {
                found.without_reason.push((number + 1, rule));
                continue;
            }
            let is_alone = ["//", "#", "/*", "--", "<!--"].contains(&sign.trim_start());
            found
                .allowed
                .entry(number + 1)
                .or_default()
                .push(rule.clone());
            if is_alone {
                found.allowed.entry(number + 2).or_default().push(rule);
            }
        }
        found
    }

    /// Returns whether a rule is allowed at a line.
    pub(crate) fn allows(&self, rule: &str, line: usize) -> bool {
        let rules = self.allowed.get(&line);
        rules.is_some_and(|rules| rules.iter().any(|allowed| allowed == rule))
    }
}
