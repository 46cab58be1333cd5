//! From the syntax trees of all languages to one form of code.
//!
//! The grammars share most names of nodes and fields, so that there is one reader for all. What it does
//! not know becomes [`Kind::Other`], whose parts are looked at.

mod declarations;
mod imports;
mod literals;
mod statements;

pub(crate) use imports::module_name;

use tree_sitter::Node;

use crate::code::{Argument, Call, Code, Entry, Kind};
use crate::grammar::Family;
use crate::tokens::{parts, text_of};

/// How deep code is read: what is deeper is left out. Code that people write is far below.
const MAX_DEPTH: usize = 150;

/// Reads a tree.
pub(crate) fn lower<'t>(family: Family, root: Node<'t>, text: &'t str) -> Code<'t> {
    Lowering {
        family,
        text,
        depth: 0,
    }
    .code(root)
}

/// The reading of one file.
#[derive(Clone, Copy)]
pub(super) struct Lowering<'t> {
    family: Family,
    text: &'t str,
    depth: usize,
}

impl<'t> Lowering<'t> {
    /// Reads a node.
    fn code(self, node: Node<'t>) -> Code<'t> {
        let deeper = Self {
            depth: self.depth + 1,
            ..self
        };
        if self.depth > MAX_DEPTH {
            let kind = Kind::Other(Vec::new());
            return Code { node, kind };
        }
        deeper.inner(node)
    }

    fn inner(self, node: Node<'t>) -> Code<'t> {
        if let Some(code) = self.transparent(node) {
            return code;
        }
        let kind = self
            .literal(node)
            .or_else(|| self.expression(node))
            .or_else(|| self.statement(node))
            .or_else(|| self.declaration(node))
            .or_else(|| self.import(node))
            .unwrap_or_else(|| Kind::Other(self.all(parts(node))));
        Code { node, kind }
    }

    fn all(self, nodes: impl IntoIterator<Item = Node<'t>>) -> Vec<Code<'t>> {
        nodes.into_iter().map(|node| self.code(node)).collect()
    }

    fn boxed(self, node: Node<'t>) -> Box<Code<'t>> {
        Box::new(self.code(node))
    }

    fn field(node: Node<'t>, name: &str) -> Option<Node<'t>> {
        node.child_by_field_name(name)
    }

    fn text(self, node: Node<'t>) -> &'t str {
        text_of(node, self.text)
    }

    /// Nodes that mean the same as their one part.
    fn transparent(self, node: Node<'t>) -> Option<Code<'t>> {
        let inner = match node.kind() {
            "parenthesized_expression"
            | "expression_statement"
            | "await_expression"
            | "await"
            | "try_expression"
            | "non_null_expression"
            | "as_expression"
            | "satisfies_expression"
            | "jsx_expression"
            | "literal_element"
            | "else_clause"
            | "spread_element"
            | "list_splat"
            | "dictionary_splat"
            | "condition_clause"
            | "parenthesized_list_splat" => parts(node).into_iter().next(),
            "reference_expression" | "type_cast_expression" | "cast_expression" => {
                Self::field(node, "value").or_else(|| parts(node).into_iter().last())
            }
            "type_conversion_expression" => Self::field(node, "operand"),
            "pointer_expression" => Self::field(node, "argument"),
            "generic_function" => Self::field(node, "function"),
            "unary_expression" if self.family == Family::Go => Self::field(node, "operand"),
            _ => None,
        }?;
        let is_empty = matches!(node.kind(), "expression_statement") && parts(node).len() > 1;
        (!is_empty).then(|| self.code(inner))
    }

    fn expression(self, node: Node<'t>) -> Option<Kind<'t>> {
        let field = |name: &str| Self::field(node, name);
        Some(match node.kind() {
            "identifier"
            | "this"
            | "self"
            | "field_identifier"
            | "type_identifier"
            | "property_identifier"
            | "shorthand_property_identifier"
            | "package_identifier"
            | "super"
            | "namespace_identifier" => Kind::Name(self.text(node)),
            "member_expression"
            | "attribute"
            | "selector_expression"
            | "field_expression"
            | "field_access" => self.member(node)?,
            "scoped_identifier" | "qualified_identifier" | "scoped_type_identifier" => {
                let of = field("path").or_else(|| field("scope"));
                let name = field("name").or_else(|| parts(node).into_iter().last())?;
                match of {
                    Some(of) => Kind::Member(self.boxed(of), self.text(name)),
                    None if self.family == Family::C => return Some(self.code(name).kind),
                    None => Kind::Name(self.text(node)),
                }
            }
            "subscript" | "subscript_expression" | "index_expression" | "array_access" => {
                let of = field("value")
                    .or_else(|| field("object"))
                    .or_else(|| field("operand"))
                    .or_else(|| field("array"))
                    .or_else(|| field("argument"))
                    .or_else(|| node.named_child(0))?;
                let index = field("index")
                    .or_else(|| field("subscript"))
                    .or_else(|| parts(node).into_iter().nth(1))?;
                Kind::Index(self.boxed(of), self.boxed(index))
            }
            "call_expression"
            | "call"
            | "new_expression"
            | "method_invocation"
            | "object_creation_expression"
            | "macro_invocation" => self.call(node)?,
            "binary_expression" | "binary_operator" | "boolean_operator" => {
                let (left, right) = (field("left")?, field("right")?);
                let operator = field("operator").map_or("", |operator| self.text(operator));
                Kind::Binary(operator, self.boxed(left), self.boxed(right))
            }
            "comparison_operator" => {
                let sides = parts(node);
                let (left, right) = (*sides.first()?, *sides.get(1)?);
                let operator = field("operators").map_or("", |operator| self.text(operator));
                Kind::Binary(operator, self.boxed(left), self.boxed(right))
            }
            "ternary_expression" | "conditional_expression" => self.choice(node)?,
            _ => return self.collection(node),
        })
    }

    /// Lists, tables and objects with named fields.
    fn collection(self, node: Node<'t>) -> Option<Kind<'t>> {
        let field = |name: &str| Self::field(node, name);
        Some(match node.kind() {
            "list" | "tuple" | "set" | "array" | "array_expression" | "tuple_expression"
            | "array_initializer" | "initializer_list" | "expression_list" => {
                Kind::List(self.all(parts(node)))
            }
            "array_creation_expression" => match field("value") {
                Some(value) => Kind::List(self.all(parts(value))),
                None => Kind::List(Vec::new()),
            },
            "dictionary" | "object" => Kind::Table(self.entries(node)),
            "composite_literal" => self.composite(node)?,
            "struct_expression" => {
                let name = field("name")?;
                let body = field("body").map_or_else(Vec::new, |body| self.entries(body));
                self.created(name, body)
            }
            _ => return None,
        })
    }

    fn member(self, node: Node<'t>) -> Option<Kind<'t>> {
        let of = ["object", "operand", "value", "argument"]
            .iter()
            .find_map(|name| Self::field(node, name))?;
        let name = ["property", "attribute", "field"]
            .iter()
            .find_map(|name| Self::field(node, name))?;
        Some(Kind::Member(self.boxed(of), self.text(name)))
    }

    fn choice(self, node: Node<'t>) -> Option<Kind<'t>> {
        let sides = parts(node);
        let [first, second, third] = sides.as_slice() else {
            return None;
        };
        let in_order = if self.family == Family::Python {
            [*second, *first, *third]
        } else {
            [*first, *second, *third]
        };
        Some(Kind::Choice(Box::new(in_order.map(|side| self.code(side)))))
    }

    fn call(self, node: Node<'t>) -> Option<Kind<'t>> {
        let field = |name: &str| Self::field(node, name);
        if node.kind() == "macro_invocation" {
            return self.macro_call(node);
        }
        let creates = matches!(node.kind(), "new_expression" | "object_creation_expression");
        let callee = if let Some(name) = field("name") {
            match field("object") {
                Some(object) => Code {
                    node: name,
                    kind: Kind::Member(self.boxed(object), self.text(name)),
                },
                None => self.code(name),
            }
        } else if node.kind() == "object_creation_expression" {
            self.type_name(field("type")?)
        } else {
            self.code(
                field("function")
                    .or_else(|| field("constructor"))
                    .or_else(|| field("type"))?,
            )
        };
        let list = field("arguments").map_or_else(Vec::new, parts);
        let mut arguments: Vec<_> = list.into_iter().map(|it| self.argument(it)).collect();
        if let Some(body) = parts(node).into_iter().find(|it| it.kind() == "class_body") {
            arguments.push(Argument {
                name: Some("(body)"),
                value: self.code(body),
            });
        }
        Some(Kind::Call(Call {
            callee: Box::new(callee),
            arguments,
            creates,
        }))
    }

    /// The name of a type without its arguments, with dots.
    fn type_name(self, node: Node<'t>) -> Code<'t> {
        let node = match node.kind() {
            "generic_type" => node.named_child(0).unwrap_or(node),
            _ => node,
        };
        let kind = Kind::Name(self.text(node));
        Code { node, kind }
    }

    fn argument(self, node: Node<'t>) -> Argument<'t> {
        let named = matches!(node.kind(), "keyword_argument").then(|| {
            let name = Self::field(node, "name")?;
            let value = Self::field(node, "value")?;
            Some(Argument {
                name: Some(self.text(name)),
                value: self.code(value),
            })
        });
        named.flatten().unwrap_or_else(|| Argument {
            name: None,
            value: self.code(node),
        })
    }

    /// The tokens of a macro: strings, and names with their members, as its arguments.
    fn macro_call(self, node: Node<'t>) -> Option<Kind<'t>> {
        let name = Self::field(node, "macro")?;
        let tokens = parts(node).into_iter().find(|it| it.kind() == "token_tree");
        let tokens = tokens.map_or_else(Vec::new, parts);
        let arguments = tokens.into_iter().map(|it| self.argument(it)).collect();
        let callee = Code {
            node: name,
            kind: Kind::Member(
                Box::new(Code {
                    node: name,
                    kind: Kind::Name("macro"),
                }),
                self.text(name),
            ),
        };
        Some(Kind::Call(Call {
            callee: Box::new(callee),
            arguments,
            creates: false,
        }))
    }

    fn entries(self, node: Node<'t>) -> Vec<Entry<'t>> {
        let entry = |part: Node<'t>| {
            let key = Self::field(part, "key")
                .or_else(|| Self::field(part, "field"))
                .or_else(|| Self::field(part, "name"));
            let value = Self::field(part, "value");
            match (key, value) {
                (Some(key), Some(value)) => Entry {
                    key: Some(self.unquoted(key)),
                    value: self.code(value),
                },
                _ if part.kind() == "shorthand_property_identifier" => Entry {
                    key: Some(self.text(part)),
                    value: self.code(part),
                },
                _ => Entry {
                    key: None,
                    value: self.code(part),
                },
            }
        };
        parts(node).into_iter().map(entry).collect()
    }

    /// `tls.Config{InsecureSkipVerify: true}` and `[]string{"a"}` of Go.
    fn composite(self, node: Node<'t>) -> Option<Kind<'t>> {
        let (ty, body) = (Self::field(node, "type")?, Self::field(node, "body")?);
        let keyed = |part: &Node<'t>| part.kind() == "keyed_element";
        let elements = parts(body);
        if !elements.iter().any(keyed) && ty.kind() != "type_identifier" {
            return Some(Kind::List(self.all(elements)));
        }
        let entry = |part: Node<'t>| {
            let sides = parts(part);
            match sides.as_slice() {
                [key, value] if keyed(&part) => Entry {
                    key: Some(self.unquoted(*key)),
                    value: self.code(*value),
                },
                _ => Entry {
                    key: None,
                    value: self.code(part),
                },
            }
        };
        let entries = elements.into_iter().map(entry).collect();
        Some(self.created(ty, entries))
    }

    /// The making of an object with named fields: a call with named arguments.
    fn created(self, name: Node<'t>, entries: Vec<Entry<'t>>) -> Kind<'t> {
        let callee = match name.kind() {
            "qualified_type" => Code {
                node: name,
                kind: Kind::Name(self.text(name)),
            },
            _ => self.code(name),
        };
        let argument = |entry: Entry<'t>| Argument {
            name: entry.key,
            value: entry.value,
        };
        Kind::Call(Call {
            callee: Box::new(callee),
            arguments: entries.into_iter().map(argument).collect(),
            creates: true,
        })
    }
}
