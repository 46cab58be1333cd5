//! Saying: one part becomes one message, an edit, or a sign that we are writing.
//!
//! Every new message carries a nonce that Discord enforces: within some minutes a repeated create
//! gives the first message back instead of a second one.

use sayso_channel::{
    Address, ChannelError, ChatKey, FileSource, MessageKey, OutFile, Part, SendKey, SentMessage,
    ThreadKey,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serenity::builder::{CreateAllowedMentions, CreateMessage, EditMessage};
use serenity::model::channel::{MessageFlags, MessageReference, Nonce};
use serenity::model::id::{ChannelId, MessageId};

use crate::components;
use crate::files;
use crate::reply::InteractionKey;
use crate::rest::{CallError, Request, Rest};
use crate::to_discord::{self, InThread};
use crate::{messages, refusal};

/// The longest nonce that Discord takes
/// (<https://docs.discord.com/developers/resources/message#create-message>).
const NONCE_CHARACTERS: usize = 25;
/// After how many minutes of silence Discord puts a thread of a long answer away: a day.
const ARCHIVE_AFTER_MINUTES: u16 = 1440;

/// Discord's codes for refusals that are not the end of it.
mod code {
    pub(super) const UNKNOWN_CHANNEL: u32 = 10003;
    pub(super) const UNKNOWN_MESSAGE: u32 = 10008;
    pub(super) const MISSING_PERMISSIONS: u32 = 50013;
    pub(super) const HAS_A_THREAD: u32 = 160_004;
}

/// A thumbs-up, as it stands in a path: URL-encoded UTF-8
/// (<https://docs.discord.com/developers/resources/message#create-reaction>).
const THUMBS_UP: &str = "%F0%9F%91%8D";

/// What the key of a person's direct chat begins with that was not opened yet; channels have
/// decimal ids.
pub(crate) const TO_PERSON: &str = "@";

/// What we read of a direct chat.
#[derive(Deserialize)]
struct Opened {
    id: ChannelId,
}

/// What we read of a message that was sent.
#[derive(Deserialize)]
struct Sent {
    id: MessageId,
}

/// What we read of the answer to an interaction.
#[derive(Deserialize)]
struct Original {
    id: MessageId,
    #[serde(default)]
    content: String,
    flags: Option<MessageFlags>,
}

/// A new message: where, what, and which message it answers.
struct NewMessage<'a> {
    channel: ChannelId,
    part: &'a Part,
    answers: Option<MessageId>,
    nonce: String,
}

/// Sends one part: as the answer to its slash command, into the thread of its long answer, or as
/// an ordinary message.
pub(crate) async fn send(
    rest: &Rest,
    to: &Address,
    part: &Part,
    key: &SendKey,
) -> Result<SentMessage, ChannelError> {
    if let Some(person) = to.chat.as_str().strip_prefix(TO_PERSON) {
        return Err(open_direct(rest, to, person).await);
    }
    let interaction = part.reply_to.as_ref().and_then(InteractionKey::parse);
    if let Some(interaction) = interaction {
        let answered = if part.aside {
            answer_aside(rest, &interaction, part).await?
        } else {
            answer(rest, &interaction, part).await?
        };
        if let Some(id) = answered {
            return Ok(sent(to.clone(), id));
        }
    }
    if to.thread.is_none()
        && let Some(long) = to_discord::thread_of(part)
        && let Some(sent) = send_into_thread(rest, to, part, key, &long).await?
    {
        return Ok(sent);
    }
    let message = NewMessage {
        channel: channel_id(to)?,
        part,
        answers: part.reply_to.as_ref().and_then(message_id),
        nonce: nonce(key),
    };
    let id = create_or_spell_out(rest, message).await?;
    Ok(sent(to.clone(), id))
}

/// Opens the direct chat with a person, and says that it is where to write to.
async fn open_direct(rest: &Rest, to: &Address, person: &str) -> ChannelError {
    let body = serde_json::json!({ "recipient_id": person });
    let request = Request::post("/users/@me/channels").json(&body);
    match rest.call::<Opened>(request).await {
        Ok(opened) => {
            let chat = ChatKey::new(opened.id.to_string());
            ChannelError::Moved(Address::chat(to.channel.clone(), chat))
        }
        Err(error) => refusal::of_repeatable(error),
    }
}

