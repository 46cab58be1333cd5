//! The entries of a turn, and its end, as they are committed.

use async_trait::async_trait;
use sayso_channel::{FileSource, OutFile, Outbound};
use sayso_core::transcript::{Entry, FileToSend, ToolOutcome, TurnOutcome, TurnState};
use sayso_memory::{SaidInTurn, keep_lines};
use sayso_store::outbox::OutboxRow;
use sayso_store::{chats, compactions, history, now_ms, turn_ends, turns};

use super::{StoredJournal, journal_error};
use crate::audit::{self, CallsSeen};
use crate::delivery::{Purpose, Saying};
use crate::executor::{EntryLog, JournalError};
use crate::sessions::cards::CardWriter;
use crate::sessions::history_cache::EndedTurn;
use crate::sessions::outcome;

#[async_trait]
impl EntryLog for StoredJournal {
    async fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.write_last_reply().await;
        if let Some(outbound) = said_with(entry) {
            return self.append_and_say(entry, outbound).await;
        }
        self.note_for_history(entry);
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
        if matches!(entry, Entry::Planned(_)) {
            return self.wait_for_riding().await;
        }
        Ok(())
    }

    async fn finish(&mut self, outcome: &TurnOutcome) -> Result<(), JournalError> {
        let mut last_reply = self.last_reply.take();
        let mut seq = self.next_seq - i64::from(last_reply.is_some());
        self.outcome = Some(outcome.clone());
        let (ending, outcome) = (self.ending.clone(), outcome.clone());
        let (place, fence) = (self.place, self.fence);
        let (auditor, ctx) = (self.ctx.auditor.clone(), self.ctx.clone());
        let end: End = self
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
                    let entries = [last_reply.into_iter().collect(), vec![ended]].concat();
                    turns::append(tx, turn, seq, &entries).await?;
                    let end = outcome::end(tx, &ctx, &ending, &row, &outcome).await?;
                    said.extend(end.said);
                    Ok(End {
                        session_has_work: end.session_has_work,
                        place: row.place(outcome::is_in_history(&outcome)),
                        outcome,
                        version: tx.version(),
                        said,
                    })
                })
            })
            .await
            .map_err(journal_error)?;
        self.follow_end(end).await
    }
}

/// The end of a turn, as it was committed.
struct End {
    outcome: TurnOutcome,
    /// Its place in the history of its session; `None` where it has none.
    place: Option<i64>,
    /// The version of the transaction.
    version: u64,
    /// Whether something else waited in the session.
    session_has_work: bool,
    said: Vec<OutboxRow>,
}

impl StoredJournal {
    fn note_for_history(&mut self, entry: &Entry) {
        if history::is_of_history(entry) {
            self.of_history.push(entry.clone());
        }
    }

    /// Does what follows from the end of the turn, once it is committed.
    async fn follow_end(&mut self, mut end: End) -> Result<(), JournalError> {
        self.has_ended = true;
        self.check_riding()?;
        self.next_seq += 1;
        self.ctx.auditor.wake();
        tracing::info!(turn = %self.turn.id, session = %self.session.id, kind = ?self.chat_kind, "turn ended");
        self.session_has_work = end.session_has_work;
        let known = self.known_end(&end);
        let said = known
            .as_ref()
            .map(|state| SaidInTurn::of(state, end.version));
        self.index(said).await;
        self.ctx.outbox.offer(std::mem::take(&mut end.said));
        self.note_end(&end, known);
        Ok(())
    }

    /// Returns the state in which the turn has ended, unless that may differ from what its journal says by
    /// now: since it was claimed, what it heard may have been erased or forgotten.
    fn known_end(&mut self, end: &End) -> Option<TurnState> {
        let mut entries = std::mem::take(&mut self.of_history);
        entries.push(Entry::Ended {
            outcome: end.outcome.clone(),
        });
        (end.version == self.version).then(|| TurnState::fold(&entries))
    }

    /// Has the next turn of the session find this one without reading it.
    fn note_end(&self, end: &End, known: Option<TurnState>) {
        let Some((place, state)) = end.place.zip(known) else {
            return;
        };
        let (turn, user) = (self.turn.id, self.turn.user_id);
        let project = self.turn.project.clone();
        let ended = EndedTurn::of(turn, user, project, place, state);
        let limit = self.ctx.agent.limits.history_turns();
        let session = self.session.id;
        self.ctx
            .history
            .note_end(end.version, session, ended, limit);
    }

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

    /// Waits until what rides is committed: what is shown of a plan is the plan that a resumed turn
    /// follows.
    async fn wait_for_riding(&mut self) -> Result<(), JournalError> {
        for riding in std::mem::take(&mut self.riding) {
            riding.wait().await.map_err(journal_error)?;
        }
        Ok(())
    }

    /// Has the lines of the turn indexed. The result is not awaited, and anything that follows the
    /// answer is queued behind it. What a routine reports would fill the memory with news.
    async fn index(&self, said: Option<SaidInTurn>) {
        if self.ending.run.is_some() {
            self.ctx.routines.changed.notify_one();
            return;
        }
        let turn = self.turn.id;
        let index = self
            .ctx
            .store
            .write_later(move |tx| Box::pin(keep_lines(tx, turn, said)));
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
        let (written, outbox) = (entry.clone(), self.ctx.outbox.clone());
        let said = self
            .ctx
            .store
            .write(move |tx| {
                Box::pin(async move {
                    chats::check_fence(tx, ending.session, fence).await?;
                    turns::append(tx, ending.turn, seq, &[written]).await?;
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
        self.note_for_history(entry);
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
