//! Which servers may be asked over HTTP, and for what.
//!
//! Rules name hosts; the addresses behind a name are the fetcher's to check, since looking them
//! up is a question to the network by itself, and comes after a yes.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

use super::autonomy_level::AutonomyLevel;
use super::judgement::Judgement;
use super::messages::{AskReason, HostRefusal, Refusal};

/// The ports that a rule without a port stands for: `http` and `https`.
const WEB_PORTS: [u16; 2] = [80, 443];

/// Where a request goes: a host as the URL standard writes it, without a final dot, and a port.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Server {
    host: String,
    port: u16,
}

impl Server {
    /// Returns the server of a URL; `None` when it names none.
    pub fn of(url: &Url) -> Option<Self> {
        let host = written(&url.host()?.to_owned());
        let port = url.port_or_known_default()?;
        (!host.is_empty()).then_some(Self { host, port })
    }

    /// Returns the host: a name in ASCII, an IPv4 address, or an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl fmt::Display for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

/// Returns whether data that is sent to an address stays on this machine.
pub fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Returns whether an address is this machine or of a network near it, as far as its host says so
/// without being looked up.
pub fn is_near(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            !name.contains('.') || NEAR_NAMES.iter().any(|ending| name.ends_with(ending))
        }
        Some(Host::Ipv4(address)) => {
            let [first, second, ..] = address.octets();
            // Shared address space (RFC 6598), which private networks use too.
            let is_shared = first == 100 && (64..128).contains(&second);
            let is_special = address.is_loopback() || address.is_unspecified();
            is_special || address.is_private() || address.is_link_local() || is_shared
        }
        Some(Host::Ipv6(address)) => {
            if let Some(mapped) = address.to_ipv4_mapped() {
                return mapped.is_loopback() || mapped.is_private() || mapped.is_link_local();
            }
            let is_special = address.is_loopback() || address.is_unspecified();
            is_special || address.is_unique_local() || address.is_unicast_link_local()
        }
        None => true,
    }
}

/// Endings of names that no public server has (RFC 6761, 6762, 8375 and usual ones).
const NEAR_NAMES: [&str; 6] = [
    ".localhost",
    ".local",
    ".internal",
    ".lan",
    ".home.arpa",
    ".intranet",
];

/// What a request asks a server to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// To give something.
    #[default]
    Get,
    /// To describe what it would give.
    Head,
    /// To take something.
    Post,
    /// To put something in a place.
    Put,
    /// To change something in part.
    Patch,
    /// To delete something.
    Delete,
}

impl Method {
    /// Returns the method in the form in which it is sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Returns whether it may change something at the server: all but the safe methods
    /// (RFC 9110, section 9.2.1).
    pub fn changes(self) -> bool {
        match self {
            Self::Get | Self::Head => false,
            Self::Post | Self::Put | Self::Patch | Self::Delete => true,
        }
    }
}

/// A rule for hosts: `example.org`, `*.example.org`, `example.org:8443`, `[2001:db8::1]:80`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    /// For [`Names::Below`] with its leading dot.
    host: String,
    names: Names,
    port: Option<u16>,
}

/// Which names a pattern stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// The one that is written.
    Exactly,
    /// All below the one that is written, and not that itself.
    Below,
}

impl HostPattern {
    /// Reads a pattern, normalised as the URL standard does with hosts; `None` when it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (names, rest) = match text.strip_prefix("*.") {
            Some(rest) => (Names::Below, rest),
            None => (Names::Exactly, text),
        };
        let (host, port) = split_port(rest)?;
        let host = Host::parse(host).ok()?;
        let is_name = matches!(host, Host::Domain(_));
        let host = written(&host);
        if host.is_empty() || host.contains('*') || (names == Names::Below && !is_name) {
            return None;
        }
        let host = match names {
            Names::Exactly => host,
            Names::Below => format!(".{host}"),
        };
        Some(Self { host, names, port })
    }

    /// Returns whether one host and one port are named.
    pub fn is_one_server(&self) -> bool {
        self.names == Names::Exactly && self.port.is_some()
    }

    fn covers_host(&self, host: &str) -> bool {
        match self.names {
            Names::Exactly => host == self.host,
            Names::Below => host.len() > self.host.len() && host.ends_with(&self.host),
        }
    }

    /// Returns whether it names one host, and not all below one.
    pub fn names_one_host(&self) -> bool {
        self.names == Names::Exactly
    }

    /// Returns whether it names a port.
    pub(super) fn names_port(&self) -> bool {
        self.port.is_some()
    }

    /// Covers the web's ports, or the one that is named.
    pub(super) fn covers(&self, server: &Server) -> bool {
        let covers_port = match self.port {
            Some(port) => port == server.port,
            None => WEB_PORTS.contains(&server.port),
        };
        covers_port && self.covers_host(&server.host)
    }

    /// Covers every port, or the one that is named: what keeps a request back is read widely.
    fn holds_back(&self, server: &Server) -> bool {
        self.port.is_none_or(|port| port == server.port) && self.covers_host(&server.host)
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = match self.names {
            Names::Exactly => "",
            Names::Below => "*",
        };
        write!(formatter, "{star}{}", self.host)?;
        match self.port {
            Some(port) => write!(formatter, ":{port}"),
            None => Ok(()),
        }
    }
}

