//! The lists of hosts: `policy.allow_hosts` and its like, and `tools.allow_private_hosts`.

use sayso_policy::{HostPattern, HostRules, Server};

use super::ConfigError;
use super::check::Check;
use super::checked::WebSearchConfig;
use super::keys::{PolicyTable, ToolsTable};
use super::messages::Rule;

impl Check<'_> {
    /// Checks all lists of hosts. Who writes down a search service wants it asked: it may be read
    /// unasked, wherever it lies, unless a stricter rule names it.
    pub(super) fn hosts(
        &self,
        policy: &PolicyTable,
        tools: &ToolsTable,
        search: Option<&WebSearchConfig>,
    ) -> Result<HostRules, ConfigError> {
        let service = search.and_then(|search| Server::of(&search.base_url));
        let service = service.and_then(|server| HostPattern::parse(&server.to_string()));
        let with_service = |mut patterns: Vec<HostPattern>| {
            patterns.extend(service.clone());
            patterns
        };
        Ok(HostRules {
            allow: with_service(self.patterns("policy.allow_hosts", &policy.allow_hosts)?),
            ask: self.patterns("policy.ask_hosts", &policy.ask_hosts)?,
            deny: self.patterns("policy.deny_hosts", &policy.deny_hosts)?,
            private: with_service(self.private_hosts(&tools.allow_private_hosts)?),
        })
    }

    fn patterns(&self, key: &str, written: &[String]) -> Result<Vec<HostPattern>, ConfigError> {
        let read = written.iter().map(|text| HostPattern::parse(text));
        read.collect::<Option<_>>()
            .ok_or_else(|| self.settings.refuse(key, Rule::Hosts))
    }

    /// A way into the operator's own network is as narrow as it can be written.
    fn private_hosts(&self, written: &[String]) -> Result<Vec<HostPattern>, ConfigError> {
        let key = "tools.allow_private_hosts";
        let patterns = self.patterns(key, written)?;
        if patterns.iter().all(HostPattern::is_one_server) {
            return Ok(patterns);
        }
        Err(self.settings.refuse(key, Rule::SingleHosts))
    }
}
