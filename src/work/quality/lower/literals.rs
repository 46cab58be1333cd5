//! Strings, numbers and words.

use tree_sitter::Node;

use super::Lowering;
use crate::code::{Code, Kind};
use crate::tokens::parts;

impl<'t> Lowering<'t> {
    pub(super) fn literal(self, node: Node<'t>) -> Option<Kind<'t>> {
        Some(match node.kind() {
            "string"
            | "template_string"
            | "string_literal"
            | "raw_string_literal"
            | "interpreted_string_literal"
            | "char_literal"
            | "character_literal"
            | "rune_literal" => self.string(node),
            "concatenated_string" => {
                let pieces = self.all(parts(node));
                let texts = pieces.iter().all(|it| matches!(it.kind, Kind::Text(_)));
                if texts {
                    Kind::Text(self.unquoted(node))
                } else {
                    Kind::Joined(pieces)
                }
            }
            "integer"
            | "number"
            | "integer_literal"
            | "int_literal"
            | "number_literal"
            | "decimal_integer_literal"
            | "hex_integer_literal"
            | "octal_integer_literal"
            | "float"
            | "float_literal"
            | "decimal_floating_point_literal" => Kind::Number(number(self.text(node))),
            "true" | "false" | "none" | "null" | "nil" | "undefined" | "boolean_literal"
            | "null_literal" => Kind::Word(self.text(node)),
            "regex" => Kind::Text(self.text(node)),
            "unary_expression" | "unary_operator" => self.unary(node)?,
            _ => return None,
        })
    }

    fn unary(self, node: Node<'t>) -> Option<Kind<'t>> {
        let text = self.text(node);
        if let Some(number) = number(text.strip_prefix('-')?) {
            return Some(Kind::Number(Some(-number)));
        }
        None
    }

    fn string(self, node: Node<'t>) -> Kind<'t> {
        let is_put_in =
            |part: &Node<'t>| matches!(part.kind(), "interpolation" | "template_substitution");
        let pieces = parts(node);
        if !pieces.iter().any(is_put_in) {
            return Kind::Text(self.unquoted(node));
        }
        let piece = |part: Node<'t>| {
            if is_put_in(&part) {
                let inner = Self::field(part, "expression").or_else(|| part.named_child(0));
                return inner.map(|inner| self.code(inner));
            }
            let is_quote = matches!(part.kind(), "string_start" | "string_end");
            (!is_quote).then(|| Code {
                node: part,
                kind: Kind::Text(self.text(part)),
            })
        };
        Kind::Joined(pieces.into_iter().filter_map(piece).collect())
    }

    /// The text of a string without its quotes and prefix; another node's text.
    pub(super) fn unquoted(self, node: Node<'t>) -> &'t str {
        let text = self.text(node);
        let body = text.trim_start_matches(|sign: char| sign.is_ascii_alphabetic() || sign == '#');
        let Some(quote) = body.chars().next().filter(|sign| "\"'`".contains(*sign)) else {
            return text;
        };
        let body = body.trim_end_matches('#');
        for quotes in [String::from(quote).repeat(3), String::from(quote)] {
            let inner = body
                .strip_prefix(quotes.as_str())
                .and_then(|rest| rest.strip_suffix(quotes.as_str()));
            if let Some(inner) = inner {
                return inner;
            }
        }
        text
    }
}

fn number(text: &str) -> Option<i64> {
    let digits: String = text.chars().filter(|sign| *sign != '_').collect();
    let lower = digits.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).ok();
    }
    if let Some(octal) = lower.strip_prefix("0o") {
        return i64::from_str_radix(octal, 8).ok();
    }
    let is_octal = lower.len() > 1 && lower.starts_with('0');
    if is_octal && lower.bytes().all(|digit| (b'0'..=b'7').contains(&digit)) {
        return i64::from_str_radix(&lower, 8).ok();
    }
    let end = lower.find(|sign: char| !sign.is_ascii_digit());
    let end = end.unwrap_or(lower.len());
    if lower.get(end..)?.starts_with('.') {
        return None;
    }
    lower.get(..end)?.parse().ok()
}
