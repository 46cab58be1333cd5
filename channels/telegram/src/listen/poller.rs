//! Long polling: what Telegram has, stored, and only then the next offset.
//!
//! What holds: updates are handed over in Telegram's order; the offset that is sent confirms only
//! what is stored; a batch is handed over whole, so that the store can commit it at once; after a
//! refusal one update is handed over alone, so that nothing overtakes what was refused.
//! Accepted: after a failure, or a restart, updates that were stored may be handed over again.
//! Their keys are the same, and the door drops them.

use std::time::Duration;

use futures_util::future::join_all;
use sayso_channel::{ChannelError, Event};
use serde_json::Value;
use teloxide::payloads::DeleteWebhook;
use tracing::{debug, info, warn};

use super::backoff::Backoff;
use super::presses::{Presses, begun};
use super::{Listener, now_ms};
use crate::bot_api::CallError;
use crate::from_telegram::{UpdateMapper, from_telegram, update_id};
use crate::messages;
use crate::requests::{GetUpdates, HEARD};

/// The shortest time for which Telegram holds a poll open; with none, polls would follow each other
/// without a pause.
const SHORTEST_POLL: Duration = Duration::from_secs(1);
/// The longest time for which Telegram holds a poll open.
const LONGEST_POLL: Duration = Duration::from_secs(50);
/// How long to wait when Telegram has nothing but presses that are still judged.
const RECHECK: Duration = Duration::from_millis(250);

/// Polls until shutdown.
pub(super) async fn poll(
    listener: Listener<'_>,
    mapper: UpdateMapper,
    timeout: Duration,
) -> Result<(), ChannelError> {
    let timeouts = &listener.config.timeouts;
    let within = timeouts.answer_press_within;
    let mut polling = Polling {
        listener,
        mapper,
        timeout: timeout.clamp(SHORTEST_POLL, LONGEST_POLL),
        next: None,
        presses: Presses::new(listener.api, listener.inbox, within),
        faults: Backoff::after_faults(timeouts),
        conflicts: Backoff::after_conflicts(timeouts),
        is_trusting: true,
        is_doubtful: true,
        may_delete_webhook: true,
    };
    while let Some(pause) = polling.round().await? {
        if polling
            .unless_shutdown(tokio::time::sleep(pause))
            .await
            .is_none()
        {
            break;
        }
    }
    polling.presses.finish().await;
    Ok(())
}

struct Polling<'a> {
    listener: Listener<'a>,
    mapper: UpdateMapper,
    timeout: Duration,
    /// The first update that was not handed over and stored; unknown before the first batch.
    next: Option<i64>,
    presses: Presses<'a>,
    faults: Backoff,
    conflicts: Backoff,
    /// Whether the door took what it was given last.
    is_trusting: bool,
    /// Whether no poll was answered since the start or the last fault: the next one is short, so
    /// that health tells soon that all is well, and not at the end of a long silence.
    is_doubtful: bool,
    /// A conflicting webhook is removed once; if it comes back, it is intended.
    may_delete_webhook: bool,
}

