//! What a turn has come to about its checks, folded from its journal.

use serde::{Deserialize, Serialize};

use super::{
    CheckReport, CheckResult, CheckStrategy, CheckVerdict, FILE_EDITS, ToolCall, ToolOutcome,
};

/// What a driver issued about checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssuedCheck {
    /// A round of checks begins; no call goes with it.
    Begins {
        /// What will be verified, in order; empty where no recipe is known.
        planned: Vec<CheckStrategy>,
    },
    /// A check of the round runs, by one call.
    Runs {
        /// What it verifies.
        strategy: CheckStrategy,
        /// Why.
        #[serde(default)]
        purpose: CheckPurpose,
    },
}

/// Why a check of a round runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckPurpose {
    /// To verify what was changed.
    #[default]
    Verify,
    /// Once more, since its failure may be flaky.
    Again,
    /// On the files as they were before the change.
    Before,
}

/// A check that was issued and has no result yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Running {
    strategy: CheckStrategy,
    purpose: CheckPurpose,
}

/// The checks of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckState {
    /// The files that were changed since the last round began, with paths from the root of the
    /// project.
    pub changed: Vec<String>,
    /// What was found before the first change.
    pub baseline: Vec<CheckReport>,
    /// What earlier rounds found, and the calls of the model between them.
    pub earlier: Vec<CheckReport>,
    /// The round under way.
    pub round: Option<CheckRound>,
    /// The last round that is over.
    pub last: Option<CheckRound>,
    /// Whether no check can run on the files as they were before the change.
    pub has_no_snapshot: bool,
    /// How often the model was asked to correct a failure.
    pub corrections: u32,
    /// How many calls were issued for checks.
    pub issued: usize,
    /// What the model itself had checked since the last change.
    current: Vec<CheckReport>,
    /// All files that the turn changed.
    all_changed: Vec<String>,
}

/// A round of checks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckRound {
    /// What is verified, in order.
    pub planned: Vec<CheckStrategy>,
    /// What was found so far.
    pub results: Vec<CheckResult>,
    /// What the model said at the end of its work.
    pub reply: String,
    /// The check that runs.
    running: Option<Running>,
}

impl CheckState {
    /// Takes what a driver issued. `reply` is what the model said last.
    pub(super) fn issue(&mut self, check: &IssuedCheck, reply: &str) {
        match check {
            IssuedCheck::Begins { planned } => {
                self.changed.clear();
                let counts = |report: &CheckReport| {
                    report.verdict == CheckVerdict::Passed && planned.contains(&report.strategy)
                };
                let current = self.current.drain(..).filter(counts);
                self.round = Some(CheckRound {
                    planned: planned.clone(),
                    results: current.map(CheckResult::Ran).collect(),
                    reply: reply.to_owned(),
                    running: None,
                });
            }
            IssuedCheck::Runs { strategy, purpose } => {
                self.issued += 1;
                if let Some(round) = &mut self.round {
                    round.running = Some(Running {
                        strategy: *strategy,
                        purpose: *purpose,
                    });
                }
            }
        }
    }

    /// Returns why the check runs that was issued last; `None` where none runs.
    pub fn running(&self) -> Option<CheckPurpose> {
        let running = self.round.as_ref()?.running.as_ref()?;
        Some(running.purpose)
    }

    /// Takes the result of a call. Returns whether it was a check of the round under way.
    pub(super) fn take_result(&mut self, call: &ToolCall, outcome: &ToolOutcome) -> bool {
        if let Some(round) = &mut self.round
            && let Some(running) = round.running.take()
        {
            let report = match outcome {
                ToolOutcome::Checked { report, .. } => Some(report.as_ref().clone()),
                _ => None,
            };
            match (running.purpose, report) {
                (CheckPurpose::Before, Some(report)) => self.baseline.push(report),
                (CheckPurpose::Before, None) => self.has_no_snapshot = true,
                (CheckPurpose::Verify | CheckPurpose::Again, Some(report)) => {
                    round.results.push(CheckResult::Ran(report));
                }
                (CheckPurpose::Verify | CheckPurpose::Again, None) => {
                    round.results.push(CheckResult::NotRun(running.strategy));
                }
            }
            return true;
        }
        match outcome {
            ToolOutcome::Checked { report, .. }
                if self.all_changed.is_empty() || call.arguments["before"] == true =>
            {
                self.baseline.push(report.as_ref().clone());
            }
            ToolOutcome::Checked { report, .. } => {
                self.current.push(report.as_ref().clone());
            }
            ToolOutcome::Success { .. } if FILE_EDITS.contains(&call.name.as_str()) => {
                self.take_change(call);
            }
            _ => {}
        }
        false
    }

    fn take_change(&mut self, call: &ToolCall) {
        self.earlier.append(&mut self.current);
        let mut paths = changed_files(call);
        if paths.is_empty() {
            // Steps of the turn were taken back: any of its files may have changed.
            paths.clone_from(&self.all_changed);
        }
        for path in paths {
            if !self.changed.contains(&path) {
                self.changed.push(path.clone());
            }
            if !self.all_changed.contains(&path) {
                self.all_changed.push(path);
            }
        }
    }

