//! What to do next: a pure function of what a turn has come to.

use sayso_checks::{CheckLimits, History, Recovery, Step, WhyOver};
use sayso_core::transcript::{CallId, CheckPurpose, CheckStrategy, Origin, TurnOutcome, TurnState};

use crate::executor::{CallAction, next_call};

/// The next thing to do in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Fetch the files of a message.
    Fetch,
    /// Ask Phase 1.
    Route,
    /// Make a plan.
    Plan,
    /// Ask the model.
    CallModel,
    /// Judge and run a call.
    Run(CallId),
    /// Give a call that was not approved its result.
    Refuse(CallId),
    /// Say that the outcome of a call is unknown, or run it again when it is idempotent.
    Recover(CallId),
    /// Wait for a person: the turn is parked.
    Suspend,
    /// Begin a round of checks of what was changed.
    BeginChecks,
    /// Run a check.
    RunCheck(CheckStrategy, CheckPurpose),
    /// Ask the model to correct what a check found.
    Correct(Recovery),
    /// End the turn with what the checks found.
    ReportChecks(WhyOver),
    /// Ask the model for a last word: the step limit is reached.
    Conclude,
    /// End the turn: it does the same again and again.
    GiveUp,
    /// End the turn.
    Finish(TurnOutcome),
    /// Nothing: the turn has ended.
    Rest,
}

impl Action {
    fn of(action: CallAction) -> Self {
        match action {
            CallAction::Run(call) => Self::Run(call),
            CallAction::Refuse(call) => Self::Refuse(call),
            CallAction::Recover(call) => Self::Recover(call),
            CallAction::Suspend => Self::Suspend,
            CallAction::Expire => Self::Finish(TurnOutcome::Expired),
            CallAction::GiveUp => Self::GiveUp,
        }
    }
}

/// Returns what to do next. Without `checks`, nothing is verified at the end of the turn.
pub fn next(state: &TurnState, max_steps: u32, checks: Option<CheckLimits>) -> Action {
    if state.ended.is_some() {
        return Action::Rest;
    }
    if !state.arriving.is_empty() {
        return Action::Fetch;
    }
    if state.came_to_nothing {
        return Action::Finish(TurnOutcome::NotReceived {
            text: state.file_notices.join("\n"),
        });
    }
    if state.origin == Origin::Check {
        return next_of_check(state, checks);
    }
    let Some(route) = &state.route else {
        return Action::Route;
    };
    if let sayso_core::transcript::RouteResult::NeedClarification { question, choices } = route {
        let outcome = TurnOutcome::Asked {
            question: question.clone(),
            choices: choices.clone(),
        };
        return Action::Finish(outcome);
    }
    if state.plans.is_some() {
        return Action::Plan;
    }
    if state.proposes {
        return Action::Finish(TurnOutcome::Proposed {
            steps: state.plan.clone(),
            untrusted: !state.taint.is_empty(),
        });
    }
    if let Some(action) = next_call(state) {
        return Action::of(action);
    }
    if let Some(limits) = checks
        && let Some(action) = next_check(state, max_steps, limits)
    {
        return action;
    }
    if state.steps > 0 && state.calls.is_empty() {
        return Action::Finish(TurnOutcome::Replied {
            text: state.last_text().to_owned(),
        });
    }
    if !state.inquiries.is_empty() {
        return Action::Finish(TurnOutcome::Inquired {
            text: state.last_text().to_owned(),
            questions: state.inquiries.clone(),
            untrusted: !state.taint.is_empty(),
        });
    }
    if state.steps >= max_steps {
        Action::Conclude
    } else {
        Action::CallModel
    }
}

/// Returns what to do in a turn that checks a project on request: no model takes part in it.
fn next_of_check(state: &TurnState, checks: Option<CheckLimits>) -> Action {
    if let Some(action) = next_call(state) {
        return Action::of(action);
    }
    let Some(limits) = checks else {
        return Action::ReportChecks(WhyOver::Done);
    };
    let limits = CheckLimits {
        max_corrections: 0,
        ..limits
    };
    if state.checks.round.is_none() {
        return Action::BeginChecks;
    }
    let reported = Action::ReportChecks(WhyOver::NotCorrected);
    next_check(state, 0, limits).unwrap_or(reported)
}

