//! From [`ConfigFile`] to [`Config`]: everything that takes more than a type and a range to check.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use sayso_channel::{ChannelName, Language};
use sayso_core::redact::LateSecrets;
use sayso_policy::commands::OperatorRules;
use sayso_policy::{Confinement, Enforced, MemberRules, SandboxMode, SecurityPolicy};
use secrecy::{ExposeSecret, SecretString};

use super::access::{self, AccessConfig};
use super::checked::{
    AgentConfig, ChannelConfigs, ChecksConfig, Config, LearningConfig, RetentionConfig,
    TerminalAccount, ToolConfig,
};
use super::error::Origin;
use super::keys::{
    AgentTable, ChannelsTable, ChecksTable, ConfigFile, LearningTable, MemoryTable, PolicyTable,
    RetentionTable, ToolsTable, WrittenLanguage, WrittenNote,
};
use super::messages::{Hint, Reason, Rule};
use super::path::expand_home;
use super::settings::Settings;
use super::{ConfigError, Environment, secret, several};

/// Checks what was written, with the places where it was written at hand.
pub(super) struct Check<'a> {
    /// Where each key was written.
    pub(super) settings: &'a Settings,
    /// Where secrets and the home directory are found.
    pub(super) environment: &'a Environment,
}

impl Check<'_> {
    /// Returns the checked configuration, without the name of its file.
    pub(super) fn config(&self, file: ConfigFile) -> Result<Config, ConfigError> {
        let data_dir = self.data_dir(&file.data_dir)?;
        let web_search = self.web_search(&file.tools.web_search)?;
        let hosts = self.hosts(&file.policy, &file.tools, web_search.as_ref())?;
        let providers = self.providers(file.providers)?;
        let retention = retention(&file.memory, &file.retention);
        let embedder = self.embedder(file.memory.embedder)?;
        let (secrets, secret_rules) = self.secrets(file.secrets)?;
        let (mcp, mcp_rules) = self.mcp(file.mcp)?;
        let projects = self.projects(file.projects, &data_dir)?;
        let store_path = data_dir.join(self.store_name(&file.store.url)?);
        let members = member_rules(&file.policy);
        Ok(Config {
            file: None,
            data_dir,
            store_path,
            language: spoken(&file.language),
            channels: self.channels(&file.channels)?,
            access: AccessConfig::of(&file.access, self.settings)?,
            budget: self.budget(&file.budget, &file.prices, &providers, embedder.as_ref())?,
            providers,
            agent: agent(&file.agent),
            policy: SecurityPolicy {
                allow_commands: self.allow_commands(file.policy.allow_commands)?,
                allow_network: file.policy.allow_network,
                confirm_write: file.policy.confirm_write,
                confirm_exec: file.policy.confirm_exec,
                sandboxed_commands: file.policy.sandboxed_commands,
                members,
                rules: self.rules(file.policy.rules.as_deref())?,
                autonomy: file.agent.autonomy,
                levels: access::levels(&file.access.autonomy, self.settings)?,
                confinement: confinement(file.policy.sandbox),
                hosts,
                secrets: secret_rules,
                mcp: mcp_rules,
            },
            approval_expires: Duration::from_secs(file.policy.approval_expires_secs),
            tools: tools(&file.tools),
            web_search,
            secrets,
            projects,
            checks: checks(&file.checks),
            mcp,
            retention,
            learning: learning(&file.memory.learning),
            routines: self.routines(&file.routines)?,
            embedder,
            http_listen: self.http_listen(file.http.listen.as_deref())?,
            secret_files: self.secret_files(),
            log_level: file.log.level,
            log_format: file.log.format,
            traces: self.traces(file.log.traces.as_deref())?,
            known_secrets: Vec::new(),
            late_secrets: LateSecrets::default(),
            changed: Vec::new(),
            written: Arc::default(),
        })
    }

    fn channels(&self, channels: &ChannelsTable) -> Result<ChannelConfigs, ConfigError> {
        let telegram = self.accounts_of("telegram", &channels.telegram, Self::telegram)?;
        let discord = self.accounts_of("discord", &channels.discord, Self::discord)?;
        self.tokens_differ(
            telegram
                .iter()
                .map(|account| (&account.name, &account.token)),
        )?;
        self.tokens_differ(
            discord
                .iter()
                .map(|account| (&account.name, &account.token)),
        )?;
        Ok(ChannelConfigs {
            telegram,
            discord,
            terminal: channels.terminal.as_ref().map(|_| TerminalAccount),
        })
    }

    /// Checks the accounts of a platform, each with the section that it stands in.
    fn accounts_of<Table, Account>(
        &self,
        platform: &str,
        tables: &BTreeMap<String, Table>,
        check: impl Fn(&Self, &str, &Table) -> Result<Account, ConfigError>,
    ) -> Result<Vec<Account>, ConfigError> {
        tables
            .iter()
            .map(|(account, table)| check(self, &several::section_of(platform, account), table))
            .collect()
    }

    /// Two channels with one token would take each other's messages.
    fn tokens_differ<'t>(
        &self,
        tokens: impl Iterator<Item = (&'t ChannelName, &'t SecretString)>,
    ) -> Result<(), ConfigError> {
        let mut earlier: Vec<(&ChannelName, &SecretString)> = Vec::new();
        for (name, token) in tokens {
            let same = |(_, other): &&(&ChannelName, &SecretString)| {
                other.expose_secret() == token.expose_secret()
            };
            if let Some((other, _)) = earlier.iter().find(same) {
                let other = other.to_string();
                return Err(self.settings.refuse(
                    &format!("channels.{name}.token"),
                    Rule::OtherToken { other },
                ));
            }
            earlier.push((name, token));
        }
        Ok(())
    }

    fn traces(&self, written: Option<&str>) -> Result<Option<Url>, ConfigError> {
        let parse = |address: &str| self.url("log.traces", address);
        written.map(parse).transpose()
    }

    fn http_listen(&self, written: Option<&str>) -> Result<Option<SocketAddr>, ConfigError> {
        let example = "127.0.0.1:8484";
        let parse = |address: &str| {
            address.parse().map_err(|_| {
                self.settings
                    .refuse("http.listen", Rule::SocketAddress { example })
            })
        };
        written.map(parse).transpose()
    }

    fn data_dir(&self, written: &str) -> Result<PathBuf, ConfigError> {
        let refused = || self.settings.refuse("data_dir", Rule::Directory);
        if written.trim().is_empty() {
            return Err(refused());
        }
        let path = expand_home(written, self.environment).ok_or_else(refused)?;
        std::path::absolute(path).map_err(|_| refused())
    }

    fn store_name<'u>(&self, url: &'u str) -> Result<&'u str, ConfigError> {
        let allowed = if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            Rule::NotPostgres
        } else {
            Rule::Database
        };
        let well_formed = |name: &&str| {
            !name.is_empty() && !name.contains(['/', '\\', '?', '\0']) && !name.starts_with('.')
        };
        url.strip_prefix("sqlite:")
            .filter(well_formed)
            .ok_or_else(|| self.settings.refuse("store.url", allowed))
    }

    /// Reads the operator's rules. A relative path starts at the configuration file.
    fn rules(&self, written: Option<&str>) -> Result<OperatorRules, ConfigError> {
        let Some(written) = written.filter(|written| !written.trim().is_empty()) else {
            return Ok(OperatorRules::default());
        };
        let refused = |allowed| self.settings.refuse("policy.rules", allowed);
        let path = expand_home(written, self.environment)
            .ok_or_else(|| refused(Rule::RulesWithoutHome))?;
        let path = match self.settings.origin("policy.rules") {
            Origin::File { path: file, .. } => file.parent().unwrap_or(Path::new("")).join(path),
            Origin::Variable(_) | Origin::Chat | Origin::Default => path,
        };
        let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
            ErrorKind::IsADirectory => refused(Rule::RulesInDirectory),
            _ => refused(Rule::RulesUnreadable {
                error: error.to_string(),
            }),
        })?;
        OperatorRules::load(&text).map_err(|error| {
            refused(Rule::RulesBroken {
                error: error.to_string(),
            })
        })
    }

    fn allow_commands(&self, written: Vec<String>) -> Result<Vec<String>, ConfigError> {
        let is_program = |word: &String| {
            !word.is_empty()
                && !word.contains(|letter: char| letter.is_whitespace() || letter == '/')
        };
        if written.iter().all(is_program) {
            return Ok(written);
        }
        Err(self
            .settings
            .refuse("policy.allow_commands", Rule::Programs))
    }

    pub(super) fn url(&self, key: &str, written: &str) -> Result<Url, ConfigError> {
        Url::parse(written)
            .ok()
            .filter(|url| {
                matches!(url.scheme(), "http" | "https")
                    && url.has_host()
                    && url.username().is_empty()
                    && url.password().is_none()
            })
            .ok_or_else(|| self.settings.refuse(key, Rule::Address))
    }

    /// Returns the token of a bot account; an account without one is of no use.
    pub(super) fn account_token(
        &self,
        section: &str,
        written: Option<&str>,
        hint: Hint,
    ) -> Result<SecretString, ConfigError> {
        if let Some(written) = written {
            return self.secret(&format!("{section}.token"), written);
        }
        let because = Reason::IsConfigured {
            section: section.to_owned(),
        };
        Err(self.settings.missing(section, "token", because, hint))
    }

    /// Returns the files that secrets were read from.
    fn secret_files(&self) -> Vec<PathBuf> {
        let written = self.settings.secrets();
        written
            .filter_map(|text| secret::file(text, self.environment))
            .collect()
    }

    pub(super) fn secret(&self, key: &str, written: &str) -> Result<SecretString, ConfigError> {
        if written.is_empty() {
            return Err(self.settings.refuse(key, Rule::Secret));
        }
        secret::resolve(key, written, &self.settings.origin(key), self.environment)
    }
}

