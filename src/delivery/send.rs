//! One row on its way out, until it is sent or certainly will not be.

use std::time::Duration;

use sayso_channel::{
    Address, ChannelError, ChatKind, MessageKey, Outbound, Part, SendKey, SentMessage,
};
use sayso_core::transcript::OutboxId;
use sayso_store::outbox::Purpose;
use sayso_store::outbox::{self, NewOutbox, OutboxRow};
use sayso_store::{Store, StoreError, Tx, Urgency, now_ms};

use futures_util::future::BoxFuture;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use super::place::{Target, arrive_again, place_outcome, place_rest};
use super::refusal::Refused;
use super::route::{Destination, Route};

/// The first pause after a platform could not be reached; doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// How long we try before a message counts as undeliverable.
const GIVE_UP_AFTER_MS: i64 = 24 * 60 * 60 * 1000;
/// What stands in a live message that cannot be deleted and of which nothing else is known: the
/// process was started again since.
const UNKNOWN_END: &str = "…";
/// Why such a message is undeliverable.
const GIVEN_UP: &str = "the platform could not be reached for a day";
/// The pause before something is written again that the store did not take.
const WRITE_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Returns the span that a trace collector receives for one attempt to send a row.
fn span_of(row: &OutboxRow) -> Span {
    tracing::info_span!(
        target: "sayso::spans",
        "message",
        otel.name = format!("send {}", row.purpose.as_str()),
        otel.kind = "producer",
        otel.status_code = Empty,
        messaging.operation.type = "send",
        messaging.system = row.channel,
        sayso.turn = row.turn_id.map(tracing::field::display),
        sayso.waited_ms = now_ms() - row.created_ms,
    )
}

/// Whether a row waits for the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Haste {
    /// A further part of a long message, or one that was kept back while the platform was away: all
    /// of these come at once when it is there again.
    Waits,
    /// An outcome, a card, a notice.
    Goes,
}

impl Haste {
    fn of(row: &OutboxRow) -> Self {
        if row.purpose == Purpose::More {
            Self::Waits
        } else {
            Self::Goes
        }
    }
}

/// When a row is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Later {
    /// After this pause.
    Pause(Duration),
    /// After this pause, which the platform wants.
    TooMuch(Duration),
    /// After a pause, or when the platform, which cannot be reached, has taken something else.
    Away,
}

/// What a try came to.
enum Tried {
    Done,
    /// Done, and what it replaces has yet to say so.
    Closes(OutboxRow),
    /// Not sent; try again later.
    Later(Later),
    /// The chat continues elsewhere.
    Moved(Address),
    /// It will not happen there.
    Refused(Refused),
    /// The edited message is gone: say it as a new one.
    SayNew,
    /// The live message was found; now the outcome can be placed.
    Found,
}

impl Route {
    /// Sends a row. Returns when it is sent, superseded or failed; never loses it.
    ///
    /// A store that cannot be written leaves the row where it was, `pending` or `sending`: the
    /// caller takes it off the wire.
    pub async fn send(&self, mut row: OutboxRow, kind: ChatKind) -> Result<(), StoreError> {
        let mut to = Destination {
            address: serde_json::from_str(&row.address)?,
            kind,
        };
        let mut pause = FIRST_PAUSE;
        let mut may_replace = true;
        let mut haste = Haste::of(&row);
        // Before this nothing of the row was on the wire.
        let mut first_ms = row.resent.then_some(row.created_ms);
        loop {
            self.pace(haste, &to).await;
            let span = span_of(&row);
            let begun = self.begin(&row, may_replace).instrument(span.clone());
            let target = begun.await?;
            if matches!(target, Target::Nowhere) {
                return Ok(());
            }
            let begun_ms = now_ms();
            let first = first_ms.unwrap_or(begun_ms);
            let marked = self.is_marked(&row, &target, first, begun_ms);
            let attempt = self.attempt(&mut row, &to.address, target, marked);
            let tried = attempt.instrument(span).await?;
            if row.resent {
                first_ms.get_or_insert(begun_ms);
            }
            match tried {
                Tried::Done => return Ok(()),
                Tried::Closes(closing) => {
                    row = closing;
                    first_ms = None;
                    pause = FIRST_PAUSE;
                    haste = Haste::of(&row);
                }
                Tried::SayNew => may_replace = false,
                Tried::Found => self.put_back(&row, Duration::ZERO).await.map(drop)?,
                Tried::Moved(new) => {
                    self.move_chat(&to.address, &new).await?;
                    self.note_found(&row, &new).await?;
                    to.address = Address {
                        thread: to.address.thread.take(),
                        ..new
                    };
                }
                Tried::Refused(refused) => {
                    match self.go_on(&mut row, &to, &refused, begun_ms).await? {
                        Some(next) => to = next,
                        None => return Ok(()),
                    }
                }
                Tried::Later(_) if is_given_up(&row) => return self.fail(&row, GIVEN_UP).await,
                Tried::Later(later) => {
                    if later == Later::Away {
                        haste = Haste::Waits;
                    }
                    self.rest(later, &to, &mut pause).await;
                }
            }
        }
    }

