//! The questions of a model, asked one after another in one message.

use sayso_channel::Language;
use sayso_core::transcript::{
    Entry, Inquiry, PlannedStep, RouteResult, Routed, Skipped, TurnId, Usage, answers_as_text,
};
use sayso_store::questions::QuestionRow;
use sayso_store::{StoreError, Tx, turns};
use serde::{Deserialize, Serialize};

use super::messages;

/// Several questions, and how far their asker is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// What the model said with them.
    text: String,
    questions: Vec<Inquiry>,
    /// Of the first questions, in their order.
    answers: Vec<String>,
    /// The plan that is asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    plan: Vec<PlannedStep>,
}

impl Progress {
    pub(super) fn new(text: &str, questions: &[Inquiry]) -> Self {
        Self {
            text: text.trim().to_owned(),
            questions: questions.to_vec(),
            answers: Vec::new(),
            plan: Vec::new(),
        }
    }

    /// Asks whether a plan is followed.
    pub(super) fn of_plan(steps: &[PlannedStep], language: Language) -> Self {
        let question = Inquiry {
            question: messages::asks_about_plan(language).to_owned(),
            choices: vec![messages::follow_plan(language).to_owned()],
        };
        Self {
            plan: steps.to_vec(),
            ..Self::new(&messages::plan(steps, language), &[question])
        }
    }

    /// Returns the plan that is asked about; no steps where the question is another one.
    pub(super) fn plan(&self) -> &[PlannedStep] {
        &self.plan
    }

    /// Returns how far a question is; `None` of a clarification.
    pub(super) fn of(row: &QuestionRow) -> Result<Option<Self>, StoreError> {
        let progress = row.inquiry.as_deref().map(serde_json::from_str);
        Ok(progress.transpose()?)
    }

    pub(super) fn as_json(&self) -> Result<String, StoreError> {
        Ok(serde_json::to_string(self)?)
    }

    /// Returns how many were answered.
    pub(super) fn step(&self) -> usize {
        self.answers.len()
    }

    /// Returns what is asked now; `None` when all is answered.
    pub(super) fn current(&self) -> Option<&Inquiry> {
        self.questions.get(self.answers.len())
    }

    /// Answers the current question.
    pub(super) fn answered(mut self, answer: &str) -> Self {
        self.answers.push(answer.to_owned());
        self
    }

    /// Asks no more: who answers in words of their own is not asked the rest.
    pub(super) fn closed(&self) -> Self {
        Self {
            questions: self.questions[..self.answers.len()].to_vec(),
            ..self.clone()
        }
    }

    /// Returns the questions that were answered, with their answers, for the model.
    pub(super) fn for_model(&self) -> String {
        answers_as_text(self.pairs())
    }

    /// Returns the message as it stands now: the answers so far, and what is asked.
    pub(super) fn markdown(&self) -> String {
        let said = Some(self.text.clone()).filter(|text| !text.is_empty());
        let answered = self
            .pairs()
            .map(|(question, answer)| messages::answered(question, answer));
        let count = self.questions.len();
        let current = self.current().map(|asked| match count {
            1 => asked.question.clone(),
            _ => format!("{} ({}/{count})", asked.question, self.answers.len() + 1),
        });
        let parts: Vec<String> = said.into_iter().chain(answered).chain(current).collect();
        parts.join("\n\n")
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let questions = self.questions.iter().map(|asked| asked.question.as_str());
        questions.zip(self.answers.iter().map(String::as_str))
    }
}

/// Returns how a turn is routed that goes on where another asked.
pub(super) fn continued(route: RouteResult) -> Entry {
    Entry::Routed(Routed {
        route,
        usage: Usage::default(),
        skipped: Some(Skipped::Continued),
        asking: None,
        by_rules: None,
        plans: None,
        guess: None,
    })
}

/// Returns how the turn was routed that asked: who presses an answer goes on with that.
pub(super) async fn route_of(tx: &mut Tx, turn: TurnId) -> Result<Option<RouteResult>, StoreError> {
    let entries = turns::entries(tx, turn).await?;
    Ok(entries.into_iter().find_map(|entry| match entry {
        Entry::Routed(routed) => Some(routed.route),
        _ => None,
    }))
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::Inquiry;

    use super::Progress;

    #[test]
    fn the_message_shows_what_was_answered_and_what_is_asked() {
        let asked = |question: &str| Inquiry {
            question: question.into(),
            choices: vec!["a".into(), "b".into()],
        };
        let progress = Progress::new("Two things first.", &[asked("Which?"), asked("When?")]);
        insta::assert_snapshot!(progress.markdown(), @r"
        Two things first.

        Which? (1/2)
        ");
        let progress = progress.answered("a");
        insta::assert_snapshot!(progress.markdown(), @r"
        Two things first.

        Which?

        ↳ a

        When? (2/2)
        ");
        let progress = progress.answered("tomorrow");
        assert_eq!(progress.current(), None);
        insta::assert_snapshot!(progress.for_model(), @r"
        Which?
        → a
        When?
        → tomorrow
        ");
    }
}
