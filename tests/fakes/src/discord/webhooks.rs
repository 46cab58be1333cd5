//! Answers to an interaction after the first word: read, changed, taken back, or followed by more.

use super::form::Form;
use super::interactions::{answer, show_notice};
use super::people::APPLICATION_ID;
use super::refusal::Refusal;
use super::sending::{Outcome, edit};
use super::state::{Place, State};

/// The interaction behind an address of webhooks, while its token is good.
fn behind(state: &State, form: &Form) -> Result<(i64, Place), Refusal> {
    if form.id("webhook_id") != APPLICATION_ID {
        return Err(Refusal::new(404, 10015, "Unknown Webhook"));
    }
    let token = form.segment("webhook_token");
    let mut interactions = state.interactions.values();
    let found = interactions.find(|it| it.token == token);
    let found = found.filter(|it| it.asked_at.elapsed() < state.token_lifetime);
    let found = found.ok_or_else(|| Refusal::new(401, 50027, "Invalid Webhook Token"))?;
    Ok((found.id, found.place))
}

/// The message that the address names: the first answer, or one that came later.
fn named(state: &State, form: &Form) -> Result<(i64, Place, i64), Refusal> {
    let (id, place) = behind(state, form)?;
    let original = state.interactions[&id].original;
    let message = match form.path.get("message_id") {
        Some(_) => Some(form.id("message_id")),
        None => original,
    };
    let message = message.filter(|it| state.room(place.room).standing(*it).is_some());
    Ok((id, place, message.ok_or_else(Refusal::unknown_message)?))
}

pub(crate) fn get_answer(state: &State, form: &Form) -> Outcome {
    let (_, place, message) = named(state, form)?;
    Ok(Some(state.rest_message(place.room, message)))
}

pub(crate) fn update_answer(state: &mut State, form: &Form) -> Outcome {
    let (id, place, message) = named(state, form)?;
    edit(state, place.room, message, form)?;
    show_notice(state, id);
    Ok(Some(state.rest_message(place.room, message)))
}

pub(crate) fn delete_answer(state: &mut State, form: &Form) -> Outcome {
    let (_, place, message) = named(state, form)?;
    state.delete_post(place.room, message);
    Ok(None)
}

/// Says more. The first follow-up to a promise is what the promise becomes.
pub(crate) fn follow_up(state: &mut State, form: &Form) -> Outcome {
    let (id, place) = behind(state, form)?;
    let interaction = &state.interactions[&id];
    if !interaction.is_answered {
        return Err(Refusal::new(404, 10015, "Unknown Webhook").violating());
    }
    let room = state.room(place.room);
    let promised = interaction.original.filter(|it| {
        room.standing(*it)
            .is_some_and(super::room::Post::is_loading)
    });
    let message = match promised {
        Some(promised) => {
            edit(state, place.room, promised, form)?;
            show_notice(state, id);
            promised
        }
        None => answer(state, id, place, form, &form.body)?,
    };
    Ok(Some(state.rest_message(place.room, message)))
}
