//! What people are informed of although they did not ask: runs that were missed, failed, or could not
//! be delivered, and routines that were switched off for that. It is one message for all of it, and
//! waits in a person's quiet hours.

use std::collections::HashSet;

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::UserId;
use sayso_store::outbox::OutboxRow;
use sayso_store::routine_runs::{self, RunState, UntoldRun};
use sayso_store::{Readers, StoreError, Tx, personal_times};

use super::context::{RoutineContext, RoutineLimits};
use super::messages::{self, Told};
use super::run_request::shown_name;
use super::timetable::by_clock;
use crate::delivery::{Purpose, Saying};
use crate::prompts::PromptKind;

/// Of how many occurrences a user is informed in one transaction.
const AT_ONCE: i64 = 500;
/// How many routines of a message have a button.
const BUTTONS: usize = 5;

/// Returns the users to whom something is to be said now: not those who want quiet.
pub(super) async fn addressees(
    readers: &Readers,
    limits: &RoutineLimits,
    now_ms: i64,
) -> Result<Vec<UserId>, StoreError> {
    let mut users = routine_runs::untold_users(readers).await?;
    let mut quiet = HashSet::new();
    for user in &users {
        let set = personal_times::of(readers, *user).await?;
        let there = by_clock(now_ms, limits.zone_by(&set).zone);
        if there.is_some_and(|there| limits.quiet_by(&set).hold_at(there.time())) {
            quiet.insert(*user);
        }
    }
    users.retain(|user| !quiet.contains(user));
    Ok(users)
}

/// Says what is to be said to a user.
pub(super) async fn say(
    tx: &mut Tx,
    ctx: &RoutineContext,
    user: UserId,
) -> Result<Vec<OutboxRow>, StoreError> {
    let untold = routine_runs::untold(tx, user, AT_ONCE).await?;
    let mut said = Vec::new();
    for runs in untold.chunk_by(|one, next| one.address == next.address) {
        if let Some(first) = runs.first() {
            said.extend(say_to_one(tx, ctx, first, runs).await?);
        }
    }
    Ok(said)
}

async fn say_to_one(
    tx: &mut Tx,
    ctx: &RoutineContext,
    first: &UntoldRun,
    runs: &[UntoldRun],
) -> Result<Vec<OutboxRow>, StoreError> {
    let language = ctx.language_of(tx, first.user_id).await?;
    let mut lines = Vec::new();
    let mut buttons = Vec::new();
    for of_one in runs.chunk_by(|one, next| one.routine_id == next.routine_id) {
        let Some(newest) = of_one.last() else {
            continue;
        };
        lines.push(messages::told(&told(ctx, of_one, newest), language));
        if buttons.len() < BUTTONS {
            buttons.push(vec![button(newest, language)]);
        }
        for run in of_one {
            routine_runs::note_told(tx, run.id).await?;
        }
    }
    let Ok(address) = serde_json::from_str(&first.address) else {
        tracing::error!(routine = %first.routine_id, "address of a routine cannot be read");
        return Ok(Vec::new());
    };
    let outbound = Outbound {
        buttons,
        quiet: true,
        ..Outbound::markdown(lines.join("\n"))
    };
    let saying = Saying {
        to: &address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}

/// Returns what is said of one routine.
fn told(ctx: &RoutineContext, runs: &[UntoldRun], newest: &UntoldRun) -> Told {
    let zone = ctx.zone_named(&newest.zone);
    let first = runs.first().unwrap_or(newest);
    let is_missed = |run: &&UntoldRun| run.state == RunState::Missed;
    Told {
        name: shown_name(&newest.name, &newest.prompt),
        from: by_clock(first.due_ms, zone),
        until: by_clock(newest.until_ms.unwrap_or(newest.due_ms), zone),
        missed: runs
            .iter()
            .filter(is_missed)
            .map(|run| run.occurrences)
            .sum(),
        state: newest.state,
        why: newest.why.clone(),
        is_off: !newest.enabled,
    }
}

/// Returns the button that runs a routine now, or switches it on again.
fn button(run: &UntoldRun, language: Language) -> Button {
    let name = shown_name(&run.name, &run.prompt);
    let (choice, label) = if run.enabled {
        ("run-kept", messages::run_button(&name, language))
    } else {
        ("on-kept", messages::on_button(&name, language))
    };
    Button {
        label,
        token: PromptKind::RoutineList.button(choice, run.routine_id),
        key: None,
        look: ButtonLook::Plain,
    }
}
