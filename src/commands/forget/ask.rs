//! `/forget` with words: what they may mean is shown, and asked about.

use chrono::DateTime;
use sayso_channel::{Language, Outbound};
use sayso_core::transcript::first_chars;
use sayso_store::memories::MemoryRow;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, now_ms};

use super::card::{self, Forgetting};
use super::messages;
use crate::commands::context::CommandContext;
use crate::commands::messages::plain;
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, ResolvedMessage, reply_to, tell};
use crate::prompts::{self, Asked, NewPrompt, Place, PromptKind};

/// How long the card may be answered, in milliseconds.
const HOLDS_MS: i64 = 10 * 60 * 1000;
/// The most of one memory on the card, in characters.
const LINE_CHARS: usize = 160;

/// Shows what these words may mean, and asks what of it is to be forgotten.
pub async fn ask(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    words: &str,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let owner = heard.owner();
    let mut said = close_earlier(tx, ctx, heard, language).await?;
    let meant = sayso_memory::meant(tx, owner, words).await?;
    let shown = meant.get(..card::SHOWN).unwrap_or(&meant);
    let said_with = sayso_memory::said_with(tx, owner, words).await?;
    if shown.is_empty() && said_with == 0 {
        let told = tell(tx, &ctx.outbox, heard, messages::nothing_matches(language)).await?;
        said.extend(told.said);
        return Ok(Effects::said(said));
    }
    let asked = Forgetting {
        owner,
        memories: shown.iter().map(|row| row.id).collect(),
        words: (said_with > 0).then(|| words.to_owned()),
    };
    let new = NewPrompt {
        kind: PromptKind::Forget,
        place: Place::Chat(heard.chat.id),
        asked: Asked::User(heard.user),
        subject: None,
        payload: &asked,
        expires_ms: Some(now_ms() + HOLDS_MS),
    };
    let prompt = prompts::open(tx, new).await?;
    let mut lines: Vec<_> = shown.iter().map(|row| line(row, language)).collect();
    if said_with > 0 {
        lines.push(messages::said_with(said_with, language));
    }
    let outbound = Outbound {
        reply_to: reply_to(heard),
        ..card::asking(&lines, meant.len() - shown.len(), &prompt, language)
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Card,
        turn: None,
        subject: Some(prompt.id()),
        outbound: &outbound,
    };
    said.extend(ctx.outbox.say(tx, saying).await?);
    Ok(Effects::said(said))
}

/// A new card takes the place of those before.
async fn close_earlier(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for earlier in prompts::open_for(tx, PromptKind::Forget, heard.user).await? {
        if earlier.chat() == Some(heard.chat.id) {
            let text = messages::expired(language);
            said.extend(card::amend(tx, &ctx.outbox, &earlier, None, text).await?);
            prompts::withdraw(tx, &earlier).await?;
        }
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
