//! What people said before a turn and say while it works, and the files that came with it.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sayso_channel::AttachmentRef;
use sayso_core::transcript::{Entry, Heard, HeardText};
use sayso_store::{accepted_instructions, chats, inbox, now_ms, turns};
use tokio::fs::File;

use super::{StoredJournal, journal_error};
use crate::agent::{Earlier, FetchError, MessageSource};
use crate::executor::JournalError;
use crate::sessions::line::is_settling;
use crate::sessions::{compaction, file_fetch, messages};

/// How many messages may join a turn at one step.
const JOINING: i64 = 20;

#[async_trait]
impl MessageSource for StoredJournal {
    async fn pending_messages(&mut self) -> Result<Vec<HeardText>, JournalError> {
        self.write_last_reply().await;
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
        if !heard.is_empty() {
            self.next_seq += 1;
            let messages = heard.clone();
            self.of_history.push(Entry::Heard(Heard { messages }));
        }
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

    async fn history(&mut self) -> Result<Earlier, JournalError> {
        let (session, turn) = (&self.session, &self.turn);
        let window = compaction::Window {
            session,
            turn,
            cursor: self.history_cursor,
            has_compaction: self.has_compaction,
        };
        let earlier = compaction::earlier(&self.ctx, window);
        earlier.await.map_err(journal_error)
    }

    async fn accepted_instructions(
        &mut self,
        project: &str,
    ) -> Result<BTreeMap<String, String>, JournalError> {
        let accepted = accepted_instructions::of(self.ctx.store.reader(), project);
        accepted.await.map_err(journal_error)
    }
}
