//! Held calls until a person answers: tokens, who may press, expiry and grants.
//!
//! This room does not judge risk, run tools or name `policy`: it is told what to show and what
//! it is bound to, and it says who answered what.

mod approved;

pub use approved::Approved;
