//! The Telegram channel: the trait, joined to the files that do its work.

use std::time::Duration;

use async_trait::async_trait;
use sayso_channel::{
    Address, AttachmentRef, Channel, ChannelError, ChannelName, Command, Inbox, Limits, LongText,
    MessageKey, Outbound, Pace, Part, Profile, Repeats, SendKey, SentMessage, Speaker, TextUnit,
};
use serde_json::Value;
use teloxide::payloads::SetMyCommands;
use teloxide::types::BotCommand;
use tokio::fs::File;
use tokio_util::sync::CancellationToken;

use crate::bot_api::BotApi;
use crate::config::{ConfigError, TelegramConfig};
use crate::introduction::{CHINESE, introduce};
use crate::{files, listen, refusal, send, to_telegram};

/// The longest data of a button, in bytes
/// (<https://core.telegram.org/bots/api#inlinekeyboardbutton>).
const TOKEN_BYTES: usize = 64;

/// One Telegram bot account. It has no `Debug`: it holds the token.
pub struct Telegram {
    api: BotApi,
    config: TelegramConfig,
    profile: Profile,
}

impl Telegram {
    /// Returns the channel of a configuration that keeps to Telegram's rules. Nothing is sent yet.
    pub fn new(config: TelegramConfig) -> Result<Self, ConfigError> {
        Ok(Self {
            api: BotApi::new(&config)?,
            profile: profile(config.name.clone()),
            config,
        })
    }
}

/// Returns Telegram's limits.
///
/// The paces are those that Telegram publishes (<https://core.telegram.org/bots/faq>, "My bot is
/// hitting limits"): one message per second in a chat with short bursts, 20 per minute in a group,
/// about 30 per second in all.
fn profile(name: ChannelName) -> Profile {
    Profile {
        name,
        text_limit: to_telegram::TEXT_LIMIT,
        text_unit: TextUnit::Utf16,
        buttons: true,
        token_bytes: TOKEN_BYTES,
        edits: true,
        reactions: true,
        repeats: Repeats::Arrive,
        long_text: LongText::Above,
        direct_prefix: Some(""),
        // https://core.telegram.org/bots/api#senddocument
        file_bytes: 50_000_000,
        limits: Limits::Published,
        direct_pace: Pace {
            burst: 3,
            every: Duration::from_secs(1),
        },
        group_pace: Pace {
            burst: 5,
            every: Duration::from_secs(3),
        },
        channel_pace: Pace {
            burst: 30,
            every: Duration::from_millis(34),
        },
    }
}

#[async_trait]
impl Channel for Telegram {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    async fn listen(&self, inbox: Inbox, shutdown: CancellationToken) -> Result<(), ChannelError> {
        listen::listen(&self.api, &self.config, &inbox, &shutdown).await
    }

    async fn announce(&self, commands: &[Command]) -> Result<(), ChannelError> {
        let english = menu(commands, |command| command.english);
        let mut chinese = menu(commands, |command| command.chinese);
        chinese.language_code = Some(CHINESE.to_owned());
        for request in [english, chinese] {
            self.api
                .call::<_, Value>(&request)
                .await
                .map_err(|error| refusal::of_repeatable(error, None))?;
        }
        match &self.config.introduction {
            Some(introduction) => introduce(&self.api, introduction).await,
            None => Ok(()),
        }
    }

    async fn fetch(&self, attachment: &AttachmentRef, into: &mut File) -> Result<(), ChannelError> {
        files::fetch(&self.api, attachment, into).await
    }
}

#[async_trait]
impl Speaker for Telegram {
    fn render(&self, message: &Outbound) -> Vec<Part> {
        to_telegram::render(message)
    }

    /// Sends one part. Telegram cannot drop a repetition, so the key is not used.
    async fn send(
        &self,
        to: &Address,
        part: &Part,
        _key: &SendKey,
    ) -> Result<SentMessage, ChannelError> {
        send::send(&self.api, to, part).await
    }

    async fn edit(&self, sent: &SentMessage, part: &Part) -> Result<(), ChannelError> {
        send::edit(&self.api, sent, part).await
    }

    async fn delete(&self, sent: &SentMessage) -> Result<(), ChannelError> {
        send::delete(&self.api, sent).await
    }

    async fn react(&self, to: &Address, message: &MessageKey) -> Result<(), ChannelError> {
        send::react(&self.api, to, message).await
    }

    async fn typing(&self, to: &Address) -> Result<(), ChannelError> {
        send::typing(&self.api, to).await
    }
}

fn menu(commands: &[Command], text: fn(&Command) -> &'static str) -> SetMyCommands {
    let entries = commands
        .iter()
        .map(|command| BotCommand::new(command.name, text(command)));
    SetMyCommands::new(entries)
}
