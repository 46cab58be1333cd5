//! The model call that proposes what is to be learned: part of no turn, made when a session is idle.

use super::aside::Aside;
use super::{Agent, Cost, PlannedCall};
use crate::memory::learning::{Candidate, Question, read_answer};
use crate::transcript::{Consulted, Purpose};

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
    pub fn plan_learning(&self, question: &Question) -> PlannedCall {
        self.plan_aside((&question.system, &question.messages))
    }

    /// Asks a model what is to be learned, once.
    pub async fn propose(&self, question: &Question, planned: &PlannedCall) -> Proposed {
        let asked = (question.system.as_str(), question.messages.as_slice());
        let Aside {
            answer,
            consulted,
            costs,
        } = self.ask_aside(Purpose::Learn, asked, planned).await;
        let candidates = match answer {
            Ok(reply) => read_answer(&reply.message.text),
            Err(error) => {
                tracing::debug!(%error, "no model says what is to be learned");
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
