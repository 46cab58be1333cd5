//! The model call that proposes what is to be learned: part of no turn, made when a session is idle.

use super::{Agent, Cost, PlannedCall};
use crate::memory::learning::{Candidate, Question, read_answer};
use crate::providers::{Attempts, ChatRequest};
use crate::transcript::{Consulted, Purpose, Usage};

/// Nearly the same statements each time.
const TEMPERATURE: f64 = 0.2;

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
        PlannedCall::new(
            self.provider.model(),
            &request(question, &Attempts::default()),
            self.provider.token_factor(None),
        )
    }

    /// Asks a model what is to be learned, once.
    pub async fn propose(&self, question: &Question, planned: &PlannedCall) -> Proposed {
        let attempts = Attempts::default();
        let asked = request(question, &attempts);
        let answer = self.provider.chat_with_tools(asked, &|_| {}).await;
        let costs = planned.costs(Some(&answer), "", &attempts);
        let unanswered = attempts.take_unanswered().into_iter();
        let mut consulted: Vec<_> = unanswered
            .map(|(asking, ago_ms)| Consulted {
                purpose: Some(Purpose::Learn),
                asking: Some(asking),
                ago_ms,
                usage: Usage::default(),
            })
            .collect();
        let candidates = match answer {
            Ok(reply) => {
                consulted.push(Consulted {
                    purpose: Some(Purpose::Learn),
                    asking: reply.asking,
                    ago_ms: 0,
                    usage: reply.usage,
                });
                read_answer(&reply.message.text)
            }
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

fn request<'a>(question: &'a Question, attempts: &'a Attempts) -> ChatRequest<'a> {
    ChatRequest {
        system: &question.system,
        messages: &question.messages,
        tools: &[],
        temperature: Some(TEMPERATURE),
        stream: false,
        attempts: Some(attempts),
        wanted: None,
    }
}
