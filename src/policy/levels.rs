//! The levels that the operator gave to single accounts.

use sayso_core::{ChannelName, SenderKey};

use super::autonomy_level::AutonomyLevel;

/// The level of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalLevel {
    /// The channel; a platform's bare name stands for all of its channels.
    pub channel: ChannelName,
    /// The account.
    pub account: SenderKey,
    /// How far the agent may go for it.
    pub level: AutonomyLevel,
}

impl PersonalLevel {
    fn means(&self, channel: &ChannelName, account: &SenderKey) -> bool {
        let is_here = self.channel == *channel || self.channel.as_str() == channel.platform();
        is_here && self.account == *account
    }
}

/// The levels of accounts that have one of their own; empty by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PersonalLevels(Vec<PersonalLevel>);

impl PersonalLevels {
    /// Returns the level of an account that has one of its own. Where two entries mean it, once by
    /// its platform and once by its channel, the stricter one holds.
    pub fn of(&self, channel: &ChannelName, account: &SenderKey) -> Option<AutonomyLevel> {
        let meant = self.0.iter().filter(|one| one.means(channel, account));
        meant.map(|one| one.level).min()
    }

    /// Returns the highest of them.
    pub fn highest(&self) -> Option<AutonomyLevel> {
        self.0.iter().map(|one| one.level).max()
    }

    /// Returns whether no account has one.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns them one by one.
    pub fn iter(&self) -> impl Iterator<Item = &PersonalLevel> {
        self.0.iter()
    }
}

impl FromIterator<PersonalLevel> for PersonalLevels {
    fn from_iter<I: IntoIterator<Item = PersonalLevel>>(levels: I) -> Self {
        Self(levels.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{PersonalLevel, PersonalLevels};
    use crate::AutonomyLevel::{self, Full, ReadOnly, Supervised};

    fn levels(entries: &[(&str, &str, AutonomyLevel)]) -> PersonalLevels {
        let entries = entries
            .iter()
            .map(|(channel, account, level)| PersonalLevel {
                channel: (*channel).into(),
                account: (*account).into(),
                level: *level,
            });
        entries.collect()
    }

    #[test]
    fn an_account_has_the_level_of_its_entry_and_of_no_other() {
        let levels = levels(&[
            ("telegram", "1", ReadOnly),
            ("discord.work", "2", Full),
            ("discord", "3", Full),
            ("discord.work", "3", Supervised),
        ]);
        let check = |channel: &str, account: &str, expected| {
            let found = levels.of(&channel.into(), &account.into());
            assert_eq!(found, expected, "{channel}:{account}");
        };
        check("telegram", "1", Some(ReadOnly));
        check("telegram.work", "1", Some(ReadOnly));
        check("telegrams", "1", None);
        check("discord", "1", None);
        check("discord.work", "2", Some(Full));
        check("discord", "2", None);
        check("discord", "3", Some(Full));
        check("discord.work", "3", Some(Supervised));
        assert_eq!(levels.highest(), Some(Full));
        assert_eq!(PersonalLevels::default().highest(), None);
    }
}
