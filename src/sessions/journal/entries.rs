//! The entries of a turn, and its end, as they are committed.

use async_trait::async_trait;
use sayso_channel::{FileSource, OutFile, Outbound};
use sayso_core::transcript::{Entry, FileToSend, ToolOutcome, TurnOutcome};
use sayso_memory::keep_lines;
use sayso_store::outbox::OutboxRow;
use sayso_store::{chats, compactions, now_ms, turn_ends, turns};

use super::{StoredJournal, journal_error};
use crate::audit::{self, CallsSeen};
use crate::delivery::{Purpose, Saying};
use crate::executor::{EntryLog, JournalError};
use crate::sessions::cards::CardWriter;
use crate::sessions::outcome;

#[async_trait]
impl EntryLog for StoredJournal {
    async fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        if let Some(outbound) = said_with(entry) {
            self.write_last_reply().await;
            return self.append_and_say(entry, outbound).await;
        }
        self.write_last_reply().await;
        if is_last_reply(entry) {
            self.last_reply = Some(entry.clone());
            self.next_seq += 1;
            return Ok(());
        }
        if let Entry::Fetched(fetched) = entry {
            let notices = fetched.notices().map(str::to_owned);
            self.ending.file_notices.extend(notices);
        }
        let seq = self.next_seq;
        self.next_seq += 1;
        self.ride(entry, seq).await;
        Ok(())
    }

    async fn finish(&mut self, outcome: &TurnOutcome) -> Result<(), JournalError> {
        let mut last_reply = self.last_reply.take();
        let fence = self.fence;
        let mut seq = self.next_seq - i64::from(last_reply.is_some());
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
                    let (turn, session) = (ending.turn, ending.session);
                    let in_history = outcome::is_in_history(&outcome);
                    let row = turn_ends::begin_end(tx, turn, session, fence, in_history).await?;
                    let outcome = match row.stop_by {
                        Some(by) => {
                            let before = last_reply.take();
                            seq = turns::append(tx, turn, seq, before.as_slice()).await?;
                            outcome::stopped(tx, &ending, by, Some(outcome)).await?
                        }
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
                    let entries = last_reply.into_iter().chain([ended]).collect::<Vec<_>>();
                    turns::append(tx, turn, seq, &entries).await?;
                    let end = outcome::end(tx, &ctx, &ending, &row, &outcome);
                    said.extend(end.await?);
                    Ok(said)
                })
            })
            .await
            .map_err(journal_error)?;
        self.has_ended = true;
        self.check_riding()?;
        self.next_seq += 1;
        self.ctx.auditor.wake();
        tracing::info!(turn = %self.turn.id, session = %self.session.id, kind = ?self.chat_kind, "turn ended");
        if self.ending.run.is_some() {
            // What a routine reports would fill the memory with news.
            self.ctx.routines.changed.notify_one();
        } else {
            self.index().await;
        }
        self.ctx.outbox.offer(said);
        Ok(())
    }
}

impl StoredJournal {
    /// Writes an entry that rides with a later commit.
    async fn ride(&mut self, entry: &Entry, seq: i64) {
        let (turn, session, fence) = (self.turn.id, self.session.id, self.fence);
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
                        let due_ms = now_ms();
                        compactions::want(tx, session, user, &address, false, due_ms).await?;
                    }
                    match record {
                        Some(record) => auditor.note(tx, record).await,
                        None => Ok(()),
                    }
                })
            })
            .await;
        self.riding.push(riding);
    }

    /// Has the lines of the turn indexed. The result is not awaited, and anything that follows the
    /// answer is queued behind it.
    async fn index(&self) {
        let turn = self.turn.id;
        let index = self
            .ctx
            .store
            .write_later(move |tx| Box::pin(keep_lines(tx, turn)));
        drop(index.await);
    }

    /// Writes the last reply where something else than the end of the turn comes behind it.
    pub(super) async fn write_last_reply(&mut self) {
        if let Some(reply) = self.last_reply.take() {
            self.ride(&reply, self.next_seq - 1).await;
        }
    }
}

impl StoredJournal {
    /// Appends an entry and says something in the same commit: it is said once, whenever we are
    /// killed.
    pub(super) async fn append_and_say(
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

/// Returns whether an entry is an answer behind which nothing is left to do but to end the turn.
fn is_last_reply(entry: &Entry) -> bool {
    matches!(entry, Entry::Replied(reply) if reply.message.calls.is_empty())
}

/// Returns the file that is sent to the chat together with an entry.
fn said_with(entry: &Entry) -> Option<Outbound> {
    let Entry::Returned(returned) = entry else {
        return None;
    };
    match &returned.outcome {
        ToolOutcome::Sends { file } => Some(sending(file)),
        _ => None,
    }
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
