//! Who may come in: the configuration's lists, then what pairing added.

use sayso_channel::{ChannelName, Inbound, SenderKey};
use sayso_core::transcript::Role;
use sayso_store::people::AccountStanding;

/// Who may come in.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Operators.
    pub owners: Vec<AccountRule>,
    /// Members.
    pub allow: Vec<AccountRule>,
    /// Whether strangers may ask to come in.
    pub pairing: bool,
}

/// Accounts on a channel, or on every channel of a platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRule {
    /// The channel; a platform's bare name stands for all of its channels.
    pub channel: ChannelName,
    /// Who is meant there.
    pub accounts: Accounts,
}

/// Who is meant on a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accounts {
    /// This account.
    One(SenderKey),
    /// Every account that has this role of the platform where it speaks.
    Role(String),
    /// Everybody.
    Everybody,
}

/// An account with the roles it has at the time of the check.
#[derive(Debug, Clone, Copy)]
pub struct Account<'a> {
    /// The channel on which it speaks.
    pub channel: &'a ChannelName,
    /// The account.
    pub key: &'a SenderKey,
    /// The roles that the platform gives it there and now.
    pub roles: &'a [String],
}

/// What the door makes of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Comes in.
    Admitted(Role),
    /// Was turned away by an owner: hears nothing any more.
    Blocked,
    /// An unknown account.
    Stranger,
}

impl<'a> Account<'a> {
    /// Returns the account behind an event, with the roles that came with it.
    pub fn of(inbound: &'a Inbound) -> Self {
        Self {
            channel: &inbound.address.channel,
            key: &inbound.sender.key,
            roles: &inbound.sender.roles,
        }
    }
}

impl AccountRule {
    fn means(&self, account: Account<'_>) -> bool {
        let is_here =
            self.channel == *account.channel || self.channel.as_str() == account.channel.platform();
        is_here
            && match &self.accounts {
                Accounts::One(key) => key == account.key,
                Accounts::Role(role) => account.roles.contains(role),
                Accounts::Everybody => true,
            }
    }
}

impl Access {
    /// Returns whether a role of the platform admits accounts of a channel.
    pub fn admits_by_role(&self, channel: &ChannelName) -> bool {
        let mut rules = self.owners.iter().chain(&self.allow);
        rules.any(|rule| {
            let is_here = rule.channel == *channel || rule.channel.as_str() == channel.platform();
            is_here && matches!(rule.accounts, Accounts::Role(_))
        })
    }

