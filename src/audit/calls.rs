//! The calls of a turn as its journal shows them: which tool, who decided, when it began.

use std::collections::BTreeMap;

use sayso_core::transcript::{CallId, Entry, ToolCall, Verdict};
use serde_json::Value;

/// The calls of a turn so far.
#[derive(Debug, Clone, Default)]
pub struct CallsSeen {
    calls: BTreeMap<CallId, Seen>,
}

/// One call of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The name of the tool, as the model wrote it.
    pub tool: String,
    /// The arguments, as the model wrote them.
    pub arguments: Value,
    /// What was decided when it was held.
    pub verdict: Option<Verdict>,
    /// When it was started, in milliseconds since 1970.
    pub called_ms: Option<i64>,
}

impl CallsSeen {
    /// Folds entries, whenever they were written.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut calls = Self::default();
        for entry in entries {
            calls.apply(entry, 0);
        }
        calls
    }

    /// Takes an entry into account that was written at this time.
    pub fn apply(&mut self, entry: &Entry, at_ms: i64) {
        match entry {
            Entry::Replied(replied) => self.begin(&replied.message.calls),
            Entry::Issued(issued) => self.begin(&issued.calls),
            Entry::Called { call } => self.change(call, |seen| seen.called_ms = Some(at_ms)),
            Entry::Held { calls } => {
                for call in calls {
                    self.change(call, |seen| seen.verdict = None);
                }
            }
            Entry::Decided(decided) => {
                let verdict = decided.verdict.clone();
                self.change(&decided.call, |seen| seen.verdict = Some(verdict));
            }
            Entry::Started(_)
            | Entry::Heard(_)
            | Entry::Fetched(_)
            | Entry::Routed(_)
            | Entry::Planned(_)
            | Entry::Consulted(_)
            | Entry::Returned(_)
            | Entry::Noted { .. }
            | Entry::Compacted(_)
            | Entry::Condensed(_)
            | Entry::Undone(_)
            | Entry::Redone(_)
            | Entry::Ended { .. } => {}
        }
    }

    /// Takes the calls of a new step; those of earlier ones have their results.
    fn begin(&mut self, calls: &[ToolCall]) {
        let seen = calls.iter().map(|call| {
            let seen = Seen {
                tool: call.name.clone(),
                arguments: call.arguments.clone(),
                verdict: None,
                called_ms: None,
            };
            (call.id.clone(), seen)
        });
        self.calls = seen.collect();
    }

    /// Returns a call.
    pub fn get(&self, call: &CallId) -> Option<&Seen> {
        self.calls.get(call)
    }

    fn change(&mut self, call: &CallId, change: impl FnOnce(&mut Seen)) {
        if let Some(seen) = self.calls.get_mut(call) {
            change(seen);
        }
    }
}
