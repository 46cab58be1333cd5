//! Channels that fall over, and channels that cannot go on.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use sayso_channel::fake::FakeChannel;
use sayso_channel::{
    Address, AttachmentRef, Command, HealthStatus, MessageKey, Outbound, Part, Profile, SendKey,
    SentMessage, Speaker,
};
use sayso_store::Store;
use secrecy::SecretString;
use tempfile::TempDir;

use super::*;

/// A channel whose first listening goes as the test wants; the second is in order.
struct Clumsy {
    channel: FakeChannel,
    first: fn() -> Result<(), ChannelError>,
    listened: AtomicUsize,
}

#[async_trait]
impl Channel for Clumsy {
    fn profile(&self) -> &Profile {
        self.channel.profile()
    }

    async fn listen(&self, inbox: Inbox, shutdown: CancellationToken) -> Result<(), ChannelError> {
        if self.listened.fetch_add(1, Ordering::SeqCst) == 0 {
            return (self.first)();
        }
        self.channel.listen(inbox, shutdown).await
    }

    async fn announce(&self, commands: &[Command]) -> Result<(), ChannelError> {
        self.channel.announce(commands).await
    }

    async fn fetch(
        &self,
        attachment: &AttachmentRef,
        into: &mut tokio::fs::File,
    ) -> Result<(), ChannelError> {
        self.channel.fetch(attachment, into).await
    }
}

#[async_trait]
impl Speaker for Clumsy {
    fn render(&self, message: &Outbound) -> Vec<Part> {
        self.channel.render(message)
    }

    async fn send(
        &self,
        to: &Address,
        part: &Part,
        key: &SendKey,
    ) -> Result<SentMessage, ChannelError> {
        self.channel.send(to, part, key).await
    }

    async fn edit(&self, sent: &SentMessage, part: &Part) -> Result<(), ChannelError> {
        self.channel.edit(sent, part).await
    }

    async fn delete(&self, sent: &SentMessage) -> Result<(), ChannelError> {
        self.channel.delete(sent).await
    }

    async fn react(&self, to: &Address, message: &MessageKey) -> Result<(), ChannelError> {
        self.channel.react(to, message).await
    }

    async fn typing(&self, to: &Address) -> Result<(), ChannelError> {
        self.channel.typing(to).await
    }
}

/// A supervised channel with a database of its own.
struct Scene {
    _directory: TempDir,
    channel: Arc<Clumsy>,
    health: Health,
    store: Store,
}

impl Scene {
    async fn new(first: fn() -> Result<(), ChannelError>) -> Self {
        let directory = TempDir::new().unwrap();
        let store = Store::open(&directory.path().join("sayso.db")).await;
        Self {
            _directory: directory,
            channel: Arc::new(Clumsy {
                channel: FakeChannel::new("fake"),
                first,
                listened: AtomicUsize::new(0),
            }),
            health: Health::new(),
            store: store.unwrap(),
        }
    }

    /// Runs the channel until it ends, or until it is connected and told to end.
    async fn run(&self) {
        let token = SecretString::from("a token");
        let supervised = Supervised {
            channel: Arc::clone(&self.channel) as Arc<dyn Channel>,
            health: self.health.clone(),
            lease: Some(Lease::new(self.store.clone(), &token, "us".to_owned())),
        };
        let (inbox, _deliveries) = Inbox::new(self.health.clone(), 1);
        let shutdown = CancellationToken::new();
        let running = supervised.run(inbox, shutdown.clone());
        let connected = async {
            while self.health.read().status != HealthStatus::Connected {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            shutdown.cancel();
            std::future::pending::<()>().await;
        };
        let ended = tokio::time::timeout(Duration::from_secs(20), async {
            tokio::select! {
                _ = running => {}
                () = connected => {}
            }
        });
        assert!(ended.await.is_ok(), "it neither ended nor connected");
    }

    fn listened(&self) -> usize {
        self.channel.listened.load(Ordering::SeqCst)
    }

    /// Whether somebody else could listen with the token now.
    async fn is_free(&self) -> bool {
        let token = SecretString::from("a token");
        let stranger = Lease::new(self.store.clone(), &token, "a stranger".to_owned());
        let told = CancellationToken::new();
        told.cancel();
        stranger.wait(&Health::new(), &told).await
    }
}

#[tokio::test]
async fn panic_is_told_and_the_channel_starts_again() {
    let scene = Scene::new(|| panic!("fell over")).await;
    scene.run().await;
    assert_eq!(scene.listened(), 2);
    let (fault, _) = scene.health.read().last_fault.unwrap();
    assert_eq!(fault, "it broke down; this is a fault of Sayso");
}

#[tokio::test]
async fn end_that_no_one_asked_for_is_no_end() {
    let scene = Scene::new(|| Ok(())).await;
    scene.run().await;
    assert_eq!(scene.listened(), 2);
    assert_eq!(scene.health.read().interruptions, 1);
}

#[tokio::test]
async fn fault_that_may_pass_is_no_end() {
    let scene = Scene::new(|| Err(ChannelError::Unreachable("the line is cut".to_owned()))).await;
    scene.run().await;
    assert_eq!(scene.listened(), 2);
}

#[tokio::test]
async fn what_cannot_go_on_ends_for_good_and_gives_its_lease_back() {
    for refused in [
        || Err(ChannelError::Unauthorized("no".to_owned())),
        || Err(ChannelError::Rejected("no".to_owned())),
    ] {
        let scene = Scene::new(refused).await;
        scene.run().await;
        assert_eq!(scene.listened(), 1);
        assert!(matches!(
            scene.health.read().status,
            HealthStatus::Stopped(_)
        ));
        assert!(scene.is_free().await);
    }
}
