//! The score: a number from 0 to 100 for a file, a project or a change.
//!
//! A finding has a weight by its severity (high 40, medium 15, low 4), times 0.3 in a test file. With
//! `P` the sum of the weights:
//!
//! - a file or a project of `N` names and literals has `100 * exp(-P / (100 * max(1, N / 1000)))`. A
//!   thousand names and literals are some 200 lines; they are counted in place of lines, so that a
//!   formatter does not change the score;
//! - a change has `100 * exp(-P / 100)`, over new and worsened findings only. One finding of high
//!   severity makes 67, two of medium severity make 74, three make 64.
//!
//! Each further finding makes `P` larger and leaves `N` as it was, so it never raises a score.

use crate::report::{FileReport, Finding, Severity};

/// What the weight of a finding in a test file is multiplied by.
const TEST_FACTOR: f64 = 0.3;

/// The sum of weights that makes a score 100 / e, about 37.
const SCALE: f64 = 100.0;

/// How many names and literals count as one unit of size.
const SIZE_UNIT: f64 = 1000.0;

fn weight(severity: Severity) -> f64 {
    match severity {
        Severity::Low => 4.0,
        Severity::Medium => 15.0,
        Severity::High => 40.0,
    }
}

/// Returns the sum of the weights of findings of one file.
pub(crate) fn penalty<'f>(findings: impl IntoIterator<Item = &'f Finding>, is_test: bool) -> f64 {
    let factor = if is_test { TEST_FACTOR } else { 1.0 };
    let weights = findings
        .into_iter()
        .map(|finding| weight(finding.severity) * factor);
    weights.sum()
}

/// Returns the score of one file.
pub(crate) fn of_file(file: &FileReport) -> u8 {
    of_size(penalty(&file.findings, file.is_test), file.size)
}

/// Returns the score of files together, 0 to 100; 100 for no file.
pub fn score_of_all<'f>(files: impl IntoIterator<Item = &'f FileReport>) -> u8 {
    let (mut sum, mut size) = (0.0, 0);
    for file in files {
        sum += penalty(&file.findings, file.is_test);
        size += file.size;
    }
    of_size(sum, size)
}

/// Returns the score of a change with this sum of weights.
pub(crate) fn of_change(penalty: f64) -> u8 {
    scaled(penalty)
}

fn of_size(penalty: f64, size: usize) -> u8 {
    scaled(penalty / (size as f64 / SIZE_UNIT).max(1.0))
}

/// A sum above zero never makes 100: a score of 100 says that nothing was found.
fn scaled(penalty: f64) -> u8 {
    let score = (100.0 * (-penalty / SCALE).exp()).round().clamp(0.0, 100.0) as u8;
    if penalty > 0.0 { score.min(99) } else { score }
}