fn sent(address: Address, id: MessageId) -> SentMessage {
    SentMessage {
        address,
        message: MessageKey::new(id.to_string()),
    }
}

/// Puts a part in place of the sign that a slash command is being answered. `None` when that place
/// is taken or gone: after 15 minutes Discord forgets the interaction.
async fn answer(
    rest: &Rest,
    key: &InteractionKey,
    part: &Part,
) -> Result<Option<MessageId>, ChannelError> {
    let path = format!(
        "/webhooks/{}/{}/messages/@original",
        key.application, key.token
    );
    let original: Original = match rest.call(Request::get(path.as_str())).await {
        Ok(original) => original,
        Err(CallError::Refused(_)) => return Ok(None),
        Err(error) => return Err(refusal::of_repeatable(error)),
    };
    let is_waiting = original
        .flags
        .is_some_and(|flags| flags.contains(MessageFlags::LOADING));
    if !is_waiting {
        // It says this already when we put it there and the answer was lost.
        let says_this = !part.text.is_empty() && original.content.trim() == part.text.trim();
        return Ok(says_this.then_some(original.id));
    }
    let request = with_file(Request::patch(path), &edited(part), part.file.as_ref()).await?;
    match rest.call::<Sent>(request).await {
        Ok(sent) => Ok(Some(sent.id)),
        Err(CallError::Refused(refused)) if matches!(refused.status, 401 | 404) => Ok(None),
        Err(error) => Err(refusal::of_repeatable(error)),
    }
}

/// Answers a slash command so that only who gave it sees it. What was promised to all is taken back
/// first: an answer is seen by whom its promise was seen.
async fn answer_aside(
    rest: &Rest,
    key: &InteractionKey,
    part: &Part,
) -> Result<Option<MessageId>, ChannelError> {
    let followups = format!("/webhooks/{}/{}", key.application, key.token);
    let path = format!("{followups}/messages/@original");
    match rest.call::<Original>(Request::get(path.as_str())).await {
        Ok(original) if is_waiting_for_all(&original) => {
            match rest.call::<Value>(Request::delete(path)).await {
                Ok(_) | Err(CallError::Refused(_)) => {}
                Err(error) => return Err(refusal::of_repeatable(error)),
            }
        }
        Ok(_) => return answer(rest, key, part).await,
        // It was taken back before, and what was said then may not have arrived.
        Err(CallError::Refused(_)) => {}
        Err(error) => return Err(refusal::of_repeatable(error)),
    }
    let flags = MessageFlags::SUPPRESS_EMBEDS | MessageFlags::EPHEMERAL;
    let body = serde_json::json!({
        "content": part.text,
        "flags": flags.bits(),
        "allowed_mentions": { "parse": [] },
    });
    match rest
        .call::<Sent>(Request::post(followups).json(&body))
        .await
    {
        Ok(sent) => Ok(Some(sent.id)),
        Err(CallError::Refused(_)) => Ok(None),
        Err(error) => Err(refusal::of_send(error)),
    }
}

fn is_waiting_for_all(original: &Original) -> bool {
    original.flags.is_some_and(|flags| {
        flags.contains(MessageFlags::LOADING) && !flags.contains(MessageFlags::EPHEMERAL)
    })
}

/// Says a part of a long answer in the thread of the message that it answers. `None` when there is
/// no such thread and none can be opened: in a direct chat, or without the permission.
async fn send_into_thread(
    rest: &Rest,
    to: &Address,
    part: &Part,
    key: &SendKey,
    long: &InThread,
) -> Result<Option<SentMessage>, ChannelError> {
    let Some(answered) = message_id(&long.thread_of) else {
        return Ok(None);
    };
    let opens = part.reply_to.is_some();
    if opens && !open_thread(rest, channel_id(to)?, answered, &long.title).await? {
        return Ok(None);
    }
    let message = NewMessage {
        // A thread has the id of the message that it starts from.
        channel: ChannelId::new(answered.get()),
        part,
        answers: None,
        nonce: nonce(key),
    };
    match create(rest, &message).await {
        Ok(id) => {
            let thread = ThreadKey::new(answered.to_string());
            let address = Address {
                thread: Some(thread),
                ..to.clone()
            };
            Ok(Some(sent(address, id)))
        }
        Err(Failed::Call(CallError::Refused(refused))) if refused.code == code::UNKNOWN_CHANNEL => {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// The body that opens a thread at a message.
#[derive(Serialize)]
struct NewThread<'a> {
    name: &'a str,
    auto_archive_duration: u16,
}

/// Returns whether the message has a thread now.
async fn open_thread(
    rest: &Rest,
    channel: ChannelId,
    message: MessageId,
    title: &str,
) -> Result<bool, ChannelError> {
    let thread = NewThread {
        name: title,
        auto_archive_duration: ARCHIVE_AFTER_MINUTES,
    };
    let path = format!("/channels/{channel}/messages/{message}/threads");
    match rest.call::<Value>(Request::post(path).json(&thread)).await {
        Ok(_) => Ok(true),
        Err(CallError::Refused(refused)) => {
            tracing::debug!(%refused, "thread not created");
            Ok(refused.code == code::HAS_A_THREAD)
        }
        Err(error) => Err(refusal::of_repeatable(error)),
    }
}

/// Why a message was not created.
enum Failed {
    Call(CallError),
    /// Before it was asked for.
    Before(ChannelError),
}

impl From<Failed> for ChannelError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Call(error) => refusal::of_send(error),
            Failed::Before(error) => error,
        }
    }
}

