//! Who may come in: the configuration's lists, then what pairing added.

use sayso_channel::{ChannelName, SenderKey};

use crate::transcript::Role;

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

/// An account, or all accounts of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRule {
    /// The channel.
    pub channel: ChannelName,
    /// The account; `None` is everybody there.
    pub sender: Option<SenderKey>,
}

/// What the door makes of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Comes in.
    Admitted(Role),
    /// Was turned away by an owner: hears nothing any more.
    Blocked,
    /// Nobody knows them.
    Stranger,
}

impl Access {
    /// Judges a sender by the configuration, and else by what pairing stored of them.
    pub fn standing(
        &self,
        channel: &ChannelName,
        sender: &SenderKey,
        stored: Option<&str>,
    ) -> Standing {
        let listed = |rules: &[AccountRule]| {
            rules.iter().any(|rule| {
                rule.channel == *channel && rule.sender.as_ref().is_none_or(|known| known == sender)
            })
        };
        match stored {
            _ if listed(&self.owners) => Standing::Admitted(Role::Owner),
            Some("blocked") => Standing::Blocked,
            Some("owner") => Standing::Admitted(Role::Owner),
            Some("member") => Standing::Admitted(Role::Member),
            _ if listed(&self.allow) => Standing::Admitted(Role::Member),
            _ => Standing::Stranger,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, AccountRule, Standing};
    use crate::transcript::Role;

    fn rule(channel: &str, sender: Option<&str>) -> AccountRule {
        AccountRule {
            channel: channel.into(),
            sender: sender.map(Into::into),
        }
    }

    #[test]
    fn the_door_is_closed_unless_somebody_opened_it() {
        let access = Access {
            owners: vec![rule("telegram", Some("1"))],
            allow: vec![rule("telegram", Some("2")), rule("terminal", None)],
            pairing: true,
        };
        let check = |channel: &str, sender: &str, stored, expected| {
            assert_eq!(
                access.standing(&channel.into(), &sender.into(), stored),
                expected
            );
        };
        check("telegram", "1", None, Standing::Admitted(Role::Owner));
        check(
            "telegram",
            "1",
            Some("blocked"),
            Standing::Admitted(Role::Owner),
        );
        check("telegram", "2", None, Standing::Admitted(Role::Member));
        check("telegram", "2", Some("blocked"), Standing::Blocked);
        check("telegram", "3", None, Standing::Stranger);
        check("telegram", "3", Some("pending"), Standing::Stranger);
        check(
            "telegram",
            "3",
            Some("member"),
            Standing::Admitted(Role::Member),
        );
        check("discord", "1", None, Standing::Stranger);
        check("terminal", "local", None, Standing::Admitted(Role::Member));
        let empty = Access::default();
        assert_eq!(
            empty.standing(&"telegram".into(), &"1".into(), None),
            Standing::Stranger
        );
    }
}
