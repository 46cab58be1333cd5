//! The requests of a login, as they leave this machine: a service may name any address as that of
//! its authorization server, so each is checked as what a model asks for is.

use std::time::Duration;

use rmcp::transport::auth::{AuthError, AuthorizationMetadata};
use rmcp::transport::{OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRequest};
use sayso_fetch::{FetchLimits, Fetcher};
use sayso_policy::{HostPattern, HostRules, Server};
use url::Url;

/// How much a request of a login may take.
const LIMITS: FetchLimits = FetchLimits {
    timeout: Duration::from_secs(30),
    max_bytes: 256 * 1024,
};

/// Why a request is not made.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not asked: what is said there must go over `https`")]
struct NotPrivate(Url);

/// What the requests of a login go out by.
pub(super) struct Outside {
    fetcher: Fetcher,
}

impl Outside {
    /// Reaches the service itself wherever it lies, for the operator named it, and beside it what
    /// the operator's rules let anybody reach.
    pub(super) fn new(service: &Url, hosts: &HostRules) -> Self {
        let mut hosts = hosts.clone();
        let own = Server::of(service).and_then(|own| HostPattern::parse(&own.to_string()));
        hosts.private.extend(own);
        Self {
            fetcher: Fetcher::new(hosts, false, LIMITS),
        }
    }

    /// Checks where an authorization server wants to be asked, and where it sends a person.
    pub(super) fn check_endpoints(
        &self,
        metadata: &AuthorizationMetadata,
    ) -> Result<(), AuthError> {
        let register = metadata.registration_endpoint.as_ref();
        let endpoints = [&metadata.authorization_endpoint, &metadata.token_endpoint];
        for endpoint in endpoints.into_iter().chain(register) {
            let url = Url::parse(endpoint)?;
            self.check(&url)
                .map_err(|error| AuthError::MetadataError(error.to_string()))?;
        }
        Ok(())
    }

    /// `http` is for servers at home, which the operator listed.
    fn check(&self, url: &Url) -> Result<(), NotPrivate> {
        let is_at_home =
            Server::of(url).is_some_and(|server| self.fetcher.rules().may_be_private(&server));
        match url.scheme() {
            "https" => Ok(()),
            "http" if is_at_home => Ok(()),
            _ => Err(NotPrivate(url.clone())),
        }
    }
}

impl OAuthHttpClient for Outside {
    /// Redirects are never followed here, even where the library would allow it: it receives the
    /// redirect response instead, since nothing that we send is meant for a second server.
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let url = Url::parse(&request.request.uri().to_string())?;
            self.check(&url)?;
            Ok(self.fetcher.exchange(request.request).await?)
        })
    }
}
