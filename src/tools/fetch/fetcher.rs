//! The one way in which a request leaves this machine.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, HeaderValue, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use sayso_policy::{HostRules, Method, Standing};

use super::answer::{Answer, PACKINGS};
use super::error::FetchError;
use super::names::{Names, NoAddress};
use super::redirect::{Reach, Request, next};
use super::target::Target;

/// How many redirects are followed.
pub const MAX_REDIRECTS: usize = 5;
/// How long a server may take to take the connection, with TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Who we say we are.
const USER_AGENT: &str = concat!("Sayso/", env!("CARGO_PKG_VERSION"));

/// How much a fetch may take, from `[tools]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// How long it may take, from the first look-up to the last byte, with all redirects.
    pub timeout: Duration,
    /// How much of an answer is taken in, in bytes, packed as well as unpacked.
    pub max_bytes: usize,
}

/// The result of asking one server.
#[derive(Debug)]
pub enum Hop {
    /// It leads on, to where one may go.
    Onward(Request),
    /// It answered.
    Arrived(Answer),
}

/// Asks servers of the public internet, and those that an operator listed.
///
/// It does not ask whether it may: the policy judged the first URL. It does see to it that the
/// request goes there, and nowhere that the policy would have judged otherwise.
#[derive(Debug)]
pub struct Fetcher {
    rules: HostRules,
    network_is_free: bool,
    limits: FetchLimits,
    names: Names,
}

impl Fetcher {
    /// Makes a fetcher that looks names up as the system does. `network_is_free` is
    /// `policy.allow_network`.
    pub fn new(rules: HostRules, network_is_free: bool, limits: FetchLimits) -> Self {
        Self {
            rules,
            network_is_free,
            limits,
            names: Names::System,
        }
    }

    /// Makes a fetcher that looks names up in what a test has prepared.
    #[cfg(test)]
    pub fn prepared(rules: HostRules, limits: FetchLimits, names: Names) -> Self {
        Self {
            rules,
            network_is_free: false,
            limits,
            names,
        }
    }

    /// Returns the rules by which URLs are read.
    pub fn rules(&self) -> &HostRules {
        &self.rules
    }

    /// Returns the limits.
    pub fn limits(&self) -> FetchLimits {
        self.limits
    }

    /// Asks, follows redirects, and takes the answer in.
    pub async fn fetch(&self, request: Request) -> Result<Answer, FetchError> {
        let timeout = self.limits.timeout;
        tokio::time::timeout(timeout, self.follow(request))
            .await
            .unwrap_or(Err(FetchError::TimedOut(timeout)))
    }

    async fn follow(&self, mut request: Request) -> Result<Answer, FetchError> {
        for _ in 0..=MAX_REDIRECTS {
            match self.hop(request).await? {
                Hop::Onward(following) => request = following,
                Hop::Arrived(answer) => return Ok(answer),
            }
        }
        Err(FetchError::TooManyRedirects(MAX_REDIRECTS))
    }

    /// Asks one server and reads its answer, unless that is a redirect. For callers that check each
    /// server before it is asked: they must respect [`MAX_REDIRECTS`] and the deadline themselves.
    pub async fn hop(&self, request: Request) -> Result<Hop, FetchError> {
        let reach = Reach {
            rules: &self.rules,
            network_is_free: self.network_is_free,
        };
        let response = self.ask(&request).await?;
        let location = response.headers().get(LOCATION);
        // What is not ASCII in it is UTF-8 in practice.
        let location = location.map(|value| String::from_utf8_lossy(value.as_bytes()));
        match next(&request, response.status(), location.as_deref(), reach)? {
            Some(following) => Ok(Hop::Onward(following)),
            None => Answer::take(request.target, response, self.limits.max_bytes)
                .await
                .map(Hop::Arrived),
        }
    }

