//! Languages inside of commands: whether a program in one of them only reads.
//!
//! Each reader understands the part of its language that only reads, and says no to the rest.

pub(crate) mod awk;
pub(crate) mod find;
pub(crate) mod jq;
mod pattern;
pub(crate) mod sed;
pub(crate) mod sql;
