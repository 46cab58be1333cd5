//! Whether a redirect is followed, and with what.

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, ACCEPT_LANGUAGE, HeaderMap};
use sayso_policy::{HostRules, Method, Standing};

use super::error::FetchError;
use super::target::Target;

/// A request as it goes to one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What the server is asked to do.
    pub method: Method,
    /// What is asked for.
    pub target: Target,
    /// The headers that the model chose.
    pub headers: HeaderMap,
    /// The body.
    pub body: Option<String>,
}

/// Whom redirects may lead to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach<'a> {
    /// The rules for hosts.
    pub rules: &'a HostRules,
    /// Whether `policy.allow_network` is on.
    pub network_is_free: bool,
}

/// Returns the request that follows an answer; `None` when the answer is no redirect.
///
/// A person approved one URL, or a rule allows one host. So a redirect may lead to the same host
/// (with or without `www.`), or to one that could be read without approval; a request that changes
/// something is not sent anywhere else. Any other redirect is reported to the model, which may call
/// again: that call is judged separately.
pub(crate) fn next(
    request: &Request,
    status: StatusCode,
    location: Option<&str>,
    reach: Reach<'_>,
) -> Result<Option<Request>, FetchError> {
    let is_redirect = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
    let Some(location) = location.filter(|_| is_redirect) else {
        return Ok(None);
    };
    let here = &request.target;
    let target = here
        .join(location, reach.rules)
        .map_err(FetchError::BadRedirect)?;
    if here.url().scheme() == "https" && target.url().scheme() == "http" {
        return Err(FetchError::Downgrade);
    }
    let elsewhere = || FetchError::LeadsElsewhere(target.url().to_string());
    let method = follow_method(request.method, status).ok_or_else(elsewhere)?;
    if !may_lead(here, &target, reach) {
        return Err(elsewhere());
    }
    let is_same_origin = here.url().origin() == target.url().origin();
    let becomes_a_read = method != request.method;
    let headers = match (is_same_origin, becomes_a_read) {
        (true, false) => request.headers.clone(),
        (true, true) | (false, _) => harmless(&request.headers),
    };
    Ok(Some(Request {
        method,
        target,
        headers,
        body: None,
    }))
}

/// Returns the method that goes on; `None` where what changes something would be repeated.
/// What was posted and answered by 301-303 is read, as browsers do (RFC 9110, section 15.4).
fn follow_method(method: Method, status: StatusCode) -> Option<Method> {
    match (method, status) {
        (Method::Get | Method::Head, _) => Some(method),
        (Method::Post, StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND)
        | (_, StatusCode::SEE_OTHER) => Some(Method::Get),
        (Method::Post | Method::Put | Method::Patch | Method::Delete, _) => None,
    }
}

fn may_lead(here: &Target, there: &Target, reach: Reach<'_>) -> bool {
    let server = there.server();
    if !reach.rules.opens_port(server) {
        return false;
    }
    let is_same_host = is_same_host(here, there);
    match reach.rules.standing(server) {
        Standing::Denied => false,
        Standing::Allowed => true,
        // A person said yes to a host that asks only where it was the one they were shown.
        Standing::Asked => is_same_host && reach.rules.standing(here.server()) == Standing::Asked,
        Standing::Unlisted => is_same_host || reach.network_is_free,
    }
}

/// Returns whether two targets are of one host, `www.` in front of it or not.
pub fn is_same_host(one: &Target, other: &Target) -> bool {
    without_www(one.server().host()) == without_www(other.server().host())
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// Keeps what tells a server nothing about another.
fn harmless(headers: &HeaderMap) -> HeaderMap {
    [ACCEPT, ACCEPT_LANGUAGE]
        .into_iter()
        .filter_map(|name| Some((name.clone(), headers.get(name)?.clone())))
        .collect()
}

#[cfg(test)]
#[path = "redirect_tests.rs"]
mod tests;
