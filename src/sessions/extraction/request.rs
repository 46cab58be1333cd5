//! The one model call of a lesson: counted as a try and set aside first, like every call.

use sayso_core::transcript::{CallPurpose, Consulted};
use sayso_memory::extraction::{Candidate, Material, Question, read_answer};
use sayso_store::lessons;
use sayso_store::now_ms;
use sayso_store::usage::LEARNING;

use crate::agent::{BackgroundAnswer, BackgroundQuestion, Cost};
use crate::budget::{BillingSubject, Waiting};
use crate::sessions::SessionContext;
use crate::sessions::session_budget::{Begun, Reserved, SessionBudget};

use super::material::Reading;

/// What a model proposes to remember, and what asking it cost.
#[derive(Debug)]
pub struct Proposed {
    /// The statements; `None` when there is no answer, or none that can be read.
    pub candidates: Option<Vec<Candidate>>,
    /// What is written down of each attempt.
    pub consulted: Vec<Consulted>,
    /// What it cost.
    pub costs: Vec<Cost>,
}

/// What a model was asked, and what it answered.
pub struct Answered {
    /// What it proposes.
    pub proposed: Proposed,
    /// What books it.
    pub budget: SessionBudget,
    /// What was set aside for it.
    pub reserved: Reserved,
}

/// Asks a model what is to be learned; a further try is not made before `next_ms`.
pub async fn ask(
    ctx: &SessionContext,
    reading: &Reading,
    material: &Material,
    next_ms: i64,
) -> anyhow::Result<Begun<Answered>> {
    let question = Question::about(material);
    let asked = BackgroundQuestion {
        system: &question.system,
        messages: &question.messages,
        form: Some(&question.form),
    };
    let planned = ctx.agent.plan_in_background(asked);
    let (budget, lesson) = (budget(ctx, reading)?, reading.lesson);
    let begun = budget.begin(&planned, move |tx| {
        Box::pin(async move {
            let is_due = lessons::try_one(tx, &lesson, now_ms(), next_ms).await?;
            Ok(is_due.then_some(()))
        })
    });
    let (reserved, ()) = match begun.await? {
        Begun::Yes(begun) => begun,
        Begun::NoFunds => return Ok(Begun::NoFunds),
        Begun::Busy => return Ok(Begun::Busy),
    };
    let answer = ctx
        .agent
        .ask_in_background(CallPurpose::Learn, asked, &planned)
        .await;
    Ok(Begun::Yes(Answered {
        proposed: proposed(answer),
        budget,
        reserved,
    }))
}

fn proposed(answered: BackgroundAnswer) -> Proposed {
    let candidates = match answered.answer {
        Ok(reply) => read_answer(&reply.message.text),
        Err(error) => {
            tracing::debug!(%error, "no model proposed memories");
            None
        }
    };
    Proposed {
        candidates,
        consulted: answered.consulted,
        costs: answered.costs,
    }
}

/// Returns what sets aside and books for the user of a lesson.
fn budget(ctx: &SessionContext, reading: &Reading) -> anyhow::Result<SessionBudget> {
    let payer = BillingSubject {
        user: reading.lesson.user_id,
        session: reading.lesson.session_id,
        turn: None,
        routine: Some(LEARNING.to_owned()),
        fence: None,
    };
    let waiting = Waiting {
        address: serde_json::from_str(&reading.place.address)?,
        language: reading.place.language.clone(),
    };
    Ok(SessionBudget::new(ctx.clone(), payer, waiting))
}
