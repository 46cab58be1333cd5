//! Functions and their cyclomatic complexity, counted as `lizard` 1.24 counts it.
//!
//! A function has one, and one more for each condition: `if`, loops, cases, `catch`, the conditional
//! operator, `&&` and `||`; in Rust also `?`, each arm of a `match` after the first, and `let ... else`;
//! in Python also each `except` and `finally`. `benches/quality.rs` compares the counts on public
//! packages.

use std::collections::HashMap;

use tree_sitter::Node;

use crate::grammar::Family;
use crate::report::FunctionReport;
use crate::tokens::{Step, line_of, parts, text_of, visit, walk};

/// A function and where it is in the tree.
pub(crate) struct Function<'t> {
    /// What is reported of it.
    pub(crate) report: FunctionReport,
    /// The whole of it.
    pub(crate) node: Node<'t>,
    /// How many statements it has, without those of functions inside.
    pub(crate) statements: usize,
}

/// A function whose end has not been reached.
struct Open<'t> {
    node: Node<'t>,
    conditions: usize,
    depth: usize,
    nesting: usize,
    statements: usize,
    place: usize,
}

/// Returns the functions of a file, in the order of their beginnings.
pub(crate) fn functions<'t>(family: Family, root: Node<'t>, text: &str) -> Vec<Function<'t>> {
    let open: std::cell::RefCell<Vec<Open<'t>>> = std::cell::RefCell::default();
    let done: std::cell::RefCell<Vec<(usize, Function<'t>)>> = std::cell::RefCell::default();
    let mut started = 0;
    let enter = |node: Node<'t>| {
        let mut open = open.borrow_mut();
        if family.is_function(node) {
            open.push(Open {
                node,
                conditions: 0,
                depth: 0,
                nesting: 0,
                statements: 0,
                place: started,
            });
            started += 1;
            return Step::Into;
        }
        if let Some(function) = open.last_mut() {
            function.enter(family, node, text);
        }
        Step::Into
    };
    let leave = |node: Node<'t>| {
        let mut open = open.borrow_mut();
        let is_end = open.last().is_some_and(|function| function.node == node);
        if is_end {
            let closed = open.pop();
            let function = closed.map(|function| (function.place, function.closed(family, text)));
            done.borrow_mut().extend(function);
        } else if let Some(function) = open.last_mut() {
            function.depth -= usize::from(Family::is_nesting(node));
        }
    };
    walk(root, enter, leave);
    let mut done = done.into_inner();
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, function)| function).collect()
}

impl<'t> Open<'t> {
    fn enter(&mut self, family: Family, node: Node<'t>, text: &str) {
        if Family::is_nesting(node) {
            self.depth += 1;
            self.nesting = self.nesting.max(self.depth);
        }
        self.statements += usize::from(Family::is_statement(node));
        let is_arms = family == Family::Rust && node.kind() == "match_block";
        if is_arms {
            let arms = parts(node);
            let arms = arms.iter().filter(|arm| arm.kind() == "match_arm");
            self.conditions += arms.count().saturating_sub(1);
        }
        if node.child_count() == 0 && family.is_condition(node, text) {
            self.conditions += 1;
        }
    }

    fn closed(self, family: Family, text: &str) -> Function<'t> {
        let line = line_of(self.node);
        let last_line = self.node.end_position().row + 1;
        let report = FunctionReport {
            name: name(self.node, text),
            line,
            last_line,
            complexity: self.conditions + 1,
            nesting: self.nesting,
            length: last_line + 1 - line,
            parameters: parameters(family, self.node).len(),
        };
        Function {
            report,
            node: self.node,
            statements: self.statements,
        }
    }
}

/// Returns the name of a function, or of what it is assigned to.
fn name(node: Node<'_>, text: &str) -> String {
    if let Some(name) = node.child_by_field_name("name") {
        return text_of(name, text).to_owned();
    }
    if let Some(declarator) = node.child_by_field_name("declarator") {
        let name = declared_name(declarator);
        return text_of(name, text).to_owned();
    }
    let assigned = node.parent().and_then(|parent| {
        let field = match parent.kind() {
            "variable_declarator" | "var_spec" => "name",
            "pair" => "key",
            "assignment_expression" => "left",
            _ => return None,
        };
        parent.child_by_field_name(field)
    });
    assigned.map_or_else(
        || "(anonymous)".to_owned(),
        |name| text_of(name, text).to_owned(),
    )
}

/// Returns the name within a declarator of C: the innermost one.
pub(crate) fn declared_name(declarator: Node<'_>) -> Node<'_> {
    let mut name = declarator;
    loop {
        let inner = name.child_by_field_name("declarator").or_else(|| {
            let is_wrapper = matches!(
                name.kind(),
                "reference_declarator" | "parenthesized_declarator" | "attributed_declarator"
            );
            is_wrapper.then(|| name.named_child(0)).flatten()
        });
        match inner {
            Some(inner) => name = inner,
            None => return name,
        }
    }
}

/// Returns the nodes of the parameters of a function.
pub(crate) fn parameters(family: Family, node: Node<'_>) -> Vec<Node<'_>> {
    let list = match family {
        Family::C => {
            let mut declarator = node.child_by_field_name("declarator");
            while let Some(it) = declarator
                && it.kind() != "function_declarator"
            {
                declarator = it
                    .child_by_field_name("declarator")
                    .or_else(|| it.named_child(0));
            }
            declarator.and_then(|it| it.child_by_field_name("parameters"))
        }
        _ => node.child_by_field_name("parameters"),
    };
    let Some(list) = list else {
        return node.child_by_field_name("parameter").into_iter().collect();
    };
    let mut found = Vec::new();
    for parameter in parts(list) {
        match parameter.kind() {
            "keyword_separator" | "positional_separator" | "attribute_item" => {}
            "parameter_declaration" if family == Family::Go => {
                let names = names_of_go(parameter);
                if names.is_empty() {
                    found.push(parameter);
                } else {
                    found.extend(names);
                }
            }
            "parameter_declaration" if is_void(parameter) => {}
            _ => found.push(parameter),
        }
    }
    found
}

/// `func f(a, b int)` has two parameters in one declaration.
fn names_of_go(declaration: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = declaration.walk();
    let names = declaration.children_by_field_name("name", &mut cursor);
    names.collect()
}

/// `int f(void)` has no parameter.
fn is_void(declaration: Node<'_>) -> bool {
    declaration.child_by_field_name("declarator").is_none()
        && declaration.end_byte() - declaration.start_byte() == "void".len()
}

/// Returns how many names and literals a tree has: its size without its layout.
pub(crate) fn size(root: Node<'_>) -> usize {
    let mut size = 0;
    visit(root, |node| {
        if crate::tokens::is_comment(node) {
            return Step::Over;
        }
        size += usize::from(node.is_named() && node.child_count() == 0);
        Step::Into
    });
    size
}

/// Returns the innermost function around each line that has one.
pub(crate) fn names_by_line<'f>(functions: &'f [Function<'_>]) -> HashMap<usize, &'f str> {
    let mut names = HashMap::new();
    for function in functions {
        for line in function.report.line..=function.report.last_line {
            names.insert(line, function.report.name.as_str());
        }
    }
    names
}
