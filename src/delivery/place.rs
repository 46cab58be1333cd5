//! Where the messages of a turn stand: in place of its live message, below it, or as new ones.

use sayso_channel::{MessageKey, Repeats};
use sayso_core::transcript::{OutboxId, TurnId};
use sayso_store::outbox;
use sayso_store::{StoreError, Tx, now_ms};

/// Up to this age an outcome replaces the live message of its turn: edits do not notify.
const REPLACE_WITHIN_MS: i64 = 20_000;

/// Where a row goes: into a new message, or into one that stands already.
pub(super) enum Target {
    /// A new message; the live one of its turn, if it was shown, is closed then.
    New { live: Option<OutboxId> },
    Edit {
        message: MessageKey,
        /// Whether it carries the mark of a repeated send, which stays.
        is_marked: bool,
    },
    /// A live message that is removed, since the outcome stands below.
    Delete(MessageKey),
    /// A live message that is replaced by the outcome.
    Replace(MessageKey),
    /// A live message that may stand in the chat or not: the platform drops repetitions, so saying
    /// it again finds it.
    Find(OutboxId),
    /// A new message, though a live one of its turn may stand in the chat and cannot be found.
    Repeat,
    /// Nowhere: it has nothing left to say.
    Nowhere,
}

/// Says whether a repetition of what was first said then is another message.
pub(super) fn arrive_again(repeats: Repeats, first_ms: i64, now_ms: i64) -> bool {
    match repeats {
        Repeats::Arrive => true,
        Repeats::AreDropped { within } => now_ms - first_ms >= within.as_millis() as i64,
    }
}

/// Says where the outcome of a turn goes: in place of its live message, if that may be, or below.
pub(super) async fn place_outcome(
    tx: &mut Tx,
    turn: TurnId,
    may_replace: bool,
    repeats: Repeats,
) -> Result<Target, StoreError> {
    let Some(live) = outbox::live_message(tx, turn).await? else {
        return Ok(Target::New { live: None });
    };
    if live.message.is_none() {
        let is_lost = arrive_again(repeats, live.created_ms, now_ms());
        return Ok(if is_lost {
            Target::Repeat
        } else {
            Target::Find(live.id)
        });
    }
    let is_recent = now_ms() - live.created_ms <= REPLACE_WITHIN_MS;
    let replaces = may_replace && is_recent && !outbox::said_below(tx, &live).await?;
    Ok(match live.message.map(MessageKey::new) {
        Some(message) if replaces => Target::Replace(message),
        message => Target::New {
            live: message.map(|_| live.id),
        },
    })
}

/// Returns where the further messages of an outcome go: below. An unrecorded live message may show
/// any of them, because it shows the newest part of the text.
pub(super) async fn place_rest(
    tx: &mut Tx,
    turn: TurnId,
    repeats: Repeats,
) -> Result<Target, StoreError> {
    let live = outbox::live_message(tx, turn).await?;
    let may_stand_already = live.is_some_and(|live| {
        live.message.is_none() && arrive_again(repeats, live.created_ms, now_ms())
    });
    Ok(if may_stand_already {
        Target::Repeat
    } else {
        Target::New { live: None }
    })
}
