//! What a channel may know of its own past: the newest stored message of each chat and thread.

use async_trait::async_trait;
use sayso_channel::{ChannelName, InboxClosed, LastHeard, MessageKey, Past};
use sayso_store::{Store, StoreError, inbox};

/// The past of all channels, as the store has it.
pub struct StoredPast {
    store: Store,
}

impl StoredPast {
    /// Returns the past that a store keeps.
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl Past for StoredPast {
    async fn last_heard(&self, channel: &ChannelName) -> Result<Vec<LastHeard>, InboxClosed> {
        read(&self.store, channel).await.map_err(|error| {
            tracing::error!(%error, "cannot read the platform history");
            InboxClosed
        })
    }
}

async fn read(store: &Store, channel: &ChannelName) -> Result<Vec<LastHeard>, StoreError> {
    let rows = inbox::last_heard(store.reader(), channel.as_str()).await?;
    let heard = rows.into_iter().map(|(address, message)| {
        Ok(LastHeard {
            address: serde_json::from_str(&address)?,
            message: MessageKey::new(message),
        })
    });
    heard.collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sayso_channel::Address;
    use sayso_core::transcript::Role;
    use sayso_store::inbox::{InboxState, NewInbox};

    use super::*;

    fn row(channel: &str, chat: &str, message: &str, version: i64) -> NewInbox {
        NewInbox {
            channel: channel.to_owned(),
            kind: "message".to_owned(),
            event: message.to_owned(),
            version,
            session: None,
            user: None,
            sender: None,
            address: serde_json::to_string(&Address::chat(channel, chat)).unwrap(),
            message: Some(message.to_owned()),
            said: String::new(),
            untrusted: false,
            files: Vec::new(),
            album: None,
            answers: None,
            role: Role::Guest,
            while_busy: None,
            ready_ms: 0,
            happened_ms: 0,
            state: InboxState::Settled,
        }
    }

    async fn store_with(rows: Vec<NewInbox>, folder: &Path) -> Store {
        let store = Store::open(&folder.join("sayso.db")).await.unwrap();
        let write = store.write(move |tx| {
            Box::pin(async move {
                for row in &rows {
                    inbox::insert(tx, row).await?;
                }
                Ok(())
            })
        });
        write.await.unwrap();
        store
    }

    async fn last(store: &Store, channel: &str) -> Vec<(String, String)> {
        let past = StoredPast::new(store.clone());
        let heard = past.last_heard(&channel.into()).await.unwrap();
        let mut heard: Vec<_> = heard
            .into_iter()
            .map(|last| (last.address.to_string(), last.message.to_string()))
            .collect();
        heard.sort();
        heard
    }

    #[tokio::test]
    async fn newest_of_each_chat_is_known_and_an_edit_makes_nothing_new() {
        let folder = tempfile::tempdir().unwrap();
        let rows = vec![
            row("discord", "1", "99", 0),
            row("discord", "1", "100", 0),
            row("discord", "1", "99", 5),
            row("discord", "2", "7", 0),
            row("discord.work", "1", "500", 0),
        ];
        let store = store_with(rows, folder.path()).await;
        let heard = |chat: &str, message: &str| (chat.to_owned(), message.to_owned());
        assert_eq!(
            last(&store, "discord").await,
            [heard("discord:1", "100"), heard("discord:2", "7")]
        );
        store.close().await;
    }

    #[tokio::test]
    async fn what_is_no_message_is_not_heard() {
        let folder = tempfile::tempdir().unwrap();
        let press = NewInbox {
            kind: "press".to_owned(),
            message: None,
            ..row("discord", "1", "3", 0)
        };
        let store = store_with(vec![press], folder.path()).await;
        assert_eq!(last(&store, "discord").await, []);
        store.close().await;
    }
}
