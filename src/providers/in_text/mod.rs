//! Tool calls that a model says in its text and not in the field of the protocol, as small models
//! and plain servers do.
//!
//! A text that came from outside must not become a call because a model quotes it, so little
//! counts:
//!
//! - The answer has no call in the protocol's own field, and the name is that of a tool that was
//!   offered with this very question.
//! - The call ends the answer, or begins it. In the middle of prose it is a quotation, as in a code
//!   span, behind a quotation mark, in a line that begins with `>` and in a block of code of any
//!   language but JSON.
//! - JSON has the fields of a call and no others. The first of a call's fields must come first.
//!
//! What was said around a call is dropped: the next prompt holds the call alone.
//!
//! Nothing is made up. Faults of JSON and of a name are mended where they have one reading, as they
//! are in the protocol's own field. A call that was cut off is a call whose arguments are no
//! object, which is refused as such an error is there.

mod block;
mod held;
mod json;
mod offered;
mod scan;
mod tags;
mod tokens;

pub(super) use self::held::Held;

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
