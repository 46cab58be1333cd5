//! Ids and tokens of rows.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};

use super::StoreError;
use super::clock::now_ms;

/// Bits of an id that count within its millisecond: 1,024 ids for each process.
const SEQUENCE_BITS: u32 = 10;
/// Bits of an id that name the worker that made it. No two processes that write at once have the
/// same slot, so no two ids are equal.
const SLOT_BITS: u32 = 10;
/// The slot of this worker. SQLite has one writing process.
pub(super) const SLOT: u16 = 0;
/// 2024-01-01, so that 43 bits of milliseconds last past the year 2300.
const EPOCH_MS: i64 = 1_704_067_200_000;

/// 128 bits, so that a token cannot be guessed.
const TOKEN_BYTES: usize = 16;

/// The ids of this process.
static IDS: Ids = Ids::of_slot(SLOT);

/// Makes ids of one slot.
#[derive(Debug)]
pub(super) struct Ids {
    slot: i64,
    /// The millisecond of the last id and its place there, without the slot.
    last: AtomicI64,
}

impl Ids {
    /// Returns the ids of a slot below 1,024. SQLite has one writing process, whose slot is 0.
    pub(super) const fn of_slot(slot: u16) -> Self {
        assert!((slot as i64) < 1 << SLOT_BITS);
        Self {
            slot: slot as i64,
            last: AtomicI64::new(0),
        }
    }

    /// Returns an id greater than every earlier one of these, in the order of time. When more are
    /// wanted than a millisecond has, those of the next are taken.
    pub(super) fn next(&self) -> i64 {
        let now = (now_ms() - EPOCH_MS) << SEQUENCE_BITS;
        let next = |last: i64| Some(now.max(last + 1));
        let last = self
            .last
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
            .unwrap_or_default();
        let next = now.max(last + 1);
        let (time, place) = (next >> SEQUENCE_BITS, next & ((1 << SEQUENCE_BITS) - 1));
        (time << (SLOT_BITS + SEQUENCE_BITS)) | (self.slot << SEQUENCE_BITS) | place
    }

    /// Has every further id be greater than this one, whichever slot made it, also when the clock
    /// was set back since.
    fn go_on_behind(&self, id: i64) {
        let last_of_its_time = ((id >> (SLOT_BITS + SEQUENCE_BITS)) + 1) << SEQUENCE_BITS;
        self.last.fetch_max(last_of_its_time - 1, Ordering::Relaxed);
    }
}

/// Returns a row id: greater than every earlier one of this process, in the order of time.
pub fn new_id() -> i64 {
    IDS.next()
}

/// Has every further id be greater than this one.
pub(super) fn go_on_behind(id: i64) {
    IDS.go_on_behind(id);
}

/// Returns an id that no row made before this time has.
pub(crate) fn first_id_of(at_ms: i64) -> i64 {
    (at_ms - EPOCH_MS) << (SLOT_BITS + SEQUENCE_BITS)
}

/// Returns a new random token of 32 hexadecimal digits: what a button carries in place of a row.
///
/// # Errors
/// Fails when the system gives no random numbers; then nothing may be asked.
pub fn new_token() -> Result<String, StoreError> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let mut token = String::with_capacity(2 * TOKEN_BYTES);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{EPOCH_MS, Ids, first_id_of};
    use crate::now_ms;

    /// How many ids each of two workers makes.
    const MANY: usize = 1_000_000;

    #[test]
    fn two_workers_never_make_the_same_id_and_each_makes_growing_ones() {
        let workers = [Ids::of_slot(0), Ids::of_slot(1)];
        let made: Vec<Vec<i64>> = std::thread::scope(|scope| {
            let making = workers
                .each_ref()
                .map(|ids| scope.spawn(move || (0..MANY).map(|_| ids.next()).collect::<Vec<_>>()));
            making.map(|made| made.join().unwrap()).into()
        });
        for ids in &made {
            assert!(ids.is_sorted_by(|one, next| one < next));
        }
        let all: HashSet<i64> = made.into_iter().flatten().collect();
        assert_eq!(all.len(), 2 * MANY);
    }

    #[test]
    fn ids_go_on_behind_one_of_another_slot_and_of_a_later_time() {
        let ids = Ids::of_slot(3);
        let later = first_id_of(now_ms() + 60_000) | (900 << 10) | 1023;
        ids.go_on_behind(later);
        assert!(ids.next() > later);
    }

    #[test]
    fn the_first_id_of_a_time_is_not_above_those_that_are_made_then() {
        let before = now_ms();
        let id = Ids::of_slot(0).next();
        assert!(first_id_of(before) <= id && id < first_id_of(now_ms() + 1));
        assert_eq!(first_id_of(EPOCH_MS), 0);
    }
}
