//! The lines of the transcript: what is indexed of a turn right after its end. Its answer does not
//! wait for that; what a kill left out is indexed with the next start (`maintenance.rs`).
//!
//! A line is a user's message to Sayso, or the answer of the turn. It keeps its taint. Text that
//! was forgotten must not be found through the other words of its turn, so such a turn leaves no
//! lines, and a line that states something forgotten is never indexed, however late the indexing.
//! Text from outside that gives orders to the model is not indexed either.

use sayso_core::transcript::{
    ConversationMessage, Owner, Taint, ToolOutcome, TurnId, TurnOutcome, TurnState,
};
use sayso_injection::{Treatment, check_tool_result};
use sayso_store::lines::{self, EndedTurn, Indexed, LINE_CHARS, LineToKeep};
use sayso_store::{StoreError, Tx, turns, unindexed};

use super::bigrams::{index_words, query_terms};
use super::tombstones::{Saying, TombstoneSet};
use super::tool::OUTSIDE;
use super::tool_names::FORGET;

/// When the lines of a turn that could not be indexed are tried again, in milliseconds.
pub(super) const TRIED_AGAIN_MS: i64 = 60_000;

/// What the journal of an ended turn says of its lines.
#[derive(Debug, Clone)]
pub struct SaidInTurn {
    /// What was forgotten in it; an empty text where it was not said what.
    forgotten: Vec<String>,
    answer: Option<String>,
    /// Of the answer.
    taint: Taint,
    /// The version of the database of which this is true.
    version: u64,
}

impl SaidInTurn {
    /// Returns what the state of an ended turn says, true of this version of the database.
    pub fn of(state: &TurnState, version: u64) -> Self {
        let forgotten = forgotten(state).into_iter();
        let answer = state.ended.as_ref().and_then(answer);
        Self {
            forgotten: forgotten.map(str::to_owned).collect(),
            answer: answer.map(str::to_owned),
            taint: state.taint.clone(),
            version,
        }
    }

    async fn read(tx: &mut Tx, turn: TurnId) -> Result<Self, StoreError> {
        let state = TurnState::fold(&turns::entries(tx, turn).await?);
        Ok(Self::of(&state, tx.version()))
    }
}

/// Has the lines of a turn found from now on that has just ended. Its journal is read unless what it says
/// is known and still true.
///
/// # Errors
/// Fails when they cannot be indexed; the upkeep tries again.
pub async fn keep_lines(
    tx: &mut Tx,
    turn: TurnId,
    said: Option<SaidInTurn>,
) -> Result<(), StoreError> {
    let indexed = async {
        // Where that was done before, the maintenance came first.
        let Some(ended) = unindexed::take_out(tx, turn).await? else {
            return Ok(());
        };
        let said = match said {
            Some(said) if said.version == tx.version() => said,
            Some(_) | None => SaidInTurn::read(tx, turn).await?,
        };
        index_ended(tx, &ended, said, Indexed::Nothing).await
    };
    indexed.await.inspect_err(|error| {
        tracing::error!(%turn, %error, "cannot index the messages of a turn; retrying");
    })
}

/// Indexes the lines of an ended turn, in place of those that it may have.
pub(super) async fn index_lines(tx: &mut Tx, turn: TurnId) -> Result<(), StoreError> {
    match lines::ended_turn(tx, turn).await? {
        Some(ended) => {
            let said = SaidInTurn::read(tx, turn).await?;
            index_ended(tx, &ended, said, Indexed::Perhaps).await
        }
        None => Ok(()),
    }
}

/// Indexes what was heard and said in a turn.
async fn index_ended(
    tx: &mut Tx,
    ended: &EndedTurn,
    said: SaidInTurn,
    mut indexed: Indexed,
) -> Result<(), StoreError> {
    let turn = ended.id;
    let mut kept = Vec::new();
    for text in &said.forgotten {
        let owner = ended.owner();
        let mut same = lines::holding_all(tx, owner, &query_terms(text)).await?;
        // What was said since may have been told anew.
        same.retain(|line| *line < turn.0);
        lines::forget(tx, owner, &same).await?;
    }
    if said.forgotten.is_empty() && !ended.forgotten {
        for heard in &ended.heard {
            if heard.version != 0 {
                indexed = Indexed::Perhaps;
            }
            let mut taint = Taint::default();
            if heard.untrusted {
                taint.add_others();
            }
            kept.extend(line(heard.id, &heard.said, heard.stored_ms, taint));
        }
        let answer = said.answer.as_deref();
        kept.extend(answer.and_then(|text| line(turn.0, text, ended.ended_ms, said.taint)));
        kept = without_forgotten(tx, ended, kept).await?;
    }
    let kept: Vec<LineToKeep> = kept.into_iter().map(|(line, _)| line).collect();
    lines::keep(tx, ended, &kept, indexed).await
}

/// Leaves out what says something that is forgotten: by the owner, and, of what was said in a group
/// before that, by the person who said it or was answered.
async fn without_forgotten(
    tx: &mut Tx,
    ended: &EndedTurn,
    lines: Vec<(LineToKeep, String)>,
) -> Result<Vec<(LineToKeep, String)>, StoreError> {
    let owner = ended.owner();
    let owners = TombstoneSet::of(tx, owner).await?;
    let users = match owner {
        Owner::User(_) => None,
        Owner::Chat(_) => Some(TombstoneSet::of(tx, Owner::User(ended.user_id)).await?),
    };
    let mut kept = Vec::new();
    for (line, text) in lines {
        let by_owner = owners.saying(tx, &text, line.at_ms).await?;
        let by_user = match &users {
            Some(users) => users.saying(tx, &text, line.at_ms).await?,
            None => Saying::Nothing,
        };
        if by_owner == Saying::Nothing && by_user != Saying::Before {
            kept.push((line, text));
        }
    }
    Ok(kept)
}

fn line(id: i64, text: &str, at_ms: i64, taint: Taint) -> Option<(LineToKeep, String)> {
    let text: String = text.chars().take(LINE_CHARS).collect();
    let gives_orders = || check_tool_result(&text).treatment == Treatment::Block;
    if !taint.is_empty() && gives_orders() {
        tracing::warn!(
            line = id,
            "message not indexed: it contains instructions to the model"
        );
        return None;
    }
    let words = index_words(&text);
    let line = LineToKeep {
        id,
        words,
        at_ms,
        taint,
    };
    (!line.words.is_empty()).then_some((line, text))
}

fn answer(outcome: &TurnOutcome) -> Option<&str> {
    match outcome {
        TurnOutcome::Replied { text }
        | TurnOutcome::StepLimit { text }
        | TurnOutcome::TimeLimit { text } => Some(text),
        TurnOutcome::Asked { .. }
        | TurnOutcome::Inquired { .. }
        | TurnOutcome::Proposed { .. }
        | TurnOutcome::NotReceived { .. }
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
