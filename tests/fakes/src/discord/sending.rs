//! What the bot says in a channel: creating, editing and deleting messages, by the rules of the
//! real server.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::components;
use super::content;
use super::form::Form;
use super::posting::Draft;
use super::refusal::Refusal;
use super::rights::Right;
use super::room::LOADING;
use super::snowflake::{now, read};
use super::state::{Place, State};
use crate::message::Author;

/// How long a nonce is remembered: "a few minutes" in Discord's words.
const NONCE_LIFETIME: Duration = Duration::from_mins(5);

/// Answers with the message as REST hands it out, or with nothing.
pub(crate) type Outcome = Result<Option<Value>, Refusal>;

pub(crate) fn create_message(state: &mut State, form: &Form) -> Outcome {
    let channel = form.id("channel_id");
    let place = state.reach(channel)?;
    content::check_nonce(&form.body)?;
    may_speak(state, place)?;
    if let Some(known) = known_nonce(state, channel, &form.body) {
        return Ok(Some(state.rest_message(place.room, known)));
    }
    let reply_to = read_reply(state, place, &form.body["message_reference"])?;
    let draft = content::accept(state, place, form, &form.body)?;
    if draft.flags & super::room::EPHEMERAL != 0 {
        return Err(Refusal::form(
            "flags",
            "only answers to interactions can be ephemeral",
        ));
    }
    unarchive(state, place);
    let draft = Draft {
        sort: if reply_to.is_some() { 19 } else { 0 },
        reply_to,
        ..draft
    };
    let id = state.post(place, draft);
    if let Some(nonce) = nonce_of(&form.body) {
        state.nonces.insert((channel, nonce), (id, Instant::now()));
    }
    Ok(Some(state.rest_message(place.room, id)))
}

/// Whether the bot may say something here at all.
pub(crate) fn may_speak(state: &State, place: Place) -> Result<(), Refusal> {
    let room = state.room(place.room);
    if room.is_closed {
        return Err(Refusal::new(
            403,
            50007,
            "Cannot send messages to this user",
        ));
    }
    let right = if place.thread.is_some() {
        Right::SendInThreads
    } else {
        Right::Send
    };
    if !room.allows(right) {
        return Err(Refusal::missing_permissions());
    }
    let thread = place.thread.and_then(|thread| room.threads.get(&thread));
    if thread.is_some_and(|thread| thread.archived && thread.locked) {
        return Err(Refusal::new(400, 50083, "Thread is archived"));
    }
    Ok(())
}

/// A message in an archived thread reopens it.
pub(crate) fn unarchive(state: &mut State, place: Place) {
    let room = state.room_mut(place.room);
    let thread = place
        .thread
        .and_then(|thread| room.threads.get_mut(&thread));
    let Some(thread) = thread.filter(|thread| thread.archived) else {
        return;
    };
    thread.archived = false;
    let id = thread.id;
    super::threads::tell(state, "THREAD_UPDATE", place.room, id);
}

fn nonce_of(body: &Value) -> Option<String> {
    match &body["nonce"] {
        Value::String(nonce) => Some(nonce.clone()),
        Value::Number(nonce) => Some(nonce.to_string()),
        _ => None,
    }
}

/// The message that this nonce has made already in this channel.
fn known_nonce(state: &mut State, channel: i64, body: &Value) -> Option<i64> {
    state
        .nonces
        .retain(|_, (_, at)| at.elapsed() < NONCE_LIFETIME);
    let nonce = nonce_of(body)?;
    state.nonces.get(&(channel, nonce)).map(|(id, _)| *id)
}

fn read_reply(state: &State, place: Place, reference: &Value) -> Result<Option<i64>, Refusal> {
    let Some(id) = read(&reference["message_id"]) else {
        return Ok(None);
    };
    let room = state.room(place.room);
    if !room.allows(Right::ReadHistory) {
        let why = "Cannot reply without permission to read message history";
        return Err(Refusal::new(403, 160_002, why));
    }
    let channel = place.thread.unwrap_or(place.room);
    let is_here = read(&reference["channel_id"]).is_none_or(|named| named == channel);
    if is_here && room.listed(place.thread, id).is_ok() {
        return Ok(Some(id));
    }
    if reference["fail_if_not_exists"] == false {
        return Ok(None);
    }
    Err(Refusal::form_now(
        "message_reference",
        "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
        "Unknown message",
    ))
}

