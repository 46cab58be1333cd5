//! Conditions, switches, loops and the ends of statements.

use super::{End, Flow, Names};
use crate::abstract_value::Value;
use crate::code::{Case, Code, If, Kind};

impl<'t> Flow<'_, 't, '_> {
    pub(super) fn control(&mut self, code: &Code<'t>) -> Value {
        match &code.kind {
            Kind::Block(all) => self.block(all),
            Kind::If(condition) => self.condition(condition),
            Kind::Switch(subject, cases) => self.switch(subject, cases),
            Kind::Loop(all) => {
                let before = self.names.clone();
                let value = self.block(all);
                self.end = End::Goes;
                self.merge(before);
                value
            }
            Kind::Return(value) => {
                let value = match value {
                    Some(value) => self.value(value),
                    None => Value::constant(),
                };
                self.end = End::Returns;
                self.returned = Some(match self.returned.take() {
                    Some(other) => other.either(value),
                    None => value,
                });
                Value::default()
            }
            Kind::Leave(all) => {
                for code in all {
                    self.value(code);
                }
                let kind = code.node.kind();
                let is_break = kind.starts_with("break") || kind.starts_with("continue");
                self.end = if is_break { End::Breaks } else { End::Returns };
                Value::default()
            }
            _ => Value::default(),
        }
    }

    /// Returns the value of the last statement. What follows an end is looked at for itself.
    fn block(&mut self, all: &[Code<'t>]) -> Value {
        let mut last = Value::default();
        let mut end = self.end;
        for code in all {
            last = self.value(code);
            end = end.max(self.end);
        }
        self.end = end;
        last
    }

    fn condition(&mut self, found: &If<'t>) -> Value {
        let condition = self.value(&found.condition);
        match (condition.as_boolean(), &found.otherwise) {
            (Some(true), _) => return self.value(&found.then),
            (Some(false), Some(otherwise)) => return self.value(otherwise),
            (Some(false), None) => return Value::constant(),
            (None, _) => {}
        }
        let before = self.names.clone();
        let outer = self.end;
        self.end = End::Goes;
        self.guard(&found.condition, true);
        let then = self.value(&found.then);
        let then_end = std::mem::replace(&mut self.end, End::Goes);
        let after_then = std::mem::replace(&mut self.names, before);
        self.guard(&found.condition, false);
        let otherwise = match &found.otherwise {
            Some(otherwise) => self.value(otherwise),
            None => then.clone(),
        };
        let otherwise_end = std::mem::replace(&mut self.end, End::Goes);
        match (then_end, otherwise_end) {
            (End::Goes, End::Goes) => self.merge(after_then),
            (End::Goes, _) => self.names = after_then,
            (_, _) => {}
        }
        self.end = outer.max(then_end.min(otherwise_end));
        then.either(otherwise)
    }

    fn switch(&mut self, subject: &Code<'t>, cases: &[Case<'t>]) -> Value {
        let subject = self.value(subject);
        let known = subject.whole_text().map(str::to_owned);
        let known = known.and_then(|text| self.case_of(&text, cases));
        if let Some(first) = known {
            let mut last = Value::default();
            for case in cases.iter().skip(first) {
                last = self.block(&case.body);
                if self.end != End::Goes {
                    break;
                }
            }
            if self.end == End::Breaks {
                self.end = End::Goes;
            }
            return last;
        }
        let before = self.names.clone();
        let mut merged: Option<Names> = None;
        let mut value: Option<Value> = None;
        for case in cases {
            self.names.clone_from(&before);
            let last = self.block(&case.body);
            value = Some(match value.take() {
                Some(other) => other.either(last),
                None => last,
            });
            if self.end != End::Returns {
                if let Some(other) = merged.take() {
                    self.merge(other);
                }
                merged = Some(std::mem::take(&mut self.names));
            }
            self.end = End::Goes;
        }
        self.names = merged.unwrap_or(before);
        value.unwrap_or_default()
    }

    /// The case of a known subject, else the default.
    fn case_of(&mut self, text: &str, cases: &[Case<'t>]) -> Option<usize> {
        let mut default = None;
        for (number, case) in cases.iter().enumerate() {
            if case.values.is_empty() {
                default = Some(number);
            }
            for value in &case.values {
                let value = self.value(value);
                if value.whole_text()? == text {
                    return Some(number);
                }
            }
        }
        default
    }

    /// Each name is what it is here, or what it is on another way.
    fn merge(&mut self, other: Names) {
        for (name, value) in other {
            match self.names.get_mut(&name) {
                Some(known) => *known = std::mem::take(known).either(value),
                None => {
                    self.names.insert(name, value);
                }
            }
        }
    }
}
