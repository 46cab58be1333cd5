//! Several providers as one: retries, tries another key, tries the next, and skips those that are
//! unavailable.
//!
//! Streamed text cannot be taken back: once a piece of text was passed on, a failure is returned to
//! the caller, and no other provider is asked.

mod circuit;
mod key_alert;
mod pool;
mod reaction;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sayso_core::transcript::{ConversationMessage, KeyRefused, ModelName};
use tokio::sync::mpsc;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use self::key_alert::KeyAlert;
use self::pool::{Key, Pool};
use self::reaction::{Concerns, Remedy, concerns, is_revoked, minds_pictures, remedy, spread};
use super::{
    ChatRequest, Checked, Heard, ModelCapacity, Provider, ProviderError, Reply, Retries,
    VisionSupport, request_tokens,
};

/// The pause before the first retry; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// Clients of one model that differ by their key alone.
pub type Keys = Vec<Arc<dyn Provider>>;

/// Providers that are tried in their order.
pub struct Reliable {
    pools: Vec<Pool>,
    /// Asked only where a request wants them.
    offered: Vec<Pool>,
    bell: KeyAlert,
    first_pause: Duration,
}

impl Reliable {
    /// Tries these models, in their order; none at all answers [`ProviderError::Missing`].
    pub fn new(models: Vec<Keys>) -> Self {
        Self {
            pools: models.into_iter().map(Pool::new).collect(),
            offered: Vec::new(),
            bell: KeyAlert::default(),
            first_pause: FIRST_PAUSE,
        }
    }

    /// Has these models too, for those who want one of them.
    #[must_use]
    pub fn offering(self, models: Vec<Keys>) -> Self {
        let offered = models.into_iter().map(Pool::new).collect();
        Self { offered, ..self }
    }

    /// Tells of keys that are refused while something else answers.
    #[must_use]
    pub fn telling(self, news: mpsc::Sender<KeyRefused>) -> Self {
        let bell = KeyAlert::heard_by(news);
        Self { bell, ..self }
    }

    /// Returns who to ask: the model that is wanted first, then those who do not rest, or everybody
    /// when there are none.
    fn to_ask(&self, request: &ChatRequest<'_>) -> Vec<&Pool> {
        let now = Instant::now();
        let wanted = self.wanted(request.wanted);
        let others = self
            .pools
            .iter()
            .filter(|pool| wanted.is_none_or(|wanted| !std::ptr::eq(*pool, wanted)));
        let in_order: Vec<&Pool> = wanted.into_iter().chain(others).collect();
        let awake: Vec<&Pool> = in_order
            .iter()
            .copied()
            .filter(|pool| !pool.rests(now))
            .collect();
        if awake.is_empty() { in_order } else { awake }
    }

    /// Asks one model, and where it minds the pictures once more without them: services differ in
    /// how large, how many and of which form they take them, and a picture that is refused would be
    /// so in every later turn.
    async fn ask_showing(
        &self,
        pool: &Pool,
        request: ChatRequest<'_>,
        heard: &Once<'_>,
    ) -> Result<Reply, ProviderError> {
        let answer = self.ask_one(pool, request, heard).await;
        let minds = |error: &ProviderError| !heard.is_spent() && minds_pictures(error);
        if !answer.as_ref().is_err_and(minds) || request.pictures() == 0 {
            return answer;
        }
        let messages: Vec<_> = request.messages.iter().map(without_pictures).collect();
        let request = ChatRequest {
            messages: &messages,
            ..request
        };
        self.ask_one(pool, request, heard).await
    }

