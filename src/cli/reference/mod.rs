//! `sayso reference PAGE`: pages of the book that are written from what they describe.
//!
//! A page is the text of `docs/src/reference/PAGE.md`; the test `book` compares the two.

mod chat_commands;
mod command_line;
mod markdown;
mod metrics;
mod tools;

use std::io::Write;

use sayso_channel::Language;

use super::arguments::Page;
use super::exit::Exit;
use super::{config, says};

/// Prints a page. The configuration and the commands of a chat are there in each language, the
/// others in English: so are the texts that they describe.
pub(super) fn reference(
    page: Page,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let text = match page {
        Page::Configuration => config::reference(language),
        Page::Cli => command_line::page(),
        Page::ChatCommands => chat_commands::page(language),
        Page::Tools => tools::page()?,
        Page::Metrics => metrics::page(),
    };
    says(output, &text)
}