    /// Sends one request of a protocol whose next step depends on the whole answer. A redirect is
    /// an answer too; more than `max_bytes` of it are none.
    pub async fn exchange(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, FetchError> {
        let timeout = self.limits.timeout;
        tokio::time::timeout(timeout, self.exchanged(request))
            .await
            .unwrap_or(Err(FetchError::TimedOut(timeout)))
    }

    async fn exchanged(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, FetchError> {
        let target = Target::parse(&request.uri().to_string(), &self.rules);
        let target = target.map_err(FetchError::BadUrl)?;
        if self.rules.standing(target.server()) == Standing::Denied {
            return Err(FetchError::Denied(target.server().host().to_owned()));
        }
        let (client, addresses) = self.client(&target).await?;
        let (parts, body) = request.into_parts();
        let asked = client
            .request(parts.method, target.url().clone())
            .headers(parts.headers)
            .body(body);
        let answered = asked
            .send()
            .await
            .map_err(|error| FetchError::broken(&error))?;
        let mut answered = came_from(answered, &addresses, &target)?;
        let mut body = Vec::new();
        while let Some(chunk) = answered
            .chunk()
            .await
            .map_err(|error| FetchError::broken(&error))?
        {
            if chunk.len() > self.limits.max_bytes - body.len() {
                return Err(FetchError::TooLong(self.limits.max_bytes));
            }
            body.extend_from_slice(&chunk);
        }
        let mut answer = http::Response::new(body);
        *answer.status_mut() = answered.status();
        *answer.headers_mut() = std::mem::take(answered.headers_mut());
        Ok(answer)
    }

    /// Asks one server, at an address that was checked.
    async fn ask(&self, request: &Request) -> Result<Response, FetchError> {
        let (client, addresses) = self.client(&request.target).await?;
        let response = send(&client, request).await?;
        came_from(response, &addresses, &request.target)
    }

    /// Returns a client that reaches a server at these addresses, which were checked, and nowhere
    /// else.
    async fn client(&self, target: &Target) -> Result<(Client, Vec<SocketAddr>), FetchError> {
        let host = || target.server().host().to_owned();
        let addresses = match self.names.checked(target, &self.rules).await {
            Ok(addresses) => addresses,
            Err(NoAddress::Unknown(error)) => {
                tracing::debug!(%error, "DNS lookup failed");
                return Err(FetchError::UnknownName(host()));
            }
            Err(NoAddress::NotPublic(special)) => {
                let host = host();
                return Err(FetchError::NotPublic { host, special });
            }
        };
        // A client of its own for each hop: it knows one name, and no connection is shared.
        let client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .referer(false)
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .resolve_to_addrs(target.server().host(), &addresses)
            .build()
            .map_err(|error| FetchError::broken(&error))?;
        Ok((client, addresses))
    }
}

/// Passes an answer on that came from where it was asked for.
fn came_from(
    response: Response,
    addresses: &[SocketAddr],
    target: &Target,
) -> Result<Response, FetchError> {
    match response.remote_addr() {
        Some(peer) if !addresses.contains(&peer) => {
            tracing::error!("connection to an unchecked address");
            Err(FetchError::UnknownName(target.server().host().to_owned()))
        }
        Some(_) | None => Ok(response),
    }
}

async fn send(client: &Client, request: &Request) -> Result<Response, FetchError> {
    let Request {
        method,
        target,
        headers,
        body,
    } = request;
    let url = target.url().clone();
    let plain = match method {
        Method::Get => client.get(url),
        Method::Head => client.head(url),
        Method::Post => client.post(url),
        Method::Put => client.put(url),
        Method::Patch => client.patch(url),
        Method::Delete => client.delete(url),
    };
    let with_headers = plain
        .headers(headers.clone())
        .header(ACCEPT_ENCODING, HeaderValue::from_static(PACKINGS));
    let asked = match body {
        Some(body) => with_headers.body(body.clone()),
        None => with_headers,
    };
    asked
        .send()
        .await
        .map_err(|error| FetchError::broken(&error))
}

#[cfg(test)]
#[path = "fetcher_tests.rs"]
mod tests;
