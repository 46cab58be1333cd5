//! `[secrets]`: what calls may use by a name, and where it may go.

use std::collections::BTreeMap;

use sayso_core::redact::KnownSecret;
use sayso_policy::{HostPattern, SecretRule, SecretRules};

use super::ConfigError;
use super::check::Check;
use super::checked::SecretConfig;
use super::error::Fault;
use super::keys::SecretTable;
use super::messages::{Hint, Reason, Rule};
use super::several;

/// The maximum number of secrets: each is listed in the prompt.
const MAX_SECRETS: usize = 32;
/// The longest purpose, in characters: it is part of the prompt.
const MAX_PURPOSE_CHARS: usize = 200;

impl Check<'_> {
    /// Checks all secrets. Returns them, and the rules for where each may go.
    pub(super) fn secrets(
        &self,
        tables: BTreeMap<String, SecretTable>,
    ) -> Result<(Vec<SecretConfig>, SecretRules), ConfigError> {
        let is_named = |name: &String| name != several::PLAIN && !name.contains('-');
        if !tables.keys().all(is_named) || tables.len() > MAX_SECRETS {
            let origin = self.settings.section_origin(several::SECRETS);
            let fault = Fault::Refused {
                value: None,
                allowed: Rule::SecretSections { most: MAX_SECRETS },
                hint: None,
            };
            return Err(ConfigError::of_key(origin, several::SECRETS, fault));
        }
        let mut secrets = Vec::with_capacity(tables.len());
        let mut rules = SecretRules::default();
        for (name, table) in tables {
            rules.add(name.clone(), self.secret_rule(&name, &table)?);
            secrets.push(self.one_secret(name, table)?);
        }
        Ok((secrets, rules))
    }

    fn one_secret(&self, name: String, table: SecretTable) -> Result<SecretConfig, ConfigError> {
        let key = |field: &str| format!("secrets.{name}.{field}");
        let Some(written) = table.value else {
            let section = format!("secrets.{name}");
            let (because, hint) = (Reason::NeedsValue, Hint::SecretValue);
            return Err(self.settings.missing(&section, "value", because, hint));
        };
        let value = self.secret(&key("value"), &written)?;
        if !KnownSecret::new("secret", value.clone()).can_be_hidden() {
            return Err(self.settings.refuse(&key("value"), Rule::LongSecret));
        }
        let purpose = table.purpose.filter(|purpose| !purpose.trim().is_empty());
        let is_line = |purpose: &String| {
            purpose.chars().count() <= MAX_PURPOSE_CHARS && !purpose.contains(char::is_control)
        };
        if !purpose.iter().all(is_line) {
            let allowed = Rule::Line {
                most: MAX_PURPOSE_CHARS,
            };
            return Err(self.settings.refuse(&key("purpose"), allowed));
        }
        Ok(SecretConfig {
            name,
            purpose,
            value,
        })
    }

    fn secret_rule(&self, name: &str, table: &SecretTable) -> Result<SecretRule, ConfigError> {
        let hosts_key = format!("secrets.{name}.hosts");
        let patterns: Option<Vec<HostPattern>> = table
            .hosts
            .iter()
            .map(|text| HostPattern::parse(text).filter(HostPattern::names_one_host))
            .collect();
        let hosts = patterns.ok_or_else(|| self.settings.refuse(&hosts_key, Rule::SecretHosts))?;
        if !table.commands.iter().all(|it| SecretRule::may_name(it)) {
            let key = format!("secrets.{name}.commands");
            return Err(self.settings.refuse(&key, Rule::OrdinaryPrograms));
        }
        Ok(SecretRule {
            hosts,
            commands: table.commands.clone(),
        })
    }
}
