//! What was spent of the limits of a day, as this process knows it: a limit is judged before and
//! after every model call, and must not be read each time.
//!
//! It relies on this process being the only one that writes the database while it runs. Its own
//! bookings are added as they are written, inside their transaction. Whatever else changes what it
//! holds, a transaction that was rolled back among it, changes the version of the transactions
//! (`Tx::version`), and then everything is read again; so it is with the first call of a day.
//!
//! What a turn has spent is written where it ends, waits for a person or is left by a shutdown, and
//! known here until then. After a crash its journal says it (`ledger::restore_turn`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sayso_core::transcript::{TurnId, UserId};
use sayso_store::usage::OpenAmount;
use sayso_store::{StoreError, Tx, usage};

use super::billing_subject::BillingSubject;
use super::day::Day;
use super::rules::{Amount, Scope};

/// How many limits are kept at most. With more of them all are read again.
const MOST_KEPT: usize = 8192;

/// The cache of one process. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct SpendingCache {
    /// Held for one look or change; all who set aside and book share it.
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    /// The version of the transactions for which this holds.
    version: u64,
    latest: LatestDay,
    /// The day for which the limits are known.
    day: Option<Day>,
    limits: HashMap<Key, KnownLimit>,
    /// What turns have spent that is not in their rows yet. It holds for every version.
    unwritten: HashMap<TurnId, OpenAmount>,
}

/// The latest day on which anything was spent.
#[derive(Debug, Clone, Copy, Default)]
enum LatestDay {
    #[default]
    Unread,
    Read(Option<Day>),
}

/// Whose limit it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Turn(TurnId),
    User(UserId),
    Routine(String),
    Instance,
    Month,
}

/// A limit, and what was spent of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KnownLimit {
    /// How high it is, in percent of its configured height.
    pub(super) percent: u64,
    /// What was spent, with what is set aside.
    pub(super) spent: Amount,
}

/// How what was spent changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    /// What is spent or set aside from now on.
    pub(super) plus: Amount,
    /// What was, and is not any more.
    pub(super) minus: Amount,
}

impl SpendingCache {
    /// Returns the day that is spent on now.
    pub(super) async fn today(&self, tx: &mut Tx) -> Result<Day, StoreError> {
        let latest = self.latest_day(tx).await?;
        Ok(Day::now(latest))
    }

    /// Returns the latest day on which anything was spent, if anything ever was.
    async fn latest_day(&self, tx: &mut Tx) -> Result<Option<Day>, StoreError> {
        let known = self.at(tx).latest;
        if let LatestDay::Read(day) = known {
            return Ok(day);
        }
        let latest = usage::latest_day(tx).await?;
        let latest = latest.and_then(|day| Day::parse(&day));
        self.at(tx).latest = LatestDay::Read(latest);
        Ok(latest)
    }

    /// Returns a limit of a billing subject on a day; `None` where it is to be read.
    pub(super) fn limit(
        &self,
        tx: &Tx,
        payer: &BillingSubject,
        scope: Scope,
        day: Day,
    ) -> Option<KnownLimit> {
        let known = self.at(tx);
        let key = Key::of(payer, scope)?;
        (known.day == Some(day))
            .then(|| known.limits.get(&key).copied())
            .flatten()
    }

    /// Notes a limit that was read. The limits of another day are let go of.
    pub(super) fn note_limit(
        &self,
        tx: &Tx,
        payer: &BillingSubject,
        scope: Scope,
        day: Day,
        limit: KnownLimit,
    ) {
        let Some(key) = Key::of(payer, scope) else {
            return;
        };
        let mut known = self.at(tx);
        if known.day != Some(day) || known.limits.len() >= MOST_KEPT {
            known.limits.clear();
            known.day = Some(day);
        }
        known.limits.insert(key, limit);
    }

    /// Notes that a turn begins, which has spent nothing.
    pub(super) fn begin_turn(&self, tx: &Tx, turn: TurnId) {
        let mut known = self.at(tx);
        if known.day.is_some() && known.limits.len() < MOST_KEPT {
            let limit = KnownLimit {
                percent: 100,
                spent: Amount::default(),
            };
            known.limits.insert(Key::Turn(turn), limit);
        }
    }

    /// Notes what a model call of a turn changes, whose row is written later ([`Self::change`] for all
    /// else).
    pub(super) fn change_by_call(&self, tx: &Tx, payer: &BillingSubject, day: Day, change: Change) {
        if let Some(turn) = payer.turn {
            let mut known = self.at(tx);
            let unwritten = known.unwritten.entry(turn).or_default();
            unwritten.tokens += change.plus.tokens as i64 - change.minus.tokens as i64;
            unwritten.micros += change.plus.micros as i64 - change.minus.micros as i64;
        }
        self.change(tx, payer, day, change);
    }

    /// Notes what a billing subject spends on a day, whose rows are all written.
    pub(super) fn change(&self, tx: &Tx, payer: &BillingSubject, day: Day, change: Change) {
        let mut known = self.at(tx);
        if let LatestDay::Read(latest) = &mut known.latest {
            *latest = (*latest).max(Some(day));
        }
        if known.day != Some(day) {
            // Bookings of a day that is over change the month, and are rare.
            known.limits.clear();
            return;
        }
        for scope in Scope::ALL {
            let key = Key::of(payer, scope);
            if let Some(limit) = key.and_then(|key| known.limits.get_mut(&key)) {
                limit.spent = limit.spent.plus(change.plus).minus(change.minus);
            }
        }
    }

    /// Returns what a turn has spent that is not in its row; `None` where nothing is known of it.
    pub(super) fn unwritten(&self, turn: TurnId) -> Option<OpenAmount> {
        self.lock().unwritten.get(&turn).copied()
    }

    /// Notes that all of it is written.
    pub(super) fn note_written(&self, turn: TurnId) {
        self.lock().unwritten.remove(&turn);
    }

    /// Returns what is known as a transaction sees it.
    fn at(&self, tx: &Tx) -> MutexGuard<'_, Known> {
        let mut known = self.lock();
        if known.version != tx.version() {
            *known = Known {
                version: tx.version(),
                unwritten: std::mem::take(&mut known.unwritten),
                ..Known::default()
            };
        }
        known
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Key {
    fn of(payer: &BillingSubject, scope: Scope) -> Option<Self> {
        match scope {
            Scope::Turn => payer.turn.map(Self::Turn),
            Scope::User => Some(Self::User(payer.user)),
            Scope::Routine => payer.routine.clone().map(Self::Routine),
            Scope::Instance => Some(Self::Instance),
            Scope::Month => Some(Self::Month),
        }
    }
}
