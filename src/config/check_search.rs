//! `[tools.web_search]`: the service that searches the web.

use super::ConfigError;
use super::check::Check;
use super::checked::{WebSearchConfig, WebSearchKind};
use super::error::Origin;
use super::keys::{WebSearchTable, WrittenSearch};
use super::messages::{Hint, Reason};

const SECTION: &str = "tools.web_search";
/// Where Brave answers.
const BRAVE: &str = "https://api.search.brave.com";

impl Check<'_> {
    /// Checks the search service. There is none unless somebody wrote its section.
    pub(super) fn web_search(
        &self,
        table: &WebSearchTable,
    ) -> Result<Option<WebSearchConfig>, ConfigError> {
        if self.settings.section_origin(SECTION) == Origin::Default {
            return Ok(None);
        }
        let written_key = table
            .api_key
            .as_deref()
            .filter(|written| !written.is_empty());
        let api_key = written_key.map(|written| self.secret(&key("api_key"), written));
        let api_key = api_key.transpose()?;
        let (kind, base_url) = match (table.kind, table.base_url.as_deref()) {
            (WrittenSearch::Searxng, None) => return Err(self.missing("base_url", Hint::Searxng)),
            (WrittenSearch::Brave, _) if api_key.is_none() => {
                return Err(self.missing("api_key", Hint::Brave));
            }
            (WrittenSearch::Searxng, Some(written)) => (WebSearchKind::Searxng, written),
            (WrittenSearch::Brave, written) => (WebSearchKind::Brave, written.unwrap_or(BRAVE)),
        };
        Ok(Some(WebSearchConfig {
            kind,
            base_url: self.url(&key("base_url"), base_url)?,
            api_key,
            results: table.results,
        }))
    }

    fn missing(&self, name: &str, hint: Hint) -> ConfigError {
        let because = Reason::IsConfigured {
            section: SECTION.to_owned(),
        };
        self.settings.missing(SECTION, name, because, hint)
    }
}

fn key(name: &str) -> String {
    format!("{SECTION}.{name}")
}
