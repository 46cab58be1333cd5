//! The gateway: one connection of one shard, and what has to be kept between connections.
//!
//! serenity's gateway has no part in this: it runs each event as a task of its own, so their order
//! is lost, reconnects without a pause, and falls back to the real Discord when its address is not
//! given. Protocol: <https://docs.discord.com/developers/events/gateway>.
//!
//! Invariants: reading the socket never waits for the processing of an event; a session is resumed
//! from the sequence number of an event that was accepted.

mod close_codes;
mod connection;
#[cfg(test)]
mod connection_tests;
mod frames;
mod heartbeat;
mod identify;
mod reasons;

use url::Url;

pub(crate) use close_codes::Ending;
pub(crate) use connection::{Connection, QueueFull};
pub(crate) use identify::{Allowance, Identifies};
pub(crate) use reasons::no_gateway;

/// The version of the gateway's protocol that we speak, and how it is written.
const PROTOCOL: &str = "v=10&encoding=json";

/// One of the connections that share what is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Its number, from 0.
    pub(crate) index: u16,
    /// How many there are.
    pub(crate) count: u16,
}

impl Shard {
    /// Returns whether a server is heard by this shard; direct chats are by the first
    /// (<https://docs.discord.com/developers/events/gateway#sharding>).
    pub(crate) fn hears(self, server: Option<u64>) -> bool {
        let server = server.unwrap_or_default();
        (server >> 22) % u64::from(self.count.max(1)) == u64::from(self.index)
    }
}

/// A session that can be resumed.
#[derive(Clone)]
pub(crate) struct Session {
    id: String,
    /// Where it is resumed.
    url: Url,
    /// The number of the last event that was taken.
    sequence: u64,
}

/// Something that the gateway tells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dispatch {
    /// What happened: `MESSAGE_CREATE`.
    pub(crate) name: String,
    /// The object it happened to.
    pub(crate) data: serde_json::Value,
}

/// Returns the address of a connection. One that is not encrypted is taken only where the whole
/// gateway is not: the token travels there.
fn address(url: &Url, gateway: &Url) -> Option<Url> {
    let is_right = match url.scheme() {
        "wss" => true,
        "ws" => gateway.scheme() == "ws",
        _ => false,
    };
    let mut address = url.clone();
    address.set_query(Some(PROTOCOL));
    is_right.then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_spread_as_discord_spreads_them() {
        let shard = |index| Shard { index, count: 2 };
        let server = 3 << 22;
        assert!(shard(1).hears(Some(server)));
        assert!(!shard(0).hears(Some(server)));
        assert!(shard(0).hears(None));
    }

    #[test]
    fn resumed_session_is_never_less_secret_than_the_first() {
        let url = |text: &str| Url::parse(text).unwrap();
        let safe = url("wss://gateway.discord.gg");
        let open = url("ws://127.0.0.1:1/?x=1");
        assert_eq!(address(&open, &safe), None);
        assert_eq!(address(&url("https://a.b"), &safe), None);
        let local = address(&open, &open).unwrap();
        assert_eq!(local.as_str(), "ws://127.0.0.1:1/?v=10&encoding=json");
    }
}