fn split_port(text: &str) -> Option<(&str, Option<u16>)> {
    match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => {
            let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
            let port = port.parse().ok().filter(|port| is_number && *port > 0)?;
            Some((host, Some(port)))
        }
        Some(_) | None => Some((text, None)),
    }
}

/// Writes a host in the one way in which hosts are compared. A final dot says only that a name is
/// complete, and would be a way around a rule.
fn written(host: &Host) -> String {
    match host {
        Host::Domain(name) => name.strip_suffix('.').unwrap_or(name).to_owned(),
        Host::Ipv4(_) | Host::Ipv6(_) => host.to_string(),
    }
}

/// The rules for hosts, from `[policy]` and `tools.allow_private_hosts`. Of several rules for one
/// host the strictest counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostRules {
    /// May be read without asking.
    pub allow: Vec<HostPattern>,
    /// Are asked about, whatever else is allowed.
    pub ask: Vec<HostPattern>,
    /// Are never asked.
    pub deny: Vec<HostPattern>,
    /// May lie at an address that is not public; each with its port.
    pub private: Vec<HostPattern>,
}

/// What the rules say of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is never asked.
    Denied,
    /// Each request is asked about.
    Asked,
    /// It may be read without asking.
    Allowed,
    /// No rule names it.
    Unlisted,
}

/// A request, as far as the rules care.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// Where it goes.
    pub(super) server: &'a Server,
    /// Whether it may change something there.
    pub(super) changes: bool,
    /// Whether untrusted text may have chosen it.
    pub(super) tainted: bool,
    /// The level that holds.
    pub(super) level: AutonomyLevel,
    /// Whether `policy.allow_network` is on.
    pub(super) network_is_free: bool,
}

impl HostRules {
    /// Returns what the rules say of a server.
    pub fn standing(&self, server: &Server) -> Standing {
        let holds_back =
            |rules: &[HostPattern]| rules.iter().any(|pattern| pattern.holds_back(server));
        if holds_back(&self.deny) {
            Standing::Denied
        } else if holds_back(&self.ask) {
            Standing::Asked
        } else if covered(&self.allow, server) {
            Standing::Allowed
        } else {
            Standing::Unlisted
        }
    }

    /// Returns whether a port may be spoken to: the web's, or one that a rule for the host names.
    pub fn opens_port(&self, server: &Server) -> bool {
        let names_it = |rules: &[HostPattern]| {
            rules
                .iter()
                .any(|pattern| pattern.port.is_some() && pattern.covers(server))
        };
        WEB_PORTS.contains(&server.port)
            || names_it(&self.allow)
            || names_it(&self.ask)
            || names_it(&self.private)
    }

    /// Returns whether a server may lie at an address that is not public.
    pub fn may_be_private(&self, server: &Server) -> bool {
        covered(&self.private, server)
    }

    /// Returns whether a request reaches into the operator's own network, other than to read what
    /// the operator lets be read unasked.
    pub(super) fn reaches_inward(&self, server: &Server, changes: bool) -> bool {
        let is_free = self.standing(server) == Standing::Allowed && !changes;
        self.may_be_private(server) && !is_free
    }

    /// Judges a request. One that changes nothing is still a question before it is free: its URL
    /// can carry away whatever the model has read.
    pub(super) fn judge(&self, wanted: Wanted<'_>) -> Judgement {
        let server = wanted.server;
        let standing = self.standing(server);
        if standing == Standing::Denied {
            return Judgement::Deny(Refusal::Host(HostRefusal::Denied(server.host.clone())));
        }
        if !self.opens_port(server) {
            return Judgement::Deny(Refusal::Host(HostRefusal::PortNotOpen(server.to_string())));
        }
        match wanted.level {
            AutonomyLevel::ReadOnly if wanted.changes => {
                Judgement::Deny(Refusal::ChangesNothingAt(wanted.level))
            }
            AutonomyLevel::ReadOnly | AutonomyLevel::Supervised => asks(standing, wanted),
            AutonomyLevel::Full => match standing {
                Standing::Allowed if !wanted.tainted => Judgement::Allow,
                Standing::Unlisted if wanted.changes || !wanted.network_is_free => {
                    Judgement::Deny(Refusal::Host(HostRefusal::NotListed(server.to_string())))
                }
                Standing::Denied | Standing::Asked | Standing::Allowed | Standing::Unlisted => {
                    asks(standing, wanted)
                }
            },
        }
    }
}

fn asks(standing: Standing, wanted: Wanted<'_>) -> Judgement {
    if wanted.changes {
        return Judgement::Ask(AskReason::SendsRequest);
    }
    if wanted.tainted {
        return Judgement::Ask(AskReason::FetchesAfterOutsideText);
    }
    match standing {
        Standing::Allowed => Judgement::Allow,
        Standing::Unlisted if wanted.network_is_free => Judgement::Allow,
        Standing::Denied | Standing::Asked | Standing::Unlisted => {
            Judgement::Ask(AskReason::Fetches)
        }
    }
}

fn covered(rules: &[HostPattern], server: &Server) -> bool {
    rules.iter().any(|pattern| pattern.covers(server))
}

#[cfg(test)]
#[path = "hosts_tests.rs"]
mod tests;
