//! Why a server may not be asked over HTTP.

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
    /// Returns the reason in words that the model can act on, on one line.
    pub(super) fn for_model(&self) -> String {
        match self {
            Self::Denied(host) => {
                format!("`{host}` is on `policy.deny_hosts`: it is never asked for anything")
            }
            Self::NotListed(server) => format!(
                "`{server}` is not on `policy.allow_hosts`, and at the level `full` nobody is asked"
            ),
            Self::PortNotOpen(server) => format!(
                "`{server}`: only the ports 80 and 443 are open, unless a rule such as \
                 `policy.allow_hosts` names host and port"
            ),
        }
    }

    /// Returns the reason for people of a Chinese chat, on one line.
    pub(super) fn in_chinese(&self) -> String {
        match self {
            Self::Denied(host) => {
                format!("`{host}` 在 `policy.deny_hosts` 之中，从不访问")
            }
            Self::NotListed(server) => {
                format!("`{server}` 不在 `policy.allow_hosts` 之中，而 `full` 级别不会询问任何人")
            }
            Self::PortNotOpen(server) => {
                format!(
                    "`{server}`：只开放 80 和 443 端口，其他端口要在 `policy.allow_hosts` 等规则里写明"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
            .flat_map(|refusal| [refusal.for_model(), refusal.in_chinese()])
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