    /// Returns whether a message carries the mark of a repeated send; `first_ms` is when it may have
    /// arrived before.
    fn is_marked(&self, row: &OutboxRow, target: &Target, first_ms: i64, begun_ms: i64) -> bool {
        let arrives_again = row.resent && self.arrives_again(first_ms, begun_ms);
        arrives_again || matches!(target, Target::Repeat)
    }

    async fn pace(&self, haste: Haste, to: &Destination) {
        match haste {
            Haste::Waits => self.budgets.wait(&to.address.chat, to.kind).await,
            Haste::Goes => self.budgets.charge(&to.address.chat, to.kind).await,
        }
    }

    /// Rests for as long as is wanted, and each time for longer.
    async fn rest(&self, later: Later, to: &Destination, pause: &mut Duration) {
        let wanted = match later {
            Later::Pause(wanted) | Later::TooMuch(wanted) => wanted,
            Later::Away => FIRST_PAUSE,
        };
        if let Later::TooMuch(wanted) = later {
            self.budgets.note_refusal(&to.address.chat, to.kind, wanted);
        }
        let rest = tokio::time::sleep(wanted.max(*pause));
        *pause = longer(*pause);
        match later {
            Later::Pause(_) | Later::TooMuch(_) => rest.await,
            Later::Away => tokio::select! {
                () = rest => {}
                () = self.budgets.reached() => {}
            },
        }
    }

