//! Skills of somebody else: an owner wants one, reads what it is on a card, and says yes or no.
//!
//! The request is a row, and so is the approval. File operations are done in the background by
//! [`run`], which resumes at the next start, so nothing is installed before the approval, and after
//! it everything or nothing. The approval is bound to the hash of the files shown: other files are
//! neither installed nor loaded.

mod card;
mod messages;
mod press;
mod run;

use sayso_channel::{Address, MessageKey, Outbound};
use serde_json::json;

pub use messages::to_install as skill_to_install;
pub use press::press;
pub use run::run;

use super::message::{ResolvedMessage, tell, tell_aside};
use super::{Effects, IntakeContext, audit_records, commands};
use crate::approvals::new_token;
use crate::audit::Event;
use crate::delivery::Purpose;
use crate::store::outbox::OutboxRow;
use crate::store::skill_pins::{self, SkillPlace};
use crate::store::skill_reviews::{self, NewReview, ReviewRow, ReviewState, ReviewWish};
use crate::store::{StoreError, Tx};
use crate::transcript::Role;

/// How long a card may be answered, in milliseconds.
const HOLDS_MS: i64 = 30 * 60 * 1000;
/// The longest source or name that is looked at, in bytes.
const SOURCE_BYTES: usize = 1000;

/// Takes up what an owner wants: a skill installed, loaded as it lies, or taken away.
pub async fn want(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    wish: ReviewWish,
    source: &str,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.role != Role::Owner {
        return tell_aside(tx, ctx, heard, messages::owners_only(language)).await;
    }
    if source.len() > SOURCE_BYTES {
        return tell(tx, ctx, heard, messages::too_long(language)).await;
    }
    if wish == ReviewWish::Remove {
        if !is_there(tx, ctx, heard, source).await? {
            let unknown = messages::not_there(source, language);
            return tell(tx, ctx, heard, unknown).await;
        }
        let payload = json!({ "skill": source, "is": "removed" });
        audit_records::command(tx, ctx, heard, Event::Skill, payload).await?;
    }
    let token =
        new_token().map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let new = NewReview {
        token: &token,
        wish,
        source,
        user: heard.user,
        chat: heard.chat.id,
        address: &serde_json::to_string(&heard.inbound.address)?,
        asked_in: commands::skills_owner(heard),
        // What is only taken away needs no look at it.
        state: match wish {
            ReviewWish::Install | ReviewWish::Pin => ReviewState::Wanted,
            ReviewWish::Remove => ReviewState::Approved,
        },
    };
    skill_reviews::add(tx, &new).await?;
    let told = tell(tx, ctx, heard, messages::looking(wish, source, language)).await?;
    Ok(Effects {
        reviews: true,
        ..told
    })
}

/// Returns whether a skill of somebody else is installed, or was approved for the workspace here.
async fn is_there(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    name: &str,
) -> Result<bool, StoreError> {
    let here = SkillPlace::Workspace(commands::skills_owner(heard));
    for place in [SkillPlace::Installed, here] {
        let pins = skill_pins::of_in(tx, place).await?;
        if pins.iter().any(|pin| pin.name == name) {
            return Ok(true);
        }
    }
    Ok(ctx.library.left_out().iter().any(|one| one.name == name))
}

/// Closes the cards that expired without an answer.
pub async fn expire(
    tx: &mut Tx,
    ctx: &IntakeContext,
    now_ms: i64,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for overdue in skill_reviews::expired(tx, now_ms).await? {
        said.extend(close(tx, ctx, &overdue, ReviewState::Expired, None).await?);
    }
    Ok(said)
}

/// Closes an open card and rewrites it; of two calls the first does.
async fn close(
    tx: &mut Tx,
    ctx: &IntakeContext,
    review: &ReviewRow,
    state: ReviewState,
    this: Option<(&Address, &MessageKey)>,
) -> Result<Vec<OutboxRow>, StoreError> {
    if !skill_reviews::advance(tx, review.id, ReviewState::Open, state).await? {
        return Ok(Vec::new());
    }
    let language = ctx.language(&review.language);
    let outbound = Outbound::markdown(messages::ended(review, state, language));
    let outbox = &ctx.outbox;
    outbox
        .amend(tx, Purpose::Card, review.id, this, &outbound)
        .await
}
