//! `[[mcp]]`: servers that bring tools, and what may be done there.

use std::time::Duration;

use sayso_policy::{McpRule, McpRules, NamePattern, is_near, is_this_machine};
use url::Url;

use super::ConfigError;
use super::check::Check;
use super::checked::{McpClientConfig, McpConfig, McpShownConfig, McpVariable, McpWayConfig};
use super::keys::McpTable;
use super::messages::{Hint, Reason, Rule};

/// The longest name of a server, in bytes: it stands before the name of each of its tools.
const MAX_NAME_BYTES: usize = 32;

impl Check<'_> {
    /// Checks all servers. Returns those that are enabled, and the rules for each.
    pub(super) fn mcp(
        &self,
        tables: Vec<McpTable>,
    ) -> Result<(Vec<McpConfig>, McpRules), ConfigError> {
        let mut names: Vec<String> = Vec::new();
        let mut servers = Vec::new();
        let mut rules = McpRules::default();
        for (item, table) in tables.into_iter().enumerate() {
            let is_enabled = table.enabled;
            let name = self.mcp_name(item, table.name.as_deref(), &names)?;
            names.push(name.clone());
            let rule = self.mcp_rule(item, &table)?;
            let server = McpConfig {
                name: name.clone(),
                start_timeout: Duration::from_secs(table.start_timeout_secs),
                call_timeout: Duration::from_secs(table.call_timeout_secs),
                way: self.mcp_way(item, &table)?,
            };
            if is_enabled {
                rules.add(name, rule);
                servers.push(server);
            }
        }
        Ok((servers, rules))
    }

    fn mcp_name(
        &self,
        item: usize,
        written: Option<&str>,
        taken: &[String],
    ) -> Result<String, ConfigError> {
        let section = format!("mcp.{item}");
        let Some(name) = written else {
            let (because, hint) = (Reason::NeedsServerName, Hint::ServerName);
            return Err(self.settings.missing(&section, "name", because, hint));
        };
        let is_plain = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-'
        };
        let is_name = name.len() <= MAX_NAME_BYTES
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(is_plain)
            && !name.contains("__");
        if !is_name || taken.iter().any(|other| other == name) {
            let key = format!("{section}.name");
            return Err(self.settings.refuse(&key, Rule::ServerName));
        }
        Ok(name.to_owned())
    }

    fn mcp_way(&self, item: usize, table: &McpTable) -> Result<McpWayConfig, ConfigError> {
        let key = |field: &str| format!("mcp.{item}.{field}");
        let only = |field: &str, is_written: bool, other: &'static str| {
            let allowed = Rule::LeftOutOfServer { other };
            if is_written {
                Err(self.settings.refuse(&key(field), allowed))
            } else {
                Ok(())
            }
        };
        match (&table.command, &table.url) {
            (Some(_), Some(_)) => Err(self
                .settings
                .refuse(&key("url"), Rule::LeftOutBesideCommand)),
            (None, None) => {
                let section = format!("mcp.{item}");
                let because = Reason::NeedsServer;
                let missing = self
                    .settings
                    .missing(&section, "command", because, Hint::Server);
                Err(missing)
            }
            (Some(command), None) => {
                only("token", table.token.is_some(), "url")?;
                only("client_id", table.client_id.is_some(), "url")?;
                only("client_secret", table.client_secret.is_some(), "url")?;
                only("redirect_port", table.redirect_port.is_some(), "url")?;
                if command.trim().is_empty() || command.contains('\0') {
                    return Err(self.settings.refuse(&key("command"), Rule::Program));
                }
                Ok(McpWayConfig::Program {
                    program: command.clone(),
                    arguments: table.args.clone(),
                    variables: self.mcp_variables(&key("env"), &table.env)?,
                })
            }
            (None, Some(url)) => {
                only("args", !table.args.is_empty(), "command")?;
                only("env", !table.env.is_empty(), "command")?;
                let url = self.url(&key("url"), url)?;
                let shown = self.mcp_shown(item, table)?;
                let is_secret = matches!(shown, McpShownConfig::Token(_));
                if is_secret && url.scheme() != "https" && !is_this_machine(&url) {
                    return Err(self.settings.refuse(&key("url"), Rule::SecureAddress));
                }
                Ok(McpWayConfig::Url { url, shown })
            }
        }
    }

    fn mcp_shown(&self, item: usize, table: &McpTable) -> Result<McpShownConfig, ConfigError> {
        let key = |field: &str| format!("mcp.{item}.{field}");
        let secret = |field: &str, written: &Option<String>| {
            let written = written.as_ref();
            let secret = written.map(|written| self.secret(&key(field), written));
            secret.transpose()
        };
        if table
            .client_id
            .as_ref()
            .is_some_and(|id| id.trim().is_empty())
        {
            return Err(self.settings.refuse(&key("client_id"), Rule::ClientId));
        }
        let client = McpClientConfig {
            id: table.client_id.clone(),
            secret: secret("client_secret", &table.client_secret)?,
            redirect_port: table.redirect_port,
        };
        let Some(token) = secret("token", &table.token)? else {
            if client.secret.is_some() && client.id.is_none() {
                let allowed = Rule::LeftOutWithoutClient;
                return Err(self.settings.refuse(&key("client_secret"), allowed));
            }
            return Ok(McpShownConfig::Login(client));
        };
        let is_written = [
            ("client_id", client.id.is_some()),
            ("client_secret", client.secret.is_some()),
            ("redirect_port", client.redirect_port.is_some()),
        ];
        match is_written.into_iter().find(|(_, is_written)| *is_written) {
            Some((field, _)) => {
                let allowed = Rule::LeftOutBesideToken;
                Err(self.settings.refuse(&key(field), allowed))
            }
            None => Ok(McpShownConfig::Token(token)),
        }
    }

    fn mcp_variables(
        &self,
        key: &str,
        written: &[String],
    ) -> Result<Vec<McpVariable>, ConfigError> {
        let mut variables: Vec<McpVariable> = Vec::with_capacity(written.len());
        for text in written {
            let refused = || self.settings.refuse(key, Rule::NamedVariables);
            let (name, value) = text.split_once('=').ok_or_else(refused)?;
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let is_name = !name.is_empty() && name.bytes().all(is_plain);
            let is_there = variables.iter().any(|other| other.name == name);
            if !is_name || is_there || value.contains('\0') {
                return Err(refused());
            }
            let is_secret = value.starts_with("env:") || value.starts_with("file:");
            let value = if is_secret {
                self.secret(key, value)?
            } else {
                value.into()
            };
            variables.push(McpVariable {
                name: name.to_owned(),
                value,
                is_secret,
            });
        }
        Ok(variables)
    }

    fn mcp_rule(&self, item: usize, table: &McpTable) -> Result<McpRule, ConfigError> {
        let patterns = |field: &str, written: &[String]| {
            let read = written.iter().map(|text| NamePattern::parse(text));
            let read: Option<Vec<NamePattern>> = read.collect();
            read.ok_or_else(|| {
                self.settings
                    .refuse(&format!("mcp.{item}.{field}"), Rule::ToolNames)
            })
        };
        Ok(McpRule {
            allow: patterns("allow", &table.allow)?,
            ask: patterns("ask", &table.ask)?,
            deny: patterns("deny", &table.deny)?,
            trust_read_only: table.trust_read_only,
            is_local: table.url.as_ref().is_none_or(|url| {
                // One that cannot be read is refused elsewhere.
                Url::parse(url).ok().as_ref().is_none_or(is_near)
            }),
        })
    }
}
