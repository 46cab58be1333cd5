//! Interactions: each is answered within Discord's three seconds, whatever else is going on.
//!
//! A command is acknowledged before it is stored: its answer comes later, into the interaction. A
//! press waits for its notice as long as it may (`presses`). Interactions are in no queue with
//! messages, and none waits for the store before it is answered.

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use sayso_channel::{ChatKind, CommandCall, Inbound, InboxClosed, Language};
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Duration, timeout};
use tracing::{debug, warn};

use super::{Listener, messages};
use crate::from_discord::{Asked, EventMapper, Interaction, read_interaction};
use crate::gateway::Dispatch;
use crate::reply::InteractionKey;
use crate::rest::{CallError, Request};

/// How many answers are on their way at the same time.
const AT_ONCE: usize = 256;
/// How many interactions are in our hands at the same time; more wait in the queue.
const MOST: usize = 10_000;
/// How long interactions that are under way may take after shutdown.
const FINISHED_WITHIN: Duration = Duration::from_millis(500);
/// Only the person who asked sees the answer
/// (<https://docs.discord.com/developers/resources/message#message-object-message-flags>).
const EPHEMERAL: u64 = 1 << 6;
/// Commands whose answer is a text that concerns only who gave them.
const ASIDE: [&str; 6] = ["start", "help", "status", "whoami", "autonomy", "usage"];

/// How an interaction is answered: Discord's interaction callback types, described at
/// <https://docs.discord.com/developers/interactions/receiving-and-responding>.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// A message that only the person sees.
    Aside(String),
    /// The answer comes later, as a message.
    Later,
    /// The answer comes later, and only the person sees it.
    LaterAside,
    /// The press was taken, and there is nothing to say.
    Taken,
    /// Nothing is offered.
    NoCompletion,
}

impl Answer {
    fn body(&self) -> Value {
        match self {
            Self::Aside(text) => json!({"type": 4, "data": aside(text)}),
            Self::Later => json!({"type": 5}),
            Self::LaterAside => json!({"type": 5, "data": {"flags": EPHEMERAL}}),
            Self::Taken => json!({"type": 6}),
            Self::NoCompletion => json!({"type": 8, "data": {"choices": []}}),
        }
    }
}

/// Returns a message that only the person sees and that mentions no one.
pub(super) fn aside(text: &str) -> Value {
    json!({"content": text, "flags": EPHEMERAL, "allowed_mentions": {"parse": []}})
}

/// Where the interactions of one shard are answered.
pub(super) struct Desk<'a> {
    listener: Listener<'a>,
    mapper: &'a EventMapper,
    responder: std::sync::Arc<InteractionResponder<'a>>,
    under_way: FuturesUnordered<BoxFuture<'a, ()>>,
}

/// Who answers.
pub(super) struct InteractionResponder<'a> {
    pub(super) listener: Listener<'a>,
    answers: Semaphore,
}

impl<'a> Desk<'a> {
    pub(super) fn new(listener: Listener<'a>, mapper: &'a EventMapper) -> Self {
        let responder = InteractionResponder {
            listener,
            answers: Semaphore::new(AT_ONCE),
        };
        Self {
            listener,
            mapper,
            responder: std::sync::Arc::new(responder),
            under_way: FuturesUnordered::new(),
        }
    }

    /// Answers until nothing can come any more.
    pub(super) async fn run(&mut self, mut interactions: mpsc::Receiver<Dispatch>) {
        loop {
            tokio::select! {
                biased;
                next = interactions.recv(), if self.under_way.len() < MOST => match next {
                    Some(interaction) => self.take(&interaction.data),
                    None => return,
                },
                Some(()) = self.under_way.next(), if !self.under_way.is_empty() => {}
            }
        }
    }

    /// Finishes what can be finished in the short time that a shutdown leaves.
    pub(super) async fn finish(&mut self) {
        let all = async { while self.under_way.next().await.is_some() {} };
        if timeout(FINISHED_WITHIN, all).await.is_err() {
            debug!("interactions were left unanswered at the end");
        }
    }

