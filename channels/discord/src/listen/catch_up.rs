//! Reading back: the messages of a chat that were sent while Sayso did not listen.

use serde::Deserialize as _;
use serde_json::Value;
use tracing::{info, warn};

use super::event_reader::EventReader;
use crate::from_discord::{Form, Id, RawMessage};
use crate::rest::Request;

/// How many messages Discord gives at once, its limit
/// (<https://docs.discord.com/developers/resources/message#get-channel-messages>).
const PAGE: usize = 100;
/// How many pages are read of one chat: a thousand messages.
const PAGES: usize = 10;

impl EventReader<'_> {
    /// Reads the messages of a chat or thread after a given one, oldest first, and passes them to
    /// the inbox.
    pub(super) async fn read_back(&self, chat: Id, after: Id) {
        let newest = self.newest.find(chat);
        let mut after = newest.map_or(after, |newest| newest.max(after));
        for _ in 0..PAGES {
            let Some(page) = self.page(chat, after).await else {
                return;
            };
            let is_last = page.len() < PAGE;
            let Some(newest) = page.last().map(|(id, _)| *id) else {
                return;
            };
            let Some(place) = self.place(chat, None).await else {
                return;
            };
            if !self.shard.hears(place.server.map(|server| server.0)) {
                return;
            }
            for (_, raw) in page {
                self.hear_at(raw, Form::ReadBack, &place).await;
            }
            after = newest;
            if is_last {
                return;
            }
        }
        warn!(
            chat = chat.0,
            after = after.0,
            "more was said than is read back; what is newer than this message was not heard"
        );
    }

    /// Returns the messages right behind one, oldest first; `None` when Discord does not show them.
    async fn page(&self, chat: Id, after: Id) -> Option<Vec<(Id, RawMessage)>> {
        let question = || {
            Request::get(format!("/channels/{}/messages", chat.0))
                .query("after", after.0.to_string())
                .query("limit", PAGE.to_string())
        };
        let _turn = self.readers.acquire().await.ok()?;
        match self.listener.ask::<Vec<Value>>(question).await {
            Ok(objects) => Some(in_order(objects)),
            Err(refusal) => {
                let (chat, status) = (chat.0, refusal.status);
                info!(chat, status, "a chat cannot be read back");
                None
            }
        }
    }
}

fn in_order(objects: Vec<Value>) -> Vec<(Id, RawMessage)> {
    let mut messages: Vec<_> = objects
        .into_iter()
        .filter_map(|object| {
            let raw = RawMessage::deserialize(object).ok()?;
            Some((raw.id?, raw))
        })
        .collect();
    messages.sort_by_key(|(id, _)| *id);
    messages
}
