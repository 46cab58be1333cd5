//! `sayso trace show`: one turn as it happened, line by line, from its journal.
//!
//! It reads beside a running Sayso and changes nothing. Long texts are cut with a note of how
//! much was left out; secrets are hidden.

mod messages;
mod page;
mod wrap;

use std::io::Write;
use std::ops::RangeInclusive;

use anyhow::Context as _;
use sayso_channel::{Language, replace_control_chars};
use sayso_core::transcript::TurnId;

use self::page::Page;
use super::arguments::WhichTurn;
use super::columns;
use super::exit::Exit;
use crate::audit::Timeline;
use crate::config::Config;

/// How wide the page is in a pipe, and at a terminal that does not say its width, in columns.
const USUAL_COLUMNS: usize = 80;
/// The least and the most columns that a page has at a terminal: texts need room beside their times,
/// and long lines are hard to read.
const COLUMNS: RangeInclusive<usize> = 60..=120;

/// Returns how wide the page is: as the terminal, within limits.
fn columns() -> usize {
    columns::of_terminal().map_or(USUAL_COLUMNS, |columns| {
        columns.clamp(*COLUMNS.start(), *COLUMNS.end())
    })
}

/// Prints a turn: the one with this number, or the one that began last.
pub(super) async fn show(
    config: &Config,
    turn: WhichTurn,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let turn = match turn {
        WhichTurn::Numbered(turn) => Some(TurnId(turn)),
        WhichTurn::Last => None,
    };
    let redactor = config.redactor()?;
    let readers = sayso_store::open_to_read(&config.store_path)
        .await
        .with_context(|| format!("cannot open `{}`", config.store_path.display()))?;
    let Some(timeline) = Timeline::load(&readers, turn).await? else {
        let said = match turn {
            Some(turn) => messages::no_such_turn(language, &turn),
            None => messages::no_turns(language),
        };
        writeln!(output, "{said}")?;
        return Ok(Exit::Failed);
    };
    let page = Page::of(&timeline, &config.budget.prices, language, columns());
    // What a model or a page said may command the terminal that it is shown on.
    let text = page.text();
    let shown = redactor.redact(&text);
    write!(output, "{}", replace_control_chars(&shown))?;
    Ok(Exit::Fine)
}
