//! `/status`: whether all is well and what is going on here; behind its button how the connections
//! are, what the kernel enforces, and whether what is read in the folder counts as text from outside.

use sayso_core::transcript::OutsideReason;
use sayso_store::turns::TurnStatus;
use sayso_store::{StoreError, Tx, chats, now_ms, processes, turns, workspaces};

use super::context::CommandContext;
use super::messages::{self, BriefStatus, background};
use super::model;
use super::viewer::Viewer;

/// Writes the few lines that everybody understands.
pub(super) async fn brief(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<String, StoreError> {
    let language = viewer.language;
    let turns = open_turns(tx, viewer).await?;
    let health = &ctx.status.health;
    let channels: Vec<_> = health
        .iter()
        .map(|(name, health)| (name.as_str(), health.read()))
        .collect();
    let outside = match outside_since(tx, viewer).await? {
        Some((_, why)) if viewer.is_private() => Some(why),
        Some(_) | None => None,
    };
    let brief = BriefStatus {
        model: &model_here(tx, ctx, viewer).await?,
        channels: &channels,
        turns: &turns,
        are_commands_confined: ctx.policy.rules.confinement.is_whole(),
        outside,
    };
    let status = messages::brief_status(&brief, language);
    let running = running(tx, viewer).await?;
    let waiting = messages::wait_for_logins(&ctx.status.waiting_logins.borrow(), language);
    let code = code_here(tx, ctx, viewer).await?;
    let parts = [Some(status), running, code, waiting];
    Ok(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

/// Writes everything of this instance and this session.
pub(super) async fn details(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<String, StoreError> {
    let language = viewer.language;
    let turns = open_turns(tx, viewer).await?;
    let channels: Vec<String> = ctx
        .status
        .health
        .iter()
        .map(|(name, health)| messages::channel_line(name, &health.read(), language))
        .collect();
    let mode = ctx.policy.rules.confinement.mode;
    let sandbox = messages::sandbox(mode, ctx.policy.sandbox.in_language(language), language);
    let model = model_here(tx, ctx, viewer).await?;
    let status = messages::status(&model, &sandbox, &channels, &turns, language);
    let workspace = match outside_since(tx, viewer).await? {
        Some((since_ms, why)) => messages::workspace_tainted(since_ms, why, language),
        None => messages::workspace_trusted(language),
    };
    let memory = match &ctx.status.embedder {
        Some((name, health)) => messages::found_by_meaning(name, &health.read(), language),
        None => messages::found_by_words(language),
    };
    let waiting = messages::wait_for_logins(&ctx.status.waiting_logins.borrow(), language);
    let left_out = messages::tools_left_out(&(ctx.status.tools_left_out)(), language);
    let running = running(tx, viewer).await?;
    let changed = messages::changed_in_chat(&ctx.status.changed, language);
    let parts = [
        Some(status),
        running,
        code_here(tx, ctx, viewer).await?,
        waiting,
        left_out,
        Some(memory),
        Some(workspace),
        changed,
    ];
    Ok(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

/// Returns the turns that go on here: whether each waits for an approval, and its request.
async fn open_turns(tx: &mut Tx, viewer: &Viewer<'_>) -> Result<Vec<(bool, String)>, StoreError> {
    let open = turns::open_turns(tx, viewer.session).await?;
    let turns = open
        .into_iter()
        .map(|turn| (turn.state == TurnStatus::Parked, turn.request));
    Ok(turns.collect())
}

/// Returns the model that is asked first here.
async fn model_here(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<String, StoreError> {
    let session = chats::session(tx, viewer.session).await?;
    let chosen = model::chosen(ctx, session.model.as_deref());
    Ok(chosen.unwrap_or(&ctx.models.configured).to_owned())
}

/// Returns since when and why what is read in the folder counts as text from outside.
async fn outside_since(
    tx: &mut Tx,
    viewer: &Viewer<'_>,
) -> Result<Option<(i64, OutsideReason)>, StoreError> {
    if viewer.is_private() {
        workspaces::outside_since(tx, viewer.user).await
    } else {
        Ok(Some((0, OutsideReason::Shared)))
    }
}

/// Returns how far the index of the project here is, if the reader may use that project.
async fn code_here(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<Option<String>, StoreError> {
    let Some(name) = chats::session(tx, viewer.session).await?.project else {
        return Ok(None);
    };
    let theirs = ctx.limits.projects.of(tx, viewer.user, viewer.role).await?;
    let is_theirs = theirs.iter().any(|project| project.name == name);
    let state = ctx.status.code.state(&name).filter(|_| is_theirs);
    Ok(state.map(|state| messages::code_index(&name, &state, viewer.language)))
}

/// Returns what runs in the background here, if anything.
async fn running(tx: &mut Tx, viewer: &Viewer<'_>) -> Result<Option<String>, StoreError> {
    let running = processes::running_in(tx, viewer.session).await?;
    Ok(background::lines(&running, now_ms(), viewer.language))
}
