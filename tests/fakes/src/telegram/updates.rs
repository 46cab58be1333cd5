//! The queue of updates: numbered, kept until confirmed, read by one poll or one webhook at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Notify;

use super::refusal::Refusal;

/// Kinds that are delivered only to a bot that asks for them by name.
const ON_REQUEST: &[&str] = &["chat_member", "message_reaction", "message_reaction_count"];

/// The error of a poll that another poll has terminated.
pub(crate) const TERMINATED: &str =
    "terminated by other getUpdates request; make sure that only one bot instance is running";

/// Where updates go when a webhook is set.
#[derive(Clone, Debug)]
pub(crate) struct Webhook {
    pub(crate) url: String,
    pub(crate) secret: Option<String>,
    pub(crate) last_error: Option<String>,
}

/// An unconfirmed update, written out once.
#[derive(Clone, Debug)]
pub(crate) struct Queued {
    pub(crate) id: i64,
    pub(crate) body: Arc<str>,
}

/// All unconfirmed updates and who reads them.
#[derive(Debug)]
pub(crate) struct Updates {
    pending: VecDeque<Queued>,
    next_id: i64,
    allowed: Vec<String>,
    /// Counts polls and changes of the webhook: a poll that finds a newer number is terminated.
    reader: u64,
    pub(crate) webhook: Option<Webhook>,
    pub(crate) changed: Arc<Notify>,
}

/// How far a poll asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) offset: i64,
    pub(crate) limit: usize,
}

impl Default for Updates {
    fn default() -> Self {
        Self {
            pending: VecDeque::new(),
            next_id: 700_001,
            allowed: Vec::new(),
            reader: 0,
            webhook: None,
            changed: Arc::default(),
        }
    }
}

impl Updates {
    /// Queues an update of `kind`, unless the bot did not ask for that kind.
    pub(crate) fn push(&mut self, kind: &str, content: Value) {
        let is_wanted = if self.allowed.is_empty() {
            !ON_REQUEST.contains(&kind)
        } else {
            self.allowed.iter().any(|allowed| allowed == kind)
        };
        if is_wanted {
            let mut update = json!({});
            update[kind] = content;
            self.push_raw(update);
        }
    }

    /// Queues an update verbatim, except for its `update_id`, which is returned.
    pub(crate) fn push_raw(&mut self, mut update: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        update["update_id"] = id.into();
        self.pending.push_back(Queued {
            id,
            body: update.to_string().into(),
        });
        self.changed.notify_waiters();
        id
    }

    /// Sets the kinds the bot asks for; an empty list means the default again.
    pub(crate) fn allow(&mut self, kinds: &[Value]) {
        self.allowed = kinds
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
    }

    /// Lets a new reader in, ends the one before, and returns the new one's number.
    pub(crate) fn take_over(&mut self) -> u64 {
        self.reader += 1;
        self.changed.notify_waiters();
        self.reader
    }

    pub(crate) fn is_reader(&self, reader: u64) -> bool {
        self.reader == reader
    }

    /// Begins a poll: confirms what the offset confirms. Refused while a webhook is set.
    pub(crate) fn open_poll(&mut self, offset: i64) -> Result<u64, Refusal> {
        if self.webhook.is_some() {
            return Err(Refusal::conflict(
                "can't use getUpdates method while webhook is active; use deleteWebhook to delete the \
                 webhook first",
            ));
        }
        self.confirm(offset);
        Ok(self.take_over())
    }

    /// Returns what the poll gets now: `None` is nothing yet, the refusal is for a poll that was
    /// ended.
    pub(crate) fn poll(&self, reader: u64, window: Window) -> Option<Result<Vec<Queued>, Refusal>> {
        if !self.is_reader(reader) {
            return Some(Err(Refusal::conflict(TERMINATED)));
        }
        let ready: Vec<_> = self.pending.iter().take(window.limit).cloned().collect();
        (!ready.is_empty()).then_some(Ok(ready))
    }

    /// Forgets all updates below the offset; a negative one keeps only that many from the end.
    fn confirm(&mut self, offset: i64) {
        if offset < 0 {
            let kept = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            let surplus = self.pending.len().saturating_sub(kept);
            self.pending.drain(..surplus);
            return;
        }
        while self
            .pending
            .front()
            .is_some_and(|update| update.id < offset)
        {
            self.pending.pop_front();
        }
    }

    /// Returns the oldest unconfirmed update, which is what a webhook is sent next.
    pub(crate) fn front(&self) -> Option<Queued> {
        self.pending.front().cloned()
    }

    /// Forgets the update that a webhook has taken.
    pub(crate) fn delivered(&mut self, id: i64) {
        self.confirm(id + 1);
    }

    pub(crate) fn drop_pending(&mut self) {
        self.pending.clear();
    }

    pub(crate) fn pending_count(&self) -> usize {
        self.pending.len()
    }
}
