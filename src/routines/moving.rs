//! What follows a person's clock when they move to another zone: its wall times stay, and it is due at
//! other moments.

use chrono_tz::Tz;
use sayso_core::transcript::{UserId, first_chars};
use sayso_core::when::{Rule, instant_of};
use sayso_store::routines::{self, NextDue, RoutineChange, RoutineRow};
use sayso_store::{StoreError, Tx};

use super::context::RoutineLimits;
use super::plan::{spread_of, start};
use super::timetable::Timetable;

/// How much of its words names a routine, in characters.
const WORDS: usize = 60;

/// A routine that is due at another moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedRoutine {
    /// The beginning of its words.
    pub words: String,
    /// When it was due next.
    pub before_ms: i64,
    /// By whose clock.
    pub before_zone: Tz,
    /// When it is due next.
    pub after_ms: i64,
}

/// Has everything that follows a person's clock go by another zone. What is due already is started for
/// the moment that it was planned for.
pub async fn move_to_zone(
    tx: &mut Tx,
    limits: &RoutineLimits,
    user: UserId,
    zone: Tz,
    now_ms: i64,
) -> Result<Vec<MovedRoutine>, StoreError> {
    let mut moved = Vec::new();
    for row in routines::of_in(tx, user, None).await? {
        if !row.follows || row.zone == zone.name() {
            continue;
        }
        let to_zone = RoutineChange {
            zone: Some((zone.name().to_owned(), true)),
            ..RoutineChange::default()
        };
        let Some(before_ms) = row.due_ms.filter(|_| !is_due(&row, now_ms)) else {
            routines::change(tx, user, row.id, &to_zone).await?;
            continue;
        };
        let Some(after_ms) = due_in(&row, zone, now_ms) else {
            continue;
        };
        let is_once = Timetable::of(&row).is_some_and(|it| it.is_once());
        let spread = spread_of(row.id.0, row.kind, is_once, limits.spread);
        let change = RoutineChange {
            next: Some(start(after_ms, spread)),
            ..to_zone
        };
        routines::change(tx, user, row.id, &change).await?;
        if before_ms != after_ms && row.enabled {
            let words = first_chars(&row.prompt, WORDS).unwrap_or(&row.prompt);
            moved.push(MovedRoutine {
                words: words.to_owned(),
                before_ms,
                before_zone: row.zone.parse().unwrap_or(zone),
                after_ms,
            });
        }
    }
    Ok(moved)
}

/// Whether an occurrence of a routine is due and not started yet: it is spread, or waits its turn.
fn is_due(row: &RoutineRow, now_ms: i64) -> bool {
    row.enabled && row.due_ms.is_some_and(|due_ms| due_ms <= now_ms)
}

/// Returns when a routine is due next after a time, whatever was planned for it; `None`: never.
pub fn next_start(row: &RoutineRow, limits: &RoutineLimits, now_ms: i64) -> Option<NextDue> {
    let timetable = Timetable::of(row)?;
    let due_ms = timetable.next_after(now_ms)?;
    let spread = spread_of(row.id.0, row.kind, timetable.is_once(), limits.spread);
    Some(start(due_ms, spread))
}

/// Returns when a routine is due next by the clock of a zone. What comes once keeps its wall time, also
/// when that is over there: then it is late.
fn due_in(row: &RoutineRow, zone: Tz, now_ms: i64) -> Option<i64> {
    let mut moved = row.clone();
    zone.name().clone_into(&mut moved.zone);
    let timetable = Timetable::of(&moved)?;
    match timetable.schedule().rule {
        Rule::Once(moment) => Some(instant_of(moment, &zone)?.timestamp_millis()),
        Rule::Every { .. } | Rule::Cron(_) | Rule::Times { .. } => timetable.next_after(now_ms),
    }
}
