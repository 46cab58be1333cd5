//! `[channels.telegram]`: the account, and a webhook that is either whole or absent.

use super::ConfigError;
use super::check::{Check, channel_of};
use super::checked::{TelegramAccount, TelegramMode};
use super::written::{TelegramTable, WrittenMode};

impl Check<'_> {
    /// Checks one account; `section` is `channels.telegram`, or `channels.telegram.work`.
    pub(super) fn telegram(
        &self,
        section: &str,
        table: &TelegramTable,
    ) -> Result<TelegramAccount, ConfigError> {
        let key = |name: &str| format!("{section}.{name}");
        let hint =
            "write `token = \"env:TELEGRAM_BOT_TOKEN\"` and set that variable to BotFather's token";
        let account = TelegramAccount {
            name: channel_of(section),
            token: self.account_token(section, table.token.as_deref(), hint)?,
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
            Err(Broken::Token) => refuse(
                "token",
                "BotFather's token: digits, a colon, then `A-Z a-z 0-9 _ -`",
            ),
            Err(Broken::ApiUrl) => refuse("api_url", "an `http` or `https` address"),
            Err(Broken::WebhookUrl) => refuse(
                "webhook_url",
                "an address that begins with `https://` (`http://` only with a Bot API server of your own)",
            ),
            Err(Broken::WebhookSecret) => refuse("secret", "1-256 characters of `A-Z a-z 0-9 _ -`"),
            Err(fault @ (Broken::PollLimit(_) | Broken::Client(_))) => {
                Err(ConfigError::Inconsistent(fault.to_string()))
            }
        }
    }

    /// A key without effect is an error, and so is a channel that was not built in.
    #[cfg(not(feature = "telegram"))]
    fn obeys_telegram(&self, section: &str, _account: &TelegramAccount) -> Result<(), ConfigError> {
        Err(self.settings.refuse(
            &format!("{section}.token"),
            "left out: this build has no Telegram",
        ))
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
                Err(self.settings.refuse(
                    &format!("{section}.{name}"),
                    "left out unless `mode = \"webhook\"`",
                ))
            }
            (WrittenMode::Webhook, ..) => {
                let [first, ..] = webhook_keys;
                let (name, _, example) = webhook_keys
                    .into_iter()
                    .find(|key| key.1.is_none())
                    .unwrap_or(first);
                Err(ConfigError::Missing {
                    origin: self.settings.section_origin(section),
                    key: format!("{section}.{name}"),
                    because: format!("`{section}.mode` is `webhook`"),
                    hint: format!("write `{name} = \"{example}\"` or the like"),
                })
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
            self.settings.refuse(
                &key("listen"),
                "an address and a port, such as `127.0.0.1:8443`",
            )
        });
        Ok(TelegramMode::Webhook {
            url: self.url(&key("webhook_url"), url)?,
            listen: listen?,
            secret: self.secret(&key("secret"), secret)?,
        })
    }
}
