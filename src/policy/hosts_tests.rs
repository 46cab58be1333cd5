//! Which hosts a pattern stands for, and what the rules make of a request.

use url::Url;

use super::{HostPattern, HostRules, Server, Standing, Wanted};
use crate::AutonomyLevel::{self, Full, ReadOnly, Supervised};
use crate::judgement::Judgement;

fn server(url: &str) -> Server {
    Server::of(&Url::parse(url).unwrap()).unwrap()
}

fn patterns(texts: &[&str]) -> Vec<HostPattern> {
    texts
        .iter()
        .map(|text| HostPattern::parse(text).unwrap_or_else(|| panic!("{text} is no pattern")))
        .collect()
}

#[track_caller]
fn covers(pattern: &str, urls: &[&str], expected: bool) {
    let rules = patterns(&[pattern]);
    for url in urls {
        assert_eq!(rules[0].covers(&server(url)), expected, "{pattern}: {url}");
    }
}

#[test]
fn a_name_stands_for_itself_on_the_ports_of_the_web() {
    covers(
        "Example.org",
        &[
            "http://example.org/",
            "https://EXAMPLE.ORG/x",
            "https://example.org./",
            "http://example.org:443/",
        ],
        true,
    );
    covers(
        "example.org",
        &[
            "https://www.example.org/",
            "https://example.org.evil.net/",
            "https://example.org:8443/",
            "https://notexample.org/",
        ],
        false,
    );
}

#[test]
fn a_star_stands_for_every_name_below() {
    covers(
        "*.example.org",
        &["https://a.example.org/", "https://b.a.example.org/"],
        true,
    );
    covers(
        "*.example.org",
        &[
            "https://example.org/",
            "https://aexample.org/",
            "https://a.example.org:8080/",
        ],
        false,
    );
}

#[test]
fn a_port_is_the_only_one() {
    covers("example.org:8443", &["https://example.org:8443/"], true);
    covers("example.org:8443", &["https://example.org/"], false);
    covers("[::1]:80", &["http://[::1]/", "http://[0:0::1]:80/"], true);
    covers(
        "127.0.0.1:80",
        &["http://2130706433/", "http://0x7f.1/"],
        true,
    );
}

#[test]
fn a_name_in_other_letters_is_the_same_name() {
    covers("bücher.example", &["https://xn--bcher-kva.example/"], true);
    covers("xn--bcher-kva.example", &["https://BÜCHER.example/"], true);
}

#[test]
fn what_is_no_pattern_is_refused() {
    for text in [
        "",
        "*",
        "*.",
        ".",
        "*.*.org",
        "a*.org",
        "http://example.org",
        "example.org/x",
        "user@example.org",
        "example.org:0",
        "example.org:+80",
        "example.org:99999",
        "example.org:",
        "*.127.0.0.1",
        "::1",
        "a b",
    ] {
        assert_eq!(HostPattern::parse(text), None, "{text:?}");
    }
}

#[test]
fn the_strictest_rule_counts() {
    let rules = HostRules {
        allow: patterns(&["*.example.org", "open.net"]),
        ask: patterns(&["ask.example.org", "*.open.net"]),
        deny: patterns(&["deny.example.org"]),
        private: Vec::new(),
    };
    let table = [
        ("https://a.example.org/", Standing::Allowed),
        ("https://ask.example.org/", Standing::Asked),
        ("https://deny.example.org/", Standing::Denied),
        ("https://deny.example.org:8443/", Standing::Denied),
        ("https://open.net/", Standing::Allowed),
        ("https://a.open.net/", Standing::Asked),
        ("https://else.where/", Standing::Unlisted),
    ];
    for (url, expected) in table {
        assert_eq!(rules.standing(&server(url)), expected, "{url}");
    }
}

#[test]
fn only_a_rule_opens_another_port() {
    let rules = HostRules {
        allow: patterns(&["a.org:8443", "b.org"]),
        ask: patterns(&["c.org:81"]),
        deny: patterns(&["d.org:82"]),
        private: patterns(&["nas.local:5000"]),
    };
    let opened = |url| rules.opens_port(&server(url));
    for url in [
        "http://any.org/",
        "https://any.org/",
        "https://a.org:8443/",
        "http://c.org:81/",
        "http://nas.local:5000/",
    ] {
        assert!(opened(url), "{url}");
    }
    for url in [
        "https://b.org:8443/",
        "http://d.org:82/",
        "http://any.org:22/",
    ] {
        assert!(!opened(url), "{url}");
    }
}

/// What is said of a request in a word, for each level.
fn told(url: &str, changes: bool, tainted: bool, network_is_free: bool) -> String {
    let rules = HostRules {
        allow: patterns(&["allowed.org"]),
        ask: patterns(&["asked.org"]),
        deny: patterns(&["denied.org"]),
        private: Vec::new(),
    };
    let server = server(url);
    let word = |level: AutonomyLevel| {
        let wanted = Wanted {
            server: &server,
            changes,
            tainted,
            level,
            network_is_free,
        };
        match rules.judge(wanted) {
            Judgement::Allow => "allow".to_owned(),
            Judgement::Ask(reason) => format!("{reason:?}"),
            Judgement::Deny(_) => "deny".to_owned(),
        }
    };
    [ReadOnly, Supervised, Full].map(word).join(" ")
}

#[test]
fn each_level_has_its_own_answer_to_each_request() {
    const READS: bool = false;
    const CHANGES: bool = true;
    let rows = [
        ("https://allowed.org/", READS, "allow allow allow"),
        ("https://asked.org/", READS, "Fetches Fetches Fetches"),
        ("https://denied.org/", READS, "deny deny deny"),
        ("https://other.org/", READS, "Fetches Fetches deny"),
        ("https://other.org:22/", READS, "deny deny deny"),
        ("https://allowed.org/", CHANGES, "deny SendsRequest allow"),
        (
            "https://asked.org/",
            CHANGES,
            "deny SendsRequest SendsRequest",
        ),
        ("https://denied.org/", CHANGES, "deny deny deny"),
        ("https://other.org/", CHANGES, "deny SendsRequest deny"),
    ];
    for (url, changes, expected) in rows {
        assert_eq!(told(url, changes, false, false), expected, "{url}");
    }
}

#[test]
fn a_free_network_frees_reading_of_what_no_rule_names() {
    assert_eq!(
        told("https://other.org/", false, false, true),
        "allow allow allow"
    );
    assert_eq!(
        told("https://asked.org/", false, false, true),
        "Fetches Fetches Fetches"
    );
    assert_eq!(
        told("https://denied.org/", false, false, true),
        "deny deny deny"
    );
    assert_eq!(
        told("https://other.org/", true, false, true),
        "deny SendsRequest deny"
    );
}

#[test]
fn after_text_from_outside_every_request_asks() {
    let asks = "FetchesAfterOutsideText FetchesAfterOutsideText FetchesAfterOutsideText";
    assert_eq!(told("https://allowed.org/", false, true, true), asks);
    assert_eq!(told("https://other.org/", false, true, true), asks);
    assert_eq!(
        told("https://allowed.org/", true, true, true),
        "deny SendsRequest SendsRequest"
    );
    assert_eq!(
        told("https://denied.org/", false, true, true),
        "deny deny deny"
    );
}
