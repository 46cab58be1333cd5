//! The sending side of delivery: writes rows inside the caller's transaction, and queues them after
//! its commit.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sayso_channel::{Address, Channel, ChannelName, LongText, MessageKey, Outbound, Part};
use sayso_core::redact::Redactor;
use sayso_core::transcript::TurnId;
use sayso_store::outbox::{self, MessageAt, NewOutbox, OutboxRow, Purpose, Shown};
use sayso_store::{StoreError, Tx, languages};
use tokio::sync::mpsc;

use super::hidden::without_secrets;
use super::hidden_words::in_words;
use super::live::{LiveContent, LiveUpdate};

/// The channels of this instance, by name.
pub type Channels = HashMap<ChannelName, Arc<dyn Channel>>;

/// What is done to a message that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Edit,
    Delete,
}

impl Change {
    /// Returns what its row is for.
    fn purpose(self) -> Purpose {
        match self {
            Self::Edit => Purpose::Edit,
            Self::Delete => Purpose::Delete,
        }
    }
}

/// Something to say.
#[derive(Debug, Clone)]
pub struct Saying<'a> {
    /// Where.
    pub to: &'a Address,
    /// What for.
    pub purpose: Purpose,
    /// The turn that says it.
    pub turn: Option<TurnId>,
    /// The card or question that it shows.
    pub subject: Option<i64>,
    /// What.
    pub outbound: &'a Outbound,
}

/// A message as its platform knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageRef<'a> {
    /// Where it stands.
    pub address: &'a Address,
    /// What the platform calls it there.
    pub key: &'a MessageKey,
}

impl<'a> MessageRef<'a> {
    /// Returns the message as the store names it.
    pub fn at(&self) -> MessageAt<'a> {
        MessageAt::of(self.address, self.key)
    }
}

/// What messages are about: the card, question or notice that they show.
#[derive(Clone, Copy)]
struct Subject {
    purpose: Purpose,
    id: i64,
}

/// What reaches the dispatcher.
#[derive(Debug)]
pub(super) enum Memo {
    /// Rows that were committed.
    Rows(Vec<OutboxRow>),
    /// What a live message should show now.
    Live(LiveUpdate),
    /// A message that gets a reaction.
    React(Address, MessageKey),
}

/// Speaks for every other room. Clones lead to the same dispatcher.
#[derive(Clone)]
pub struct OutboxWriter {
    channels: Arc<Channels>,
    dispatcher: mpsc::Sender<Memo>,
    redactor: Redactor,
}

impl OutboxWriter {
    pub(super) fn new(
        channels: Arc<Channels>,
        dispatcher: mpsc::Sender<Memo>,
        redactor: Redactor,
    ) -> Self {
        Self {
            channels,
            dispatcher,
            redactor,
        }
    }

    /// Returns what hides secrets in everything that is said.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Writes what to say into the outbox, as part of a transaction. Nothing is sent before
    /// [`OutboxWriter::offer`], or the next look at the outbox, finds the rows committed.
    pub async fn say(&self, tx: &mut Tx, saying: Saying<'_>) -> Result<Vec<OutboxRow>, StoreError> {
        let parts = self.render(saying.to, saying.outbound);
        let last = parts.len().saturating_sub(1);
        let mut rows = Vec::with_capacity(parts.len());
        for (position, part) in parts.iter().enumerate() {
            // Buttons sit on the last part, and so does what they are about.
            let shows_subject = saying.subject.is_some() && position == last;
            let purpose = match position {
                _ if shows_subject => saying.purpose,
                0 if saying.subject.is_none() => saying.purpose,
                _ => Purpose::More,
            };
            let new = NewOutbox {
                channel: saying.to.channel.to_string(),
                address: serde_json::to_string(saying.to)?,
                turn: saying.turn,
                purpose,
                subject: saying.subject.filter(|_| shows_subject),
                edits: None,
                message: None,
                part: serde_json::to_string(part)?,
            };
            rows.push(outbox::insert(tx, new).await?);
        }
        Ok(rows)
    }

