//! Which call of a fake platform meets which fault.

use std::collections::{HashMap, VecDeque};

use crate::calls::Named;

type Rule<C, F> = Box<dyn Fn(&C) -> Option<F> + Send>;

/// The faults to come.
pub(crate) struct Faults<C, F> {
    next: HashMap<String, VecDeque<F>>,
    rules: Vec<Rule<C, F>>,
}

impl<C, F> Default for Faults<C, F> {
    fn default() -> Self {
        Self {
            next: HashMap::new(),
            rules: Vec::new(),
        }
    }
}

impl<C: Named, F> Faults<C, F> {
    pub(crate) fn queue(&mut self, name: &str, fault: F) {
        self.next
            .entry(name.to_owned())
            .or_default()
            .push_back(fault);
    }

    pub(crate) fn add_rule(&mut self, rule: Rule<C, F>) {
        self.rules.push(rule);
    }

    pub(crate) fn clear(&mut self) {
        self.next.clear();
        self.rules.clear();
    }

    /// Returns the fault for this call: the queued one of its name first, then the first rule that speaks.
    pub(crate) fn take(&mut self, call: &C) -> Option<F> {
        let queued = self.next.get_mut(call.name()).and_then(VecDeque::pop_front);
        queued.or_else(|| self.rules.iter().find_map(|rule| rule(call)))
    }
}
