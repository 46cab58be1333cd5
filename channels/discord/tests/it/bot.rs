//! A bot that listens: the channel between a fake Discord and a door that the test plays.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use sayso_channel::{
    Address, Channel, ChannelError, ChannelName, Delivery, Event, Health, HealthStatus,
    HeardMessage, Inbound, Inbox, InboxClosed, LastHeard, Notice, NoticeKind, Past, Receipt,
};
use sayso_discord::{Discord, DiscordConfig, Timeouts};
use sayso_fakes::{FakeDiscord, PATIENCE};
use secrecy::SecretString;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Pauses that do not make a test slow; a press has as long as in earnest.
pub(crate) const IMPATIENT: Timeouts = Timeouts {
    first_pause: Duration::from_millis(5),
    longest_pause: Duration::from_millis(20),
    answer_press_within: Duration::from_millis(1500),
};

/// Returns the configuration of the fake's account.
pub(crate) fn config(fake: &FakeDiscord) -> DiscordConfig {
    let mut config = DiscordConfig::new(
        ChannelName::from("discord"),
        SecretString::from(fake.token()),
        Url::parse(&fake.url()).unwrap(),
    );
    config.timeouts = IMPATIENT;
    config
}

/// Returns a fake that lets sessions begin as fast as the tests let them.
pub(crate) async fn fake() -> FakeDiscord {
    let fake = FakeDiscord::start().await;
    fake.spaces_identifies_by(Duration::ZERO);
    fake
}

/// What was stored, as the door knows it.
#[derive(Default)]
pub(crate) struct Stored(Mutex<Vec<LastHeard>>);

impl Stored {
    /// Remembers a message.
    pub(crate) fn keep(&self, address: &Address, message: &HeardMessage) {
        let message = message.message.clone();
        let address = address.clone();
        self.0.lock().unwrap().push(LastHeard { address, message });
    }
}

#[async_trait]
impl Past for Stored {
    async fn last_heard(&self, _: &ChannelName) -> Result<Vec<LastHeard>, InboxClosed> {
        Ok(self.0.lock().unwrap().clone())
    }
}

/// A listening channel and the door behind it.
pub(crate) struct Bot {
    pub(crate) fake: FakeDiscord,
    pub(crate) channel: Arc<Discord>,
    pub(crate) health: Health,
    pub(crate) deliveries: mpsc::Receiver<Delivery>,
    pub(crate) shutdown: CancellationToken,
    stored: Arc<Stored>,
    listening: JoinHandle<Result<(), ChannelError>>,
}

impl Bot {
    /// Starts and waits until people can be heard.
    pub(crate) async fn starts() -> Self {
        let fake = fake().await;
        let config = config(&fake);
        let bot = Self::starts_with(fake, config);
        bot.fake.waits_for_sessions(1).await;
        bot
    }

    pub(crate) fn starts_with(fake: FakeDiscord, config: DiscordConfig) -> Self {
        Self::starts_again(fake, config, Arc::default())
    }

    fn starts_again(fake: FakeDiscord, config: DiscordConfig, stored: Arc<Stored>) -> Self {
        let channel = Arc::new(Discord::new(config).unwrap());
        let health = Health::new();
        let (inbox, deliveries) = Inbox::new(health.clone(), 64);
        let inbox = inbox.with_past(Arc::clone(&stored) as Arc<dyn Past>);
        let shutdown = CancellationToken::new();
        let listening = tokio::spawn({
            let (channel, shutdown) = (Arc::clone(&channel), shutdown.clone());
            async move { channel.listen(inbox, shutdown).await }
        });
        Self {
            fake,
            channel,
            health,
            deliveries,
            shutdown,
            stored,
            listening,
        }
    }

    /// Takes what comes next to the door and does not store it yet.
    pub(crate) async fn hears(&mut self) -> Delivery {
        timeout(PATIENCE, self.deliveries.recv())
            .await
            .expect("nothing came to the door")
            .expect("the channel gave its inbox up")
    }

    /// Stores what comes next.
    pub(crate) async fn stores(&mut self) -> Inbound {
        let delivery = self.hears().await;
        if let Event::Message(message) = &delivery.inbound.event {
            self.stored.keep(&delivery.inbound.address, message);
        }
        delivery.receipt.send(Receipt::default()).unwrap();
        delivery.inbound
    }

    /// Stores what comes next, which is a message.
    pub(crate) async fn stores_message(&mut self) -> HeardMessage {
        message_of(self.stores().await)
    }

    /// Stores as many messages as there are texts, which must be these in this order.
    pub(crate) async fn stores_texts(&mut self, texts: &[&str]) {
        for text in texts {
            assert_eq!(self.stores_message().await.text, *text);
        }
    }

    /// Waits for a state of health, at most as long as for anything.
    pub(crate) async fn waits_until(&self, is_so: impl Fn(&HealthStatus) -> bool) {
        let reached = async {
            while !is_so(&self.health.read().status) {
                tokio::task::yield_now().await;
            }
        };
        let outcome = timeout(PATIENCE, reached).await;
        assert!(outcome.is_ok(), "health stays {:?}", self.health.read());
    }

    /// Shuts down; the end must come at once.
    pub(crate) async fn shuts_down(self) {
        self.shutdown.cancel();
        assert_eq!(self.ends().await, Ok(()));
    }

    /// Shuts down, lets something happen meanwhile, and starts again with what was stored.
    pub(crate) async fn goes_away(self, meanwhile: impl FnOnce(&FakeDiscord)) -> Self {
        self.shutdown.cancel();
        let ended = timeout(PATIENCE, self.listening).await;
        ended.expect("listening goes on").unwrap().unwrap();
        self.fake.waits_until_disconnected().await;
        meanwhile(&self.fake);
        let config = config(&self.fake);
        Self::starts_again(self.fake, config, self.stored)
    }

    /// Waits for the end of listening and returns how it ended.
    pub(crate) async fn ends(self) -> Result<(), ChannelError> {
        let limit = Duration::from_secs(2);
        let ended = timeout(limit, self.listening).await;
        ended
            .expect("listening goes on")
            .expect("listening panicked")
    }
}

pub(crate) fn message_of(inbound: Inbound) -> HeardMessage {
    match inbound.event {
        Event::Message(message) => *message,
        other => panic!("not a message: {other:?}"),
    }
}

pub(crate) fn notice(text: &str) -> Receipt {
    Receipt::with_notice(Some(Notice {
        text: text.to_owned(),
        kind: NoticeKind::Passing,
    }))
}
