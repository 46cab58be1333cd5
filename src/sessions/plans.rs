//! The answer to a plan: its person starts it, changes it or does not want it.
//!
//! Nothing has been done when a plan is asked about, so words alone may start it: what needs an
//! approval asks for one when its call comes.

use sayso_core::transcript::{Answering, Entry, PlanApproval, Planned, PlannedStep, RouteResult};
use sayso_store::questions::QuestionRow;
use sayso_store::{StoreError, Tx};

use super::inquiries::{continued, route_of};
use crate::approvals::{says_no, says_yes};

/// What says nothing but that a plan is not wanted, beside what says no, in small letters.
const STOPS: [&str; 9] = [
    "stop",
    "stop it",
    "cancel",
    "never mind",
    "停",
    "停止",
    "取消",
    "算了",
    "不做了",
];

/// A plan that was asked about.
pub(super) struct AskedPlan<'a> {
    /// Its question.
    pub(super) question: &'a QuestionRow,
    /// Its steps.
    pub(super) steps: &'a [PlannedStep],
    /// The message that asked.
    pub(super) shown: String,
}

/// What the turn that the answer begins works from.
#[derive(Debug, Default)]
pub(super) struct PlanAnswer {
    /// The request with the plan; `None` where neither is wanted any more.
    pub(super) answering: Option<Answering>,
    /// The entries behind the words.
    pub(super) goes_on: Vec<Entry>,
}

/// Returns what the words of the person, or the button that they pressed, make of a plan. Words
/// that neither start nor stop it change it.
pub(super) async fn answer(
    tx: &mut Tx,
    asked: AskedPlan<'_>,
    said: &str,
    is_press: bool,
) -> Result<PlanAnswer, StoreError> {
    let words = own_words(said);
    if !is_press && says_stop(words) {
        return Ok(PlanAnswer::default());
    }
    let question = asked.question;
    let starts = is_press || says_yes(words);
    let goes_on = if starts {
        let route = route_of(tx, question.turn_id).await?;
        let followed = Planned {
            steps: asked.steps.to_vec(),
            approval: PlanApproval::Never,
            ..Planned::default()
        };
        vec![
            continued(route.unwrap_or(RouteResult::Direct)),
            Entry::Planned(followed),
        ]
    } else {
        Vec::new()
    };
    let changed = if starts { &[][..] } else { asked.steps };
    let answering = Answering {
        request: question.request.clone(),
        question: asked.shown,
        asked: question.asked as u32,
        untrusted: question.untrusted,
        plan: changed.to_vec(),
    };
    Ok(PlanAnswer {
        answering: Some(answering),
        goes_on,
    })
}

/// Returns the words of a person without what they quote and without their name, which stand before
/// them in a group.
fn own_words(said: &str) -> &str {
    let last = said.trim().lines().next_back().unwrap_or_default();
    last.split_once(": ").map_or(last, |(_, words)| words)
}

fn says_stop(words: &str) -> bool {
    let plain = words.trim().trim_end_matches(['!', '！', '.', '。']);
    says_no(words) || STOPS.contains(&plain.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::{own_words, says_stop};
    use crate::approvals::says_yes;

    #[test]
    fn words_that_start_or_stop_a_plan_stand_alone() {
        for text in ["go", "Ann: go ahead!", "> My plan:\n> ☐ a\nok", "好的。"] {
            assert!(says_yes(own_words(text)), "{text}");
        }
        for text in ["Stop.", "Ann: no", "算了", "never mind"] {
            assert!(says_stop(own_words(text)), "{text}");
        }
        for text in [
            "stop after step 2",
            "no tests, please",
            "先写测试",
            "go, but skip 2",
        ] {
            let words = own_words(text);
            assert!(!says_yes(words) && !says_stop(words), "{text}");
        }
    }
}
