//! One channel for as long as the process lives: its lease, its end, and its next start.
//!
//! A rejected token, and anything else that the platform will never accept, ends a channel for
//! good. A panic and an unexpected end are logged, and the channel is restarted after a growing
//! delay. A failure of one channel affects neither the others nor the process.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use sayso_channel::{Channel, ChannelError, ChannelName, Health, Inbox};
use tokio_util::sync::CancellationToken;

use super::lease::Lease;
use super::messages;
use crate::commands;

/// The pause before the first new start; it doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest delay before a restart. For a channel that listened for longer, the delay is reset
/// to [`FIRST_PAUSE`].
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// How long a channel may take to end after its lease was lost.
const END_WITHIN: Duration = Duration::from_secs(2);

/// A channel, how it is, and what it needs to listen.
pub struct Supervised {
    /// The channel.
    pub channel: Arc<dyn Channel>,
    /// How it is.
    pub health: Health,
    /// The right to listen; `None` for the terminal, which is exclusive to this process and ends
    /// with its user.
    pub lease: Option<Lease>,
}

/// How listening ended.
enum End {
    /// As it was asked to, or with the person at the terminal.
    Asked,
    /// It cannot go on.
    ForGood(ChannelError),
    /// Another process listens with the token, or the lease could not be prolonged.
    LeaseLost,
    /// It should have gone on.
    Fault(String),
}

impl Supervised {
    /// Listens until `shutdown`, or until the channel cannot go on, and returns why it cannot.
    pub async fn run(&self, inbox: Inbox, shutdown: CancellationToken) -> Option<ChannelError> {
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(lease) = &self.lease
                && !lease.wait(&self.health, &shutdown).await
            {
                return None;
            }
            let began = Instant::now();
            let end = self.listen(&inbox, &shutdown).await;
            if let Some(lease) = &self.lease {
                lease.release().await;
            }
            match end {
                End::Asked => {
                    tracing::debug!(channel = %self.name(), "channel stopped");
                    return None;
                }
                End::ForGood(error) => {
                    self.stop(&error);
                    return Some(error);
                }
                End::LeaseLost => continue,
                End::Fault(why) => self.note_fault(&why),
            }
            if began.elapsed() > LONGEST_PAUSE {
                pause = FIRST_PAUSE;
            }
            let slept = shutdown.run_until_cancelled(tokio::time::sleep(pause));
            slept.await?;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Listens once, for as long as the lease is ours.
    async fn listen(&self, inbox: &Inbox, shutdown: &CancellationToken) -> End {
        let stop = shutdown.child_token();
        let mut listening = std::pin::pin!(self.listen_and_announce(inbox.clone(), stop.clone()));
        tokio::select! {
            heard = &mut listening => self.judge(heard, shutdown),
            () = self.keep_lease() => {
                tracing::warn!(channel = %self.name(), "polling lease lost; trying to acquire it again");
                stop.cancel();
                // A message that both listeners receive meanwhile is stored only once.
                let _ = tokio::time::timeout(END_WITHIN, listening).await;
                End::LeaseLost
            }
        }
    }

    /// Returns what listening came to; `None` when it panicked.
    async fn listen_and_announce(
        &self,
        inbox: Inbox,
        stop: CancellationToken,
    ) -> Option<Result<(), ChannelError>> {
        let announced = async {
            match self.channel.announce(&commands::menu()).await {
                // A refused token ends listening too, which says so.
                Ok(()) | Err(ChannelError::Unauthorized(_)) => {}
                Err(error) => {
                    tracing::warn!(channel = %self.name(), %error, "command menu or description not updated");
                }
            }
            std::future::pending().await
        };
        let work = async {
            tokio::select! {
                heard = self.channel.listen(inbox, stop) => heard,
                never = announced => never,
            }
        };
        AssertUnwindSafe(work).catch_unwind().await.ok()
    }

    async fn keep_lease(&self) {
        match &self.lease {
            Some(lease) => lease.keep().await,
            None => std::future::pending().await,
        }
    }

    fn judge(&self, heard: Option<Result<(), ChannelError>>, shutdown: &CancellationToken) -> End {
        let may_end = self.lease.is_none() || shutdown.is_cancelled();
        match heard {
            Some(Ok(())) if may_end => End::Asked,
            Some(Ok(())) => End::Fault(messages::ended_unasked().to_owned()),
            None => End::Fault(messages::broke_down().to_owned()),
            Some(Err(error)) => match error {
                ChannelError::Unauthorized(_) | ChannelError::Rejected(_) => End::ForGood(error),
                ChannelError::RetryAfter(_)
                | ChannelError::Unreachable(_)
                | ChannelError::Ambiguous(_)
                | ChannelError::TooLong
                | ChannelError::Moved(_)
                | ChannelError::ThreadGone(_) => End::Fault(error.to_string()),
            },
        }
    }

    fn stop(&self, error: &ChannelError) {
        self.health.stopped(error.to_string());
        let hint = match error {
            ChannelError::Unauthorized(_) => messages::hint_for_a_refused_token(),
            _ => messages::hint_for_the_others(),
        };
        tracing::error!(target: "sayso::console", channel = %self.name(), %error, hint, "channel failed permanently");
    }

    fn note_fault(&self, why: &str) {
        self.health.waiting(why);
        tracing::error!(channel = %self.name(), why, "channel failed; restarting");
    }

    /// Returns the name of the channel.
    pub fn name(&self) -> &ChannelName {
        &self.channel.profile().name
    }
}

#[cfg(test)]
#[path = "supervise_tests.rs"]
mod tests;
