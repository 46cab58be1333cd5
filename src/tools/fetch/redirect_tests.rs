//! Which redirects are followed, and with what.

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, IF_NONE_MATCH};
use sayso_policy::{HostPattern, HostRules, Method};

use super::{Reach, Request, next};
use crate::target::Target;

fn rules() -> HostRules {
    let pattern = |text| HostPattern::parse(text).unwrap();
    HostRules {
        allow: vec![pattern("allowed.org"), pattern("allowed.org:8443")],
        ask: vec![pattern("asked.org")],
        deny: vec![pattern("denied.org")],
        private: Vec::new(),
    }
}

fn request(method: Method, url: &str) -> Request {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/html"));
    headers.insert(IF_NONE_MATCH, HeaderValue::from_static("\"1\""));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    Request {
        method,
        target: Target::parse(url, &rules()).unwrap(),
        headers,
        body: method.changes().then(|| "body".to_owned()),
    }
}

/// Where a redirect leads, with what method, headers and body; or why not.
fn told(request: &Request, status: u16, location: &str, network_is_free: bool) -> String {
    let rules = rules();
    let reach = Reach {
        rules: &rules,
        network_is_free,
    };
    let status = StatusCode::from_u16(status).unwrap();
    match next(request, status, Some(location), reach) {
        Ok(None) => "no redirect".to_owned(),
        Ok(Some(next)) => {
            let body = next.body.map_or("", |_| " with body");
            let names: Vec<_> = next.headers.keys().map(ToString::to_string).collect();
            format!(
                "{} {}{body} [{}]",
                next.method.as_str(),
                next.target.url(),
                names.join(" ")
            )
        }
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(location: &str, expected: &str) {
    let request = request(Method::Get, "https://example.org/a/b");
    assert_eq!(told(&request, 302, location, false), expected, "{location}");
}

#[test]
fn a_redirect_within_a_host_is_followed() {
    check(
        "c?d",
        "GET https://example.org/a/c?d [accept if-none-match content-type]",
    );
    check(
        "//www.example.org/",
        "GET https://www.example.org/ [accept]",
    );
}

#[test]
fn a_redirect_to_another_host_is_followed_only_where_a_rule_frees_it() {
    check("https://allowed.org/", "GET https://allowed.org/ [accept]");
    check(
        "https://allowed.org:8443/",
        "GET https://allowed.org:8443/ [accept]",
    );
    for elsewhere in [
        "https://other.org/",
        "https://asked.org/",
        "https://denied.org/",
        "https://example.org:8443/",
        "https://www.denied.org.example.net/",
        "https://example.org.evil.net/",
    ] {
        let expected = format!(
            "it redirects to {elsewhere} , which was not part of this call; call again with that URL"
        );
        check(elsewhere, &expected);
    }
}

#[test]
fn a_free_network_frees_redirects_but_for_hosts_that_are_held_back() {
    let request = request(Method::Get, "https://example.org/");
    let freed = told(&request, 301, "https://other.org/", true);
    assert_eq!(freed, "GET https://other.org/ [accept]");
    for held in [
        "https://asked.org/",
        "https://denied.org/",
        "https://other.org:22/",
    ] {
        let told = told(&request, 301, held, true);
        assert!(told.contains("call again"), "{told}");
    }
}

#[test]
fn a_redirect_within_a_host_that_asks_is_part_of_the_yes_to_it() {
    let request = request(Method::Get, "http://asked.org/");
    let upgraded = told(&request, 301, "https://asked.org/", false);
    assert_eq!(upgraded, "GET https://asked.org/ [accept]");
}

#[test]
fn no_redirect_leads_into_a_network_at_home() {
    for location in [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:22/",
        "//2130706433/",
        "https://[::ffff:10.0.0.1]/",
        "http://user@example.org/",
        "file:///etc/passwd",
        "http://localhost/",
    ] {
        let request = request(Method::Get, "http://example.org/");
        let told = told(&request, 302, location, true);
        assert!(
            told.starts_with("it redirects to where nothing is fetched"),
            "{told}"
        );
    }
}

#[test]
fn https_is_not_left() {
    check(
        "http://example.org/",
        "it redirects from `https` to `http`, which is not followed",
    );
}

#[test]
fn what_changes_something_is_not_repeated() {
    let post = request(Method::Post, "https://example.org/a");
    for status in [301, 302, 303] {
        assert_eq!(
            told(&post, status, "/b", false),
            "GET https://example.org/b [accept]"
        );
    }
    for status in [307, 308] {
        let told = told(&post, status, "/b", true);
        assert!(told.contains("call again"), "{told}");
    }
    let put = request(Method::Put, "https://example.org/a");
    assert!(told(&put, 302, "/b", true).contains("call again"));
    let head = request(Method::Head, "https://example.org/a");
    assert!(told(&head, 308, "/b", false).starts_with("HEAD "));
}

#[test]
fn only_a_redirect_redirects() {
    let request = request(Method::Get, "https://example.org/");
    for status in [200, 201, 300, 304, 305, 404] {
        assert_eq!(
            told(&request, status, "https://other.org/", true),
            "no redirect"
        );
    }
}
