//! `[channels.telegram]`: the account, and a webhook that is either whole or absent.

use super::ConfigError;
use super::check::Check;
use super::checked::{TelegramAccount, TelegramMode};
use super::written::{TelegramTable, WrittenMode};

impl Check<'_> {
    pub(super) fn telegram(&self, table: &TelegramTable) -> Result<TelegramAccount, ConfigError> {
        let Some(token) = table.token.as_deref() else {
            return Err(ConfigError::Missing {
                origin: self.settings.section_origin("channels.telegram"),
                key: "channels.telegram.token".to_owned(),
                because: "`[channels.telegram]` is configured",
                hint: "write `token = \"env:TELEGRAM_BOT_TOKEN\"` and set that variable to BotFather's token".to_owned(),
            });
        };
        let account = TelegramAccount {
            token: self.secret("channels.telegram.token", token)?,
            api_url: self.url("channels.telegram.api_url", &table.api_url)?,
            mode: self.telegram_mode(table)?,
        };
        self.obeys_telegram(&account)?;
        Ok(account)
    }

    /// Lets the channel's own crate judge what Telegram has rules for.
    #[cfg(feature = "telegram")]
    fn obeys_telegram(&self, account: &TelegramAccount) -> Result<(), ConfigError> {
        use sayso_telegram::ConfigError as Broken;
        let refuse = |key, allowed| Err(self.settings.refuse(key, allowed));
        match account.to_channel().validate() {
            Ok(()) => Ok(()),
            Err(Broken::Token) => refuse(
                "channels.telegram.token",
                "BotFather's token: digits, a colon, then `A-Z a-z 0-9 _ -`",
            ),
            Err(Broken::ApiUrl) => {
                refuse("channels.telegram.api_url", "an `http` or `https` address")
            }
            Err(Broken::WebhookUrl) => refuse(
                "channels.telegram.webhook_url",
                "an address that begins with `https://` (`http://` only with a Bot API server of your own)",
            ),
            Err(Broken::WebhookSecret) => refuse(
                "channels.telegram.secret",
                "1-256 characters of `A-Z a-z 0-9 _ -`",
            ),
            Err(fault @ (Broken::PollLimit(_) | Broken::Client(_))) => {
                Err(ConfigError::Inconsistent(fault.to_string()))
            }
        }
    }

    /// A key without effect is an error, and so is a channel that was not built in.
    #[cfg(not(feature = "telegram"))]
    fn obeys_telegram(&self, _account: &TelegramAccount) -> Result<(), ConfigError> {
        Err(self.settings.refuse(
            "channels.telegram.token",
            "left out: this build has no Telegram",
        ))
    }

    fn telegram_mode(&self, table: &TelegramTable) -> Result<TelegramMode, ConfigError> {
        let webhook_keys = [
            (
                "channels.telegram.webhook_url",
                &table.webhook_url,
                "https://bot.example.org/telegram",
            ),
            ("channels.telegram.listen", &table.listen, "127.0.0.1:8443"),
            (
                "channels.telegram.secret",
                &table.secret,
                "env:WEBHOOK_SECRET",
            ),
        ];
        match (table.mode, &table.webhook_url, &table.listen, &table.secret) {
            (WrittenMode::Polling, None, None, None) => Ok(TelegramMode::Polling),
            (WrittenMode::Webhook, Some(url), Some(listen), Some(secret)) => {
                self.webhook(url, listen, secret)
            }
            (WrittenMode::Polling, ..) => {
                let [first, ..] = webhook_keys;
                let (key, ..) = webhook_keys
                    .into_iter()
                    .find(|key| key.1.is_some())
                    .unwrap_or(first);
                Err(self
                    .settings
                    .refuse(key, "left out unless `mode = \"webhook\"`"))
            }
            (WrittenMode::Webhook, ..) => {
                let [first, ..] = webhook_keys;
                let (key, _, example) = webhook_keys
                    .into_iter()
                    .find(|key| key.1.is_none())
                    .unwrap_or(first);
                let name = key.rsplit('.').next().unwrap_or(key);
                Err(ConfigError::Missing {
                    origin: self.settings.section_origin("channels.telegram"),
                    key: key.to_owned(),
                    because: "`channels.telegram.mode` is `webhook`",
                    hint: format!("write `{name} = \"{example}\"` or the like"),
                })
            }
        }
    }

    fn webhook(&self, url: &str, listen: &str, secret: &str) -> Result<TelegramMode, ConfigError> {
        let key = "channels.telegram.webhook_url";
        let url = self.url(key, url)?;
        let key = "channels.telegram.listen";
        let listen = listen.parse().map_err(|_| {
            self.settings
                .refuse(key, "an address and a port, such as `127.0.0.1:8443`")
        })?;
        let key = "channels.telegram.secret";
        let secret = self.secret(key, secret)?;
        Ok(TelegramMode::Webhook {
            url,
            listen,
            secret,
        })
    }
}
