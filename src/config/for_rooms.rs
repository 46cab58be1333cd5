//! The checked configuration in the shapes that a channel's crate and the providers ask for.

#[cfg(feature = "telegram")]
use sayso_channel::ChannelName;

use super::checked::OpenAiServer;
#[cfg(feature = "telegram")]
use super::checked::{TelegramAccount, TelegramMode};
use crate::providers::{OpenAiConfig, Timeouts};

#[cfg(feature = "telegram")]
impl TelegramAccount {
    /// Returns what the Telegram channel must be told.
    pub fn to_channel(&self) -> sayso_telegram::TelegramConfig {
        let name = ChannelName::from("telegram");
        let mut channel =
            sayso_telegram::TelegramConfig::new(name, self.token.clone(), self.api_url.clone());
        if let TelegramMode::Webhook {
            url,
            listen,
            secret,
        } = &self.mode
        {
            channel.mode = sayso_telegram::Mode::Webhook {
                url: url.clone(),
                listen: *listen,
                secret: secret.clone(),
            };
        }
        channel
    }
}

impl OpenAiServer {
    /// Returns what the provider must be told.
    pub fn to_provider(&self) -> OpenAiConfig {
        OpenAiConfig {
            name: self.name.clone(),
            base_url: self.base_url.clone(),
            api_key: self.api_key.clone(),
            model: self.model.clone(),
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            timeouts: Timeouts::for_silence(self.timeout),
        }
    }
}
