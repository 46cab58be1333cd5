//! Making a routine that events start: what its card says, and keeping it once.

use std::time::{SystemTime, UNIX_EPOCH};

use sayso_channel::{Language, Outbound};
use sayso_core::transcript::{Owner, RoutineId, Taint};
use sayso_policy::Due;
use sayso_store::outbox::OutboxRow;
use sayso_store::routines::{self, Added, NewRoutine, Notify, RoutineKind};
use sayso_store::{Store, StoreError, Tx, routine_events};

use super::messages;
use super::trial::{Trial, try_out};
use super::trigger::Trigger;
use crate::routines::announcement;
use crate::routines::asker::Asker;
use crate::routines::context::RoutineContext;

/// What is to be kept.
#[derive(Debug, Clone)]
pub(in crate::routines) struct TriggeredWanted {
    /// What starts it.
    pub(in crate::routines) trigger: Trigger,
    /// What is to be done.
    pub(in crate::routines) words: String,
    /// The untrusted text that is in view.
    pub(in crate::routines) taint: Taint,
    /// What people call it; empty where it goes by its words.
    pub(in crate::routines) name: String,
    /// When it reports.
    pub(in crate::routines) notify: Notify,
}

/// Why a trigger does not work where it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::routines) enum NotHere {
    /// Words are listened for in groups alone.
    NoGroup,
    /// The key of a webhook is shown to one person alone.
    Group,
    /// The operator opened no HTTP listener.
    NoListener,
}

/// Tries a trigger on what happened last, and returns that with what its card says.
pub(in crate::routines) async fn inspect(
    store: &Store,
    ctx: &RoutineContext,
    asker: &Asker,
    place: Owner,
    trigger: &Trigger,
) -> Result<Result<Due, NotHere>, StoreError> {
    match (trigger, place) {
        (Trigger::Words { .. }, Owner::User(_)) => return Ok(Err(NotHere::NoGroup)),
        (Trigger::Webhook, Owner::Chat(_)) => return Ok(Err(NotHere::Group)),
        (Trigger::Webhook, Owner::User(_)) if ctx.webhook_key.is_none() => {
            return Ok(Err(NotHere::NoListener));
        }
        (Trigger::File { .. } | Trigger::Words { .. } | Trigger::Webhook, _) => {}
    }
    let trial = try_out(store, ctx, asker.chat, place, trigger).await?;
    let most = ctx.limits.triggered_per_hour;
    let due = |language| messages::card(trigger, &trial, most, language);
    Ok(Ok(Due {
        english: due(Language::English),
        chinese: due(Language::Chinese),
    }))
}

/// Keeps a routine and says so, in a transaction of its own.
pub(in crate::routines) async fn keep(
    store: &Store,
    ctx: &RoutineContext,
    asker: Asker,
    wanted: TriggeredWanted,
    trial: Trial,
) -> Result<Added, StoreError> {
    let there = ctx.clone();
    let (added, said) = store
        .write(move |tx| {
            Box::pin(async move { keep_in(tx, &there, &asker, &wanted, &trial).await })
        })
        .await?;
    ctx.outbox.offer(said);
    Ok(added)
}

async fn keep_in(
    tx: &mut Tx,
    ctx: &RoutineContext,
    asker: &Asker,
    wanted: &TriggeredWanted,
    trial: &Trial,
) -> Result<(Added, Vec<OutboxRow>), StoreError> {
    let new = NewRoutine {
        user: asker.user,
        role: asker.role,
        chat: asker.chat,
        session: asker.session,
        address: asker.address.clone(),
        kind: RoutineKind::Turn,
        name: wanted.name.clone(),
        schedule: String::new(),
        zone: asker.zone.zone.name().to_owned(),
        follows: true,
        anchor_ms: asker.at_ms,
        prompt: wanted.words.clone(),
        taint: wanted.taint.clone(),
        notify: wanted.notify,
        late: String::new(),
        due_ms: None,
        source: Some(wanted.trigger.as_text()),
    };
    let most = ctx.limits.most_of(RoutineKind::Turn);
    let added = routines::add(tx, &new, most, &|_| 0).await?;
    let Added::New(id) = added else {
        return Ok((added, Vec::new()));
    };
    routine_events::set_looked(tx, id, machine_ms()).await?;
    let language = ctx.language_of(tx, asker.user).await?;
    let outbound = Outbound {
        buttons: vec![vec![announcement::delete_button(id, language)]],
        ..Outbound::markdown(messages::kept(
            &wanted.trigger,
            &wanted.words,
            trial,
            language,
        ))
    };
    let mut said = announcement::say(tx, ctx, asker, &outbound).await?;
    if let Some(text) = webhook_text(ctx, &wanted.trigger, id, language) {
        said.extend(announcement::say(tx, ctx, asker, &Outbound::markdown(text)).await?);
    }
    Ok((added, said))
}

/// Returns how a webhook is called, with its key, which is shown here alone.
fn webhook_text(
    ctx: &RoutineContext,
    trigger: &Trigger,
    id: RoutineId,
    language: Language,
) -> Option<String> {
    match trigger {
        Trigger::Webhook => {
            let key = ctx.webhook_key.as_ref()?.of_routine(id);
            Some(messages::webhook(id, &key, language))
        }
        Trigger::File { .. } | Trigger::Words { .. } => None,
    }
}

/// Returns the time by the clock that files have.
pub(super) fn machine_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}
