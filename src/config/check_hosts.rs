//! The lists of hosts: `policy.allow_hosts` and its like, and `tools.allow_private_hosts`.

use super::ConfigError;
use super::check::Check;
use super::written::{PolicyTable, ToolsTable};
use crate::policy::{HostPattern, HostRules};

impl Check<'_> {
    /// Checks all lists of hosts.
    pub(super) fn hosts(
        &self,
        policy: &PolicyTable,
        tools: &ToolsTable,
    ) -> Result<HostRules, ConfigError> {
        Ok(HostRules {
            allow: self.patterns("policy.allow_hosts", &policy.allow_hosts)?,
            ask: self.patterns("policy.ask_hosts", &policy.ask_hosts)?,
            deny: self.patterns("policy.deny_hosts", &policy.deny_hosts)?,
            private: self.private_hosts(&tools.allow_private_hosts)?,
        })
    }

    fn patterns(&self, key: &str, written: &[String]) -> Result<Vec<HostPattern>, ConfigError> {
        let allowed = "hosts, such as `[\"example.org\", \"*.example.org\", \"example.org:8443\"]`";
        let read = written.iter().map(|text| HostPattern::parse(text));
        read.collect::<Option<_>>()
            .ok_or_else(|| self.settings.refuse(key, allowed))
    }

    /// A way into the operator's own network is as narrow as it can be written.
    fn private_hosts(&self, written: &[String]) -> Result<Vec<HostPattern>, ConfigError> {
        let key = "tools.allow_private_hosts";
        let allowed =
            "single hosts with their port, such as `[\"192.168.1.5:80\", \"nas.local:5000\"]`";
        let patterns = self.patterns(key, written)?;
        if patterns.iter().all(HostPattern::is_one_server) {
            return Ok(patterns);
        }
        Err(self.settings.refuse(key, allowed))
    }
}