    /// Rewrites the newest copy of a card or question in each chat, and the message that was
    /// pressed; the older copies are removed, where the platform does that. A copy that is not
    /// known to have arrived takes the place of none.
    ///
    /// A card that was not sent yet is dropped, because its answer is no longer needed. A question
    /// is still sent and then rewritten, because it is the outcome of its turn.
    pub async fn amend(
        &self,
        tx: &mut Tx,
        purpose: Purpose,
        subject: i64,
        pressed: Option<MessageRef<'_>>,
        outbound: &Outbound,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let subject = Subject {
            purpose,
            id: subject,
        };
        self.change(tx, Change::Edit, subject, pressed, outbound)
            .await
    }

    /// Removes every copy of a notice, and the message that was pressed. Where the platform does
    /// not remove one, it is rewritten to this instead.
    pub async fn remove(
        &self,
        tx: &mut Tx,
        purpose: Purpose,
        subject: i64,
        pressed: Option<MessageRef<'_>>,
        instead: &Outbound,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let subject = Subject {
            purpose,
            id: subject,
        };
        self.change(tx, Change::Delete, subject, pressed, instead)
            .await
    }

    async fn change(
        &self,
        tx: &mut Tx,
        change: Change,
        subject: Subject,
        pressed: Option<MessageRef<'_>>,
        outbound: &Outbound,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let Subject { purpose, id } = subject;
        if purpose != Purpose::Question {
            outbox::supersede_pending(tx, purpose, id).await?;
        }
        if let Some(pressed) = pressed {
            // That it went out may not be noted yet, and never would be if we were killed now.
            let card = Shown {
                purpose,
                subject: id,
            };
            outbox::set_pressed(tx, card, pressed.at()).await?;
        }
        let copies = outbox::copies(tx, purpose, id).await?;
        let mut rows = Vec::new();
        let mut newest = BTreeSet::new();
        for copy in copies.iter().rev() {
            let address: Address = serde_json::from_str(&copy.address)?;
            let stays = copy.message.is_none()
                || newest.insert((copy.channel.as_str(), address.chat.to_string()));
            let change = if stays { change } else { Change::Delete };
            let row = self.change_row(tx, change, &address, copy, outbound);
            rows.push(row.await?);
        }
        if let Some(pressed) = pressed
            && copies
                .iter()
                .all(|copy| copy.message.as_deref() != Some(pressed.key.as_str()))
        {
            let row = self.change_message(tx, change, pressed, id, outbound);
            rows.push(row.await?);
        }
        Ok(rows)
    }

    /// Rewrites the message of a row that went out.
    pub async fn rewrite(
        &self,
        tx: &mut Tx,
        row: &OutboxRow,
        outbound: &Outbound,
    ) -> Result<OutboxRow, StoreError> {
        let address: Address = serde_json::from_str(&row.address)?;
        self.change_row(tx, Change::Edit, &address, row, outbound)
            .await
    }

    /// Removes the message of a row that went out. Where the platform does not remove it, it is
    /// rewritten to this instead.
    pub async fn retract(
        &self,
        tx: &mut Tx,
        row: &OutboxRow,
        instead: &Outbound,
    ) -> Result<OutboxRow, StoreError> {
        let address: Address = serde_json::from_str(&row.address)?;
        self.change_row(tx, Change::Delete, &address, row, instead)
            .await
    }

    /// Rewrites every copy of a card that stands in several chats: `words` makes one by what is
    /// stored of the language of its chat.
    pub async fn amend_each(
        &self,
        tx: &mut Tx,
        purpose: Purpose,
        subject: i64,
        words: &(dyn Fn(&str) -> Outbound + Sync),
    ) -> Result<Vec<OutboxRow>, StoreError> {
        if purpose != Purpose::Question {
            outbox::supersede_pending(tx, purpose, subject).await?;
        }
        let mut rows = Vec::new();
        for copy in outbox::copies(tx, purpose, subject).await? {
            let address: Address = serde_json::from_str(&copy.address)?;
            let (channel, chat) = (address.channel.as_str(), address.chat.as_str());
            let outbound = words(&languages::of_chat(tx, channel, chat).await?);
            rows.push(
                self.change_row(tx, Change::Edit, &address, &copy, &outbound)
                    .await?,
            );
        }
        Ok(rows)
    }

    /// Rewrites a pressed copy of a card that is closed, unless it is one that we know of, which
    /// was rewritten when the card was closed.
    pub async fn amend_stray(
        &self,
        tx: &mut Tx,
        purpose: Purpose,
        subject: i64,
        pressed: MessageRef<'_>,
        outbound: &Outbound,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let known = outbox::subject_of_message(tx, pressed.at(), purpose).await?;
        if known.is_some() {
            return Ok(Vec::new());
        }
        let row = self.change_message(tx, Change::Edit, pressed, subject, outbound);
        Ok(vec![row.await?])
    }

