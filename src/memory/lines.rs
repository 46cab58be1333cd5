//! The lines of the transcript: what is indexed of a turn when it ends, in the transaction of its end.
//!
//! A line is what a user said to us, or what came of the turn. It keeps its taint. What was forgotten in
//! a turn is not to be found by the words of that turn, so such a turn leaves no lines; a text from
//! outside that gives orders to the model leaves none either.

use super::bigrams::{index_words, query_terms};
use super::tool::{FORGET, OUTSIDE};
use crate::policy::injection::{Treatment, check_tool_result};
use crate::store::lines::{self, LINE_CHARS, LineToKeep};
use crate::store::{StoreError, Tx, memories, turns};
use crate::transcript::{
    ConversationMessage, MemoryId, Owner, Taint, ToolOutcome, TurnId, TurnOutcome, TurnState,
};

/// Has the lines of an ended turn found from now on. A turn ends also when they cannot be indexed.
pub async fn keep_lines(tx: &mut Tx, turn: TurnId) -> Result<(), StoreError> {
    tx.begin_part().await?;
    let indexed = index_lines(tx, turn).await;
    if let Err(error) = &indexed {
        tracing::error!(%turn, %error, "what was said in a turn cannot be found by its words");
        tx.undo_part().await?;
    }
    tx.end_part().await
}

/// Indexes the lines of an ended turn, in place of those that it has.
pub(super) async fn index_lines(tx: &mut Tx, turn: TurnId) -> Result<(), StoreError> {
    let Some(ended) = lines::ended_turn(tx, turn).await? else {
        return Ok(());
    };
    let state = TurnState::fold(&turns::entries(tx, turn).await?);
    let mut kept = Vec::new();
    let forgotten = forgotten(&state);
    for text in &forgotten {
        let owner = ended.owner();
        let same = lines::holding_all(tx, owner, &query_terms(text)).await?;
        lines::forget(tx, owner, &same).await?;
    }
    if forgotten.is_empty() {
        for heard in lines::heard(tx, turn).await? {
            let mut taint = Taint::default();
            if heard.untrusted {
                taint.add_others();
            }
            kept.extend(line(heard.id, &heard.said, heard.stored_ms, taint));
        }
        let answer = state.ended.as_ref().and_then(answer);
        kept.extend(
            answer.and_then(|text| line(turn.0, text, ended.ended_ms, state.taint.clone())),
        );
    }
    lines::keep(tx, &ended, &kept).await
}

/// Has lines found no more: those that are named, and those that say what the named memories say, or
/// that these come from. Returns how many were named.
pub(super) async fn forget_lines(
    tx: &mut Tx,
    owner: Owner,
    ids: &[MemoryId],
) -> Result<u64, StoreError> {
    for (text, turn) in memories::sources(tx, owner, ids).await? {
        let mut same = lines::holding_all(tx, owner, &query_terms(&text)).await?;
        same.extend(lines::of_turns(tx, &[turn]).await?);
        lines::forget(tx, owner, &same).await?;
    }
    let named: Vec<i64> = ids.iter().map(|id| id.0).collect();
    lines::forget(tx, owner, &named).await
}

fn line(id: i64, text: &str, at_ms: i64, taint: Taint) -> Option<LineToKeep> {
    let text: String = text.chars().take(LINE_CHARS).collect();
    let gives_orders = || check_tool_result(&text).treatment == Treatment::Block;
    if !taint.is_empty() && gives_orders() {
        tracing::warn!(
            line = id,
            "a line is not indexed: it gives orders to the model"
        );
        return None;
    }
    let words = index_words(&text);
    (!words.is_empty()).then_some(LineToKeep {
        id,
        words,
        at_ms,
        taint,
    })
}

fn answer(outcome: &TurnOutcome) -> Option<&str> {
    match outcome {
        TurnOutcome::Replied { text } | TurnOutcome::StepLimit { text } => Some(text),
        TurnOutcome::Asked { .. }
        | TurnOutcome::Stopped { .. }
        | TurnOutcome::Expired
        | TurnOutcome::Failed { .. } => None,
    }
}

/// Returns what was forgotten in the turn; an empty text where it was not said what.
fn forgotten(state: &TurnState) -> Vec<&str> {
    let forgotten = |message| match message {
        &ConversationMessage::ToolResult {
            ref name,
            outcome: ToolOutcome::Success { ref output },
            ..
        } if name == FORGET => {
            let text = output.strip_prefix("forgotten")?;
            Some(
                text.trim_start_matches(':')
                    .trim_end_matches(OUTSIDE)
                    .trim(),
            )
        }
        ConversationMessage::User { .. }
        | ConversationMessage::Assistant(_)
        | ConversationMessage::ToolResult { .. } => None,
    };
    state.messages.iter().filter_map(forgotten).collect()
}
