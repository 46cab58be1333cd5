//! Compaction: the older turns of a session are summed up by a model while nobody waits, and later
//! prompts hold the summary in their place.
//!
//! A session waits for it (`compacting`) from the entry that says that earlier turns gave way, or from
//! `/compact`, until the transaction that writes the summary. So a kill loses nothing, and repeats
//! nothing but a call that was under way. Where no model answers, or nothing is left to spend, the session
//! waits longer and longer, and each turn leaves out what has no room in it; whoever asked is told that
//! nothing was changed. Only where models answer and say nothing that can be used are the turns left out
//! without a summary. Nothing here holds a lease: a message that comes meanwhile is answered as ever.
//!
//! What is forgotten or erased while a model is asked is not written: it changes the version of the row.

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
/// How often a model may say nothing that can be used before the turns are left out without a summary.
const TRIES: i64 = 2;
/// How long the next try waits, and one that cannot be read, in milliseconds.
const NEXT_TRY_MS: i64 = 3_000;
/// How long it waits when no model answered, at first and at most; each time twice as long.
const UNANSWERED_MS: i64 = 60_000;
const MOST_UNANSWERED_MS: i64 = 60 * 60_000;

/// Compacts sessions, one after the other. One per process.
pub struct Compactor {
    around: Surroundings,
}

/// What a model answered, for which version, what books it, and the day on which it was set aside.
struct Answered {
    summed_up: SummedUp,
    version: i64,
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
    Yes { day: Day, version: i64 },
    UsedUp,
    Busy,
}

/// Returns how long the next call waits after so many that nobody answered, in milliseconds.
fn pause_ms(unanswered: i64) -> i64 {
    if unanswered <= 0 {
        return NEXT_TRY_MS;
    }
    // An hour is less than 64 minutes.
    (UNANSWERED_MS << (unanswered - 1).min(6)).min(MOST_UNANSWERED_MS)
}

impl Compactor {
    /// Returns what compacts.
    pub fn new(around: Surroundings) -> Self {
        Self { around }
    }

    /// Compacts until `shutdown`. A call that is cut off is made again, at first soon.
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
                let next = (waiting.unanswered, now_ms() + NEXT_TRY_MS);
                let store = &self.around.store;
                store
                    .write(move |tx| Box::pin(compactions::postpone(tx, session, next)))
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
            Asked::NoFunds => writing::not_now(&self.around, &reading).await,
            Asked::Answered(answered) => writing::write(&self.around, &reading, *answered).await,
        }
    }

    /// Notes that a model is asked, sets aside what the call costs at least, and makes it.
    async fn ask(&self, reading: &Reading) -> anyhow::Result<Asked> {
        let agent = &self.around.agent;
        let planned = agent.plan_summary(&reading.question);
        let teller = self.teller(reading);
        let (day, version) = match self.begin(reading, &teller, &planned).await? {
            Begun::Yes { day, version } => (day, version),
            Begun::UsedUp => return Ok(Asked::NoFunds),
            Begun::Busy => return Ok(Asked::Busy),
        };
        let summed_up = agent.sum_up(&reading.question, &planned).await;
        Ok(Asked::Answered(Box::new(Answered {
            summed_up,
            version,
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
                let next_ms = now_ms() + pause_ms(waiting.unanswered);
                if let Some(version) = compactions::begin(tx, &waiting, next_ms).await? {
                    return Ok(Begun::Yes { day, version });
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
