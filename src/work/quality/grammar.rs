//! What the nodes of each grammar are, as far as functions, conditions and nesting go.

use sayso_codebase::CodeLanguage;
use tree_sitter::Node;

use crate::tokens::text_of;

/// A language that is analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Family {
    /// C and C++.
    C,
    /// Go.
    Go,
    /// Java.
    Java,
    /// JavaScript and TypeScript, with and without JSX.
    JavaScript,
    /// Python.
    Python,
    /// Rust.
    Rust,
}

impl Family {
    /// Returns the family of a language; `None` for one that is not analysed.
    pub(crate) fn of(language: CodeLanguage) -> Option<Self> {
        match language {
            CodeLanguage::C | CodeLanguage::Cpp => Some(Self::C),
            CodeLanguage::Go => Some(Self::Go),
            CodeLanguage::Java => Some(Self::Java),
            CodeLanguage::JavaScript | CodeLanguage::TypeScript | CodeLanguage::Tsx => {
                Some(Self::JavaScript)
            }
            CodeLanguage::Python => Some(Self::Python),
            CodeLanguage::Rust => Some(Self::Rust),
            CodeLanguage::Bash | CodeLanguage::CSharp | CodeLanguage::Php | CodeLanguage::Ruby => {
                None
            }
        }
    }

    /// Returns whether a node is a function with a body that is counted for itself. As in `lizard`,
    /// closures of Rust, and lambdas of Python, Java and C++ belong to the function around them; those
    /// of JavaScript and Go do not.
    pub(crate) fn is_function(self, node: Node<'_>) -> bool {
        let kind = node.kind();
        let is_kind = match self {
            Self::C | Self::Python => kind == "function_definition",
            Self::Go => matches!(
                kind,
                "function_declaration" | "method_declaration" | "func_literal"
            ),
            Self::Java => matches!(
                kind,
                "method_declaration"
                    | "constructor_declaration"
                    | "compact_constructor_declaration"
            ),
            Self::JavaScript => matches!(
                kind,
                "function_declaration"
                    | "function_expression"
                    | "arrow_function"
                    | "method_definition"
                    | "generator_function"
                    | "generator_function_declaration"
            ),
            Self::Rust => kind == "function_item",
        };
        is_kind && node.child_by_field_name("body").is_some()
    }

    /// Returns whether a leaf is a condition, which adds one to the cyclomatic complexity.
    pub(crate) fn is_condition(self, leaf: Node<'_>, text: &str) -> bool {
        let parent = leaf.parent().map_or("", |parent| parent.kind());
        match (self, text_of(leaf, text)) {
            (
                Self::Python,
                "if" | "elif" | "for" | "while" | "except" | "finally" | "and" | "or",
            ) => !leaf.is_named(),
            (Self::Python, "case") => parent == "case_clause",
            (Self::Rust, "else") => parent == "let_declaration",
            (Self::Rust, "if" | "for" | "while" | "where" | "&&" | "||")
            | (Self::JavaScript, "??") => true,
            (Self::Rust, "?") => parent != "removed_trait_bound",
            (Self::Python | Self::Rust, _) => false,
            (_, "if" | "for" | "while" | "catch" | "case") => !is_name(leaf),
            (Self::C, "&&" | "||") => {
                !parent.contains("reference_declarator") && !is_preprocessed(leaf)
            }
            (_, "||" | "&&") => true,
            (_, "?") => matches!(parent, "ternary_expression" | "conditional_expression"),
            (Self::C, "#if" | "#ifdef" | "#ifndef" | "#elif") => text_of(leaf, text) != "#ifndef",
            _ => false,
        }
    }

    /// Returns whether a node is a control structure that counts as one level of nesting.
    pub(crate) fn is_nesting(node: Node<'_>) -> bool {
        let kind = node.kind();
        match kind {
            "if_statement" | "if_expression" => !continues_if(node),
            "for_statement"
            | "for_in_statement"
            | "for_range_loop"
            | "enhanced_for_statement"
            | "while_statement"
            | "do_statement"
            | "for_expression"
            | "while_expression"
            | "loop_expression"
            | "match_expression"
            | "match_statement"
            | "switch_statement"
            | "switch_expression"
            | "expression_switch_statement"
            | "type_switch_statement"
            | "select_statement"
            | "try_statement"
            | "try_with_resources_statement"
            | "with_statement" => true,
            _ => false,
        }
    }

    /// Returns whether a node is a class or what stands for one.
    pub(crate) fn is_class(self, node: Node<'_>) -> bool {
        matches!(
            (self, node.kind()),
            (Self::Python, "class_definition")
                | (
                    Self::JavaScript,
                    "class_declaration" | "class" | "abstract_class_declaration"
                )
                | (Self::Java, "class_declaration" | "enum_declaration")
                | (Self::C, "class_specifier" | "struct_specifier")
                | (Self::Rust, "impl_item" | "trait_item")
        )
    }

    /// Returns whether a node is a statement or what counts as one for the size of a function.
    pub(crate) fn is_statement(node: Node<'_>) -> bool {
        let kind = node.kind();
        let is_kind = kind.ends_with("_statement")
            || kind.ends_with("declaration") && kind != "parameter_declaration"
            || matches!(
                kind,
                "if_expression"
                    | "match_arm"
                    | "for_expression"
                    | "while_expression"
                    | "loop_expression"
                    | "switch_case"
                    | "expression_case"
            );
        is_kind && !matches!(kind, "compound_statement" | "block_statement")
    }
}

/// Returns whether this `if` is the `else if` of another one.
fn continues_if(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    match parent.kind() {
        "else_clause" => true,
        "if_statement" | "if_expression" => parent.child_by_field_name("alternative") == Some(node),
        _ => false,
    }
}

/// Returns whether a leaf is in the condition of an `#if`, which counts as one whatever is in it.
fn is_preprocessed(leaf: Node<'_>) -> bool {
    let mut node = leaf;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "binary_expression" | "parenthesized_expression" | "unary_expression" => node = parent,
            kind => return kind.starts_with("preproc_"),
        }
    }
    false
}

/// Returns whether a leaf is the name of something, such as a method `catch` of a promise.
fn is_name(leaf: Node<'_>) -> bool {
    leaf.is_named()
}
