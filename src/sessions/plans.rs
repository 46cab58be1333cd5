//! The answer to a plan: its person starts it, changes it or does not want it.
//!
//! Nothing has been done when a plan is asked about, so words alone may start it: what needs an
//! approval asks for one when its call comes.

use sayso_channel::ChatKind;
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

/// What stands before each line of a quotation.
const QUOTES: &str = "> ";

/// A plan that was asked about.
pub(super) struct AskedPlan<'a> {
    /// Its question.
    pub(super) question: &'a QuestionRow,
    /// Its steps.
    pub(super) steps: &'a [PlannedStep],
    /// The message that asked.
    pub(super) shown: String,
    /// The kind of the chat in which it was asked.
    pub(super) chat_kind: ChatKind,
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
    let words = own_words(said, asked.chat_kind);
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

/// Returns the words of a person, all of them, without the quotation of a reply before them and, in a
/// group, without the name before them.
fn own_words(said: &str, chat_kind: ChatKind) -> &str {
    let mut words = said.trim();
    if let Some((heading, behind)) = words.split_once('\n')
        && heading.starts_with('[')
        && behind.starts_with(QUOTES)
    {
        words = behind;
        while words.starts_with(QUOTES) {
            words = words.split_once('\n').map_or("", |(_, behind)| behind);
        }
    }
    match chat_kind {
        ChatKind::Direct => words,
        ChatKind::Group => words.split_once(": ").map_or(words, |(_, words)| words),
    }
}

fn says_stop(words: &str) -> bool {
    let plain = words.trim().trim_end_matches(['!', '！', '.', '。']);
    says_no(words) || STOPS.contains(&plain.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use sayso_channel::ChatKind::{Direct, Group};

    use super::{own_words, says_stop};
    use crate::approvals::says_yes;

    #[test]
    fn words_that_start_or_stop_a_plan_stand_alone() {
        for (text, kind) in [
            ("go", Direct),
            ("Ann: go ahead!", Group),
            ("[in reply to Sayso]\n> My plan:\n> ☐ a\nok", Direct),
            ("[in reply to Sayso]\n> My plan:\nAnn: ok", Group),
            ("好的。", Direct),
        ] {
            assert!(says_yes(own_words(text, kind)), "{text}");
        }
        for (text, kind) in [
            ("Stop.", Direct),
            ("Ann: no", Group),
            ("算了", Direct),
            ("never mind", Direct),
        ] {
            assert!(says_stop(own_words(text, kind)), "{text}");
        }
        for (text, kind) in [
            ("stop after step 2", Direct),
            ("no tests, please", Direct),
            ("先写测试", Direct),
            ("go, but skip 2", Direct),
            ("Skip step 2.\nGo ahead", Direct),
            ("Change this:\n> Mend it\nok", Direct),
            ("Leave step 3 out: ok", Direct),
            ("Ann: Write a test first.\nok", Group),
            ("[in reply to Sayso]\n> My plan:\nNot step 2\nok", Direct),
        ] {
            let words = own_words(text, kind);
            assert!(!says_yes(words) && !says_stop(words), "{text}");
        }
    }
}
