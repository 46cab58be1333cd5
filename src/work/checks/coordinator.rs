//! What is done next about the checks of a turn: a pure function of what ran.
//!
//! A round runs its checks in order. The first failure ends it: it is run once more where it may be
//! flaky, compared with a run from before the change, and then given to the model to be corrected,
//! or reported. Each correction is followed by another round.

use std::time::Duration;

use sayso_core::transcript::{CheckFailure, CheckReport, CheckResult, CheckStrategy, FailureKind};

/// A failing test that took no longer than this is run once more, in case it is flaky.
pub const RERUN_WITHIN: Duration = Duration::from_mins(1);

/// What the operator allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckLimits {
    /// How often the model may correct a failure in one turn.
    pub max_corrections: u32,
    /// How long the checks of one turn may run, all together. A check that runs already is not ended
    /// by it.
    pub budget: Duration,
}

/// What is known when the next step is decided.
#[derive(Debug, Clone, Copy)]
pub struct History<'a> {
    /// The checks of this round, in the order in which they run.
    pub planned: &'a [CheckStrategy],
    /// What ran of them, in order; one that was run twice is there twice.
    pub round: &'a [CheckResult],
    /// What earlier rounds of this turn found.
    pub earlier: &'a [CheckReport],
    /// What checks found before the change, as far as that is known.
    pub baseline: &'a [CheckReport],
    /// Whether a check can be run on the files as they were before the change.
    pub has_snapshot: bool,
    /// How many corrections the model was asked for in this turn.
    pub corrections: u32,
}

/// What is done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Run a check.
    Run(CheckStrategy),
    /// Run a check once more, in case its failure is flaky.
    RunAgain(CheckStrategy),
    /// Run a check on the files as they were before the change.
    RunBefore(CheckStrategy),
    /// Give the failure to the model.
    Correct(Recovery),
    /// End the round, and say what was found.
    Report(WhyOver),
}

/// What is to be done about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Correct what was changed.
    FixInPlace,
    /// Take back the last change: the correction made it worse.
    RevertStep,
    /// Have a package added, which requires approval.
    AddDependency,
}

/// Why a round is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyOver {
    /// Every check of it has a result, and none fails.
    Done,
    /// The failure existed before the change.
    WasThere,
    /// A correction has changed nothing about the failure.
    SameAgain,
    /// There were as many corrections as are allowed.
    TriedEnough,
    /// No correction is allowed.
    NotCorrected,
    /// The time for checks is used up.
    OutOfTime,
    /// A person must see to it: the machine or a missing tool is the reason, or it does not end.
    NeedsPerson,
}

/// Returns what is done next.
pub fn next(history: &History<'_>, limits: CheckLimits) -> Step {
    for strategy in history.planned {
        let results = results_of(history.round, *strategy);
        let newest = results.iter().rev().find_map(|result| match result {
            CheckResult::Ran(report) => Some(report),
            CheckResult::NotRun(_) => None,
        });
        if results.is_empty() {
            return if is_out_of_time(history, limits) {
                Step::Report(WhyOver::OutOfTime)
            } else {
                Step::Run(*strategy)
            };
        }
        let Some(report) = newest else {
            continue;
        };
        if let Some(failure) = report.failure() {
            let ran_once = results.len() == 1;
            if ran_once && may_be_flaky(report, failure, history, limits) {
                return Step::RunAgain(*strategy);
            }
            return after_failure(report, failure, history, limits);
        }
    }
    Step::Report(WhyOver::Done)
}

fn results_of(round: &[CheckResult], strategy: CheckStrategy) -> Vec<&CheckResult> {
    let of_it = round.iter().filter(|result| result.strategy() == strategy);
    of_it.collect()
}

/// Decides about a failure that is no flaky one.
fn after_failure(
    report: &CheckReport,
    failure: &CheckFailure,
    history: &History<'_>,
    limits: CheckLimits,
) -> Step {
    if is_persons(failure.kind) {
        return Step::Report(WhyOver::NeedsPerson);
    }
    let before = history
        .baseline
        .iter()
        .rev()
        .find(|it| it.strategy == report.strategy);
    if before.is_some_and(|before| was_there(before, failure)) {
        return Step::Report(WhyOver::WasThere);
    }
    let mut earlier = history.earlier.iter().filter_map(CheckReport::failure);
    if earlier.any(|it| it.fingerprint == failure.fingerprint) && history.corrections > 0 {
        return Step::Report(WhyOver::SameAgain);
    }
    if history.corrections >= limits.max_corrections {
        return Step::Report(match history.corrections {
            0 => WhyOver::NotCorrected,
            1.. => WhyOver::TriedEnough,
        });
    }
    if is_out_of_time(history, limits) {
        return Step::Report(WhyOver::OutOfTime);
    }
    if before.is_none() && history.has_snapshot {
        return Step::RunBefore(report.strategy);
    }
    Step::Correct(recovery(report, failure, history))
}

fn recovery(report: &CheckReport, failure: &CheckFailure, history: &History<'_>) -> Recovery {
    if failure.kind == FailureKind::MissingDependency {
        return Recovery::AddDependency;
    }
    let mut earlier = history.earlier.iter().rev();
    let last = earlier.find(|it| it.strategy == report.strategy);
    let last_failed = last
        .and_then(CheckReport::failure)
        .map_or(0, |it| it.failed);
    let is_worse = history.corrections > 0 && last.is_some() && failure.failed > last_failed;
    if is_worse {
        Recovery::RevertStep
    } else {
        Recovery::FixInPlace
    }
}

/// Returns whether a failure existed before: an equal one, or all of these failing tests and more.
fn was_there(before: &CheckReport, failure: &CheckFailure) -> bool {
    before.failure().is_some_and(|old| {
        let is_equal = old.fingerprint == failure.fingerprint;
        let known = |name: &String| old.tests.contains(name);
        let all_named = !failure.tests.is_empty() && failure.tests.len() == failure.failed;
        let is_less = failure.failed < old.failed;
        is_equal || (all_named && is_less && failure.tests.iter().all(known))
    })
}

/// Returns whether the model can do nothing about it.
fn is_persons(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Environment | FailureKind::TimeOut => true,
        FailureKind::Compile
        | FailureKind::Type
        | FailureKind::TestAssertion
        | FailureKind::Lint
        | FailureKind::MissingDependency
        | FailureKind::Flaky => false,
    }
}

/// Compilers and linters do not fail by chance; and a failure that was seen before is none.
fn may_be_flaky(
    report: &CheckReport,
    failure: &CheckFailure,
    history: &History<'_>,
    limits: CheckLimits,
) -> bool {
    let seen = history.earlier.iter().chain(history.baseline);
    let mut earlier = seen.filter_map(CheckReport::failure);
    let is_new = !earlier.any(|it| it.fingerprint == failure.fingerprint);
    failure.kind == FailureKind::TestAssertion
        && is_new
        && Duration::from_millis(report.millis) <= RERUN_WITHIN
        && !is_out_of_time(history, limits)
}

fn is_out_of_time(history: &History<'_>, limits: CheckLimits) -> bool {
    let in_round = history.round.iter().map(|result| match result {
        CheckResult::Ran(report) => report.millis,
        CheckResult::NotRun(_) => 0,
    });
    let before = history.earlier.iter().chain(history.baseline);
    let spent: u64 = in_round.chain(before.map(|it| it.millis)).sum();
    Duration::from_millis(spent) >= limits.budget
}
