//! What can be wrong with an account at Discord.

#[cfg(feature = "discord")]
use sayso_channel::ChannelError;
use sayso_channel::Language;

use super::Finding;
#[cfg(feature = "discord")]
use super::{causes, label, messages};
use crate::config::DiscordAccount;

/// Asks Discord who we are, what we may read, and where we are.
#[cfg(feature = "discord")]
pub(in crate::cli) async fn discord(account: &DiscordAccount, language: Language) -> Vec<Finding> {
    let who = label("Discord", &account.name);
    match sayso_discord::check(&account.to_channel()).await {
        Ok(identity) => findings(&who, &identity, language),
        Err(error) => vec![Finding::Problem {
            what: messages::platform_fails(language, &who, &causes::channel(&error, language)),
            fix: fix(&error, account, language),
        }],
    }
}

/// Without Discord in this build no account can be configured.
#[cfg(not(feature = "discord"))]
pub(in crate::cli) async fn discord(
    _account: &DiscordAccount,
    _language: Language,
) -> Vec<Finding> {
    Vec::new()
}

#[cfg(feature = "discord")]
fn findings(who: &str, identity: &sayso_discord::Identity, language: Language) -> Vec<Finding> {
    let link = identity.invite_link();
    let reading = if identity.reads_messages {
        messages::reads_messages(language, &who)
    } else {
        messages::reads_what_names_it(language, &who)
    };
    let servers = match identity.servers {
        Some(0) => Finding::Problem {
            what: messages::in_no_server(language, &who),
            fix: messages::invite(language, &link),
        },
        Some(servers) => Finding::Fine(messages::in_servers(language, &who, &servers, &link)),
        None => Finding::Fine(messages::invite_elsewhere(language, &who, &link)),
    };
    vec![
        Finding::Fine(messages::discord_answers(language, &who, &identity.name)),
        Finding::Fine(reading),
        servers,
    ]
}

#[cfg(feature = "discord")]
fn fix(error: &ChannelError, account: &DiscordAccount, language: Language) -> String {
    match error {
        ChannelError::Unauthorized(_) => messages::reset_the_token(language, &account.name),
        ChannelError::RetryAfter(_) => messages::wait_and_retry(language),
        ChannelError::Unreachable(_)
        | ChannelError::Ambiguous(_)
        | ChannelError::TooLong
        | ChannelError::Moved(_)
        | ChannelError::ThreadGone(_)
        | ChannelError::Rejected(_) => {
            messages::check_api_url(language, &account.name, &account.api_url)
        }
    }
}

#[cfg(all(test, feature = "discord"))]
mod tests {
    use sayso_discord::Identity;

    use super::*;

    fn told(identity: &Identity) -> String {
        let findings = findings("Discord", identity, Language::English);
        let lines: Vec<_> = findings
            .iter()
            .map(|finding| finding.in_words(Language::English))
            .collect();
        let link = identity.invite_link();
        lines.join("\n").replace(&link, "LINK")
    }

    fn identity() -> Identity {
        Identity {
            id: 1,
            application: 42,
            name: "sayso".to_owned(),
            reads_messages: false,
            servers: Some(0),
        }
    }

    #[test]
    fn new_bot_is_told_what_it_lacks() {
        insta::assert_snapshot!(told(&identity()), @r"
        ok  Discord: the token belongs to sayso
        ok  Discord: the Message Content intent is off, so in servers it hears only messages that mention it or reply to it; direct messages and commands it hears anyway.
            To let it see what was said in between: Developer Portal, your application, Bot, switch on Message Content Intent, and restart Sayso.
        !!  Discord: the bot is in no server yet, so no user can reach it
            fix: open this link and choose a server of yours: LINK
        ");
    }

    #[test]
    fn settled_bot_lacks_nothing() {
        let settled = Identity {
            reads_messages: true,
            servers: Some(3),
            ..identity()
        };
        insta::assert_snapshot!(told(&settled), @r"
        ok  Discord: the token belongs to sayso
        ok  Discord: the Message Content intent is on, so in servers it sees what was said in between; it answers only when addressed
        ok  Discord: the bot is in about 3 servers; this link adds it to another: LINK
        ");
    }
}
