//! The journal of a turn over the store: every write guarded by the lease's fence.
//!
//! One type, by use: `entries.rs` writes entries, `calls.rs` what calls need, `messages.rs` reads
//! what people said.

mod calls;
mod entries;
mod messages;

use sayso_channel::ChatKind;
use sayso_core::transcript::{ConversationMessage, Entry, TurnOutcome, TurnState, UserId};
use sayso_store::{Committed, StoreError, chats, history, turns};

use super::SessionContext;
use super::claim::{Claim, place_of};
use super::routine_turn::run_of;
use super::turn_ending::TurnEnding;
use crate::audit::{self, CallsSeen, Place, Record};
use crate::executor::JournalError;

/// The journal of one claimed turn.
pub struct StoredJournal {
    ctx: SessionContext,
    fence: i64,
    session: chats::SessionRow,
    turn: turns::TurnRow,
    chat_kind: ChatKind,
    ending: TurnEnding,
    next_seq: i64,
    /// The history of the turn ends here, also when it was parked while others ended.
    history_cursor: i64,
    /// Where it happens, for the audit.
    place: Place,
    /// The calls of the newest step.
    calls: CallsSeen,
    /// Entries that ride with a later commit.
    riding: Vec<Committed<()>>,
    /// The answer that ends the turn, until its end is written: nothing comes between the two.
    last_reply: Option<Entry>,
    /// Its entries that count for later turns, as they stand in the database of `version`.
    of_history: Vec<Entry>,
    /// The version of the database when the turn was claimed.
    version: u64,
    /// How the turn has ended.
    outcome: Option<TurnOutcome>,
    /// Whether its end is committed.
    has_ended: bool,
    /// Whether something else waited in the session at that time.
    session_has_work: bool,
    /// Whether a summary may stand for earlier turns.
    has_compaction: bool,
}

impl StoredJournal {
    /// Returns the journal of a claimed turn.
    pub fn new(ctx: SessionContext, claim: &Claim) -> Self {
        let state = TurnState::fold(&claim.entries);
        let run = run_of(&claim.entries);
        let ending = TurnEnding {
            turn: claim.turn.id,
            session: claim.session.id,
            user: claim.turn.user_id,
            address: claim.address.clone(),
            reply_to: claim
                .turn
                .reply_to
                .clone()
                .map(sayso_channel::MessageKey::new),
            request: request_of(&state),
            file_notices: state.file_notices.clone(),
            untrusted: !state.taint.is_empty(),
            asked: state
                .answering
                .as_ref()
                .map_or(0, |answering| answering.asked),
            language: ctx.limits.language_in(&claim.session.language),
            // Nothing is learned from what no person said.
            learns_after_ms: ctx
                .limits
                .learning
                .filter(|_| run.is_none())
                .map(|learning| learning.idle_ms),
            run,
        };
        Self {
            ctx,
            fence: claim.fence,
            session: claim.session.clone(),
            turn: claim.turn.clone(),
            chat_kind: claim.session.chat_kind,
            ending,
            next_seq: claim.entries.len() as i64,
            history_cursor: state.history_cursor,
            place: place_of(&claim.session, &claim.turn),
            calls: CallsSeen::of(&claim.entries),
            riding: Vec::new(),
            last_reply: None,
            of_history: of_history(&claim.entries),
            version: claim.version,
            outcome: None,
            has_ended: false,
            session_has_work: false,
            has_compaction: claim.has_compaction,
        }
    }

    /// Returns what a stop of this turn would say of it, and where.
    pub fn ending(&self) -> &TurnEnding {
        &self.ending
    }

    /// Returns how the turn has ended, once it has.
    pub fn outcome(&self) -> Option<&TurnOutcome> {
        self.outcome.as_ref()
    }

    /// Returns whether something else waited in the session when the end of the turn was committed, which
    /// has given back the lease; `None` where it has not ended.
    pub fn session_has_work(&self) -> Option<bool> {
        self.has_ended.then_some(self.session_has_work)
    }

    /// Returns who wants the turn stopped.
    pub async fn stop_wanted(&self) -> Result<Option<UserId>, JournalError> {
        let id = self.turn.id;
        let turn = self
            .ctx
            .store
            .write(move |tx| Box::pin(turns::turn(tx, id)))
            .await;
        turn.map(|turn| turn.stop_by).map_err(journal_error)
    }

    /// Notes that the turn is left in good order by a shutdown.
    pub async fn hand_over(&mut self) {
        self.write_last_reply().await;
        let (id, reservations) = (self.turn.id, self.ctx.reservations.clone());
        let noted = self.ctx.store.write(move |tx| {
            Box::pin(async move {
                turns::hand_over(tx, id).await?;
                reservations.write_turn(tx, id).await
            })
        });
        match noted.await {
            Ok(()) => self.ctx.reservations.note_written(id),
            Err(error) => {
                tracing::warn!(turn = %id, %error, "failed to mark turn as suspended; it will be counted as a crash on resume");
            }
        }
    }

    /// Returns an error when an entry that was to ride along could not be written.
    fn check_riding(&mut self) -> Result<(), JournalError> {
        let failure = self.riding.iter_mut().find_map(Committed::failure);
        self.riding.clear();
        failure.map_or(Ok(()), |error| Err(journal_error(error)))
    }

    /// Returns what is written down of an entry that comes next.
    fn record_of(&self, entry: &Entry) -> Option<Record> {
        audit::record_of(entry, &self.calls, self.place)
    }
}

/// Returns the entries that count for later turns.
fn of_history(entries: &[Entry]) -> Vec<Entry> {
    let entries = entries.iter();
    entries
        .filter(|it| history::is_of_history(it))
        .cloned()
        .collect()
}

fn journal_error(error: StoreError) -> JournalError {
    match error {
        StoreError::Fenced => JournalError::Lost,
        StoreError::Unaudited(why) => JournalError::Unaudited(why),
        other => JournalError::Broken(other.to_string()),
    }
}

/// What the user asked for, to name it in a question.
fn request_of(state: &TurnState) -> String {
    let texts: Vec<&str> = state
        .messages
        .iter()
        .filter_map(|message| match message {
            ConversationMessage::User { text, .. } => Some(text.as_str()),
            ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
        })
        .collect();
    texts.join("\n")
}
