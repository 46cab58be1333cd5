//! The end of a turn: one commit for the journal, the turn, its cards and what is said.

use sayso_channel::{Language, Outbound};
use sayso_core::transcript::{TurnId, TurnOutcome, TurnState, UserId};
use sayso_store::outbox::{OutboxRow, live_message};
use sayso_store::turn_ends::{self, EndedAs, EndingRow};
use sayso_store::{StoreError, Tx, cards, detours, inbox, lessons, now_ms, stops, turns};

use super::SessionContext;
use super::cards::CardWriter;
use super::messages_stop::{AlsoStopped, stopped as stopped_text};
use super::questions::Asking;
use super::routine_turn::{self, RunSays};
use super::turn_ending::TurnEnding;
use super::{messages, messages_stop, questions, retry};
use crate::agent::done_so_far;
use crate::approvals;
use crate::delivery::{OutboxWriter, Purpose, Saying};

/// By which part of its idle time a lesson of several turns may come later than that. Within it they
/// share one writing of its row.
const LESSON_SLACK: i64 = 8;

/// Returns whether a turn with this outcome is in the history of its session.
pub fn is_in_history(outcome: &TurnOutcome) -> bool {
    !matches!(
        outcome,
        TurnOutcome::Asked { .. } | TurnOutcome::Proposed { .. }
    )
}

/// What the end of a turn has led to.
#[derive(Debug)]
pub struct TurnEnd {
    /// Rows to offer after the commit.
    pub said: Vec<OutboxRow>,
    /// Whether something else waits in the session.
    pub session_has_work: bool,
}

/// Ends a turn whose end has begun (`turn_ends::begin_end`) and is in its journal, and says its outcome.
pub async fn end(
    tx: &mut Tx,
    ctx: &SessionContext,
    ending: &TurnEnding,
    row: &EndingRow,
    outcome: &TurnOutcome,
) -> Result<TurnEnd, StoreError> {
    let learn_ms = ending.learns_after_ms.map(|idle_ms| now_ms() + idle_ms);
    let how = EndedAs {
        in_history: is_in_history(outcome),
        learn_ms,
        spent: ctx.reservations.unwritten(ending.turn),
    };
    let left = turn_ends::end(tx, ending.turn, row, how).await?;
    if let Some(learn_ms) = learn_ms.filter(|_| left.lesson_is_missing) {
        let slack_ms = ending.learns_after_ms.unwrap_or_default() / LESSON_SLACK;
        lessons::open(tx, ending.session, ending.user, learn_ms, slack_ms).await?;
    }
    let outbox = &ctx.outbox;
    let said = match routine_turn::end(tx, ctx, ending, outcome).await? {
        RunSays::Text(text) => say_text(tx, outbox, ending, text).await?,
        RunSays::Nothing => Vec::new(),
        RunSays::AsEver => say(tx, outbox, ending, outcome).await?,
    };
    metrics::counter!("sayso_turns_ended_total", "outcome" => outcome.name()).increment(1);
    Ok(TurnEnd {
        said,
        session_has_work: left.session_has_work,
    })
}

/// Returns the outcome of a turn that somebody stopped, with what its journal says was done.
/// `instead_of` is how it would have ended: what was said in it stays.
pub async fn stopped(
    tx: &mut Tx,
    ending: &TurnEnding,
    by: UserId,
    instead_of: Option<TurnOutcome>,
) -> Result<TurnOutcome, StoreError> {
    let done = done_in(tx, ending.turn, ending.language).await?;
    let said = instead_of.and_then(|outcome| match outcome {
        TurnOutcome::Stopped { said, .. } => said,
        TurnOutcome::Replied { text } => Some(text),
        TurnOutcome::Asked { .. }
        | TurnOutcome::Inquired { .. }
        | TurnOutcome::Proposed { .. }
        | TurnOutcome::StepLimit { .. }
        | TurnOutcome::TimeLimit { .. }
        | TurnOutcome::NotReceived { .. }
        | TurnOutcome::Expired
        | TurnOutcome::Failed { .. } => None,
    });
    Ok(TurnOutcome::Stopped { by, done, said })
}

/// Returns what a turn has done until now, for its person; `None` when that is nothing.
pub async fn done_in(
    tx: &mut Tx,
    turn: TurnId,
    language: Language,
) -> Result<Option<String>, StoreError> {
    let state = TurnState::fold(&turns::entries(tx, turn).await?);
    Ok(done_so_far(&state, language))
}

/// Closes the cards of a turn that ends. Returns the rows to offer after the commit.
pub async fn drop_cards(
    tx: &mut Tx,
    writer: CardWriter<'_>,
    ending: &TurnEnding,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for view in approvals::drop_cards(tx, ending.turn).await? {
        said.extend(writer.amend(tx, &view, None).await?);
    }
    Ok(said)
}

