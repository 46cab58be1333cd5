//! What tokens cost. Money is counted in whole millionths of the currency, and never as a fraction.

use sayso_core::transcript::Usage;

/// The prices of models, and in what currency they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prices {
    /// How the currency is written: `USD`.
    pub currency: String,
    /// Models by the name that the service gives them, each with its price.
    pub models: Vec<(String, Price)>,
}

/// What a million tokens of a model cost, in millionths of the currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Price {
    /// Of the prompt.
    pub input: u64,
    /// Of the prompt, where they come from the provider's cache.
    pub cached_input: u64,
    /// Of the answer.
    pub output: u64,
}

impl Prices {
    /// Returns the price of a model, where it is known.
    pub fn of(&self, model: &str) -> Option<Price> {
        let mut models = self.models.iter();
        models
            .find(|(name, _)| name == model)
            .map(|(_, price)| *price)
    }
}

impl Price {
    /// Returns what a call cost, rounded up to a whole millionth of the currency.
    pub fn cost(self, usage: &Usage) -> u64 {
        let cached = usage.cached_tokens.min(usage.prompt_tokens);
        let parts = [
            (usage.prompt_tokens - cached, self.input),
            (cached, self.cached_input),
            (usage.completion_tokens, self.output),
        ];
        let millionfold: u128 = parts
            .into_iter()
            .map(|(tokens, price)| u128::from(tokens) * u128::from(price))
            .fold(0, u128::saturating_add);
        u64::try_from(millionfold.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }

    /// Returns the minimum cost of a prompt of this many tokens: all of it may be cached.
    pub(super) fn least(self, prompt_tokens: u64) -> u64 {
        let price = self.input.min(self.cached_input);
        let millionfold = u128::from(prompt_tokens) * u128::from(price);
        u64::try_from(millionfold / 1_000_000).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::Usage;

    use super::Price;

    fn usage(prompt_tokens: u64, cached_tokens: u64, completion_tokens: u64) -> Usage {
        Usage {
            prompt_tokens,
            completion_tokens,
            cached_tokens,
        }
    }

    #[test]
    fn a_call_costs_its_parts_rounded_up_once() {
        let price = Price {
            input: 150_000,
            cached_input: 75_000,
            output: 600_000,
        };
        assert_eq!(price.cost(&usage(1_000_000, 0, 1_000_000)), 750_000);
        assert_eq!(price.cost(&usage(1_000_000, 400_000, 0)), 120_000);
        assert_eq!(price.cost(&usage(1, 0, 1)), 1);
        assert_eq!(price.cost(&usage(0, 0, 0)), 0);
        // A service that counts more cached tokens than it was sent is not owed a negative sum.
        assert_eq!(price.cost(&usage(1_000_000, 2_000_000, 0)), 75_000);
        assert_eq!(price.least(1_000_000), 75_000);
    }

    #[test]
    fn nothing_overflows() {
        let price = Price {
            input: u64::MAX,
            cached_input: u64::MAX,
            output: u64::MAX,
        };
        assert_eq!(price.cost(&usage(u64::MAX, 0, u64::MAX)), u64::MAX);
    }
}
