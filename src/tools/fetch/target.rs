//! What is asked for: a URL that was checked, as far as that is possible without asking anybody.

use std::net::IpAddr;

use sayso_policy::{HostRules, Server};
use url::{Host, Url};

use super::addresses::{Special, special};

/// The longest URL, in bytes: a person must be able to read it on a card.
const MAX_URL_BYTES: usize = 4096;
/// The longest name of a host, in bytes (RFC 1035, section 2.3.4).
const MAX_NAME_BYTES: usize = 253;

/// A URL that may be fetched: `http` or `https`, without a password in it, and not of an address
/// that is not public. Whether the host may be asked is the policy's to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    url: Url,
    server: Server,
}

/// Why a URL is not fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadUrl {
    /// It is no URL.
    #[error("it is no complete URL, such as `https://example.org/page`")]
    Unreadable,
    /// It exceeds the limit in bytes.
    #[error("it is longer than {MAX_URL_BYTES} bytes")]
    TooLong,
    /// It is not of the web.
    #[error("only `http` and `https` are fetched")]
    Scheme,
    /// It carries a name or a password, or hides its host behind one.
    #[error("a URL with `user:password@` in it is not fetched")]
    Password,
    /// Its host cannot be one.
    #[error("its host is no name and no address")]
    Host,
    /// It names an address that is not public.
    #[error("its host is a {} address; only the public internet is fetched from", .0.as_str())]
    NotPublic(Special),
}

impl Target {
    /// Reads a URL. The URL standard's spelling is what is checked, shown and fetched.
    pub fn parse(text: &str, rules: &HostRules) -> Result<Self, BadUrl> {
        if text.len() > MAX_URL_BYTES {
            return Err(BadUrl::TooLong);
        }
        Self::check(Url::parse(text).map_err(|_| BadUrl::Unreadable)?, rules)
    }

    /// Reads where a redirect leads.
    pub fn join(&self, location: &str, rules: &HostRules) -> Result<Self, BadUrl> {
        if location.len() > MAX_URL_BYTES {
            return Err(BadUrl::TooLong);
        }
        let url = self.url.join(location).map_err(|_| BadUrl::Unreadable)?;
        Self::check(url, rules)
    }

    fn check(mut url: Url, rules: &HostRules) -> Result<Self, BadUrl> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadUrl::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadUrl::Password);
        }
        url.set_fragment(None);
        // What is not ASCII takes three times the room once it is written for the wire.
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(BadUrl::TooLong);
        }
        let server = Server::of(&url).ok_or(BadUrl::Host)?;
        if server.host() != url.host_str().unwrap_or_default() {
            url.set_host(Some(server.host()))
                .map_err(|_| BadUrl::Host)?;
            // Without its last dot `1.0..` is parsed as an IP address, which was not what was
            // written.
            if Server::of(&url).as_ref() != Some(&server) {
                return Err(BadUrl::Host);
            }
        }
        let target = Self { url, server };
        match target.obstacle() {
            Some(BadUrl::NotPublic(_)) if rules.may_be_private(&target.server) => Ok(target),
            Some(obstacle) => Err(obstacle),
            None => Ok(target),
        }
    }

    /// Returns what is wrong with the host, as its name or address says.
    fn obstacle(&self) -> Option<BadUrl> {
        match self.url.host()? {
            Host::Ipv4(address) => special(IpAddr::V4(address)).map(BadUrl::NotPublic),
            Host::Ipv6(address) => special(IpAddr::V6(address)).map(BadUrl::NotPublic),
            // RFC 6761, section 6.3: these names are this machine wherever they are looked up.
            Host::Domain(name) if name == "localhost" || name.ends_with(".localhost") => {
                Some(BadUrl::NotPublic(Special::Loopback))
            }
            Host::Domain(name) => (!is_name(name)).then_some(BadUrl::Host),
        }
    }

    /// Returns the URL that is fetched.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Returns the address that stands in the URL in place of a name.
    pub fn literal(&self) -> Option<IpAddr> {
        match self.url.host()? {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(_) => None,
        }
    }
}

/// Returns whether a host name is made of letters, digits, hyphens and underscores, in labels of
/// 1-63 (RFC 1035, section 2.3.1; underscores occur in practice).
fn is_name(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    name.len() <= MAX_NAME_BYTES && name.split('.').all(is_label)
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
