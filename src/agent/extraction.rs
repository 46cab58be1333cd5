//! The model call that proposes what is to be learned: part of no turn, made when a session is
//! idle.

use super::aside::{Aside, Question};
use super::{Agent, Cost, PlannedCall};
use crate::memory::extraction::{self, Candidate, read_answer};
use crate::providers::{AnswerForm, Field, Form};
use crate::transcript::{CallPurpose, Consulted};

/// What a model proposes to remember, and what asking it cost.
#[derive(Debug)]
pub struct Proposed {
    /// The statements; `None` when there is no answer, or none that can be read.
    pub candidates: Option<Vec<Candidate>>,
    /// What is written down of each attempt.
    pub consulted: Vec<Consulted>,
    /// What it cost.
    pub costs: Vec<Cost>,
}

impl Agent {
    /// Returns the call that a question will be.
    pub fn plan_learning(&self, question: &extraction::Question) -> PlannedCall {
        self.plan_aside(Question {
            system: &question.system,
            messages: &question.messages,
            form: None,
        })
    }

    /// Asks a model what is to be learned, once.
    pub async fn propose(
        &self,
        question: &extraction::Question,
        planned: &PlannedCall,
    ) -> Proposed {
        let form = form();
        let asked = Question {
            system: &question.system,
            messages: &question.messages,
            form: Some(&form),
        };
        let Aside {
            answer,
            consulted,
            costs,
        } = self.ask_aside(CallPurpose::Learn, asked, planned).await;
        let candidates = match answer {
            Ok(reply) => read_answer(&reply.message.text),
            Err(error) => {
                tracing::debug!(%error, "no model proposed memories");
                None
            }
        };
        Proposed {
            candidates,
            consulted,
            costs,
        }
    }
}

/// The longest statement and the longest date, in characters, and the most statements that are
/// asked for.
const TEXT_CHARS: usize = 200;
const DATE_CHARS: usize = 10;
const STATEMENTS: usize = 8;

/// Returns the form of what is proposed, as the prompt describes it.
fn form() -> AnswerForm {
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
