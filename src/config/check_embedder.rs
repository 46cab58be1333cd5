//! `[memory.embedder]`: what finds memories by their meaning.

use std::time::Duration;

use super::ConfigError;
use super::check::Check;
use super::checked::EmbedderConfig;
use super::error::Origin;
use super::written::EmbedderTable;

const SECTION: &str = "memory.embedder";

impl Check<'_> {
    /// Checks the embedder. There is none unless somebody wrote its section.
    pub(super) fn embedder(
        &self,
        table: EmbedderTable,
    ) -> Result<Option<EmbedderConfig>, ConfigError> {
        let key = |name: &str| format!("{SECTION}.{name}");
        let Some(model) = table.model.filter(|model| !model.trim().is_empty()) else {
            let origin = self.settings.section_origin(SECTION);
            if origin == Origin::Default {
                return Ok(None);
            }
            return Err(ConfigError::Missing {
                origin,
                key: key("model"),
                because: format!("`[{SECTION}]` is configured"),
                hint: "write the name that the service gives it, such as \
                       `model = \"text-embedding-3-small\"`"
                    .to_owned(),
            });
        };
        let written_key = table.api_key.filter(|written| !written.is_empty());
        let api_key = written_key.map(|written| self.secret(&key("api_key"), &written));
        Ok(Some(EmbedderConfig {
            base_url: self.url(&key("base_url"), &table.base_url)?,
            api_key: api_key.transpose()?,
            model,
            dimensions: table.dimensions,
            min_similarity: table.min_similarity,
            timeout: Duration::from_secs(table.timeout_secs),
        }))
    }
}
