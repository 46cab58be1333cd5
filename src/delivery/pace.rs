//! One budget per chat and one per channel, shared by sends, edits and typing.
//!
//! Outcomes, cards and notices are charged and do not wait for a guess: what a platform publishes
//! is less than what it takes. Once it has refused something they keep to a strict pace for a while
//! (`strict.rs`). What is cosmetic, and the further parts of a long message, wait for the budget;
//! so cosmetic traffic is shed first: it pays what outcomes have overdrawn, a third of the
//! channel's budget is not for it, and after a refusal there is none.

use std::time::{Duration, Instant};

use governor::{DefaultDirectRateLimiter, RateLimiter};
use sayso_channel::{ChatKey, ChatKind, Limits, Pace, Profile};
use tokio::sync::Notify;

use super::quota::quota;
use super::strict::Paced;

/// The budgets of one channel.
pub struct Budgets {
    limits: Limits,
    channel: Paced<()>,
    direct: Paced<ChatKey>,
    group: Paced<ChatKey>,
    /// What of the channel's budget cosmetic traffic may use.
    cosmetic: DefaultDirectRateLimiter,
    /// Rung when the platform took something.
    reached: Notify,
}

impl Budgets {
    /// Returns full budgets for a channel's limits.
    pub fn new(profile: &Profile) -> Self {
        Self {
            limits: profile.limits,
            channel: Paced::new(profile.channel_pace),
            direct: Paced::new(profile.direct_pace),
            group: Paced::new(profile.group_pace),
            cosmetic: RateLimiter::direct(quota(two_thirds(profile.channel_pace))),
            reached: Notify::new(),
        }
    }

    /// Charges something that must not wait for a guess; where something was refused, it waits for
    /// the strict pace.
    pub async fn charge(&self, chat: &ChatKey, kind: ChatKind) {
        self.chats(kind).hold(chat).await;
        self.channel.hold(&()).await;
        self.chats(kind).charge(chat);
        self.channel.charge(&());
    }

    /// Charges something cosmetic, if there is room for it.
    pub fn allows(&self, chat: &ChatKey, kind: ChatKind) -> bool {
        !self.channel.is_strict(&())
            && self.chats(kind).allows(chat)
            && self.cosmetic.check().is_ok()
            && self.channel.allows(&())
    }

    /// Waits until there is room, and charges it.
    pub async fn wait(&self, chat: &ChatKey, kind: ChatKind) {
        self.chats(kind).wait(chat).await;
        self.channel.wait(&()).await;
    }

    /// Notes that the platform refused something for so long. Where the adapter itself holds back
    /// what would be refused, the pause is all there is to know.
    pub fn note_refusal(&self, chat: &ChatKey, kind: ChatKind, pause: Duration) {
        if self.limits == Limits::Told {
            return;
        }
        let now = Instant::now();
        // Within its own budget a chat is refused for what is said in others.
        if !self.chats(kind).is_overdrawn(chat) {
            // The pause may be this chat's alone; a channel that is refused again soon is strict
            // for longer.
            self.channel.note_refusal((), Duration::ZERO, now);
        }
        self.chats(kind).note_refusal(chat.clone(), pause, now);
    }

    /// Tells everything that waits for the platform to be there that it is.
    pub fn note_reached(&self) {
        self.reached.notify_waiters();
    }

    /// Returns when the platform has taken something of any chat.
    pub async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Forgets the chats whose budgets are full again.
    pub fn forget_idle(&self) {
        self.channel.forget_idle();
        self.direct.forget_idle();
        self.group.forget_idle();
    }

    fn chats(&self, kind: ChatKind) -> &Paced<ChatKey> {
        match kind {
            ChatKind::Direct => &self.direct,
            ChatKind::Group => &self.group,
        }
    }
}

/// What a pace leaves for others when a third of it is kept back.
fn two_thirds(pace: Pace) -> Pace {
    Pace {
        burst: (pace.burst * 2 / 3).max(1),
        every: pace.every * 3 / 2,
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Channel as _;
    use sayso_channel::fake::FakeChannel;

    use super::*;

    #[test]
    fn the_long_pause_of_one_chat_is_not_the_channels() {
        let budgets = Budgets::new(FakeChannel::new("telegram").profile());
        let (chat, hour) = (ChatKey::new("1"), Duration::from_hours(1));
        let soon = Instant::now() + hour / 2;
        budgets.note_refusal(&chat, ChatKind::Direct, hour);
        let until = budgets.direct.strict_until(&chat);
        assert!(until.is_some_and(|until| until > soon), "the chat's own");
        assert!(budgets.channel.is_strict(&()), "for a spell");
        let until = budgets.channel.strict_until(&());
        assert!(until.is_some_and(|until| until < soon), "and no longer");
    }
}
