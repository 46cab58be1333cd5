//! The outcome of an answer that may not have become one: an attempt costs that too.

use sayso_core::transcript::Usage;

/// More tokens than one call can have: the largest windows are a hundredth of it. A larger number is an
/// error of the service, and is not believed.
pub const MOST_TOKENS: u64 = 100_000_000;

/// The outcome of one attempt at an answer, until its end or until it broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Received {
    /// Whether the service had begun to answer.
    pub has_begun: bool,
    /// How much the model wrote, estimated in tokens: text, thoughts and calls.
    pub written: u64,
    /// What the service counted.
    pub counted: Counted,
}

/// What a service counted of one call. It is passed on as it was said, and judged where it is booked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    /// Prompt and answer.
    pub usage: Usage,
    /// All tokens together; 0 where the service does not say. Some count thoughts here alone.
    pub total_tokens: u64,
}
