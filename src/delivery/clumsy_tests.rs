//! A send that panics costs its chat nothing, and its message is said again, marked.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use sayso_channel::fake::FakeChannel;
use sayso_channel::{
    Address, AttachmentRef, Channel, ChannelError, Command, Inbox, MessageKey, Outbound, Part,
    Profile, RESENT_MARK, SendKey, SentMessage, Speaker,
};
use sayso_core::redact::Redactor;
use sayso_store::Store;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::{Dispatcher, Purpose, Saying};

/// A channel that falls over at its first message.
struct Clumsy {
    channel: FakeChannel,
    has_fallen: AtomicBool,
}

#[async_trait]
impl Channel for Clumsy {
    fn profile(&self) -> &Profile {
        self.channel.profile()
    }

    async fn listen(&self, inbox: Inbox, shutdown: CancellationToken) -> Result<(), ChannelError> {
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
        assert!(self.has_fallen.swap(true, Ordering::SeqCst), "fell over");
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

#[tokio::test]
async fn a_send_that_panics_does_not_block_its_chat_and_is_repeated_with_a_mark() {
    let directory = TempDir::new().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let clumsy = Arc::new(Clumsy {
        channel: FakeChannel::new("fake"),
        has_fallen: AtomicBool::new(false),
    });
    let mut channels: HashMap<_, Arc<dyn Channel>> = HashMap::new();
    channels.insert("fake".into(), clumsy.clone());
    let (dispatcher, outbox) = Dispatcher::new(
        store.clone(),
        Arc::new(channels),
        Redactor::new([]).unwrap(),
    );
    tokio::spawn(dispatcher.run(CancellationToken::new(), Duration::ZERO));
    for text in ["one", "two"] {
        let there = outbox.clone();
        let rows = store
            .write(move |tx| {
                Box::pin(async move {
                    let saying = Saying {
                        to: &Address::chat("fake", "1"),
                        purpose: Purpose::Final,
                        turn: None,
                        subject: None,
                        outbound: &Outbound::markdown(text),
                    };
                    there.say(tx, saying).await
                })
            })
            .await
            .unwrap();
        outbox.offer(rows);
    }
    let marked = format!("one{RESENT_MARK}");
    let are_there = |texts: Vec<String>| {
        // Which of them comes first depends on when the second was written.
        let both = texts.contains(&marked) && texts.contains(&"two".to_owned());
        both && texts.len() == 2
    };
    clumsy
        .channel
        .wait_until(|_| are_there(clumsy.channel.texts("1")))
        .await;
}
