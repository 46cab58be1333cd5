//! A message of a group that was not said to Sayso: routines that listen there for its words are started
//! by it, in the transaction that keeps it.

use sayso_core::transcript::ChatId;
use sayso_store::routine_events::{self, NewEvent};
use sayso_store::routines::{self, RoutineRow};
use sayso_store::{StoreError, Tx, now_ms};

use super::phrases;
use super::trigger::Trigger;

/// How long further messages are waited for before a run starts, in milliseconds: what is said in several
/// pieces is one run.
const GATHERED_MS: i64 = 3000;
/// How many messages wait for one routine at most; what comes then is not kept.
const MOST_WAITING: i64 = 50;

/// Something that was said in a group, and not to Sayso.
#[derive(Debug, Clone, Copy)]
pub struct GroupMessage<'a> {
    /// The group.
    pub chat: ChatId,
    /// The platform's name of the message; a later form of it has the same.
    pub message: &'a str,
    /// Its words.
    pub text: &'a str,
    /// The same as a model is shown it, with who said it.
    pub said: &'a str,
}

/// Notes a message for every routine that listens in its group for its words; returns whether there is
/// one. The scheduler is to be woken after the commit.
pub async fn heard_in_group(tx: &mut Tx, message: &GroupMessage<'_>) -> Result<bool, StoreError> {
    let mut is_heard = false;
    for row in routines::of_events_in(tx, message.chat).await? {
        if listens_for(&row, message.text) {
            is_heard |= note(tx, &row, message).await?;
        }
    }
    Ok(is_heard)
}

fn listens_for(row: &RoutineRow, text: &str) -> bool {
    match Trigger::of(row) {
        Some(Trigger::Words { words }) => phrases::is_any_in(&words, text),
        Some(Trigger::File { .. } | Trigger::Webhook) | None => false,
    }
}

async fn note(
    tx: &mut Tx,
    row: &RoutineRow,
    message: &GroupMessage<'_>,
) -> Result<bool, StoreError> {
    if routine_events::waiting(tx, row.id).await?.count >= MOST_WAITING {
        tracing::warn!(routine = %row.id, "too many messages wait for a routine; one was left out");
        return Ok(false);
    }
    let at_ms = now_ms();
    let event = NewEvent {
        routine: row.id,
        key: format!("message:{}", message.message),
        at_ms,
        text: message.said.to_owned(),
    };
    if !routine_events::add(tx, &event).await? {
        return Ok(false);
    }
    routine_events::start_at(tx, row.id, at_ms + GATHERED_MS).await?;
    Ok(true)
}
