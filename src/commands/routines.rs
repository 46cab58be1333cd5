//! `/routines`: what a person wants done at set times, with buttons that switch it on or off, or
//! delete it. In a group it is what the same person made there.

use chrono::Local;
use sayso_channel::{Button, ButtonLook, ChatKind, Language, Outbound};
use sayso_core::transcript::{ChatId, RoutineId, UserId};
use sayso_store::routines::{self, RoutineChange, RoutineRow};
use sayso_store::{StoreError, Tx};

use super::context::CommandContext;
use super::messages::{self, RoutineButton};
use crate::delivery::Purpose;
use crate::intake::{Effects, Pressed, ResolvedMessage, say};
use crate::prompts::{PressedButton, PromptKind, Refusal};
use crate::routines::Schedule;

/// Lists the routines.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<Effects, StoreError> {
    let place = match heard.inbound.chat_kind {
        ChatKind::Direct => Place::Everywhere,
        ChatKind::Group => Place::Here,
    };
    let listed = list(tx, heard.user, heard.chat.id, place, language).await?;
    let said = say(tx, &ctx.outbox, heard, &listed).await?;
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// Which of a person's routines are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// All of them.
    Everywhere,
    /// Those that were made in this chat.
    Here,
}

impl Place {
    fn chat(self, chat: ChatId) -> Option<ChatId> {
        (self == Self::Here).then_some(chat)
    }
}

async fn list(
    tx: &mut Tx,
    user: UserId,
    chat: ChatId,
    place: Place,
    language: Language,
) -> Result<Outbound, StoreError> {
    let rows = routines::of_in(tx, user, place.chat(chat)).await?;
    Ok(Outbound {
        buttons: rows
            .iter()
            .zip(1..)
            .map(|(row, number)| buttons(row, number, place, language))
            .collect(),
        ..Outbound::markdown(messages::routines(&rows, language))
    })
}

fn buttons(row: &RoutineRow, number: usize, place: Place, language: Language) -> Vec<Button> {
    let switch = if row.enabled {
        RoutineButton::Off
    } else {
        RoutineButton::On
    };
    [switch, RoutineButton::Delete]
        .map(|does| Button {
            label: messages::routine_button(does, number, language),
            token: token(does, place, row.id),
            key: None,
            look: ButtonLook::Plain,
        })
        .to_vec()
}

fn token(does: RoutineButton, place: Place, id: RoutineId) -> String {
    let verb = match does {
        RoutineButton::On => "on",
        RoutineButton::Off => "off",
        RoutineButton::Delete => "delete",
    };
    let place = match place {
        Place::Everywhere => "all",
        Place::Here => "here",
    };
    PromptKind::RoutineList.button(format_args!("{verb}-{place}"), id)
}

fn parse(button: &PressedButton<'_>) -> Option<(RoutineButton, Place, RoutineId)> {
    let (verb, place) = button.choice.split_once('-')?;
    let does = match verb {
        "on" => RoutineButton::On,
        "off" => RoutineButton::Off,
        "delete" => RoutineButton::Delete,
        _ => return None,
    };
    let place = match place {
        "all" => Place::Everywhere,
        "here" => Place::Here,
        _ => return None,
    };
    Some((does, place, RoutineId(button.number()?)))
}

/// Judges a press on the list; `None` when the button was forged. A routine is its person's
/// alone: a press of anybody else finds none.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some((does, place, id)) = parse(button) else {
        return Ok(None);
    };
    let (user, language) = (press.user, press.language);
    let rows = routines::of_in(tx, user, place.chat(press.chat)).await?;
    let Some(row) = rows.into_iter().find(|row| row.id == id) else {
        let unknown = Refusal::Unknown.text(language).to_owned();
        return Ok(Some(Effects::refused(unknown)));
    };
    let is_done = match does {
        RoutineButton::Delete => routines::delete(tx, user, id).await?,
        RoutineButton::Off => switch(tx, user, id, None).await?,
        RoutineButton::On => {
            let next = Schedule::stored(&row.schedule)
                .and_then(|schedule| schedule.next_after(Local::now()))
                .map(|next| next.timestamp_millis());
            next.is_some() && switch(tx, user, id, next).await?
        }
    };
    if !is_done {
        let told = Effects::told(messages::routine_is_over(language), true);
        return Ok(Some(told));
    }
    let listed = list(tx, user, press.chat, place, language).await?;
    let outbox = &ctx.outbox;
    let said = outbox
        .amend(tx, Purpose::Notice, id.0, press.this, &listed)
        .await?;
    Ok(Some(Effects::shown(
        messages::routine_done(does, language),
        said,
    )))
}

/// Switches a routine on, for the moment at which it is due next, or off.
async fn switch(
    tx: &mut Tx,
    user: UserId,
    id: RoutineId,
    next_ms: Option<i64>,
) -> Result<bool, StoreError> {
    let change = RoutineChange {
        enabled: Some(next_ms.is_some()),
        next_ms,
        ..RoutineChange::default()
    };
    routines::change(tx, user, id, &change).await
}
