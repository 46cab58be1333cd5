//! What the bot may ask: itself, its application, servers, channels and what was said there.

use serde_json::{Value, json};

use super::form::Form;
use super::people::{APPLICATION_ID, bot_user};
use super::refusal::Refusal;
use super::rights::Right;
use super::room::Post;
use super::sending::Outcome;
use super::snowflake::read;
use super::state::State;
use super::threads;
use crate::people::{BOT_ID, BOT_NAME};

/// How many messages are handed out unless asked for otherwise.
const USUAL_MESSAGES: usize = 50;

pub(crate) fn gateway(state: &State) -> Value {
    json!({ "url": gateway_url(state) })
}

pub(crate) fn bot_gateway(state: &State) -> Value {
    let gateway = &state.gateway;
    json!({
        "url": gateway_url(state),
        "shards": gateway.shards,
        "session_start_limit": {
            "total": 1000,
            "remaining": gateway.starts_left,
            "reset_after": 86_400_000,
            "max_concurrency": gateway.max_concurrency,
        },
    })
}

fn gateway_url(state: &State) -> String {
    format!("ws://{}/gateway", state.address)
}

pub(crate) fn me() -> Value {
    let mut user = bot_user();
    for (field, value) in [
        ("verified", json!(true)),
        ("mfa_enabled", json!(true)),
        ("locale", json!("en-US")),
        ("email", Value::Null),
    ] {
        user[field] = value;
    }
    user
}

pub(crate) fn application(state: &State) -> Value {
    json!({
        "id": APPLICATION_ID.to_string(),
        "name": BOT_NAME,
        "icon": null,
        "description": "",
        "bot_public": false,
        "bot_require_code_grant": false,
        "verify_key": "5a".repeat(32),
        "flags": state.application_flags,
        "bot": bot_user(),
        "owner": { "id": "1", "username": "owner", "discriminator": "0", "global_name": "Owner", "avatar": null },
        "team": null,
        "summary": "",
        "rpc_origins": [],
    })
}

pub(crate) fn channel(state: &State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    Ok(Some(match place.thread {
        Some(thread) => threads::thread(state, place.room, thread),
        None => state.room(place.room).channel(),
    }))
}

/// Messages, the newest first, also when only those after one are asked for.
pub(crate) fn messages(state: &State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    let room = state.room(place.room);
    if !room.allows(Right::ReadHistory) {
        return Ok(Some(json!([])));
    }
    let limit = form.query.get("limit").and_then(Value::as_str);
    let limit: usize = limit
        .and_then(|limit| limit.parse().ok())
        .unwrap_or(USUAL_MESSAGES);
    let (after, before) = (form.asked("after"), form.asked("before"));
    let is_asked_for = |post: &&Post| {
        let id = post.seen.id;
        post.is_listed()
            && post.seen.thread == place.thread
            && after.is_none_or(|after| id > after)
            && before.is_none_or(|before| id < before)
    };
    let found: Vec<i64> = room
        .posts
        .values()
        .filter(is_asked_for)
        .map(|post| post.seen.id)
        .collect();
    // Those next to `after` where it is given, else the newest.
    let chosen: Vec<i64> = if after.is_some() {
        found.into_iter().take(limit).rev().collect()
    } else {
        found.into_iter().rev().take(limit).collect()
    };
    let messages: Vec<Value> = chosen
        .into_iter()
        .map(|id| state.rest_message(place.room, id))
        .collect();
    Ok(Some(messages.into()))
}

pub(crate) fn message(state: &State, form: &Form) -> Outcome {
    let place = state.reach(form.id("channel_id"))?;
    let room = state.room(place.room);
    if !room.allows(Right::ReadHistory) {
        return Err(Refusal::missing_permissions());
    }
    let id = form.id("message_id");
    room.listed(place.thread, id)?;
    Ok(Some(state.rest_message(place.room, id)))
}

pub(crate) fn member(state: &State, form: &Form) -> Outcome {
    let guild = guild(state, form)?;
    let user = form.id("user_id");
    if user == BOT_ID {
        return Ok(Some(guild.bot()));
    }
    let member = guild.members.get(&user);
    let member = member.ok_or_else(|| Refusal::new(404, 10007, "Unknown Member"))?;
    Ok(Some(member.whole()))
}

pub(crate) fn active_threads(state: &State, form: &Form) -> Outcome {
    let guild = guild(state, form)?.id;
    let mine = state
        .rooms
        .values()
        .filter(|room| room.guild() == Some(guild));
    let threads: Vec<Value> = mine
        .filter(|room| room.allows(Right::View))
        .flat_map(|room| {
            let open = room.threads.values().filter(|thread| !thread.archived);
            open.map(|thread| room.thread(thread))
        })
        .collect();
    Ok(Some(json!({ "threads": threads, "members": [] })))
}

fn guild<'a>(state: &'a State, form: &Form) -> Result<&'a super::guild::Guild, Refusal> {
    let guild = state.guilds.get(&form.id("guild_id"));
    guild
        .filter(|guild| !guild.is_out)
        .ok_or_else(|| Refusal::new(404, 10004, "Unknown Guild"))
}

pub(crate) fn guilds(state: &State) -> Value {
    let there = state.guilds.values().filter(|guild| !guild.is_out);
    let guilds: Vec<Value> = there
        .map(|guild| {
            json!({
                "id": guild.id.to_string(),
                "name": guild.name,
                "icon": null,
                "banner": null,
                "owner": false,
                "permissions": "0",
                "features": [],
            })
        })
        .collect();
    guilds.into()
}

/// Opens the direct chat with a person, which is there already if they ever opened it.
pub(crate) fn open_direct(state: &mut State, form: &Form) -> Outcome {
    let user = read(&form.body["recipient_id"]).unwrap_or_default();
    if let Some(room) = state.direct_with(user) {
        return Ok(Some(room.channel()));
    }
    let Some(person) = state.find_person(user).cloned() else {
        return Err(Refusal::form_now(
            "recipient_id",
            "NON_EXISTENT_USER",
            "Unknown user",
        ));
    };
    let id = state.open_direct(&person);
    Ok(Some(state.room(id).channel()))
}
