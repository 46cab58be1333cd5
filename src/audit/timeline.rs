//! A turn as it happened, for people: its journal with times, and the names of who took part.

use std::collections::BTreeMap;

use sayso_core::transcript::{Entry, TurnId, TurnOutcome, UserId, Verdict};
use sayso_store::traces::{self, TracedTurn};
use sayso_store::{Readers, StoreError};

/// A turn as it happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// The turn.
    pub turn: TracedTurn,
    /// Its journal, each entry with its time in milliseconds since 1970.
    pub entries: Vec<(i64, Entry)>,
    /// How people see the users in it.
    pub names: BTreeMap<UserId, String>,
}

impl Timeline {
    /// Reads a turn, or with `None` the one that began last; `None` when there is no such turn.
    pub async fn load(readers: &Readers, turn: Option<TurnId>) -> Result<Option<Self>, StoreError> {
        let Some(turn) = traces::traced(readers, turn).await? else {
            return Ok(None);
        };
        let rows = traces::journal_before(readers, turn.id, i64::MAX).await?;
        let entries: Vec<(i64, Entry)> = rows
            .iter()
            .map(|row| Ok((row.at_ms, row.entry()?)))
            .collect::<Result<_, StoreError>>()?;
        let mut names = BTreeMap::new();
        let others = entries.iter().filter_map(|(_, entry)| who(entry));
        for user in others.chain([turn.user_id]) {
            if let Some(name) = traces::name_of(readers, user).await? {
                names.insert(user, name);
            }
        }
        Ok(Some(Self {
            turn,
            entries,
            names,
        }))
    }

    /// Returns how people see a user.
    pub fn name(&self, user: UserId) -> &str {
        self.names.get(&user).map_or("?", String::as_str)
    }
}

/// Returns who decided something in an entry.
fn who(entry: &Entry) -> Option<UserId> {
    match entry {
        Entry::Decided(decided) => match &decided.verdict {
            Verdict::Approved { by } | Verdict::Denied { by, .. } => Some(*by),
            Verdict::Expired => None,
        },
        Entry::Ended {
            outcome: TurnOutcome::Stopped { by, .. },
        } => Some(*by),
        Entry::Undone(done) | Entry::Redone(done) => Some(done.by),
        Entry::Started(_)
        | Entry::Heard(_)
        | Entry::Fetched(_)
        | Entry::Routed(_)
        | Entry::Planned(_)
        | Entry::Replied(_)
        | Entry::Issued(_)
        | Entry::Consulted(_)
        | Entry::Called { .. }
        | Entry::Returned(_)
        | Entry::Held { .. }
        | Entry::Noted { .. }
        | Entry::Compacted(_)
        | Entry::Condensed(_)
        | Entry::Ended { .. } => None,
    }
}
