//! The methods of the Bot API that the fake plays, by name. Sending is in `sending`, updates are in
//! `updates`.

use serde_json::{Value, json};

use super::params::Params;
use super::people::bot_full_user;
use super::refusal::Refusal;
use super::room::RoomKind;
use super::sending::{
    delete, edit_markup, edit_text, react, read_topic, send_draft, send_file, send_message,
};
use super::state::{State, member};
use super::text::units;
use crate::press::PressOutcome;

/// The largest file that a bot can fetch.
const DOWNLOAD_LIMIT: usize = 20 * 1024 * 1024;
/// Longest notice that answers a press, in UTF-16 units.
const NOTICE_LIMIT: usize = 200;
const ACTIONS: &[&str] = &[
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
];

/// Performs one call that is right in form.
pub(crate) fn perform(state: &mut State, method: &str, params: &Params) -> Result<Value, Refusal> {
    match method {
        "getMe" => Ok(bot_full_user()),
        "sendMessage" => send_message(state, params),
        "sendMessageDraft" => send_draft(state, params),
        "sendDocument" => send_file(state, params, "document"),
        "sendPhoto" => send_file(state, params, "photo"),
        "editMessageText" => edit_text(state, params),
        "editMessageReplyMarkup" => edit_markup(state, params),
        "deleteMessage" => delete(state, params),
        "setMessageReaction" => react(state, params),
        "sendChatAction" => chat_action(state, params),
        "answerCallbackQuery" => answer_press(state, params),
        "setMyCommands" => set_commands(state, params),
        "getMyCommands" => Ok(state
            .commands
            .get(&scope(params))
            .cloned()
            .unwrap_or_default()
            .into()),
        "deleteMyCommands" => {
            state.commands.remove(&scope(params));
            Ok(true.into())
        }
        "setMyDescription" => describe(state, params, "description", 512),
        "setMyShortDescription" => describe(state, params, "short_description", 120),
        "getMyDescription" => Ok(described(state, params, "description")),
        "getMyShortDescription" => Ok(described(state, params, "short_description")),
        "getFile" => file(state, params),
        "getChat" => chat(state, params),
        "getChatMember" => chat_member(state, params),
        "getWebhookInfo" => Ok(webhook_info(state)),
        "deleteWebhook" => {
            state.updates.webhook = None;
            state.updates.take_over();
            if params.is_true("drop_pending_updates") {
                state.updates.drop_pending();
            }
            Ok(true.into())
        }
        _ => Err(Refusal::violation(format!(
            "this fake does not play {method}"
        ))),
    }
}

fn chat_action(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    let action = params.text("action").unwrap_or_default();
    if !ACTIONS.contains(&action) {
        return Err(Refusal::violation("wrong parameter action in request"));
    }
    let room = state.reach(params.fields.get("chat_id"))?;
    read_topic(room, params)?;
    room.actions.push(action.to_owned());
    room.changed.notify_waiters();
    Ok(true.into())
}

fn answer_press(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    let text = params.text("text").filter(|text| !text.is_empty());
    if text.is_some_and(|text| units(text) > NOTICE_LIMIT) {
        return Err(Refusal::violation("MESSAGE_TOO_LONG"));
    }
    let id = params.text("callback_query_id").unwrap_or_default();
    let Some(press) = state.take_press(id) else {
        return Err(Refusal::bad_request(
            "query is too old and response timeout expired or query ID is invalid",
        ));
    };
    let outcome = PressOutcome {
        text: text.map(str::to_owned),
        alert: params.is_true("show_alert"),
        answered_in: press.pressed_at.elapsed(),
    };
    // The receiver may be gone: not every test looks at the notice.
    let _ = press.answer.send(outcome);
    Ok(true.into())
}

