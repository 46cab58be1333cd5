//! Functions that are hard to follow, and code that is hard to change.
//!
//! Limits are counted in statements, names and literals, not in lines: a formatter changes nothing. The
//! limit of complexity is that of McCabe's paper (10) with room for flat matches; 15 is what `lizard`
//! and most linters warn at.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::complexity::{Function, parameters};
use crate::grammar::Family;
use crate::tokens::{Step, leaves, line_of, parts, text_of, visit};

/// From which complexity on a function is reported, and from which on it counts more.
const COMPLEXITY: [usize; 2] = [15, 30];
/// From how many levels of nesting on a function is reported.
const NESTING: usize = 5;
/// From how many statements on a function is reported.
const STATEMENTS: usize = 60;
/// From how many parameters on a function is reported, without its receiver.
const PARAMETERS: usize = 7;
/// From how many methods on a class is reported, if it also has this many statements.
const CLASS: [usize; 2] = [25, 250];
/// From how many statements on a file is reported.
const FILE_STATEMENTS: usize = 1200;

/// A smell.
pub(crate) struct Smell<'t> {
    /// The id of the rule.
    pub(crate) rule: &'static str,
    pub(crate) node: Node<'t>,
    /// What it is about: a name.
    pub(crate) name: String,
    pub(crate) measure: usize,
}

/// Finds the smells of a file.
pub(crate) fn smells<'t>(
    family: Family,
    root: Node<'t>,
    text: &str,
    functions: &[Function<'t>],
) -> Vec<Smell<'t>> {
    let mut found = Vec::new();
    for function in functions {
        of_function(family, function, text, &mut found);
    }
    of_classes(family, root, text, &mut found);
    let mut statements = 0;
    visit(root, |node| {
        statements += usize::from(Family::is_statement(node));
        Step::Into
    });
    if statements > FILE_STATEMENTS {
        found.push(Smell {
            rule: "god-file",
            node: root,
            name: String::new(),
            measure: statements,
        });
    }
    found
}

fn of_function<'t>(
    family: Family,
    function: &Function<'t>,
    text: &str,
    found: &mut Vec<Smell<'t>>,
) {
    let report = &function.report;
    let mut add = |rule: &'static str, measure: usize| {
        found.push(Smell {
            rule,
            node: function.node,
            name: report.name.clone(),
            measure,
        });
    };
    let [much, very_much] = COMPLEXITY;
    if report.complexity > very_much {
        add("complex-function-very", report.complexity);
    } else if report.complexity > much {
        add("complex-function", report.complexity);
    }
    if report.nesting > NESTING {
        add("complex-nesting", report.nesting);
    }
    if function.statements > STATEMENTS {
        add("long-function", function.statements);
    }
    let list = parameters(family, function.node);
    let own: Vec<_> = list
        .iter()
        .filter(|it| !is_receiver(text_of(**it, text)))
        .collect();
    if own.len() > PARAMETERS {
        add("many-parameters", own.len());
    }
    let unused = unused(family, function, text);
    if !unused.is_empty() {
        found.push(Smell {
            rule: "unused-parameter",
            node: function.node,
            name: format!("{}: {}", report.name, unused.join(", ")),
            measure: unused.len(),
        });
    }
}

fn is_receiver(parameter: &str) -> bool {
    let name = parameter
        .trim_start_matches(['&', ' '])
        .trim_start_matches("mut ");
    matches!(name, "self" | "cls" | "this") || name.starts_with("self:")
}

/// The parameters that a function does not use. Where its signature is given by others nothing is said:
/// in methods, except those of Rust outside of traits, in closures, and in short bodies that do nothing.
fn unused(family: Family, function: &Function<'_>, text: &str) -> Vec<String> {
    let node = function.node;
    let parent = node.parent();
    let is_free = match family {
        Family::Python => parent.is_some_and(|it| it.kind() == "module"),
        Family::Rust => {
            let owner = parent.and_then(|it| it.parent());
            let is_trait = owner.is_some_and(|it| {
                it.kind() == "trait_item" || it.child_by_field_name("trait").is_some()
            });
            !is_trait
        }
        Family::JavaScript | Family::Go => node.kind() == "function_declaration",
        Family::C | Family::Java => false,
    };
    let Some(body) = node.child_by_field_name("body").filter(|_| is_free) else {
        return Vec::new();
    };
    if function.statements < 2 {
        return Vec::new();
    }
    let used: BTreeSet<&str> = leaves(body)
        .into_iter()
        .map(|leaf| text_of(leaf, text))
        .collect();
    // Names may also stand in strings: `format!("{name}")`.
    let body_text = text_of(body, text);
    let mut found = Vec::new();
    for parameter in parameters(family, node) {
        let name = ["pattern", "name"]
            .iter()
            .find_map(|field| parameter.child_by_field_name(field))
            .unwrap_or(parameter);
        if name.kind() != "identifier" {
            continue;
        }
        let name = text_of(name, text);
        let is_marked = name.starts_with('_') || is_receiver(name);
        if !is_marked && !used.contains(name) && !body_text.contains(&format!("{{{name}")) {
            found.push(name.to_owned());
        }
    }
    found
}

fn of_classes<'t>(family: Family, root: Node<'t>, text: &str, found: &mut Vec<Smell<'t>>) {
    visit(root, |node| {
        if !family.is_class(node) {
            return Step::Into;
        }
        let (mut methods, mut statements) = (0, 0);
        if let Some(body) = node.child_by_field_name("body") {
            for member in parts(body) {
                let inner = match member.kind() {
                    "decorated_definition" => member.child_by_field_name("definition"),
                    _ => Some(member),
                };
                methods += usize::from(inner.is_some_and(|it| family.is_function(it)));
            }
            visit(body, |inner| {
                statements += usize::from(Family::is_statement(inner));
                Step::Into
            });
        }
        let [most_methods, most_statements] = CLASS;
        if methods > most_methods && statements > most_statements {
            let name = node
                .child_by_field_name("name")
                .or_else(|| node.child_by_field_name("type"));
            found.push(Smell {
                rule: "god-class",
                node,
                name: name.map_or_else(String::new, |it| text_of(it, text).to_owned()),
                measure: methods,
            });
        }
        Step::Into
    });
}

/// Returns the line of a smell.
pub(crate) fn line(smell: &Smell<'_>) -> usize {
    line_of(smell.node)
}
