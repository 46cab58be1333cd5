//! `/autonomy`: the one effective policy of a person in a chat, in a sentence and in detail.

use sayso_channel::{Button, ButtonLook, ChatKind};
use sayso_core::transcript::Role;
use sayso_policy::AutonomyLevel;
use sayso_store::{StoreError, Tx, chats};

use super::context::CommandContext;
use super::list_message::ListMessage;
use super::messages::{self, Shown, Why};
use super::viewer::Viewer;
use crate::approvals;
use crate::prompts::PromptKind;
use crate::sessions::effective_autonomy;

/// Sets the level of the session, which must not be above its ceiling.
pub(super) async fn set(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
    level: AutonomyLevel,
) -> Result<(), StoreError> {
    let lowered = (level < ceiling(ctx, viewer)).then(|| level.as_str());
    chats::set_autonomy(tx, viewer.session, lowered).await
}

/// Writes in a sentence what is done without asking.
pub(super) async fn brief(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<String, StoreError> {
    let (level, _) = level_here(tx, ctx, viewer).await?;
    let effective = ctx.policy.rules.effective(level, viewer.role);
    Ok(messages::brief_autonomy(&effective, viewer.language))
}

/// Writes what becomes of each kind of deed, and where the level comes from.
pub(super) async fn details(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<String, StoreError> {
    let language = viewer.language;
    let (level, why) = level_here(tx, ctx, viewer).await?;
    let grants = approvals::list(tx, viewer.user, viewer.session).await?;
    let shown = Shown {
        effective: ctx.policy.rules.effective(level, viewer.role),
        why,
        grants: grants.len(),
        sandbox: ctx.policy.sandbox.in_language(language),
        may_lower: viewer.role == Role::Owner && level > AutonomyLevel::ReadOnly,
    };
    Ok(messages::autonomy(&shown, language))
}

/// Returns a button for each level that the reader may set here.
pub(super) async fn buttons(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
    message: ListMessage,
) -> Result<Option<Vec<Button>>, StoreError> {
    let ceiling = ceiling(ctx, viewer);
    if viewer.role != Role::Owner || ceiling == AutonomyLevel::ReadOnly {
        return Ok(None);
    }
    let (here, _) = level_here(tx, ctx, viewer).await?;
    let levels = AutonomyLevel::ALL.into_iter();
    let offered = levels.filter(|level| *level <= ceiling).map(|level| {
        let choice = format!("{}-{}", code(level), viewer.user.0);
        let mark = if level == here { " ✓" } else { "" };
        let name = messages::level_button(level, viewer.language);
        Button {
            label: format!("{name}{mark}"),
            token: PromptKind::AutonomyLevel.button(choice, message.0),
            key: None,
            look: ButtonLook::Plain,
        }
    });
    Ok(Some(offered.collect()))
}

/// Returns the code of a level on buttons.
pub(super) const fn code(level: AutonomyLevel) -> &'static str {
    match level {
        AutonomyLevel::ReadOnly => "read",
        AutonomyLevel::Supervised => "ask",
        AutonomyLevel::Full => "full",
    }
}

/// Returns the level that applies to the reader here, and where it comes from.
async fn level_here(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<(AutonomyLevel, Why), StoreError> {
    let session = chats::session(tx, viewer.session).await?;
    let (configured, is_own) = configured(ctx, viewer);
    let level = effective_autonomy(configured, session.autonomy.as_deref());
    let why = match is_own {
        _ if level < configured => Why::LoweredHere(configured),
        true => Why::OwnEntry,
        false => Why::Configured,
    };
    Ok((level, why))
}

/// Returns the user's level in the configuration, and whether it is an entry of their own.
fn configured(ctx: &CommandContext, viewer: &Viewer<'_>) -> (AutonomyLevel, bool) {
    let (address, sender) = (&viewer.inbound.address, &viewer.inbound.sender);
    match ctx.policy.rules.levels.of(&address.channel, &sender.key) {
        Some(own) => (own, true),
        None => (ctx.policy.rules.autonomy, false),
    }
}

/// Returns the level above which nothing needs to be lowered here: in a group, the highest level
/// that any user has.
pub(super) fn ceiling(ctx: &CommandContext, viewer: &Viewer<'_>) -> AutonomyLevel {
    match viewer.inbound.chat_kind {
        ChatKind::Direct => configured(ctx, viewer).0,
        ChatKind::Group => ctx.policy.rules.highest(),
    }
}
