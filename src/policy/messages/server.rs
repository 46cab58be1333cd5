//! Why a server may not be asked over HTTP.

use sayso_core::{Language, text};

/// Why a server may not be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostRefusal {
    /// The host is on `policy.deny_hosts`.
    Denied(String),
    /// The host, with its port, is on no list and no approval can be requested.
    NotListed(String),
    /// The port is not one of the web, and no rule opens it.
    PortNotOpen(String),
}

impl HostRefusal {
    /// Returns it for people; in English it is what the model reads.
    pub(super) fn in_language(&self, language: Language) -> String {
        match self {
            Self::Denied(host) => text!(language, "refusals-host-denied", host),
            Self::NotListed(server) => text!(language, "refusals-host-not-listed", server),
            Self::PortNotOpen(server) => text!(language, "refusals-port-not-open", server),
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::HostRefusal;

    #[test]
    fn a_refusal_names_the_server_and_the_key() {
        let refusals = [
            HostRefusal::Denied("evil.example".into()),
            HostRefusal::NotListed("example.org:443".into()),
            HostRefusal::PortNotOpen("example.org:22".into()),
        ];
        let page: Vec<_> = refusals
            .iter()
            .flat_map(|refusal| {
                [
                    refusal.in_language(Language::English),
                    refusal.in_language(Language::Chinese),
                ]
            })
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r"
        `evil.example` is on `policy.deny_hosts`: it is never asked for anything
        `evil.example` 在 `policy.deny_hosts` 之中，从不访问
        `example.org:443` is not on `policy.allow_hosts`, and at the level `full` nobody is asked
        `example.org:443` 不在 `policy.allow_hosts` 之中，而 `full` 级别不会询问任何人
        `example.org:22`: only the ports 80 and 443 are open, unless a rule such as `policy.allow_hosts` names host and port
        `example.org:22`：只开放 80 和 443 端口，其他端口要在 `policy.allow_hosts` 等规则里写明
        ");
    }
}
