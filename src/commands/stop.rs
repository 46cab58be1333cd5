//! `/stop`: overtakes the queue.

use sayso_channel::Outbound;
use sayso_core::transcript::Role;
use sayso_store::{StoreError, Tx, inbox, processes, stops, turns};

use super::context::CommandContext;
use crate::bus::Signal;
use crate::intake::{Effects, ResolvedMessage, say};
use crate::sessions::{self, AlsoStopped};

/// Asks the user's turns here to stop, with what they keep running in the background here, and
/// drops their waiting messages. An owner stops all.
///
/// Each stopped turn says so itself, where it was asked for, and one of them says what else ended, so
/// nothing more is said when there was one. Of those that wait behind somebody else's, which runs
/// on, it is said at once, and their ends say nothing.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let only_of = match heard.role {
        Role::Owner => None,
        Role::Guest | Role::Member => Some(heard.user),
    };
    let stopped = stops::ask_to_stop(tx, heard.session, only_of, heard.user).await?;
    let background = processes::want_stopped(tx, heard.session, only_of).await?;
    let is_behind = !stopped.is_empty() && turns::one_runs_on(tx, heard.session).await?;
    let reported_by = if is_behind {
        None
    } else {
        stops::report_stop(tx, &stopped, heard.user, background).await?
    };
    let dropped = inbox::drop_waiting(tx, heard.session, heard.user, reported_by).await?;
    let mut said =
        sessions::settle_queue(tx, &ctx.outbox, heard.session, heard.user, language).await?;
    for turn in &stopped {
        said.extend(ctx.cards().close_of(tx, *turn).await?);
    }
    let is_answered = reported_by.is_none();
    if is_answered {
        let also = AlsoStopped {
            background,
            dropped,
        };
        let mut done = Vec::new();
        for turn in stopped.iter().filter(|_| is_behind) {
            done.extend(sessions::done_in(tx, *turn, language).await?);
        }
        if is_behind {
            stops::note_answered(tx, &stopped).await?;
        }
        let text = sessions::stop_answer(is_behind, &also, &done, language);
        said.extend(say(tx, &ctx.outbox, heard, &Outbound::markdown(text)).await?);
    }
    let stops = stopped
        .into_iter()
        .map(|turn| Signal::Stop(heard.session, heard.user, turn));
    let signals = stops
        .chain([Signal::Work(heard.session, heard.user)])
        .collect();
    let effects = if is_answered {
        Effects::default()
    } else {
        Effects::unanswered()
    };
    Ok(Effects {
        said,
        signals,
        ..effects
    })
}
