//! Accounts as `[access]` names them: `telegram:12345`, or `telegram:*` for everybody there.

use std::fmt;

use sayso_channel::{ChannelName, SenderKey};

/// The channels that accounts can be on.
const CHANNELS: &[&str] = &["telegram", "terminal"];

/// What may be written for one account.
pub(super) const ONE_ACCOUNT: &str = "accounts such as `telegram:12345` (the number, not the @name; `/whoami` tells it) or `terminal:NAME`";
/// What may be written for accounts that are let in.
pub(super) const ACCOUNTS: &str = "accounts such as `telegram:12345` (the number, not the @name), or `telegram:*` for everybody there";

/// Accounts on one channel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AccountPattern {
    /// This account.
    One(ChannelName, SenderKey),
    /// Every account of the channel.
    Everybody(ChannelName),
}

impl AccountPattern {
    /// Reads what `[access]` says; `None` when it names no account.
    pub fn parse(written: &str) -> Option<Self> {
        let (channel, sender) = written.split_once(':')?;
        if !CHANNELS.contains(&channel) {
            return None;
        }
        let name = ChannelName::from(channel);
        if sender == "*" {
            return Some(Self::Everybody(name));
        }
        let well_formed = match channel {
            "telegram" => !sender.is_empty() && sender.bytes().all(|byte| byte.is_ascii_digit()),
            _ => !sender.is_empty() && !sender.contains(char::is_whitespace),
        };
        well_formed.then(|| Self::One(name, SenderKey::from(sender)))
    }

    /// Returns whether an account is meant.
    pub fn matches(&self, channel: &ChannelName, sender: &SenderKey) -> bool {
        match self {
            Self::One(ours, one) => ours == channel && one == sender,
            Self::Everybody(ours) => ours == channel,
        }
    }
}

impl fmt::Display for AccountPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(channel, sender) => write!(f, "{channel}:{sender}"),
            Self::Everybody(channel) => write!(f, "{channel}:*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, channel: &str, sender: &str, expected: Option<bool>) {
        let pattern = AccountPattern::parse(written);
        let found = pattern.map(|pattern| pattern.matches(&channel.into(), &sender.into()));
        assert_eq!(found, expected, "{written:?} against {channel}:{sender}");
    }

    #[test]
    fn patterns_mean_the_accounts_that_they_name() {
        check("telegram:7", "telegram", "7", Some(true));
        check("telegram:7", "telegram", "77", Some(false));
        check("telegram:7", "terminal", "7", Some(false));
        check("telegram:*", "telegram", "7", Some(true));
        check("telegram:*", "terminal", "7", Some(false));
        check("terminal:mia", "terminal", "mia", Some(true));
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
            "icq:7",
            "terminal:",
        ] {
            check(written, "telegram", "7", None);
        }
    }
}
