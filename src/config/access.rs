//! `[access]`: who is let in, and how much each may send.

use std::num::NonZeroU32;

use sayso_policy::{PersonalLevel, PersonalLevels};

use super::ConfigError;
use super::account::{self, AccountPattern};
use super::keys::AccessTable;
use super::messages::Rule;
use super::settings::Settings;

/// Who is let in. Empty lists admit no one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessConfig {
    /// Operators; each names one account.
    pub owners: Vec<AccountPattern>,
    /// Members.
    pub allow: Vec<AccountPattern>,
    /// Whether strangers may ask to be let in.
    pub pairing: bool,
    /// How many messages of one user are taken in a minute.
    pub messages_per_minute: NonZeroU32,
    /// How many commands of one user are taken in a minute.
    pub commands_per_minute: NonZeroU32,
}

impl AccessConfig {
    /// Checks what was written; `settings` knows where.
    pub(super) fn of(table: &AccessTable, settings: &Settings) -> Result<Self, ConfigError> {
        let owners = accounts("access.owners", &table.owners, Rule::Owners, settings)?;
        // Who is let in through a role may use us; who decides is named by the operator alone.
        let is_one = |owner: &AccountPattern| matches!(owner, AccountPattern::One(..));
        if !owners.iter().all(is_one) {
            return Err(settings.refuse("access.owners", Rule::Owners));
        }
        Ok(Self {
            owners,
            allow: accounts("access.allow", &table.allow, Rule::Accounts, settings)?,
            pairing: table.pairing,
            messages_per_minute: table.messages_per_minute,
            commands_per_minute: table.commands_per_minute,
        })
    }
}

/// Reads the levels of single accounts.
pub(super) fn levels(
    written: &[String],
    settings: &Settings,
) -> Result<PersonalLevels, ConfigError> {
    let refused = || settings.refuse("access.autonomy", Rule::Levels);
    let mut levels: Vec<PersonalLevel> = Vec::new();
    for entry in written {
        let level = account::level(entry).ok_or_else(refused)?;
        let is_same = |earlier: &PersonalLevel| {
            earlier.channel == level.channel && earlier.account == level.account
        };
        if levels.iter().any(is_same) {
            return Err(refused());
        }
        levels.push(level);
    }
    Ok(levels.into_iter().collect())
}

fn accounts(
    key: &str,
    written: &[String],
    allowed: Rule,
    settings: &Settings,
) -> Result<Vec<AccountPattern>, ConfigError> {
    written
        .iter()
        .map(|account| AccountPattern::parse(account))
        .collect::<Option<_>>()
        .ok_or_else(|| settings.refuse(key, allowed))
}
