//! Compaction: the older turns of a session are summarized by a model in the background, and later
//! prompts contain the summary in their place.
//!
//! A session waits for it (`compacting`) from the entry that records that earlier turns were cut,
//! or from `/compact`, until the transaction that writes the summary. So a kill loses nothing, and
//! repeats at most the call in flight. Where no model answers, or the budget is used up, the delay
//! between attempts grows, and each turn leaves out what does not fit; a user who requested the
//! compaction is informed that nothing was changed. The turns are left out without a summary only
//! where models answer but return nothing usable. Nothing here holds a lease: a message that
//! arrives meanwhile is answered as usual.
//!
//! Text that is forgotten or erased during the model call is not written: the version of the row
//! changes.

mod material;
mod request;
mod summary_store;

pub use request::request_compaction;

use sayso_store::compactions::{self, WaitingRow};
use sayso_store::now_ms;
use sayso_store::usage::COMPACTION;
use tokio_util::sync::CancellationToken;

use super::SessionContext;
use super::poll_timer::PollTimer;
use super::session_budget::{Begun, Reserved, SessionBudget};
use crate::agent::SummedUp;
use crate::budget::{BillingSubject, Waiting};
use material::Reading;
pub use material::{Window, earlier};

/// How many are done one after the other before it is looked again.
const AT_ONCE: i64 = 20;
/// How many unusable answers a model may give before the turns are left out without a summary.
const TRIES: i64 = 2;
/// How long the next try waits, and one that cannot be read, in milliseconds.
const NEXT_TRY_MS: i64 = 3_000;
/// How long it waits when no model answered, at first and at most; each time twice as long.
const UNANSWERED_MS: i64 = 60_000;
const MOST_UNANSWERED_MS: i64 = 60 * 60_000;

/// Compacts sessions, one after the other. One per process.
pub struct Compactor {
    ctx: SessionContext,
}

/// What a model answered, for which version, what books it, and what was set aside for it.
struct Answered {
    summed_up: SummedUp,
    version: i64,
    budget: SessionBudget,
    reserved: Reserved,
}

/// Returns the delay before the next call after this many consecutive unanswered calls, in
/// milliseconds.
fn pause_ms(unanswered: i64) -> i64 {
    if unanswered <= 0 {
        return NEXT_TRY_MS;
    }
    // An hour is less than 64 minutes.
    (UNANSWERED_MS << (unanswered - 1).min(6)).min(MOST_UNANSWERED_MS)
}

impl Compactor {
    /// Returns what compacts.
    pub fn new(ctx: SessionContext) -> Self {
        Self { ctx }
    }

    /// Compacts until `shutdown`. A call that is cut off is made again, at first soon.
    pub async fn run(self, shutdown: CancellationToken) {
        let mut looks = PollTimer::through(&self.ctx.store);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = looks.wait() => {}
            }
            let looked = tokio::select! {
                () = shutdown.cancelled() => return,
                looked = self.look() => looked,
            };
            if let Err(error) = looked {
                tracing::error!(error = %format!("{error:#}"), "compaction failed; retrying");
            }
        }
    }

    async fn look(&self) -> anyhow::Result<()> {
        let readers = self.ctx.store.reader();
        for waiting in compactions::due(readers, now_ms(), AT_ONCE).await? {
            let session = waiting.session_id;
            if let Err(error) = self.compact(&waiting).await {
                // One that cannot be read keeps no other waiting.
                tracing::error!(%session, error = %format!("{error:#}"), "cannot compact a session; retrying");
                let (unanswered, due_ms) = (waiting.unanswered, now_ms() + NEXT_TRY_MS);
                let store = &self.ctx.store;
                store
                    .write(move |tx| {
                        Box::pin(compactions::postpone(tx, session, unanswered, due_ms))
                    })
                    .await?;
            }
        }
        Ok(())
    }

    async fn compact(&self, waiting: &WaitingRow) -> anyhow::Result<()> {
        let reading = Reading::of(&self.ctx, waiting).await?;
        if reading.covered.is_empty() || waiting.tries >= TRIES {
            return summary_store::without_summary(&self.ctx, &reading).await;
        }
        match self.ask(&reading).await? {
            Begun::Busy => Ok(()),
            Begun::NoFunds => summary_store::not_now(&self.ctx, &reading).await,
            Begun::Yes(answered) => summary_store::write(&self.ctx, &reading, answered).await,
        }
    }

    /// Notes that a model is asked, sets aside what the call costs at least, and makes it.
    async fn ask(&self, reading: &Reading) -> anyhow::Result<Begun<Answered>> {
        let agent = &self.ctx.agent;
        let planned = agent.plan_summary(&reading.question);
        let budget = self.budget(reading);
        let waiting = reading.waiting.clone();
        let next_ms = now_ms() + pause_ms(waiting.unanswered);
        let begun = budget.begin(&planned, move |tx| {
            Box::pin(async move { compactions::begin(tx, &waiting, next_ms).await })
        });
        let (reserved, version) = match begun.await? {
            Begun::Yes(begun) => begun,
            Begun::NoFunds => return Ok(Begun::NoFunds),
            Begun::Busy => return Ok(Begun::Busy),
        };
        let summed_up = agent.sum_up(&reading.question, &planned).await;
        Ok(Begun::Yes(Answered {
            summed_up,
            version,
            budget,
            reserved,
        }))
    }

    fn budget(&self, reading: &Reading) -> SessionBudget {
        let payer = BillingSubject {
            user: reading.waiting.user_id,
            session: reading.waiting.session_id,
            turn: None,
            routine: Some(COMPACTION.to_owned()),
            fence: None,
        };
        let waiting = Waiting {
            address: reading.address.clone(),
            language: reading.waiting.language.clone(),
        };
        SessionBudget::new(self.ctx.clone(), payer, waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::pause_ms;

    #[test]
    fn a_model_that_does_not_answer_is_asked_less_and_less() {
        let minutes: Vec<i64> = (1..9).map(|times| pause_ms(times) / 60_000).collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(pause_ms(i64::MAX), pause_ms(8));
    }
}
