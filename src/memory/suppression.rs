//! What is forgotten is found in nothing that was said: no line of the transcript says it, no
//! summary of a turn does, and nothing is learned again from where it was said.
//!
//! The history of a conversation still has it; this is about what is found.

use sayso_core::transcript::{ConversationMessage, MemoryId, Owner, TurnId, UserId};
use sayso_store::episodes::{self, Summary};
use sayso_store::learned_facts::{self, SaidRow};
use sayso_store::{StoreError, Tx, compactions, lessons, lines, turns};

use super::bigrams::{index_words, query_terms};
use super::episode_merge;
use super::excerpt::ENDS;
use super::tombstones::{self, Saying, Words};
use super::tool_names::FORGET;

/// When whatever sums up a conversation may have been said: before anything was forgotten.
const LONG_AGO_MS: i64 = 0;

/// Has lines of these ids found no more, and returns how many there were.
pub(super) async fn unsay_lines(
    tx: &mut Tx,
    owner: Owner,
    ids: &[MemoryId],
) -> Result<u64, StoreError> {
    let named: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let gone = lines::forget(tx, owner, &named).await?;
    forget_turns(tx, &gone).await?;
    Ok(gone.len() as u64)
}

/// Has nothing come of these turns any more: no lines, no summary, and nothing learned.
async fn forget_turns(tx: &mut Tx, gone: &[TurnId]) -> Result<(), StoreError> {
    turns::note_forgotten(tx, gone).await?;
    compactions::drop_of_turns(tx, gone).await?;
    lessons::drop_turns(tx, gone).await
}

/// Has what a deleted memory said found no more: where it says the same, and in the turns that it
/// came from.
pub(super) async fn unsay(tx: &mut Tx, owner: Owner, gone: &SaidRow) -> Result<(), StoreError> {
    let sources = learned_facts::turns_of(tx, gone).await?;
    forget_turns(tx, &sources).await?;
    let mut same = lines::holding_all(tx, owner, &query_terms(&gone.text)).await?;
    same.extend(lines::of_turns(tx, &sources).await?);
    let saying = lines::forget(tx, owner, &same).await?;
    forget_turns(tx, &saying).await?;
    let words = Words::of(&gone.text);
    let is_gone = |part: &Part<'_>| {
        part.turns.iter().any(|turn| sources.contains(turn)) || words.are_said_in(part.said)
    };
    unsay_summaries(tx, owner, &query_terms(&gone.text), &sources, is_gone).await?;
    Ok(())
}

/// Returns how many lines of an owner hold all of these words.
pub async fn said_with(tx: &mut Tx, owner: Owner, words: &str) -> Result<usize, StoreError> {
    let found = lines::holding_all(tx, owner, &query_terms(words)).await?;
    Ok(found.len())
}

/// Has everything that was said with all of these words found no more, and nothing be learned from
/// it. Returns how many lines and summaries there were.
pub async fn unsay_words(tx: &mut Tx, owner: Owner, words: &str) -> Result<u64, StoreError> {
    let terms = query_terms(words);
    let found = lines::holding_all(tx, owner, &terms).await?;
    let gone = lines::forget(tx, owner, &found).await?;
    forget_turns(tx, &gone).await?;
    let words = Words::of(words);
    let is_gone = |part: &Part<'_>| words.are_held_in(part.said);
    let summaries = unsay_summaries(tx, owner, &terms, &[], is_gone).await?;
    Ok(gone.len() as u64 + summaries)
}

/// Returns a text about what these people said, each from a time on, without the sentences that say
/// what its owner had forgotten: all of it, or nothing but a part of it. In a group, what one of
/// them had forgotten goes as well, unless it was said there since.
pub async fn without_forgotten(
    tx: &mut Tx,
    owner: Owner,
    said_by: &[(UserId, i64)],
    text: &str,
) -> Result<String, StoreError> {
    let mut left = String::with_capacity(text.len());
    for sentence in text.split_inclusive(ENDS) {
        let said = tombstones::saying(tx, owner, sentence, LONG_AGO_MS).await?;
        let mut is_forgotten = said != Saying::Nothing;
        for (user, at_ms) in said_by {
            let theirs = Owner::User(*user);
            if !is_forgotten && theirs != owner {
                let said = tombstones::saying(tx, theirs, sentence, *at_ms).await?;
                is_forgotten = said == Saying::Before;
            }
        }
        if !is_forgotten {
            left.push_str(sentence);
        }
    }
    Ok(left)
}

/// Returns whether a message of a turn wants something forgotten: what is made of the turn would
/// say that again.
pub fn forgets(message: &ConversationMessage) -> bool {
    match message {
        ConversationMessage::Assistant(said) => said.calls.iter().any(|call| call.name == FORGET),
        ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => false,
    }
}

/// Takes what is gone out of summaries that hold all of the terms or are of these turns; returns
/// how many were changed or deleted.
async fn unsay_summaries(
    tx: &mut Tx,
    owner: Owner,
    terms: &[String],
    turns: &[TurnId],
    is_gone: impl Fn(&Part<'_>) -> bool,
) -> Result<u64, StoreError> {
    let mut changed = 0;
    for summary in episodes::naming(tx, owner, terms, turns).await? {
        let (out, left): (Vec<_>, Vec<_>) = parts(&summary).into_iter().partition(&is_gone);
        if out.is_empty() {
            continue;
        }
        changed += 1;
        if left.is_empty() {
            episodes::delete(tx, summary.id).await?;
            continue;
        }
        let said: Vec<&str> = left.iter().map(|part| part.said).collect();
        let text = episode_merge::joined(&said);
        let out: Vec<TurnId> = out.iter().flat_map(|part| part.turns).copied().collect();
        episodes::rewrite(tx, summary.id, &text, &index_words(&text), &out).await?;
    }
    Ok(changed)
}

/// What a summary says of one turn, or of several that cannot be told apart.
struct Part<'a> {
    turns: &'a [TurnId],
    said: &'a str,
}

/// Returns what a summary says of each of its turns. Where a text has looked like the border of
/// two, it is one part: better too much goes than too little.
fn parts(summary: &Summary) -> Vec<Part<'_>> {
    let parts = episode_merge::parts(&summary.text);
    if parts.len() != summary.turns.len() {
        return vec![Part {
            turns: &summary.turns,
            said: &summary.text,
        }];
    }
    let turns = summary.turns.chunks(1);
    let parts = turns.zip(parts);
    parts.map(|(turns, said)| Part { turns, said }).collect()
}