pub(crate) fn update_message(state: &mut State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    let id = form.id("message_id");
    let post = state.room(place.room).listed(place.thread, id)?;
    if !post.seen.is_from_bot() {
        let why = "Cannot edit a message authored by another user";
        return Err(Refusal::new(403, 50005, why));
    }
    let thread = place.thread;
    let room = state.room(place.room);
    let thread = thread.and_then(|thread| room.threads.get(&thread));
    if thread.is_some_and(|thread| thread.archived) {
        return Err(Refusal::new(400, 50083, "Thread is archived"));
    }
    edit(state, place.room, id, form)?;
    Ok(Some(state.rest_message(place.room, id)))
}

/// Changes the fields that the form contains; the others keep their values.
pub(crate) fn edit(state: &mut State, room: i64, id: i64, form: &Form) -> Result<(), Refusal> {
    let body = &form.body;
    let post = &state.room(room).posts[&id];
    let was_loading = post.is_loading();
    let mut changed = post.clone();
    if let Some(content) = body.get("content") {
        let content = content.as_str().unwrap_or_default();
        content::check_text(content)?;
        content.trim().clone_into(&mut changed.content);
    }
    content::check_allowed_mentions(&body["allowed_mentions"])?;
    if let Some(rows) = body.get("components") {
        changed.components = rows.as_array().cloned().unwrap_or_default();
        changed.seen.buttons = components::accept(&changed.components)?;
    }
    if let Some(embeds) = body.get("embeds") {
        changed.embeds = embeds.as_array().cloned().unwrap_or_default();
    }
    let channel = changed.seen.thread.unwrap_or(room);
    for upload in &form.uploads {
        let kept = state.keep_file(channel, &upload.name, upload.bytes.clone());
        changed.seen.file.get_or_insert(content::seen_file(&kept));
        changed.attachments.push(kept);
    }
    if changed.content.is_empty()
        && changed.embeds.is_empty()
        && changed.components.is_empty()
        && changed.attachments.is_empty()
    {
        return Err(Refusal::empty_message());
    }
    changed.seen.text = state.visible_text(&changed.content);
    changed.flags &= !LOADING;
    if !was_loading {
        changed.seen.edits += 1;
    }
    changed.edited_at = Some(now());
    settle(state, room, id, changed, was_loading);
    Ok(())
}

/// Puts the changed message in place; a promised answer is heard only now.
fn settle(state: &mut State, room: i64, id: i64, changed: super::room::Post, was_loading: bool) {
    let kept = state.room_mut(room);
    if was_loading && !changed.is_notice {
        kept.unheard.push_back(id);
    }
    kept.posts.insert(id, changed);
    kept.changed.notify_waiters();
    state.tell_message("MESSAGE_UPDATE", room, id);
}

pub(crate) fn delete_message(state: &mut State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    let id = form.id("message_id");
    let room = state.room(place.room);
    let post = room.listed(place.thread, id)?;
    if !post.seen.is_from_bot() && !room.allows(Right::ManageMessages) {
        return Err(
            if matches!(post.seen.author, Author::Person(_)) && room.guild().is_none() {
                Refusal::new(403, 50003, "Cannot execute action on a DM channel")
            } else {
                Refusal::missing_permissions()
            },
        );
    }
    state.delete_post(place.room, id);
    Ok(None)
}

/// The bot puts a reaction below a message; again is no error.
pub(crate) fn add_reaction(state: &mut State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    let id = form.id("message_id");
    let room = state.room(place.room);
    let is_allowed = room.guild().is_none()
        || room.allows(Right::AddReactions) && room.allows(Right::ReadHistory);
    if !is_allowed {
        return Err(Refusal::missing_permissions());
    }
    room.listed(place.thread, id)?;
    let written = format!("emoji={}", form.segment("emoji_name"));
    let emoji = url::form_urlencoded::parse(written.as_bytes()).next();
    let emoji = emoji.map(|(_, emoji)| emoji.into_owned());
    let emoji = emoji.unwrap_or_default();
    if emoji.is_empty() || emoji.is_ascii() {
        return Err(Refusal::new(400, 10014, "Unknown Emoji").violating());
    }
    let room = state.room_mut(place.room);
    if let Some(post) = room.standing_mut(id)
        && !post.seen.reactions.contains(&emoji)
    {
        post.seen.reactions.push(emoji);
    }
    room.changed.notify_waiters();
    Ok(None)
}

pub(crate) fn show_typing(state: &mut State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    may_speak(state, place)?;
    let room = state.room_mut(place.room);
    room.actions.push("typing".to_owned());
    room.changed.notify_waiters();
    Ok(None)
}