    /// Queues committed rows for sending. When the dispatcher is full, its next poll finds them.
    pub fn offer(&self, rows: Vec<OutboxRow>) {
        if !rows.is_empty() && self.dispatcher.try_send(Memo::Rows(rows)).is_err() {
            tracing::debug!("dispatcher queue full; rows wait for the next poll");
        }
    }

    /// Says what a live message should show now. May be skipped when there is no time for it.
    pub fn show(&self, mut update: LiveUpdate) {
        if let LiveContent::Text(markdown) = &mut update.content {
            *markdown = in_words(self.redactor.redact(markdown)).into_owned();
        }
        // Cosmetic: the next update, or the outcome, says it again.
        let _ = self.dispatcher.try_send(Memo::Live(update));
    }

    /// Puts a thumbs-up below a person's message, where the platform has reactions. It may be
    /// skipped when there is no time for it.
    pub fn react(&self, address: Address, message: MessageKey) {
        let _ = self.dispatcher.try_send(Memo::React(address, message));
    }

    /// Returns the channel that an address belongs to.
    pub fn channel(&self, address: &Address) -> Option<&Arc<dyn Channel>> {
        self.channels.get(&address.channel)
    }

    /// Returns how a channel shows a text that is too long for its message.
    pub fn long_text(&self, channel: &ChannelName) -> LongText {
        let channel = self.channels.get(channel);
        // A channel that is no longer configured has no profile; its rows wait.
        channel.map_or(LongText::Above, |channel| channel.profile().long_text)
    }

    /// Returns the largest file that a channel sends, in bytes.
    pub fn largest_file(&self, channel: &ChannelName) -> u64 {
        let channel = self.channels.get(channel);
        channel.map_or(u64::MAX, |channel| channel.profile().file_bytes)
    }

    async fn change_message(
        &self,
        tx: &mut Tx,
        change: Change,
        message: MessageRef<'_>,
        subject: i64,
        outbound: &Outbound,
    ) -> Result<OutboxRow, StoreError> {
        let MessageRef { address, key } = message;
        let new = NewOutbox {
            channel: address.channel.to_string(),
            address: serde_json::to_string(address)?,
            turn: None,
            purpose: change.purpose(),
            subject: Some(subject),
            edits: None,
            message: Some(key.to_string()),
            part: serde_json::to_string(&self.last_part(address, outbound))?,
        };
        outbox::insert(tx, new).await
    }

    async fn change_row(
        &self,
        tx: &mut Tx,
        change: Change,
        address: &Address,
        copy: &OutboxRow,
        outbound: &Outbound,
    ) -> Result<OutboxRow, StoreError> {
        let new = NewOutbox {
            channel: copy.channel.clone(),
            address: copy.address.clone(),
            turn: None,
            purpose: change.purpose(),
            subject: copy.subject,
            edits: Some(copy.id),
            message: copy.message.clone(),
            part: serde_json::to_string(&self.last_part(address, outbound))?,
        };
        outbox::insert(tx, new).await
    }

    /// What took several parts carries its state on the last one.
    fn last_part(&self, to: &Address, outbound: &Outbound) -> Part {
        self.render(to, outbound)
            .pop()
            .unwrap_or_else(|| plain_part(&without_secrets(outbound, &self.redactor)))
    }

    fn render(&self, to: &Address, outbound: &Outbound) -> Vec<Part> {
        let outbound = without_secrets(outbound, &self.redactor);
        match self.channel(to) {
            Some(channel) => channel.render(&outbound),
            // The row waits until the channel is configured again.
            None => vec![plain_part(&outbound)],
        }
    }
}

fn plain_part(outbound: &Outbound) -> Part {
    Part {
        text: outbound.markdown.clone(),
        markup: serde_json::Value::Null,
        plain: None,
        buttons: outbound.buttons.clone(),
        file: outbound.file.clone(),
        reply_to: outbound.reply_to.clone(),
        asks_reply: outbound.asks_reply,
        quiet: outbound.quiet,
        aside: outbound.aside,
    }
}
