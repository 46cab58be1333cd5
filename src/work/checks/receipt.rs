//! The receipt: what was really run and found, as data for one line of text.

use std::time::Duration;

use sayso_core::transcript::{CheckReport, CheckResult, CheckStrategy};

use crate::coordinator::WhyOver;

/// How many names of failing tests a receipt has.
const NAMED_TESTS: usize = 3;

/// What was verified, for one line under a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Receipt {
    /// Everything that ran has passed.
    Passed {
        /// What ran, the tests first.
        parts: Vec<ReceiptPart>,
        /// The checks that were not run.
        left_out: Vec<CheckStrategy>,
        /// Tests that failed once and passed when they were run again.
        flaky: Vec<String>,
        /// How long it took, all together.
        took: Duration,
    },
    /// A check fails.
    Failed {
        /// Which check.
        strategy: CheckStrategy,
        /// Its report.
        report: CheckReport,
        /// The names of failing tests that are shown; at most three.
        named: Vec<String>,
        /// Why nothing more is done about it.
        why: WhyOver,
    },
    /// No check ran.
    NotChecked {
        /// Those that were to run; empty where no recipe is known.
        planned: Vec<CheckStrategy>,
    },
}

/// One thing that was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiptPart {
    /// What.
    pub strategy: CheckStrategy,
    /// How many tests, where that is known.
    pub tests: Option<usize>,
}

impl Receipt {
    /// Makes the receipt of a round that is over.
    pub fn of(planned: &[CheckStrategy], round: &[CheckResult], why: WhyOver) -> Self {
        let ran = || {
            round.iter().filter_map(|result| match result {
                CheckResult::Ran(report) => Some(report),
                CheckResult::NotRun(_) => None,
            })
        };
        // The newest run of a check is what it came to.
        let newest = |strategy: CheckStrategy| ran().rev().find(|it| it.strategy == strategy);
        let results: Vec<&CheckReport> = planned.iter().filter_map(|it| newest(*it)).collect();
        let failing = results
            .iter()
            .find_map(|report| Some((*report, report.failure()?)));
        if let Some((report, failure)) = failing {
            return Self::Failed {
                strategy: report.strategy,
                report: report.clone(),
                named: short_names(&failure.tests),
                why,
            };
        }
        if results.is_empty() {
            return Self::NotChecked {
                planned: planned.to_vec(),
            };
        }
        let mut parts: Vec<ReceiptPart> = results
            .iter()
            .map(|report| ReceiptPart {
                strategy: report.strategy,
                tests: report.tests,
            })
            .collect();
        parts.sort_by_key(|part| part.strategy != CheckStrategy::Tests);
        let has_run = |strategy: &&CheckStrategy| newest(**strategy).is_none();
        let failed_once = ran().filter_map(CheckReport::failure);
        let flaky: Vec<String> = failed_once.flat_map(|it| it.tests.clone()).collect();
        Self::Passed {
            parts,
            left_out: planned.iter().filter(has_run).copied().collect(),
            flaky: short_names(&flaky),
            took: Duration::from_millis(ran().map(|it| it.millis).sum()),
        }
    }

    /// Returns whether it says that something fails.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }

    /// Returns whether it is proof of success.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Passed { .. })
    }
}

/// Returns the first names, each without the module or file that it stands in.
fn short_names(names: &[String]) -> Vec<String> {
    let short = names.iter().map(|name| short_name(name).to_owned());
    short.take(NAMED_TESTS).collect()
}

/// `test_sums.Sums.test_total` is `test_total`, `a/test_b.py::test_c` is `test_c`, and
/// `tests::means::mean_rounds_up` is `mean_rounds_up`; a name of several words stays.
fn short_name(name: &str) -> &str {
    let bare = name.split(" (").next().unwrap_or(name);
    let last = bare.rsplit("::").next().unwrap_or(bare);
    let last = match last.rsplit_once('.') {
        Some((_, method)) if !last.contains([' ', '/']) => method,
        _ => last,
    };
    if last.trim().is_empty() { name } else { last }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sayso_core::transcript::CheckStrategy::{Lint, Tests, Types};
    use sayso_core::transcript::{
        CheckFailure, CheckReport, CheckResult, CheckStrategy, CheckVerdict, FailureKind,
    };

    use super::{Receipt, ReceiptPart, short_name};
    use crate::coordinator::WhyOver;

    fn passed(strategy: CheckStrategy, tests: Option<usize>) -> CheckReport {
        CheckReport {
            strategy,
            command: String::new(),
            verdict: CheckVerdict::Passed,
            tests,
            millis: 6000,
        }
    }

    fn failing() -> CheckReport {
        let names = ["test_login (a.B.test_login)", "test_logout", "c", "d"];
        let failure = CheckFailure {
            kind: FailureKind::TestAssertion,
            failed: 4,
            tests: names.map(str::to_owned).to_vec(),
            message: String::new(),
            place: None,
            fingerprint: String::new(),
        };
        CheckReport {
            verdict: CheckVerdict::Failed(failure),
            ..passed(Tests, Some(41))
        }
    }

    fn ran(reports: &[CheckReport]) -> Vec<CheckResult> {
        reports.iter().cloned().map(CheckResult::Ran).collect()
    }

    #[test]
    fn what_passed_is_listed_with_the_tests_first() {
        let round = ran(&[passed(Types, None), passed(Tests, Some(41))]);
        let receipt = Receipt::of(&[Lint, Types, Tests], &round, WhyOver::Done);
        let part = |strategy, tests| ReceiptPart { strategy, tests };
        let expected = Receipt::Passed {
            parts: vec![part(Tests, Some(41)), part(Types, None)],
            left_out: vec![Lint],
            flaky: vec![],
            took: Duration::from_secs(12),
        };
        assert_eq!(receipt, expected);
    }

    #[test]
    fn a_failure_names_three_tests() {
        let receipt = Receipt::of(&[Tests], &ran(&[failing()]), WhyOver::TriedEnough);
        let Receipt::Failed { named, .. } = receipt else {
            panic!("{receipt:?}");
        };
        assert_eq!(named, ["test_login", "test_logout", "c"]);
    }

    #[test]
    fn a_flaky_test_is_called_so() {
        let round = ran(&[failing(), passed(Tests, Some(41))]);
        let receipt = Receipt::of(&[Tests], &round, WhyOver::Done);
        let Receipt::Passed { flaky, .. } = receipt else {
            panic!("{receipt:?}");
        };
        assert_eq!(flaky, ["test_login", "test_logout", "c"]);
    }

    #[test]
    fn without_a_result_nothing_is_claimed() {
        let none = Receipt::of(&[], &[], WhyOver::Done);
        assert_eq!(none, Receipt::NotChecked { planned: vec![] });
        let denied = [CheckResult::NotRun(Tests)];
        let receipt = Receipt::of(&[Tests], &denied, WhyOver::Done);
        let planned = vec![Tests];
        assert_eq!(receipt, Receipt::NotChecked { planned });
    }

    #[test]
    fn names_are_short() {
        assert_eq!(short_name("tests::means::rounds_up"), "rounds_up");
        assert_eq!(short_name("a/test_b.py::test_c"), "test_c");
        assert_eq!(short_name("m.C.test_d"), "test_d");
        assert_eq!(short_name("test_e (m.C)"), "test_e");
        assert_eq!(short_name("adds two items"), "adds two items");
        assert_eq!(short_name("src/lib.rs - sum (line 5)"), "src/lib.rs - sum");
    }
}