    /// Judges an account by the configuration, and else by what pairing stored of it.
    pub fn standing(&self, account: Account<'_>, stored: Option<AccountStanding>) -> Standing {
        let listed = |rules: &[AccountRule]| rules.iter().any(|rule| rule.means(account));
        match stored {
            _ if listed(&self.owners) => Standing::Admitted(Role::Owner),
            Some(AccountStanding::Blocked) => Standing::Blocked,
            Some(AccountStanding::Owner) => Standing::Admitted(Role::Owner),
            Some(AccountStanding::Member) => Standing::Admitted(Role::Member),
            _ if listed(&self.allow) => Standing::Admitted(Role::Member),
            Some(AccountStanding::Guest) => Standing::Admitted(Role::Guest),
            Some(AccountStanding::Listed | AccountStanding::Pending) | None => Standing::Stranger,
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::Role;
    use sayso_store::people::AccountStanding;

    use super::{Access, Account, AccountRule, Accounts, Standing};

    const OWNER: Standing = Standing::Admitted(Role::Owner);
    const MEMBER: Standing = Standing::Admitted(Role::Member);

    fn one(channel: &str, key: &str) -> AccountRule {
        rule(channel, Accounts::One(key.into()))
    }

    fn rule(channel: &str, accounts: Accounts) -> AccountRule {
        AccountRule {
            channel: channel.into(),
            accounts,
        }
    }

    /// Returns what becomes of `channel:key`, of which pairing stored this, with these roles.
    fn standing(
        access: &Access,
        written: &str,
        stored: Option<AccountStanding>,
        roles: &[&str],
    ) -> Standing {
        let (channel, key) = written.split_once(':').unwrap();
        let roles: Vec<String> = roles.iter().map(|role| (*role).to_owned()).collect();
        let account = Account {
            channel: &channel.into(),
            key: &key.into(),
            roles: &roles,
        };
        access.standing(account, stored)
    }

    #[test]
    fn the_door_is_closed_unless_somebody_opened_it() {
        let access = Access {
            owners: vec![one("telegram", "1")],
            allow: vec![one("telegram", "2"), rule("terminal", Accounts::Everybody)],
            pairing: true,
        };
        let check = |written: &str, stored, expected| {
            assert_eq!(
                standing(&access, written, stored, &[]),
                expected,
                "{written}"
            );
        };
        check("telegram:1", None, OWNER);
        check("telegram:1", Some(AccountStanding::Blocked), OWNER);
        check("telegram:2", None, MEMBER);
        check(
            "telegram:2",
            Some(AccountStanding::Blocked),
            Standing::Blocked,
        );
        check("telegram:3", None, Standing::Stranger);
        check(
            "telegram:3",
            Some(AccountStanding::Pending),
            Standing::Stranger,
        );
        check("telegram:3", Some(AccountStanding::Member), MEMBER);
        check(
            "telegram:3",
            Some(AccountStanding::Guest),
            Standing::Admitted(Role::Guest),
        );
        // The configuration lets in further than an answer in chat.
        check("telegram:2", Some(AccountStanding::Guest), MEMBER);
        check("discord:1", None, Standing::Stranger);
        check("terminal:local", None, MEMBER);
        let empty = Access::default();
        let stranger = standing(&empty, "telegram:1", None, &[]);
        assert_eq!(stranger, Standing::Stranger);
    }

    #[test]
    fn a_platform_stands_for_its_bot_accounts_and_a_bot_account_for_itself() {
        let access = Access {
            owners: vec![one("telegram", "1"), one("discord.work", "2")],
            ..Access::default()
        };
        let check = |written: &str, expected| {
            assert_eq!(standing(&access, written, None, &[]), expected, "{written}");
        };
        check("telegram:1", OWNER);
        check("telegram.work:1", OWNER);
        check("telegrams:1", Standing::Stranger);
        check("discord.work:2", OWNER);
        check("discord.play:2", Standing::Stranger);
        check("discord:2", Standing::Stranger);
    }

    #[test]
    fn a_role_lets_in_as_long_as_the_platform_gives_it() {
        let access = Access {
            allow: vec![rule("discord", Accounts::Role("77".to_owned()))],
            ..Access::default()
        };
        let check = |written: &str, stored, roles: &[&str], expected| {
            let found = standing(&access, written, stored, roles);
            assert_eq!(found, expected, "{written} {stored:?} {roles:?}");
        };
        check("discord:5", None, &["77"], MEMBER);
        check("discord.work:5", None, &["1", "77"], MEMBER);
        // Known since it had the role, which is what `listed` stands for.
        check("discord:5", Some(AccountStanding::Listed), &["77"], MEMBER);
        check(
            "discord:5",
            Some(AccountStanding::Listed),
            &["1"],
            Standing::Stranger,
        );
        // In a direct chat nothing is known of roles.
        check(
            "discord:5",
            Some(AccountStanding::Listed),
            &[],
            Standing::Stranger,
        );
        check("discord:77", None, &["7"], Standing::Stranger);
        check("telegram:5", None, &["77"], Standing::Stranger);
        check(
            "discord:5",
            Some(AccountStanding::Blocked),
            &["77"],
            Standing::Blocked,
        );
    }

    #[test]
    fn a_role_of_one_bot_account_counts_there_only() {
        let access = Access {
            allow: vec![rule("discord.work", Accounts::Role("77".to_owned()))],
            ..Access::default()
        };
        assert_eq!(standing(&access, "discord.work:5", None, &["77"]), MEMBER);
        let elsewhere = standing(&access, "discord:5", None, &["77"]);
        assert_eq!(elsewhere, Standing::Stranger);
    }
}
