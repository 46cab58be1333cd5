//! The Discord channel: the trait, joined to the files that do its work.

use std::time::Duration;

use async_trait::async_trait;
use sayso_channel::{
    Address, AttachmentRef, Channel, ChannelError, ChannelName, Command, Inbox, Limits, LongText,
    MessageKey, Outbound, Pace, Part, Profile, Repeats, SendKey, SentMessage, Speaker, TextUnit,
};
use tokio::fs::File;
use tokio_util::sync::CancellationToken;

use crate::config::{ConfigError, DiscordConfig};
use crate::menu;
use crate::rest::Rest;
use crate::{files, listen, send, to_discord};

/// The longest token of a button that we use, in bytes; Discord itself takes 100 characters.
const TOKEN_BYTES: usize = 64;
/// How long Discord is sure to drop a repeated create: its documentation says "the past few
/// minutes" (<https://docs.discord.com/developers/resources/message#create-message>).
const REPEATS_DROPPED_WITHIN: Duration = Duration::from_mins(2);

/// One Discord bot account. It has no `Debug`: it holds the token.
pub struct Discord {
    rest: Rest,
    config: DiscordConfig,
    profile: Profile,
}

impl Discord {
    /// Returns the channel of a configuration that keeps to Discord's rules. Nothing is sent yet.
    pub fn new(config: DiscordConfig) -> Result<Self, ConfigError> {
        Ok(Self {
            rest: Rest::new(&config)?,
            profile: profile(config.name.clone()),
            config,
        })
    }
}

/// Returns Discord's limits.
///
/// The paces are those that its headers ask for: about five messages in five seconds in a channel,
/// 50 requests per second in all, of which some are left to typing and to interactions
/// (<https://docs.discord.com/developers/topics/rate-limits>).
fn profile(name: ChannelName) -> Profile {
    let chat_pace = Pace {
        burst: 5,
        every: Duration::from_secs(1),
    };
    Profile {
        name,
        text_limit: to_discord::TEXT_LIMIT,
        text_unit: TextUnit::Scalar,
        buttons: true,
        token_bytes: TOKEN_BYTES,
        edits: true,
        reactions: true,
        repeats: Repeats::AreDropped {
            within: REPEATS_DROPPED_WITHIN,
        },
        long_text: LongText::Attached,
        direct_prefix: Some(send::TO_PERSON),
        // What Discord takes of a bot in a server without boosts.
        file_bytes: 10 * 1024 * 1024,
        limits: Limits::Told,
        direct_pace: chat_pace,
        group_pace: chat_pace,
        channel_pace: Pace {
            burst: 25,
            every: Duration::from_millis(25),
        },
    }
}

#[async_trait]
impl Channel for Discord {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    async fn listen(&self, inbox: Inbox, shutdown: CancellationToken) -> Result<(), ChannelError> {
        listen::listen(&self.rest, &self.config, &inbox, &shutdown).await
    }

    async fn announce(&self, commands: &[Command]) -> Result<(), ChannelError> {
        menu::announce(&self.rest, commands).await
    }

    async fn fetch(&self, attachment: &AttachmentRef, into: &mut File) -> Result<(), ChannelError> {
        files::fetch(&self.rest, &self.config.api_url, attachment, into).await
    }
}

#[async_trait]
impl Speaker for Discord {
    fn render(&self, message: &Outbound) -> Vec<Part> {
        to_discord::render(message, self.config.long_answers)
    }

    /// Sends one part. Discord drops a repetition with the same key for some minutes.
    async fn send(
        &self,
        to: &Address,
        part: &Part,
        key: &SendKey,
    ) -> Result<SentMessage, ChannelError> {
        send::send(&self.rest, to, part, key).await
    }

    async fn edit(&self, sent: &SentMessage, part: &Part) -> Result<(), ChannelError> {
        send::edit(&self.rest, sent, part).await
    }

    async fn delete(&self, sent: &SentMessage) -> Result<(), ChannelError> {
        send::delete(&self.rest, sent).await
    }

    async fn react(&self, to: &Address, message: &MessageKey) -> Result<(), ChannelError> {
        send::react(&self.rest, to, message).await
    }

    async fn typing(&self, to: &Address) -> Result<(), ChannelError> {
        send::typing(&self.rest, to).await
    }
}