/// Returns the channel of an account's section: `telegram.work` for `channels.telegram.work`.
pub(super) fn channel_of(section: &str) -> ChannelName {
    ChannelName::from(section.strip_prefix("channels.").unwrap_or(section))
}

/// Returns a number of days as a time; 0 is for ever.
fn days(days: u64) -> Option<Duration> {
    (days > 0).then(|| Duration::from_hours(24 * days))
}

fn checks(table: &ChecksTable) -> ChecksConfig {
    ChecksConfig {
        when: table.when,
        max_corrections: table.max_corrections,
        timeout: Duration::from_secs(table.timeout_secs),
        budget: Duration::from_secs(table.budget_secs),
    }
}

fn tools(table: &ToolsTable) -> ToolConfig {
    ToolConfig {
        shell_timeout: Duration::from_secs(table.shell_timeout_secs),
        background_timeout: Some(Duration::from_secs(table.background_timeout_secs))
            .filter(|timeout| !timeout.is_zero()),
        max_file_read_bytes: table.max_file_read_bytes,
        max_output_bytes: table.max_output_bytes,
        fetch_timeout: Duration::from_secs(table.fetch_timeout_secs),
        max_fetch_bytes: table.max_fetch_bytes,
        max_inbox_files: table.max_inbox_files,
        max_inbox_bytes: table.max_inbox_bytes,
    }
}

