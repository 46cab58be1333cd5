//! Whether a message addresses Sayso: by a mention, by a reply, by a command, or because the chat
//! has no other members.

use sayso_channel::{Addressed, ChatKind};

use super::raw::RawEntity;
use super::utf16;
use crate::identity::Identity;

/// The mention of us in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    /// The text begins with it; this byte is behind it.
    Leading(usize),
    /// It stands later in the text.
    Within,
    /// There is none.
    None,
}

/// Finds the mention of us that stands first.
///
/// Only entities count: `@name` in code or in an address is none. Text that was gathered from a
/// structure has no entities, so there our name as a word is enough.
pub(super) fn mention(text: &str, entities: &[RawEntity], us: &Identity) -> Mention {
    let stretches = entities.iter().filter_map(|entity| {
        let (start, words) = utf16::stretch(text, entity.offset?, entity.length?)?;
        names_us(entity, words, us).then_some((start, start + words.len()))
    });
    let Some((start, end)) = stretches.min() else {
        return Mention::None;
    };
    if text[..start].trim().is_empty() {
        Mention::Leading(end)
    } else {
        Mention::Within
    }
}

/// Finds our name as a word in text without entities.
pub(super) fn mention_by_name(text: &str, us: &Identity) -> Mention {
    let is_us = |word: &str| {
        let word = word.trim_matches(|letter: char| {
            !(letter.is_ascii_alphanumeric() || letter == '_' || letter == '@')
        });
        is_our_name(word, us)
    };
    if text.split_whitespace().any(is_us) {
        Mention::Within
    } else {
        Mention::None
    }
}

/// Returns the text behind a mention at its beginning: `@us, hello` says `hello`.
pub(super) fn without_leading(text: String, mention: Mention) -> String {
    let Mention::Leading(end) = mention else {
        return text;
    };
    let separates = |letter: char| letter.is_whitespace() || ",:，：".contains(letter);
    text[end..].trim_start_matches(separates).to_owned()
}

/// Weighs what a message has that addresses us.
pub(super) fn addressed(
    chat_kind: ChatKind,
    is_command: bool,
    mention: Mention,
    replies_to_us: bool,
) -> Addressed {
    match (chat_kind, is_command, mention) {
        (ChatKind::Direct, _, _) => Addressed::Direct,
        (ChatKind::Group, true, _) => Addressed::Command,
        (ChatKind::Group, false, Mention::Leading(_) | Mention::Within) => Addressed::Mention,
        (ChatKind::Group, false, Mention::None) if replies_to_us => Addressed::Reply,
        (ChatKind::Group, false, Mention::None) => Addressed::No,
    }
}

fn names_us(entity: &RawEntity, words: &str, us: &Identity) -> bool {
    match entity.kind.as_deref() {
        Some("mention") => is_our_name(words, us),
        Some("text_mention") => entity.user.as_ref().and_then(|user| user.id) == Some(us.id),
        Some(_) | None => false,
    }
}

fn is_our_name(word: &str, us: &Identity) -> bool {
    let named = word.strip_prefix('@');
    match (named, &us.username) {
        (Some(named), Some(username)) => named.eq_ignore_ascii_case(username),
        _ => false,
    }
}
