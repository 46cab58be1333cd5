//! A bot that listens: the channel between a fake Telegram and a door that the test plays.

use std::sync::Arc;
use std::time::Duration;

use sayso_channel::{
    Address, Channel, ChannelError, ChannelName, Delivery, Event, Health, HealthStatus,
    HeardMessage, Inbound, Inbox, Notice, NoticeKind, Outbound, Receipt, SendKey, SentMessage,
    Speaker,
};
use sayso_fakes::{FakeTelegram, PATIENCE};
use sayso_telegram::{Telegram, TelegramConfig, Timeouts};
use secrecy::SecretString;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Pauses that do not make a test slow; a press has as long as in earnest.
pub(crate) const IMPATIENT: Timeouts = Timeouts {
    first_pause: Duration::from_millis(5),
    conflict_pause: Duration::from_millis(5),
    longest_pause: Duration::from_millis(20),
    answer_press_within: Duration::from_secs(2),
};

/// Returns the configuration of the fake's account.
pub(crate) fn config(fake: &FakeTelegram) -> TelegramConfig {
    let mut config = TelegramConfig::new(
        ChannelName::from("telegram"),
        SecretString::from(fake.token()),
        Url::parse(&fake.url()).unwrap(),
    );
    config.timeouts = IMPATIENT;
    config
}

/// Returns a channel that does not listen.
pub(crate) fn silent(fake: &FakeTelegram) -> Telegram {
    Telegram::new(config(fake)).unwrap()
}

pub(crate) fn address(chat: i64) -> Address {
    Address::chat("telegram", chat.to_string().as_str())
}

/// Renders a message that fits into one part, and sends it.
pub(crate) async fn send(
    channel: &Telegram,
    to: &Address,
    message: &Outbound,
) -> Result<SentMessage, ChannelError> {
    let parts = channel.render(message);
    assert_eq!(parts.len(), 1);
    channel
        .send(to, &parts[0], &SendKey("key".to_owned()))
        .await
}

/// A listening channel and the door behind it.
pub(crate) struct Bot {
    pub(crate) fake: FakeTelegram,
    pub(crate) channel: Arc<Telegram>,
    pub(crate) health: Health,
    pub(crate) deliveries: mpsc::Receiver<Delivery>,
    pub(crate) shutdown: CancellationToken,
    listening: JoinHandle<Result<(), ChannelError>>,
}

impl Bot {
    pub(crate) async fn starts() -> Self {
        let fake = FakeTelegram::start().await;
        let config = config(&fake);
        Self::starts_with(fake, config)
    }

    pub(crate) fn starts_with(fake: FakeTelegram, config: TelegramConfig) -> Self {
        let channel = Arc::new(Telegram::new(config).unwrap());
        let health = Health::new();
        let (inbox, deliveries) = Inbox::new(health.clone(), 64);
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
        delivery.receipt.send(Receipt::default()).unwrap();
        delivery.inbound
    }

    /// Stores what comes next, which is a message.
    pub(crate) async fn stores_message(&mut self) -> HeardMessage {
        message_of(self.stores().await)
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

pub(crate) fn notice(text: &str, alert: bool) -> Receipt {
    let kind = if alert {
        NoticeKind::Alert
    } else {
        NoticeKind::Passing
    };
    Receipt::with_notice(Some(Notice {
        text: text.to_owned(),
        kind,
    }))
}
