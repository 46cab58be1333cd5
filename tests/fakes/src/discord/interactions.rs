//! Interactions: what people ask of the bot by commands and components, and how the bot answers
//! them.

use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::content;
use super::form::Form;
use super::people::discord_user;
use super::posting::Draft;
use super::refusal::Refusal;
use super::room::{EPHEMERAL, LOADING};
use super::sending::{Outcome, edit};
use super::state::{Place, State};
use crate::message::Author;
use crate::people::Person;
use crate::press::PressOutcome;

/// What people see while an answer is promised.
const THINKING: &str = "Sayso is thinking...";

/// One interaction, from the finger to the last answer.
#[derive(Debug)]
pub(crate) struct Interaction {
    pub(crate) id: i64,
    pub(crate) token: String,
    pub(crate) place: Place,
    pub(crate) person: Person,
    pub(crate) kind: InteractionKind,
    pub(crate) asked_at: Instant,
    /// Whether a connected bot was told at once; else it cannot be late.
    pub(crate) was_heard: bool,
    pub(crate) is_answered: bool,
    /// Whether a fault that a test wanted came between; then lateness and repetition are forgiven.
    pub(crate) is_excused: bool,
    /// The message that `@original` names.
    pub(crate) original: Option<i64>,
    pub(crate) press: Option<oneshot::Sender<PressOutcome>>,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InteractionKind {
    /// A slash command, whose line stands as this message.
    Slash { line: i64 },
    /// A command from the menu of a message, shown as this line.
    Menu { line: i64 },
    /// A component of this message.
    Component { message: i64 },
}

impl InteractionKind {
    const fn number(self) -> i64 {
        match self {
            Self::Slash { .. } | Self::Menu { .. } => 2,
            Self::Component { .. } => 3,
        }
    }

