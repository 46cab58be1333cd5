//! Model calls in flight, and what their answers may still take of the limits that they share.
//!
//! What holds: a limit is passed by at most one call. Another call of those who share a limit is
//! made beside those in flight only as long as all that they may take fits into what is left. Else
//! it waits until they are booked, in the order in which the calls came: a call counts from the
//! moment on at which it waits, so that later ones do not overtake it. The first in line waits for
//! calls in flight alone, and those end; so no calls wait for each other.
//!
//! Kept in memory. The database is this process's alone, and a crash ends the calls with the
//! process; their prompts are set aside in the database and stay counted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sayso_core::transcript::TurnId;
use sayso_store::usage::{self, OpenAmount};
use sayso_store::{StoreError, Tx};
use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;

use super::billing_subject::BillingSubject;
use super::day::Day;
use super::rules::{Amount, Scope};
use super::spending_cache::SpendingCache;

/// All model calls of this process that are not booked yet. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Reservations {
    /// Held for one look or change; all who set aside and book share it.
    calls: Arc<Mutex<Calls>>,
    changed: Arc<Notify>,
    /// What was spent of the limits that they share.
    spending: SpendingCache,
}

#[derive(Debug, Default)]
struct Calls {
    /// In the order in which they came.
    by_number: BTreeMap<u64, Call>,
    last: u64,
}

#[derive(Debug, Clone)]
struct Call {
    payer: BillingSubject,
    day: Day,
    expected: Expected,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// For others to be booked: nothing is set aside for it.
    Waiting,
    /// It is set aside in the database.
    InFlight,
}

/// What a call takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Expected {
    /// What is set aside for its prompt.
    pub(super) prompt: Amount,
    /// What its answer takes at most.
    pub(super) answer: Amount,
}

/// What other calls take of a limit, those that came later and wait left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Others {
    /// How many there are.
    pub(super) count: usize,
    /// What of it is set aside already.
    pub(super) set_aside: Amount,
    /// All that they take at most, what is set aside included.
    pub(super) at_most: Amount,
}

/// The place of one call among the others, until it is dropped: behind its booking, or where it is
/// not made.
#[derive(Debug)]
pub struct Reservation {
    reservations: Reservations,
    number: u64,
}

impl Reservations {
    /// Takes a place behind all that came before.
    pub fn reserve(&self) -> Reservation {
        let mut calls = self.calls();
        calls.last += 1;
        Reservation {
            number: calls.last,
            reservations: self.clone(),
        }
    }

    /// Returns what ends when a call is booked, or is not made after all, from now on.
    pub fn changed(&self) -> OwnedNotified {
        Arc::clone(&self.changed).notified_owned()
    }

    /// Notes a turn whose row is written in this transaction: it has spent nothing yet.
    pub fn note_new_turn(&self, tx: &Tx, turn: TurnId) {
        self.spending.begin_turn(tx, turn);
    }

    /// Writes what a turn has spent since that was last written. [`Reservations::note_written`] follows
    /// once that is committed.
    pub async fn write_turn(&self, tx: &mut Tx, turn: TurnId) -> Result<(), StoreError> {
        let spent = self.unwritten(turn);
        if spent == OpenAmount::default() {
            return Ok(());
        }
        usage::add_to_turn(tx, turn, spent).await
    }

    /// Returns what a turn has spent since that was last written.
    pub fn unwritten(&self, turn: TurnId) -> OpenAmount {
        self.spending.unwritten(turn).unwrap_or_default()
    }

    /// Notes that the row of a turn has all that it has spent, or that the turn is over.
    pub fn note_written(&self, turn: TurnId) {
        self.spending.note_written(turn);
    }

