//! What a compaction is made from: the turns of a session behind the last one, but the newest.

use sayso_channel::{Address, Language};
use sayso_core::transcript::{
    ConversationMessage, Past, Taint, TurnId, TurnState, clear_old_reasoning_content,
    message_tokens,
};
use sayso_memory::forgets;
use sayso_store::chats::SessionRow;
use sayso_store::compactions::{self, CompactionRow, WaitingRow};
use sayso_store::turns::{self, TurnRow};
use sayso_store::{Readers, StoreError, history};

use crate::agent::{Earlier, Gathering, ToSumUp};
use crate::sessions::SessionContext;
use crate::sessions::history_cache::{EndedTurn, Span};

/// How many turns are read at once, the newest first.
const READ_TURNS: i64 = 20;

/// The heading of a summary in a prompt: the text after it is not attributed to any speaker.
const HEADING: &str = "[What was said before, summed up. Said by no user now.]";

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
    /// What a model is asked.
    pub question: ToSumUp,
    /// The turns that it is asked to sum up, oldest first, without what was forgotten.
    pub covered: Vec<Past>,
    /// How many turns it will stand for beside those before.
    pub turns_behind: usize,
    /// The place of the newest turn that it stands for; `None` when there is none.
    pub until_seq: Option<i64>,
    /// How many tokens history has in a prompt, as far as it was read, estimated, and how many of
    /// them stay as they are.
    pub tokens: (usize, usize),
}

/// What was read of the turns of a session, from the newest back.
struct Read {
    gathering: Gathering,
    /// What is summed up, newest first.
    covered: Vec<Past>,
    /// The newest turn that is not kept verbatim.
    newest: Option<TurnId>,
    tokens: usize,
    kept: usize,
}

impl Reading {
    /// Reads what a session has.
    pub async fn of(ctx: &SessionContext, waiting: &WaitingRow) -> anyhow::Result<Self> {
        let readers = ctx.store.reader();
        let (session, since) = (waiting.session_id, waiting.since_seq);
        let before = compactions::newest(readers, session, since, None).await?;
        let from = before.as_ref().map_or(since, |row| row.until_seq);
        let text = before.as_ref().and_then(|row| row.text.as_deref());
        let mut read = Read {
            gathering: ctx.agent.gather(text, waiting.asked),
            covered: Vec::new(),
            newest: None,
            tokens: 0,
            kept: 0,
        };
        read.turns(readers, waiting, from).await?;
        let until_seq = match read.newest {
            Some(turn) => turns::place_of(readers, turn).await?,
            None => None,
        };
        let turns_behind = match until_seq {
            Some(until) => turns::count_between(readers, session, from, until).await?,
            None => 0,
        };
        let summary = summary_of(before.as_ref())?;
        let summary = summary.as_ref().map_or(0, tokens_of);
        read.covered.reverse();
        let language = ctx.limits.language_in(&waiting.language);
        Ok(Self {
            waiting: waiting.clone(),
            address: serde_json::from_str(&waiting.address)?,
            language,
            before,
            question: read.gathering.to_sum_up(language),
            covered: read.covered,
            turns_behind,
            until_seq,
            tokens: (read.tokens + summary, read.kept),
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

impl Read {
    /// Reads the turns behind a place, page by page, until nothing more is summed up.
    async fn turns(
        &mut self,
        readers: &Readers,
        waiting: &WaitingRow,
        from: i64,
    ) -> Result<(), StoreError> {
        let mut until = waiting.ended_seq;
        loop {
            let session = waiting.session_id;
            let page = history::ended_turns(readers, session, from, until, READ_TURNS).await?;
            let Some(oldest) = page.first().map(|row| row.place) else {
                return Ok(());
            };
            let named: Vec<TurnId> = page.iter().map(|row| row.turn).collect();
            let forgotten = turns::forgotten_among(readers, &named).await?;
            // Whose words are somebody else's is a question of who reads them.
            for row in page.iter().rev() {
                let mut turn = TurnState::fold(&row.entries).into_history();
                turn.turns = vec![row.turn];
                let is_forgotten = turn.turns.iter().any(|id| forgotten.contains(id));
                if !self.takes(turn, is_forgotten) {
                    return Ok(());
                }
            }
            until = oldest - 1;
        }
    }

    /// Takes the next turn back; returns whether there was room for it.
    fn takes(&mut self, mut turn: Past, is_forgotten: bool) -> bool {
        clear_old_reasoning_content(&mut turn.messages);
        let tokens = tokens_of(&turn);
        if self.gathering.keeps(&turn) {
            self.kept += tokens;
            self.tokens += tokens;
            return true;
        }
        self.newest = self.newest.or_else(|| turn.turns.first().copied());
        let is_left_out = is_forgotten || turn.messages.iter().any(forgets);
        if !is_left_out && !self.gathering.takes(&turn) {
            return false;
        }
        self.tokens += tokens;
        if !is_left_out {
            self.covered.push(turn);
        }
        true
    }
}

/// What of its session a turn is shown.
#[derive(Debug, Clone, Copy)]
pub struct Window<'a> {
    /// The session.
    pub session: &'a SessionRow,
    /// The turn.
    pub turn: &'a TurnRow,
    /// The place of the newest turn that it is shown.
    pub cursor: i64,
    /// Whether there was a summary when the turn was claimed. A later one is not for this turn.
    pub has_compaction: bool,
}

/// Returns what a turn is shown of the turns that ended up to its cursor.
pub async fn earlier(ctx: &SessionContext, window: Window<'_>) -> Result<Earlier, StoreError> {
    let Window {
        session,
        turn,
        cursor,
        has_compaction,
    } = window;
    let (readers, id, since) = (ctx.store.reader(), session.id, session.since_seq);
    let user = turn.user_id;
    let row = if has_compaction {
        compactions::newest(readers, id, since, Some(turn.id)).await?
    } else {
        None
    };
    let from = row.as_ref().map_or(since, |row| row.until_seq);
    let span = Span {
        since: from,
        until: cursor,
        limit: ctx.agent.limits.history_turns(),
    };
    let ended = ctx.history.turns(&ctx.store, id, span).await?;
    let mut summary = summary_of(row.as_ref())?;
    if let Some((summary, row)) = summary.as_mut().zip(row.as_ref())
        && compactions::has_turns_of_others(readers, row, user).await?
    {
        summary.taint.add_others();
    }
    if let Some(summary) = &mut summary
        && turn.project.is_some()
    {
        // Which of the texts were of this project is not known any more.
        note_elsewhere(&mut summary.taint);
    }
    Ok(Earlier {
        summary,
        turns: ended.iter().map(|ended| shown_to(ended, turn)).collect(),
    })
}

/// Returns what a turn is shown of an earlier one. In a group that may be somebody else's, and it may have
/// worked in another project.
fn shown_to(earlier: &EndedTurn, turn: &TurnRow) -> Past {
    let mut past = earlier.past.clone();
    if earlier.user != turn.user_id {
        past.taint.add_others();
    }
    if earlier.project != turn.project {
        note_elsewhere(&mut past.taint);
    }
    past
}

/// Notes that untrusted text may be of other files than those that a turn works on: by the names of the
/// tools that read it, it would look like text of its own project.
fn note_elsewhere(taint: &mut Taint) {
    if !taint.is_empty() {
        taint.add_unnamed();
    }
}

fn tokens_of(turn: &Past) -> usize {
    turn.messages.iter().map(message_tokens).sum()
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
