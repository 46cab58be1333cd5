//! Reading a page in a helper: the request that it receives, and its limits.

use std::io::{self, Read};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::page;
use crate::tools::sandbox::SandboxProfile;
use crate::tools::sealed::{SealedLimits, work_sealed};

/// The most that reading a page may use.
const LIMITS: SealedLimits = SealedLimits {
    memory: 768 * 1024 * 1024,
    cpu_secs: 10,
};

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
