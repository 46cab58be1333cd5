//! Cards as they stand in chats: in the one where a call was asked for, and for what an owner must
//! approve for somebody else, as copies in the direct chats of owners.

use sayso_channel::{Address, ChatKind, Language, MessageKey, Outbound};
use sayso_core::transcript::{ChatId, TurnId};
use sayso_store::cards::CopyRow;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, cards, chats, languages, outbox, people, usage};

use super::turn_ending::TurnEnding;
use super::{SessionContext, SessionLimits};
use crate::approvals::{self, AskedBy, CardView, Reader};
use crate::delivery::{MessageRef, OutboxWriter, Purpose, Saying};

/// How often the buttons of one card are brought again.
const MOST_REMINDERS: usize = 4;

/// A message that was pressed.
#[derive(Clone, Copy)]
pub struct PressedMessage<'a> {
    /// The chat that it is in.
    pub chat: ChatId,
    /// Where it stands, and what the platform calls it.
    pub message: MessageRef<'a>,
}

/// A card as one reader gets it.
struct Written<'a> {
    view: &'a CardView,
    reader: Reader<'a>,
    language: Language,
}

/// What cards are written by.
#[derive(Clone, Copy)]
pub struct CardWriter<'a> {
    /// What speaks.
    pub outbox: &'a OutboxWriter,
    /// What says which language our texts have.
    pub limits: &'a SessionLimits,
}

impl<'a> CardWriter<'a> {
    /// Returns the one that sessions have.
    pub(super) fn of(ctx: &'a SessionContext) -> Self {
        Self {
            outbox: &ctx.outbox,
            limits: &ctx.limits,
        }
    }

    /// Closes the cards of a stopped turn at once: no button of theirs counts any more.
    pub async fn close_of(self, tx: &mut Tx, turn: TurnId) -> Result<Vec<OutboxRow>, StoreError> {
        let mut said = Vec::new();
        for view in approvals::drop_cards(tx, turn).await? {
            said.extend(self.amend(tx, &view, None).await?);
        }
        Ok(said)
    }

    /// Says a card in its chat, below its calls in full when they are too long to stand on it.
    pub(super) async fn say(
        self,
        tx: &mut Tx,
        ending: &TurnEnding,
        view: &CardView,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let place = Place {
            to: &ending.address,
            subject: view.card.id.0,
            reply_to: ending.reply_to.as_ref(),
        };
        let written = Written {
            view,
            reader: Reader::Asker,
            language: ending.language,
        };
        self.say_at(tx, ending, place, written).await
    }

    /// Says copies of a card in these direct chats of owners.
    pub(super) async fn say_copies(
        self,
        tx: &mut Tx,
        ending: &TurnEnding,
        view: &CardView,
        owners: &[Address],
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let asked_by = asked_by(tx, view).await?;
        let mut said = Vec::new();
        for to in owners {
            let (channel, chat) = (to.channel.as_str(), to.chat.as_str());
            let chat = chats::chat_at(tx, channel, chat, ChatKind::Direct, "").await?;
            if cards::has_copy_in(tx, view.card.id, chat.id).await? {
                continue;
            }
            let place = Place {
                to,
                subject: cards::add_copy(tx, view.card.id, chat.id).await?,
                reply_to: None,
            };
            let language = self.limits.language_in(&chat.language);
            let written = Written {
                view,
                reader: Reader::Owner(&asked_by),
                language,
            };
            said.extend(self.say_at(tx, ending, place, written).await?);
        }
        Ok(said)
    }

    /// Brings the buttons of an open card again, as a reply to it: its person answered in words.
    /// `copy` is what the messages of an owner's copy are about. Says nothing more once it did so
    /// a few times.
    pub async fn remind(
        self,
        tx: &mut Tx,
        view: &CardView,
        copy: Option<i64>,
        to: &Address,
        language: Language,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let subject = copy.unwrap_or(view.card.id.0);
        let shown = outbox::copies(tx, Purpose::Card, subject).await?;
        if shown.len() > MOST_REMINDERS {
            return Ok(Vec::new());
        }
        let asked_by = asked_by(tx, view).await?;
        let reader = match copy {
            Some(_) => Reader::Owner(&asked_by),
            None => Reader::Asker,
        };
        let card = shown.into_iter().find_map(|row| row.message);
        let outbound = Outbound {
            reply_to: card.map(MessageKey::new),
            ..approvals::reminder(view, reader, language)
        };
        // It shows the card, so whatever settles that rewrites it too.
        let saying = Saying {
            to,
            purpose: Purpose::Card,
            turn: None,
            subject: Some(subject),
            outbound: &outbound,
        };
        self.outbox.say(tx, saying).await
    }