    /// The `type` of the message that answers it.
    const fn sort(self) -> i64 {
        match self {
            Self::Slash { .. } => 20,
            Self::Menu { .. } => 23,
            Self::Component { .. } => 0,
        }
    }
}

/// Takes the first answer to an interaction.
pub(crate) fn respond(state: &mut State, form: &Form) -> Outcome {
    let id = form.id("interaction_id");
    let within = state.answer_within;
    let token = form.segment("interaction_token");
    let found = state.interactions.get_mut(&id);
    let Some(interaction) = found.filter(|it| it.token == token) else {
        return Err(Refusal::unknown_interaction());
    };
    if interaction.is_answered {
        let refusal = Refusal::new(400, 40060, "Interaction has already been acknowledged.");
        return Err(blamed(refusal, !interaction.is_excused));
    }
    if interaction.asked_at.elapsed() > within {
        let is_late = interaction.was_heard && !interaction.is_excused;
        return Err(blamed(Refusal::unknown_interaction(), is_late));
    }
    let (place, kind) = (interaction.place, interaction.kind);
    let data = &form.body["data"];
    let message = match (form.body["type"].as_i64(), kind) {
        (Some(4), _) => Some(answer(state, id, place, form, data)?),
        (Some(5), _) => Some(promise(state, id, place, data)),
        (Some(6), InteractionKind::Component { message }) => Some(message),
        (Some(7), InteractionKind::Component { message }) => {
            let inner = Form {
                body: data.clone(),
                uploads: form.uploads.clone(),
                ..Form::default()
            };
            edit(state, place.room, message, &inner)?;
            Some(message)
        }
        _ => {
            let why = "this fake does not take this type of answer to this interaction";
            return Err(Refusal::form("type", why));
        }
    };
    acknowledge(state, id, message);
    let wants_response = form
        .query
        .get("with_response")
        .is_some_and(|it| it == "true");
    if !wants_response {
        return Ok(None);
    }
    Ok(Some(
        json!({ "interaction": { "id": id.to_string(), "type": kind.number() },
        "resource": { "type": form.body["type"],
            "message": message.map(|message| state.rest_message(place.room, message)) } }),
    ))
}

fn blamed(refusal: Refusal, is_violation: bool) -> Refusal {
    Refusal {
        is_violation,
        ..refusal
    }
}

/// Marks the interaction as answered. A press shows its notice now, unless one was only promised.
fn acknowledge(state: &mut State, id: i64, original: Option<i64>) {
    let Some(interaction) = state.interactions.get_mut(&id) else {
        return;
    };
    interaction.is_answered = true;
    interaction.original = original;
    show_notice(state, id);
}

/// Shows the presser the outcome of the press, once there is something to see.
pub(super) fn show_notice(state: &mut State, id: i64) {
    let Some(interaction) = state.interactions.get(&id) else {
        return;
    };
    let room = state.room(interaction.place.room);
    let original = interaction.original.and_then(|id| room.posts.get(&id));
    if original.is_some_and(|post| post.is_notice && post.is_loading()) {
        return;
    }
    let notice = original.filter(|post| post.is_notice);
    let outcome = PressOutcome {
        text: notice.map(|post| post.seen.text.clone()),
        alert: false,
        answered_in: interaction.asked_at.elapsed(),
    };
    let press = state
        .interactions
        .get_mut(&id)
        .and_then(|it| it.press.take());
    if let Some(press) = press {
        // The receiver may be gone: not every test looks at the notice.
        let _ = press.send(outcome);
    }
}

/// Says something in answer, to all or to the one who asked.
pub(super) fn answer(
    state: &mut State,
    id: i64,
    place: Place,
    form: &Form,
    body: &Value,
) -> Result<i64, Refusal> {
    let draft = content::accept(state, place, form, body)?;
    Ok(say(state, id, place, draft))
}

/// Promises an answer; people see that the bot is thinking.
fn promise(state: &mut State, id: i64, place: Place, body: &Value) -> i64 {
    let flags = body["flags"].as_i64().unwrap_or_default();
    let draft = Draft {
        flags: (flags & EPHEMERAL) | LOADING,
        seen: Some(THINKING.to_owned()),
        ..Draft::by(Author::Bot)
    };
    say(state, id, place, draft)
}

/// Posts an answer or a follow-up. What only a presser sees, and cannot press on, is a notice.
fn say(state: &mut State, id: i64, place: Place, draft: Draft) -> i64 {
    let interaction = &state.interactions[&id];
    let is_ephemeral = draft.flags & EPHEMERAL != 0;
    let is_press = matches!(interaction.kind, InteractionKind::Component { .. });
    let reply_to = match interaction.kind {
        InteractionKind::Slash { line } | InteractionKind::Menu { line } => Some(line),
        InteractionKind::Component { message } => Some(message),
    };
    let metadata = json!({
        "id": id.to_string(),
        "type": interaction.kind.number(),
        "user": discord_user(&interaction.person),
        "authorizing_integration_owners": { "0": "0" },
    });
    let draft = Draft {
        only_for: is_ephemeral.then_some(interaction.person.id),
        is_notice: is_ephemeral && is_press && draft.components.is_empty(),
        sort: interaction.kind.sort(),
        interaction: Some(metadata),
        reply_to,
        ..draft
    };
    state.post(place, draft)
}

/// The token of an interaction.
fn token_of(id: i64) -> String {
    // As long as the real ones, which matters to who packs them into something else.
    format!("aW50ZXJhY3Rpb246{id}{}", "Zk".repeat(70))
}

/// Puts the interaction on record.
pub(crate) fn open(
    state: &mut State,
    id: i64,
    place: Place,
    person: &Person,
    kind: InteractionKind,
    press: Option<oneshot::Sender<PressOutcome>>,
) {
    let interaction = Interaction {
        id,
        token: token_of(id),
        place,
        person: person.clone(),
        kind,
        asked_at: Instant::now(),
        was_heard: false,
        is_answered: false,
        is_excused: false,
        original: None,
        press,
    };
    state.interactions.insert(id, interaction);
}

/// Forgives the interaction that a failing request names.
pub(crate) fn excuse(state: &mut State, form: &Form) {
    let id = form.id("interaction_id");
    if let Some(interaction) = state.interactions.get_mut(&id) {
        interaction.is_excused = true;
    }
}
