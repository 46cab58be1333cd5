//! What owners changed in chat: laid over the configuration at the start, and told to the tool.

use std::sync::Arc;

use sayso_store::{Store, StoreError, changed_settings};

use crate::config::{self, Config, Written};
use crate::settings::{Change, ChangeRefused, ConfigTool, Operated, changes_of};

/// What is written, for the tool.
struct Operator(Arc<Written>);

impl Operated for Operator {
    fn values(&self, changes: &[Change]) -> Vec<(String, Option<String>)> {
        let lines = self.0.lines(changes).into_iter();
        lines.map(|line| (line.key, line.value)).collect()
    }

    fn changeable(&self) -> Vec<&'static str> {
        config::changeable().collect()
    }

    fn judge(&self, earlier: &[Change], key: &str, value: &str) -> Result<(), ChangeRefused> {
        let judged = self.0.judge(earlier, key, value);
        judged.map_err(|why| ChangeRefused(why.to_string()))
    }
}

/// Lays over the configuration what owners changed. What is dropped is logged at each start.
pub(super) async fn cover(config: Config, store: &Store) -> Result<Config, StoreError> {
    let rows = changed_settings::standing(store.reader()).await?;
    let (config, overlay) = config.covered_with(&changes_of(&rows));
    for (key, value) in &overlay.in_force {
        tracing::info!(
            key,
            value,
            "configuration key overridden in chat by an owner"
        );
    }
    for ((key, value), why) in &overlay.dropped {
        tracing::warn!(
            key,
            value,
            %why,
            "ignored a change made in chat: the configuration no longer allows it"
        );
    }
    Ok(config)
}

/// Returns the tool that shows and changes the configuration.
pub(super) fn tool(config: &Config, store: &Store) -> ConfigTool {
    let operated = Arc::new(Operator(Arc::clone(&config.written)));
    ConfigTool::new(operated, store.clone(), config.changed.clone())
}
