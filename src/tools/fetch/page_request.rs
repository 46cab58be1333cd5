//! Reading a page in a helper: the request that it receives, and the agent's side of it.

use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::answer::Answer;
use super::page;
use super::text::{Body, decoded};
use crate::tools::helper::{HelperPath, Report, Request};
use crate::tools::sandbox::{Sandbox, SandboxProfile};
use crate::tools::sealed::{SealedError, SealedHelper, SealedLimits, work_sealed};

/// The most that reading a page may use. The largest page takes a fifth of this.
const LIMITS: SealedLimits = SealedLimits {
    memory: 768 * 1024 * 1024,
    cpu_secs: 10,
};
/// After this the helper is ended.
const WITHIN: Duration = Duration::from_secs(20);
/// How much of a page is read, in bytes.
const MAX_PAGE_BYTES: usize = 8 * 1024 * 1024;

/// A page to read: its markup comes behind the request, as UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageReading {
    /// How many bytes come.
    pub bytes: u64,
    /// How much of its text is wanted.
    pub extent: PageExtent,
    /// The sandbox of the helper; `None` where commands are not confined.
    pub plan: Option<SandboxProfile>,
}

/// How much of a page is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageExtent {
    /// Its main text, where there is one.
    Main,
    /// All of it.
    Whole,
}

/// The text of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageText {
    /// What was wanted of it.
    pub text: String,
    /// How many bytes of its text were left out around the main text.
    pub left_out: usize,
    /// Where its links lead.
    pub links: Vec<String>,
}

/// Its markup is nested more deeply than any page that is made to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("it is nested too deeply to be read")]
pub struct TooDeep;

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

/// Reads a page in this process, which must be a helper: from now on it can do little else. `None`
/// where reading it panicked.
pub fn read_page_here(
    reading: &PageReading,
    from: &mut impl Read,
) -> io::Result<Option<Result<PageText, TooDeep>>> {
    let mut markup = String::new();
    from.take(reading.bytes).read_to_string(&mut markup)?;
    work_sealed(reading.plan.as_ref(), LIMITS, || {
        page_text(&markup, reading.extent)
    })
}

/// Returns what is wanted of a page.
pub fn page_text(markup: &str, extent: PageExtent) -> Result<PageText, TooDeep> {
    if page::is_too_deep(markup) {
        return Err(TooDeep);
    }
    let read = match extent {
        PageExtent::Main => page::main_text(markup),
        PageExtent::Whole => page::MainText {
            text: page::as_text(markup),
            left_out: 0,
        },
    };
    Ok(PageText {
        text: read.text,
        left_out: read.left_out,
        links: page::links(markup),
    })
}
