//! `[channels.discord]`: the account, its server, its shards, and how long answers are said.

use reqwest::Url;

use super::ConfigError;
use super::check::{Check, channel_of};
use super::checked::DiscordAccount;
use super::keys::DiscordTable;
use super::messages::{Hint, Rule};

/// The path of the API's version that we speak, for an address that names none.
const API_PATH: &str = "/api/v10";

impl Check<'_> {
    /// Checks one account; `section` is `channels.discord`, or `channels.discord.work`.
    pub(super) fn discord(
        &self,
        section: &str,
        table: &DiscordTable,
    ) -> Result<DiscordAccount, ConfigError> {
        let key = |name: &str| format!("{section}.{name}");
        let account = DiscordAccount {
            name: channel_of(section),
            token: self.account_token(section, table.token.as_deref(), Hint::DiscordToken)?,
            api_url: with_version(self.url(&key("api_url"), &table.api_url)?),
            // `auto`, or a number in the range of the key.
            shards: table.shards.parse().ok(),
            long_answers: table.long_answers,
        };
        self.obeys_discord(section, &account)?;
        Ok(account)
    }

    /// Lets the channel's own crate judge what Discord has rules for.
    #[cfg(feature = "discord")]
    fn obeys_discord(&self, section: &str, account: &DiscordAccount) -> Result<(), ConfigError> {
        use sayso_discord::ConfigError as Broken;
        let refuse =
            |name: &str, allowed| Err(self.settings.refuse(&format!("{section}.{name}"), allowed));
        match account.to_channel().validate() {
            Ok(()) => Ok(()),
            Err(Broken::Token) => refuse("token", Rule::DiscordToken),
            Err(Broken::ApiUrl) => refuse("api_url", Rule::HttpAddress),
            Err(Broken::Shards) => refuse("shards", Rule::Shards),
            Err(fault @ Broken::Client(_)) => Err(ConfigError::Inconsistent(fault.to_string())),
        }
    }

    /// A key without effect is an error, and so is a channel that was not built in.
    #[cfg(not(feature = "discord"))]
    fn obeys_discord(&self, section: &str, _account: &DiscordAccount) -> Result<(), ConfigError> {
        let allowed = Rule::LeftOutOfBuild { channel: "Discord" };
        Err(self.settings.refuse(&format!("{section}.token"), allowed))
    }
}

fn with_version(mut url: Url) -> Url {
    if url.path() == "/" {
        url.set_path(API_PATH);
    }
    url
}
