//! `[channels.telegram]`: the account, and a webhook that is either whole or absent.

use super::ConfigError;
use super::check::{Check, channel_of};
use super::checked::{TelegramAccount, TelegramMode};
use super::keys::{TelegramTable, WrittenMode};
use super::messages::{Hint, Reason, Rule};

impl Check<'_> {
    /// Checks one account; `section` is `channels.telegram`, or `channels.telegram.work`.
    pub(super) fn telegram(
        &self,
        section: &str,
        table: &TelegramTable,
    ) -> Result<TelegramAccount, ConfigError> {
        let key = |name: &str| format!("{section}.{name}");
        let account = TelegramAccount {
            name: channel_of(section),
            token: self.account_token(section, table.token.as_deref(), Hint::TelegramToken)?,
            api_url: self.url(&key("api_url"), &table.api_url)?,
            mode: self.telegram_mode(section, table)?,
        };
        self.obeys_telegram(section, &account)?;
        Ok(account)
    }

    /// Lets the channel's own crate judge what Telegram has rules for.
    #[cfg(feature = "telegram")]
    fn obeys_telegram(&self, section: &str, account: &TelegramAccount) -> Result<(), ConfigError> {
        use sayso_telegram::ConfigError as Broken;
        let refuse =
            |name: &str, allowed| Err(self.settings.refuse(&format!("{section}.{name}"), allowed));
        match account.to_channel().validate() {
            Ok(()) => Ok(()),
            Err(Broken::Token) => refuse("token", Rule::TelegramToken),
            Err(Broken::ApiUrl) => refuse("api_url", Rule::HttpAddress),
            Err(Broken::WebhookUrl) => refuse("webhook_url", Rule::WebhookAddress),
            Err(Broken::WebhookSecret) => refuse("secret", Rule::WebhookSecret),
            Err(fault @ (Broken::PollLimit(_) | Broken::Client(_))) => {
                Err(ConfigError::Inconsistent(fault.to_string()))
            }
        }
    }

    /// A key without effect is an error, and so is a channel that was not built in.
    #[cfg(not(feature = "telegram"))]
    fn obeys_telegram(&self, section: &str, _account: &TelegramAccount) -> Result<(), ConfigError> {
        let allowed = Rule::LeftOutOfBuild {
            channel: "Telegram",
        };
        Err(self.settings.refuse(&format!("{section}.token"), allowed))
    }

    fn telegram_mode(
        &self,
        section: &str,
        table: &TelegramTable,
    ) -> Result<TelegramMode, ConfigError> {
        let webhook_keys = [
            (
                "webhook_url",
                &table.webhook_url,
                "https://bot.example.org/telegram",
            ),
            ("listen", &table.listen, "127.0.0.1:8443"),
            ("secret", &table.secret, "env:WEBHOOK_SECRET"),
        ];
        match (table.mode, &table.webhook_url, &table.listen, &table.secret) {
            (WrittenMode::Polling, None, None, None) => Ok(TelegramMode::Polling),
            (WrittenMode::Webhook, Some(url), Some(listen), Some(secret)) => {
                self.webhook(section, url, listen, secret)
            }
            (WrittenMode::Polling, ..) => {
                let [first, ..] = webhook_keys;
                let (name, ..) = webhook_keys
                    .into_iter()
                    .find(|key| key.1.is_some())
                    .unwrap_or(first);
                let key = format!("{section}.{name}");
                Err(self.settings.refuse(&key, Rule::LeftOutUnlessWebhook))
            }
            (WrittenMode::Webhook, ..) => {
                let [first, ..] = webhook_keys;
                let (name, _, example) = webhook_keys
                    .into_iter()
                    .find(|key| key.1.is_none())
                    .unwrap_or(first);
                let because = Reason::IsWebhook {
                    section: section.to_owned(),
                };
                let hint = Hint::WriteLike { name, example };
                Err(self.settings.missing(section, name, because, hint))
            }
        }
    }

    fn webhook(
        &self,
        section: &str,
        url: &str,
        listen: &str,
        secret: &str,
    ) -> Result<TelegramMode, ConfigError> {
        let key = |name: &str| format!("{section}.{name}");
        let listen = listen.parse().map_err(|_| {
            let example = "127.0.0.1:8443";
            self.settings
                .refuse(&key("listen"), Rule::SocketAddress { example })
        });
        Ok(TelegramMode::Webhook {
            url: self.url(&key("webhook_url"), url)?,
            listen: listen?,
            secret: self.secret(&key("secret"), secret)?,
        })
    }
}
