//! What an owner wants of a skill: it is noted, and looked at in the background.

use std::sync::Arc;

use sayso_core::transcript::Role;
use sayso_store::skill_pins::{self, SkillPlace};
use sayso_store::skill_reviews::{self, NewReview, ReviewState, ReviewWish};
use sayso_store::{StoreError, Tx};
use serde_json::json;

use super::messages;
use crate::audit::Event;
use crate::commands::audit_records;
use crate::commands::context::CommandContext;
use crate::intake::{Effects, ResolvedMessage, tell, tell_aside};

/// The longest source or name that is looked at, in bytes.
const SOURCE_BYTES: usize = 1000;

/// Takes up what an owner wants: a skill installed, loaded as it lies, or taken away.
pub async fn want(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    wish: ReviewWish,
    source: &str,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.role != Role::Owner {
        return tell_aside(tx, &ctx.outbox, heard, messages::owners_only(language)).await;
    }
    if source.len() > SOURCE_BYTES {
        return tell(tx, &ctx.outbox, heard, messages::too_long(language)).await;
    }
    if wish == ReviewWish::Remove {
        if !is_there(tx, ctx, heard, source).await? {
            let unknown = messages::not_there(source, language);
            return tell(tx, &ctx.outbox, heard, unknown).await;
        }
        let payload = json!({ "skill": source, "is": "removed" });
        audit_records::command(tx, ctx, heard, Event::Skill, payload).await?;
    }
    let new = NewReview {
        wish,
        source,
        user: heard.user,
        chat: heard.chat.id,
        address: &serde_json::to_string(&heard.inbound.address)?,
        asked_in: heard.owner(),
        // What is only taken away needs no look at it.
        state: match wish {
            ReviewWish::Install | ReviewWish::Pin => ReviewState::Wanted,
            ReviewWish::Remove => ReviewState::Approved,
        },
    };
    skill_reviews::add(tx, &new).await?;
    let told = tell(
        tx,
        &ctx.outbox,
        heard,
        messages::looking(wish, source, language),
    )
    .await?;
    Ok(Effects {
        wakes: vec![Arc::clone(&ctx.background.reviewing)],
        ..told
    })
}

/// Returns whether a skill of somebody else is installed, or was approved for the workspace here.
async fn is_there(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    name: &str,
) -> Result<bool, StoreError> {
    let here = SkillPlace::Workspace(heard.owner());
    for place in [SkillPlace::Installed, here] {
        let pins = skill_pins::of_in(tx, place).await?;
        if pins.iter().any(|pin| pin.name == name) {
            return Ok(true);
        }
    }
    Ok(ctx.library.left_out().iter().any(|one| one.name == name))
}
