//! Where in a turn the model is shown its plan, and shown it again, so that it is not forgotten.

use std::collections::BTreeMap;

use super::plan::with_known_checks;
use super::{ConversationMessage, FirstPlan, PlannedStep, ToolOutcome};

/// After how many results the model is shown its plan again ("2-action rule").
const SHOWN_EVERY: usize = 2;

/// Returns the plans that the model is shown again: each with the place of the message of the turn
/// that it stands before, which is the number of messages for the last one. The plan that was made
/// before the first step is shown where it was made.
///
/// A pure function of the messages, so that a repeated step gets the same prompt, and nothing that
/// was shown once is rewritten.
pub fn plans_shown_again(
    messages: &[ConversationMessage],
    first: Option<&FirstPlan>,
) -> BTreeMap<usize, Vec<PlannedStep>> {
    let mut shown = BTreeMap::new();
    let mut plan = Vec::new();
    if let Some(first) = first {
        plan.clone_from(&first.steps);
        shown.insert(first.behind, plan.clone());
    }
    let mut since = 0;
    for (place, message) in messages.iter().enumerate() {
        let ConversationMessage::ToolResult { outcome, .. } = message else {
            continue;
        };
        if let ToolOutcome::Plans { steps } = outcome {
            plan = with_known_checks(steps, &plan);
            since = 0;
        } else {
            since += 1;
        }
        let next = messages.get(place + 1);
        let is_last_of_step = !matches!(next, Some(ConversationMessage::ToolResult { .. }));
        let is_open = plan.iter().any(|step| !step.is_done);
        if is_last_of_step && is_open && since >= SHOWN_EVERY {
            shown.insert(place + 1, plan.clone());
            since = 0;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{FirstPlan, PlannedStep, plans_shown_again};
    use crate::transcript::{AssistantMessage, CallId, ConversationMessage, ToolOutcome};

    fn result(outcome: ToolOutcome) -> ConversationMessage {
        ConversationMessage::ToolResult {
            call: CallId("c".into()),
            name: "a".into(),
            outcome,
            outside: None,
        }
    }

    fn plan(done: &[bool]) -> ConversationMessage {
        let steps = done.iter().map(|is_done| PlannedStep {
            text: "step".into(),
            is_done: *is_done,
            check: None,
        });
        result(ToolOutcome::Plans {
            steps: steps.collect(),
        })
    }

    fn gave() -> ConversationMessage {
        result(ToolOutcome::Success {
            output: "ok".into(),
        })
    }

    fn said() -> ConversationMessage {
        ConversationMessage::Assistant(AssistantMessage::default())
    }

    #[track_caller]
    fn check(messages: &[ConversationMessage], places: &[usize]) {
        let shown: Vec<usize> = plans_shown_again(messages, None).into_keys().collect();
        assert_eq!(shown, places);
    }

    #[test]
    fn a_plan_is_shown_again_behind_every_second_result() {
        let open = || plan(&[true, false]);
        check(&[said(), open(), said(), gave()], &[]);
        check(&[said(), open(), said(), gave(), said(), gave()], &[6]);
        let step = || [said(), gave()];
        let four = [[said(), open()], step(), step(), step(), step()].concat();
        check(&four, &[6, 10]);
        check(&four[..9], &[6]);
    }

    #[test]
    fn a_plan_of_before_the_first_step_is_shown_there_and_behind_every_second_result() {
        let first = FirstPlan {
            behind: 1,
            steps: vec![PlannedStep {
                text: "step".into(),
                is_done: false,
                check: Some("see".into()),
            }],
        };
        let asked = ConversationMessage::user("do it");
        let messages = [asked, said(), gave(), said(), gave(), said(), plan(&[true])];
        let shown = plans_shown_again(&messages, Some(&first));
        assert_eq!(shown.keys().copied().collect::<Vec<_>>(), [1, 5]);
        assert_eq!(shown[&5], first.steps);
    }

    #[test]
    fn results_of_one_step_stay_together() {
        let three = [
            said(),
            plan(&[false]),
            said(),
            gave(),
            gave(),
            gave(),
            said(),
        ];
        check(&three, &[6]);
    }

    #[test]
    fn no_plan_and_one_that_is_done_are_not_shown() {
        check(&[said(), gave(), gave(), gave()], &[]);
        let done = [said(), plan(&[true, true]), said(), gave(), gave(), gave()];
        check(&done, &[]);
    }
}
