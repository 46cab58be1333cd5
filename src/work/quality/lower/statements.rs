//! Conditions, loops, ends of functions and blocks.

use tree_sitter::Node;

use super::Lowering;
use crate::code::{Assign, Case, Code, If, Kind};
use crate::grammar::Family;
use crate::tokens::parts;

impl<'t> Lowering<'t> {
    pub(super) fn statement(self, node: Node<'t>) -> Option<Kind<'t>> {
        let field = |name: &str| Self::field(node, name);
        Some(match node.kind() {
            "block"
            | "statement_block"
            | "compound_statement"
            | "statement_list"
            | "module"
            | "program"
            | "source_file"
            | "translation_unit"
            | "class_body"
            | "declaration_list"
            | "field_declaration_list" => Kind::Block(self.all(parts(node))),
            "if_statement" | "if_expression" | "elif_clause" => self.condition(node)?,
            "for_statement"
            | "for_in_statement"
            | "for_range_loop"
            | "enhanced_for_statement"
            | "for_expression" => self.loop_over(node),
            "while_statement" | "do_statement" | "while_expression" | "loop_expression" => {
                Kind::Loop(self.all(parts(node)))
            }
            "switch_statement"
            | "switch_expression"
            | "expression_switch_statement"
            | "match_expression"
            | "match_statement" => self.switch(node)?,
            "return_statement" | "return_expression" => {
                let value = parts(node).into_iter().next();
                Kind::Return(value.map(|value| self.boxed(value)))
            }
            "throw_statement"
            | "raise_statement"
            | "break_statement"
            | "continue_statement"
            | "break_expression"
            | "continue_expression" => Kind::Leave(self.all(parts(node))),
            "with_item" | "as_pattern" => {
                let inner = parts(node);
                match inner.as_slice() {
                    [value, target] => self.given(*target, *value),
                    _ => Kind::Other(self.all(inner)),
                }
            }
            "named_expression" => self.given(field("name")?, field("value")?),
            _ => return None,
        })
    }

    fn given(self, target: Node<'t>, value: Node<'t>) -> Kind<'t> {
        let target = match target.kind() {
            "as_pattern_target" => target.named_child(0).unwrap_or(target),
            _ => target,
        };
        Kind::Assign(Assign {
            target: self.boxed(target),
            operator: "=",
            value: Some(self.boxed(value)),
            type_name: None,
        })
    }

    fn condition(self, node: Node<'t>) -> Option<Kind<'t>> {
        let field = |name: &str| Self::field(node, name);
        let condition = field("condition")?;
        let then = field("consequence")?;
        let mut cursor = node.walk();
        let alternatives: Vec<_> = node
            .children_by_field_name("alternative", &mut cursor)
            .collect();
        let otherwise = self.alternatives(&alternatives);
        let found = If {
            condition: self.code(condition),
            then: self.code(then),
            otherwise,
        };
        let found = Kind::If(Box::new(found));
        let Some(first) = field("initializer") else {
            return Some(found);
        };
        Some(Kind::Block(vec![
            self.code(first),
            Code { node, kind: found },
        ]))
    }

    /// `elif` and `else` of Python are siblings: each is the other branch of the one before.
    fn alternatives(self, alternatives: &[Node<'t>]) -> Option<Code<'t>> {
        let (first, rest) = alternatives.split_first()?;
        if first.kind() != "elif_clause" {
            return Some(match self.family {
                Family::Python => self.code(Self::field(*first, "body").unwrap_or(*first)),
                _ => self.code(*first),
            });
        }
        let condition = Self::field(*first, "condition")?;
        let then = Self::field(*first, "consequence")?;
        let found = If {
            condition: self.code(condition),
            then: self.code(then),
            otherwise: self.alternatives(rest),
        };
        Some(Code {
            node: *first,
            kind: Kind::If(Box::new(found)),
        })
    }

    fn loop_over(self, node: Node<'t>) -> Kind<'t> {
        let field = |name: &str| Self::field(node, name);
        let clause = parts(node)
            .into_iter()
            .find(|part| part.kind() == "range_clause");
        let of = clause.unwrap_or(node);
        let target = ["left", "name", "pattern", "declarator"]
            .iter()
            .find_map(|name| Self::field(of, name));
        let value = ["right", "value"]
            .iter()
            .find_map(|name| Self::field(of, name));
        let (Some(target), Some(value)) = (target, value) else {
            return Kind::Loop(self.all(parts(node)));
        };
        let mut body = vec![Code {
            node,
            kind: self.given(target, value),
        }];
        body.extend(field("body").map(|body| self.code(body)));
        Kind::Loop(body)
    }

    fn switch(self, node: Node<'t>) -> Option<Kind<'t>> {
        let subject = ["value", "condition", "subject"]
            .iter()
            .find_map(|name| Self::field(node, name))
            .or_else(|| node.named_child(0))?;
        let body = Self::field(node, "body").unwrap_or(node);
        let mut cases = Vec::new();
        for part in parts(body) {
            if part == subject {
                continue;
            }
            let children = parts(part);
            let is_label = |it: &Node<'t>| {
                matches!(it.kind(), "switch_label" | "match_pattern" | "case_pattern")
                    || part.child_by_field_name("value") == Some(*it) && part.kind() != "match_arm"
                    || part.child_by_field_name("pattern") == Some(*it)
            };
            let (labels, body): (Vec<_>, Vec<_>) = children.into_iter().partition(is_label);
            let values = labels.into_iter().flat_map(|label| match label.kind() {
                "switch_label" | "match_pattern" | "expression_list" | "case_pattern" => {
                    parts(label)
                }
                _ => vec![label],
            });
            cases.push(Case {
                values: self.all(values),
                body: self.all(body),
            });
        }
        Some(Kind::Switch(self.boxed(subject), cases))
    }
}
