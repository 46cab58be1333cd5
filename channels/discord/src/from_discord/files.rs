//! The files of a message.

use sayso_channel::{AttachmentKind, AttachmentRef};

use super::raw::{Id, RawAttachment, RawMessage};
use crate::files::FileReference;

/// The flag of a recorded voice message
/// (<https://docs.discord.com/developers/resources/message#message-object-message-flags>).
const VOICE_MESSAGE: u64 = 1 << 13;

/// Returns the files of a message; `chat` and `message` say where it stands when it does not
/// itself.
pub(super) fn attachments(raw: &RawMessage, chat: Id, message: Id) -> Vec<AttachmentRef> {
    let is_voice = raw.flags.unwrap_or_default() & VOICE_MESSAGE != 0;
    let files = raw.attachments.iter();
    files
        .filter_map(|file| attachment(file, is_voice, chat, message))
        .collect()
}

fn attachment(
    file: &RawAttachment,
    is_voice: bool,
    chat: Id,
    message: Id,
) -> Option<AttachmentRef> {
    let reference = FileReference {
        channel: chat.0.to_string(),
        message: message.0.to_string(),
        attachment: file.id?.0.to_string(),
        url: file.url.as_deref()?.parse().ok()?,
    };
    Some(AttachmentRef {
        kind: if is_voice {
            AttachmentKind::Voice
        } else {
            kind(file.content_type.as_deref().unwrap_or_default())
        },
        reference: serde_json::to_string(&reference).ok()?,
        name: file.filename.clone(),
        media_type: file.content_type.clone(),
        bytes: file.size,
    })
}

fn kind(media_type: &str) -> AttachmentKind {
    match media_type.split_once('/').map(|(family, _)| family) {
        Some("image") => AttachmentKind::Photo,
        Some("audio") => AttachmentKind::Audio,
        Some("video") => AttachmentKind::Video,
        Some(_) | None => AttachmentKind::Document,
    }
}