    /// Commits that the row is on the wire, and finds out where it goes.
    async fn begin(&self, row: &OutboxRow, may_replace: bool) -> Result<Target, StoreError> {
        let row = row.clone();
        let repeats = self.channel.profile().repeats;
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    if !outbox::begin_sending(tx, row.id).await? {
                        return Ok(Target::Nowhere);
                    }
                    if row.purpose.is_change() {
                        let edited = match row.edits {
                            Some(edited) => outbox::message_of(tx, edited).await?,
                            None => row.message.map(|message| (message, false)),
                        };
                        return match edited {
                            Some((message, _)) if row.purpose == Purpose::Delete => {
                                Ok(Target::Delete(MessageKey::new(message)))
                            }
                            Some((message, is_marked)) => Ok(Target::Edit {
                                message: MessageKey::new(message),
                                is_marked,
                            }),
                            None => outbox::supersede(tx, row.id)
                                .await
                                .map(|()| Target::Nowhere),
                        };
                    }
                    // A live message stands where the turn was asked for, and not elsewhere.
                    match row.turn_id.filter(|_| row.detour == 0) {
                        Some(turn) if matches!(row.purpose, Purpose::Final | Purpose::Question) => {
                            let may_replace = may_replace && !row.resent;
                            place_outcome(tx, turn, may_replace, repeats).await
                        }
                        Some(turn) if row.purpose == Purpose::More => {
                            place_rest(tx, turn, repeats).await
                        }
                        _ => Ok(Target::New { live: None }),
                    }
                })
            })
            .await
    }

    /// Says whether a repetition would be a second message: not while the platform drops it.
    fn arrives_again(&self, first_ms: i64, now_ms: i64) -> bool {
        arrive_again(self.channel.profile().repeats, first_ms, now_ms)
    }

    /// Tries once; `marked` says whether a new message carries the mark of a repeated send.
    async fn attempt(
        &self,
        row: &mut OutboxRow,
        address: &Address,
        target: Target,
        marked: bool,
    ) -> Result<Tried, StoreError> {
        let mut part: Part = serde_json::from_str(&row.part)?;
        if marked
            || matches!(
                target,
                Target::Edit {
                    is_marked: true,
                    ..
                }
            )
        {
            part.mark_resent();
        }
        let outcome = self.deliver(row, address, &part, &target).await;
        match outcome.transpose() {
            None => Ok(Tried::Done),
            Some(Ok(message)) => {
                if let Target::Find(live) = target {
                    let note = set_sent(live, message.to_string(), false);
                    self.store.write(note).await?;
                    return Ok(Tried::Found);
                }
                if let Target::New { live: Some(live) } = target
                    && let Some(closing) = self.note_replaced(row, &message, marked, live).await
                {
                    return Ok(Tried::Closes(closing));
                }
                self.note_sent(row, &message, marked).await;
                Ok(Tried::Done)
            }
            Some(Err(error)) => self.note_error(row, &target, error).await,
        }
    }

    /// Has the channel do what the target says; `None` where there is nothing to do.
    async fn deliver(
        &self,
        row: &OutboxRow,
        address: &Address,
        part: &Part,
        target: &Target,
    ) -> Result<Option<MessageKey>, ChannelError> {
        let sent_as = |message: &MessageKey| SentMessage {
            address: address.clone(),
            message: message.clone(),
        };
        match target {
            Target::New { .. } | Target::Repeat | Target::Find(_) => {
                let key = match target {
                    Target::Find(live) => SendKey(live.to_string()),
                    _ => SendKey(row.id.to_string()),
                };
                let sent = self.channel.send(address, part, &key).await?;
                Ok(Some(sent.message))
            }
            Target::Edit { message, .. } | Target::Replace(message) => {
                self.channel.edit(&sent_as(message), part).await?;
                Ok(Some(message.clone()))
            }
            Target::Delete(message) => {
                self.channel.delete(&sent_as(message)).await?;
                Ok(Some(message.clone()))
            }
            Target::Nowhere => Ok(None),
        }
    }

    async fn note_error(
        &self,
        row: &mut OutboxRow,
        target: &Target,
        error: ChannelError,
    ) -> Result<Tried, StoreError> {
        Span::current().record("otel.status_code", "ERROR");
        let id = row.id;
        let is_new = matches!(target, Target::New { .. } | Target::Repeat);
        match error {
            // Edits and look-ups are idempotent.
            ChannelError::Ambiguous(_) if !is_new => self.put_back(row, FIRST_PAUSE).await,
            ChannelError::Ambiguous(why) => {
                tracing::warn!(row = %id, %why, "delivery status unknown; resending");
                self.note_unknown(row).await
            }
            ChannelError::RetryAfter(wait) => {
                self.put_back(row, wait).await?;
                Ok(Tried::Later(Later::TooMuch(wait)))
            }
            ChannelError::Unreachable(why) => {
                tracing::debug!(row = %id, %why, "platform unreachable");
                self.put_back(row, FIRST_PAUSE).await?;
                Ok(Tried::Later(Later::Away))
            }
            // The channel has stopped; its rows wait for a start with a good token.
            ChannelError::Unauthorized(_) => self.put_back(row, LONGEST_PAUSE).await,
            ChannelError::Moved(to) => {
                self.put_back(row, Duration::ZERO).await?;
                Ok(Tried::Moved(to))
            }
            ChannelError::TooLong => {
                let why = "too long for the platform".to_owned();
                Ok(Tried::Refused(Refused::of_chat(why)))
            }
            ChannelError::Rejected(_) | ChannelError::ThreadGone(_)
                if matches!(target, Target::Replace(_)) =>
            {
                self.put_back(row, Duration::ZERO).await?;
                Ok(Tried::SayNew)
            }
            ChannelError::Rejected(why) if matches!(target, Target::Delete(_)) => {
                tracing::debug!(row = %id, why, "live message not deleted; it is shortened");
                self.edit_instead(row).await
            }
            ChannelError::Rejected(why) | ChannelError::ThreadGone(why) if is_closing(row) => {
                tracing::debug!(row = %id, why, "live message no longer exists");
                self.store
                    .write(move |tx| Box::pin(outbox::supersede(tx, id)))
                    .await?;
                Ok(Tried::Done)
            }
            ChannelError::Rejected(why) => Ok(Tried::Refused(Refused::of_chat(why))),
            ChannelError::ThreadGone(why) => Ok(Tried::Refused(Refused {
                why,
                of_thread: true,
            })),
        }
    }

    /// Notes that a message may have arrived, and sends it again.
    async fn note_unknown(&self, row: &mut OutboxRow) -> Result<Tried, StoreError> {
        let id = row.id;
        row.resent = true;
        self.store
            .write(move |tx| Box::pin(outbox::set_unknown(tx, id)))
            .await?;
        Ok(Tried::Later(Later::Pause(FIRST_PAUSE)))
    }

    /// Makes a deletion that was refused an edit.
    async fn edit_instead(&self, row: &mut OutboxRow) -> Result<Tried, StoreError> {
        let id = row.id;
        row.purpose = Purpose::Edit;
        self.store
            .write(move |tx| Box::pin(outbox::edit_instead(tx, id)))
            .await?;
        Ok(Tried::Later(Later::Pause(Duration::ZERO)))
    }

    async fn put_back(&self, row: &OutboxRow, pause: Duration) -> Result<Tried, StoreError> {
        let id = row.id;
        self.store
            .write(move |tx| Box::pin(outbox::put_back(tx, id)))
            .await?;
        Ok(Tried::Later(Later::Pause(pause)))
    }

    /// The queue does not wait for it, and it is committed at once: when we are killed before, the
    /// row is found `sending`, and its message is said again.
    async fn note_sent(&self, row: &OutboxRow, message: &MessageKey, marked: bool) {
        self.budgets.note_reached();
        metrics::counter!("sayso_outbox_done_total", "state" => "sent").increment(1);
        let id = row.id;
        let note = set_sent(id, message.to_string(), marked);
        let noted = self.store.enqueue(Urgency::Soon, note.clone()).await;
        let store = self.store.clone();
        self.notes.spawn(async move {
            if let Err(error) = noted.wait().await {
                tracing::error!(row = %id, %error, "message sent, but its status is not stored yet");
                keep_writing(&store, note).await;
            }
        });
    }

    /// Notes that the outcome of a turn was sent as a message of its own, and in the same commit
    /// that its live message has yet to go: else two answers would stand in the chat for good. Returns `None` when the store does not take it now.
    async fn note_replaced(
        &self,
        row: &OutboxRow,
        message: &MessageKey,
        marked: bool,
        live: OutboxId,
    ) -> Option<OutboxRow> {
        let end = row.turn_id.and_then(|turn| self.shown.take_end(turn));
        let is_kept = end.as_ref().is_some_and(|end| end.is_kept);
        let line = end.map_or_else(|| UNKNOWN_END.to_owned(), |end| end.line);
        let last = self.channel.render(&Outbound::markdown(line)).pop()?;
        let closing = NewOutbox {
            channel: row.channel.clone(),
            address: row.address.clone(),
            turn: None,
            purpose: if is_kept {
                Purpose::Edit
            } else {
                Purpose::Delete
            },
            subject: None,
            edits: Some(live),
            message: None,
            part: serde_json::to_string(&last).ok()?,
        };
        let (id, message) = (row.id, message.to_string());
        let noted = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    outbox::set_sent(tx, id, &message, marked).await?;
                    outbox::insert(tx, closing).await
                })
            })
            .await;
        match noted {
            Ok(closing) => {
                metrics::counter!("sayso_outbox_done_total", "state" => "sent").increment(1);
                Some(closing)
            }
            Err(error) => {
                tracing::error!(row = %id, %error, "live message not closed");
                None
            }
        }
    }

    async fn move_chat(&self, from: &Address, to: &Address) -> Result<(), StoreError> {
        let (from, to) = (from.clone(), to.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let channel = from.channel.as_str();
                    sayso_store::chats::move_chat(tx, channel, from.chat.as_str(), to.chat.as_str())
                        .await
                })
            })
            .await
    }
}