impl Polling<'_> {
    /// Polls once. Returns how long to wait before the next poll; `None` at shutdown.
    async fn round(&mut self) -> Result<Option<Duration>, ChannelError> {
        let offset = self.offset();
        if let Some(offset) = offset {
            self.presses.forget_before(offset);
        }
        let request = GetUpdates {
            offset,
            limit: self.listener.config.poll_limit,
            timeout: self.held().as_secs(),
            allowed_updates: HEARD,
        };
        let api = self.listener.api;
        match self.unless_shutdown(api.call(&request)).await {
            None => Ok(None),
            Some(Ok(updates)) => Ok(self.take(updates, offset).await),
            Some(Err(error)) => self.pause_after(error).await,
        }
    }

    /// Returns how long Telegram shall hold the next poll open.
    fn held(&self) -> Duration {
        if self.is_doubtful {
            SHORTEST_POLL
        } else {
            self.timeout
        }
    }

    /// Returns the first update that Telegram must keep.
    fn offset(&self) -> Option<i64> {
        match (self.next, self.presses.first_unstored()) {
            (Some(next), Some(unstored)) => Some(next.min(unstored)),
            (next, _) => next,
        }
    }

    /// Does something while presses are judged and answered; `None` at shutdown.
    async fn unless_shutdown<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        let work = self.listener.shutdown.run_until_cancelled(work);
        self.presses.meanwhile(work).await
    }

    /// Hands a batch over. Returns the pause before the next poll; `None` at shutdown.
    async fn take(&mut self, updates: Vec<Value>, offset: Option<i64>) -> Option<Duration> {
        if self.is_trusting {
            // Telegram answered; set before the updates are processed, because one of them may ask
            // for the health.
            self.listener.inbox.health().connected();
        }
        let mut news = self.news(updates, offset);
        if !self.is_trusting {
            news.truncate(1);
        }
        let Some((last, _)) = news.last() else {
            return Some(self.quiet_round());
        };
        let next = self.behind(*last, offset);
        let repeats_press = news.iter().any(|(id, _)| self.presses.has_missed(*id));
        self.is_trusting = self.hand_over(news).await?;
        if self.is_trusting {
            self.next = Some(next);
        }
        if self.is_trusting && !repeats_press {
            self.all_is_well();
            return Some(Duration::ZERO);
        }
        warn!(channel = %self.mapper.channel, "what was heard cannot be stored");
        let health = self.listener.inbox.health();
        health.waiting(messages::store_is_closed());
        Some(self.faults.pause())
    }

    /// Returns the updates that were not handed over before, or must be once more.
    fn news(&self, updates: Vec<Value>, offset: Option<i64>) -> Vec<(i64, Value)> {
        let is_known = |id: i64| offset <= Some(id) && Some(id) < self.next;
        updates
            .into_iter()
            .filter_map(|update| Some((update_id(&update)?, update)))
            .filter(|(id, _)| !is_known(*id) || self.presses.has_missed(*id))
            .collect()
    }

    /// Returns the number behind the last update that was handed over.
    ///
    /// After a week without updates, Telegram may restart its update ids below the offset.
    fn behind(&self, last: i64, offset: Option<i64>) -> i64 {
        let counts_anew = Some(last) < offset;
        match self.next {
            Some(next) if !counts_anew => next.max(last + 1),
            Some(_) | None => last + 1,
        }
    }

    /// Returns the pause after a poll without news.
    fn quiet_round(&mut self) -> Duration {
        self.all_is_well();
        match self.presses.first_unstored() {
            Some(_) => RECHECK,
            None => Duration::ZERO,
        }
    }

    fn all_is_well(&mut self) {
        self.listener.inbox.health().connected();
        self.is_doubtful = false;
        self.faults.reset();
        self.conflicts.reset();
        self.may_delete_webhook = true;
    }

    /// Returns whether everything but presses is stored; `None` at shutdown.
    async fn hand_over(&mut self, updates: Vec<(i64, Value)>) -> Option<bool> {
        let inbox = self.listener.inbox;
        let mut storing = Vec::with_capacity(updates.len());
        for (update_id, update) in updates {
            let Some(inbound) = from_telegram(&update, &self.mapper, now_ms()) else {
                continue;
            };
            if matches!(inbound.event, Event::Press(_)) {
                self.presses.hear(update_id, inbound).await;
            } else {
                storing.push(begun(inbox.put(inbound)).await);
            }
        }
        let receipts = self.unless_shutdown(join_all(storing)).await?;
        Some(receipts.iter().all(Result::is_ok))
    }

    async fn pause_after(&mut self, error: CallError) -> Result<Option<Duration>, ChannelError> {
        self.is_doubtful = true;
        match error {
            CallError::Refused(refusal) if refusal.code == 409 => {
                if refusal.says("webhook") && self.may_delete_webhook {
                    self.may_delete_webhook = false;
                    return self.delete_webhook().await;
                }
                debug!(channel = %self.mapper.channel, "another program polls with this token");
                let health = self.listener.inbox.health();
                health.contested(messages::another_poller());
                Ok(Some(self.conflicts.pause()))
            }
            error => {
                let pause = self.listener.pause_after(error, &mut self.faults)?;
                Ok(Some(pause))
            }
        }
    }

    /// Removes the conflicting webhook; its undelivered updates are kept.
    async fn delete_webhook(&mut self) -> Result<Option<Duration>, ChannelError> {
        let mut request = DeleteWebhook::new();
        request.drop_pending_updates = Some(false);
        let api = self.listener.api;
        match self.unless_shutdown(api.call::<_, bool>(&request)).await {
            None => Ok(None),
            Some(Ok(_)) => {
                info!(channel = %self.mapper.channel, "removed a webhook to poll");
                Ok(Some(Duration::ZERO))
            }
            Some(Err(error)) => {
                self.may_delete_webhook = true;
                let pause = self.listener.pause_after(error, &mut self.faults)?;
                Ok(Some(pause))
            }
        }
    }
}
