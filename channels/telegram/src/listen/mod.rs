//! Hearing: updates reach the inbox by polling or by webhook, and Telegram forgets none before it
//! is stored.
//!
//! teloxide's dispatcher has no part in this: it confirms updates when they arrive, not when they
//! are stored. What may pass is waited out here; only a refused token, or a webhook address that
//! Telegram does not accept, ends the channel.

mod backoff;
mod bounded;
mod poller;
mod presses;
mod webhook;

use std::future::Future;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sayso_channel::{ChannelError, Inbox};
use teloxide::payloads::GetMe;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::bot_api::{BotApi, CallError};
use crate::from_telegram::UpdateMapper;
use crate::identity::Identity;
use crate::{Mode, TelegramConfig, messages, refusal};
use backoff::Backoff;

/// What hearing needs, in both modes.
#[derive(Clone, Copy)]
struct Listener<'a> {
    api: &'a BotApi,
    config: &'a TelegramConfig,
    inbox: &'a Inbox,
    shutdown: &'a CancellationToken,
}

/// Hears until `shutdown`; an error means that this channel cannot go on.
pub(crate) async fn listen(
    api: &BotApi,
    config: &TelegramConfig,
    inbox: &Inbox,
    shutdown: &CancellationToken,
) -> Result<(), ChannelError> {
    let listener = Listener {
        api,
        config,
        inbox,
        shutdown,
    };
    let outcome = listener.run().await;
    if let Err(error) = &outcome {
        inbox.health().stopped(error.to_string());
    }
    outcome
}

impl Listener<'_> {
    async fn run(self) -> Result<(), ChannelError> {
        let question = GetMe::new();
        let whoami = || self.api.call::<_, Identity>(&question);
        let Some(us) = self.until_it_works(whoami).await? else {
            return Ok(());
        };
        self.inbox.health().speaks_as(us.account());
        let mapper = self.mapper(us);
        match &self.config.mode {
            Mode::Polling { timeout } => poller::poll(self, mapper, *timeout).await,
            Mode::Webhook {
                url,
                listen,
                secret,
            } => {
                let place = webhook::Place {
                    url,
                    listen: *listen,
                    secret,
                };
                webhook::serve(self, mapper, place).await
            }
        }
    }

    fn mapper(self, us: Identity) -> UpdateMapper {
        UpdateMapper {
            channel: self.config.name.clone(),
            us,
        }
    }

    /// Repeats a call until it has a result; `None` when told to end.
    async fn until_it_works<T, Call>(
        self,
        call: impl Fn() -> Call,
    ) -> Result<Option<T>, ChannelError>
    where
        Call: Future<Output = Result<T, CallError>>,
    {
        let mut backoff = Backoff::after_faults(&self.config.timeouts);
        loop {
            let Some(outcome) = self.shutdown.run_until_cancelled(call()).await else {
                return Ok(None);
            };
            let pause = match outcome {
                Ok(result) => return Ok(Some(result)),
                Err(error) => self.pause_after(error, &mut backoff)?,
            };
            let slept = self.shutdown.run_until_cancelled(tokio::time::sleep(pause));
            if slept.await.is_none() {
                return Ok(None);
            }
        }
    }

    /// Reports a fault and says how long to wait; an error when waiting does not help.
    fn pause_after(
        self,
        error: CallError,
        backoff: &mut Backoff,
    ) -> Result<Duration, ChannelError> {
        match refusal::of_repeatable(error, None) {
            ChannelError::RetryAfter(pause) => {
                let reason = messages::asked_to_wait(pause.as_secs());
                self.inbox.health().waiting(reason);
                Ok(pause)
            }
            ChannelError::Unreachable(why) => {
                warn!(channel = %self.config.name, %why, "cannot reach Telegram");
                self.inbox.health().waiting(messages::unreachable(&why));
                Ok(backoff.pause())
            }
            hopeless => Err(hopeless),
        }
    }
}

/// Returns the time in milliseconds since 1970.
fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis() as i64)
}
