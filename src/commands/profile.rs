//! `/memory profile`: what I know of a person, in their own words and in what I learned; what
//! stands behind it replaces their words. In direct chats only: a group has no profile and sees
//! none.

use sayso_channel::{ChatKind, Language};
use sayso_injection::{Treatment, check_tool_result};
use sayso_store::{StoreError, Tx, profiles};

use super::context::CommandContext;
use super::messages;
use crate::intake::{Effects, ResolvedMessage, tell};
use crate::persona::{Profile, WRITTEN_CHARS};

/// What is written behind `/memory`.
const PROFILE: [&str; 2] = ["profile", "档案"];
/// What is written behind that to delete one's own words.
const CLEAR: [&str; 2] = ["clear", "清空"];

/// Returns what stands behind `/memory profile`; `None` where something else is meant.
pub fn asked(written: &str) -> Option<&str> {
    let (word, text) = written
        .split_once(char::is_whitespace)
        .unwrap_or((written, ""));
    PROFILE.contains(&word).then(|| text.trim())
}

/// Shows the profile, or changes what is in the person's own words.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    text: &str,
    language: Language,
) -> Result<Effects, StoreError> {
    let said = match heard.inbound.chat_kind {
        ChatKind::Group => messages::profile_in_group(language),
        ChatKind::Direct if text.is_empty() => {
            let profile = Profile::of(profiles::profile_in(tx, heard.user).await?);
            messages::profile(&profile, language)
        }
        ChatKind::Direct if CLEAR.contains(&text) => {
            let had = profiles::delete(tx, heard.user).await?;
            messages::profile_cleared(had, language)
        }
        ChatKind::Direct => write(tx, heard, text, language).await?,
    };
    tell(tx, &ctx.outbox, heard, said).await
}

async fn write(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    text: &str,
    language: Language,
) -> Result<String, StoreError> {
    let length = text.chars().count();
    if length > WRITTEN_CHARS {
        return Ok(messages::profile_too_long(length, WRITTEN_CHARS, language));
    }
    // It is in every prompt of theirs from now on, and may have been copied from somewhere. Wishes
    // for how to be answered are what it is for; only what is an attack by all that can be seen is
    // not.
    if check_tool_result(text).treatment == Treatment::Block {
        return Ok(messages::profile_gives_orders(language));
    }
    profiles::write(tx, heard.user, text).await?;
    Ok(messages::profile_written(language))
}
