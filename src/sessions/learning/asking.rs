//! The one model call of a lesson: counted as a try and set aside first, like every call.

use crate::agent::{Cost, PlannedCall, Proposed};
use crate::budget::{Day, Payer, SetAside, Waiting};
use crate::memory::learning::{Material, Question};
use crate::sessions::Surroundings;
use crate::sessions::purse::Teller;
use crate::store::lessons;
use crate::store::now_ms;
use crate::store::usage::LEARNING;
use crate::transcript::Usage;

use super::material::Reading;

/// What came of asking.
pub enum Asked {
    /// A model was asked.
    Answered(Box<Answered>),
    /// A limit of the budget is reached.
    NoFunds,
    /// Somebody is speaking again, or it was done meanwhile.
    Busy,
}

/// What a model was asked, and what it answered.
pub struct Answered {
    /// What it proposes.
    pub proposed: Proposed,
    /// What books it.
    pub teller: Teller,
    /// The day on which it was set aside.
    pub day: Day,
}

/// What came of the transaction before the call.
enum Begun {
    Yes(Day),
    UsedUp,
    Busy,
}

/// Asks a model what is to be learned; a further try is not made before `next_ms`.
pub async fn ask(
    around: &Surroundings,
    reading: &Reading,
    material: &Material,
    next_ms: i64,
) -> anyhow::Result<Asked> {
    let question = Question::about(material);
    let planned = around.agent.plan_learning(&question);
    let teller = teller(around, reading)?;
    let day = match begin(around, reading, &teller, &planned, next_ms).await? {
        Begun::Yes(day) => day,
        Begun::UsedUp => return Ok(Asked::NoFunds),
        Begun::Busy => return Ok(Asked::Busy),
    };
    let proposed = around.agent.propose(&question, &planned).await;
    Ok(Asked::Answered(Box::new(Answered {
        proposed,
        teller,
        day,
    })))
}

/// Counts the try and sets aside what the call costs at least.
async fn begin(
    around: &Surroundings,
    reading: &Reading,
    teller: &Teller,
    planned: &PlannedCall,
    next_ms: i64,
) -> anyhow::Result<Begun> {
    let (lesson, teller, planned) = (reading.lesson, teller.clone(), planned.clone());
    let begun = around.store.write(move |tx| {
        Box::pin(async move {
            // What is not paid for is no try.
            let day = match teller.set_aside(tx, &planned).await? {
                SetAside::On(day) => day,
                SetAside::UsedUp(_) => return Ok(Begun::UsedUp),
            };
            if lessons::try_one(tx, &lesson, (now_ms(), next_ms)).await? {
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
    Ok(begun.await?)
}

/// Returns what sets aside and books for the user of a lesson.
fn teller(around: &Surroundings, reading: &Reading) -> anyhow::Result<Teller> {
    let payer = Payer {
        user: reading.lesson.user_id,
        session: reading.lesson.session_id,
        turn: None,
        routine: Some(LEARNING.to_owned()),
    };
    let waiting = Waiting {
        address: serde_json::from_str(&reading.place.address)?,
        language: reading.place.language.clone(),
    };
    Ok(Teller::new(around.clone(), payer, waiting))
}
