//! Who we are on Discord, and what a look at the account tells `doctor`.

use sayso_channel::{BotAccount, BotLink, ChannelError};
use serde::Deserialize;
use serenity::model::Permissions;
use serenity::model::id::{ApplicationId, UserId};

use crate::rest::{CallError, Request, Rest};
use crate::{DiscordConfig, refusal};

/// The flags of an application that hears what is said without naming it: granted to a verified
/// one, or switched on for a small one
/// (<https://docs.discord.com/developers/resources/application#application-object-application-flags>).
const MESSAGE_CONTENT: u64 = 1 << 18 | 1 << 19;

/// The bot account behind a token, as Discord describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The account that speaks.
    pub id: u64,
    /// The application that it belongs to; commands and invitations name it.
    pub application: u64,
    /// The name that people see.
    pub name: String,
    /// Whether the bot may read messages that do not name it: the Message Content intent is on.
    pub reads_messages: bool,
    /// In about how many servers the bot is, where Discord says it.
    pub servers: Option<u64>,
}

#[derive(Deserialize)]
struct Account {
    id: UserId,
    username: String,
}

#[derive(Deserialize)]
struct Application {
    id: ApplicationId,
    #[serde(default)]
    flags: u64,
    approximate_guild_count: Option<u64>,
}

impl Identity {
    /// Asks Discord who the token belongs to.
    pub(crate) async fn ask(rest: &Rest) -> Result<Self, CallError> {
        let account: Account = rest.call(Request::get("/users/@me")).await?;
        let application: Application = rest.call(Request::get("/applications/@me")).await?;
        Ok(Self {
            id: account.id.get(),
            application: application.id.get(),
            name: account.username,
            reads_messages: application.flags & MESSAGE_CONTENT != 0,
            servers: application.approximate_guild_count,
        })
    }

    /// Returns how people find the bot.
    pub(crate) fn account(&self) -> BotAccount {
        BotAccount {
            name: self.name.clone(),
            link: BotLink::Invite(self.invite_link()),
        }
    }

    /// Returns the link by which an administrator adds the bot to a server, with the permissions
    /// that it uses and no other.
    pub fn invite_link(&self) -> String {
        format!(
            "https://discord.com/oauth2/authorize?client_id={}&scope=bot+applications.commands&permissions={}",
            self.application,
            permissions().bits()
        )
    }
}

/// Returns what the bot does in a server.
fn permissions() -> Permissions {
    Permissions::VIEW_CHANNEL
        | Permissions::SEND_MESSAGES
        | Permissions::SEND_MESSAGES_IN_THREADS
        | Permissions::CREATE_PUBLIC_THREADS
        | Permissions::EMBED_LINKS
        | Permissions::ATTACH_FILES
        | Permissions::READ_MESSAGE_HISTORY
}

/// Asks Discord who the token belongs to. Nothing is changed by it.
pub async fn check(config: &DiscordConfig) -> Result<Identity, ChannelError> {
    let rest = Rest::new(config).map_err(|error| ChannelError::Rejected(error.to_string()))?;
    Identity::ask(&rest).await.map_err(refusal::of_repeatable)
}

#[cfg(test)]
mod tests {
    use super::Identity;

    #[test]
    fn invitation_asks_for_what_the_bot_does() {
        let identity = Identity {
            id: 1,
            application: 42,
            name: "sayso".to_owned(),
            reads_messages: false,
            servers: None,
        };
        assert_eq!(
            identity.invite_link(),
            "https://discord.com/oauth2/authorize?client_id=42&scope=bot+applications.commands&permissions=309237763072"
        );
    }
}