async fn say(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    ending: &TurnEnding,
    outcome: &TurnOutcome,
) -> Result<Vec<OutboxRow>, StoreError> {
    match outcome {
        TurnOutcome::Asked { question, choices } => {
            let asking = Asking::Clarification { question, choices };
            say_question(tx, outbox, ending, asking).await
        }
        TurnOutcome::Inquired {
            text,
            questions,
            untrusted,
        } => {
            let asking = Asking::Inquiry {
                text,
                questions,
                untrusted: *untrusted,
            };
            say_question(tx, outbox, ending, asking).await
        }
        TurnOutcome::Proposed { steps, untrusted } => {
            let untrusted = *untrusted;
            say_question(tx, outbox, ending, Asking::Plan { steps, untrusted }).await
        }
        TurnOutcome::NotReceived { text } => say_text(tx, outbox, ending, text.clone()).await,
        TurnOutcome::Replied { text }
        | TurnOutcome::StepLimit { text }
        | TurnOutcome::TimeLimit { text } => {
            say_text(tx, outbox, ending, ending.with_file_notices(text)).await
        }
        TurnOutcome::Stopped { .. } if stops::is_answered(tx, ending.turn).await? => {
            close_live_message(tx, outbox, ending, LiveClose::Remove).await
        }
        TurnOutcome::Stopped { done, said, .. } => {
            let also = AlsoStopped {
                background: stops::stopped_in_background(tx, ending.turn).await?,
                dropped: inbox::dropped_by(tx, ending.turn).await?,
            };
            let text = stopped_text(said.as_deref(), done.as_deref(), &also, ending.language);
            say_text(tx, outbox, ending, ending.with_file_notices(&text)).await
        }
        TurnOutcome::Expired => say_expiry(tx, outbox, ending).await,
        TurnOutcome::Failed { why, retry: true } => {
            say_failure(tx, outbox, ending, &messages::failed(why)).await
        }
        TurnOutcome::Failed { why, retry: false } => {
            let text = ending.with_file_notices(&messages::failed(why));
            say_text(tx, outbox, ending, text).await
        }
    }
}

async fn say_text(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    ending: &TurnEnding,
    text: String,
) -> Result<Vec<OutboxRow>, StoreError> {
    let outbound = Outbound {
        reply_to: ending.reply_to.clone(),
        ..Outbound::markdown(text)
    };
    let saying = Saying {
        to: &ending.address,
        purpose: Purpose::Final,
        turn: Some(ending.turn),
        subject: None,
        outbound: &outbound,
    };
    outbox.say(tx, saying).await
}

/// Says that an approval expired, unless its card says that where it was asked.
async fn say_expiry(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    ending: &TurnEnding,
) -> Result<Vec<OutboxRow>, StoreError> {
    let text = match detours::why_unshown(tx, ending.turn).await? {
        Some(why) => messages::unshown(&ending.request, &why, ending.language),
        None if ending.file_notices.is_empty()
            && cards::all_stand_in_place(tx, ending.turn).await? =>
        {
            let text = messages::waited_in_vain(ending.language);
            return close_live_message(tx, outbox, ending, LiveClose::Says(text)).await;
        }
        None => messages::expired(&ending.request, ending.language),
    };
    say_text(tx, outbox, ending, ending.with_file_notices(&text)).await
}

/// What becomes of the live message of a turn that says nothing more.
enum LiveClose {
    /// It says this, without its button.
    Says(&'static str),
    /// It goes: the stop was answered elsewhere.
    Remove,
}

/// Closes the live message of a turn that says nothing more.
async fn close_live_message(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    ending: &TurnEnding,
    close: LiveClose,
) -> Result<Vec<OutboxRow>, StoreError> {
    let live = live_message(tx, ending.turn).await?;
    let Some(live) = live.filter(|live| live.message.is_some()) else {
        return Ok(Vec::new());
    };
    let row = match close {
        LiveClose::Says(text) => outbox.rewrite(tx, &live, &Outbound::markdown(text)).await?,
        LiveClose::Remove => {
            let stopped = messages_stop::mark(ending.language);
            outbox
                .retract(tx, &live, &Outbound::markdown(stopped))
                .await?
        }
    };
    Ok(vec![row])
}

/// Says why a turn failed, with the button that runs it again.
async fn say_failure(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    ending: &TurnEnding,
    text: &str,
) -> Result<Vec<OutboxRow>, StoreError> {
    let text = &ending.with_file_notices(text);
    let prompt = retry::offer(tx, ending, text).await?;
    let outbound = Outbound {
        buttons: retry::buttons(&prompt, ending.language),
        reply_to: ending.reply_to.clone(),
        ..Outbound::markdown(text)
    };
    let saying = Saying {
        to: &ending.address,
        purpose: Purpose::Final,
        turn: Some(ending.turn),
        subject: Some(prompt.id()),
        outbound: &outbound,
    };
    outbox.say(tx, saying).await
}

async fn say_question(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    ending: &TurnEnding,
    asking: Asking<'_>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let new = questions::NewQuestion {
        turn: ending.turn,
        session: ending.session,
        user: ending.user,
        request: &ending.request,
        untrusted: ending.untrusted,
        asking,
        asked: ending.asked + 1,
        language: ending.language,
    };
    let (id, mut outbound) = questions::ask(tx, new, ending.reply_to.clone()).await?;
    outbound.markdown = ending.with_file_notices(&outbound.markdown);
    let saying = Saying {
        to: &ending.address,
        purpose: Purpose::Question,
        turn: Some(ending.turn),
        subject: Some(id.0),
        outbound: &outbound,
    };
    outbox.say(tx, saying).await
}