fn set_commands(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    let commands = params.list("commands");
    for command in commands {
        let name = command["command"].as_str().unwrap_or_default();
        let is_plain = name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !is_plain || name.is_empty() || name.len() > 32 {
            return Err(Refusal::violation("BOT_COMMAND_INVALID"));
        }
        let description = units(command["description"].as_str().unwrap_or_default());
        if description == 0 || description > 256 {
            return Err(Refusal::violation("BOT_COMMAND_DESCRIPTION_INVALID"));
        }
    }
    if commands.len() > 100 {
        return Err(Refusal::violation("BOT_COMMANDS_TOO_MUCH"));
    }
    let commands = commands.to_vec();
    state.commands.insert(scope(params), commands);
    Ok(true.into())
}

/// The limits are in characters (<https://core.telegram.org/bots/api#setmydescription>).
fn describe(
    state: &mut State,
    params: &Params,
    field: &str,
    limit: usize,
) -> Result<Value, Refusal> {
    let text = params.text(field).unwrap_or_default();
    if units(text) > limit {
        return Err(Refusal::violation("description is too long"));
    }
    let key = format!(
        "{field}/{}",
        params.text("language_code").unwrap_or_default()
    );
    state.descriptions.insert(key, text.to_owned());
    Ok(true.into())
}

fn described(state: &State, params: &Params, field: &str) -> Value {
    let language = params.text("language_code").unwrap_or_default();
    let text = |language: &str| state.descriptions.get(&format!("{field}/{language}"));
    let text = text(language).or_else(|| text("")).cloned();
    json!({ field: text.unwrap_or_default() })
}

/// The key of a command menu: its scope and language, as in `default/zh`.
fn scope(params: &Params) -> String {
    let scope = params.fields.get("scope");
    let kind = scope
        .and_then(|scope| scope["type"].as_str())
        .unwrap_or("default");
    let chat = scope.and_then(|scope| scope["chat_id"].as_i64());
    let chat = chat.map(|chat| format!(":{chat}")).unwrap_or_default();
    format!(
        "{kind}{chat}/{}",
        params.text("language_code").unwrap_or_default()
    )
}

fn file(state: &State, params: &Params) -> Result<Value, Refusal> {
    let file_id = params.text("file_id").unwrap_or_default();
    let stored = state.files.get(file_id);
    let stored = stored.ok_or_else(|| Refusal::bad_request("invalid file_id"))?;
    if stored.bytes.len() > DOWNLOAD_LIMIT {
        return Err(Refusal::bad_request("file is too big"));
    }
    Ok(json!({
        "file_id": file_id,
        "file_unique_id": format!("u-{file_id}"),
        "file_size": stored.bytes.len(),
        "file_path": stored.path,
    }))
}

fn chat(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    let room = state.reach(params.fields.get("chat_id"))?;
    let mut chat = room.chat();
    chat["accent_color_id"] = 0.into();
    chat["max_reaction_count"] = 11.into();
    chat["accepted_gift_types"] = json!({
        "unlimited_gifts": false,
        "limited_gifts": false,
        "unique_gifts": false,
        "premium_subscription": false,
        "gifts_from_channels": false,
    });
    if room.kind != RoomKind::Private {
        chat["permissions"] = json!({ "can_send_messages": true });
    }
    Ok(chat)
}

fn chat_member(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    let user_id = params.integer("user_id").unwrap_or_default();
    let room = state.reach(params.fields.get("chat_id"))?;
    member(room, user_id).ok_or_else(|| Refusal::bad_request("member not found"))
}

fn webhook_info(state: &State) -> Value {
    let webhook = state.updates.webhook.as_ref();
    let mut info = json!({
        "url": webhook.map_or("", |webhook| webhook.url.as_str()),
        "has_custom_certificate": false,
        "pending_update_count": state.updates.pending_count(),
    });
    if let Some(error) = webhook.and_then(|webhook| webhook.last_error.as_deref()) {
        info["last_error_date"] = super::draft::now().into();
        info["last_error_message"] = error.into();
    }
    info
}