/// Creates a message. Where we may not attach a text, its words are said above it: what must be
/// seen whole is not left out.
async fn create_or_spell_out(
    rest: &Rest,
    message: NewMessage<'_>,
) -> Result<MessageId, ChannelError> {
    let refused = match create(rest, &message).await {
        Err(Failed::Call(CallError::Refused(refused))) => refused,
        other => return Ok(other?),
    };
    let text = message.part.file.as_ref().map(|file| &file.source);
    let (code::MISSING_PERMISSIONS, Some(FileSource::Text(text))) = (refused.code, text) else {
        return Err(Failed::Call(CallError::Refused(refused)).into());
    };
    for (index, above) in to_discord::spelled_out(text).iter().enumerate() {
        let above = NewMessage {
            channel: message.channel,
            part: above,
            answers: None,
            nonce: short(&format!("{} {index}", message.nonce)),
        };
        create(rest, &above).await?;
    }
    let mut part = message.part.clone();
    part.file = None;
    part.text = format!("{}\n{}", messages::stands_above(), part.text);
    let below = NewMessage {
        part: &part,
        ..message
    };
    Ok(create(rest, &below).await?)
}

async fn create(rest: &Rest, message: &NewMessage<'_>) -> Result<MessageId, Failed> {
    let part = message.part;
    let mut body = CreateMessage::new()
        .nonce(Nonce::String(message.nonce.clone()))
        .enforce_nonce(true)
        .allowed_mentions(only_the_answered())
        .flags(flags(part));
    if !part.text.is_empty() {
        body = body.content(part.text.as_str());
    }
    if !part.buttons.is_empty() {
        body = body.components(components::rows(&part.buttons));
    }
    if let Some(answers) = message.answers {
        let reference = MessageReference::from((message.channel, answers));
        body = body.reference_message(reference.fail_if_not_exists(false));
    }
    let request = Request::post(format!("/channels/{}/messages", message.channel));
    let request = with_file(request, &body, part.file.as_ref())
        .await
        .map_err(Failed::Before)?;
    let sent: Sent = rest.call(request).await.map_err(Failed::Call)?;
    Ok(sent.id)
}

/// Puts body and file of a message into a request.
async fn with_file(
    request: Request,
    body: &impl Serialize,
    file: Option<&OutFile>,
) -> Result<Request, ChannelError> {
    let Some(file) = file else {
        return Ok(request.json(body));
    };
    let mut body = serde_json::to_value(body).unwrap_or_default();
    if let Some(fields) = body.as_object_mut() {
        fields.insert("attachments".to_owned(), files::listed(file));
    }
    Ok(request.json_with_files(&body, vec![files::bytes_of(file).await?]))
}

/// Replaces what a sent message says. Its file stays. Saying the same again is no error.
///
/// A long answer does not replace the message that was shown while it was written: it belongs into
/// a thread.
pub(crate) async fn edit(rest: &Rest, sent: &SentMessage, part: &Part) -> Result<(), ChannelError> {
    let is_beginning = part.reply_to.is_some() && to_discord::thread_of(part).is_some();
    if is_beginning && sent.address.thread.is_none() {
        return Err(ChannelError::Rejected(messages::belongs_into_a_thread()));
    }
    let path = message_path(&sent.address, &sent.message)?;
    rest.call::<Value>(Request::patch(path).json(&edited(part)))
        .await
        .map(drop)
        .map_err(refusal::of_repeatable)
}

