//! Threads: started from a message, archived, opened again and told of.

use serde_json::Value;

use super::form::Form;
use super::gateway::{Audience, GUILDS};
use super::refusal::Refusal;
use super::rights::Right;
use super::room::Thread;
use super::sending::Outcome;
use super::state::State;
use crate::people::BOT_ID;

/// Starts a thread from a message; it has the message's id.
pub(crate) fn start_from_message(state: &mut State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    let message = form.id("message_id");
    let room = state.room(place.room);
    if room.guild().is_none() || place.thread.is_some() {
        let why = "Cannot execute action on this channel type";
        return Err(Refusal::new(400, 50024, why));
    }
    room.listed(None, message)?;
    if !room.allows(Right::StartThreads) {
        return Err(Refusal::missing_permissions());
    }
    if room.threads.contains_key(&message) {
        let why = "A thread has already been created for this message";
        return Err(Refusal::new(400, 160_004, why));
    }
    let name = form.body["name"].as_str().unwrap_or_default();
    open(state, place.room, message, name, BOT_ID);
    Ok(Some(thread(state, place.room, message)))
}

/// Makes a thread and tells the bot.
pub(crate) fn open(state: &mut State, room: i64, id: i64, name: &str, owner: i64) {
    let thread = Thread {
        id,
        name: name.to_owned(),
        owner,
        archived: false,
        locked: false,
    };
    state.room_mut(room).threads.insert(id, thread);
    tell(state, "THREAD_CREATE", room, id);
}

/// Tells the bot of a thread.
pub(crate) fn tell(state: &mut State, event: &str, room: i64, id: i64) {
    let Some(guild) = state.room(room).guild() else {
        return;
    };
    let wire = thread(state, room, id);
    state.dispatch(event, Audience::of_guild(guild, GUILDS), |_| wire.clone());
}

/// Archives, unlocks or renames a thread.
pub(crate) fn update(state: &mut State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    let Some(id) = place.thread else {
        return Err(Refusal::missing_permissions());
    };
    let body = &form.body;
    let room = state.room_mut(place.room);
    if let Some(thread) = room.threads.get_mut(&id) {
        let told = |name: &str, was: bool| body[name].as_bool().unwrap_or(was);
        thread.archived = told("archived", thread.archived);
        thread.locked = told("locked", thread.locked);
        if let Some(name) = body["name"].as_str() {
            name.clone_into(&mut thread.name);
        }
    }
    tell(state, "THREAD_UPDATE", place.room, id);
    Ok(Some(thread(state, place.room, id)))
}

pub(crate) fn thread(state: &State, room: i64, id: i64) -> Value {
    let room = state.room(room);
    room.threads
        .get(&id)
        .map_or(Value::Null, |thread| room.thread(thread))
}