    fn take(&mut self, object: &Value) {
        let Some(interaction) = read_interaction(object, self.mapper) else {
            let channel = &self.listener.config.name;
            warn!(%channel, "an interaction cannot be read, and not be answered");
            return;
        };
        let responder = std::sync::Arc::clone(&self.responder);
        let doing = async move { responder.serve(interaction).await };
        self.under_way.push(doing.boxed());
    }
}

impl InteractionResponder<'_> {
    async fn serve(&self, interaction: Interaction) {
        let Interaction {
            key,
            language,
            asked,
        } = interaction;
        let language = Language::nearest(language.as_deref().unwrap_or_default());
        match asked {
            Asked::Command(inbound, call) => {
                let answer = promise(&call, inbound.chat_kind);
                self.take_command(*inbound, &key, answer, language).await;
            }
            Asked::About(inbound) => {
                self.take_command(*inbound, &key, Answer::Later, language)
                    .await;
            }
            Asked::Press(pressed) => self.judge(*pressed, &key, language).await,
            Asked::Completion => self.answer(&key, Answer::NoCompletion).await,
            Asked::Elsewhere => {
                self.answer(&key, Answer::Aside(messages::not_a_member(language)))
                    .await;
            }
            Asked::Unknown => {
                debug!(interaction = key.id, "an interaction of an unknown kind");
                self.answer(&key, Answer::Aside(messages::not_understood(language)))
                    .await;
            }
        }
    }

    /// Acknowledges a command, and stores it then; it cannot be offered again.
    async fn take_command(
        &self,
        command: Inbound,
        key: &InteractionKey,
        promise: Answer,
        language: Language,
    ) {
        self.answer(key, promise).await;
        let path = format!("{}/messages/@original", followups(key));
        match self.listener.inbox.put(command).await {
            // What was promised is answered as other messages are.
            Ok(receipt) if !receipt.unanswered => {}
            Ok(_) => self.call(Request::delete(path), key).await,
            Err(InboxClosed) => {
                let text = messages::command_not_stored(language);
                let answer = json!({"content": text, "allowed_mentions": {"parse": []}});
                self.call(Request::patch(path).json(&answer), key).await;
            }
        }
    }

    /// Answers an interaction. When it fails nothing is lost but the answer: Discord shows then
    /// that there was none.
    pub(super) async fn answer(&self, key: &InteractionKey, answer: Answer) {
        let path = format!("/interactions/{}/{}/callback", key.id, key.token);
        self.call(Request::post(path).json(&answer.body()), key)
            .await;
    }

    /// Says something to the person when the interaction was answered already.
    pub(super) async fn say_aside(&self, key: &InteractionKey, text: &str) {
        self.call(Request::post(followups(key)).json(&aside(text)), key)
            .await;
    }

    async fn call(&self, request: Request, key: &InteractionKey) {
        let Ok(_turn) = self.answers.acquire().await else {
            return;
        };
        let called = self.listener.rest.call::<IgnoredAny>(request).await;
        if let Err(error) = called {
            let why = describe(error);
            debug!(interaction = key.id, %why, "an interaction could not be answered");
        }
    }
}

/// Returns how a command is acknowledged, which decides who sees its answer. In a direct chat no
/// one else would see it, and an ephemeral message cannot be edited like other messages.
fn promise(call: &CommandCall, place: ChatKind) -> Answer {
    match place {
        ChatKind::Group if ASIDE.contains(&call.name.as_str()) => Answer::LaterAside,
        ChatKind::Group | ChatKind::Direct => Answer::Later,
    }
}

fn followups(key: &InteractionKey) -> String {
    format!("/webhooks/{}/{}", key.application, key.token)
}

fn describe(error: CallError) -> String {
    match error {
        CallError::NotSent(why) | CallError::AnswerLost(why) => why,
        CallError::Limited(pause) => messages::asked_to_wait(pause.as_secs()),
        CallError::Refused(refusal) => format!("{} ({})", refusal.message, refusal.status),
    }
}
