//! Which IP addresses are not of the public internet, and what they are instead.
//!
//! The ranges are those of the special-purpose registries of IANA (RFC 6890 and its updates),
//! with multicast and the unassigned space. For IPv6 the question is turned around: only
//! `2000::/3` is given out to the public (RFC 4291, section 2.4), and a few ranges in it are not.
//! What carries an IPv4 address inside (NAT64, 6to4, Teredo, mapped) is refused as a whole.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address is that is not public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// This machine.
    Loopback,
    /// A network at home or at work.
    Private,
    /// Between the customers of a provider, or in a network of one's own over the internet.
    Shared,
    /// The same wire; clouds give out passwords there.
    LinkLocal,
    /// The host of a virtual machine, at an address that looks public.
    CloudHost,
    /// Many receivers.
    Multicast,
    /// Examples in documents.
    Documentation,
    /// Measuring of equipment.
    Benchmarking,
    /// An IPv4 address in other clothes.
    CarriesIpv4,
    /// Set aside for protocols, or for nothing yet.
    Reserved,
}

impl Special {
    /// Returns the kind in words: "a ... address".
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loopback => "loopback",
            Self::Private => "private",
            Self::Shared => "carrier's shared",
            Self::LinkLocal => "link-local",
            Self::CloudHost => "cloud host's",
            Self::Multicast => "multicast",
            Self::Documentation => "documentation",
            Self::Benchmarking => "benchmarking",
            Self::CarriesIpv4 => "translated IPv4",
            Self::Reserved => "reserved",
        }
    }

    /// Returns whether an operator's own servers are at such addresses: those that a name on
    /// `tools.allow_private_hosts` may lead to. All others must be listed as addresses.
    pub fn is_at_home(self) -> bool {
        match self {
            Self::Loopback | Self::Private | Self::Shared => true,
            Self::LinkLocal
            | Self::CloudHost
            | Self::Multicast
            | Self::Documentation
            | Self::Benchmarking
            | Self::CarriesIpv4
            | Self::Reserved => false,
        }
    }
}

const fn v4(octets: [u8; 4], prefix: u32, special: Special) -> (u32, u32, Special) {
    (u32::from_be_bytes(octets), prefix, special)
}

const fn v6(segments: [u16; 2], prefix: u32, special: Special) -> (u32, u32, Special) {
    let [high, low] = segments;
    ((high as u32) << 16 | low as u32, prefix, special)
}

/// The registry of IPv4, with multicast (RFC 5771) and the two metadata addresses that are not in
/// a range of it.
const IPV4: [(u32, u32, Special); 21] = [
    v4([0, 0, 0, 0], 8, Special::Reserved),
    v4([10, 0, 0, 0], 8, Special::Private),
    v4([100, 64, 0, 0], 10, Special::Shared),
    v4([127, 0, 0, 0], 8, Special::Loopback),
    // The wire server of Azure, which hands out certificates and settings.
    v4([168, 63, 129, 16], 32, Special::CloudHost),
    v4([169, 254, 0, 0], 16, Special::LinkLocal),
    v4([172, 16, 0, 0], 12, Special::Private),
    v4([192, 0, 0, 0], 24, Special::Reserved),
    v4([192, 0, 2, 0], 24, Special::Documentation),
    // AS112, AMT, the relays of 6to4, and AS112 again.
    v4([192, 31, 196, 0], 24, Special::Reserved),
    v4([192, 52, 193, 0], 24, Special::Reserved),
    v4([192, 88, 99, 0], 24, Special::CarriesIpv4),
    v4([192, 168, 0, 0], 16, Special::Private),
    v4([192, 175, 48, 0], 24, Special::Reserved),
    v4([198, 18, 0, 0], 15, Special::Benchmarking),
    v4([198, 51, 100, 0], 24, Special::Documentation),
    v4([203, 0, 113, 0], 24, Special::Documentation),
    v4([224, 0, 0, 0], 4, Special::Multicast),
    v4([233, 252, 0, 0], 24, Special::Documentation),
    v4([240, 0, 0, 0], 4, Special::Reserved),
    v4([255, 255, 255, 255], 32, Special::Reserved),
];

/// The ranges of IPv6 that have a kind of their own, by their first 32 bits; what is in none of
/// them and not in `2000::/3` is reserved. The first that fits counts.
const IPV6: [(u32, u32, Special); 12] = [
    // 64:ff9b::/96 and 64:ff9b:1::/48 are NAT64; what lies between them is nothing.
    v6([0x64, 0xff9b], 32, Special::CarriesIpv4),
    // Teredo.
    v6([0x2001, 0], 32, Special::CarriesIpv4),
    v6([0x2001, 2], 32, Special::Benchmarking),
    v6([0x2001, 0xdb8], 32, Special::Documentation),
    // All other assignments to protocols: ORCHID, AMT, drones.
    v6([0x2001, 0], 23, Special::Reserved),
    // 6to4.
    v6([0x2002, 0], 16, Special::CarriesIpv4),
    // 2620:4f:8000::/48 is AS112; the rest of its /32 goes with it.
    v6([0x2620, 0x4f], 32, Special::Reserved),
    v6([0x3fff, 0], 20, Special::Documentation),
    v6([0xfc00, 0], 7, Special::Private),
    v6([0xfe80, 0], 10, Special::LinkLocal),
    v6([0xfec0, 0], 10, Special::Private),
    v6([0xff00, 0], 8, Special::Multicast),
];

/// Returns what an address is when it is not public.
pub(crate) fn special(address: IpAddr) -> Option<Special> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

fn special_v4(address: Ipv4Addr) -> Option<Special> {
    in_range(&IPV4, address.to_bits())
}

fn special_v6(address: Ipv6Addr) -> Option<Special> {
    let bits = address.to_bits();
    let beginning = (bits >> 96) as u32;
    let is_given_out = beginning >> 29 == 0b001;
    match bits {
        1 => Some(Special::Loopback),
        // `::a.b.c.d` and `::ffff:a.b.c.d`.
        2.. if bits >> 32 == 0 || bits >> 32 == 0xffff => Some(Special::CarriesIpv4),
        _ => in_range(&IPV6, beginning).or((!is_given_out).then_some(Special::Reserved)),
    }
}

fn in_range(ranges: &[(u32, u32, Special)], bits: u32) -> Option<Special> {
    ranges
        .iter()
        .find(|(network, prefix, _)| (bits ^ network) >> (32 - prefix) == 0)
        .map(|(_, _, special)| *special)
}

#[cfg(test)]
#[path = "addresses_tests.rs"]
mod tests;
