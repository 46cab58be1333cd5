//! Every spelling of an address, and that no change of a refused URL gets it through.

use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;
use sayso_policy::{HostPattern, HostRules};

use super::{BadUrl, Target};
use crate::addresses::{Special, special};

fn parsed(url: &str) -> Result<Target, BadUrl> {
    Target::parse(url, &HostRules::default())
}

#[track_caller]
fn refused(urls: &[&str], expected: BadUrl) {
    for url in urls {
        assert_eq!(parsed(url), Err(expected), "{url}");
    }
}

#[test]
fn a_url_is_fetched_as_the_standard_spells_it() {
    let spelled = |url| parsed(url).unwrap().url().to_string();
    assert_eq!(spelled("HTTPS://Example.ORG"), "https://example.org/");
    assert_eq!(spelled("https://example.org./a"), "https://example.org/a");
    assert_eq!(
        spelled("https://example.org/a#secret"),
        "https://example.org/a"
    );
    assert_eq!(
        spelled("https://b\u{fc}cher.example/\u{4f60}"),
        "https://xn--bcher-kva.example/%E4%BD%A0"
    );
    assert_eq!(spelled("http://1.1.1.1:80/"), "http://1.1.1.1/");
    assert_eq!(spelled("https:example.org"), "https://example.org/");
}

#[test]
fn every_spelling_of_this_machine_is_refused() {
    refused(
        &[
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://127.0.0.1./",
            "http://127.000.000.001/",
            "http://%31%32%37.0.0.1/",
            "http://\u{ff11}\u{ff12}\u{ff17}.0.0.1/",
            "http://127\u{3002}0\u{3002}0\u{3002}1/",
            "http://1\t27.0.0.1/",
            "http:\\\\127.0.0.1\\",
            "http:///127.0.0.1/",
            "http://127.0.0.1\\@example.org@x/",
            "http://[::1]/",
            "http://[0:0:0:0:0:0:0:1]/",
            "http://localhost/",
            "http://LOCALHOST./",
            "http://a.localhost/",
        ],
        BadUrl::NotPublic(Special::Loopback),
    );
}

#[test]
fn the_address_behind_the_clothes_does_not_matter() {
    refused(
        &[
            "http://[::ffff:8.8.8.8]/",
            "http://[::ffff:7f00:1]/",
            "http://[64:ff9b::a9fe:a9fe]/",
            "http://[2002:a9fe:a9fe::]/",
        ],
        BadUrl::NotPublic(Special::CarriesIpv4),
    );
    refused(
        &[
            "http://169.254.169.254/latest/meta-data/",
            "http://0xa9fea9fe/",
        ],
        BadUrl::NotPublic(Special::LinkLocal),
    );
}

#[test]
fn a_host_cannot_hide_behind_a_name_and_a_password() {
    refused(
        &[
            "http://example.org@127.0.0.1/",
            "http://example.org:80@127.0.0.1/",
            "http://a:b@example.org/",
            "http://:b@example.org/",
        ],
        BadUrl::Password,
    );
}

#[test]
fn what_is_not_of_the_web_is_refused() {
    refused(
        &[
            "file:///etc/passwd",
            "ftp://example.org/",
            "gopher://127.0.0.1:70/",
            "data:text/plain,x",
            "javascript:alert(1)",
            "unix:/run/docker.sock",
        ],
        BadUrl::Scheme,
    );
    refused(
        &[
            "",
            "example.org",
            "//example.org/",
            "/x",
            "http://",
            "http://a b/",
        ],
        BadUrl::Unreadable,
    );
    refused(
        &[
            "http://a..b/",
            "http://1.0../",
            "http://a../",
            "http://$(id).example.org/",
            "http://*.org/",
        ],
        BadUrl::Host,
    );
    let long = format!("https://example.org/{}", "x".repeat(4096));
    refused(&[&long], BadUrl::TooLong);
    let long_on_the_wire = format!("https://example.org/{}", "\u{4f60}".repeat(1000));
    refused(&[&long_on_the_wire], BadUrl::TooLong);
}

