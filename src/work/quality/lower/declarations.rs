//! Functions, classes, and values that are given to names.

use tree_sitter::Node;

use super::Lowering;
use crate::code::{Assign, Code, FunctionCode, Kind, Parameter};
use crate::complexity::{declared_name, parameters};
use crate::grammar::Family;
use crate::tokens::parts;

impl<'t> Lowering<'t> {
    pub(super) fn declaration(self, node: Node<'t>) -> Option<Kind<'t>> {
        let field = |name: &str| Self::field(node, name);
        let is_function = self.family.is_function(node)
            || matches!(
                node.kind(),
                "lambda" | "lambda_expression" | "closure_expression"
            );
        if is_function {
            return self.function(node);
        }
        Some(match node.kind() {
            "assignment"
            | "assignment_expression"
            | "augmented_assignment"
            | "augmented_assignment_expression"
            | "compound_assignment_expr"
            | "assignment_statement"
            | "short_var_declaration" => {
                let operator = field("operator").map_or("=", |operator| self.text(operator));
                self.assigned(node, field("left")?, field("right"), operator)
            }
            "variable_declarator"
            | "init_declarator"
            | "let_declaration"
            | "var_spec"
            | "const_spec"
            | "const_item"
            | "static_item"
            | "resource"
            | "public_field_definition"
            | "field_definition" => {
                let target = field("name")
                    .or_else(|| field("declarator"))
                    .or_else(|| field("pattern"))
                    .or_else(|| field("property"))?;
                self.assigned(node, target, field("value"), "=")
            }
            "jsx_attribute" => {
                let [name, value] = <[_; 2]>::try_from(parts(node)).ok()?;
                let target = Code {
                    node: name,
                    kind: Kind::Member(
                        Box::new(Code {
                            node: name,
                            kind: Kind::Name("jsx"),
                        }),
                        self.text(name),
                    ),
                };
                Kind::Assign(Assign {
                    target: Box::new(target),
                    operator: "=",
                    value: Some(self.boxed(value)),
                    type_name: None,
                })
            }
            _ => return None,
        })
    }

    fn function(self, node: Node<'t>) -> Option<Kind<'t>> {
        let name = match Self::field(node, "name") {
            Some(name) => Some(name),
            None if self.family == Family::C => Self::field(node, "declarator").map(declared_name),
            None => None,
        };
        let mut list = parameters(self.family, node);
        let is_one_name = node
            .child_by_field_name("parameters")
            .is_some_and(|it| it.kind() == "identifier");
        if is_one_name {
            list = node.child_by_field_name("parameters").into_iter().collect();
        }
        let body = Self::field(node, "body")?;
        Some(Kind::Function(Box::new(FunctionCode {
            name: name.map(|name| self.last_name(name)),
            parameters: list.into_iter().flat_map(|it| self.parameter(it)).collect(),
            body: self.code(body),
        })))
    }

    fn last_name(self, node: Node<'t>) -> &'t str {
        let text = self.text(node);
        text.rsplit("::").next().unwrap_or(text)
    }

    /// The names that a parameter declares: a pattern may have several.
    fn parameter(self, node: Node<'t>) -> Vec<Parameter<'t>> {
        let ty = Self::field(node, "type").or_else(|| {
            let parent = node.parent()?;
            (parent.kind() == "parameter_declaration")
                .then(|| Self::field(parent, "type"))
                .flatten()
        });
        let type_name = ty.map(|ty| self.text(ty).trim_start_matches([':', ' ', '&', '*']));
        let default = Self::field(node, "value").or_else(|| Self::field(node, "right"));
        let target = ["name", "pattern", "declarator", "left"]
            .iter()
            .find_map(|name| Self::field(node, name));
        let target = match (target, node.kind()) {
            (Some(target), _) if self.family == Family::C => declared_name(target),
            (Some(target), _) => target,
            (None, "typed_parameter" | "spread_parameter") => node.named_child(0).unwrap_or(node),
            (None, _) => node,
        };
        let names = self.names(target);
        let mut found: Vec<_> = names
            .into_iter()
            .map(|name| Parameter {
                name,
                type_name,
                default: None,
            })
            .collect();
        if let ([only], Some(default)) = (found.as_mut_slice(), default) {
            only.default = Some(self.code(default));
        }
        found
    }

    /// The names in a pattern.
    fn names(self, pattern: Node<'t>) -> Vec<&'t str> {
        match pattern.kind() {
            "identifier" | "shorthand_property_identifier_pattern" | "self" | "this" => {
                vec![self.text(pattern)]
            }
            "scoped_identifier" | "type_identifier" => Vec::new(),
            "pair_pattern" => {
                Self::field(pattern, "value").map_or_else(Vec::new, |value| self.names(value))
            }
            _ => parts(pattern)
                .into_iter()
                .flat_map(|part| self.names(part))
                .collect(),
        }
    }

    /// A value for each name of a pattern: the part of the value where it can be told, else the value.
    fn assigned(
        self,
        node: Node<'t>,
        target: Node<'t>,
        value: Option<Node<'t>>,
        operator: &'t str,
    ) -> Kind<'t> {
        let ty = Self::field(node, "type").or_else(|| {
            let parent = node.parent()?;
            Self::field(parent, "type")
        });
        let type_name = ty.map(|ty| self.text(ty).trim_start_matches([':', ' ']));
        let one = |target: Code<'t>, value: Option<Box<Code<'t>>>| {
            Kind::Assign(Assign {
                target: Box::new(target),
                operator,
                value,
                type_name,
            })
        };
        let is_list = |it: &Node<'t>| {
            matches!(
                it.kind(),
                "expression_list" | "pattern_list" | "tuple" | "tuple_pattern"
            )
        };
        if target.kind() == "object_pattern" {
            return self.taken_apart(node, target, value);
        }
        if !is_list(&target) {
            let target = match self.family {
                Family::C => self.code(declared_name(target)),
                Family::Rust if target.kind().ends_with("_pattern") => Code {
                    node: target,
                    kind: Kind::Name(self.names(target).first().copied().unwrap_or("_")),
                },
                _ => self.code(target),
            };
            let value = value.map(|value| match value.kind() {
                "expression_list" if parts(value).len() == 1 => self.boxed(parts(value)[0]),
                _ => self.boxed(value),
            });
            return one(target, value);
        }
        let targets = parts(target);
        let values = value.filter(is_list).map_or_else(Vec::new, parts);
        let each = targets.iter().enumerate().map(|(number, target)| {
            let value = values.get(number).copied().or_else(|| {
                let only = if values.len() == 1 {
                    values.first().copied()
                } else {
                    value
                };
                only.filter(|_| values.len() <= 1)
            });
            let kind = one(self.code(*target), value.map(|value| self.boxed(value)));
            Code { node, kind }
        });
        Kind::Block(each.collect())
    }

    /// `const { a, b } = value`: each name is that member of the value.
    fn taken_apart(self, node: Node<'t>, target: Node<'t>, value: Option<Node<'t>>) -> Kind<'t> {
        let names = self.names(target).into_iter().map(|name| {
            let member = value.map(|value| {
                let kind = Kind::Member(self.boxed(value), name);
                Box::new(Code { node, kind })
            });
            let target = Code {
                node: target,
                kind: Kind::Name(name),
            };
            let kind = Kind::Assign(Assign {
                target: Box::new(target),
                operator: "=",
                value: member,
                type_name: None,
            });
            Code { node, kind }
        });
        Kind::Block(names.collect())
    }
}
