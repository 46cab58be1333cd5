//! What a turn may spend on its model calls: the port, and what a call costs. `sessions` provides it.

use async_trait::async_trait;

use super::JournalError;
use crate::providers::{Attempts, ChatRequest, ProviderError, Reply, text_tokens};
use crate::transcript::{IMAGE_TOKENS, Usage, answer_tokens, estimate_tokens};

/// What of an estimated text is certain: the estimate is within 10 % on our texts, and other tokenizers
/// count differently.
const CERTAIN: (u64, u64) = (4, 5);
/// What of a picture is certain, in tokens: what OpenAI's guide to images counts for one in low detail.
const LEAST_IMAGE_TOKENS: u64 = 85;

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
    /// How long it is at least.
    pub certain_tokens: u64,
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
    /// estimated of text. What a picture counts differs too much between services to follow it.
    pub fn new(model: &str, request: &ChatRequest<'_>, token_factor: f64) -> Self {
        let text = (text_tokens(request) as f64 * token_factor) as u64;
        let pictures = request.pictures() as u64;
        Self {
            model: model.to_owned(),
            prompt_tokens: text + pictures * IMAGE_TOKENS as u64,
            certain_tokens: text * CERTAIN.0 / CERTAIN.1 + pictures * LEAST_IMAGE_TOKENS,
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
    use crate::transcript::{AssistantMessage, ConversationMessage, Image, ImageKind, Usage};

    fn planned() -> PlannedCall {
        PlannedCall {
            model: "first".to_owned(),
            prompt_tokens: 100,
            certain_tokens: 80,
        }
    }

    #[test]
    fn a_picture_is_set_aside_as_usual_and_little_of_it_is_certain_whatever_text_counts() {
        let image = Image {
            path: "cat.jpg".to_owned(),
            kind: ImageKind::Jpeg,
            digest: Image::digest_of(&b"cat"[..]).unwrap(),
            data: Some("Y2F0".into()),
        };
        let planned = |images: Vec<Image>, factor: f64| {
            let text = "word ".repeat(400);
            let messages = [ConversationMessage::User { text, images }];
            let request = ChatRequest {
                system: "",
                messages: &messages,
                tools: &[],
                temperature: None,
                stream: false,
                attempts: None,
                wanted: None,
            };
            let call = PlannedCall::new("model", &request, factor);
            (call.prompt_tokens, call.certain_tokens)
        };
        for factor in [1.0, 3.0] {
            let (prompt, certain) = planned(vec![], factor);
            assert_eq!(certain, prompt * 4 / 5);
            let two = planned(vec![image.clone(), image.clone()], factor);
            assert_eq!(two, (prompt + 2 * 1600, certain + 2 * 85), "{factor}");
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
