//! Model calls outside any turn: a single request made in the background.

use sayso_core::transcript::{CallPurpose, Consulted, ConversationMessage, Usage};
use sayso_providers::{AnswerForm, Attempts, ChatOptions, ChatRequest, ProviderError, Reply};

use super::{Agent, Cost, PlannedCall};

/// Nearly the same answer each time.
const TEMPERATURE: f64 = 0.2;

/// A question to a model that belongs to no turn.
#[derive(Debug, Clone, Copy)]
pub struct BackgroundQuestion<'a> {
    /// The system prompt.
    pub system: &'a str,
    /// What is said.
    pub messages: &'a [ConversationMessage],
    /// The form of the answer, where a program reads it.
    pub form: Option<&'a AnswerForm>,
}

/// What a model answered.
#[derive(Debug)]
pub struct BackgroundAnswer {
    /// The answer, unless there was none.
    pub answer: Result<Reply, ProviderError>,
    /// What is written down of each attempt.
    pub consulted: Vec<Consulted>,
    /// What it cost.
    pub costs: Vec<Cost>,
}

impl Agent {
    /// Returns the call that a question will be.
    pub fn plan_in_background(&self, question: BackgroundQuestion<'_>) -> PlannedCall {
        let attempts = Attempts::default();
        let provider = &self.provider;
        let (factor, longest) = (provider.token_factor(None), provider.longest_answer(None));
        let request = request(question, &attempts);
        PlannedCall::new(provider.model(), &request, factor, longest)
    }

    /// Asks a model, once.
    pub async fn ask_in_background(
        &self,
        purpose: CallPurpose,
        question: BackgroundQuestion<'_>,
        planned: &PlannedCall,
    ) -> BackgroundAnswer {
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
        BackgroundAnswer {
            answer,
            consulted,
            costs,
        }
    }
}

fn request<'a>(question: BackgroundQuestion<'a>, attempts: &'a Attempts) -> ChatRequest<'a> {
    ChatRequest {
        system: question.system,
        messages: question.messages,
        tools: &[],
        temperature: Some(TEMPERATURE),
        stream: false,
        attempts: Some(attempts),
        wanted: None,
        options: ChatOptions {
            form: question.form,
            ..ChatOptions::default()
        },
    }
}
