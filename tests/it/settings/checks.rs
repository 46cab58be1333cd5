//! `[checks]`, by what becomes of a turn that changed files of a project.

use crate::code::checks as code;
use crate::platform::Platform;

/// What proves each key of the section.
pub const PROOFS: &[(&str, fn())] = &[
    ("checks.when", nothing_is_checked_unasked),
    ("checks.max_corrections", none_is_corrected),
    ("checks.timeout_secs", a_check_takes_no_longer),
    ("checks.budget_secs", no_further_check_begins),
];

#[tokio::test]
pub async fn nothing_is_checked_unasked() {
    code::with_asked_nothing_runs_by_itself(Platform::Telegram).await;
}

#[tokio::test]
pub async fn none_is_corrected() {
    code::a_claim_that_the_receipt_contradicts_stands_below_it(Platform::Telegram).await;
}

#[tokio::test]
pub async fn a_check_takes_no_longer() {
    code::a_test_that_never_ends_is_ended_with_what_it_started(Platform::Telegram).await;
}

#[tokio::test]
pub async fn no_further_check_begins() {
    code::when_the_time_is_used_up_no_further_check_begins(Platform::Telegram).await;
}
