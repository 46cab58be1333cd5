//! A decision before it is bound to its call.

use super::messages::{AskReason, Refusal};

/// A decision before it is bound to its call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Allow,
    Ask(AskReason),
    Deny(Refusal),
}
