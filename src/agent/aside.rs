//! Model calls that are part of no turn: one question of our own, made while nobody waits.

use super::{Agent, Cost, PlannedCall};
use crate::providers::{Attempts, ChatRequest, ProviderError, Reply};
use crate::transcript::{Consulted, ConversationMessage, Purpose, Usage};

/// Nearly the same answer each time.
const TEMPERATURE: f64 = 0.2;

/// What is asked: the system prompt, and what is said.
pub(super) type Question<'a> = (&'a str, &'a [ConversationMessage]);

/// What a model answered.
pub(super) struct Aside {
    /// The answer, unless there was none.
    pub(super) answer: Result<Reply, ProviderError>,
    /// What is written down of each attempt.
    pub(super) consulted: Vec<Consulted>,
    /// What it cost.
    pub(super) costs: Vec<Cost>,
}

impl Agent {
    /// Returns the call that a question will be.
    pub(super) fn plan_aside(&self, question: Question<'_>) -> PlannedCall {
        let attempts = Attempts::default();
        let provider = &self.provider;
        let (factor, longest) = (provider.token_factor(None), provider.longest_answer(None));
        let request = request(question, &attempts);
        PlannedCall::new(provider.model(), &request, factor, longest)
    }

    /// Asks a model, once.
    pub(super) async fn ask_aside(
        &self,
        purpose: Purpose,
        question: Question<'_>,
        planned: &PlannedCall,
    ) -> Aside {
        let attempts = Attempts::default();
        let asked = request(question, &attempts);
        let answer = self.provider.chat_with_tools(asked, &|_| {}).await;
        let costs = planned.costs(Some(&answer), "", &attempts);
        let unanswered = attempts.take_unanswered().into_iter();
        let mut consulted: Vec<Consulted> = unanswered
            .map(|(asking, ago_ms)| Consulted {
                purpose: Some(purpose),
                asking: Some(asking),
                ago_ms,
                usage: Usage::default(),
            })
            .collect();
        if let Ok(reply) = &answer {
            consulted.push(Consulted {
                purpose: Some(purpose),
                asking: reply.asking.clone(),
                ago_ms: 0,
                usage: reply.usage,
            });
        }
        Aside {
            answer,
            consulted,
            costs,
        }
    }
}

fn request<'a>((system, messages): Question<'a>, attempts: &'a Attempts) -> ChatRequest<'a> {
    ChatRequest {
        system,
        messages,
        tools: &[],
        temperature: Some(TEMPERATURE),
        stream: false,
        attempts: Some(attempts),
        wanted: None,
    }
}
