//! One message: where and by whom it was said, how it addresses us, what it quotes and carries.

use sayso_channel::{
    Addressed, ChatKind, CommandCall, Event, EventKey, HeardMessage, Inbound, MessageKey, Quoted,
    SenderKey,
};

use super::places::{Place, Places};
use super::raw::{Id, RawMessage, time_ms};
use super::words::{self, Reader};
use super::{EventMapper, files, who};

/// System messages of Discord about members, calls, boosts and the like, which have no human author
/// (<https://docs.discord.com/developers/resources/message#message-object-message-types>). Unknown
/// types are not listed: their text may be a person's.
const NOTES: &[u64] = &[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28,
    29, 31, 32, 36, 37, 38, 39, 44, 46,
];
/// The kind of reference that forwards a message instead of replying to it
/// (<https://docs.discord.com/developers/resources/message#message-reference-types>).
const FORWARD: u64 = 1;
/// Who is named as the author of a forwarded message: Discord does not say it.
const FORWARDED: &str = "forwarded";

/// How a message came to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// It was just said.
    Said,
    /// It was just changed, or Discord added a preview to it.
    Changed,
    /// It is read back, as it reads now; how it read before was never heard.
    ReadBack,
}

/// Reads a message; `None` when it is nothing for the agent.
pub(crate) fn heard(
    raw: &RawMessage,
    form: Form,
    place: &Place,
    places: &Places,
    mapper: &EventMapper,
) -> Option<Inbound> {
    let author = raw.author.as_ref()?;
    let is_note = raw.kind.is_some_and(|kind| NOTES.contains(&kind));
    let is_machine = author.bot == Some(true) || author.system == Some(true);
    if is_note || is_machine || raw.webhook_id.is_some() || author.id == Some(mapper.our_id()) {
        return None;
    }
    let id = raw.id?;
    let edited_at = raw.edited_timestamp.as_deref().and_then(time_ms);
    let version = match form {
        Form::Said => 0,
        Form::ReadBack => edited_at.unwrap_or_default(),
        // A preview of a link is added without the author's doing.
        Form::Changed => edited_at?,
    };
    let reader = Reader {
        raw,
        server: place.server,
        places,
        us: mapper.our_id(),
    };
    let message = read(raw, form, place, reader)?;
    Some(Inbound {
        address: place.address(&mapper.channel),
        chat_kind: place.kind(),
        thread_title: None,
        sender: who::sender(author, raw.member.as_ref(), None)?,
        key: EventKey {
            kind: "message".to_owned(),
            id: id.0.to_string(),
            version,
        },
        at_ms: match form {
            Form::Changed => version,
            Form::Said | Form::ReadBack => id.at_ms(),
        },
        event: Event::Message(Box::new(message)),
    })
}

fn read(raw: &RawMessage, form: Form, place: &Place, reader: Reader<'_>) -> Option<HeardMessage> {
    let id = raw.id?;
    let words = words::of(raw);
    let attachments = files::attachments(raw, place.id, id);
    let unsupported = unsupported(raw);
    let quoted = quoted(raw, place, reader);
    let is_blank = words.is_empty() && attachments.is_empty() && unsupported.is_none();
    if is_blank && (raw.message_snapshots.is_empty() || quoted.is_none()) {
        return None;
    }
    let text = reader.readable(reader.without_leading(&words));
    let command = CommandCall::parse(&text, None);
    Some(HeardMessage {
        message: MessageKey::new(id.0.to_string()),
        addressed: addressed(place.kind(), reader.names_us(), quoted.as_ref()),
        text,
        command,
        quoted,
        attachments,
        album: None,
        edited: form == Form::Changed,
        unsupported: unsupported.map(str::to_owned),
    })
}

/// Decides whether and how a message addresses Sayso. A typed `/command` without a mention is not
/// for Sayso in a server; Discord's own slash commands are.
fn addressed(kind: ChatKind, names_us: bool, quoted: Option<&Quoted>) -> Addressed {
    match kind {
        ChatKind::Direct => Addressed::Direct,
        ChatKind::Group if names_us => Addressed::Mention,
        ChatKind::Group if quoted.is_some_and(|quoted| quoted.from_us) => Addressed::Reply,
        ChatKind::Group => Addressed::No,
    }
}

fn unsupported(raw: &RawMessage) -> Option<&'static str> {
    if !raw.sticker_items.is_empty() {
        return Some("a sticker");
    }
    raw.poll.is_some().then_some("a poll")
}

/// Returns the message that this one replies to or forwards.
fn quoted(raw: &RawMessage, place: &Place, reader: Reader<'_>) -> Option<Quoted> {
    let reference = raw.message_reference.as_ref()?;
    let message = reference.message_id?;
    let chat = reference.channel_id.unwrap_or(place.id);
    if reference.kind == Some(FORWARD) {
        let original = raw.message_snapshots.first()?.message.as_ref()?;
        let mut quoted = quote_as(original, message, chat, reader);
        FORWARDED.clone_into(&mut quoted.author);
        quoted.author_key = None;
        quoted.forwarded = true;
        return Some(quoted);
    }
    let original = raw.referenced_message.as_deref()?;
    Some(quote_as(original, message, chat, reader))
}

/// Shows a message of `place` as one that is quoted.
pub(crate) fn quote(
    original: &RawMessage,
    place: &Place,
    places: &Places,
    mapper: &EventMapper,
) -> Option<Quoted> {
    let reader = Reader {
        raw: original,
        server: place.server,
        places,
        us: mapper.our_id(),
    };
    Some(quote_as(original, original.id?, place.id, reader))
}

fn quote_as(original: &RawMessage, message: Id, chat: Id, reader: Reader<'_>) -> Quoted {
    let reader = Reader {
        raw: original,
        ..reader
    };
    let author = original.author.as_ref();
    Quoted {
        message: MessageKey::new(message.0.to_string()),
        author: author
            .map(|author| who::name(author, original.member.as_ref()))
            .unwrap_or_default(),
        author_key: author
            .and_then(|author| author.id)
            .map(|id| SenderKey::new(id.0.to_string())),
        forwarded: false,
        from_us: author.and_then(|author| author.id) == Some(reader.us),
        text: reader.readable(&words::of(original)),
        attachments: files::attachments(original, chat, message),
    }
}

/// Returns whether a message is one for us that quotes nothing: in a thread it is shown with what
/// the thread began with.
pub(crate) fn opens_with(inbound: &Inbound) -> bool {
    let Event::Message(message) = &inbound.event else {
        return false;
    };
    let is_for_us = message.addressed != Addressed::No;
    inbound.address.thread.is_some() && is_for_us && message.quoted.is_none()
}