/// Returns what to do about the checks of what the turn changed; `None` while the model works, and
/// where it changed nothing.
fn next_check(state: &TurnState, max_steps: u32, limits: CheckLimits) -> Option<Action> {
    let checks = &state.checks;
    let Some(round) = &checks.round else {
        let has_ended_work = state.steps > 0 && state.calls.is_empty();
        return match (&checks.last, checks.changed.is_empty()) {
            _ if !has_ended_work => None,
            (_, false) => Some(Action::BeginChecks),
            // It was asked to correct something, and has changed nothing.
            (Some(_), true) => Some(Action::ReportChecks(WhyOver::SameAgain)),
            (None, true) => None,
        };
    };
    let history = History {
        planned: &round.planned,
        round: &round.results,
        earlier: &checks.earlier,
        baseline: &checks.baseline,
        has_snapshot: !checks.has_no_snapshot,
        corrections: checks.corrections,
    };
    Some(match sayso_checks::next(&history, limits) {
        Step::Run(strategy) => Action::RunCheck(strategy, CheckPurpose::Verify),
        Step::RunAgain(strategy) => Action::RunCheck(strategy, CheckPurpose::Again),
        Step::RunBefore(strategy) => Action::RunCheck(strategy, CheckPurpose::Before),
        Step::Correct(_) if state.steps >= max_steps => Action::ReportChecks(WhyOver::NotCorrected),
        Step::Correct(recovery) => Action::Correct(recovery),
        Step::Report(why) => Action::ReportChecks(why),
    })
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{
        AssistantMessage, CallId, Decided, Entry, Heard, HeardText, InboxId, Origin, Replied,
        Returned, RouteResult, Routed, Started, Taint, ToolCall, ToolOutcome, TurnOutcome,
        TurnState, Usage, UserId, Verdict,
    };
    use serde_json::json;

    use super::{Action, next};

    fn started() -> Vec<Entry> {
        let heard = HeardText {
            inbox: InboxId(1),
            text: "hi".into(),
            untrusted: false,
            files: Vec::new(),
        };
        vec![
            Entry::Started(Started {
                origin: Origin::Message,
                payload: None,
                history_cursor: 0,
                answering: None,
            }),
            Entry::Heard(Heard {
                messages: vec![heard],
            }),
        ]
    }

    fn routed() -> Entry {
        Entry::Routed(Routed {
            route: RouteResult::Direct,
            usage: Usage::default(),
            skipped: None,
            by_rules: None,
            plans: None,
            guess: None,
            asking: None,
        })
    }

    fn replied(text: &str, calls: &[&str]) -> Entry {
        let calls = calls
            .iter()
            .map(|id| ToolCall {
                id: CallId((*id).into()),
                name: "shell".into(),
                arguments: json!({}),
            })
            .collect();
        let message = AssistantMessage {
            text: text.into(),
            reasoning_content: None,
            thoughts: vec![],
            calls,
        };
        Entry::Replied(Replied {
            message,
            usage: Usage::default(),
            memory_hits: vec![],
            knowledge_hits: vec![],
            asking: None,
            taint: Taint::default(),
        })
    }

    fn id(call: &str) -> CallId {
        CallId(call.into())
    }

    fn returned(call: &str) -> Entry {
        let outcome = ToolOutcome::Success {
            output: "ok".into(),
        };
        Entry::Returned(Returned {
            call: id(call),
            outcome,
            tainted: false,
            own: false,
            screened: None,
        })
    }

    fn decided(call: &str, verdict: Verdict) -> Entry {
        Entry::Decided(Decided {
            call: id(call),
            verdict,
        })
    }

    #[track_caller]
    fn check(more: &[Entry], expected: &Action) {
        let entries: Vec<Entry> = started().into_iter().chain(more.iter().cloned()).collect();
        assert_eq!(&next(&TurnState::fold(&entries), 2, None), expected);
    }

    #[test]
    fn a_turn_goes_from_route_to_reply() {
        check(&[], &Action::Route);
        check(&[routed()], &Action::CallModel);
        let reply = TurnOutcome::Replied {
            text: "hello".into(),
        };
        check(&[routed(), replied("hello", &[])], &Action::Finish(reply));
    }

    #[test]
    fn calls_run_in_order_up_to_the_first_held_one() {
        let step = [routed(), replied("", &["a", "b"])];
        let with = |more: &[Entry]| [&step[..], more].concat();
        check(&step, &Action::Run(id("a")));
        check(&with(&[returned("a")]), &Action::Run(id("b")));
        check(
            &with(&[Entry::Held {
                calls: vec![id("a")],
            }]),
            &Action::Suspend,
        );
        check(
            &with(&[returned("a"), Entry::Called { call: id("b") }]),
            &Action::Recover(id("b")),
        );
        check(&with(&[returned("a"), returned("b")]), &Action::CallModel);
    }

    #[test]
    fn verdicts_are_folded_in() {
        let step = [
            routed(),
            replied("", &["a", "b"]),
            Entry::Held {
                calls: vec![id("a"), id("b")],
            },
        ];
        let with = |more: &[Entry]| [&step[..], more].concat();
        let yes = Verdict::Approved { by: UserId(1) };
        let no = Verdict::Denied {
            by: UserId(1),
            why: None,
        };
        check(&with(&[decided("b", yes.clone())]), &Action::Suspend);
        check(
            &with(&[decided("a", yes), decided("b", no.clone())]),
            &Action::Run(id("a")),
        );
        check(&with(&[decided("a", no)]), &Action::Refuse(id("a")));
        check(
            &with(&[decided("b", Verdict::Expired)]),
            &Action::Finish(TurnOutcome::Expired),
        );
    }

    #[test]
    fn the_step_limit_asks_for_a_last_word() {
        let two_steps = [
            routed(),
            replied("", &["a"]),
            returned("a"),
            replied("", &["b"]),
            returned("b"),
        ];
        check(&two_steps, &Action::Conclude);
    }
}
