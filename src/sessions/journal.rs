//! The journal of a turn over the store: every write guarded by the lease's fence.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_channel::{AttachmentRef, ChatKind, FileSource, OutFile, Outbound};
use tokio::fs::File;

use super::cards::CardWriter;
use super::claim::{Claim, place_of};
use super::held_cards::{self, AskedIn};
use super::line::is_settling;
use super::outcome::{self, TurnEnding};
use super::{SessionContext, compaction, file_fetch, messages};
use crate::agent::{Earlier, FetchError, Journal, JournalError};
use crate::approvals::{self, Approved};
use crate::audit::{self, CallsSeen, Place, Record};
use crate::delivery::{Purpose, Saying};
use crate::memory::keep_lines;
use crate::policy::{ClearedCall, GrantPattern, HeldCall};
use crate::store::outbox::OutboxRow;
use crate::store::{
    Committed, StoreError, cards, chats, compactions, file_changes, inbox, now_ms, turns,
    workspaces,
};
use crate::transcript::{
    CallId, ConversationMessage, Entry, FileBefore, FileToSend, Heard, HeardText, OutsideReason,
    ToolOutcome, TurnOutcome, TurnState, UserId, WorkspaceProvenance,
};

/// How many messages may join a turn at one step.
const JOINING: i64 = 20;

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
    /// How the turn has ended.
    outcome: Option<TurnOutcome>,
}

/// The result of starting a call.
enum Started {
    Begun,
    Stopped(UserId),
    NotApproved,
}

