//! What a turn may spend on its model calls: the port, and what a call costs. `sessions` provides
//! it.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use sayso_core::transcript::{IMAGE_TOKENS, Usage, answer_tokens, estimate_tokens};
use sayso_providers::{
    Attempts, ChatRequest, Counted, MOST_TOKENS, ProviderError, Received, Reply, text_tokens,
};

use super::JournalError;

/// The fraction of an estimate that is taken as certain: the estimate is within 10 % on our texts,
/// and other tokenizers count differently.
const CERTAIN: (u64, u64) = (4, 5);
/// The minimum size of a picture in tokens: what OpenAI's guide to images counts for one in low
/// detail.
const LEAST_IMAGE_TOKENS: u64 = 85;
/// The longest answer that a service gives, in tokens, thoughts included, whatever `max_tokens`
/// asks for: 128,000 of GPT-5 and of Claude by their model pages, rounded up.
const LONGEST_ANSWER: u64 = 131_072;
/// A count is not believed when the estimate is more than this many times as high. Tokenizers
/// differ from the estimate by at most three times on our texts (`providers::estimate`).
const FAR_TOO_LOW: u64 = 5;
/// Less than this is not judged, in tokens: what estimates are off by weighs more in short texts.
const LEAST_JUDGED: u64 = 200;

/// How much of an answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it.
    Whole,
    /// A part: what the service counted until then may be older than what came.
    Part,
}

/// The budget meter of one turn: asked before each model call, told after it.
///
/// A turn makes one call at a time, or Phase 1 and a guessed first step. What was set aside for a call
/// counts as spent until the call is booked, so turns that run at once cannot spend the same money,
/// and a call that a crash cut off is not forgotten.
#[async_trait]
pub trait BudgetMeter: Send {
    /// Sets aside what a call will cost at least; refuses a call that is certain to cost more than
    /// is left. Where the answers of calls in flight may use up what is left, it waits for them. A
    /// call that was set aside before and never booked counts as spent.
    async fn reserve(&mut self, call: &PlannedCall) -> Result<BudgetReservation, JournalError>;

    /// Books what a call cost, in place of what was set aside for it: the answer first, then the
    /// attempts that were given up for it. In order before whatever is written to the journal
    /// later; may ride with the next commit.
    async fn settle(&mut self, costs: Vec<Cost>) -> Result<(), JournalError>;

    /// Sets aside what a guessed first step will cost at least, beside the call under way. Returns
    /// `false` where a limit is near: it does not wait for other calls and says nothing, since the
    /// step is then asked after Phase 1.
    async fn reserve_guess(&mut self, call: &PlannedCall) -> Result<bool, JournalError>;

    /// Books what it cost, as [`BudgetMeter::settle`].
    async fn settle_guess(&mut self, costs: Vec<Cost>) -> Result<(), JournalError>;
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
    /// How long its answer may become, thoughts included.
    pub answer_tokens: u64,
}

