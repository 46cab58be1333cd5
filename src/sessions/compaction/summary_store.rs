//! The result of a compaction, in one transaction: the summary, its cost, its journal entry, the
//! messages to the chat, and the end of the wait.

use sayso_channel::{Address, Language, Outbound};
use sayso_core::transcript::{Condensed, Entry, Owner, SessionId, TurnId, UserId, estimate_tokens};
use sayso_injection::{Treatment, check_tool_result};
use sayso_memory::without_forgotten;
use sayso_store::compactions::{self, NewCompaction, Waits};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, erase, now_ms, turns};

use super::material::Reading;
use super::{Answered, NEXT_TRY_MS, TRIES, pause_ms};
use crate::agent::{Summary, SummedUp};
use crate::delivery::{OutboxWriter, Purpose, Saying};
use crate::sessions::{SessionContext, messages};

/// What is to be written of a compaction.
struct Compaction {
    session: SessionId,
    user: UserId,
    /// What it was made from.
    version: i64,
    became: Became,
    /// Whose memory says what is forgotten.
    owner: Owner,
    /// `None`: there is nothing that it could stand for.
    new: Option<NewCompaction>,
    follows: Option<i64>,
    /// The newest of its turns, whose journal says of it.
    turn: Option<TurnId>,
    entries: Vec<Entry>,
    condensed: Condensed,
    language: Language,
    outbox: OutboxWriter,
}

/// What became of asking for a summary. Times are when it is tried again.
#[derive(Clone, Copy)]
enum Became {
    /// It is over.
    Done,
    /// There is none that can be used yet.
    Useless { due_ms: i64 },
    /// The number of consecutive calls without an answer.
    Unanswered { times: i64, due_ms: i64 },
}

/// What a try came to.
struct Attempt {
    /// What it was made from.
    version: i64,
    became: Became,
    /// The summary, if the model made one that may be kept.
    text: Option<String>,
    /// The calls of the model, for the journal.
    consulted: Vec<Entry>,
}

/// Writes the model's summary of the turns; only the cost, where the answer is unusable and the
/// call is repeated.
pub async fn write(
    ctx: &SessionContext,
    reading: &Reading,
    answered: Answered,
) -> anyhow::Result<()> {
    let Answered {
        summed_up,
        version,
        budget,
        reserved,
    } = answered;
    let SummedUp {
        summary,
        consulted,
        costs,
    } = summed_up;
    let is_answered = summary != Summary::Unanswered;
    let text = match summary {
        Summary::Text(text) => allowed(ctx, &text),
        Summary::Useless | Summary::Unanswered => None,
    };
    let became = if !is_answered {
        unanswered(reading)
    } else if text.is_some() || reading.waiting.tries + 1 >= TRIES {
        Became::Done
    } else {
        let due_ms = now_ms() + NEXT_TRY_MS;
        Became::Useless { due_ms }
    };
    let attempt = Attempt {
        version,
        became,
        text,
        consulted: consulted.into_iter().map(Entry::Consulted).collect(),
    };
    let compaction = Compaction::of(ctx, reading, attempt)?;
    let written = ctx.store.write(move |tx| {
        Box::pin(async move {
            let mut said = budget.book(tx, &reserved, &costs).await?;
            said.extend(compaction.write(tx).await?);
            Ok(said)
        })
    });
    let said = written.await?;
    ctx.auditor.wake();
    ctx.outbox.offer(said);
    Ok(())
}

/// Leaves the turns out without a summary, for there is none to be had.
pub async fn without_summary(ctx: &SessionContext, reading: &Reading) -> anyhow::Result<()> {
    write_unasked(ctx, reading, Became::Done).await
}

/// Changes nothing until later, because no model can be called now.
pub async fn not_now(ctx: &SessionContext, reading: &Reading) -> anyhow::Result<()> {
    write_unasked(ctx, reading, unanswered(reading)).await
}

async fn write_unasked(
    ctx: &SessionContext,
    reading: &Reading,
    became: Became,
) -> anyhow::Result<()> {
    let attempt = Attempt {
        version: reading.waiting.version,
        became,
        text: None,
        consulted: Vec::new(),
    };
    let compaction = Compaction::of(ctx, reading, attempt)?;
    let written = ctx
        .store
        .write(move |tx| Box::pin(async move { compaction.write(tx).await }));
    let said = written.await?;
    ctx.auditor.wake();
    ctx.outbox.offer(said);
    Ok(())
}

fn unanswered(reading: &Reading) -> Became {
    let times = reading.waiting.unanswered + 1;
    let due_ms = now_ms() + pause_ms(times);
    Became::Unanswered { times, due_ms }
}