impl StoredJournal {
    /// Returns the journal of a claimed turn.
    pub fn new(ctx: SessionContext, claim: &Claim) -> Self {
        let state = TurnState::fold(&claim.entries);
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
            untrusted: !state.taint.is_empty(),
            asked: state
                .answering
                .as_ref()
                .map_or(0, |answering| answering.asked),
            language: ctx.limits.language_in(&claim.session.language),
            learns_after_ms: ctx.limits.learning.map(|learning| learning.idle_ms),
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
            outcome: None,
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
    pub async fn hand_over(&self) {
        let id = self.turn.id;
        let noted = self
            .ctx
            .store
            .write(move |tx| Box::pin(turns::hand_over(tx, id)))
            .await;
        if let Err(error) = noted {
            tracing::warn!(turn = %id, %error, "a turn was not handed over; its next start counts as one after a crash");
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

    /// Appends an entry and says something in the same commit: it is said once, whenever we are
    /// killed.
    async fn append_and_say(
        &mut self,
        entry: &Entry,
        outbound: Outbound,
    ) -> Result<(), JournalError> {
        let (fence, seq, ending) = (self.fence, self.next_seq, self.ending.clone());
        let (record, auditor) = (self.record_of(entry), self.ctx.auditor.clone());
        self.calls.apply(entry, now_ms());
        let (entry, outbox) = (entry.clone(), self.ctx.outbox.clone());
        let said = self
            .ctx
            .store
            .write(move |tx| {
                Box::pin(async move {
                    chats::check_fence(tx, ending.session, fence).await?;
                    turns::append(tx, ending.turn, seq, &[entry]).await?;
                    if let Some(record) = record {
                        auditor.note(tx, record).await?;
                    }
                    let saying = Saying {
                        to: &ending.address,
                        purpose: Purpose::Notice,
                        turn: Some(ending.turn),
                        subject: None,
                        outbound: &outbound,
                    };
                    outbox.say(tx, saying).await
                })
            })
            .await
            .map_err(journal_error)?;
        self.check_riding()?;
        self.next_seq += 1;
        self.ctx.outbox.offer(said);
        Ok(())
    }
}

/// Returns the messages that are sent to the chat together with an entry: a file, or a notice of
/// what could not be fetched.
fn said_with(entry: &Entry) -> Option<Outbound> {
    if let Entry::Returned(returned) = entry
        && let ToolOutcome::Sends { file } = &returned.outcome
    {
        return Some(sending(file));
    }
    let Entry::Fetched(fetched) = entry else {
        return None;
    };
    let missed = fetched.files.iter();
    let missed: Vec<&str> = missed.filter_map(|file| file.why.as_deref()).collect();
    (!missed.is_empty()).then(|| Outbound::markdown(missed.join("\n")))
}

fn sending(file: &FileToSend) -> Outbound {
    Outbound {
        file: Some(OutFile {
            name: file.name.clone(),
            source: FileSource::Path(file.path.clone()),
        }),
        ..Outbound::markdown(&file.caption)
    }
}

#[async_trait]
impl Journal for StoredJournal {
    async fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        if let Some(outbound) = said_with(entry) {
            return self.append_and_say(entry, outbound).await;
        }
        let (turn, session, fence, seq) =
            (self.turn.id, self.session.id, self.fence, self.next_seq);
        let (record, auditor) = (self.record_of(entry), self.ctx.auditor.clone());
        self.calls.apply(entry, now_ms());
        let (entry, user, address) = (entry.clone(), self.turn.user_id, self.turn.address.clone());
        let riding = self
            .ctx
            .store
            .write_later(move |tx| {
                Box::pin(async move {
                    turns::append_under(tx, turn, fence, seq, &entry).await?;
                    if matches!(&entry, Entry::Compacted(it) if it.leaves_out_turns()) {
                        let whose = (session, user);
                        compactions::want(tx, whose, &address, false, now_ms()).await?;
                    }
                    match record {
                        Some(record) => auditor.note(tx, record).await,
                        None => Ok(()),
                    }
                })
            })
            .await;
        self.next_seq += 1;
        self.riding.push(riding);
        Ok(())
    }

    async fn call(
        &mut self,
        cleared: &ClearedCall,
        before: Option<FileBefore>,
    ) -> Result<(), JournalError> {
        let (turn, fence, seq) = (self.turn.id, self.fence, self.next_seq);
        let session = self.session.id;
        let call = cleared.call().id.clone();
        let entry = Entry::Called { call: call.clone() };
        let begun = entry.clone();
        let (record, auditor) = (self.record_of(&entry), self.ctx.auditor.clone());
        let needs_approval = cleared.was_approved();
        let started = self
            .ctx
            .store
            .write(move |tx| {
                Box::pin(async move {
                    if let Some(by) = turns::guard(tx, turn, fence).await?.stop_by {
                        return Ok(Started::Stopped(by));
                    }
                    if needs_approval && !cards::use_up(tx, turn, &call.0).await? {
                        return Ok(Started::NotApproved);
                    }
                    turns::append(tx, turn, seq, &[entry]).await?;
                    if let Some(before) = before {
                        file_changes::keep(tx, (session, turn), &call, &before).await?;
                    }
                    if let Some(record) = record {
                        auditor.record(tx, record).await?;
                    }
                    Ok(Started::Begun)
                })
            })
            .await
            .map_err(journal_error)?;
        self.check_riding()?;
        match started {
            Started::Begun => {
                self.calls.apply(&begun, now_ms());
                self.next_seq += 1;
                Ok(())
            }
            Started::Stopped(by) => Err(JournalError::Stopped { by }),
            Started::NotApproved => Err(JournalError::NotApproved),
        }
    }

    async fn hold(&mut self, held: &[HeldCall]) -> Result<(), JournalError> {
        let asked = AskedIn {
            session: &self.session,
            turn: &self.turn,
            chat_kind: self.chat_kind,
            language: self.ending.language,
        };
        let cards = asked.cards(held, &self.ctx);
        let calls = held.iter().map(|held| held.call().id.clone()).collect();
        let (fence, seq, ending) = (self.fence, self.next_seq, self.ending.clone());
        let ctx = self.ctx.clone();
        let said = self
            .ctx
            .store
            .write(move |tx| {
                Box::pin(async move {
                    chats::check_fence(tx, ending.session, fence).await?;
                    turns::append(tx, ending.turn, seq, &[Entry::Held { calls }]).await?;
                    turns::set_state(tx, ending.turn, "parked").await?;
                    let mut said = Vec::new();
                    for card in cards {
                        said.extend(held_cards::ask(tx, &ctx, &ending, card).await?);
                    }
                    Ok(said)
                })
            })
            .await
            .map_err(journal_error)?;
        self.check_riding()?;
        self.next_seq += 1;
        self.ctx.auditor.wake();
        self.ctx.outbox.offer(said);
        Ok(())
    }

    async fn can_ask_owners(&mut self) -> Result<bool, JournalError> {
        let owners = Arc::clone(&self.ctx.owners);
        let (session, chat_kind) = (self.session.id, self.chat_kind);
        let asked = self.ctx.store.write(move |tx| {
            Box::pin(async move {
                let is_read_here =
                    chat_kind == ChatKind::Group && turns::owner_has_spoken(tx, session).await?;
                Ok(is_read_here || !owners.direct_chats(tx).await?.is_empty())
            })
        });
        asked.await.map_err(journal_error)
    }

    async fn append_unasked(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let notice = Outbound {
            reply_to: self.ending.reply_to.clone(),
            ..Outbound::markdown(messages::no_owner_to_ask(self.ending.language))
        };
        self.append_and_say(entry, notice).await
    }

    async fn approved(&mut self, call: &CallId) -> Result<Option<Approved>, JournalError> {
        let (turn, call) = (self.turn.id, call.clone());
        self.ctx
            .store
            .write(move |tx| Box::pin(async move { approvals::redeem(tx, turn, &call).await }))
            .await
            .map_err(journal_error)
    }

    async fn pending_messages(&mut self) -> Result<Vec<HeardText>, JournalError> {
        let (turn, session, fence, seq) =
            (self.turn.id, self.session.id, self.fence, self.next_seq);
        let (user, language) = (self.turn.user_id, self.ending.language);
        let heard: Vec<HeardText> = self
            .ctx
            .store
            .write(move |tx| {
                Box::pin(async move {
                    chats::check_fence(tx, session, fence).await?;
                    let now = now_ms();
                    // Other people's messages, and those that stand alone, begin turns of their own
                    // and keep their place.
                    let jobs = inbox::pending_messages(tx, session, user, JOINING).await?;
                    let mut heard = Vec::new();
                    for job in jobs {
                        if is_settling(job.ready_ms, now) {
                            break;
                        }
                        inbox::hear(tx, job.id, turn).await?;
                        let text = messages::joined(&job.said, language);
                        heard.push(HeardText {
                            inbox: job.id,
                            text,
                            untrusted: job.untrusted,
                            files: job.files()?,
                        });
                    }
                    if !heard.is_empty() {
                        let entry = Entry::Heard(Heard {
                            messages: heard.clone(),
                        });
                        turns::append(tx, turn, seq, &[entry]).await?;
                    }
                    Ok(heard)
                })
            })
            .await
            .map_err(journal_error)?;
        self.check_riding()?;
        self.next_seq += i64::from(!heard.is_empty());
        Ok(heard)
    }

    async fn has_pending_messages(&mut self) -> Result<bool, JournalError> {
        let (session, user) = (self.session.id, self.turn.user_id);
        let reader = self.ctx.store.reader();
        let ready = inbox::first_joining(reader, session, user).await;
        let ready = ready.map_err(journal_error)?;
        Ok(ready.is_some_and(|ready_ms| ready_ms <= now_ms()))
    }

    async fn fetch(&mut self, file: &AttachmentRef, into: &mut File) -> Result<(), FetchError> {
        let channel = self.ctx.outbox.channel(&self.ending.address);
        let channel = channel.ok_or(FetchError::Unreachable)?;
        file_fetch::fetch(channel.as_ref(), file, into).await
    }

    async fn grants(&mut self) -> Result<Vec<GrantPattern>, JournalError> {
        let (user, session) = (self.turn.user_id, self.session.id);
        let lines = self
            .ctx
            .store
            .write(move |tx| Box::pin(approvals::list(tx, user, session)))
            .await
            .map_err(journal_error)?;
        Ok(lines
            .iter()
            .filter_map(|line| serde_json::from_str(&line.pattern).ok())
            .collect())
    }

    async fn ground(&mut self) -> Result<WorkspaceProvenance, JournalError> {
        let user = match self.chat_kind {
            ChatKind::Direct => self.turn.user_id,
            ChatKind::Group => {
                let why = OutsideReason::Shared;
                return Ok(WorkspaceProvenance::Foreign { why });
            }
        };
        self.ctx
            .store
            .write(move |tx| Box::pin(workspaces::ground(tx, user)))
            .await
            .map_err(journal_error)
    }

    async fn note_ground(&mut self, ground: &WorkspaceProvenance) -> Result<(), JournalError> {
        if self.chat_kind == ChatKind::Group {
            return Ok(());
        }
        let (session, fence, user) = (self.session.id, self.fence, self.turn.user_id);
        let ground = ground.clone();
        let riding = self
            .ctx
            .store
            .write_later(move |tx| {
                Box::pin(async move {
                    chats::check_fence(tx, session, fence).await?;
                    workspaces::note(tx, user, &ground).await
                })
            })
            .await;
        self.riding.push(riding);
        Ok(())
    }

    fn largest_file(&self) -> u64 {
        self.ctx.outbox.largest_file(&self.ending.address.channel)
    }

    async fn history(&mut self) -> Result<Earlier, JournalError> {
        let whose = (&self.session, &self.turn);
        let earlier = compaction::earlier(&self.ctx, whose, self.history_cursor).await;
        earlier.map_err(journal_error)
    }

    async fn finish(&mut self, outcome: &TurnOutcome) -> Result<(), JournalError> {
        let (fence, seq) = (self.fence, self.next_seq);
        self.outcome = Some(outcome.clone());
        let (ending, outcome) = (self.ending.clone(), outcome.clone());
        let (auditor, place) = (self.ctx.auditor.clone(), self.place);
        let ctx = self.ctx.clone();
        let said: Vec<OutboxRow> = self
            .ctx
            .store
            .write_soon(move |tx| {
                Box::pin(async move {
                    // A stop that came first is the outcome: the user who stopped the turn expects
                    // that confirmation.
                    let row = turns::guard(tx, ending.turn, fence).await?;
                    let outcome = match row.stop_by {
                        Some(by) => outcome::stopped(tx, &ending, by).await?,
                        None => outcome,
                    };
                    let ended = Entry::Ended {
                        outcome: outcome.clone(),
                    };
                    if let Some(record) = audit::record_of(&ended, &CallsSeen::default(), place) {
                        auditor.note(tx, record).await?;
                    }
                    let mut said = if row.has_cards {
                        outcome::drop_cards(tx, CardWriter::of(&ctx), &ending).await?
                    } else {
                        Vec::new()
                    };
                    said.extend(outcome::end(tx, &ctx.outbox, &ending, seq, &outcome).await?);
                    Ok(said)
                })
            })
            .await
            .map_err(journal_error)?;
        self.check_riding()?;
        self.next_seq += 1;
        self.ctx.auditor.wake();
        tracing::info!(turn = %self.turn.id, session = %self.session.id, kind = ?self.chat_kind, "turn ended");
        // The result is not awaited, and anything that follows the answer is queued behind it.
        let turn = self.turn.id;
        let index = self
            .ctx
            .store
            .write_later(move |tx| Box::pin(keep_lines(tx, turn)));
        drop(index.await);
        self.ctx.outbox.offer(said);
        Ok(())
    }
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
