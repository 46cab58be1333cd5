//! The coordinator, step by step and over random histories.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use sayso_core::transcript::CheckStrategy::{self, Lint, Tests, Types};
use sayso_core::transcript::{CheckFailure, CheckReport, CheckResult, CheckVerdict, FailureKind};

use crate::coordinator::{CheckLimits, History, Recovery, Step, WhyOver, next};

const LIMITS: CheckLimits = CheckLimits {
    max_corrections: 2,
    budget: Duration::from_mins(10),
};

fn passed(strategy: CheckStrategy) -> CheckReport {
    CheckReport {
        strategy,
        command: "x".to_owned(),
        verdict: CheckVerdict::Passed,
        tests: None,
        millis: 1000,
    }
}

fn failed(strategy: CheckStrategy, kind: FailureKind, which: &str) -> CheckReport {
    let failure = CheckFailure {
        kind,
        failed: 1,
        tests: vec![which.to_owned()],
        message: "no".to_owned(),
        place: None,
        fingerprint: which.to_owned(),
    };
    CheckReport {
        verdict: CheckVerdict::Failed(failure),
        ..passed(strategy)
    }
}

fn test_fails(which: &str) -> CheckReport {
    failed(Tests, FailureKind::TestAssertion, which)
}

/// A history in the making.
#[derive(Default, Clone)]
struct Known {
    round: Vec<CheckResult>,
    earlier: Vec<CheckReport>,
    baseline: Vec<CheckReport>,
    has_snapshot: bool,
    corrections: u32,
}

impl Known {
    fn ran(reports: &[CheckReport]) -> Self {
        Self {
            round: reports.iter().cloned().map(CheckResult::Ran).collect(),
            ..Self::default()
        }
    }

    fn next(&self, planned: &[CheckStrategy]) -> Step {
        let history = History {
            planned,
            round: &self.round,
            earlier: &self.earlier,
            baseline: &self.baseline,
            has_snapshot: self.has_snapshot,
            corrections: self.corrections,
        };
        next(&history, LIMITS)
    }
}

#[test]
fn checks_run_in_their_order_until_one_fails() {
    let planned = [Lint, Types, Tests];
    assert_eq!(Known::default().next(&planned), Step::Run(Lint));
    let known = Known::ran(&[passed(Lint)]);
    assert_eq!(known.next(&planned), Step::Run(Types));
    let known = Known::ran(&[passed(Lint), failed(Types, FailureKind::Type, "t")]);
    let expected = Step::Correct(Recovery::FixInPlace);
    assert_eq!(known.next(&planned), expected);
    let all = Known::ran(&[passed(Lint), passed(Types), passed(Tests)]);
    assert_eq!(all.next(&planned), Step::Report(WhyOver::Done));
    assert_eq!(Known::default().next(&[]), Step::Report(WhyOver::Done));
}

#[test]
fn a_failing_test_is_run_once_more_before_anything_is_made_of_it() {
    let once = Known::ran(&[test_fails("a")]);
    assert_eq!(once.next(&[Tests]), Step::RunAgain(Tests));
    let flaky = Known::ran(&[test_fails("a"), passed(Tests)]);
    assert_eq!(flaky.next(&[Tests]), Step::Report(WhyOver::Done));
    let twice = Known::ran(&[test_fails("a"), test_fails("a")]);
    let fix = Step::Correct(Recovery::FixInPlace);
    assert_eq!(twice.next(&[Tests]), fix);
    let slow = CheckReport {
        millis: 61_000,
        ..test_fails("a")
    };
    assert_eq!(Known::ran(&[slow]).next(&[Tests]), fix);
}

#[test]
fn a_failure_from_before_the_change_is_not_corrected() {
    let mut known = Known::ran(&[test_fails("a"), test_fails("a")]);
    known.has_snapshot = true;
    assert_eq!(known.next(&[Tests]), Step::RunBefore(Tests));
    known.baseline = vec![test_fails("a")];
    assert_eq!(known.next(&[Tests]), Step::Report(WhyOver::WasThere));
    known.baseline = vec![passed(Tests)];
    let fix = Step::Correct(Recovery::FixInPlace);
    assert_eq!(known.next(&[Tests]), fix);
    known.baseline = vec![test_fails("b")];
    assert_eq!(known.next(&[Tests]), fix);
}

#[test]
fn corrections_end() {
    let mut known = Known::ran(&[test_fails("a"), test_fails("a")]);
    known.corrections = 1;
    known.earlier = vec![test_fails("a")];
    assert_eq!(known.next(&[Tests]), Step::Report(WhyOver::SameAgain));
    known.earlier = vec![test_fails("b")];
    let fix = Step::Correct(Recovery::FixInPlace);
    assert_eq!(known.next(&[Tests]), fix);
    known.corrections = 2;
    assert_eq!(known.next(&[Tests]), Step::Report(WhyOver::TriedEnough));
    let mut slow = Known::ran(&[failed(Types, FailureKind::Type, "t")]);
    slow.earlier = vec![CheckReport {
        millis: 600_000,
        ..passed(Tests)
    }];
    assert_eq!(slow.next(&[Types]), Step::Report(WhyOver::OutOfTime));
}