    /// Returns what was spent, as far as this process knows it.
    pub(super) fn spending(&self) -> &SpendingCache {
        &self.spending
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation {
    /// Returns all calls, this one among them.
    pub(super) fn all(&self) -> &Reservations {
        &self.reservations
    }

    /// Returns what is set aside for the call; nothing while it waits.
    pub fn set_aside(&self) -> Amount {
        let calls = self.reservations.calls();
        let call = calls.by_number.get(&self.number);
        let call = call.filter(|call| call.state == State::InFlight);
        call.map_or_else(Amount::default, |call| call.expected.prompt)
    }

    /// Returns what is set aside for other calls in the row of the database that this billing
    /// subject has on a day.
    pub(super) fn set_aside_beside(&self, payer: &BillingSubject, day: Day) -> Amount {
        let calls = self.reservations.calls();
        let in_flight = calls.by_number.iter().filter(|(number, call)| {
            **number != self.number
                && call.state == State::InFlight
                && call.day == day
                && call.payer.shares_row(payer)
        });
        in_flight.fold(Amount::default(), |sum, (_, call)| {
            sum.plus(call.expected.prompt)
        })
    }

    /// Returns what others take of a limit that this billing subject spends from on this day.
    pub(super) fn others(&self, payer: &BillingSubject, scope: Scope, day: Day) -> Others {
        let calls = self.reservations.calls();
        let spender = Spender { payer, day };
        let mut others = Others::default();
        for (number, call) in &calls.by_number {
            let is_before = match call.state {
                State::InFlight => *number != self.number,
                State::Waiting => *number < self.number,
            };
            let other = Spender {
                payer: &call.payer,
                day: call.day,
            };
            if !is_before || !spender.shares(scope, other) {
                continue;
            }
            let Expected { prompt, answer } = call.expected;
            others.count += 1;
            others.at_most = others.at_most.plus(prompt).plus(answer);
            if call.state == State::InFlight {
                others.set_aside = others.set_aside.plus(prompt);
            }
        }
        others
    }

    /// Notes that the call waits.
    pub(super) fn waits(&self, payer: &BillingSubject, day: Day, expected: Expected) {
        self.note(payer, day, expected, State::Waiting);
    }

    /// Notes that the call is set aside.
    pub(super) fn begins(&self, payer: &BillingSubject, day: Day, expected: Expected) {
        self.note(payer, day, expected, State::InFlight);
    }

    fn note(&self, payer: &BillingSubject, day: Day, expected: Expected, state: State) {
        let call = Call {
            payer: payer.clone(),
            day,
            expected,
            state,
        };
        self.reservations
            .calls()
            .by_number
            .insert(self.number, call);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let known = self.reservations.calls().by_number.remove(&self.number);
        if known.is_some() {
            self.reservations.changed.notify_waiters();
        }
    }
}

/// Who spends, and on which day.
#[derive(Clone, Copy)]
struct Spender<'a> {
    payer: &'a BillingSubject,
    day: Day,
}

impl Spender<'_> {
    /// Returns whether another spends from the same limit.
    fn shares(self, scope: Scope, other: Spender<'_>) -> bool {
        let is_same_day = self.day == other.day;
        let (one, another) = (self.payer, other.payer);
        match scope {
            Scope::Turn => one.turn.is_some() && one.turn == another.turn,
            Scope::User => is_same_day && one.user == another.user,
            Scope::Routine => is_same_day && one.routine == another.routine,
            Scope::Instance => is_same_day,
            Scope::Month => self.day.month() == other.day.month(),
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{SessionId, TurnId, UserId};

    use super::{BillingSubject, Expected, Others, Reservations, Scope};
    use crate::budget::Day;
    use crate::budget::rules::Amount;

    fn payer(user: i64) -> BillingSubject {
        BillingSubject {
            user: UserId(user),
            session: SessionId(1),
            turn: Some(TurnId(user)),
            routine: None,
            fence: None,
        }
    }

    fn expected(prompt: u64, answer: u64) -> Expected {
        let tokens = |tokens| Amount { tokens, micros: 0 };
        Expected {
            prompt: tokens(prompt),
            answer: tokens(answer),
        }
    }

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    /// Returns how many others there are, and their tokens: set aside, and at most.
    fn shown(others: Others) -> (usize, u64, u64) {
        (others.count, others.set_aside.tokens, others.at_most.tokens)
    }

    #[test]
    fn r2_calls_in_flight_and_those_that_waited_before_count() {
        let (all, today) = (Reservations::default(), day("2026-11-26"));
        let [first, second, third] = [(); 3].map(|()| all.reserve());
        let of = |one: &super::Reservation| shown(one.others(&payer(1), Scope::User, today));
        third.begins(&payer(1), today, expected(10, 100));
        second.waits(&payer(1), today, expected(20, 200));
        assert_eq!(of(&first), (1, 10, 110), "who waits behind does not count");
        assert_eq!(of(&second), (1, 10, 110));
        assert_eq!(of(&third), (1, 0, 220));
        let (changed, fourth) = (all.changed(), all.reserve());
        assert_eq!(of(&fourth), (2, 10, 330));
        drop(third);
        assert_eq!(of(&fourth), (1, 0, 220));
        assert!(futures_util::FutureExt::now_or_never(changed).is_some());
    }

    #[test]
    fn r2_who_shares_a_limit_is_who_spends_from_it() {
        let (all, today) = (Reservations::default(), day("2026-11-26"));
        let one = all.reserve();
        one.begins(&payer(1), today, expected(1, 1));
        let other = all.reserve();
        let of = |user, scope, day| other.others(&payer(user), scope, day).count;
        let check = |user, day, expected: [usize; 4]| {
            let scopes = [Scope::Turn, Scope::User, Scope::Instance, Scope::Month];
            assert_eq!(scopes.map(|scope| of(user, scope, day)), expected);
        };
        check(1, today, [1, 1, 1, 1]);
        check(2, today, [0, 0, 1, 1]);
        check(1, day("2026-11-27"), [1, 0, 0, 1]);
        check(2, day("2026-12-01"), [0, 0, 0, 0]);
    }
}
