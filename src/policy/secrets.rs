//! Where secrets may go that calls use by a name: to which hosts, and into which programs. A
//! value is never seen here.
//!
//! What no rule names goes nowhere. A secret goes over `https` only, unless its rule names host and
//! port. A command gets one only when each program of it is named, so that the one behind the pipe
//! does not read it too, and the command may use its variable for nothing but setting another: what
//! stands among the words of a program can be read by everybody on the machine. Nor may it write to
//! a file by a redirection, where a later command would find what it printed.

use std::collections::BTreeMap;

use super::call_facts::{Action, ToolFacts};
use super::commands::{self, Places};
use super::hosts::{HostPattern, Server};
use super::messages::{Refusal, SecretRefusal};
use super::plain::ProgramKind;
use super::secret_variable::variable_of;

/// Where each secret may go, by its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecretRules {
    rules: BTreeMap<String, SecretRule>,
}

/// Where a secret may go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecretRule {
    /// The hosts that `http_request` may send it to; each names one.
    pub hosts: Vec<HostPattern>,
    /// The programs that may get it in their environment.
    pub commands: Vec<String>,
}

impl SecretRule {
    /// Returns whether a program may be named by a rule: one that does what its name says.
    pub fn may_name(program: &str) -> bool {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._+-".contains(letter);
        !program.is_empty()
            && program.chars().all(is_plain)
            && ProgramKind::of(program) == ProgramKind::Ordinary
    }

    fn takes(&self, server: &Server, is_encrypted: bool) -> bool {
        self.hosts
            .iter()
            .any(|host| host.covers(server) && (is_encrypted || host.names_port()))
    }
}

impl SecretRules {
    /// Adds the rule of a secret.
    pub fn add(&mut self, name: String, rule: SecretRule) {
        self.rules.insert(name, rule);
    }

    /// Returns the secrets that some host may get, with these hosts.
    pub fn for_hosts(&self) -> impl Iterator<Item = (&str, String)> {
        let listed = |rule: &SecretRule| {
            let hosts: Vec<String> = rule.hosts.iter().map(ToString::to_string).collect();
            hosts.join(", ")
        };
        self.places(listed)
    }

    /// Returns the secrets that some program may get, with these programs.
    pub fn for_commands(&self) -> impl Iterator<Item = (&str, String)> {
        self.places(|rule| rule.commands.join(", "))
    }

    fn places(
        &self,
        listed: impl Fn(&SecretRule) -> String,
    ) -> impl Iterator<Item = (&str, String)> {
        let named = self.rules.iter();
        named
            .map(move |(name, rule)| (name.as_str(), listed(rule)))
            .filter(|(_, places)| !places.is_empty())
    }

    /// Judges where the secrets of a call would go.
    pub(super) fn judge(&self, facts: &ToolFacts) -> Result<(), Refusal> {
        for name in &facts.secrets {
            let Some(rule) = self.rules.get(name) else {
                let known = self.rules.keys().cloned().collect();
                let name = name.clone();
                return Err(SecretRefusal::Unknown { name, known }.into());
            };
            match &facts.action {
                Action::Fetch { url, server, .. } => {
                    let is_encrypted = url.starts_with("https://");
                    if !rule.takes(server, is_encrypted) {
                        return Err(SecretRefusal::Host {
                            name: name.clone(),
                            server: server.to_string(),
                            hosts: rule.hosts.iter().map(ToString::to_string).collect(),
                            is_encrypted,
                        }
                        .into());
                    }
                }
                Action::Exec {
                    command, places, ..
                } => {
                    let places = Places::LookedUp(places);
                    check_programs(name, rule, command, places, &facts.secrets)?;
                }
                Action::Internal
                | Action::Mcp { .. }
                | Action::Remember { .. }
                | Action::Configure
                | Action::Schedule(_)
                | Action::Read { .. }
                | Action::Write { .. } => {
                    return Err(SecretRefusal::NotPlain(name.clone()).into());
                }
            }
        }
        Ok(())
    }
}

fn check_programs(
    name: &str,
    rule: &SecretRule,
    command: &str,
    places: Places<'_>,
    secrets: &[String],
) -> Result<(), Refusal> {
    let variables: Vec<String> = secrets.iter().map(|name| variable_of(name)).collect();
    let programs = commands::programs_given(command, places, &variables)
        .ok_or_else(|| SecretRefusal::NotPlain(name.to_owned()))?;
    match programs.iter().find(|it| !rule.commands.contains(it)) {
        None => Ok(()),
        Some(program) => Err(SecretRefusal::Program {
            name: name.to_owned(),
            program: program.clone(),
            commands: rule.commands.clone(),
        }
        .into()),
    }
}
