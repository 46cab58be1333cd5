//! `/autonomy`: the one effective policy of a person in a chat, and the level that an owner can
//! lower here.

use sayso_channel::{ChatKind, Language};
use serde_json::json;

use super::audit_records;
use super::context::CommandContext;
use super::messages::{self, SHOW, Shown, Why};
use crate::approvals;
use crate::audit::Event;
use crate::intake::ResolvedMessage;
use crate::policy::AutonomyLevel;
use crate::sessions::effective_autonomy;
use crate::store::{StoreError, Tx, chats};
use crate::transcript::Role;

/// Shows the autonomy level that applies to the user here, or lowers the level of the session.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    wanted: &str,
    language: Language,
) -> Result<String, StoreError> {
    if matches!(wanted, "" | SHOW) {
        let session = chats::session(tx, heard.session).await?;
        return show(tx, ctx, heard, session.autonomy.as_deref(), language).await;
    }
    if heard.role != Role::Owner {
        return Ok(messages::autonomy_owners_only(language));
    }
    let Some(level) = parse(wanted) else {
        return Ok(messages::autonomy_unknown(wanted, language));
    };
    let ceiling = ceiling(ctx, heard);
    if level > ceiling {
        return Ok(messages::autonomy_above_ceiling(level, ceiling, language));
    }
    let lowered = (level < ceiling).then(|| level.as_str());
    chats::set_autonomy(tx, heard.session, lowered).await?;
    let level_now = json!({ "level": level.as_str() });
    audit_records::command(tx, ctx, heard, Event::Autonomy, level_now).await?;
    show(tx, ctx, heard, lowered, language).await
}

async fn show(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    lowered: Option<&str>,
    language: Language,
) -> Result<String, StoreError> {
    let (configured, is_own) = configured(ctx, heard);
    let level = effective_autonomy(configured, lowered);
    let why = match is_own {
        _ if level < configured => Why::LoweredHere(configured),
        true => Why::OwnEntry,
        false => Why::Configured,
    };
    let grants = approvals::list(tx, heard.user, heard.session).await?;
    let shown = Shown {
        effective: ctx.policy.rules.effective(level, heard.role),
        why,
        grants: grants.len(),
        sandbox: ctx.policy.sandbox.in_language(language),
        may_lower: heard.role == Role::Owner && level > AutonomyLevel::ReadOnly,
    };
    Ok(messages::autonomy(&shown, language))
}

/// Returns the user's level in the configuration, and whether it is an entry of their own.
fn configured(ctx: &CommandContext, heard: &ResolvedMessage<'_>) -> (AutonomyLevel, bool) {
    let (address, sender) = (&heard.inbound.address, &heard.inbound.sender);
    match ctx.policy.rules.levels.of(&address.channel, &sender.key) {
        Some(own) => (own, true),
        None => (ctx.policy.rules.autonomy, false),
    }
}

/// Returns the level above which nothing needs to be lowered here: in a group, the highest level
/// that any user has.
fn ceiling(ctx: &CommandContext, heard: &ResolvedMessage<'_>) -> AutonomyLevel {
    match heard.inbound.chat_kind {
        ChatKind::Direct => configured(ctx, heard).0,
        ChatKind::Group => ctx.policy.rules.highest(),
    }
}

fn parse(wanted: &str) -> Option<AutonomyLevel> {
    let wanted = wanted.trim().to_lowercase().replace(['-', ' '], "_");
    AutonomyLevel::named(&wanted)
}
