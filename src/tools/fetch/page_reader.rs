//! The text of an answer: pages are read by a helper, everything else is shown as it stands.

use std::path::Path;
use std::time::Duration;

use sayso_sandbox::Sandbox;
use sayso_sandbox::helper::{HelperPath, SealedError, SealedHelper, SealedLimits, SealedTask};
use serde_json::json;
use thiserror::Error;

use super::answer::Answer;
use super::page_request::{PageExtent, PageText, TooDeep};
use super::text::{Body, decoded};

/// The most that reading a page may use.
const LIMITS: SealedLimits = SealedLimits {
    memory: 768 * 1024 * 1024,
    cpu_secs: 10,
};
/// After this the helper is ended.
const WITHIN: Duration = Duration::from_secs(20);
/// How much of a page is read, in bytes.
const MAX_PAGE_BYTES: usize = 8 * 1024 * 1024;

/// Why the text of an answer cannot be shown.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// It is no text.
    #[error("it is no text, and is not shown")]
    NoText,
    /// It is a page that no helper could read.
    #[error("the page cannot be shown as text: {0}")]
    Helper(#[from] SealedError),
    /// It is nested too deeply.
    #[error("the page cannot be shown as text: {0}")]
    TooDeep(#[from] TooDeep),
}

/// Reads the answers of servers, pages in a helper.
pub struct PageReader(SealedHelper);

impl PageReader {
    /// Uses this program as the helper, confined as this sandbox says.
    pub fn new(program: HelperPath, sandbox: Sandbox) -> Self {
        Self(SealedHelper::new(program, sandbox))
    }

    /// Returns the text of an answer. The helper is started in this directory, which it cannot read.
    pub async fn read(
        &self,
        answer: &Answer,
        extent: PageExtent,
        directory: &Path,
    ) -> Result<PageText, Unreadable> {
        let body = decoded(answer.content_type.as_deref(), &answer.body);
        let markup = match body.ok_or(Unreadable::NoText)? {
            Body::Text(text) => {
                return Ok(PageText {
                    text,
                    left_out: 0,
                    links: Vec::new(),
                });
            }
            Body::Page(markup) => markup,
        };
        let task = SealedTask {
            wanted: json!({ "page": extent }),
            limits: LIMITS,
            within: WITHIN,
        };
        let fitting = &markup[..markup.floor_char_boundary(MAX_PAGE_BYTES)];
        let asked = self.0.ask(directory, task, fitting.as_bytes()).await;
        let read = asked.and_then(|given| {
            serde_json::from_value::<Result<PageText, TooDeep>>(given)
                .map_err(|_no_page| SealedError::Ended)
        });
        match read {
            Ok(read) => Ok(read?),
            Err(error) => {
                tracing::warn!(%error, "page not read by its helper");
                Err(error.into())
            }
        }
    }
}
