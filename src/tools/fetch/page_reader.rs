//! The text of an answer: pages are read by a helper, everything else is shown as it stands.

use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::answer::Answer;
use super::page_request::{PageExtent, PageReading, PageText, TooDeep};
use super::text::{Body, decoded};
use crate::tools::helper::{HelperPath, Report, Request};
use crate::tools::sandbox::Sandbox;
use crate::tools::sealed_helper::{SealedError, SealedHelper};

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
    pub(super) async fn read(
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
        let markup = &markup[..markup.floor_char_boundary(MAX_PAGE_BYTES)];
        let request = Request::ReadPage(PageReading {
            bytes: markup.len() as u64,
            extent,
            plan: self.0.plan(),
        });
        let asked = self.0.ask(directory, &request, markup.as_bytes(), WITHIN);
        match asked.await {
            Ok(Report::Page(read)) => Ok(read?),
            Ok(_) => Err(SealedError::Ended.into()),
            Err(error) => {
                tracing::warn!(%error, "page not read by its helper");
                Err(error.into())
            }
        }
    }
}