/// Returns a summary without secrets; `None` of one that gives orders to later turns.
fn allowed(ctx: &SessionContext, text: &str) -> Option<String> {
    let text = ctx.outbox.redactor().redact(text).into_owned();
    let gives_orders = check_tool_result(&text).treatment == Treatment::Block;
    (!gives_orders).then_some(text)
}

impl Compaction {
    fn of(ctx: &SessionContext, reading: &Reading, attempt: Attempt) -> anyhow::Result<Self> {
        let waiting = &reading.waiting;
        let by_model = attempt.text.is_some();
        // What was summed up before stays, when nothing comes of the turns behind it.
        let before = reading.before.as_ref();
        let text = attempt.text;
        let text = text.or_else(|| before.and_then(|row| row.text.clone()));
        let (tokens_before, kept) = reading.tokens;
        let turns = if by_model {
            reading.covered.len()
        } else {
            reading.turns_behind
        };
        let condensed = Condensed {
            turns,
            left_out: reading.turns_behind.saturating_sub(turns),
            by_model,
            tokens_before,
            tokens_after: kept + text.as_deref().map_or(0, estimate_tokens),
        };
        let new = match reading.until_seq {
            None => None,
            Some(until_seq) => Some(NewCompaction {
                session: waiting.session_id,
                until_seq,
                text,
                taint: serde_json::to_string(&reading.taint()?)?,
                turns: reading.turns()?,
            }),
        };
        Ok(Self {
            session: waiting.session_id,
            user: waiting.user_id,
            version: attempt.version,
            became: attempt.became,
            owner: Owner::of(waiting.kind, waiting.user_id, waiting.chat_id),
            turn: new.as_ref().and_then(|new| new.turns.last().copied()),
            new,
            follows: before.map(|row| row.id),
            entries: attempt.consulted,
            condensed,
            language: reading.language,
            outbox: ctx.outbox.clone(),
        })
    }

    async fn write(&self, tx: &mut Tx) -> Result<Vec<OutboxRow>, StoreError> {
        if erase::is_wanted(tx, self.user).await? {
            return Ok(Vec::new());
        }
        if let Some(turn) = self.turn {
            turns::append_behind(tx, turn, &self.entries).await?;
        }
        // Else something was forgotten or erased meanwhile: it is made again from what is left.
        let Some(waits) = compactions::waits(tx, self.session, self.version).await? else {
            return Ok(Vec::new());
        };
        match self.became {
            Became::Done => self.replace(tx, &waits).await,
            Became::Useless { due_ms } => {
                compactions::count_useless(tx, self.session, due_ms).await?;
                Ok(Vec::new())
            }
            Became::Unanswered { .. } if waits.asked => {
                compactions::close(tx, self.session).await?;
                let text = messages::cannot_compact_now(self.language);
                self.say(tx, &waits, text.to_owned()).await
            }
            Became::Unanswered { times, due_ms } => {
                compactions::postpone(tx, self.session, times, due_ms).await?;
                Ok(Vec::new())
            }
        }
    }

    async fn replace(&self, tx: &mut Tx, waits: &Waits) -> Result<Vec<OutboxRow>, StoreError> {
        let Some(new) = &self.new else {
            compactions::close(tx, self.session).await?;
            if waits.asked {
                let nothing = messages::nothing_to_compact(self.language);
                return self.say(tx, waits, nothing.to_owned()).await;
            }
            return Ok(Vec::new());
        };
        let mut new = new.clone();
        if let Some(text) = new.text.take() {
            let said_by = turns::speakers(tx, &new.turns).await?;
            let left = without_forgotten(tx, self.owner, &said_by, &text).await?;
            let left = left.trim();
            new.text = (!left.is_empty()).then(|| left.to_owned());
        }
        // Else somebody began anew meanwhile.
        if !compactions::add(tx, &new, self.follows).await? {
            return Ok(Vec::new());
        }
        compactions::close(tx, self.session).await?;
        if let Some(turn) = self.turn {
            let entry = Entry::Condensed(self.condensed.clone());
            turns::append_behind(tx, turn, &[entry]).await?;
        }
        // Unasked, only what is lost from view is said, once in a conversation.
        let text = match (waits.asked, self.condensed.by_model, self.follows) {
            (true, _, _) => messages::compacted(&self.condensed, self.language),
            (false, false, None) => messages::not_summed_up(self.language),
            (false, true, _) | (false, false, Some(_)) => return Ok(Vec::new()),
        };
        self.say(tx, waits, text.to_owned()).await
    }

    async fn say(
        &self,
        tx: &mut Tx,
        waits: &Waits,
        text: String,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let to: Address = serde_json::from_str(&waits.address)?;
        let outbound = Outbound {
            quiet: true,
            ..Outbound::markdown(text)
        };
        let saying = Saying {
            to: &to,
            purpose: Purpose::Notice,
            turn: None,
            subject: None,
            outbound: &outbound,
        };
        self.outbox.say(tx, saying).await
    }
}