    /// Asks one model: with one key after the other while the failure is the key's, and again with
    /// the last one.
    async fn ask_one(
        &self,
        pool: &Pool,
        request: ChatRequest<'_>,
        heard: &Once<'_>,
    ) -> Result<Reply, ProviderError> {
        let mut keys = pool.in_turn(Instant::now()).into_iter();
        let mut retries = 0;
        let mut key = keys.next().ok_or(ProviderError::Missing)?;
        loop {
            let error = match self.ask_with(pool, key, request, heard).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            if heard.is_spent() {
                return Err(error);
            }
            if concerns(&error) == Concerns::Key
                && let Some(next) = keys.next()
            {
                key = next;
                continue;
            }
            if request.options.retries == Retries::None {
                return Err(error);
            }
            let Remedy::AskAgain { after } = remedy(&error, retries, self.first_pause) else {
                return Err(error);
            };
            tokio::time::sleep(spread(after, dice())).await;
            retries += 1;
        }
    }

    /// Asks once, and records the result.
    async fn ask_with(
        &self,
        pool: &Pool,
        key: &Key,
        request: ChatRequest<'_>,
        heard: &Once<'_>,
    ) -> Result<Reply, ProviderError> {
        let provider = key.provider.as_ref();
        let began = Instant::now();
        if let Some(attempts) = request.attempts {
            attempts.begin(provider, &request);
        }
        let span = span_of(provider);
        let result = provider
            .chat_with_tools(request, &|piece| heard.pass_on(piece))
            .instrument(span.clone())
            .await;
        note_result(&span, &result);
        count(provider.name(), began.elapsed(), result.is_ok());
        match result {
            Ok(reply) => {
                pool.answered(key);
                // What a picture counts differs too much to say anything of text.
                if request.pictures() == 0 {
                    pool.correction
                        .learn(request_tokens(&request), &reply.usage);
                }
                self.bell.forget(&key.named);
                let attempts = request.attempts;
                Ok(Reply {
                    asking: attempts.and_then(|attempts| attempts.answered(&reply)),
                    model: provider.model().to_owned(),
                    ..reply
                })
            }
            Err(error) => {
                if let Some(attempts) = request.attempts {
                    attempts.failed(&error);
                }
                let (name, number) = (provider.name(), key.named.number);
                tracing::warn!(provider = name, key = number, %error, "model request failed");
                pool.failed(key, &error);
                if is_revoked(&error) && (key.named.of > 1 || self.pools.len() > 1) {
                    self.bell.ring(key.named.clone());
                }
                Err(error)
            }
        }
    }

    fn wanted(&self, name: Option<&ModelName>) -> Option<&Pool> {
        let name = name?;
        let mut all = self.pools.iter().chain(&self.offered);
        all.find(|pool| pool.is(name))
    }

    fn first(&self) -> Option<&dyn Provider> {
        self.pools.first().and_then(Pool::any)
    }
}

fn without_pictures(message: &ConversationMessage) -> ConversationMessage {
    let mut message = message.clone();
    if let ConversationMessage::User { images, .. } = &mut message {
        for image in images {
            image.data = None;
        }
    }
    message
}

/// Returns the span that is exported to a collector for one attempt at a model.
fn span_of(provider: &dyn Provider) -> Span {
    tracing::info_span!(
        target: "sayso::spans",
        "model call",
        otel.name = format!("chat {}", provider.model()),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider.name(),
        gen_ai.request.model = provider.model(),
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        error.type = Empty,
    )
}

fn note_result(span: &Span, result: &Result<Reply, ProviderError>) {
    match result {
        Ok(reply) => {
            span.record("gen_ai.usage.input_tokens", reply.usage.prompt_tokens);
            span.record("gen_ai.usage.output_tokens", reply.usage.completion_tokens);
        }
        Err(error) => {
            span.record("otel.status_code", "ERROR");
            span.record("error.type", tracing::field::debug(error.class()));
        }
    }
}

fn count(provider: &str, took: Duration, answered: bool) {
    let status = if answered { "answered" } else { "failed" };
    let provider = provider.to_owned();
    metrics::histogram!("sayso_model_call_seconds", "provider" => provider.clone()).record(took);
    metrics::counter!("sayso_model_calls_total", "provider" => provider, "status" => status)
        .increment(1);
}

