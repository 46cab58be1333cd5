//! Reading a page in a helper: what is wanted of it, and what it answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::page;

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

/// Reads a page, in a helper.
pub fn read_page_sealed(extent: &Value, bytes: &[u8]) -> Value {
    let Ok(extent) = serde_json::from_value(extent.clone()) else {
        return Value::Null;
    };
    let read = page_text(&String::from_utf8_lossy(bytes), extent);
    serde_json::to_value(read).unwrap_or_default()
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
