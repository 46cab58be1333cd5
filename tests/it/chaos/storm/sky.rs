//! Kinds of bad weather, and how the fakes make them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sayso_fakes::{discord, telegram};
use serde_json::json;

use crate::platform::Platform;
use crate::test_bot::TestBot;

/// A kind of bad weather.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sky {
    /// Every connection breaks before anything is done.
    OutOfReach,
    /// Polls and sends are done, and their answers are lost.
    AnswersLost,
    /// Every second message is refused for a second, with all that belongs to a 429.
    TooMany,
    /// Every second message meets a server that fails.
    Failing,
    /// Everything is answered late.
    Slow,
    /// Somebody else polls with our token (Telegram).
    AnotherPoller,
    /// A proxy's 429 without headers or JSON (Discord).
    LimitedByTheDoor,
    /// The gateway's connection is cut again and again (Discord).
    Cut,
    /// The same, and no session can be resumed (Discord).
    CutAndForgotten,
    /// The gateway welcomes and closes at once (Discord).
    ClosedAtOnce,
    /// Heartbeats are not acknowledged (Discord).
    Silent,
    /// Unsolicited acknowledgements, duplicate events, and requests to reconnect (Discord).
    Odd,
}

/// Seen by Telegram's bots.
const TELEGRAM: &[Sky] = &[
    Sky::OutOfReach,
    Sky::AnswersLost,
    Sky::TooMany,
    Sky::Failing,
    Sky::Slow,
    Sky::AnotherPoller,
];
/// Seen by Discord's bots.
const DISCORD: &[Sky] = &[
    Sky::OutOfReach,
    Sky::AnswersLost,
    Sky::TooMany,
    Sky::Failing,
    Sky::Slow,
    Sky::LimitedByTheDoor,
    Sky::Cut,
    Sky::CutAndForgotten,
    Sky::ClosedAtOnce,
    Sky::Silent,
    Sky::Odd,
];

impl Sky {
    /// How often it blows while it lasts.
    pub const GUST: Duration = Duration::from_millis(250);

    /// Returns every kind that a platform has.
    pub fn all(platform: Platform) -> &'static [Self] {
        match platform {
            Platform::Telegram => TELEGRAM,
            Platform::Discord => DISCORD,
        }
    }

    /// Whether the connection is down, so that health must say so.
    pub fn must_be_noticed(self) -> bool {
        matches!(
            self,
            Self::OutOfReach | Self::AnotherPoller | Self::ClosedAtOnce
        )
    }

    /// Lets it begin.
    pub fn begins(self, bot: &TestBot) {
        match bot.platform {
            Platform::Telegram => self.over_telegram(bot),
            Platform::Discord => self.over_discord(bot),
        }
    }

    /// Happens again and again while it lasts.
    pub fn blows(self, bot: &TestBot) {
        let discord = &bot.discord;
        match self {
            Self::Cut => discord.cuts(),
            Self::CutAndForgotten => {
                discord.forgets_sessions();
                discord.cuts();
            }
            Self::Odd => {
                discord.repeats_next(2);
                discord.sends_to_gateway(&json!({ "op": 11 }));
                discord.asks_for_heartbeat();
            }
            _ => {}
        }
    }

    /// Lets it end; what goes wrong with single requests is healed by the bot.
    pub fn ends(self, bot: &TestBot) {
        let discord = &bot.discord;
        match self {
            Self::OutOfReach | Self::ClosedAtOnce => discord.comes_back(),
            Self::Silent => discord.withholds_acknowledgements(false),
            Self::Odd => discord.asks_to_reconnect(),
            _ => {}
        }
    }

    fn over_telegram(self, bot: &TestBot) {
        let calls = AtomicUsize::new(0);
        bot.telegram.fail_when(move |call: &telegram::Call| {
            let count = calls.fetch_add(1, Ordering::Relaxed);
            let polls = call.method == "getUpdates";
            match self {
                Self::OutOfReach => Some(telegram::Fault::DropBefore),
                Self::AnswersLost if count.is_multiple_of(2) => Some(telegram::Fault::DropAfter),
                Self::TooMany if count.is_multiple_of(2) && !polls => {
                    Some(telegram::Fault::TooManyRequests { retry_after: 1 })
                }
                Self::Failing => match count % 4 {
                    0 => Some(telegram::Fault::ServerError),
                    2 => Some(telegram::Fault::BadGateway),
                    _ => None,
                },
                Self::Slow => Some(telegram::Fault::Delay(Duration::from_millis(200))),
                Self::AnotherPoller if polls => Some(telegram::Fault::Conflict),
                _ => None,
            }
        });
        if self == Self::AnotherPoller {
            bot.telegram.is_polled_elsewhere();
        }
    }

    fn over_discord(self, bot: &TestBot) {
        match self {
            Self::OutOfReach => bot.discord.goes_away(),
            Self::ClosedAtOnce => {
                bot.discord.door(discord::Door::Closing(1001));
                bot.discord.cuts();
            }
            Self::Silent => bot.discord.withholds_acknowledgements(true),
            _ => {}
        }
        let calls = AtomicUsize::new(0);
        bot.discord.fail_when(move |call: &discord::Call| {
            let count = calls.fetch_add(1, Ordering::Relaxed);
            let says = call.method == "create_message";
            match self {
                Self::OutOfReach => Some(discord::Fault::DropBefore),
                Self::AnswersLost if count.is_multiple_of(2) => Some(discord::Fault::DropAfter),
                Self::TooMany if says && count.is_multiple_of(2) => Some(limited(count)),
                Self::LimitedByTheDoor if says && count.is_multiple_of(8) => {
                    Some(discord::Fault::CloudflareLimit {
                        retry_after: Some(1),
                    })
                }
                Self::Failing => match count % 5 {
                    0 => Some(discord::Fault::ServerError),
                    2 => Some(discord::Fault::BadGateway),
                    3 => Some(discord::Fault::Unavailable),
                    _ => None,
                },
                Self::Slow => Some(discord::Fault::Delay(Duration::from_millis(200))),
                _ => None,
            }
        });
    }
}

/// A 429 of each scope in turn, with and without headers.
fn limited(count: usize) -> discord::Fault {
    let scope = match count % 3 {
        0 => discord::Scope::User,
        1 => discord::Scope::Shared,
        _ => discord::Scope::Global,
    };
    discord::Fault::Limited {
        rest: Duration::from_millis(700),
        scope,
        headers: count.is_multiple_of(4),
    }
}
