//! Saying: one part becomes one message, an edit, or a sign that we are writing.

use sayso_channel::{Address, ChannelError, MessageKey, Part, SentMessage};
use serde_json::Value;
use teloxide::payloads::SendChatAction;
use teloxide::types::{ChatAction, ChatId, MessageId, Recipient, ThreadId};

use crate::bot_api::{BotApi, CallError};
use crate::requests::{
    DeleteMessage, EditMessageText, KeyboardButton, LinkPreview, ReactionEmoji, ReplyMarkup,
    ReplyTo, SendMessage, Sent, SetMessageReaction,
};
use crate::to_telegram::from_markup;
use crate::{files, messages, refusal};

/// The topic "General" has this id in links, but Telegram refuses it in requests.
const GENERAL_TOPIC: i64 = 1;

/// What the thread of a person in the direct messages of a channel begins with; forum topics are
/// numbers.
pub(crate) const DIRECT_TOPIC: &str = "direct/";

/// Sends one part.
pub(crate) async fn send(
    api: &BotApi,
    to: &Address,
    part: &Part,
) -> Result<SentMessage, ChannelError> {
    let sent = match &part.file {
        Some(file) => files::send(api, to, part, file).await?,
        None => send_text(api, to, part)
            .await
            .map_err(|error| refusal::of_send(error, to))?,
    };
    Ok(SentMessage {
        address: to.clone(),
        message: MessageKey::new(sent.message_id.to_string()),
    })
}

async fn send_text(api: &BotApi, to: &Address, part: &Part) -> Result<Sent, CallError> {
    let request = SendMessage {
        chat_id: chat_id(to),
        message_thread_id: topic(to),
        direct_messages_topic_id: direct_topic(to),
        text: &part.text,
        entities: from_markup(&part.markup),
        link_preview_options: LinkPreview::OFF,
        disable_notification: part.quiet,
        reply_parameters: reply_to(part),
        reply_markup: reply_markup(part),
    };
    api.call(&request).await
}

/// Replaces what a sent message says. Saying the same again is no error.
pub(crate) async fn edit(
    api: &BotApi,
    sent: &SentMessage,
    part: &Part,
) -> Result<(), ChannelError> {
    let request = EditMessageText {
        chat_id: chat_id(&sent.address),
        message_id: message_id(&sent.message)?,
        text: &part.text,
        entities: from_markup(&part.markup),
        link_preview_options: LinkPreview::OFF,
        reply_markup: keyboard(part),
    };
    match api.call::<_, Value>(&request).await {
        Ok(_) => Ok(()),
        Err(CallError::Refused(refusal)) if refusal.says("message is not modified") => Ok(()),
        Err(error) => Err(refusal::of_repeatable(error, Some(&sent.address))),
    }
}

/// Removes a sent message. One that is gone already is no error.
pub(crate) async fn delete(api: &BotApi, sent: &SentMessage) -> Result<(), ChannelError> {
    let request = DeleteMessage {
        chat_id: chat_id(&sent.address),
        message_id: message_id(&sent.message)?,
    };
    match api.call::<_, Value>(&request).await {
        Ok(_) => Ok(()),
        Err(CallError::Refused(refusal)) if refusal.says("message to delete not found") => Ok(()),
        Err(error) => Err(refusal::of_repeatable(error, Some(&sent.address))),
    }
}

/// Puts a thumbs-up below a person's message.
pub(crate) async fn react(
    api: &BotApi,
    to: &Address,
    message: &MessageKey,
) -> Result<(), ChannelError> {
    let request = SetMessageReaction {
        chat_id: chat_id(to),
        message_id: message_id(message)?,
        reaction: [ReactionEmoji::THUMBS_UP],
    };
    api.call::<_, Value>(&request)
        .await
        .map(drop)
        .map_err(|error| refusal::of_repeatable(error, Some(to)))
}

/// Shows for about five seconds that an answer is being written.
pub(crate) async fn typing(api: &BotApi, to: &Address) -> Result<(), ChannelError> {
    let recipient = match chat_id(to) {
        Value::Number(number) => Recipient::Id(ChatId(number.as_i64().unwrap_or_default())),
        _ => Recipient::ChannelUsername(to.chat.as_str().to_owned()),
    };
    let mut request = SendChatAction::new(recipient, ChatAction::Typing);
    request.message_thread_id = topic(to).map(|topic| ThreadId(MessageId(topic as i32)));
    api.call::<_, Value>(&request)
        .await
        .map(drop)
        .map_err(|error| refusal::of_repeatable(error, Some(to)))
}

/// Returns the chat as Telegram takes it: a number, or the public name of a channel.
pub(crate) fn chat_id(to: &Address) -> Value {
    let chat = to.chat.as_str();
    chat.parse::<i64>()
        .map_or_else(|_| chat.into(), Value::from)
}

/// Returns the topic to write in; none for "General".
pub(crate) fn topic(to: &Address) -> Option<i64> {
    let topic = to.thread.as_ref()?.as_str().parse().ok()?;
    (topic != GENERAL_TOPIC).then_some(topic)
}

/// Returns the person's topic in the direct messages of a channel.
pub(crate) fn direct_topic(to: &Address) -> Option<i64> {
    let topic = to.thread.as_ref()?.as_str().strip_prefix(DIRECT_TOPIC)?;
    topic.parse().ok()
}

/// Returns the message that a part answers; a key that is none of Telegram's answers nothing.
pub(crate) fn reply_to(part: &Part) -> Option<ReplyTo> {
    let message = part.reply_to.as_ref()?.as_str().parse().ok()?;
    Some(ReplyTo::message(message))
}

/// Returns what hangs below a new message: its buttons, or an opened reply.
pub(crate) fn reply_markup(part: &Part) -> Option<ReplyMarkup> {
    let opened = part.asks_reply.then_some(ReplyMarkup::AskReply {
        force_reply: true,
        selective: true,
    });
    keyboard(part).or(opened)
}

fn keyboard(part: &Part) -> Option<ReplyMarkup> {
    let rows: Vec<Vec<KeyboardButton>> = part
        .buttons
        .iter()
        .filter(|row| !row.is_empty())
        .map(|row| row.iter().map(KeyboardButton::from).collect())
        .collect();
    (!rows.is_empty()).then_some(ReplyMarkup::Keyboard {
        inline_keyboard: rows,
    })
}

fn message_id(key: &MessageKey) -> Result<i64, ChannelError> {
    key.as_str()
        .parse()
        .map_err(|_| ChannelError::Rejected(messages::not_a_message(key.as_str())))
}
