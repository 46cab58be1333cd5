//! Hearing: events reach the inbox by the gateway, in order, and what was missed is read back.
//!
//! Each shard is a connection (`shard`), a queue that passes messages on chat by chat
//! (`chat_queue`), and a dispatcher that answers interactions (`interactions`); none waits for
//! another. What may pass is waited out here; only what no further attempt can change (a refused
//! token, an intent that is not allowed) ends the channel.

mod ask;
mod backoff;
mod catch_up;
mod chat_queue;
mod connections;
mod event_reader;
mod interactions;
mod messages;
mod presses;
mod recent;
mod round;
mod shard;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use sayso_channel::{ChannelError, Inbox};
use serde::Deserialize;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::debug;
use url::Url;

use crate::DiscordConfig;
use crate::config::Shards;
use crate::from_discord::EventMapper;
use crate::gateway::{Allowance, Identifies, Shard, no_gateway};
use crate::identity::Identity;
use crate::rest::{Request, Rest};
use connections::Connections;

/// What the intents are called, and their bits
/// (<https://docs.discord.com/developers/events/gateway#list-of-intents>).
const GUILDS: u64 = 1;
const GUILD_MESSAGES: u64 = 1 << 9;
const DIRECT_MESSAGES: u64 = 1 << 12;
const MESSAGE_CONTENT: u64 = 1 << 15;

/// What hearing needs.
#[derive(Clone, Copy)]
struct Listener<'a> {
    rest: &'a Rest,
    config: &'a DiscordConfig,
    inbox: &'a Inbox,
    shutdown: &'a CancellationToken,
}

/// Where the gateway is and how it may be used
/// (<https://docs.discord.com/developers/events/gateway#get-gateway-bot>).
#[derive(Debug, Deserialize)]
struct Gateway {
    url: Url,
    shards: u16,
    session_start_limit: StartLimit,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct StartLimit {
    total: u32,
    remaining: u32,
    reset_after: u64,
    max_concurrency: u16,
}

/// Hears until `shutdown`; an error means that this channel cannot go on.
pub(crate) async fn listen(
    rest: &Rest,
    config: &DiscordConfig,
    inbox: &Inbox,
    shutdown: &CancellationToken,
) -> Result<(), ChannelError> {
    let listener = Listener {
        rest,
        config,
        inbox,
        shutdown,
    };
    let outcome = listener.run().await;
    if let Err(error) = &outcome {
        inbox.health().stopped(error.to_string());
    }
    outcome
}

impl Listener<'_> {
    async fn run(self) -> Result<(), ChannelError> {
        let Some(us) = self.until_it_works(|| Identity::ask(self.rest)).await? else {
            return Ok(());
        };
        self.inbox.health().speaks_as(us.account());
        let question = || self.rest.call::<Gateway>(Request::get("/gateway/bot"));
        let Some(gateway) = self.until_it_works(question).await? else {
            return Ok(());
        };
        if !self.may_trust(&gateway.url) {
            return Err(ChannelError::Rejected(no_gateway()));
        }
        self.hear(us, gateway).await
    }

    /// Returns whether a gateway is as secret as the API that named it: the token travels there.
    fn may_trust(self, gateway: &Url) -> bool {
        match gateway.scheme() {
            "wss" => true,
            "ws" => self.config.api_url.scheme() == "http",
            _ => false,
        }
    }

    /// Hears with all shards, until they have ended or one of them cannot go on.
    async fn hear(self, us: Identity, gateway: Gateway) -> Result<(), ChannelError> {
        let count = match self.config.shards {
            Shards::Auto => gateway.shards,
            Shards::Count(count) => count,
        }
        .max(1);
        let account = shard::Account {
            listener: self,
            intents: intents(&us),
            mapper: EventMapper {
                channel: self.config.name.clone(),
                us,
            },
            gateway: gateway.url,
            identifies: identifies(gateway.session_start_limit, self.config),
            connections: Connections::new(self.inbox.health().clone()),
        };
        let shards = (0..count).map(|index| account.hear(Shard { index, count }));
        let mut hearing: FuturesUnordered<_> = shards.collect();
        while let Some(ended) = hearing.next().await {
            ended?;
        }
        debug!(channel = %self.config.name, "all shards have ended");
        Ok(())
    }
}

fn identifies(limit: StartLimit, config: &DiscordConfig) -> Identifies {
    let allowance = Allowance {
        total: limit.total,
        remaining: limit.remaining,
        reset_after: Duration::from_millis(limit.reset_after),
        at_once: limit.max_concurrency,
    };
    let pause = backoff::between_sessions(&config.timeouts);
    Identifies::new(allowance, pause, Instant::now())
}

/// Returns what we want to hear. Asking for an intent that is not allowed ends the connection.
fn intents(us: &Identity) -> u64 {
    let always = GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES;
    if us.reads_messages {
        always | MESSAGE_CONTENT
    } else {
        always
    }
}

/// Returns the time in milliseconds since 1970.
fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis() as i64)
}
