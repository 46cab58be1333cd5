//! What a change made worse: findings from before and after it, matched by what they are about.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::report::{FileReport, Finding};
use crate::score;

/// A finding that a change brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum ChangedFinding {
    /// It was not there before.
    New(Finding),
    /// It was there, and is worse now.
    Worsened(Finding),
}

impl ChangedFinding {
    /// Returns the finding in its state after the change.
    pub fn finding(&self) -> &Finding {
        match self {
            Self::New(finding) | Self::Worsened(finding) => finding,
        }
    }
}

/// What a change did to the quality of its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeReport {
    /// 0 to 100, of new and worsened findings only; 100 where there are none.
    pub score: u8,
    /// What it made worse.
    pub findings: Vec<ChangedFinding>,
    /// How many findings from before are gone.
    pub resolved: usize,
    /// The score of all its files before the change.
    pub score_before: u8,
    /// The score of all its files after the change.
    pub score_after: u8,
}

/// Compares the files of a change as they were and as they are.
///
/// A new file is in `after` alone, a deleted one in `before` alone. Findings are matched over all
/// files, so that what only moved to another file is not new.
pub fn compare(before: &[FileReport], after: &[FileReport]) -> ChangeReport {
    let mut known: BTreeMap<(&str, u64), Vec<usize>> = BTreeMap::new();
    for finding in before.iter().flat_map(|file| &file.findings) {
        let key = (finding.rule, finding.fingerprint);
        known.entry(key).or_default().push(finding.measure);
    }
    for measures in known.values_mut() {
        measures.sort_unstable();
    }
    let (mut findings, mut penalty) = (Vec::new(), 0.0);
    for file in after {
        let mut worst_first: Vec<&Finding> = file.findings.iter().collect();
        worst_first.sort_by_key(|finding| std::cmp::Reverse(finding.measure));
        for finding in worst_first {
            let matched = known.get_mut(&(finding.rule, finding.fingerprint));
            let changed = match matched.and_then(Vec::pop) {
                Some(measure) if measure >= finding.measure => continue,
                Some(_) => ChangedFinding::Worsened(finding.clone()),
                None => ChangedFinding::New(finding.clone()),
            };
            penalty += score::penalty([finding], file.is_test);
            findings.push(changed);
        }
    }
    let place = |changed: &ChangedFinding| {
        let finding = changed.finding();
        (finding.file.clone(), finding.line, finding.rule)
    };
    findings.sort_by_key(place);
    ChangeReport {
        score: score::of_change(penalty),
        findings,
        resolved: known.values().map(Vec::len).sum(),
        score_before: score::score_of_all(before),
        score_after: score::score_of_all(after),
    }
}