    /// Ends the round under way, since the model is asked to correct what it found. Returns whether
    /// there was one.
    pub(super) fn correct(&mut self) -> bool {
        let Some(round) = self.round.take() else {
            return false;
        };
        let reports = round.results.iter().filter_map(|result| match result {
            CheckResult::Ran(report) => Some(report.clone()),
            CheckResult::NotRun(_) => None,
        });
        self.earlier.extend(reports);
        self.corrections += 1;
        self.last = Some(round);
        true
    }
}

/// Returns the files that a call changes, as it names them.
fn changed_files(call: &ToolCall) -> Vec<String> {
    const SIGNS: [&str; 6] = [
        "*** Update File: ",
        "*** Add File: ",
        "*** Delete File: ",
        "*** Move to: ",
        "+++ b/",
        "--- a/",
    ];
    let text = |name: &str| call.arguments[name].as_str().unwrap_or_default();
    let path = text("path").trim();
    if !path.is_empty() {
        return vec![path.trim_start_matches("./").to_owned()];
    }
    let lines = text("patch").lines();
    let named = lines.filter_map(|line| SIGNS.iter().find_map(|sign| line.strip_prefix(sign)));
    named
        .map(|path| path.trim().trim_start_matches("./").to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{CheckPurpose, CheckState, IssuedCheck};
    use crate::transcript::{
        CallId, CheckFailure, CheckReport, CheckResult, CheckStrategy, CheckVerdict, FailureKind,
        ToolCall, ToolOutcome,
    };

    fn call(name: &str, arguments: serde_json::Value) -> ToolCall {
        ToolCall {
            id: CallId("c".to_owned()),
            name: name.to_owned(),
            arguments,
        }
    }

    fn patch(file: &str) -> ToolCall {
        let patch = format!("*** Begin Patch\n*** Update File: {file}\n-a\n+b\n*** End Patch\n");
        call("apply_patch", json!({ "patch": patch }))
    }

    fn done() -> ToolOutcome {
        ToolOutcome::Success {
            output: String::new(),
        }
    }

    fn checked(passes: bool) -> ToolOutcome {
        let failure = CheckFailure {
            kind: FailureKind::TestAssertion,
            failed: 1,
            tests: vec![],
            message: String::new(),
            place: None,
            fingerprint: "f".to_owned(),
        };
        ToolOutcome::Checked {
            report: Box::new(CheckReport {
                strategy: CheckStrategy::Tests,
                command: "x".to_owned(),
                verdict: if passes {
                    CheckVerdict::Passed
                } else {
                    CheckVerdict::Failed(failure)
                },
                tests: None,
                millis: 1,
            }),
            output: String::new(),
        }
    }

    fn begins() -> IssuedCheck {
        IssuedCheck::Begins {
            planned: vec![CheckStrategy::Tests],
        }
    }

    fn runs() -> IssuedCheck {
        IssuedCheck::Runs {
            strategy: CheckStrategy::Tests,
            purpose: CheckPurpose::Verify,
        }
    }

    #[test]
    fn changes_and_rounds_are_followed() {
        let mut state = CheckState::default();
        let asks = call("run_checks", json!({"check": "tests"}));
        assert!(!state.take_result(&asks, &checked(false)));
        assert_eq!(state.baseline.len(), 1);
        state.take_result(&patch("a.py"), &done());
        state.take_result(&patch("a.py"), &done());
        assert_eq!(state.changed, ["a.py"]);
        state.issue(&begins(), "Done.");
        assert!(state.changed.is_empty());
        state.issue(&runs(), "");
        assert!(state.take_result(&asks, &checked(false)));
        let round = state.round.clone().unwrap();
        assert_eq!((round.reply.as_str(), round.results.len()), ("Done.", 1));
        assert!(state.correct());
        assert_eq!((state.corrections, state.earlier.len()), (1, 1));
        assert!(!state.correct());
    }

    #[test]
    fn what_the_model_checked_after_its_last_change_is_not_run_again() {
        let mut state = CheckState::default();
        let asks = call("run_checks", json!({"check": "tests"}));
        state.take_result(&call("write_file", json!({"path": "./b.py"})), &done());
        state.take_result(&asks, &checked(true));
        state.issue(&begins(), "");
        assert_eq!(state.round.as_ref().unwrap().results.len(), 1);
        state.correct();
        state.take_result(&asks, &checked(true));
        state.take_result(&patch("b.py"), &done());
        state.issue(&begins(), "");
        assert_eq!(state.round.unwrap().results.len(), 0);
    }

    #[test]
    fn a_check_that_was_denied_did_not_run() {
        let mut state = CheckState::default();
        state.issue(&begins(), "");
        state.issue(&runs(), "");
        let denied = ToolOutcome::denied("no");
        state.take_result(&call("run_checks", json!({})), &denied);
        let results = state.round.unwrap().results;
        assert_eq!(results, [CheckResult::NotRun(CheckStrategy::Tests)]);
    }
}
