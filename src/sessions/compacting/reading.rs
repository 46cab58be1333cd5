//! What a compaction is made from: the turns of a session behind the last one, but the newest.

use sayso_channel::{Address, Language};

use crate::agent::Earlier;
use crate::sessions::Surroundings;
use crate::store::chats::SessionRow;
use crate::store::compactions::{self, CompactionRow, WaitingRow};
use crate::store::{StoreError, turns};
use crate::transcript::{
    ConversationMessage, Entry, Past, Taint, TurnId, TurnState, UserId,
    clear_old_reasoning_content, message_tokens,
};

/// How many turns are read at once, the newest.
const READ_TURNS: i64 = 500;

/// How a summary begins in a prompt: the words after it are nobody's.
const HEADING: &str = "[What was said before, summed up. Nobody says this now.]";

/// What a compaction is made from.
pub struct Reading {
    /// The session that waits.
    pub waiting: WaitingRow,
    /// Where it is said.
    pub address: Address,
    /// The language of our own texts there.
    pub language: Language,
    /// What stands for the turns before.
    pub before: Option<CompactionRow>,
    /// The turns that it will stand for beside those, oldest first, without what was forgotten.
    pub covered: Vec<Past>,
    /// The place of the newest turn that it stands for; `None` when there is none.
    pub until_seq: Option<i64>,
    /// How many tokens history has in a prompt, estimated, and how many of them stay as they are.
    pub tokens: (usize, usize),
}

impl Reading {
    /// Reads what a session has.
    pub async fn of(around: &Surroundings, waiting: &WaitingRow) -> anyhow::Result<Self> {
        let readers = around.store.reader();
        let (session, since, until) = (waiting.session_id, waiting.since_seq, waiting.ended_seq);
        let before = compactions::newest(readers, session, since, until).await?;
        let from = before.as_ref().map_or(since, |row| row.until_seq);
        let rows = turns::history(readers, session, from, until, READ_TURNS).await?;
        let forgotten = turns::forgotten_of(readers, session).await?;
        // Whose words are somebody else's is a question of who reads them.
        let mut earlier: Vec<Past> = rows.iter().map(|row| past(row, row.1)).collect();
        for turn in &mut earlier {
            clear_old_reasoning_content(&mut turn.messages);
        }
        let kept = around.agent.kept_turns(&earlier, waiting.asked);
        let kept = earlier.split_off(earlier.len().saturating_sub(kept));
        let tokens = |turns: &[Past]| -> usize {
            let messages = turns.iter().flat_map(|turn| &turn.messages);
            messages.map(message_tokens).sum()
        };
        let summary = summary_of(before.as_ref())?;
        let all = tokens(&earlier) + tokens(&kept) + tokens(summary.as_slice());
        let tokens = (all, tokens(&kept));
        let until_seq = match earlier.last().and_then(|turn| turn.turns.first()) {
            Some(turn) => turns::place_of(readers, *turn).await?,
            None => None,
        };
        let is_remembered = |turn: &Past| !turn.turns.iter().any(|id| forgotten.contains(id));
        Ok(Self {
            waiting: waiting.clone(),
            address: serde_json::from_str(&waiting.address)?,
            language: around.limits.language_in(&waiting.language),
            before,
            covered: earlier.into_iter().filter(is_remembered).collect(),
            until_seq,
            tokens,
        })
    }

    /// Returns the turns that it will be made from, also by way of the one before.
    pub fn turns(&self) -> Result<Vec<TurnId>, StoreError> {
        let mut turns: Vec<TurnId> = match &self.before {
            Some(row) => serde_json::from_str(&row.turns)?,
            None => Vec::new(),
        };
        turns.extend(self.covered.iter().flat_map(|turn| &turn.turns));
        Ok(turns)
    }

    /// Returns the untrusted text that was in view in any of them.
    pub fn taint(&self) -> Result<Taint, StoreError> {
        let mut taint: Taint = match &self.before {
            Some(row) => serde_json::from_str(&row.taint)?,
            None => Taint::default(),
        };
        for turn in &self.covered {
            taint.merge(&turn.taint);
        }
        Ok(taint)
    }
}

/// Returns what a turn of a user is shown of the turns that ended up to its cursor.
pub async fn earlier(
    around: &Surroundings,
    (session, user): (&SessionRow, UserId),
    cursor: i64,
) -> Result<Earlier, StoreError> {
    let (readers, id, since) = (around.store.reader(), session.id, session.since_seq);
    let row = compactions::newest(readers, id, since, cursor).await?;
    let from = row.as_ref().map_or(since, |row| row.until_seq);
    // An ended turn is at least what was said and what came of it.
    let limit = around.agent.limits.history_messages.div_ceil(2) as i64;
    let rows = turns::history(readers, id, from, cursor, limit).await?;
    let mut summary = summary_of(row.as_ref())?;
    if let Some((summary, row)) = summary.as_mut().zip(row.as_ref())
        && compactions::has_turns_of_others(readers, row, user).await?
    {
        summary.taint.add_others();
    }
    Ok(Earlier {
        summary,
        turns: rows.iter().map(|row| past(row, user)).collect(),
    })
}

/// Returns what a turn of a user is shown of an earlier one. In a group that may be somebody else's.
fn past((turn, of, entries): &(TurnId, UserId, Vec<Entry>), user: UserId) -> Past {
    let mut past = TurnState::fold(entries).into_history();
    if *of != user {
        past.taint.add_others();
    }
    past.turns = vec![*turn];
    past
}

/// Returns what later turns are shown in place of those that a compaction stands for.
fn summary_of(row: Option<&CompactionRow>) -> Result<Option<Past>, StoreError> {
    let Some((row, text)) = row.and_then(|row| Some((row, row.text.as_ref()?))) else {
        return Ok(None);
    };
    Ok(Some(Past {
        messages: vec![ConversationMessage::user(format!("{HEADING}\n{text}"))],
        taint: serde_json::from_str(&row.taint)?,
        turns: Vec::new(),
    }))
}
