//! One message: its words, how it addresses us, what it quotes and carries.

use sayso_channel::{ChatKind, CommandCall, HeardMessage, MessageKey};

use super::addressed::{addressed, mention, mention_by_name, without_leading};
use super::content;
use super::files::Files;
use super::quoted::{forwarded, is_ours, quoted, replied_to, words_of_another};
use super::raw::RawMessage;
use super::who::chat_kind;
use super::{Form, UpdateMapper};

/// Reads a message that somebody said.
pub(super) fn read(
    raw: &RawMessage,
    message_id: i64,
    mapper: &UpdateMapper,
    form: Form,
) -> HeardMessage {
    let us = &mapper.us;
    let attachments = Files::from(raw).attachments();
    let said = content::said(raw, !attachments.is_empty());
    let has_entities = raw.text.is_some() || raw.caption.is_some();
    let mention = if has_entities {
        mention(&said.text, said.entities, us)
    } else {
        mention_by_name(&said.text, us)
    };
    let text = without_leading(said.text, mention);
    let origin = words_of_another(raw);
    // A command in a forwarded message is not the sender's own.
    let command = CommandCall::parse(&text, us.username.as_deref()).filter(|_| origin.is_none());
    let replies_to_us = replied_to(raw).is_some_and(|original| is_ours(original, us));
    let chat_kind = raw.chat.as_ref().map_or(ChatKind::Group, chat_kind);
    let addressed = addressed(chat_kind, command.is_some(), mention, replies_to_us);
    let (text, attachments, quoted) = match origin {
        Some(origin) => {
            let quoted = forwarded(&origin, message_id, text, attachments, us);
            (String::new(), Vec::new(), Some(quoted))
        }
        None => (text, attachments, quoted(raw, us)),
    };
    HeardMessage {
        message: MessageKey::new(message_id.to_string()),
        addressed,
        text,
        command,
        quoted,
        attachments,
        album: raw.media_group_id.clone(),
        edited: matches!(form, Form::Edited { .. }),
        unsupported: said.unsupported.map(str::to_owned),
    }
}
