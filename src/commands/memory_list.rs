//! `/memory`: what is remembered here, with a button that forgets each. In a direct chat it is the
//! person's own, in a group the group's.

use std::collections::HashSet;

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{MemoryId, TurnId, UserId, first_chars};
use sayso_store::memories::MemoryKind;
use sayso_store::memories::{self, MemoryRow};
use sayso_store::{StoreError, Tx, now_ms};

use super::context::CommandContext;
use super::list_message::ListMessage;
use super::messages::{self, MemoryButton, MemoryPage};
use super::viewer::Viewer;
use crate::audit::{By, Event, Place, Record};
use crate::intake::{Effects, Pressed, ResolvedMessage};
use crate::prompts::{PressedButton, PromptKind};

/// How many memories a page lists.
const ON_A_PAGE: usize = 5;
/// The most memories that are leafed through; the export has more.
const LISTED: usize = 500;
/// The most of one memory in a line, in characters.
const LINE_CHARS: usize = 160;
/// Buttons side by side.
const IN_A_ROW: usize = 3;

/// Lists the newest memories: facts first, then conversations of which nothing more is known.
pub(super) async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let viewer = Viewer::of_message(heard, ctx.language(&heard.chat.language));
    let outbound = page(tx, &viewer, 0).await?;
    ListMessage::new().say(tx, ctx, heard, outbound).await
}

/// Writes a page: 0 is the one with the newest.
async fn page(tx: &mut Tx, viewer: &Viewer<'_>, number: usize) -> Result<Outbound, StoreError> {
    let mut rows = listed_rows(tx, viewer).await?;
    let turns: HashSet<TurnId> = rows.iter().filter_map(turn_of_fact).collect();
    // A conversation is not listed beside what is known from it.
    rows.retain(|row| row.kind != MemoryKind::Episode || !turns.contains(&row.turn));
    // What is known comes before the conversations that it may come from.
    rows.sort_by_key(|row| row.kind == MemoryKind::Episode);
    let last = rows.len().saturating_sub(1) / ON_A_PAGE;
    let number = number.min(last);
    let shown: Vec<&MemoryRow> = rows
        .iter()
        .skip(number * ON_A_PAGE)
        .take(ON_A_PAGE)
        .collect();
    let lines = shown.iter().map(|row| line(row, viewer.language));
    let lines: Vec<String> = lines.collect();
    let listed = MemoryPage {
        lines: &lines,
        first: number * ON_A_PAGE + 1,
        all: rows.len(),
        is_private: viewer.is_private(),
    };
    let (asker, language) = (viewer.user, viewer.language);
    let mut buttons: Vec<Button> = (listed.first..)
        .zip(&shown)
        .map(|(place, row)| {
            let does = MemoryButton::Forget(place);
            button(does, format!("forget-{}", asker.0), row.id.0, language)
        })
        .collect();
    if last > 0 {
        let next = if number == last { 0 } else { number + 1 };
        let choice = format!("page-{}", asker.0);
        let next = i64::try_from(next).unwrap_or_default();
        buttons.push(button(MemoryButton::More, choice, next, language));
    }
    Ok(Outbound {
        buttons: buttons.chunks(IN_A_ROW).map(<[Button]>::to_vec).collect(),
        ..Outbound::markdown(messages::memory_page(&listed, language))
    })
}

/// Returns what holds now, newest first.
async fn listed_rows(tx: &mut Tx, viewer: &Viewer<'_>) -> Result<Vec<MemoryRow>, StoreError> {
    let mut rows = memories::newest(tx, viewer.owner(), LISTED).await?;
    let now = now_ms();
    let holds = |row: &MemoryRow| row.valid_until_ms.is_none_or(|until| until > now);
    rows.retain(|row| row.superseded_by.is_none() && holds(row));
    Ok(rows)
}

/// Returns the turn that a fact comes from.
fn turn_of_fact(row: &MemoryRow) -> Option<TurnId> {
    (row.kind == MemoryKind::Fact && row.turn != TurnId(0)).then_some(row.turn)
}

/// Returns a memory of the list with the conversation that stands behind it.
async fn with_conversation(
    tx: &mut Tx,
    viewer: &Viewer<'_>,
    id: MemoryId,
) -> Result<Vec<MemoryId>, StoreError> {
    let rows = listed_rows(tx, viewer).await?;
    let turn = rows.iter().find(|row| row.id == id).and_then(turn_of_fact);
    let behind = rows
        .iter()
        .filter(|row| row.kind == MemoryKind::Episode && Some(row.turn) == turn);
    Ok(std::iter::once(id)
        .chain(behind.map(|row| row.id))
        .collect())
}

fn button(does: MemoryButton, choice: String, reference: i64, language: Language) -> Button {
    Button {
        label: messages::memory_button(does, language),
        token: PromptKind::MemoryList.button(choice, reference),
        key: None,
        look: ButtonLook::Plain,
    }
}

fn line(row: &MemoryRow, language: Language) -> String {
    let whole = row.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let beginning = match first_chars(&whole, LINE_CHARS) {
        Some(kept) => format!("{kept}…"),
        None => whole,
    };
    let text = messages::plain(&beginning);
    if row.kind == MemoryKind::Episode {
        messages::of_conversation(&text, language)
    } else {
        text
    }
}

/// Forgets a memory of the list or turns its page; `None` when the button was forged. Only who asked
/// may press, and only what is remembered of the same person or group here is forgotten.
pub(super) async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some((does, asker)) = button.choice.split_once('-') else {
        return Ok(None);
    };
    let (Some(asker), Some(number)) = (asker.parse().ok().map(UserId), button.number()) else {
        return Ok(None);
    };
    let language = press.language;
    if asker != press.user {
        let told = messages::answer_of_others(language).to_owned();
        return Ok(Some(Effects::told(told, true)));
    }
    let viewer = Viewer::of_press(press);
    let (shown, told) = match does {
        "forget" => {
            let told = forget(tx, ctx, &viewer, MemoryId(number)).await?;
            (page(tx, &viewer, 0).await?, Some(told))
        }
        "page" => {
            let number = usize::try_from(number).unwrap_or_default();
            (page(tx, &viewer, number).await?, None)
        }
        _ => return Ok(None),
    };
    // Every press rewrites the message that it was made on, and no other.
    let said = ListMessage::new()
        .show_pressed(tx, ctx, press, &shown)
        .await?;
    Ok(Some(match told {
        Some(told) => Effects::shown(told, said),
        None => Effects::said(said),
    }))
}

/// Forgets one memory, and returns what the presser reads.
async fn forget(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
    id: MemoryId,
) -> Result<String, StoreError> {
    let ids = with_conversation(tx, viewer, id).await?;
    let forgotten = sayso_memory::forget(tx, viewer.owner(), &ids).await?;
    if forgotten > 0 {
        let place = Place {
            chat: Some(viewer.chat),
            user: Some(viewer.user),
            ..Place::default()
        };
        let record = Record {
            by: Some(By::User(viewer.user)),
            ..Record::of(Event::Forgotten, place)
        };
        ctx.auditor.note(tx, record).await?;
    }
    Ok(messages::memory_forgotten(forgotten > 0, viewer.language))
}