/// The way of text to the caller, and whether any went there.
struct Once<'a> {
    heard: Heard<'a>,
    spent: AtomicBool,
}

impl Once<'_> {
    fn pass_on(&self, piece: &str) {
        self.spent.store(true, Ordering::Relaxed);
        (self.heard)(piece);
    }

    fn is_spent(&self) -> bool {
        self.spent.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Provider for Reliable {
    /// Returns the name of the first provider.
    fn name(&self) -> &str {
        self.first().map_or("none", Provider::name)
    }

    /// Returns the model of the first provider.
    fn model(&self) -> &str {
        self.first().map_or("none", Provider::model)
    }

    /// Returns those of all providers.
    fn refused_tools(&self) -> Vec<String> {
        let providers = self.pools.iter().filter_map(Pool::any);
        providers.flat_map(Provider::refused_tools).collect()
    }

    /// The error is that of the last provider that was asked.
    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let heard = Once {
            heard,
            spent: AtomicBool::new(false),
        };
        let mut last = ProviderError::Missing;
        for pool in self.to_ask(&request) {
            match self.ask_showing(pool, request, &heard).await {
                Ok(reply) => return Ok(reply),
                Err(error) if heard.is_spent() => return Err(error),
                // It was paid for: whether to pay again is up to the caller.
                Err(error @ ProviderError::Repeating(_)) => return Err(error),
                // The time is over: a question that is asked once does not wait for another
                // provider.
                Err(error @ ProviderError::TimedOut { .. })
                    if request.options.retries == Retries::None =>
                {
                    return Err(error);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Succeeds when one of them answers; the error is that of the first.
    async fn check(&self) -> Result<Checked, ProviderError> {
        let mut first = None;
        for pool in &self.pools {
            let Some(provider) = pool.any() else {
                continue;
            };
            match provider.check().await {
                Ok(checked) => return Ok(checked),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or(ProviderError::Missing))
    }
}

impl ModelCapacity for Reliable {
    /// Returns that of the model that is asked first.
    fn window(&self, wanted: Option<&ModelName>) -> usize {
        let wanted = self.wanted(wanted).and_then(Pool::any);
        let first = wanted.or_else(|| self.first());
        first.map_or(usize::MAX, |provider| provider.window(None))
    }

    /// Returns that of the model that is asked first.
    fn longest_answer(&self, wanted: Option<&ModelName>) -> usize {
        let wanted = self.wanted(wanted).and_then(Pool::any);
        let first = wanted.or_else(|| self.first());
        first.map_or(0, |provider| provider.longest_answer(None))
    }

    /// Returns that of the model that is asked first.
    fn token_factor(&self, wanted: Option<&ModelName>) -> f64 {
        let first = self.wanted(wanted).or_else(|| self.pools.first());
        first.map_or(1.0, |pool| pool.correction.factor())
    }

    /// Returns whether the model that is asked first does, and has not been limiting requests lately.
    fn answers_two_at_once(&self, wanted: Option<&ModelName>) -> bool {
        let first = self.wanted(wanted).or_else(|| self.pools.first());
        first.is_some_and(|pool| {
            let provider = pool.any();
            !pool.is_limiting(Instant::now())
                && provider.is_some_and(|provider| provider.answers_two_at_once(None))
        })
    }

    /// Returns whether any of those sees who may be asked.
    fn sight(&self, wanted: Option<&ModelName>) -> VisionSupport {
        let asked = self.wanted(wanted).into_iter().chain(&self.pools);
        let sees = |provider: &dyn Provider| provider.sight(None) == VisionSupport::Sees;
        if asked.filter_map(Pool::any).any(sees) {
            VisionSupport::Sees
        } else {
            VisionSupport::None
        }
    }
}

/// A random number: the keys of a hasher are, and nothing here is worth more.
fn dice() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests;
