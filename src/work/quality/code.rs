//! The code of all languages in one form: what rules are written for.
//!
//! `lower.rs` makes it from a syntax tree. It holds what a rule may ask for, and no more.

use tree_sitter::Node;

/// A piece of code.
pub(crate) struct Code<'t> {
    /// Where it is.
    pub(crate) node: Node<'t>,
    /// What it is.
    pub(crate) kind: Kind<'t>,
}

/// What a piece of code is.
pub(crate) enum Kind<'t> {
    /// A string without anything put into it.
    Text(&'t str),
    /// A whole number, where it is one that can be read.
    Number(Option<i64>),
    /// `true`, `false`, or nothing, in the word of the language.
    Word(&'t str),
    /// A name.
    Name(&'t str),
    /// A member of something.
    Member(Box<Code<'t>>, &'t str),
    /// What is at an index or key.
    Index(Box<Code<'t>>, Box<Code<'t>>),
    /// A call.
    Call(Call<'t>),
    /// A string with values put into it.
    Joined(Vec<Code<'t>>),
    /// An operator between two values.
    Binary(&'t str, Box<Code<'t>>, Box<Code<'t>>),
    /// One of two values, by a condition.
    Choice(Box<[Code<'t>; 3]>),
    /// A list of values.
    List(Vec<Code<'t>>),
    /// Values by name.
    Table(Vec<Entry<'t>>),
    /// A value that is given to something.
    Assign(Assign<'t>),
    /// Statements, one after another.
    Block(Vec<Code<'t>>),
    /// Statements that depend on a condition.
    If(Box<If<'t>>),
    /// Statements that depend on a value.
    Switch(Box<Code<'t>>, Vec<Case<'t>>),
    /// Statements that may run more often than once.
    Loop(Vec<Code<'t>>),
    /// The end of a function: its value.
    Return(Option<Box<Code<'t>>>),
    /// The end of the statements around, such as `throw`, `break` or `continue`.
    Leave(Vec<Code<'t>>),
    /// A function.
    Function(Box<FunctionCode<'t>>),
    /// Names that come from elsewhere.
    Import(Vec<Imported<'t>>),
    /// Whatever else; its parts are looked at.
    Other(Vec<Code<'t>>),
}

/// A call or the making of an object.
pub(crate) struct Call<'t> {
    pub(crate) callee: Box<Code<'t>>,
    pub(crate) arguments: Vec<Argument<'t>>,
    /// Whether it makes an object (`new`).
    pub(crate) creates: bool,
}

/// An argument of a call.
pub(crate) struct Argument<'t> {
    pub(crate) name: Option<&'t str>,
    pub(crate) value: Code<'t>,
}

/// An entry of a table.
pub(crate) struct Entry<'t> {
    pub(crate) key: Option<&'t str>,
    pub(crate) value: Code<'t>,
}

/// A value that is given to something.
pub(crate) struct Assign<'t> {
    pub(crate) target: Box<Code<'t>>,
    /// `+=` and the like; `=` otherwise.
    pub(crate) operator: &'t str,
    pub(crate) value: Option<Box<Code<'t>>>,
    /// The declared type.
    pub(crate) type_name: Option<&'t str>,
}

/// Statements that depend on a condition.
pub(crate) struct If<'t> {
    pub(crate) condition: Code<'t>,
    pub(crate) then: Code<'t>,
    pub(crate) otherwise: Option<Code<'t>>,
}

/// A case of a switch.
pub(crate) struct Case<'t> {
    /// Its values; none for the default.
    pub(crate) values: Vec<Code<'t>>,
    pub(crate) body: Vec<Code<'t>>,
}

/// A function.
pub(crate) struct FunctionCode<'t> {
    pub(crate) name: Option<&'t str>,
    pub(crate) parameters: Vec<Parameter<'t>>,
    pub(crate) body: Code<'t>,
}

/// A parameter of a function.
pub(crate) struct Parameter<'t> {
    pub(crate) name: &'t str,
    pub(crate) type_name: Option<&'t str>,
    pub(crate) default: Option<Code<'t>>,
}

/// A name that comes from elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct Imported<'t> {
    pub(crate) name: &'t str,
    /// Its full path, with dots.
    pub(crate) path: String,
}