/// Removes a sent message. One that is gone already is no error.
pub(crate) async fn delete(rest: &Rest, sent: &SentMessage) -> Result<(), ChannelError> {
    let path = message_path(&sent.address, &sent.message)?;
    match rest.call::<Value>(Request::delete(path)).await {
        Ok(_) => Ok(()),
        Err(CallError::Refused(refused)) if refused.code == code::UNKNOWN_MESSAGE => Ok(()),
        Err(error) => Err(refusal::of_repeatable(error)),
    }
}

/// Puts a thumbs-up below a person's message.
pub(crate) async fn react(
    rest: &Rest,
    to: &Address,
    message: &MessageKey,
) -> Result<(), ChannelError> {
    let path = message_path(to, message)?;
    let path = format!("{path}/reactions/{THUMBS_UP}/@me");
    rest.call::<Value>(Request::put(path))
        .await
        .map(drop)
        .map_err(refusal::of_repeatable)
}

fn message_path(address: &Address, message: &MessageKey) -> Result<String, ChannelError> {
    let channel = channel_id(address)?;
    let id = message_id(message)
        .ok_or_else(|| ChannelError::Rejected(messages::not_a_message(message.as_str())))?;
    Ok(format!("/channels/{channel}/messages/{id}"))
}

fn edited(part: &Part) -> EditMessage {
    EditMessage::new()
        .content(part.text.as_str())
        .components(components::rows(&part.buttons))
        .allowed_mentions(only_the_answered())
}

/// Shows for about ten seconds that an answer is being written.
pub(crate) async fn typing(rest: &Rest, to: &Address) -> Result<(), ChannelError> {
    let path = format!("/channels/{}/typing", channel_id(to)?);
    rest.call::<Value>(Request::post(path))
        .await
        .map(drop)
        .map_err(refusal::of_repeatable)
}

/// Mentions in the text notify no one; the author of the message that is replied to is notified.
fn only_the_answered() -> CreateAllowedMentions {
    CreateAllowedMentions::new().replied_user(true)
}

/// An answer full of links is not a page of pictures.
fn flags(part: &Part) -> MessageFlags {
    if part.quiet {
        MessageFlags::SUPPRESS_EMBEDS | MessageFlags::SUPPRESS_NOTIFICATIONS
    } else {
        MessageFlags::SUPPRESS_EMBEDS
    }
}

/// Returns Discord's channel of an address: the thread, or the chat outside of threads.
fn channel_id(to: &Address) -> Result<ChannelId, ChannelError> {
    let key = to
        .thread
        .as_ref()
        .map_or_else(|| to.chat.as_str(), ThreadKey::as_str);
    snowflake(key)
        .map(ChannelId::new)
        .ok_or_else(|| ChannelError::Rejected(messages::not_a_chat(&ChatKey::from(key))))
}

/// Returns the message of a key; a key that is none of Discord's answers nothing.
fn message_id(key: &MessageKey) -> Option<MessageId> {
    snowflake(key.as_str()).map(MessageId::new)
}

fn snowflake(key: &str) -> Option<u64> {
    key.parse().ok().filter(|id| *id != 0)
}

/// Returns what names a send for Discord: its key, or a digest of one that is too long.
fn nonce(key: &SendKey) -> String {
    if key.0.len() <= NONCE_CHARACTERS && !key.0.is_empty() {
        return key.0.clone();
    }
    short(&key.0)
}

/// Returns a name of a text that is as long as a nonce may be.
fn short(text: &str) -> String {
    // FNV-1a in 128 bits: the same in every version and on every machine, which is all it is for.
    let digest = text.bytes().fold(
        0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128,
        |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        },
    );
    format!("{digest:032x}")
        .chars()
        .take(NONCE_CHARACTERS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonce_is_the_key_or_a_digest_of_it() {
        assert_eq!(
            nonce(&SendKey("1234567890123456789".to_owned())),
            "1234567890123456789"
        );
        let long = |last: &str| nonce(&SendKey(format!("{}{last}", "k".repeat(40))));
        assert_eq!(long("a").len(), NONCE_CHARACTERS);
        assert_eq!(long("a"), long("a"));
        assert_ne!(long("a"), long("b"));
    }
}
