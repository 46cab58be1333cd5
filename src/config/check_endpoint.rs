//! Addresses of services that endpoints are added to: what names an endpoint itself is found before
//! anything asks there.

use reqwest::Url;

use super::ConfigError;
use super::check::Check;
use super::messages::{Hint, Rule};

/// What model services are asked at, behind their address.
pub(super) const MODEL_ENDPOINTS: [&str; 8] = [
    "/chat/completions",
    "/completions",
    "/completion",
    "/messages",
    "/embeddings",
    "/responses",
    "/api/chat",
    "/api/generate",
];

impl Check<'_> {
    /// Checks an address that one of these endpoints is added to.
    pub(super) fn address_before(
        &self,
        endpoints: &[&str],
        key: &str,
        written: &str,
    ) -> Result<Url, ConfigError> {
        let address = self.url(key, written)?;
        let path = address.path().trim_end_matches('/').to_ascii_lowercase();
        let Some(endpoint) = endpoints.iter().find(|it| path.ends_with(**it)) else {
            return Ok(address);
        };
        let mut base = address.clone();
        let length = address.path().trim_end_matches('/').len() - endpoint.len();
        base.set_path(address.path().get(..length).unwrap_or_default());
        base.set_query(None);
        let value = base.as_str().trim_end_matches('/').to_owned();
        let hint = Some(Hint::Write { value });
        Err(self.settings.refuse_with(key, Rule::AddressBefore, hint))
    }
}
