//! Where a message goes that its destination permanently rejects: first outside the thread that is
//! deleted or closed, then to the user who asked, in private. Each of the two is tried once, in
//! this order, so there are no loops.
//!
//! A row keeps its number and is one message wherever it goes; its new address is committed before
//! anything is sent there, so a start after a crash goes on from where it was.

use sayso_channel::{Address, ChatKey, ChatKind, Language, Outbound, Part, RESENT_MARK_ROOM};
use sayso_core::transcript::TurnId;
use sayso_store::StoreError;
use sayso_store::detours::{self, Asker};
use sayso_store::outbox::Purpose;
use sayso_store::outbox::{self, NewOutbox, OutboxRow};

use super::messages;
use super::refusal::Refused;
use super::route::{Destination, Route};

/// Around its thread, in the same chat.
const AROUND: i64 = 1;
/// To the user who asked, in private.
const IN_PRIVATE: i64 = 2;

/// A place that may take what another does not.
struct Elsewhere {
    address: Address,
    detour: i64,
}

impl Route {
    /// Finds a form or a place in which a refused row may be taken: plainer, else elsewhere, else
    /// the same chat when it was opened again since the attempt began (`begun_ms`, Unix
    /// milliseconds). Returns where it goes now, or `None` when it has failed.
    pub(super) async fn go_on(
        &self,
        row: &mut OutboxRow,
        from: &Destination,
        refused: &Refused,
        begun_ms: i64,
    ) -> Result<Option<Destination>, StoreError> {
        if !refused.of_thread && self.say_plainly(row, &refused.why).await? {
            return Ok(Some(from.clone()));
        }
        let elsewhere = self.detour(row, from, refused).await?;
        if elsewhere.is_none()
            && !self
                .fail_unless_opened(row, from, refused, begun_ms)
                .await?
        {
            return Ok(Some(from.clone()));
        }
        Ok(elsewhere)
    }