fn member_rules(policy: &PolicyTable) -> MemberRules {
    MemberRules {
        system: policy.members_system,
        network: policy.members_network,
    }
}

/// What the kernel does of it is found out at the start.
fn confinement(mode: SandboxMode) -> Confinement {
    Confinement {
        mode,
        enforced: Enforced::Nothing,
    }
}

fn agent(table: &AgentTable) -> AgentConfig {
    AgentConfig {
        routing: table.routing,
        parallel_prompt_tokens: table.parallel_prompt_tokens,
        routing_messages: table.routing_messages,
        planning: table.planning,
        plan_approval: table.plan_approval,
        map_tokens: table.map_tokens,
        max_steps: table.max_steps,
        turn_timeout: Duration::from_secs(table.turn_timeout_secs),
        while_busy: table.while_busy,
        history_messages: table.history_messages,
        concurrent_turns: table.concurrent_turns,
    }
}

fn retention(table: &MemoryTable, beside: &RetentionTable) -> RetentionConfig {
    RetentionConfig {
        episodes: days(table.keep_episodes_days),
        learned: days(table.keep_learned_days),
        told: days(table.keep_told_days),
        lines: days(table.keep_lines_days),
        fades: days(table.fade_after_days),
        fades_below: table.fade_below_confidence,
        turns: days(beside.turns_days),
        messages: Duration::from_hours(24 * beside.messages_days),
    }
}

/// Returns the language for people of whom none is known, where one was chosen.
fn spoken(written: &WrittenLanguage) -> Option<Language> {
    match written {
        WrittenLanguage::Auto => None,
        WrittenLanguage::English => Some(Language::English),
        WrittenLanguage::Chinese => Some(Language::Chinese),
    }
}

fn learning(table: &LearningTable) -> Option<LearningConfig> {
    table.enabled.then(|| LearningConfig {
        idle: Duration::from_secs(table.idle_secs),
        says_so: table.note == WrittenNote::Quiet,
    })
}
