//! How much a model can read, in tokens as we estimate them.

use super::HISTORY_TOKENS;

/// How much of the window is kept for the answer at most.
const ANSWER_SHARE: usize = 4;

/// How much of a model's window there is, in tokens as we estimate them.
#[derive(Debug, Clone, Copy)]
pub(super) struct WindowLimits {
    /// For prompt, schemas and conversation together.
    pub(super) asked: usize,
    /// For the earlier turns.
    pub(super) past: usize,
}

impl WindowLimits {
    /// Returns the window, in estimated tokens, of a model with these limits; `factor` is the
    /// number of tokens that its service counts for each estimated one.
    pub(super) fn of(window: usize, longest_answer: usize, factor: f64) -> Self {
        let estimated = |counted: usize| (counted as f64 / factor) as usize;
        let answer = longest_answer.min(window / ANSWER_SHARE);
        Self {
            asked: estimated(window - answer),
            past: estimated((window / 8 * 3).min(HISTORY_TOKENS)),
        }
    }
}
