//! The checked configuration in the shapes that a channel's crate and the providers ask for.

use secrecy::SecretString;

#[cfg(feature = "discord")]
use super::checked::DiscordAccount;
use super::checked::ModelServer;
#[cfg(feature = "telegram")]
use super::checked::{TelegramAccount, TelegramMode};
use super::choices::CallsInText;
#[cfg(feature = "discord")]
use super::choices::LongAnswers;
use sayso_providers::{
    AnthropicConfig, LlamaConfig, OpenAiConfig, Quirks, ServedModel, Timeouts, sight_of,
};

#[cfg(feature = "telegram")]
impl TelegramAccount {
    /// Returns what the Telegram channel must be told.
    pub fn to_channel(&self) -> sayso_telegram::TelegramConfig {
        let mut channel = sayso_telegram::TelegramConfig::new(
            self.name.clone(),
            self.token.clone(),
            self.api_url.clone(),
        );
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

#[cfg(feature = "discord")]
impl DiscordAccount {
    /// Returns what the Discord channel must be told.
    pub fn to_channel(&self) -> sayso_discord::DiscordConfig {
        let mut channel = sayso_discord::DiscordConfig::new(
            self.name.clone(),
            self.token.clone(),
            self.api_url.clone(),
        );
        channel.shards = match self.shards {
            Some(count) => sayso_discord::Shards::Count(count),
            None => sayso_discord::Shards::Auto,
        };
        channel.long_answers = match self.long_answers {
            LongAnswers::Messages => sayso_discord::LongAnswers::Messages,
            LongAnswers::Thread => sayso_discord::LongAnswers::Thread,
        };
        channel
    }
}

impl ModelServer {
    /// Returns what clients of OpenAI's protocol must be told: one for each key.
    pub fn to_openai(&self) -> Vec<OpenAiConfig> {
        let quirks = Quirks::named(&self.quirks, &self.base_url);
        let calls_in_text = match self.calls_in_text {
            CallsInText::Auto => quirks.says_calls_at(&self.base_url),
            CallsInText::On => true,
            CallsInText::Off => false,
        };
        let config = |api_key| OpenAiConfig {
            served: self.served(api_key),
            is_llama: quirks.name == "llama",
            quirks,
            calls_in_text,
        };
        self.each_key().map(config).collect()
    }

    /// Returns what clients of OpenAI's protocol at a llama.cpp server must be told.
    pub fn to_openai_of_llama(&self) -> Vec<OpenAiConfig> {
        let mut server = self.clone();
        "llama".clone_into(&mut server.quirks);
        if let Ok(mut segments) = server.base_url.path_segments_mut() {
            segments.pop_if_empty().push("v1");
        }
        server.to_openai()
    }

    /// Returns what clients of a llama.cpp server must be told that find out by which endpoint it
    /// is asked.
    pub fn to_auto_llama(&self, template: &str) -> Vec<(OpenAiConfig, LlamaConfig)> {
        let chats = self.to_openai_of_llama().into_iter();
        chats.zip(self.to_llama(template)).collect()
    }

    /// Returns what clients of a llama.cpp server must be told that is asked by prompts.
    pub fn to_llama(&self, template: &str) -> Vec<LlamaConfig> {
        let config = |api_key| LlamaConfig {
            served: self.served(api_key),
            template: template.to_owned(),
        };
        self.each_key().map(config).collect()
    }

    /// Returns what clients of Anthropic's protocol must be told: one for each key.
    pub fn to_anthropic(&self, thinking_tokens: Option<u32>) -> Vec<AnthropicConfig> {
        let config = |api_key| AnthropicConfig {
            served: self.served(api_key),
            thinking_tokens,
        };
        self.each_key().map(config).collect()
    }

    /// Returns what every client of it must know.
    fn served(&self, api_key: Option<SecretString>) -> ServedModel {
        ServedModel {
            name: self.name.clone(),
            base_url: self.base_url.clone(),
            api_key,
            model: self.model.clone(),
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            context_tokens: self.context_tokens,
            sight: self.sight.unwrap_or_else(|| sight_of(&self.model)),
            timeouts: match self.first_token {
                Some(first_token) => {
                    Timeouts::for_silence(self.timeout).beginning_within(first_token)
                }
                None => Timeouts::for_silence(self.timeout),
            },
        }
    }

    /// A server without a key is asked without one.
    fn each_key(&self) -> impl Iterator<Item = Option<SecretString>> {
        let without = self.api_keys.is_empty().then_some(None);
        self.api_keys.iter().cloned().map(Some).chain(without)
    }
}
