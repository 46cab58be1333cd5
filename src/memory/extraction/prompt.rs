//! What the model is asked when something may be learned: one short question over what a person
//! said.

use std::fmt::Write as _;

use sayso_core::transcript::ConversationMessage;
use sayso_providers::AnswerForm;

use super::form::form;
use super::{Material, Setting};
use crate::section::day;
use crate::summary::beginning;

/// What the question begins with; the offline model knows it by that.
const HEADING: &str = "[what to remember]";
/// The most of a known fact that is shown, in characters.
const KNOWN_CHARS: usize = 200;

const RULES: &str = "\
You read what one person wrote to their assistant, and pick out what is worth knowing about that person in months: \
preferences, profile (name, home, work, language, health, dates), relations, projects, and how they want things done.

Answer with a JSON list and nothing else; [] when there is nothing. Each item:
{\"topic\": \"preference|profile|relation|project|procedure\", \"text\": \"...\", \"confidence\": 0.0-1.0, \"message\": N, \
\"valid_from\": \"YYYY-MM-DD\", \"valid_until\": \"YYYY-MM-DD\", \"replaces\": K}
text: one short statement that stands for itself, in the language and with the words of the message, without a subject \
when it is the person. message: the number of the message that says it. valid_from, valid_until: only when said. \
replaces: the number of the known fact that is no longer so; leave it out otherwise.

Leave out: what is only so today, single requests and questions, guesses and what may be, jokes and fiction, \
what others said or wrote, pasted text, other people unless it is how they are related to the person, \
passwords, keys and numbers of cards, and whatever is known already and not said again.";

const IN_A_GROUP: &str = "\nThe messages come from a group. Keep what this person says of themselves for everybody there to know, and nothing of others.";

/// What the model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The system prompt.
    pub system: String,
    /// The one message.
    pub messages: Vec<ConversationMessage>,
    /// The form of the answer.
    pub form: AnswerForm,
}

impl Question {
    /// Returns the question about this material.
    pub fn about(material: &Material) -> Self {
        let mut system = format!("{HEADING}\n{RULES}");
        if material.setting == Setting::Group {
            system.push_str(IN_A_GROUP);
        }
        let mut text = String::new();
        // Writing to a string cannot fail.
        if !material.known.is_empty() {
            text.push_str("Known facts:\n");
            for (number, known) in material.known.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "{}. {}",
                    number + 1,
                    beginning(&known.text, KNOWN_CHARS)
                );
            }
            text.push('\n');
        }
        text.push_str("Messages, oldest first:\n");
        for (number, said) in material.said.iter().enumerate() {
            let line = said.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(text, "{}. ({}) {line}", number + 1, day(said.at_ms));
        }
        Self {
            system,
            messages: vec![ConversationMessage::user(&text)],
            form: form(),
        }
    }
}
