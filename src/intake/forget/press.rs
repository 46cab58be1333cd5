//! A press on the card: whose it is, and what it has forgotten.

use sayso_channel::Language;

use super::card::Answer;
use super::{amend, messages};
use crate::audit::{By, Event, Place, Record};
use crate::intake::messages as door_messages;
use crate::intake::press::Pressed;
use crate::intake::{Effects, IntakeContext};
use crate::memory;
use crate::store::forgettings::{self, ForgettingRow, ForgettingState};
use crate::store::{StoreError, Tx, now_ms};
use crate::transcript::MemoryId;

/// Judges a press; `None` when the data is no button of such a card.
pub async fn press(
    tx: &mut Tx,
    ctx: &IntakeContext,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some((answer, token)) = Answer::parse(press.data) else {
        return Ok(None);
    };
    let language = press.language;
    let asked = forgettings::asked(tx, token).await?;
    let asked = asked.filter(|one| one.chat_id == press.chat && one.user_id == press.user);
    let Some(asked) = asked else {
        return Ok(Some(Effects::told(
            door_messages::unknown_button(language),
            true,
        )));
    };
    if asked.state != ForgettingState::Open {
        return Ok(Some(Effects::told(
            door_messages::already_answered(language),
            true,
        )));
    }
    let (state, text, notice) = if asked.expires_ms <= now_ms() {
        let notice = Effects::told(door_messages::too_late(language), true);
        (
            ForgettingState::Expired,
            messages::expired(language),
            notice,
        )
    } else {
        let (state, text) = answered(tx, ctx, &asked, answer, language).await?;
        (state, text.clone(), Effects::told(text, false))
    };
    forgettings::close(tx, asked.id, state).await?;
    let said = amend(tx, ctx, &asked, press.this, text).await?;
    Ok(Some(Effects { said, ..notice }))
}

/// Writes down that something was forgotten, and nothing of what it was.
async fn note(tx: &mut Tx, ctx: &IntakeContext, asked: &ForgettingRow) -> Result<(), StoreError> {
    let place = Place {
        chat: Some(asked.chat_id),
        user: Some(asked.user_id),
        ..Place::default()
    };
    let record = Record {
        by: Some(By::User(asked.user_id)),
        ..Record::of(Event::Forgotten, place)
    };
    ctx.auditor.note(tx, record).await
}

/// Does what was answered, and returns what is said about it.
async fn answered(
    tx: &mut Tx,
    ctx: &IntakeContext,
    asked: &ForgettingRow,
    answer: Answer,
    language: Language,
) -> Result<(ForgettingState, String), StoreError> {
    let memories = asked.memories()?;
    let words = asked.words.as_deref();
    let (wanted, words): (&[MemoryId], _) = match answer {
        Answer::All => (&memories, words),
        Answer::One(place) if place == memories.len() => (&[], words),
        Answer::One(place) => (memories.get(place..=place).unwrap_or_default(), None),
        Answer::Nothing => return Ok((ForgettingState::Refused, messages::refused(language))),
    };
    // What was said goes first: much of it goes with the memories anyway.
    let said = match words {
        Some(words) => memory::unsay_words(tx, asked.owner(), words).await?,
        None => 0,
    };
    let forgotten = memory::forget(tx, asked.owner(), wanted).await?;
    if forgotten + said > 0 {
        note(tx, ctx, asked).await?;
    }
    Ok((
        ForgettingState::Done,
        messages::done(forgotten, said, language),
    ))
}
