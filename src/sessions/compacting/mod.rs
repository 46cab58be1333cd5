//! Compaction: the older turns of a session are summed up by a model while nobody waits, and later
//! prompts hold the summary in their place.
//!
//! A session waits for it (`compacting`) from the entry that says that earlier turns gave way, or from
//! `/compact`, until the transaction that writes the summary. So a kill loses nothing, and repeats
//! nothing but a call that was under way. Where no summary comes (the model fails, says too much, or
//! nothing is left to spend) the turns are left out without one. Nothing here holds a lease: a message
//! that comes meanwhile is answered as ever.

mod reading;
mod writing;

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Surroundings;
use super::purse::Teller;
use crate::agent::{Cost, PlannedCall, SummedUp};
use crate::budget::{Day, Payer, SetAside, Waiting};
use crate::store::compactions::{self, WaitingRow};
use crate::store::usage::COMPACTION;
use crate::store::{StoreError, now_ms};
use crate::transcript::Usage;
use reading::Reading;
pub use reading::earlier;

/// How often sessions are looked for that are due.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How many are done one after the other before it is looked again.
const AT_ONCE: i64 = 20;
/// How often a model is asked before the turns are left out without a summary.
const TRIES: i64 = 2;
/// How long the next try waits, and one that cannot be read, in milliseconds.
const NEXT_TRY_MS: i64 = 3_000;
/// Compacts sessions, one after the other. One per process.
pub struct Compactor {
    around: Surroundings,
}

/// What a model answered, what books it, and the day on which it was set aside.
struct Answered {
    summed_up: SummedUp,
    teller: Teller,
    day: Day,
}

/// What came of asking a model.
enum Asked {
    /// It was asked.
    Answered(Box<Answered>),
    /// A limit of the budget is reached.
    NoFunds,
    /// Somebody is speaking again, or it was done meanwhile.
    Busy,
}

/// What came of the transaction before the call.
enum Begun {
    Yes(Day),
    UsedUp,
    Busy,
}

impl Compactor {
    /// Returns what compacts.
    pub fn new(around: Surroundings) -> Self {
        Self { around }
    }

    /// Compacts until `shutdown`. A call that is cut off counts as a try.
    pub async fn run(self, shutdown: CancellationToken) {
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            let looked = tokio::select! {
                () = shutdown.cancelled() => return,
                looked = self.look() => looked,
            };
            if let Err(error) = looked {
                tracing::error!(error = %format!("{error:#}"), "no session can be compacted; it is tried again");
            }
        }
    }

    async fn look(&self) -> anyhow::Result<()> {
        let readers = self.around.store.reader();
        for waiting in compactions::due(readers, now_ms(), AT_ONCE).await? {
            let session = waiting.session_id;
            if let Err(error) = self.compact(&waiting).await {
                // One that cannot be read keeps no other waiting.
                tracing::error!(%session, error = %format!("{error:#}"), "a session cannot be compacted; it is tried again");
                let due_ms = now_ms() + NEXT_TRY_MS;
                let store = &self.around.store;
                store
                    .write(move |tx| Box::pin(compactions::postpone(tx, session, due_ms)))
                    .await?;
            }
        }
        Ok(())
    }

    async fn compact(&self, waiting: &WaitingRow) -> anyhow::Result<()> {
        let reading = Reading::of(&self.around, waiting).await?;
        if reading.covered.is_empty() || waiting.tries >= TRIES {
            return writing::without_summary(&self.around, &reading).await;
        }
        match self.ask(&reading).await? {
            Asked::Busy => Ok(()),
            Asked::NoFunds => writing::without_summary(&self.around, &reading).await,
            Asked::Answered(answered) => writing::write(&self.around, &reading, *answered).await,
        }
    }

    /// Counts a try, sets aside what the call costs at least, and makes it.
    async fn ask(&self, reading: &Reading) -> anyhow::Result<Asked> {
        let agent = &self.around.agent;
        let before = reading.before.as_ref().and_then(|row| row.text.as_deref());
        let question = agent.to_sum_up(before, &reading.covered, reading.language);
        let planned = agent.plan_summary(&question);
        let teller = self.teller(reading);
        let day = match self.begin(reading, &teller, &planned).await? {
            Begun::Yes(day) => day,
            Begun::UsedUp => return Ok(Asked::NoFunds),
            Begun::Busy => return Ok(Asked::Busy),
        };
        let summed_up = agent.sum_up(&question, &planned).await;
        Ok(Asked::Answered(Box::new(Answered {
            summed_up,
            teller,
            day,
        })))
    }

    async fn begin(
        &self,
        reading: &Reading,
        teller: &Teller,
        planned: &PlannedCall,
    ) -> Result<Begun, StoreError> {
        let (waiting, teller, planned) = (reading.waiting.clone(), teller.clone(), planned.clone());
        let begun = self.around.store.write(move |tx| {
            Box::pin(async move {
                let day = match teller.set_aside(tx, &planned).await? {
                    SetAside::On(day) => day,
                    SetAside::UsedUp(_) => return Ok(Begun::UsedUp),
                };
                if compactions::try_one(tx, &waiting, now_ms() + NEXT_TRY_MS).await? {
                    return Ok(Begun::Yes(day));
                }
                let nothing = Cost {
                    model: planned.model.clone(),
                    usage: Usage::default(),
                    is_estimated: false,
                };
                teller.book(tx, day, &[nothing]).await?;
                Ok(Begun::Busy)
            })
        });
        begun.await
    }

    fn teller(&self, reading: &Reading) -> Teller {
        let payer = Payer {
            user: reading.waiting.user_id,
            session: reading.waiting.session_id,
            turn: None,
            routine: Some(COMPACTION.to_owned()),
        };
        let waiting = Waiting {
            address: reading.address.clone(),
            language: reading.waiting.language.clone(),
        };
        Teller::new(self.around.clone(), payer, waiting)
    }
}
