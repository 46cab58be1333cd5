//! The form of what a model proposes to remember, for services that hold answers to one.

use sayso_providers::{AnswerForm, Field, Form};

/// The longest statement and the longest date, in characters, and the most statements that are
/// asked for.
const TEXT_CHARS: usize = 200;
const DATE_CHARS: usize = 10;
const STATEMENTS: usize = 8;

/// Returns the form of what is proposed, as the prompt describes it.
pub(super) fn form() -> AnswerForm {
    let topics = ["preference", "profile", "relation", "project", "procedure"];
    let topics = topics.map(str::to_owned).to_vec();
    let statement = Form::Object(vec![
        Field::required("topic", Form::OneOf(topics)),
        Field::required("text", Form::Text(TEXT_CHARS)),
        Field::required("confidence", Form::Share),
        Field::required("message", Form::Whole),
        Field::optional("valid_from", Form::Text(DATE_CHARS)),
        Field::optional("valid_until", Form::Text(DATE_CHARS)),
        Field::optional("replaces", Form::Whole),
    ]);
    AnswerForm {
        name: "statements",
        form: Form::List {
            of: Box::new(statement),
            least: 0,
            most: STATEMENTS,
        },
        cases: Vec::new(),
    }
}
