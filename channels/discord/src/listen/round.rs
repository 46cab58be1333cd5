//! What has to be read back in a session: one round for each new session.
//!
//! A chat is claimed once, by the first event that shows it: the `GUILD_CREATE` of its server, its
//! first message, or the end of the round, which claims all remaining chats (direct chats, archived
//! threads).

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use sayso_channel::LastHeard;
use tokio::time::Instant;

use crate::from_discord::Id;

/// One round of reading back.
#[derive(Debug)]
pub(super) struct Round {
    /// The newest stored message of each chat and thread.
    past: HashMap<Id, Id>,
    /// The newest stored message of all; none when nothing was ever heard.
    baseline: Option<Id>,
    claimed: HashSet<Id>,
    /// The servers whose chats are still to come.
    awaited: HashSet<Id>,
    ends: Instant,
    has_ended: bool,
}

impl Round {
    /// Begins a round; it ends when all `servers` have come, or after `within`.
    pub(super) fn begin(past: &[LastHeard], servers: HashSet<Id>, within: Duration) -> Self {
        let past: HashMap<Id, Id> = past.iter().filter_map(read).collect();
        Self {
            baseline: past.values().max().copied(),
            past,
            claimed: HashSet::new(),
            awaited: servers,
            ends: Instant::now() + within,
            has_ended: false,
        }
    }

    /// Claims a chat. Returns behind which message it is to be read back; `None` when it was
    /// claimed before, or nothing was ever heard. `since` is where a chat begins that we never
    /// heard: when we came to its server.
    pub(super) fn claim(&mut self, chat: Id, since: Option<Id>) -> Option<Id> {
        if !self.claimed.insert(chat) {
            return None;
        }
        let unheard = self
            .baseline
            .map(|baseline| baseline.max(since.unwrap_or(baseline)));
        self.past.get(&chat).copied().or(unheard)
    }

    /// Counts a server that came; returns whether we had been waiting for it.
    pub(super) fn server_came(&mut self, server: Id) -> bool {
        self.awaited.remove(&server)
    }

    /// Waits for a server that has an outage: when it comes back, it is no new one.
    pub(super) fn server_left(&mut self, server: Id) {
        self.awaited.insert(server);
    }

    /// Returns when the round ends; `None` when it has.
    pub(super) fn ends(&self) -> Option<Instant> {
        if self.has_ended {
            return None;
        }
        Some(if self.awaited.is_empty() {
            Instant::now()
        } else {
            self.ends
        })
    }

    /// Ends the round and claims all remaining chats.
    pub(super) fn end(&mut self) -> Vec<(Id, Id)> {
        self.has_ended = true;
        let left = self.past.iter().map(|(chat, last)| (*chat, *last));
        let left: Vec<_> = left
            .filter(|(chat, _)| !self.claimed.contains(chat))
            .collect();
        self.claimed.extend(left.iter().map(|(chat, _)| *chat));
        left
    }
}

/// Reads where and behind what something is to be read back.
fn read(heard: &LastHeard) -> Option<(Id, Id)> {
    let address = &heard.address;
    let chat = address
        .thread
        .as_ref()
        .map(sayso_channel::ThreadKey::as_str);
    let chat = chat.unwrap_or(address.chat.as_str()).parse().ok()?;
    Some((Id(chat), Id(heard.message.as_str().parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use sayso_channel::{Address, MessageKey, ThreadKey};

    use super::*;

    fn last(chat: &str, thread: Option<&str>, message: &str) -> LastHeard {
        LastHeard {
            address: Address {
                thread: thread.map(ThreadKey::from),
                ..Address::chat("discord", chat)
            },
            message: MessageKey::from(message),
        }
    }

    fn round() -> Round {
        let past = [last("1", None, "100"), last("1", Some("2"), "200")];
        Round::begin(&past, HashSet::from([Id(9)]), Duration::from_secs(5))
    }

    #[test]
    fn chat_is_read_back_once_behind_its_newest_message() {
        let mut round = round();
        assert_eq!(round.claim(Id(1), None), Some(Id(100)));
        assert_eq!(round.claim(Id(1), None), None);
    }

    #[test]
    fn chat_never_heard_is_read_from_the_newest_of_all_or_from_our_coming() {
        let mut round = round();
        assert_eq!(round.claim(Id(7), None), Some(Id(200)));
        assert_eq!(round.claim(Id(8), Some(Id(300))), Some(Id(300)));
        assert_eq!(round.claim(Id(9), Some(Id(50))), Some(Id(200)));
    }

    #[test]
    fn nothing_is_read_back_when_nothing_was_ever_heard() {
        let mut round = Round::begin(&[], HashSet::new(), Duration::ZERO);
        assert_eq!(round.claim(Id(1), Some(Id(5))), None);
        assert_eq!(round.end(), []);
    }

    #[test]
    fn end_claims_what_nobody_did() {
        let mut round = round();
        round.claim(Id(1), None);
        assert!(round.server_came(Id(9)));
        assert!(!round.server_came(Id(9)));
        assert!(round.ends().is_some_and(|at| at <= Instant::now()));
        assert_eq!(round.end(), [(Id(2), Id(200))]);
        assert_eq!(round.ends(), None);
        assert_eq!(round.claim(Id(2), None), None);
    }
}
