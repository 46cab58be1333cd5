//! Faults that a test has the server commit, and which call gets which.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::calls::Call;
use crate::Gate;

/// What goes wrong with a call.
#[derive(Clone, Debug)]
pub enum Fault {
    /// 429; nothing is done.
    TooManyRequests {
        /// Seconds that the caller is told to wait.
        retry_after: u64,
    },
    /// 500; nothing is done.
    ServerError,
    /// 502 with an HTML page, as a proxy in between answers; nothing is done.
    BadGateway,
    /// 409, as when another instance polls; nothing is done.
    Conflict,
    /// Any other refusal, with the full description; nothing is done.
    Refuse {
        /// The `error_code` and status.
        code: u16,
        /// The `description`.
        description: String,
    },
    /// The connection breaks and nothing is done.
    DropBefore,
    /// The call is done, then the connection breaks: the caller cannot know.
    DropAfter,
    /// The call is done after this long.
    Delay(Duration),
    /// The call is done once the gate is open.
    Hold(Gate),
    /// The call is done, its answer waits for the gate.
    HoldAnswer(Gate),
}

type Rule = Box<dyn Fn(&Call) -> Option<Fault> + Send>;

/// The faults to come.
#[derive(Default)]
pub(crate) struct Faults {
    next: HashMap<String, VecDeque<Fault>>,
    rules: Vec<Rule>,
}

impl Faults {
    pub(crate) fn queue(&mut self, method: &str, fault: Fault) {
        self.next
            .entry(method.to_owned())
            .or_default()
            .push_back(fault);
    }

    pub(crate) fn add_rule(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    pub(crate) fn clear(&mut self) {
        self.next.clear();
        self.rules.clear();
    }

    /// Returns the fault for this call: the queued one of its method first, then the first rule that speaks.
    pub(crate) fn take(&mut self, call: &Call) -> Option<Fault> {
        let queued = self
            .next
            .get_mut(&call.method)
            .and_then(VecDeque::pop_front);
        queued.or_else(|| self.rules.iter().find_map(|rule| rule(call)))
    }
}
