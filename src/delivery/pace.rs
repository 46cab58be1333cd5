//! One budget per chat and one per channel, shared by sends, edits and typing.
//!
//! Outcomes, cards and notices are charged and never wait for a guess: only the platform's own
//! `RetryAfter` holds them back. What is cosmetic, and the further parts of a long message, wait
//! for the budget, so cosmetic traffic is what is shed first.

use std::num::NonZeroU32;

use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use sayso_channel::{ChatKey, ChatKind, Pace, Profile};

/// The budgets of one channel.
pub struct Budgets {
    channel: DefaultDirectRateLimiter,
    direct: DefaultKeyedRateLimiter<ChatKey>,
    group: DefaultKeyedRateLimiter<ChatKey>,
}

impl Budgets {
    /// Returns full budgets for a channel's limits.
    pub fn new(profile: &Profile) -> Self {
        Self {
            channel: RateLimiter::direct(quota(profile.channel_pace)),
            direct: RateLimiter::keyed(quota(profile.direct_pace)),
            group: RateLimiter::keyed(quota(profile.group_pace)),
        }
    }

    /// Charges something that must not wait.
    pub fn charge(&self, chat: &ChatKey, kind: ChatKind) {
        // An overdrawn budget only keeps cosmetic traffic waiting for longer.
        let _ = self.channel.check();
        let _ = self.chats(kind).check_key(chat);
    }

    /// Charges something cosmetic, if there is room for it.
    pub fn allows(&self, chat: &ChatKey, kind: ChatKind) -> bool {
        self.chats(kind).check_key(chat).is_ok() && self.channel.check().is_ok()
    }

    /// Waits until there is room, and charges it.
    pub async fn wait(&self, chat: &ChatKey, kind: ChatKind) {
        self.chats(kind).until_key_ready(chat).await;
        self.channel.until_ready().await;
    }

    /// Forgets the chats whose budgets are full again.
    pub fn forget_idle(&self) {
        self.direct.retain_recent();
        self.group.retain_recent();
        self.direct.shrink_to_fit();
        self.group.shrink_to_fit();
    }

    fn chats(&self, kind: ChatKind) -> &DefaultKeyedRateLimiter<ChatKey> {
        match kind {
            ChatKind::Direct => &self.direct,
            ChatKind::Group => &self.group,
        }
    }
}

fn quota(pace: Pace) -> Quota {
    let burst = NonZeroU32::new(pace.burst).unwrap_or(NonZeroU32::MIN);
    Quota::with_period(pace.every)
        .unwrap_or_else(|| Quota::per_second(NonZeroU32::MAX))
        .allow_burst(burst)
}