#[test]
fn what_the_model_cannot_correct_is_left_to_a_person() {
    for kind in [FailureKind::Environment, FailureKind::TimeOut] {
        let known = Known::ran(&[failed(Tests, kind, "x")]);
        assert_eq!(known.next(&[Tests]), Step::Report(WhyOver::NeedsPerson));
    }
    let known = Known::ran(&[failed(Tests, FailureKind::MissingDependency, "x")]);
    assert_eq!(known.next(&[Tests]), Step::Correct(Recovery::AddDependency));
}

#[test]
fn a_correction_that_makes_it_worse_is_taken_back() {
    let mut worse = test_fails("b");
    if let CheckVerdict::Failed(failure) = &mut worse.verdict {
        failure.failed = 4;
    }
    let mut known = Known::ran(&[worse.clone(), worse]);
    known.corrections = 1;
    known.earlier = vec![test_fails("a")];
    assert_eq!(known.next(&[Tests]), Step::Correct(Recovery::RevertStep));
}

#[test]
fn a_failure_that_may_not_be_run_again_stays_one() {
    let mut known = Known::ran(&[test_fails("a")]);
    known.round.push(CheckResult::NotRun(Tests));
    assert_eq!(known.next(&[Tests]), Step::Correct(Recovery::FixInPlace));
}

#[test]
fn a_check_that_was_not_allowed_holds_up_no_other() {
    let known = Known {
        round: vec![CheckResult::NotRun(Lint)],
        ..Known::default()
    };
    assert_eq!(known.next(&[Lint, Tests]), Step::Run(Tests));
}

/// What a run of a check comes to: a number of failures (0: passed; 7: not run) and a time.
type RandomRun = (u8, u16);

fn random_result(strategy: CheckStrategy, run: RandomRun) -> CheckResult {
    let (which, millis) = run;
    let millis = u64::from(millis);
    let kinds = FailureKind::ALL;
    let report = match which {
        7 => return CheckResult::NotRun(strategy),
        0..3 => passed(strategy),
        _ => {
            let kind = kinds.get(usize::from(which) % 7).copied().unwrap();
            failed(strategy, kind, &format!("f{}", which % 4))
        }
    };
    CheckResult::Ran(CheckReport { millis, ..report })
}

/// Plays a turn to its end: does what the coordinator says, with these results.
fn play(planned: &[CheckStrategy], has_snapshot: bool, runs: &[RandomRun]) {
    let mut runs = runs.iter().copied();
    let mut known = Known {
        has_snapshot,
        ..Known::default()
    };
    let mut counts: BTreeMap<(u32, CheckStrategy), usize> = BTreeMap::new();
    for _ in 0..200 {
        let step = known.next(planned);
        match step {
            Step::Run(strategy) | Step::RunAgain(strategy) => {
                let count = counts.entry((known.corrections, strategy)).or_default();
                *count += 1;
                assert!(*count <= 2, "a check runs at most twice in a round");
                let run = runs.next().unwrap_or((0, 0));
                known.round.push(random_result(strategy, run));
            }
            Step::RunBefore(strategy) => {
                let known_before = known.baseline.iter().any(|it| it.strategy == strategy);
                assert!(!known_before, "the baseline runs once for each check");
                let run = runs.next().unwrap_or((0, 0));
                match random_result(strategy, run) {
                    CheckResult::Ran(report) => known.baseline.push(report),
                    CheckResult::NotRun(_) => known.has_snapshot = false,
                }
            }
            Step::Correct(_) => {
                let mut newest_first = known.round.iter().rev();
                let last = newest_first
                    .find_map(|result| match result {
                        CheckResult::Ran(report) => Some(report),
                        CheckResult::NotRun(_) => None,
                    })
                    .unwrap();
                let failure = last.failure().unwrap();
                let mut old = known
                    .baseline
                    .iter()
                    .filter(|it| it.strategy == last.strategy)
                    .filter_map(CheckReport::failure);
                assert!(
                    old.all(|it| it.fingerprint != failure.fingerprint),
                    "what was there before is not corrected"
                );
                assert!(known.corrections < LIMITS.max_corrections);
                for result in std::mem::take(&mut known.round) {
                    if let CheckResult::Ran(report) = result {
                        known.earlier.push(report);
                    }
                }
                known.corrections += 1;
            }
            Step::Report(_) => return,
        }
    }
    panic!("the checks of a turn do not end");
}

proptest! {
    #[test]
    fn the_checks_of_a_turn_end(
        how_many in 0_usize..=6,
        has_snapshot in any::<bool>(),
        runs in proptest::collection::vec((0_u8..10, any::<u16>()), 0..60),
    ) {
        let planned: Vec<CheckStrategy> = CheckStrategy::ALL.into_iter().take(how_many).collect();
        play(&planned, has_snapshot, &runs);
    }

    #[test]
    fn no_check_runs_when_the_time_is_used_up(
        round in proptest::collection::vec((0_u8..7, any::<u16>()), 0..3),
    ) {
        let planned = [Lint, Types, Tests];
        let mut known = Known::default();
        for (strategy, run) in planned.iter().zip(round) {
            known.round.push(random_result(*strategy, run));
        }
        known.earlier = vec![CheckReport { millis: 600_000, ..passed(Tests) }];
        let is_report = matches!(known.next(&planned), Step::Report(_));
        prop_assert!(is_report);
    }
}
