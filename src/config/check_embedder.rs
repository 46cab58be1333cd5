//! `[memory.embedder]`: what finds memories by their meaning, a server or a directory.

use std::time::Duration;

use sayso_providers::{EmbedderSource, EmbeddingsConfig};

use super::ConfigError;
use super::check::Check;
use super::check_endpoint::MODEL_ENDPOINTS;
use super::checked::EmbedderConfig;
use super::error::Origin;
use super::keys::EmbedderTable;
use super::messages::{Hint, Reason, Rule};
use super::path::expand_home;

const SECTION: &str = "memory.embedder";

/// The keys that apply only to a server.
const OF_SERVERS: [&str; 4] = ["model", "base_url", "api_key", "timeout_secs"];

impl Check<'_> {
    /// Checks the embedder. There is none unless somebody wrote its section.
    pub(super) fn embedder(
        &self,
        table: EmbedderTable,
    ) -> Result<Option<EmbedderConfig>, ConfigError> {
        if self.settings.section_origin(SECTION) == Origin::Default {
            return Ok(None);
        }
        let min_similarity = table.min_similarity;
        let source = match &table.directory {
            Some(directory) => self.directory(directory, table.dimensions)?,
            None => EmbedderSource::Server(self.embedding_server(table)?),
        };
        Ok(Some(EmbedderConfig {
            source,
            min_similarity,
        }))
    }

    fn directory(
        &self,
        written: &str,
        dimensions: Option<usize>,
    ) -> Result<EmbedderSource, ConfigError> {
        for name in OF_SERVERS {
            if self.settings.origin(&key(name)) != Origin::Default {
                let allowed = Rule::LeftOutBesideDirectory;
                return Err(self.settings.refuse(&key(name), allowed));
            }
        }
        let path = expand_home(written.trim(), self.environment);
        match path.filter(|path| path.is_absolute()) {
            Some(path) => Ok(EmbedderSource::Directory { path, dimensions }),
            None => Err(self
                .settings
                .refuse(&key("directory"), Rule::ModelDirectory)),
        }
    }

    fn embedding_server(&self, table: EmbedderTable) -> Result<EmbeddingsConfig, ConfigError> {
        let Some(model) = table.model.filter(|model| !model.trim().is_empty()) else {
            let because = Reason::IsConfigured {
                section: SECTION.to_owned(),
            };
            let hint = Hint::EmbeddingModel;
            return Err(self.settings.missing(SECTION, "model", because, hint));
        };
        let written_key = table.api_key.filter(|written| !written.is_empty());
        let api_key = written_key.map(|written| self.secret(&key("api_key"), &written));
        Ok(EmbeddingsConfig {
            base_url: self.address_before(&MODEL_ENDPOINTS, &key("base_url"), &table.base_url)?,
            api_key: api_key.transpose()?,
            model,
            dimensions: table.dimensions,
            timeout: Duration::from_secs(table.timeout_secs),
        })
    }
}

fn key(name: &str) -> String {
    format!("{SECTION}.{name}")
}
