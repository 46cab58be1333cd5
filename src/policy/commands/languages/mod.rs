//! Languages inside of commands: whether a program in one of them only reads.
//!
//! Each reader understands the part of its language that only reads, and says no to the rest.

pub mod awk;
pub mod find;
pub mod jq;
mod pattern;
pub mod sed;
pub mod sql;
