//! The answer to the card: what it has forgotten.

use sayso_core::transcript::MemoryId;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx};

use super::card::{Answer, Forgetting, amend};
use super::messages;
use crate::audit::{By, Event, Place, Record};
use crate::commands::context::CommandContext;
use crate::delivery::MessageRef;
use crate::intake::{Effects, Pressed};
use crate::prompts::Prompt;

/// Forgets what was chosen.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some(answer) = Answer::parse(choice) else {
        return Ok(None);
    };
    let asked: Forgetting = prompt.payload()?;
    let text = forget(tx, ctx, &asked, answer, pressed).await?;
    let said = amend(tx, &ctx.outbox, prompt, pressed.this, text.clone()).await?;
    Ok(Some(Effects::shown(text, said)))
}

/// Says that the card was not answered in time.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    this: Option<MessageRef<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let language = ctx.language(prompt.language().unwrap_or_default());
    amend(tx, &ctx.outbox, prompt, this, messages::expired(language)).await
}

/// Forgets what was chosen, and returns what is said about it.
async fn forget(
    tx: &mut Tx,
    ctx: &CommandContext,
    asked: &Forgetting,
    answer: Answer,
    pressed: &Pressed<'_>,
) -> Result<String, StoreError> {
    let language = pressed.language;
    let (memories, words) = (&asked.memories, asked.words.as_deref());
    let (wanted, words): (&[MemoryId], _) = match answer {
        Answer::All => (memories, words),
        Answer::One(place) if place == memories.len() => (&[], words),
        Answer::One(place) => (memories.get(place..=place).unwrap_or_default(), None),
        Answer::Nothing => return Ok(messages::refused(language)),
    };
    // What was said goes first: much of it goes with the memories anyway.
    let said = match words {
        Some(words) => sayso_memory::unsay_words(tx, asked.owner, words).await?,
        None => 0,
    };
    let forgotten = sayso_memory::forget(tx, asked.owner, wanted).await?;
    if forgotten + said > 0 {
        note(tx, ctx, pressed).await?;
    }
    Ok(messages::done(forgotten, said, language))
}

/// Writes down that something was forgotten, and nothing of what it was.
async fn note(tx: &mut Tx, ctx: &CommandContext, pressed: &Pressed<'_>) -> Result<(), StoreError> {
    let place = Place {
        chat: Some(pressed.chat),
        user: Some(pressed.user),
        ..Place::default()
    };
    let record = Record {
        by: Some(By::User(pressed.user)),
        ..Record::of(Event::Forgotten, place)
    };
    ctx.auditor.note(tx, record).await
}
