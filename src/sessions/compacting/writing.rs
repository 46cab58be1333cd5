//! What comes of a compaction, in one transaction: the summary, what it cost, the entry about it, what is
//! said, and that nobody waits for it any more.

use sayso_channel::{Address, Language, Outbound};

use super::reading::Reading;
use super::{Answered, TRIES};
use crate::agent::SummedUp;
use crate::delivery::{Purpose, Saying, Voice};
use crate::memory::without_forgotten;
use crate::policy::injection::{Treatment, check_tool_result};
use crate::sessions::{Surroundings, messages};
use crate::store::compactions::{self, NewCompaction};
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, erase, turns};
use crate::transcript::{Condensed, Entry, Owner, SessionId, TurnId, UserId, estimate_tokens};

/// What is to be written of a compaction.
struct Compaction {
    session: SessionId,
    user: UserId,
    /// Whose memory says what is forgotten.
    owner: Owner,
    /// `None`: there is nothing that it could stand for.
    new: Option<NewCompaction>,
    follows: Option<i64>,
    /// The newest of its turns, whose journal says of it.
    turn: Option<TurnId>,
    entries: Vec<Entry>,
    condensed: Condensed,
    /// Whether somebody waits for a receipt.
    asked: bool,
    address: Address,
    language: Language,
    voice: Voice,
}

/// Writes what a model made of the turns; nothing more than what it cost where that is nothing and it is
/// asked once more.
pub async fn write(
    around: &Surroundings,
    reading: &Reading,
    answered: Answered,
) -> anyhow::Result<()> {
    let Answered {
        summed_up,
        teller,
        day,
    } = answered;
    let SummedUp {
        text,
        consulted,
        costs,
    } = summed_up;
    let text = text.and_then(|text| allowed(around, &text));
    let is_over = text.is_some() || reading.waiting.tries + 1 >= TRIES;
    let consulted = consulted.into_iter().map(Entry::Consulted).collect();
    let compaction = Compaction::of(around, reading, text, consulted)?;
    let written = around.store.write(move |tx| {
        Box::pin(async move {
            let mut said = teller.book(tx, day, &costs).await?;
            said.extend(if is_over {
                compaction.write(tx).await?
            } else {
                compaction.note_try(tx).await?
            });
            Ok(said)
        })
    });
    let said = written.await?;
    around.auditor.wake();
    around.voice.offer(said);
    Ok(())
}

/// Leaves the turns out without a summary, for there is none to be had.
pub async fn without_summary(around: &Surroundings, reading: &Reading) -> anyhow::Result<()> {
    let compaction = Compaction::of(around, reading, None, Vec::new())?;
    let written = around
        .store
        .write(move |tx| Box::pin(async move { compaction.write(tx).await }));
    let said = written.await?;
    around.auditor.wake();
    around.voice.offer(said);
    Ok(())
}

/// Returns a summary without secrets; `None` of one that gives orders to later turns.
fn allowed(around: &Surroundings, text: &str) -> Option<String> {
    let text = around.voice.redactor().redact(text).into_owned();
    let gives_orders = check_tool_result(&text).treatment == Treatment::Block;
    (!gives_orders).then_some(text)
}

impl Compaction {
    fn of(
        around: &Surroundings,
        reading: &Reading,
        text: Option<String>,
        entries: Vec<Entry>,
    ) -> anyhow::Result<Self> {
        let waiting = &reading.waiting;
        let by_model = text.is_some();
        // What was summed up before stays, when nothing comes of the turns behind it.
        let before = reading.before.as_ref();
        let text = text.or_else(|| before.and_then(|row| row.text.clone()));
        let (tokens_before, kept) = reading.tokens;
        let condensed = Condensed {
            turns: reading.covered.len(),
            by_model,
            tokens_before,
            tokens_after: kept + text.as_deref().map_or(0, estimate_tokens),
        };
        let new = match reading.until_seq {
            None => None,
            Some(until_seq) => Some(NewCompaction {
                session: waiting.session_id,
                until_seq,
                at_seq: waiting.ended_seq,
                text,
                taint: serde_json::to_string(&reading.taint()?)?,
                turns: reading.turns()?,
            }),
        };
        Ok(Self {
            session: waiting.session_id,
            user: waiting.user_id,
            owner: match waiting.kind.as_str() {
                "direct" => Owner::User(waiting.user_id),
                _ => Owner::Chat(waiting.chat_id),
            },
            turn: new.as_ref().and_then(|new| new.turns.last().copied()),
            new,
            follows: before.map(|row| row.id),
            entries,
            condensed,
            asked: waiting.asked,
            address: reading.address.clone(),
            language: reading.language,
            voice: around.voice.clone(),
        })
    }

    async fn write(&self, tx: &mut Tx) -> Result<Vec<OutboxRow>, StoreError> {
        if erase::is_wanted(tx, self.user).await? {
            return Ok(Vec::new());
        }
        let Some(new) = &self.new else {
            compactions::close(tx, self.session).await?;
            let nothing = messages::nothing_to_compact(self.language);
            if self.asked {
                return self.say(tx, nothing.to_owned()).await;
            }
            return Ok(Vec::new());
        };
        let mut new = new.clone();
        if let Some(text) = new.text.take() {
            let left = without_forgotten(tx, self.owner, &text).await?;
            let left = left.trim();
            new.text = (!left.is_empty()).then(|| left.to_owned());
        }
        // Else somebody began anew, forgot, or was erased meanwhile: it is made again from what is left.
        if !compactions::add(tx, &new, self.follows).await? {
            return self.note_try(tx).await;
        }
        compactions::close(tx, self.session).await?;
        self.note_try(tx).await?;
        if let Some(turn) = self.turn {
            let entry = Entry::Condensed(self.condensed.clone());
            turns::append_behind(tx, turn, &[entry]).await?;
        }
        // By itself it is said once in a conversation.
        match (self.asked, self.follows) {
            (true, _) => {
                self.say(tx, messages::compacted(&self.condensed, self.language))
                    .await
            }
            (false, None) => {
                self.say(tx, messages::compacts(&self.condensed, self.language))
                    .await
            }
            (false, Some(_)) => Ok(Vec::new()),
        }
    }

    /// Writes down how the model was asked.
    async fn note_try(&self, tx: &mut Tx) -> Result<Vec<OutboxRow>, StoreError> {
        if let Some(turn) = self.turn {
            turns::append_behind(tx, turn, &self.entries).await?;
        }
        Ok(Vec::new())
    }

    async fn say(&self, tx: &mut Tx, text: String) -> Result<Vec<OutboxRow>, StoreError> {
        let outbound = Outbound {
            quiet: true,
            ..Outbound::markdown(text)
        };
        let saying = Saying {
            to: &self.address,
            purpose: Purpose::Notice,
            turn: None,
            subject: None,
            outbound: &outbound,
        };
        self.voice.say(tx, saying).await
    }
}