/// Whether a call may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BudgetReservation {
    /// It may.
    Enough,
    /// It may not.
    Exhausted {
        /// Which limit is reached and when it begins anew, in words for the user.
        why: String,
    },
    /// The turn was stopped while the call waited for others to be booked.
    Stopped,
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
    /// Returns a call that sends this request to this model. The factor is the ratio of the
    /// service's token count to our estimate for text; pictures are not scaled, because services
    /// count them too differently.
    pub fn new(
        model: &str,
        request: &ChatRequest<'_>,
        token_factor: f64,
        longest_answer: usize,
    ) -> Self {
        let text = (text_tokens(request) as f64 * token_factor) as u64;
        let pictures = request.pictures() as u64;
        Self {
            model: model.to_owned(),
            prompt_tokens: text + pictures * IMAGE_TOKENS as u64,
            certain_tokens: text * CERTAIN.0 / CERTAIN.1 + pictures * LEAST_IMAGE_TOKENS,
            answer_tokens: LONGEST_ANSWER.max(longest_answer as u64),
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
        let received = attempts.received();
        let is_silent = heard.is_empty() && !received.has_begun;
        let last = match answer {
            Some(Ok(reply)) => self.cost_of(reply),
            Some(Err(error)) if is_silent && error.is_free() => Cost::nothing(asked),
            // Stopped in the pause before another attempt: those that were made are counted below.
            None if heard.is_empty() && attempts.is_between() => Cost::nothing(asked),
            Some(Err(_)) | None => self.cost_of_part(asked, received, heard),
        };
        let wasted = attempts.wasted(answer).into_iter();
        let wasted = wasted.map(|wasted| self.cost_of_part(&wasted.model, wasted.received, ""));
        std::iter::once(last).chain(wasted).collect()
    }

    fn cost_of(&self, reply: &Reply) -> Cost {
        let model = if reply.model.is_empty() {
            &self.model
        } else {
            &reply.model
        };
        let written = answer_tokens(&reply.message) as u64;
        self.judged(model, reply.counted(), written, Extent::Whole)
    }

    /// Returns what an attempt cost that brought no answer.
    fn cost_of_part(&self, model: &str, received: Received, heard: &str) -> Cost {
        let written = received.written.max(estimate_tokens(heard) as u64);
        self.judged(model, received.counted, written, Extent::Part)
    }

    /// Returns what is booked of what a service counted, beside what we estimate of the prompt and
    /// of what the model wrote. A number that is missing is estimated, and a count that is far too
    /// low is not believed: limits would mean nothing where a service counts little of what it is
    /// paid for.
    fn judged(&self, model: &str, counted: Counted, written: u64, extent: Extent) -> Cost {
        let said = |tokens: u64| Some(tokens).filter(|it| (1..=MOST_TOKENS).contains(it));
        let prompt = said(counted.usage.prompt_tokens);
        let prompt_tokens = prompt.unwrap_or(self.prompt_tokens);
        // Some services count thoughts in the sum alone.
        let rest = said(counted.total_tokens).map(|total| total.saturating_sub(prompt_tokens));
        let answer = said(counted.usage.completion_tokens).max(rest.and_then(said));
        let is_low = |counted: u64, estimated: u64| {
            estimated >= LEAST_JUDGED && counted.saturating_mul(FAR_TOO_LOW) < estimated
        };
        let completion_tokens = match (answer, extent) {
            (Some(counted), Extent::Part) => counted.max(written),
            (Some(counted), Extent::Whole) => counted,
            (None, _) => written,
        };
        let estimate = self.certain_tokens + written;
        if is_low(prompt_tokens + completion_tokens, estimate) {
            note_once(model);
            return self.estimated(model, written);
        }
        let completion_tokens = if is_low(completion_tokens, written) {
            written
        } else {
            completion_tokens
        };
        let is_estimated = prompt.is_none() || answer.unwrap_or_default() < completion_tokens;
        if is_estimated && counted != Counted::default() && extent == Extent::Whole {
            note_once(model);
        }
        Cost {
            model: model.to_owned(),
            usage: Usage {
                prompt_tokens,
                completion_tokens,
                cached_tokens: prompt.map_or(0, |prompt| counted.usage.cached_tokens.min(prompt)),
            },
            is_estimated,
        }
    }

    fn estimated(&self, model: &str, completion_tokens: u64) -> Cost {
        Cost {
            model: model.to_owned(),
            usage: Usage {
                prompt_tokens: self.prompt_tokens,
                completion_tokens,
                cached_tokens: 0,
            },
            is_estimated: true,
        }
    }
}

/// Says once for each model that its service does not count what it should.
fn note_once(model: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(model.to_owned()) {
        tracing::info!(
            model,
            "the service reports no token usage, or implausibly little; missing counts are estimated"
        );
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
#[path = "budget_meter_tests.rs"]
mod tests;
