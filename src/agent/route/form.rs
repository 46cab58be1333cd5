//! The form of a route: one of the three that the prompt of Phase 1 describes.

use sayso_providers::{AnswerForm, Field, Form};

use super::parse::CHOICES;
use crate::skills::SkillMeta;

/// The most skills of one message: more are in each other's way.
const SKILLS: usize = 3;
/// The longest question that is asked for, in characters: what is one sentence in English or
/// Chinese.
const QUESTION_CHARS: usize = 120;
/// The longest choice that is asked for, in characters.
const CHOICE_CHARS: usize = 30;

/// Returns the form of a route over these skills.
pub(super) fn form(skills: &[SkillMeta]) -> AnswerForm {
    let names: Vec<String> = skills.iter().map(|skill| skill.name.clone()).collect();
    let question = || Form::Text(QUESTION_CHARS);
    let choices = || Form::List {
        of: Box::new(Form::Text(CHOICE_CHARS)),
        least: 0,
        most: CHOICES,
    };
    let case = |skills: Form, direct: bool, more: Vec<Field>| {
        let fields = vec![
            Field::required("skills", skills),
            Field::required("direct", Form::Always(direct)),
        ];
        Form::Object(fields.into_iter().chain(more).collect())
    };
    let asks = vec![
        Field::required("question", question()),
        Field::optional("choices", choices()),
    ];
    let some = (!names.is_empty()).then(|| case(some_of(&names, 1), false, Vec::new()));
    let others = [
        case(some_of(&[], 0), true, Vec::new()),
        case(some_of(&[], 0), false, asks),
    ];
    AnswerForm {
        name: "route",
        form: Form::Object(vec![
            Field::required("skills", some_of(&names, 0)),
            Field::required("direct", Form::Switch),
            Field::optional("question", question()),
            Field::optional("choices", choices()),
        ]),
        cases: some.into_iter().chain(others).collect(),
    }
}

/// Returns the form of a list of some of these names.
fn some_of(names: &[String], least: usize) -> Form {
    let of = if names.is_empty() {
        Form::Text(1)
    } else {
        Form::OneOf(names.to_vec())
    };
    Form::List {
        of: Box::new(of),
        least,
        most: SKILLS.min(names.len()),
    }
}
