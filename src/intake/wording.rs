//! A message as a model is shown it: who said it, what it quotes, what is attached.

use std::fmt::Write as _;

use sayso_channel::text;
use sayso_channel::{
    AttachmentKind, AttachmentRef, ChatKind, HeardMessage, Inbound, Language, Quoted,
};
use sayso_core::transcript::AnnouncedFile;

/// How much of a quoted message is shown, in characters.
const QUOTED_CHARS: usize = 2_000;
/// How much of one message is shown, in characters; a platform's messages are shorter.
const SAID_CHARS: usize = 20_000;

/// The text of a message, and whether words of others are in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// The text.
    pub said: String,
    /// Whether words of others than its sender are in it.
    pub untrusted: bool,
    /// The files that it announces, in the order of their lines.
    pub files: Vec<AnnouncedFile>,
}

/// Words a message for the model. In a group its sender is named.
pub fn word(inbound: &Inbound, message: &HeardMessage, language: Language) -> Wording {
    let mut said = String::new();
    let mut untrusted = false;
    let mut files = Vec::new();
    let quoted = message.quoted.as_ref();
    let quoted = quoted.filter(|quoted| !(quoted.text.is_empty() && quoted.attachments.is_empty()));
    if let Some(quoted) = quoted {
        // By account: a name can be anybody's.
        let is_own = quoted.author_key.as_ref() == Some(&inbound.sender.key);
        untrusted = !quoted.from_us && !is_own;
        files.extend(announced(&quoted.attachments, language));
        said.push_str(&quote(quoted, language));
    }
    if inbound.chat_kind == ChatKind::Group {
        // Writing to a string cannot fail.
        let _ = write!(said, "{}: ", inbound.sender.name);
    }
    if message.edited {
        said.push_str(text!(language, "intake-wording-edited"));
    }
    if quoted.is_some() && is_wordless(message) {
        said.push_str(text!(language, "intake-wording-wordless"));
    }
    said.push_str(&cut(&message.text, SAID_CHARS));
    for file in announced(&message.attachments, language) {
        let _ = write!(said, "\n{}", file.text);
        files.push(file);
    }
    if let Some(unsupported) = &message.unsupported {
        let _ = write!(said, "\n[{unsupported}]");
    }
    Wording {
        said: said.trim().to_owned(),
        untrusted,
        files,
    }
}

/// Returns the files with their lines.
fn announced(
    attachments: &[AttachmentRef],
    language: Language,
) -> impl Iterator<Item = AnnouncedFile> {
    attachments.iter().map(move |file| AnnouncedFile {
        text: attached(file, language),
        file: file.clone(),
    })
}

/// Returns whether a message only points at another one: a bare mention below it, "Ask Sayso".
fn is_wordless(message: &HeardMessage) -> bool {
    message.text.is_empty() && message.attachments.is_empty() && message.unsupported.is_none()
}

/// Returns whether a quotation shows all that an overheard message said.
pub fn quotes_whole(quoted: &Quoted, overheard: &str, language: Language) -> bool {
    let mut said = format!("{}: {}", quoted.author, quoted.text);
    for attachment in &quoted.attachments {
        let _ = write!(said, "\n{}", attached(attachment, language));
    }
    quoted.text.chars().count() <= QUOTED_CHARS && said.trim() == overheard
}

fn quote(quoted: &Quoted, language: Language) -> String {
    let author = quoted.author.as_str();
    // Discord does not say whose words somebody forwards.
    let is_unsaid = author.is_empty() || author == "forwarded";
    let mut quote = match quoted.forwarded {
        true if is_unsaid => text!(language, "intake-wording-forwarded").to_owned(),
        true => text!(language, "intake-wording-forwarded-from", author),
        false => text!(language, "intake-wording-in-reply-to", author),
    };
    for line in cut(&quoted.text, QUOTED_CHARS).lines() {
        let _ = writeln!(quote, "> {line}");
    }
    for attachment in &quoted.attachments {
        let _ = writeln!(quote, "> {}", attached(attachment, language));
    }
    quote
}

/// Says what is there. Where it is fetched, another line takes the place of this one.
fn attached(attachment: &AttachmentRef, language: Language) -> String {
    let kind = match attachment.kind {
        AttachmentKind::Photo => text!(language, "intake-wording-attached-kind-photo"),
        AttachmentKind::Document => text!(language, "intake-wording-attached-kind-document"),
        AttachmentKind::Voice => text!(language, "intake-wording-attached-kind-voice"),
        AttachmentKind::Audio => text!(language, "intake-wording-attached-kind-audio"),
        AttachmentKind::Video => text!(language, "intake-wording-attached-kind-video"),
    };
    let name = attachment
        .name
        .as_deref()
        .map(|name| format!(" `{name}`"))
        .unwrap_or_default();
    let size = attachment
        .bytes
        .map(|bytes| format!(", {} kB", bytes.div_ceil(1000)))
        .unwrap_or_default();
    text!(language, "intake-wording-attached", kind, name, size)
}

fn cut(text: &str, limit: usize) -> String {
    let total = text.chars().count();
    if total <= limit {
        return text.to_owned();
    }
    let shown: String = text.chars().take(limit).collect();
    format!("{shown}\n[… {} more characters were cut]", total - limit)
}
