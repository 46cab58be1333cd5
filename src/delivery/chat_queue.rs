//! The queue of one chat: what waits to be said there, one at a time and in order.

use std::collections::VecDeque;

use sayso_channel::{ChannelName, ChatKey, ChatKind};
use sayso_core::transcript::TurnId;
use sayso_store::outbox::OutboxRow;
use sayso_store::outbox::Purpose;

use super::live::LiveUpdate;

/// Names a queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LaneKey {
    /// The channel.
    pub channel: ChannelName,
    /// The chat.
    pub chat: ChatKey,
}

/// How many rows of a chat are held; the others wait in the outbox.
pub const HELD: usize = 32;

/// What waits to be said in a chat.
#[derive(Debug, Default)]
pub struct ChatQueue {
    rows: VecDeque<OutboxRow>,
    live: Vec<LiveUpdate>,
    busy: bool,
    /// Whether more waits in the outbox than is held here: what is said meanwhile comes behind it.
    is_behind: bool,
    /// What kind of chat it is, once looked up.
    pub kind: Option<ChatKind>,
}

/// The next thing to say in a chat.
#[derive(Debug)]
pub enum Next {
    /// A row of the outbox.
    Row(OutboxRow),
    /// A live message that should look different now.
    Live(LiveUpdate),
}

impl ChatQueue {
    /// Puts a row behind the others; one that there is no place for waits in the outbox. What a
    /// live message of its turn should show is void now. Says whether the row is held.
    pub fn push(&mut self, row: OutboxRow) -> bool {
        if matches!(row.purpose, Purpose::Final | Purpose::Question) {
            self.drop_live(row.turn_id);
        }
        self.is_behind |= self.rows.len() >= HELD;
        if !self.is_behind {
            self.rows.push_back(row);
        }
        !self.is_behind
    }

    /// Says that what comes next are the first rows that wait in the outbox.
    pub fn catches_up(&mut self) {
        self.is_behind = false;
    }

    /// Returns whether nothing is held any more of what waits in the outbox.
    pub fn is_used_up(&self) -> bool {
        self.is_behind && self.rows.is_empty()
    }

    /// Replaces what the live message of a turn should show.
    pub fn show(&mut self, update: LiveUpdate) {
        self.live.retain(|earlier| earlier.turn != update.turn);
        self.live.push(update);
    }

    /// Takes the next thing to say; `room` says whether there is budget for something cosmetic.
    pub fn take(&mut self, room: impl FnOnce() -> bool) -> Option<Next> {
        if self.busy {
            return None;
        }
        let next = match self.rows.pop_front() {
            Some(row) => Some(Next::Row(row)),
            None if !self.live.is_empty() && room() => Some(Next::Live(self.live.remove(0))),
            None => None,
        };
        self.busy = next.is_some();
        next
    }

    /// Says that what was taken is said.
    pub fn done(&mut self) {
        self.busy = false;
    }

    /// Returns whether a live message waits for budget.
    pub fn has_live(&self) -> bool {
        !self.live.is_empty()
    }

    /// Returns whether nothing waits and nothing is on its way.
    pub fn is_idle(&self) -> bool {
        !self.busy && !self.is_behind && self.rows.is_empty() && self.live.is_empty()
    }

    fn drop_live(&mut self, turn: Option<TurnId>) {
        self.live.retain(|update| Some(update.turn) != turn);
    }
}
