//! `[budget]` and `[[prices]]`: a limit of money is one only where every model has its price.

use sayso_providers::EmbedderSource;

use super::ConfigError;
use super::check::Check;
use super::checked::{EmbedderConfig, ProviderConfig};
use super::keys::{BudgetTable, PriceTable};
use super::messages::{Hint, Reason, Rule};
use crate::budget::{BudgetRules, Limit, Price, Prices};

/// The maximum length of a currency, in characters.
const CURRENCY_CHARACTERS: usize = 8;

impl Check<'_> {
    /// Checks the limits against the prices of the models that are configured.
    pub(super) fn budget(
        &self,
        table: &BudgetTable,
        prices: &[PriceTable],
        providers: &[ProviderConfig],
        embedder: Option<&EmbedderConfig>,
    ) -> Result<BudgetRules, ConfigError> {
        let rules = BudgetRules {
            turn: limit(table.turn_tokens, table.turn_money),
            user_day: limit(table.user_day_tokens, table.user_day_money),
            routine_day: limit(table.routine_day_tokens, table.routine_day_money),
            instance_day: limit(table.instance_day_tokens, table.instance_day_money),
            instance_month: limit(table.instance_month_tokens, table.instance_month_money),
            prices: Prices {
                currency: self.currency(&table.currency)?,
                models: self.prices(prices)?,
            },
        };
        self.money_is_counted(&rules, providers, embedder)?;
        Ok(rules)
    }

    fn currency(&self, written: &str) -> Result<String, ConfigError> {
        let is_currency = !written.is_empty()
            && written.chars().count() <= CURRENCY_CHARACTERS
            && written
                .chars()
                .all(|letter| letter.is_alphabetic() || "€$£¥₹".contains(letter));
        if is_currency {
            return Ok(written.to_owned());
        }
        Err(self.settings.refuse("budget.currency", Rule::Currency))
    }

    fn prices(&self, tables: &[PriceTable]) -> Result<Vec<(String, Price)>, ConfigError> {
        let mut prices: Vec<(String, Price)> = Vec::new();
        for (item, table) in tables.iter().enumerate() {
            let section = format!("prices.{item}");
            let missing = |name: &str| {
                self.settings
                    .missing(&section, name, Reason::PriceIsWhole, Hint::Price)
            };
            let model = table.model.clone().ok_or_else(|| missing("model"))?;
            if model.trim().is_empty() || prices.iter().any(|(earlier, _)| *earlier == model) {
                let key = format!("{section}.model");
                return Err(self.settings.refuse(&key, Rule::UnpricedModel));
            }
            let input = table.input.ok_or_else(|| missing("input"))?;
            let output = table.output.ok_or_else(|| missing("output"))?;
            let price = Price {
                input: micros(input),
                cached_input: micros(table.cached_input.unwrap_or(input)),
                output: micros(output),
            };
            prices.push((model, price));
        }
        Ok(prices)
    }

    /// A model without a price would run past every limit of money.
    fn money_is_counted(
        &self,
        rules: &BudgetRules,
        providers: &[ProviderConfig],
        embedder: Option<&EmbedderConfig>,
    ) -> Result<(), ConfigError> {
        // The offline model costs nothing.
        let servers = providers.iter().filter_map(ProviderConfig::server);
        let models = servers.flat_map(|server| {
            let models = std::iter::once(&server.model).chain(&server.models);
            models.map(String::as_str)
        });
        let embedder = embedder.and_then(|embedder| match &embedder.source {
            EmbedderSource::Server(server) => Some(server.model.as_str()),
            // It costs nothing either.
            EmbedderSource::Directory { .. } => None,
        });
        let unpriced = models
            .chain(embedder)
            .find(|model| rules.prices.of(model).is_none());
        let limits = [
            ("turn_money", rules.turn),
            ("user_day_money", rules.user_day),
            ("routine_day_money", rules.routine_day),
            ("instance_day_money", rules.instance_day),
            ("instance_month_money", rules.instance_month),
        ];
        let limited = limits.iter().find(|(_, limit)| limit.micros.is_some());
        match (unpriced, limited) {
            (Some(model), Some((name, _))) => Err(self.settings.refuse(
                &format!("budget.{name}"),
                Rule::ZeroWithoutPrice {
                    model: model.to_owned(),
                },
            )),
            _ => Ok(()),
        }
    }
}

fn limit(tokens: u64, money: f64) -> Limit {
    Limit {
        tokens: Some(tokens).filter(|tokens| *tokens > 0),
        micros: Some(micros(money)).filter(|micros| *micros > 0),
    }
}

/// Returns a sum in whole millionths. The table of keys has checked its range.
fn micros(money: f64) -> u64 {
    (money * 1_000_000.0).round() as u64
}
