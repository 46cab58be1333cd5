//! `/forget everything`: the person is asked once more.

use sayso_channel::{ChatKind, Outbound};
use sayso_store::erase::{self, ErasureState};
use sayso_store::{StoreError, Tx, now_ms, people};

use super::{card, messages};
use crate::commands::context::CommandContext;
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, ResolvedMessage, reply_to, tell};
use crate::prompts::{self, Asked, NewPrompt, Place, PromptKind};

/// How long the card may be answered, in milliseconds.
const HOLDS_MS: i64 = 10 * 60 * 1000;
/// What may be written behind `/forget` for everything.
const EVERYTHING: [&str; 3] = ["everything", "一切", "全部"];

/// Returns whether all of a person is meant by what is written behind `/forget`.
pub fn is_everything(written: &str) -> bool {
    EVERYTHING.contains(&written.trim().to_lowercase().as_str())
}

/// Asks the user to confirm the erasure of all their data: in their direct chat only.
pub async fn ask(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.inbound.chat_kind == ChatKind::Group {
        return tell(tx, &ctx.outbox, heard, messages::only_direct(language)).await;
    }
    if erase::is_wanted(tx, heard.user).await? {
        return tell(tx, &ctx.outbox, heard, messages::under_way(language)).await;
    }
    let mut said = Vec::new();
    for earlier in erase::open_of(tx, heard.user).await? {
        said.extend(card::close(tx, ctx, &earlier, ErasureState::Expired).await?);
    }
    let address = serde_json::to_string(&heard.inbound.address)?;
    let id = erase::ask(tx, heard.user, heard.chat.id, &address).await?;
    let new = NewPrompt {
        kind: PromptKind::Erasure,
        place: Place::Chat(heard.chat.id),
        asked: Asked::User(heard.user),
        subject: Some(id),
        payload: &(),
        expires_ms: Some(now_ms() + HOLDS_MS),
    };
    let prompt = prompts::open(tx, new).await?;
    let accounts = people::accounts_of(tx, heard.user).await?.len();
    let outbound = Outbound {
        reply_to: reply_to(heard),
        ..card::asking(&prompt, accounts, language)
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Card,
        turn: None,
        subject: Some(id),
        outbound: &outbound,
    };
    said.extend(ctx.outbox.say(tx, saying).await?);
    Ok(Effects::said(said))
}
