//! Questions to Discord that are repeated until there is an answer.

use std::future::Future;
use std::time::Duration;

use sayso_channel::ChannelError;
use serde::de::DeserializeOwned;
use tracing::warn;

use super::Listener;
use super::backoff::Backoff;
use super::messages;
use crate::refusal;
use crate::rest::{CallError, Refusal, Request};

impl Listener<'_> {
    /// Repeats a call until it has a result; `None` when told to end, an error when waiting does
    /// not help.
    pub(super) async fn until_it_works<T, Call>(
        self,
        call: impl Fn() -> Call,
    ) -> Result<Option<T>, ChannelError>
    where
        Call: Future<Output = Result<T, CallError>>,
    {
        let mut backoff = Backoff::new(&self.config.timeouts);
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
        let health = self.inbox.health();
        match refusal::of_repeatable(error) {
            ChannelError::RetryAfter(pause) => {
                health.waiting(messages::asked_to_wait(pause.as_secs()));
                Ok(pause)
            }
            ChannelError::Unreachable(why) => {
                warn!(channel = %self.config.name, %why, "cannot reach Discord");
                health.waiting(messages::unreachable(&why));
                Ok(backoff.pause())
            }
            hopeless => Err(hopeless),
        }
    }

    /// Asks until Discord answers or refuses, whatever happens to the connection meanwhile.
    pub(super) async fn ask<Answer: DeserializeOwned>(
        self,
        question: impl Fn() -> Request,
    ) -> Result<Answer, Refusal> {
        let mut backoff = Backoff::new(&self.config.timeouts);
        loop {
            let pause = match self.rest.call(question()).await {
                Ok(answer) => return Ok(answer),
                Err(CallError::Refused(refusal)) => return Err(refusal),
                Err(CallError::Limited(pause)) => pause,
                Err(CallError::NotSent(_) | CallError::AnswerLost(_)) => backoff.pause(),
            };
            tokio::time::sleep(pause).await;
        }
    }
}
