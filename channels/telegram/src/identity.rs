//! Who we are on Telegram, and what a look at the account tells `doctor`.

use sayso_channel::{BotAccount, BotLink, ChannelError};
use serde::Deserialize;
use teloxide::payloads::GetMe;

use crate::bot_api::BotApi;
use crate::{TelegramConfig, refusal};

/// The bot account behind a token, as Telegram describes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Identity {
    /// The account's id.
    pub id: i64,
    /// The name that people see.
    #[serde(rename = "first_name", default)]
    pub name: String,
    /// The name behind `@`; every bot has one.
    pub username: Option<String>,
    /// Whether the bot hears everything in groups: privacy mode is off.
    #[serde(default)]
    pub can_read_all_group_messages: bool,
    /// Whether people may add the bot to groups.
    #[serde(default)]
    pub can_join_groups: bool,
}

impl Identity {
    /// Returns how people find the bot. With `?start=` and a word of 1-64 `A-Z a-z 0-9 _ -` the link
    /// sends `/start` with it (<https://core.telegram.org/bots/features#deep-linking>).
    pub fn account(&self) -> BotAccount {
        match &self.username {
            Some(username) => BotAccount {
                name: format!("@{username}"),
                link: BotLink::Chat(format!("https://t.me/{username}")),
            },
            None => BotAccount {
                name: self.name.clone(),
                link: BotLink::None,
            },
        }
    }

    /// Returns the link that opens the direct chat with the bot and sends it `/start` with this
    /// word.
    pub fn deep_link(&self, start: &str) -> Option<String> {
        let username = self.username.as_ref()?;
        Some(format!("https://t.me/{username}?start={start}"))
    }
}

/// Asks Telegram who the token belongs to. Nothing is changed by it.
pub async fn check(config: &TelegramConfig) -> Result<Identity, ChannelError> {
    let api = BotApi::new(config).map_err(|error| ChannelError::Rejected(error.to_string()))?;
    api.call(&GetMe::new())
        .await
        .map_err(|error| refusal::of_repeatable(error, None))
}
