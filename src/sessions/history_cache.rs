//! The ended turns of sessions as later turns are shown them, as far as this process knows them: a
//! turn that goes on in a session must not read and parse its last fifty messages each time.
//!
//! What is known of a session is a stretch of its history without gaps. A turn that ends is added
//! behind it, folded from the same entries that its journal has. What is behind the stretch, such as
//! the end that another process wrote, is read from the database and added.
//!
//! It holds for one version of the database (`Store::version`): erasing, forgetting, deleting what
//! is old, undoing files, and each write of another program make a new one. A new conversation
//! (`/new`) and a compaction move where the history begins, and that is asked for each time. Where
//! a lease was lost, the turn ends elsewhere, and nothing is added.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sayso_core::transcript::{
    Past, SessionId, TurnId, TurnState, UserId, clear_old_reasoning_content,
};
use sayso_store::history::{self, EndedTurnRow};
use sayso_store::{Store, StoreError};

/// How many bytes of messages are kept at most, over all sessions. Those that were not used for the
/// longest time go first.
const MOST_BYTES: usize = 4 << 20;
/// What a turn takes beside its messages, in bytes.
const BYTES_OF_TURN: usize = 256;

/// The cache of one process. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct HistoryCache {
    /// Held for one look or change; all sessions share it.
    known: Arc<Mutex<Known>>,
}

/// A turn that has ended, as later turns are shown it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EndedTurn {
    /// The turn.
    pub(super) turn: TurnId,
    /// For whom it acted.
    pub(super) user: UserId,
    /// The project that it worked in.
    pub(super) project: Option<String>,
    /// Its place in the history of its session.
    pub(super) place: i64,
    /// Its messages, without the chain of thought.
    pub(super) past: Past,
    bytes: usize,
}

/// Which turns of a session are asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Those behind this place.
    pub(super) since: i64,
    /// Up to this one.
    pub(super) until: i64,
    /// How many at most, the newest of them.
    pub(super) limit: usize,
}

#[derive(Debug, Default)]
struct Known {
    sessions: HashMap<SessionId, Stretch>,
    /// The sessions in the order in which they were used.
    used: BTreeMap<u64, SessionId>,
    last_use: u64,
    bytes: usize,
}

/// The turns of a session with places in `(from, until]`, all of them, in their order.
#[derive(Debug)]
struct Stretch {
    version: u64,
    from: i64,
    until: i64,
    turns: Vec<Arc<EndedTurn>>,
    used: u64,
}

impl EndedTurn {
    /// Returns what later turns are shown of an ended turn. Entries that are no part of the history
    /// change nothing in its state.
    pub(super) fn of(
        turn: TurnId,
        user: UserId,
        project: Option<String>,
        place: i64,
        state: TurnState,
    ) -> Self {
        let mut past = state.into_history();
        clear_old_reasoning_content(&mut past.messages);
        past.turns = vec![turn];
        let text = serde_json::to_string(&past.messages).unwrap_or_default();
        Self {
            turn,
            user,
            project,
            place,
            past,
            bytes: BYTES_OF_TURN + text.len(),
        }
    }

    fn read(row: &EndedTurnRow) -> Arc<Self> {
        let state = TurnState::fold(&row.entries);
        Arc::new(Self::of(
            row.turn,
            row.user,
            row.project.clone(),
            row.place,
            state,
        ))
    }
}

impl HistoryCache {
    /// Returns the ended turns of a session that are asked for, oldest first.
    pub(super) async fn turns(
        &self,
        store: &Store,
        session: SessionId,
        span: Span,
    ) -> Result<Vec<Arc<EndedTurn>>, StoreError> {
        let version = store.version();
        let (mut turns, known_until) = self.known().turns(version, session, span);
        if known_until >= span.until {
            return Ok(turns);
        }
        let limit = span.limit as i64;
        let rows =
            history::ended_turns(store.reader(), session, known_until, span.until, limit).await?;
        turns.extend(rows.iter().map(EndedTurn::read));
        keep_newest(&mut turns, span.limit);
        let from = match turns.first() {
            Some(oldest) if turns.len() == span.limit => oldest.place - 1,
            _ => span.since,
        };
        self.known().keep(
            session,
            Stretch {
                version,
                from,
                until: span.until,
                turns: turns.clone(),
                used: 0,
            },
        );
        Ok(turns)
    }

    /// Notes a turn whose end was committed by a transaction of this version. At most `limit` turns
    /// of its session are kept.
    pub(super) fn note_end(
        &self,
        version: u64,
        session: SessionId,
        ended: EndedTurn,
        limit: usize,
    ) {
        let mut known = self.known();
        let place = ended.place;
        let before = known
            .take(session)
            .filter(|it| it.version == version && it.until == place - 1);
        let mut stretch = before.unwrap_or(Stretch {
            version,
            from: place - 1,
            until: place,
            turns: Vec::new(),
            used: 0,
        });
        stretch.until = place;
        stretch.turns.push(Arc::new(ended));
        if let Some(gone) = keep_newest(&mut stretch.turns, limit) {
            stretch.from = gone;
        }
        known.keep(session, stretch);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Drops the oldest turns; returns the place of the newest of those.
fn keep_newest(turns: &mut Vec<Arc<EndedTurn>>, limit: usize) -> Option<i64> {
    let too_many = turns.len().saturating_sub(limit);
    let mut gone = turns.drain(..too_many);
    gone.next_back().map(|turn| turn.place)
}

impl Known {
    /// Returns what is known of what is asked for, and up to which place that is all there is.
    fn turns(
        &mut self,
        version: u64,
        session: SessionId,
        span: Span,
    ) -> (Vec<Arc<EndedTurn>>, i64) {
        let unknown = (Vec::new(), span.since);
        let Some(stretch) = self.take(session) else {
            return unknown;
        };
        if stretch.version != version {
            return unknown;
        }
        let is_wanted =
            |turn: &&Arc<EndedTurn>| span.since < turn.place && turn.place <= span.until;
        let mut turns: Vec<_> = stretch.turns.iter().filter(is_wanted).cloned().collect();
        let is_all = stretch.from <= span.since || turns.len() >= span.limit;
        let until = stretch.until.clamp(span.since, span.until.max(span.since));
        self.keep(session, stretch);
        if !is_all {
            return unknown;
        }
        keep_newest(&mut turns, span.limit);
        (turns, until)
    }

    fn take(&mut self, session: SessionId) -> Option<Stretch> {
        let stretch = self.sessions.remove(&session)?;
        self.used.remove(&stretch.used);
        self.bytes -= stretch.bytes();
        Some(stretch)
    }

    /// Keeps what is known of a session, as the one that was used last.
    fn keep(&mut self, session: SessionId, mut stretch: Stretch) {
        self.take(session);
        self.last_use += 1;
        stretch.used = self.last_use;
        self.bytes += stretch.bytes();
        self.used.insert(stretch.used, session);
        self.sessions.insert(session, stretch);
        while self.bytes > MOST_BYTES
            && let Some((_, oldest)) = self.used.first_key_value()
        {
            let oldest = *oldest;
            self.take(oldest);
        }
    }
}

impl Stretch {
    fn bytes(&self) -> usize {
        let turns = self.turns.iter().map(|turn| turn.bytes);
        BYTES_OF_TURN + turns.sum::<usize>()
    }
}

#[cfg(test)]
#[path = "history_cache_tests.rs"]
mod tests;
