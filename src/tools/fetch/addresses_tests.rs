//! The edges of every range, and agreement with what the standard library knows.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::Special::{
    self, Benchmarking, CarriesIpv4, CloudHost, Documentation, LinkLocal, Loopback, Multicast,
    Private, Reserved, Shared,
};
use super::special;

#[track_caller]
fn check(addresses: &[&str], expected: Option<Special>) {
    for address in addresses {
        assert_eq!(special(address.parse().unwrap()), expected, "{address}");
    }
}

#[test]
fn public_addresses_are_nothing_special() {
    check(
        &[
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "203.0.112.255",
            "223.255.255.255",
            "168.63.129.15",
            "2606:4700::1111",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2003::1",
            "3ffe:ffff::1",
            "3fff:1000::1",
            "2a00:1450::1",
        ],
        None,
    );
}

#[test]
fn every_range_of_ipv4_is_known() {
    check(&["127.0.0.1", "127.255.255.255"], Some(Loopback));
    check(
        &[
            "10.0.0.0",
            "10.255.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.168.0.0",
        ],
        Some(Private),
    );
    check(
        &["100.64.0.0", "100.100.100.200", "100.127.255.255"],
        Some(Shared),
    );
    check(&["169.254.0.0", "169.254.169.254"], Some(LinkLocal));
    check(&["168.63.129.16"], Some(CloudHost));
    check(&["224.0.0.1", "239.255.255.255"], Some(Multicast));
    check(
        &["192.0.2.0", "198.51.100.255", "203.0.113.0"],
        Some(Documentation),
    );
    check(&["198.18.0.0", "198.19.255.255"], Some(Benchmarking));
    check(&["192.88.99.1"], Some(CarriesIpv4));
    check(
        &[
            "0.0.0.0",
            "0.255.255.255",
            "192.0.0.192",
            "192.31.196.1",
            "192.52.193.1",
            "192.175.48.1",
            "240.0.0.0",
            "255.255.255.255",
        ],
        Some(Reserved),
    );
}

#[test]
fn every_range_of_ipv6_is_known() {
    check(&["::1"], Some(Loopback));
    check(&["fc00::", "fd00:ec2::254", "fec0::1"], Some(Private));
    check(&["fe80::1", "febf::1"], Some(LinkLocal));
    check(&["ff02::1"], Some(Multicast));
    check(
        &["2001:db8::1", "3fff::1", "3fff:fff::1"],
        Some(Documentation),
    );
    check(&["2001:2::1"], Some(Benchmarking));
    check(
        &[
            "::7f00:1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::a00:1",
            "2002:7f00:1::",
            "2002:0808:0808::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        ],
        Some(CarriesIpv4),
    );
    check(
        &[
            "::",
            "::ffff:0:127.0.0.1",
            "100::1",
            "100:0:0:1::1",
            "2001:1::1",
            "2001:3::1",
            "2001:10::1",
            "2001:1ff::1",
            "2620:4f:8000::1",
            "5f00::1",
            "4000::1",
            "1000::1",
            "fe00::1",
        ],
        Some(Reserved),
    );
}

proptest! {
    #[test]
    fn what_the_standard_library_knows_is_known_here(bits in any::<u32>(), range in 0..8_usize) {
        let beginnings = [0x7f00_0000, 0x0a00_0000, 0xac10_0000, 0xc0a8_0000, 0xa9fe_0000,
            0xe000_0000, 0, bits];
        let address = Ipv4Addr::from_bits(beginnings[range] | (bits >> 12));
        let is_special = address.is_loopback()
            || address.is_private()
            || address.is_link_local()
            || address.is_broadcast()
            || address.is_documentation()
            || address.is_unspecified()
            || address.is_multicast();
        prop_assert!(!is_special || special(IpAddr::V4(address)).is_some(), "{}", address);
    }

    #[test]
    fn no_ipv6_address_of_a_machine_or_a_home_is_public(bits in any::<u128>(), range in 0..4_usize) {
        let beginnings = [0xfc, 0xfe, 0xff, 0x00_u128].map(|byte| byte << 120);
        let address = Ipv6Addr::from_bits(beginnings[range] | (bits >> 9));
        let is_special = address.is_loopback()
            || address.is_unspecified()
            || address.is_multicast()
            || address.is_unique_local()
            || address.is_unicast_link_local();
        prop_assert!(!is_special || special(IpAddr::V6(address)).is_some(), "{}", address);
    }

    #[test]
    fn no_clothes_make_an_ipv4_address_public(bits in any::<u32>()) {
        let address = u128::from(bits);
        for clothed in [
            address,
            address | 0xffff << 32,
            address | 0x64_ff9b << 96,
            address | 0x64_ff9b_0001 << 80,
            address << 80 | 0x2002 << 112,
            !address & 0xffff_ffff | 0x2001_0000 << 96,
        ] {
            let clothed = Ipv6Addr::from_bits(clothed);
            prop_assert!(special(IpAddr::V6(clothed)).is_some(), "{}", clothed);
        }
    }
}
