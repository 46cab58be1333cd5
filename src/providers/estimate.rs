//! How long a question is, estimated, and how far such estimates are off for one model: learned
//! from what its service counts, and forgotten when the process ends.

use std::sync::{Mutex, PoisonError};

use sayso_core::transcript::{IMAGE_TOKENS, Usage, estimate_tokens, message_tokens};

use super::ChatRequest;

/// The least and the most that an estimate is multiplied by.
const BOUNDS: (f64, f64) = (0.5, 3.0);
/// A count that differs by more than this factor is invalid: 0, or the count of something else.
const NONSENSE: f64 = 6.0;
/// Shorter questions are not representative: the service's fixed overhead outweighs their text.
const LEAST_TOKENS: usize = 200;
/// How much a new count weighs against those before it.
const WEIGHT: f64 = 0.25;

/// Estimates the tokens of a question, of which only those of its text are as many times more as
/// its service counts.
pub fn request_tokens(request: &ChatRequest<'_>) -> usize {
    text_tokens(request) + request.pictures() * IMAGE_TOKENS
}

/// Estimates the tokens of a question without its pictures.
pub fn text_tokens(request: &ChatRequest<'_>) -> usize {
    let messages = request.messages.iter().map(message_tokens);
    let tools = request.tools.iter().map(|tool| {
        let schema = tool.parameters.tokens();
        estimate_tokens(&tool.name) + estimate_tokens(&tool.description) + schema
    });
    estimate_tokens(request.system) + messages.chain(tools).sum::<usize>()
}

/// What estimates of one model are multiplied by.
///
/// The lock is held for one look or change; all turns that ask the model share it.
#[derive(Debug, Default)]
pub(super) struct Correction(Mutex<Option<f64>>);

impl Correction {
    /// Returns the factor: 1 as long as nothing is known.
    pub(super) fn factor(&self) -> f64 {
        let known = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.unwrap_or(1.0)
    }

    /// Learns from the counted tokens of a question, given its estimated tokens.
    pub(super) fn learn(&self, estimated: usize, counted: &Usage) {
        if estimated < LEAST_TOKENS {
            return;
        }
        let ratio = counted.prompt_tokens as f64 / estimated as f64;
        if !(1.0 / NONSENSE..=NONSENSE).contains(&ratio) {
            return;
        }
        let ratio = ratio.clamp(BOUNDS.0, BOUNDS.1);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(known.map_or(ratio, |factor| factor + (ratio - factor) * WEIGHT));
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::Usage;

    use super::Correction;

    fn learned(counts: &[(usize, u64)]) -> f64 {
        let correction = Correction::default();
        for (estimated, prompt_tokens) in counts {
            let counted = Usage {
                prompt_tokens: *prompt_tokens,
                ..Usage::default()
            };
            correction.learn(*estimated, &counted);
        }
        (correction.factor() * 100.0).round() / 100.0
    }

    #[test]
    fn a_factor_follows_what_is_counted_and_stays_in_its_bounds() {
        let check = |counts: &[(usize, u64)], expected: f64| {
            assert!((learned(counts) - expected).abs() < 0.001, "{counts:?}");
        };
        check(&[], 1.0);
        check(&[(1000, 1600)], 1.6);
        check(&[(1000, 1600), (1000, 2000)], 1.7);
        check(&[(1000, 5000)], 3.0);
        check(&[(1000, 200)], 0.5);
        check(&[(1000, 1600); 20], 1.6);
    }

    #[test]
    fn nonsense_teaches_nothing() {
        let check = |counts: &[(usize, u64)]| {
            assert!((learned(counts) - 1.0).abs() < 0.001, "{counts:?}");
        };
        check(&[(1000, 0)]);
        check(&[(1000, 100)]);
        check(&[(1000, 1_000_000)]);
        check(&[(50, 200)]);
        check(&[(0, 0)]);
    }
}
