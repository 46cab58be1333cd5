//! `ask_user`: a few questions with choices, where going on would be guessing.
//!
//! The tool itself does not wait for answers. It returns a typed result and the turn ends with the
//! questions; the answers start the next turn.

use async_trait::async_trait;
use sayso_core::transcript::{Inquiry, Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible_line;
use sayso_policy::{Action, ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::{WrongArgument, parse_arguments, refusal, spec_of};
use super::{SchemaVisibility, Tool, ToolContext};

/// How many questions one call asks at most.
const QUESTIONS: usize = 3;
/// The longest question, in characters.
const QUESTION_CHARS: usize = 300;
/// How many choices a question has, at least and at most: each is a row of buttons.
const CHOICES: std::ops::RangeInclusive<usize> = 2..=6;
/// The longest choice, in characters: what a button of every platform shows whole.
const CHOICE_CHARS: usize = 60;

/// Words that speak for it in a request.
const HINTS: [&str; 7] = [
    "ask me",
    "let me choose",
    "options",
    "questions",
    "问我",
    "让我选",
    "选项",
];

/// Has the person asked.
#[derive(Debug)]
pub struct AskUser {
    spec: ToolSpec,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// One to three; each is shown with its choices as buttons.
    questions: Vec<Question>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The question, in the person's language.
    question: String,
    /// Two to six short answers.
    choices: Vec<String>,
}

impl Default for AskUser {
    fn default() -> Self {
        Self::new()
    }
}

impl AskUser {
    /// Makes the tool.
    pub fn new() -> Self {
        let description = "Asks the person up to three questions with answers to choose from, and \
            ends the turn; the answers come as the next message. For a decision that is theirs, not \
            for what you can look up.";
        Self {
            spec: spec_of::<Arguments>("ask_user", description),
        }
    }

    /// Returns the questions, each on one line and without anything that hides.
    fn inquiries(&self, call: &ToolCall) -> Result<Vec<Inquiry>, ToolOutcome> {
        let asked: Arguments = parse_arguments(call, &self.spec)?;
        let wrong = |problem: &str| refusal(&self.spec, problem);
        if asked.questions.is_empty() || asked.questions.len() > QUESTIONS {
            let count = asked.questions.len();
            return Err(wrong(&format!(
                "`questions`: {count} are not allowed, 1 to {QUESTIONS} are"
            )));
        }
        let inquiries = asked.questions.iter().enumerate();
        inquiries
            .map(|(position, asked)| {
                let inquiry = inquiry(asked);
                inquiry
                    .map_err(|it| wrong(&it.below(&format!("questions[{position}]")).to_string()))
            })
            .collect()
    }
}

/// Returns a question in the form that is shown.
fn inquiry(asked: &Question) -> Result<Inquiry, WrongArgument> {
    let question = visible_line(asked.question.trim());
    let chars = question.chars().count();
    if chars == 0 || chars > QUESTION_CHARS {
        return Err(WrongArgument::new(
            "question",
            format!("it has {chars} characters, 1 to {QUESTION_CHARS} are allowed"),
        ));
    }
    let choices: Vec<String> = asked
        .choices
        .iter()
        .map(|choice| visible_line(choice.trim()))
        .collect();
    if !CHOICES.contains(&choices.len()) {
        let (count, least, most) = (choices.len(), CHOICES.start(), CHOICES.end());
        return Err(WrongArgument::new(
            "choices",
            format!("{count} are not allowed, {least} to {most} are"),
        ));
    }
    for (position, choice) in choices.iter().enumerate() {
        let chars = choice.chars().count();
        if chars == 0 || chars > CHOICE_CHARS {
            return Err(WrongArgument::new(
                format!("choices[{position}]"),
                format!("it has {chars} characters, 1 to {CHOICE_CHARS} are allowed"),
            ));
        }
        if choices[..position].contains(choice) {
            return Err(WrongArgument::new(
                format!("choices[{position}]"),
                "the same choice is there before",
            ));
        }
    }
    Ok(Inquiry { question, choices })
}

#[async_trait]
impl Tool for AskUser {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let questions = self.inquiries(call)?;
        let texts: Vec<_> = questions
            .iter()
            .map(|asked| asked.question.as_str())
            .collect();
        Ok(ToolFacts {
            summary: texts.join(" / ").into(),
            detail: None,
            action: Action::Internal,
            scripts: Vec::new(),
            secrets: Vec::new(),
        })
    }

    async fn run(&self, call: &ClearedCall, _context: &ToolContext) -> ToolOutcome {
        self.inquiries(call.call()).map_or_else(
            |refused| refused,
            |questions| ToolOutcome::Asks { questions },
        )
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{CallId, ToolCall};
    use serde_json::{Value, json};

    use super::AskUser;

    fn refused(questions: &Value) -> String {
        let call = ToolCall {
            id: CallId("1".into()),
            name: "ask_user".into(),
            arguments: json!({ "questions": questions.clone() }),
        };
        let refused = AskUser::new().inquiries(&call).unwrap_err().for_model();
        refused.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn what_does_not_fit_buttons_is_told_by_its_path() {
        let one = |choices: Value| json!([{"question": "Which?", "choices": choices}]);
        insta::assert_snapshot!(refused(&json!([])), @"[error] E_INVALID_ARGS: bad arguments for `ask_user`: `questions`: 0 are not allowed, 1 to 3 are");
        insta::assert_snapshot!(refused(&one(json!(["a"]))), @"[error] E_INVALID_ARGS: bad arguments for `ask_user`: `questions[0].choices`: 1 are not allowed, 2 to 6 are");
        insta::assert_snapshot!(refused(&one(json!(["a", "a"]))), @"[error] E_INVALID_ARGS: bad arguments for `ask_user`: `questions[0].choices[1]`: the same choice is there before");
        insta::assert_snapshot!(refused(&one(json!(["a", "长".repeat(61)]))), @"[error] E_INVALID_ARGS: bad arguments for `ask_user`: `questions[0].choices[1]`: it has 61 characters, 1 to 60 are allowed");
        insta::assert_snapshot!(refused(&json!([{"question": " ", "choices": ["a", "b"]}])), @"[error] E_INVALID_ARGS: bad arguments for `ask_user`: `questions[0].question`: it has 0 characters, 1 to 300 are allowed");
        insta::assert_snapshot!(refused(&one(json!(["a", 5]))), @"[error] E_INVALID_ARGS: bad arguments for `ask_user`: `questions[0].choices[1]`: invalid type: integer `5`; it takes string");
    }
}
