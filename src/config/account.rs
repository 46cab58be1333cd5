//! Accounts as `[access]` names them: `telegram:12345`, `discord:role:67890`, or `telegram:*` for
//! everybody there.
//!
//! What stands before the colon is a platform, and means every bot account that we have there, or
//! the name of one bot account: `telegram.work`.

use std::fmt;

use sayso_channel::{ChannelName, SenderKey};
use sayso_policy::{AutonomyLevel, PersonalLevel};

/// How the accounts of a platform are written.
struct Platform {
    name: &'static str,
    /// Whether its accounts are numbers.
    has_numbers: bool,
    /// Whether Sayso may use several bot accounts, which are distinguished by names after a dot.
    has_bot_accounts: bool,
    /// Whether it gives roles to accounts.
    has_roles: bool,
}

const PLATFORMS: [Platform; 3] = [
    Platform {
        name: "telegram",
        has_numbers: true,
        has_bot_accounts: true,
        has_roles: false,
    },
    Platform {
        name: "discord",
        has_numbers: true,
        has_bot_accounts: true,
        has_roles: true,
    },
    Platform {
        name: "terminal",
        has_numbers: false,
        has_bot_accounts: false,
        has_roles: false,
    },
];

/// Accounts on one channel, or on every channel of a platform.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AccountPattern {
    /// This account.
    One(ChannelName, SenderKey),
    /// Every account with this role of the platform; the role's key.
    Role(ChannelName, String),
    /// Every account of the channel.
    Everybody(ChannelName),
}

impl AccountPattern {
    /// Reads what `[access]` says; `None` when it names no account.
    pub fn parse(written: &str) -> Option<Self> {
        let (channel, who) = written.split_once(':')?;
        let platform = platform_of(channel)?;
        let name = ChannelName::from(channel);
        if who == "*" {
            return Some(Self::Everybody(name));
        }
        if let Some(role) = who.strip_prefix("role:") {
            let well_formed = platform.has_roles && is_number(role);
            return well_formed.then(|| Self::Role(name, role.to_owned()));
        }
        let well_formed = if platform.has_numbers {
            is_number(who)
        } else {
            !who.is_empty() && !who.contains(char::is_whitespace)
        };
        well_formed.then(|| Self::One(name, SenderKey::from(who)))
    }
}

/// Reads `ACCOUNT=LEVEL`; `None` when it names no single account, or no level.
pub(super) fn level(written: &str) -> Option<PersonalLevel> {
    // The name of an account may have a `=`, and a level has none.
    let (account, level) = written.rsplit_once('=')?;
    let AccountPattern::One(channel, account) = AccountPattern::parse(account.trim())? else {
        return None;
    };
    Some(PersonalLevel {
        channel,
        account,
        level: AutonomyLevel::named(level.trim())?,
    })
}

/// Returns the platform that a channel is on; `None` when no channel can have this name.
fn platform_of(channel: &str) -> Option<&'static Platform> {
    let (platform, account) = match channel.split_once('.') {
        Some((platform, account)) => (platform, Some(account)),
        None => (channel, None),
    };
    let found = PLATFORMS.iter().find(|known| known.name == platform)?;
    let well_formed = account.is_none_or(|account| {
        found.has_bot_accounts
            && !account.is_empty()
            && account
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    });
    well_formed.then_some(found)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for AccountPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(channel, sender) => write!(f, "{channel}:{sender}"),
            Self::Role(channel, role) => write!(f, "{channel}:role:{role}"),
            Self::Everybody(channel) => write!(f, "{channel}:*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, expected: Option<AccountPattern>) {
        assert_eq!(AccountPattern::parse(written), expected, "{written:?}");
        if let Some(pattern) = expected {
            assert_eq!(pattern.to_string(), written);
        }
    }

    fn one(channel: &str, sender: &str) -> AccountPattern {
        AccountPattern::One(channel.into(), sender.into())
    }

    fn role(channel: &str, role: &str) -> AccountPattern {
        AccountPattern::Role(channel.into(), role.to_owned())
    }

    fn everybody(channel: &str) -> AccountPattern {
        AccountPattern::Everybody(channel.into())
    }

    #[test]
    fn patterns_name_accounts_roles_and_channels() {
        check("telegram:7", Some(one("telegram", "7")));
        check("telegram.work:7", Some(one("telegram.work", "7")));
        check("discord:7", Some(one("discord", "7")));
        check("discord.my-team_2:7", Some(one("discord.my-team_2", "7")));
        check("discord:role:7", Some(role("discord", "7")));
        check("discord.work:role:7", Some(role("discord.work", "7")));
        check("telegram:*", Some(everybody("telegram")));
        check("discord.work:*", Some(everybody("discord.work")));
        check("terminal:mia", Some(one("terminal", "mia")));
    }

    #[test]
    fn a_level_is_that_of_one_account() {
        let of_mia = |channel: &str, account: &str, level| PersonalLevel {
            channel: channel.into(),
            account: account.into(),
            level,
        };
        for (written, expected) in [
            (
                "telegram:7=full",
                of_mia("telegram", "7", AutonomyLevel::Full),
            ),
            (
                "discord.work:7 = read_only",
                of_mia("discord.work", "7", AutonomyLevel::ReadOnly),
            ),
            (
                "terminal:a=b=supervised",
                of_mia("terminal", "a=b", AutonomyLevel::Supervised),
            ),
        ] {
            assert_eq!(level(written), Some(expected), "{written}");
        }
        for written in [
            "",
            "full",
            "telegram:7",
            "telegram:7=",
            "telegram:7=reckless",
            "telegram:7=Full",
            "telegram:*=full",
            "discord:role:7=full",
            "telegram:@mia=full",
            "=full",
        ] {
            assert_eq!(level(written), None, "{written}");
        }
    }

    #[test]
    fn what_names_no_account_is_refused() {
        for written in [
            "",
            "*",
            "7",
            "telegram",
            "telegram:",
            "telegram:@mia",
            "telegram:-5",
            "telegram:role:7",
            "telegram.:7",
            "telegram.a b:7",
            "telegram.a.b:7",
            "discord:mia#1234",
            "discord:role:",
            "discord:role:*",
            "discord:role:admins",
            "icq:7",
            ".work:7",
            "terminal:",
            "terminal.work:mia",
        ] {
            check(written, None);
        }
    }
}
