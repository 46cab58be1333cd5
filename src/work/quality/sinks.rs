//! Which rules an event breaks.

use regex::bytes::Regex;
use tree_sitter::Node;

use crate::abstract_value::{Cleaned, Trust, Value};
use crate::flow::{ArgumentValue, Event};
use crate::grammar::Family;
use crate::report::Severity;
use crate::rules::{Catalogue, Condition, EventKind, Expression, Match, Rule, State};
use crate::tokens::text_of;

/// A rule that is broken somewhere.
pub(crate) struct Broken<'t> {
    pub(crate) rule: &'static Rule,
    pub(crate) severity: Severity,
    pub(crate) node: Node<'t>,
}

/// The rules for one file.
pub(crate) struct Sinks<'t> {
    catalogue: &'static Catalogue,
    family: Family,
    text: &'t str,
    pub(crate) broken: Vec<Broken<'t>>,
}

/// What conditions are asked of.
struct Asked<'e, 't> {
    node: Node<'t>,
    receiver: Option<&'e Value>,
    arguments: &'e [ArgumentValue<'t>],
    /// The assigned value.
    value: Option<&'e Value>,
}

impl<'t> Sinks<'t> {
    pub(crate) fn new(family: Family, text: &'t str) -> Self {
        Self {
            catalogue: Catalogue::get(),
            family,
            text,
            broken: Vec::new(),
        }
    }

    /// Looks at an event.
    pub(crate) fn check(&mut self, event: &Event<'_, 't>) {
        let (kind, paths, asked) = match event {
            Event::Call(call) => (
                EventKind::Call,
                [call.path, call.written],
                Asked {
                    node: call.node,
                    receiver: Some(call.receiver),
                    arguments: call.arguments,
                    value: None,
                },
            ),
            Event::Assign { node, path, value } => (
                EventKind::Assign,
                [*path, *path],
                Asked {
                    node: *node,
                    receiver: None,
                    arguments: &[],
                    value: Some(value),
                },
            ),
            Event::Import { node, path } => (
                EventKind::Import,
                [*path, *path],
                Asked {
                    node: *node,
                    receiver: None,
                    arguments: &[],
                    value: None,
                },
            ),
        };
        let mut broken = Vec::new();
        for (rule, found) in self.catalogue.of_path(kind, self.family, paths) {
            if self.is_so(found, &asked) {
                broken.push((rule.id.as_str(), found.severity.unwrap_or(rule.severity)));
            }
        }
        for (id, severity) in broken {
            if let Some(rule) = self.catalogue.rule(id) {
                let node = asked.node;
                self.broken.push(Broken {
                    rule,
                    severity,
                    node,
                });
            }
        }
    }

    fn is_so(&self, found: &Match, asked: &Asked<'_, 't>) -> bool {
        let clean = Cleaned::of(&found.unless_cleaned);
        let is_file = found.if_file.as_ref().is_none_or(|it| it.is_in(self.text));
        let is_other = found
            .unless_file
            .as_ref()
            .is_some_and(|it| it.is_in(self.text));
        let mut conditions = found.when.iter();
        is_file
            && !is_other
            && conditions.all(|condition| self.holds(condition, asked, clean))
            && (found.near.as_ref()).is_none_or(|words| self.is_near(asked.node, words))
    }

    /// Returns whether the statement around a node, or the head of the function around it, has one of
    /// the words: what a value goes into is named there.
    fn is_near(&self, node: Node<'t>, words: &Expression) -> bool {
        let mut outer = node;
        while let Some(parent) = outer.parent() {
            if self.family.is_function(parent) {
                let head = parent.start_byte()..Self::body_start(parent);
                return words.is_in(self.text.get(head).unwrap_or_default())
                    || words.is_in(self.statement(node, parent));
            }
            if parent.parent().is_none() {
                break;
            }
            outer = parent;
        }
        words.is_in(text_of(outer, self.text))
    }

    fn body_start(function: Node<'t>) -> usize {
        let body = function.child_by_field_name("body");
        body.map_or(function.end_byte(), |body| body.start_byte())
    }

