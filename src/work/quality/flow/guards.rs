//! Conditions that check a value: after `if name not in ALLOWED: return` the name is known.

use super::{Flow, written};
use crate::abstract_value::Trust;
use crate::code::{Code, Kind};

/// Methods that say whether a list has a value, with the value as their argument.
const MEMBERSHIP: [&str; 9] = [
    "includes",
    "contains",
    "has",
    "containsKey",
    "contains_key",
    "test",
    "fullmatch",
    "hasOwnProperty",
    "MatchString",
];
/// Methods that say how a text begins.
const PREFIX: [&str; 6] = [
    "startswith",
    "startsWith",
    "starts_with",
    "HasPrefix",
    "is_relative_to",
    "IsLocal",
];

/// A name that a condition checks.
struct Guard {
    name: String,
    /// Whether the check holds when the condition does.
    holds: bool,
    /// What the name is clean for afterwards.
    clean: &'static str,
}

impl<'t> Flow<'_, 't, '_> {
    /// Takes a condition for true or false.
    pub(super) fn guard(&mut self, condition: &Code<'t>, is_true: bool) {
        let mut guards = Vec::new();
        self.find(condition, true, is_true, &mut guards);
        for guard in guards {
            if guard.holds == is_true
                && let Some(value) = self.names.get_mut(&guard.name)
            {
                *value = std::mem::take(value).cleaned_for(guard.clean);
            }
        }
    }

    fn find(&self, code: &Code<'t>, is_plain: bool, is_true: bool, found: &mut Vec<Guard>) {
        match &code.kind {
            Kind::Binary("in", left, right) => self.member_of(left, right, is_plain, found),
            Kind::Binary("not in" | "not", left, right) => {
                self.member_of(left, right, !is_plain, found);
            }
            // All of them hold, or none does.
            Kind::Binary("&&" | "and", left, right) if is_true == is_plain => {
                self.find(left, is_plain, is_true, found);
                self.find(right, is_plain, is_true, found);
            }
            Kind::Binary("||" | "or", left, right) if is_true != is_plain => {
                self.find(left, is_plain, is_true, found);
                self.find(right, is_plain, is_true, found);
            }
            Kind::Other(inner) => {
                if let [inner] = inner.as_slice() {
                    let first = code.node.child(0);
                    let is_not = first.is_some_and(|it| matches!(it.kind(), "!" | "not"));
                    self.find(inner, is_plain != is_not, is_true, found);
                }
            }
            Kind::Call(call) => {
                let Kind::Member(of, method) = &call.callee.kind else {
                    return;
                };
                let argument = call.arguments.last().and_then(|it| written(&it.value));
                let first = call.arguments.first().and_then(|it| written(&it.value));
                let (name, clean) = if MEMBERSHIP.contains(method) && self.is_ours(of) {
                    (argument, "all")
                } else if *method == "HasPrefix" || *method == "IsLocal" {
                    (first, "path")
                } else if PREFIX.contains(method) {
                    (written(of), "path")
                } else if *method == "matches" {
                    (written(of), "all")
                } else {
                    return;
                };
                found.extend(name.map(|name| Guard {
                    name,
                    holds: is_plain,
                    clean,
                }));
            }
            _ => {}
        }
    }

    fn member_of(&self, left: &Code<'t>, right: &Code<'t>, holds: bool, found: &mut Vec<Guard>) {
        if let Some(name) = written(left).filter(|_| self.is_ours(right)) {
            let clean = "all";
            found.push(Guard { name, holds, clean });
        }
    }

    /// Whether something is not under the control of the one who gives the value to be checked.
    fn is_ours(&self, code: &Code<'t>) -> bool {
        match &code.kind {
            Kind::Name(name) => {
                let known = self.names.get(*name);
                known.is_none_or(|value| value.deep_trust() < Trust::Parameter)
            }
            Kind::Text(_) | Kind::List(_) | Kind::Table(_) | Kind::Member(..) => true,
            Kind::Call(call) => call.creates || call.arguments.len() <= 1,
            _ => false,
        }
    }
}
