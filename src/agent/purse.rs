//! What a turn may spend on its model calls: the port, and what a call costs. `sessions` provides it.

use async_trait::async_trait;

use super::JournalError;
use crate::providers::{Attempts, ChatRequest, ProviderError, Reply, request_tokens};
use crate::transcript::{Usage, answer_tokens, estimate_tokens};

/// The purse of one turn: asked before each model call, told after it.
///
/// A turn makes one call at a time. What was set aside for a call counts as spent until the call is
/// booked, so turns that run at once cannot spend the same money, and a call that a crash cut off is
/// not forgotten.
#[async_trait]
pub trait Purse: Send {
    /// Sets aside what a call will cost at least; refuses a call that is certain to cost more than is
    /// left. A call that was set aside before and never booked counts as spent.
    async fn set_aside(&mut self, call: &PlannedCall) -> Result<Funds, JournalError>;

    /// Books what a call cost, in place of what was set aside for it: the answer first, then the
    /// attempts that were given up for it. In order before whatever is written to the journal later;
    /// may ride with the next commit.
    async fn book(&mut self, costs: Vec<Cost>) -> Result<(), JournalError>;
}

/// A model call that is about to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCall {
    /// The model that will be asked first.
    pub model: String,
    /// How long its prompt is, estimated, in tokens.
    pub prompt_tokens: u64,
}

/// Whether a call may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Funds {
    /// It may.
    Enough,
    /// It may not.
    UsedUp {
        /// Which limit is reached and when it begins anew, in words for the user.
        why: String,
    },
}

/// What a call cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// The model that answered.
    pub model: String,
    /// The tokens.
    pub usage: Usage,
    /// Whether the tokens are estimated, because the provider did not say.
    pub is_estimated: bool,
}

impl PlannedCall {
    /// Returns a call that asks this of this model, whose service counts so many times what is
    /// estimated.
    pub fn new(model: &str, request: &ChatRequest<'_>, token_factor: f64) -> Self {
        Self {
            model: model.to_owned(),
            prompt_tokens: (request_tokens(request) as f64 * token_factor) as u64,
        }
    }

    /// Returns what the call cost: first whatever ended it, then each attempt before that may have
    /// cost something. Without an answer it was stopped; `heard` is the text that came until then.
    pub fn costs(
        &self,
        answer: Option<&Result<Reply, ProviderError>>,
        heard: &str,
        attempts: &Attempts,
    ) -> Vec<Cost> {
        let asked = attempts.last_model();
        let asked = asked.as_deref().unwrap_or(&self.model);
        let last = match answer {
            Some(Ok(reply)) => self.cost_of(reply),
            Some(Err(error)) if heard.is_empty() && error.is_free() => Cost::nothing(asked),
            // Stopped in the pause before another attempt: those that were made are counted below.
            None if heard.is_empty() && attempts.is_between() => Cost::nothing(asked),
            Some(Err(_)) | None => self.estimated(asked, estimate_tokens(heard)),
        };
        let wasted = attempts.wasted(answer).into_iter();
        let wasted = wasted.map(|model| self.estimated(&model, 0));
        std::iter::once(last).chain(wasted).collect()
    }

    fn cost_of(&self, reply: &Reply) -> Cost {
        let model = if reply.model.is_empty() {
            &self.model
        } else {
            &reply.model
        };
        if reply.usage == Usage::default() {
            return self.estimated(model, answer_tokens(&reply.message));
        }
        Cost {
            model: model.clone(),
            usage: reply.usage,
            is_estimated: false,
        }
    }

    fn estimated(&self, model: &str, completion_tokens: usize) -> Cost {
        Cost {
            model: model.to_owned(),
            usage: Usage {
                prompt_tokens: self.prompt_tokens,
                completion_tokens: completion_tokens as u64,
                cached_tokens: 0,
            },
            is_estimated: true,
        }
    }
}

impl Cost {
    fn nothing(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            usage: Usage::default(),
            is_estimated: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Cost, PlannedCall};
    use crate::providers::{
        Attempts, ChatRequest, Provider, ProviderError, Reliable, Reply, Scripted,
    };
    use crate::transcript::{AssistantMessage, Usage};

    fn planned() -> PlannedCall {
        PlannedCall {
            model: "first".to_owned(),
            prompt_tokens: 100,
        }
    }

    fn cost(answer: &Result<Reply, ProviderError>, heard: &str) -> Cost {
        let costs = planned().costs(Some(answer), heard, &Attempts::default());
        assert_eq!(costs.len(), 1);
        costs[0].clone()
    }

    fn tokens(usage: Usage) -> (u64, u64) {
        (usage.prompt_tokens, usage.completion_tokens)
    }

    #[test]
    fn what_the_provider_says_counts_and_else_an_estimate() {
        let said = Reply {
            model: "second".to_owned(),
            usage: Usage {
                prompt_tokens: 7,
                completion_tokens: 3,
                cached_tokens: 2,
            },
            ..Reply::default()
        };
        let booked = cost(&Ok(said.clone()), "");
        assert_eq!(
            (booked.model.as_str(), booked.usage),
            ("second", said.usage)
        );
        assert!(!booked.is_estimated);

        let silent = Reply {
            message: AssistantMessage {
                text: "eight letters".to_owned(),
                reasoning_content: Some("four".to_owned()),
                thoughts: vec![],
                calls: vec![],
            },
            ..Reply::default()
        };
        let booked = cost(&Ok(silent), "");
        assert_eq!(
            (booked.model.as_str(), tokens(booked.usage)),
            ("first", (100, 5))
        );
        assert!(booked.is_estimated);
    }

    #[test]
    fn a_failure_costs_what_was_asked_and_heard_unless_no_model_began() {
        let late = ProviderError::TimedOut {
            stage: "go on",
            after: Duration::from_secs(1),
        };
        let stuck = ProviderError::Repeating("so often".to_owned());
        let lost = ProviderError::Unreachable("cut".to_owned());
        let check = |error, heard, expected| {
            assert_eq!(tokens(cost(&Err(error), heard).usage), expected);
        };
        check(late, "four", (100, 1));
        check(stuck, "", (100, 0));
        check(lost.clone(), "four", (100, 1));
        check(lost, "", (0, 0));
        check(ProviderError::Missing, "", (0, 0));
    }

    /// Stopped in the pause after an attempt that may have cost something: it is booked once.
    #[tokio::test]
    async fn a_stop_between_two_attempts_books_those_that_were_made() {
        let slow = ProviderError::TimedOut {
            stage: "begin to answer",
            after: Duration::from_secs(1),
        };
        let attempts = Attempts::default();
        let provider: Arc<dyn Provider> = Arc::new(Scripted::new([Err(slow)]));
        let reliable = Reliable::new(vec![vec![provider]]);
        let request = ChatRequest {
            system: "",
            messages: &[],
            tools: &[],
            temperature: None,
            stream: false,
            attempts: Some(&attempts),
            wanted: None,
        };
        tokio::select! {
            biased;
            answer = reliable.chat_with_tools(request, &|_| {}) => panic!("{answer:?}"),
            // The first attempt has failed, and the pause goes on.
            () = std::future::ready(()) => {}
        }
        let costs = planned().costs(None, "", &attempts);
        let tokens: Vec<_> = costs.iter().map(|cost| tokens(cost.usage)).collect();
        assert_eq!(tokens, [(0, 0), (100, 0)]);
    }
}