    /// The outermost statement of a function that holds a node.
    fn statement(&self, node: Node<'t>, function: Node<'t>) -> &'t str {
        let Some(body) = function.child_by_field_name("body") else {
            return "";
        };
        let mut outer = node;
        while let Some(parent) = outer.parent() {
            if parent == body || parent == function {
                break;
            }
            outer = parent;
        }
        text_of(outer, self.text)
    }

    fn holds(&self, condition: &Condition, asked: &Asked<'_, 't>, clean: Cleaned) -> bool {
        if let Some(code) = &condition.code {
            return code.is_in(text_of(asked.node, self.text)) != condition.not;
        }
        let values = values(condition, asked);
        let mut values = values.iter();
        values.any(|value| fits(condition, value, clean)) != condition.not
    }
}

/// The values that a condition is about.
fn values(condition: &Condition, asked: &Asked<'_, '_>) -> Vec<Value> {
    if condition.receiver {
        return asked.receiver.cloned().into_iter().collect();
    }
    if let Some(value) = asked.value {
        return vec![value.clone()];
    }
    let mut found = Vec::new();
    if let Some(keyword) = &condition.keyword {
        let (name, key) = keyword.split_once('.').unwrap_or((keyword, ""));
        let named = asked.arguments.iter().filter(|it| it.name == Some(name));
        found.extend(named.map(|it| it.value.clone()));
        // Options in a table, as JavaScript has them.
        let entries = asked
            .arguments
            .iter()
            .filter_map(|it| it.value.at(&Value::text(name)));
        found.extend(entries);
        if !key.is_empty() {
            let inner = found.iter().filter_map(|it| it.at(&Value::text(key)));
            found = inner.collect();
        }
    }
    let plain = asked.arguments.iter().filter(|it| it.name.is_none());
    let plain: Vec<_> = plain.map(|it| &it.value).collect();
    if let Some(number) = condition.argument {
        found.extend(plain.get(number).map(|value| (*value).clone()));
    }
    if let Some(from) = condition.from {
        found.extend(plain.iter().skip(from).map(|value| (*value).clone()));
    }
    found
}

fn fits(condition: &Condition, value: &Value, clean: Cleaned) -> bool {
    if let Some(expression) = &condition.matches {
        let text = value.text.as_deref();
        let in_items = value.items.iter().flatten();
        let mut texts = text
            .into_iter()
            .chain(in_items.filter_map(|it| it.text.as_deref()));
        if !texts.any(|text| expression.is_in(text)) {
            return false;
        }
    }
    let is_clean = value.cleaned.holds(clean);
    let trust = value.deep_trust();
    match condition.is {
        None | Some(State::Given) => true,
        Some(State::Slow) => value.text.as_deref().is_some_and(is_slow_expression),
        Some(State::Constant) => trust == Trust::Constant,
        Some(State::Dynamic) => trust > Trust::Constant && !is_clean,
        Some(State::Built) => value.is_built && trust > Trust::Constant && !is_clean,
        Some(State::Parameter) => trust >= Trust::Parameter && !is_clean,
        Some(State::Request) => trust == Trust::Request && !is_clean,
    }
}

/// Returns the line of the first mark that turns the order of a text around, so that code hides what it
/// says (CVE-2021-42574).
pub(crate) fn hidden_order(text: &str) -> Option<usize> {
    let is_mark = |sign: char| matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let at = text.find(is_mark)?;
    Some(text.get(..at)?.matches('\n').count() + 1)
}

/// Returns whether an expression may take time that grows exponentially: a repeated group that itself
/// ends in a repetition, such as `(a+)+`.
pub(crate) fn is_slow_expression(expression: &str) -> bool {
    static NESTED: std::sync::OnceLock<Option<Regex>> = std::sync::OnceLock::new();
    let nested = NESTED.get_or_init(|| {
        Regex::new(
            r"(?-u)\((?:\?:)?(?:[^()\\]|\\.)*[+*](?:\$|\))?\)[+*]|\(([a-z]+)\|([a-z]+)\)[+*]\$",
        )
        .ok()
    });
    nested
        .as_ref()
        .is_some_and(|nested| nested.is_match(expression.as_bytes()))
}