#[test]
fn an_address_of_ones_own_is_fetched_only_where_it_is_listed_with_its_port() {
    let rules = HostRules {
        private: vec![HostPattern::parse("127.0.0.1:8080").unwrap()],
        ..HostRules::default()
    };
    assert!(Target::parse("http://127.0.0.1:8080/", &rules).is_ok());
    for url in [
        "http://127.0.0.1/",
        "http://127.0.0.1:8081/",
        "http://127.0.0.2:8080/",
        "http://[::1]:8080/",
        "http://localhost:8080/",
    ] {
        assert!(Target::parse(url, &rules).is_err(), "{url}");
    }
}

/// Ways of writing an IPv4 address in a URL.
fn spelled(address: Ipv4Addr, way: usize) -> String {
    let [a, b, c, d] = address.octets();
    let low = u32::from(c) << 8 | u32::from(d);
    match way {
        0 => address.to_string(),
        1 => address.to_bits().to_string(),
        2 => format!("{:#x}", address.to_bits()),
        3 => format!("{:#o}", address.to_bits()).replace("0o", "0"),
        4 => format!("{a}.{b}.{low}"),
        5 => format!("{a:#x}.{b:#X}.{c}.0{d:o}").replace("0X", "0x"),
        6 => format!("{address}."),
        7 => format!("[::ffff:{address}]"),
        8 => format!("[64:ff9b::{address}]"),
        9 => format!("[2002:{a:02x}{b:02x}:{c:02x}{d:02x}::]"),
        10 => address.to_string().replace('.', "\u{3002}"),
        11 => address.to_string().replace('1', "%31"),
        12 => address.to_string().replace('2', "\u{ff12}"),
        13 => format!("[::{address}]"),
        _ => address.to_string().replace('0', "\u{1d7ce}"),
    }
}

/// Ways of writing a URL around a host.
fn around(host: &str, way: usize) -> String {
    match way {
        0 => format!("http://{host}/"),
        1 => format!("HTTPS://{host}"),
        2 => format!("http:\\\\{host}\\x"),
        3 => format!("http:/{host}"),
        4 => format!("  http://{host}/?x=http://example.org/"),
        5 => format!("http://example.org@{host}/"),
        6 => format!("http://{host}:443/#@example.org"),
        7 => format!("ht\ntp://{host}\t/"),
        _ => format!("http://{host}?@example.org/"),
    }
}

proptest! {
    #[test]
    fn no_spelling_gets_an_address_through_that_is_not_public(
        bits in any::<u32>(),
        network in 0..6_usize,
        spelling in 0..15_usize,
        way in 0..9_usize,
    ) {
        let networks = [0x7f00_0000, 0x0a00_0000, 0xc0a8_0000, 0xa9fe_0000, 0xac10_0000, 0];
        let address = Ipv4Addr::from_bits(networks[network] | (bits >> 16));
        prop_assert!(special(IpAddr::V4(address)).is_some());
        let url = around(&spelled(address, spelling), way);
        prop_assert!(parsed(&url).is_err(), "{:?} became {:?}", url, parsed(&url));
    }

    #[test]
    fn what_is_let_through_is_a_name_or_a_public_address(url in "(http://|https:|)[0-9a-fx.:@/\\\\%\\[\\]\u{3002}\u{ff11}-]{0,40}") {
        if let Ok(target) = parsed(&url) {
            if let Some(address) = target.literal() {
                prop_assert_eq!(special(address), None, "{}", url);
            } else {
                // The standard reads a last label that is a number as part of an IPv4 address.
                let last = target.server().host().rsplit('.').next().unwrap();
                prop_assert!(last.parse::<u64>().is_err(), "{}", url);
            }
            // What was checked is what is fetched: reading it again changes nothing.
            prop_assert_eq!(parsed(target.url().as_str()), Ok(target.clone()));
        }
    }

    #[test]
    fn no_text_makes_the_check_panic(url in "\\PC{0,80}", location in "\\PC{0,80}") {
        let rules = HostRules::default();
        let _ = Target::parse(&url, &rules);
        let base = parsed("https://example.org/a/b").unwrap();
        if let Ok(target) = base.join(&location, &rules) {
            prop_assert_eq!(target.literal().and_then(special), None);
        }
    }
}
