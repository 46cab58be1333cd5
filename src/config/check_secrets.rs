//! `[secrets]`: what calls may use by a name, and where it may go.

use std::collections::BTreeMap;

use sayso_core::redact::KnownSecret;
use sayso_policy::{HostPattern, SecretRule, SecretRules};

use super::ConfigError;
use super::check::Check;
use super::checked::SecretConfig;
use super::several;
use super::written::SecretTable;

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
            return Err(ConfigError::Refused {
                origin: self.settings.section_origin(several::SECRETS),
                key: several::SECRETS.to_owned(),
                value: None,
                allowed: format!(
                    "at most {MAX_SECRETS} sections: each secret is {}",
                    several::ALLOWED_SECRET
                ),
            });
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
            return Err(ConfigError::Missing {
                origin: self.settings.section_origin(&format!("secrets.{name}")),
                key: key("value"),
                because: "a secret needs a value".to_owned(),
                hint: "write where it is kept, such as `value = \"env:GITHUB_TOKEN\"`".to_owned(),
            });
        };
        let value = self.secret(&key("value"), &written)?;
        if !KnownSecret::new("secret", value.clone()).can_be_hidden() {
            let allowed = "at least 6 bytes without NUL, and at least 16 where it is letters \
                           alone: anything shorter could not be told from ordinary words, and not \
                           be hidden";
            return Err(self.settings.refuse(&key("value"), allowed));
        }
        let purpose = table.purpose.filter(|purpose| !purpose.trim().is_empty());
        let is_line = |purpose: &String| {
            purpose.chars().count() <= MAX_PURPOSE_CHARS && !purpose.contains(char::is_control)
        };
        if !purpose.iter().all(is_line) {
            let allowed = format!("one line of at most {MAX_PURPOSE_CHARS} characters");
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
        let hosts = table
            .hosts
            .iter()
            .map(|text| HostPattern::parse(text).filter(HostPattern::names_one_host));
        let hosts: Option<Vec<HostPattern>> = hosts.collect();
        let hosts = hosts.ok_or_else(|| {
            let allowed = "single hosts, such as `[\"api.github.com\"]`, which get it over `https`; \
                           one with its port (`\"nas.local:5000\"`) gets it over `http` too";
            self.settings.refuse(&hosts_key, allowed)
        })?;
        if !table.commands.iter().all(|it| SecretRule::may_name(it)) {
            let allowed = "ordinary programs by their plain names, such as `[\"gh\"]`: no shell, no \
                           interpreter and nothing that starts other programs";
            let key = format!("secrets.{name}.commands");
            return Err(self.settings.refuse(&key, allowed));
        }
        Ok(SecretRule {
            hosts,
            commands: table.commands.clone(),
        })
    }
}