    /// Readdresses a row that its place does not take; returns where it goes now, or `None` when
    /// there is nowhere left.
    async fn detour(
        &self,
        row: &mut OutboxRow,
        from: &Destination,
        refused: &Refused,
    ) -> Result<Option<Destination>, StoreError> {
        if !may_go_elsewhere(row) {
            return Ok(None);
        }
        let asker = match row.turn_id {
            Some(turn) => self.asker(turn).await?,
            None => None,
        };
        let Some(to) = self.elsewhere(row, from, refused.of_thread, asker.as_ref()) else {
            return Ok(None);
        };
        tracing::info!(row = %row.id, why = refused.why, detour = to.detour, "message redirected");
        let kind = match to.detour {
            IN_PRIVATE => ChatKind::Direct,
            _ => from.kind,
        };
        let note = self.note(&to, kind, refused, asker.as_ref());
        let further = self.readdress(row, &to, note)?;
        let moved = row.clone();
        // A chat that has yet to be opened is noted when it is found.
        let pressed_in = asker
            .filter(|asker| asker.direct.is_some() && to.detour == IN_PRIVATE)
            .filter(|_| row.purpose == Purpose::Card)
            .map(|asker| (to.address.chat.to_string(), asker.language));
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    detours::readdress(tx, &moved).await?;
                    if let Some((chat, language)) = pressed_in {
                        detours::press_in(tx, &moved, &chat, &language).await?;
                    }
                    if let Some(note) = further {
                        outbox::insert(tx, note).await?;
                    }
                    Ok(())
                })
            })
            .await?;
        Ok(Some(Destination {
            address: to.address,
            kind,
        }))
    }

    /// Lets a card be pressed in the direct chat that was found for it.
    pub(super) async fn note_found(&self, row: &OutboxRow, to: &Address) -> Result<(), StoreError> {
        if row.detour != IN_PRIVATE || row.purpose != Purpose::Card {
            return Ok(());
        }
        let (row, chat) = (row.clone(), to.chat.to_string());
        self.store
            .write(move |tx| {
                Box::pin(async move { detours::press_in(tx, &row, &chat, "en").await })
            })
            .await
    }

    async fn asker(&self, turn: TurnId) -> Result<Option<Asker>, StoreError> {
        let channel = self.channel.profile().name.to_string();
        self.store
            .write(move |tx| Box::pin(async move { detours::asker_of(tx, turn, &channel).await }))
            .await
    }

    /// Returns the next place for a row: around its thread where that is all that refuses it.
    fn elsewhere(
        &self,
        row: &OutboxRow,
        from: &Destination,
        of_thread: bool,
        asker: Option<&Asker>,
    ) -> Option<Elsewhere> {
        let kind = from.kind;
        let from = &from.address;
        if of_thread && from.thread.is_some() && row.detour < AROUND {
            return Some(Elsewhere {
                address: Address {
                    thread: None,
                    ..from.clone()
                },
                detour: AROUND,
            });
        }
        if kind == ChatKind::Direct || row.detour >= IN_PRIVATE {
            return None;
        }
        let asker = asker?;
        let known: Option<Address> = asker
            .direct
            .as_deref()
            .and_then(|direct| serde_json::from_str(direct).ok());
        let chat = if let Some(direct) = known {
            direct.chat
        } else {
            let prefix = self.channel.profile().direct_prefix?;
            ChatKey::new(format!("{prefix}{}", asker.sender))
        };
        (chat != from.chat).then(|| Elsewhere {
            address: Address::chat(from.channel.clone(), chat),
            detour: IN_PRIVATE,
        })
    }

    /// Returns the note below a message that was delivered elsewhere: where it belongs, and what it
    /// is about. A message that stays in its direct chat gets no note, because it is not looked for
    /// elsewhere.
    fn note(
        &self,
        to: &Elsewhere,
        kind: ChatKind,
        refused: &Refused,
        asker: Option<&Asker>,
    ) -> Option<String> {
        if kind == ChatKind::Direct && to.detour == AROUND {
            return None;
        }
        let language = match asker.map(|asker| asker.language.as_str()) {
            Some("zh-CN") => Language::Chinese,
            Some(_) | None => Language::English,
        };
        let topic = asker.and_then(|asker| asker.title.as_deref());
        let request = asker.map(|asker| asker.request.as_str());
        let text = match to.detour {
            IN_PRIVATE => messages::in_private(&refused.why, request, language),
            _ => messages::around_topic(topic, &refused.why, request, language),
        };
        let parts = self.channel.render(&Outbound::markdown(text));
        parts.into_iter().next().map(|part| part.text)
    }

    /// Gives a row its new address. The note goes below its text, or into a row of its own where
    /// there is no room, which is returned.
    fn readdress(
        &self,
        row: &mut OutboxRow,
        to: &Elsewhere,
        note: Option<String>,
    ) -> Result<Option<NewOutbox>, StoreError> {
        let mut part: Part = serde_json::from_str(&row.part)?;
        part.reply_to = None;
        part.asks_reply = false;
        let profile = self.channel.profile();
        let measure = |text: &str| profile.text_unit.measure(text);
        let mut alone = None;
        // The further parts of a long message follow the first, which says it.
        if let Some(note) = note.filter(|_| row.purpose != Purpose::More) {
            let below = format!("\n\n{note}");
            let length = measure(&part.text) + measure(&below) + RESENT_MARK_ROOM;
            if part.file.is_none() && !part.text.is_empty() && length <= profile.text_limit {
                part.text.push_str(&below);
                part.plain = part.plain.map(|plain| plain + &below);
            } else {
                alone = Some(note);
            }
        }
        row.address = serde_json::to_string(&to.address)?;
        row.part = serde_json::to_string(&part)?;
        row.detour = to.detour;
        let Some(note) = alone else {
            return Ok(None);
        };
        let part = Part {
            text: note,
            markup: serde_json::Value::Null,
            plain: None,
            buttons: Vec::new(),
            file: None,
            ..part
        };
        Ok(Some(NewOutbox {
            channel: row.channel.clone(),
            address: row.address.clone(),
            turn: None,
            purpose: Purpose::Notice,
            subject: None,
            edits: None,
            message: None,
            part: serde_json::to_string(&part)?,
        }))
    }
}

/// Says whether a message can stand elsewhere: not one that changes another, or shows how it goes.
fn may_go_elsewhere(row: &OutboxRow) -> bool {
    !row.purpose.is_change() && row.purpose != Purpose::Live
}