/// Returns the pause after this one.
fn longer(pause: Duration) -> Duration {
    (pause * 2).min(LONGEST_PAUSE)
}

/// Returns whether a row was tried for long enough.
fn is_given_up(row: &OutboxRow) -> bool {
    now_ms() - row.created_ms > GIVE_UP_AFTER_MS
}

/// Returns whether a row only removes or shortens a live message whose outcome stands below it.
fn is_closing(row: &OutboxRow) -> bool {
    row.purpose.is_change() && row.edits.is_some() && row.subject.is_none()
}

fn set_sent(
    id: OutboxId,
    message: String,
    marked: bool,
) -> impl for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<(), StoreError>> + Clone + Send {
    move |tx| Box::pin(async move { outbox::set_sent(tx, id, &message, marked).await })
}

/// Writes until the store takes it, or is closed.
pub async fn keep_writing<W>(store: &Store, work: W)
where
    W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<(), StoreError>> + Clone + Send + 'static,
{
    loop {
        match store.write(work.clone()).await {
            Ok(()) => return,
            Err(StoreError::Closed) => {
                return tracing::warn!(
                    "database closed; the message is recovered at the next start"
                );
            }
            Err(error) => {
                tracing::debug!(%error, "cannot write the outbox; retrying");
                tokio::time::sleep(WRITE_AGAIN_AFTER).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{FIRST_PAUSE, longer};

    #[test]
    fn ten_minutes_without_a_platform_are_so_many_tries() {
        let pauses = std::iter::successors(Some(FIRST_PAUSE), |pause| Some(longer(*pause)));
        let within = pauses.scan(Duration::ZERO, |passed, pause| {
            *passed += pause;
            (*passed <= Duration::from_mins(10)).then_some(pause)
        });
        assert_eq!(within.count(), 15);
    }
}
