//! What calls need of a turn's journal: their start, their cards, approvals, and what is known of
//! the workspace.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_channel::{ChatKind, Outbound};
use sayso_core::transcript::{
    CallId, Entry, FileBefore, OutsideReason, UserId, WorkspaceProvenance,
};
use sayso_policy::{ClearedCall, GrantPattern, HeldCall};
use sayso_store::turns::TurnStatus;
use sayso_store::{cards, chats, file_changes, now_ms, people, turns, workspaces};

use super::{StoredJournal, journal_error};
use crate::approvals;
use crate::executor::{Approved, CallJournal, JournalError, WorkspaceLog};
use crate::routines;
use crate::sessions::held_cards::{self, AskedIn};
use crate::sessions::messages;

/// The result of starting a call.
enum Started {
    Begun,
    Stopped(UserId),
    NotApproved,
}

#[async_trait]
impl CallJournal for StoredJournal {
    async fn call(
        &mut self,
        cleared: &ClearedCall,
        before: Vec<FileBefore>,
    ) -> Result<(), JournalError> {
        self.write_last_reply().await;
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
                    file_changes::keep(tx, session, turn, &call, &before).await?;
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

    async fn changes_of(&mut self, call: &CallId) -> Result<Vec<FileBefore>, JournalError> {
        let readers = self.ctx.store.reader();
        file_changes::of_call(readers, self.turn.id, call)
            .await
            .map_err(journal_error)
    }

    async fn hold(&mut self, held: &[HeldCall]) -> Result<(), JournalError> {
        self.write_last_reply().await;
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
                    turns::set_state(tx, ending.turn, TurnStatus::Parked).await?;
                    if ending.run.is_some() {
                        routines::note_parked(tx, ending.turn, true).await?;
                    }
                    ctx.reservations.write_turn(tx, ending.turn).await?;
                    let mut said = Vec::new();
                    for card in cards {
                        said.extend(held_cards::ask(tx, &ctx, &ending, card).await?);
                    }
                    Ok(said)
                })
            })
            .await
            .map_err(journal_error)?;
        self.ctx.reservations.note_written(self.turn.id);
        self.check_riding()?;
        self.next_seq += 1;
        self.ctx.auditor.wake();
        self.ctx.outbox.offer(said);
        Ok(())
    }

    async fn approved(&mut self, call: &CallId) -> Result<Option<Approved>, JournalError> {
        let (turn, call) = (self.turn.id, call.clone());
        self.ctx
            .store
            .write(move |tx| Box::pin(async move { approvals::redeem(tx, turn, &call).await }))
            .await
            .map_err(journal_error)
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
        self.write_last_reply().await;
        let notice = Outbound {
            reply_to: self.ending.reply_to.clone(),
            ..Outbound::markdown(messages::no_owner_to_ask(self.ending.language))
        };
        self.append_and_say(entry, notice).await
    }

    async fn name_of(&mut self, user: UserId) -> Result<Option<String>, JournalError> {
        let accounts = self
            .ctx
            .store
            .write(move |tx| Box::pin(people::accounts_of(tx, user)))
            .await
            .map_err(journal_error)?;
        Ok(accounts.into_iter().next().map(|account| account.name))
    }
}

#[async_trait]
impl WorkspaceLog for StoredJournal {
    async fn provenance(&mut self) -> Result<WorkspaceProvenance, JournalError> {
        if self.turn.project.is_some() {
            // Its folder was there before, and others change it.
            let why = OutsideReason::Shared;
            return Ok(WorkspaceProvenance::Foreign { why });
        }
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

    async fn note_provenance(&mut self, now: &WorkspaceProvenance) -> Result<(), JournalError> {
        // Beside a project, only a command that is held to nothing reaches the user's own workspace.
        let reaches_out = WorkspaceProvenance::Foreign {
            why: OutsideReason::ReachedOut,
        };
        let is_elsewhere = self.turn.project.is_some() && *now != reaches_out;
        if self.chat_kind == ChatKind::Group || is_elsewhere {
            return Ok(());
        }
        let (session, fence, user) = (self.session.id, self.fence, self.turn.user_id);
        let now = now.clone();
        let riding = self
            .ctx
            .store
            .write_later(move |tx| {
                Box::pin(async move {
                    chats::check_fence(tx, session, fence).await?;
                    workspaces::note(tx, user, &now).await
                })
            })
            .await;
        self.riding.push(riding);
        Ok(())
    }

    async fn keep_changes(
        &mut self,
        call: &CallId,
        files: Vec<FileBefore>,
    ) -> Result<(), JournalError> {
        let (session, fence, turn) = (self.session.id, self.fence, self.turn.id);
        let call = call.clone();
        let riding = self
            .ctx
            .store
            .write_later(move |tx| {
                Box::pin(async move {
                    chats::check_fence(tx, session, fence).await?;
                    file_changes::keep(tx, session, turn, &call, &files).await
                })
            })
            .await;
        self.riding.push(riding);
        Ok(())
    }
}