    async fn say_at(
        self,
        tx: &mut Tx,
        ending: &TurnEnding,
        place: Place<'_>,
        written: Written<'_>,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let Written {
            view,
            reader,
            language,
        } = written;
        let long_text = self.outbox.long_text(&place.to.channel);
        let card = Outbound {
            reply_to: place.reply_to.cloned(),
            ..approvals::document(view, reader, language, long_text)
        };
        let saying = Saying {
            to: place.to,
            purpose: Purpose::Card,
            turn: Some(ending.turn),
            subject: Some(place.subject),
            outbound: &card,
        };
        let Some(preface) = approvals::preface(view, reader, language, long_text) else {
            return self.outbox.say(tx, saying).await;
        };
        let above = Saying {
            purpose: Purpose::Notice,
            subject: None,
            outbound: &preface,
            ..saying.clone()
        };
        let mut said = self.outbox.say(tx, above).await?;
        said.extend(self.outbox.say(tx, saying).await?);
        Ok(said)
    }

    /// Rewrites a card everywhere as it reads now, and the message that was pressed.
    pub async fn amend(
        self,
        tx: &mut Tx,
        view: &CardView,
        pressed: Option<PressedMessage<'_>>,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let pressed_in = |chat: ChatId| {
            let here = pressed.filter(|pressed| pressed.chat == chat);
            here.map(|pressed| pressed.message)
        };
        let card = view.card.id.0;
        let outbound = self.in_its_chat(tx, view).await?;
        let this = pressed_in(view.card.chat_id);
        let amended = self.outbox.amend(tx, Purpose::Card, card, this, &outbound);
        let mut said = amended.await?;
        let copies = cards::copies_of(tx, view.card.id).await?;
        if copies.is_empty() {
            return Ok(said);
        }
        let asked_by = asked_by(tx, view).await?;
        for copy in copies {
            let outbound = self.copied(view, &asked_by, &copy);
            let this = pressed_in(copy.chat_id);
            let amended = self
                .outbox
                .amend(tx, Purpose::Card, copy.id, this, &outbound);
            said.extend(amended.await?);
        }
        Ok(said)
    }

    /// Rewrites a pressed message of a card that is closed, unless it is one that we know of.
    pub async fn amend_stray(
        self,
        tx: &mut Tx,
        view: &CardView,
        pressed: PressedMessage<'_>,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let copies = cards::copies_of(tx, view.card.id).await?;
        let copy = copies.iter().find(|copy| copy.chat_id == pressed.chat);
        let (subject, outbound) = match copy {
            Some(copy) => {
                let asked_by = asked_by(tx, view).await?;
                (copy.id, self.copied(view, &asked_by, copy))
            }
            None => (view.card.id.0, self.in_its_chat(tx, view).await?),
        };
        let outbox = self.outbox;
        outbox
            .amend_stray(tx, Purpose::Card, subject, pressed.message, &outbound)
            .await
    }

    async fn in_its_chat(self, tx: &mut Tx, view: &CardView) -> Result<Outbound, StoreError> {
        let session = chats::session(tx, view.card.session_id).await?;
        let asker = languages::of_user(tx, view.card.user_id).await?;
        let language = asker.language().unwrap_or(&session.language);
        let language = self.limits.language_in(language);
        let long_text = self.outbox.long_text(&session.channel.as_str().into());
        Ok(approvals::document(
            view,
            Reader::Asker,
            language,
            long_text,
        ))
    }

    fn copied(self, view: &CardView, asked_by: &AskedBy, copy: &CopyRow) -> Outbound {
        let language = self.limits.language_in(&copy.language);
        let long_text = self.outbox.long_text(&copy.channel.as_str().into());
        approvals::document(view, Reader::Owner(asked_by), language, long_text)
    }
}

/// Where a card is said, and what its messages are about.
struct Place<'a> {
    to: &'a Address,
    subject: i64,
    reply_to: Option<&'a MessageKey>,
}

/// Returns who asked for the calls of a card.
async fn asked_by(tx: &mut Tx, view: &CardView) -> Result<AskedBy, StoreError> {
    let user = view.card.user_id;
    let session = chats::session(tx, view.card.session_id).await?;
    let account = people::account_of(tx, user).await?;
    let name = usage::name_of(tx, user).await?;
    Ok(AskedBy {
        name: name.unwrap_or_default(),
        account: account.map_or_else(String::new, |(channel, sender)| {
            format!("{channel}:{sender}")
        }),
        in_group: session.chat_kind == ChatKind::Group,
    })
}
