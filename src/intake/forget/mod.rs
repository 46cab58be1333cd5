//! `/forget` with words: shows the matching memories and the number of messages with all of these
//! words; a press deletes them: rows, words, vectors, and what the card itself said of it, in one
//! transaction. In a direct chat it is the person's own memory, in a group the group's.

mod card;
mod messages;
mod press;

use chrono::DateTime;
use sayso_channel::{Address, ChatKind, Language, MessageKey, Outbound};

pub use press::press;

use super::message::{ResolvedMessage, reply_to, tell};
use super::messages::plain;
use super::{Effects, IntakeContext};
use crate::approvals::new_token;
use crate::delivery::{Purpose, Saying};
use crate::memory;
use crate::store::forgettings::{self, ForgettingRow, ForgettingState, NewForgetting};
use crate::store::memories::MemoryRow;
use crate::store::outbox::{self, OutboxRow};
use crate::store::{StoreError, Tx, now_ms};
use crate::transcript::{Owner, first_chars};

/// How long the card may be answered, in milliseconds.
const HOLDS_MS: i64 = 10 * 60 * 1000;
/// The most of one memory on the card, in characters.
const LINE_CHARS: usize = 160;

/// Shows what these words may mean, and asks what of it is to be forgotten.
pub async fn ask(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    words: &str,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let owner = match heard.inbound.chat_kind {
        ChatKind::Direct => Owner::User(heard.user),
        ChatKind::Group => Owner::Chat(heard.chat.id),
    };
    let mut said = close_earlier(tx, ctx, heard, language).await?;
    let meant = memory::meant(tx, owner, words).await?;
    let shown = meant.get(..card::SHOWN).unwrap_or(&meant);
    let said_with = memory::said_with(tx, owner, words).await?;
    if shown.is_empty() && said_with == 0 {
        let told = tell(tx, ctx, heard, messages::nothing_matches(language)).await?;
        said.extend(told.said);
        return Ok(Effects {
            said,
            ..Effects::default()
        });
    }
    let token =
        new_token().map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let ids: Vec<_> = shown.iter().map(|row| row.id).collect();
    let new = NewForgetting {
        token: &token,
        user: heard.user,
        chat: heard.chat.id,
        owner,
        memories: &ids,
        words: (said_with > 0).then_some(words),
        expires_ms: now_ms() + HOLDS_MS,
    };
    let id = forgettings::ask(tx, &new).await?;
    let mut lines: Vec<_> = shown.iter().map(|row| line(row, language)).collect();
    if said_with > 0 {
        lines.push(messages::said_with(said_with, language));
    }
    let outbound = Outbound {
        reply_to: reply_to(heard),
        ..card::asking(&lines, meant.len() - shown.len(), &token, language)
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Card,
        turn: None,
        subject: Some(id),
        outbound: &outbound,
    };
    said.extend(ctx.outbox.say(tx, saying).await?);
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// A new card takes the place of those before.
async fn close_earlier(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for earlier in forgettings::open_of(tx, heard.user, heard.chat.id).await? {
        said.extend(amend(tx, ctx, &earlier, None, messages::expired(language)).await?);
        forgettings::close(tx, earlier.id, ForgettingState::Expired).await?;
    }
    Ok(said)
}

fn line(row: &MemoryRow, language: Language) -> String {
    let text = row.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = match first_chars(&text, LINE_CHARS) {
        Some(kept) => format!("{kept}…"),
        None => text,
    };
    let day = DateTime::from_timestamp_millis(row.touched_ms).unwrap_or(DateTime::UNIX_EPOCH);
    let is_over = row.valid_until_ms.is_some_and(|until| until <= now_ms());
    let day = day.date_naive().to_string();
    messages::line(&plain(&text), &day, is_over, language)
}

/// Closes the cards that expired without an answer.
pub async fn expire(
    tx: &mut Tx,
    ctx: &IntakeContext,
    now_ms: i64,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for overdue in forgettings::expired(tx, now_ms).await? {
        forgettings::close(tx, overdue.id, ForgettingState::Expired).await?;
        let language = ctx.language(&overdue.language);
        said.extend(amend(tx, ctx, &overdue, None, messages::expired(language)).await?);
    }
    Ok(said)
}

/// Rewrites a card, and what the outbox still has of what it said.
async fn amend(
    tx: &mut Tx,
    ctx: &IntakeContext,
    asked: &ForgettingRow,
    this: Option<(&Address, &MessageKey)>,
    text: String,
) -> Result<Vec<OutboxRow>, StoreError> {
    let outbound = Outbound::markdown(text);
    let outbox = &ctx.outbox;
    let said = outbox
        .amend(tx, Purpose::Card, asked.id, this, &outbound)
        .await?;
    outbox::unsay(tx, Purpose::Card.as_str(), asked.id, said.first()).await?;
    Ok(said)
}
