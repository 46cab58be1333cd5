//! `sayso routing report`: what Phase 1 decided, what it cost, and what free rules would have done.
//!
//! It reads the journal beside a running Sayso and changes nothing. No word of a message is shown.

mod json;
mod messages;
mod tally;

use std::io::Write;

use anyhow::Context as _;
use sayso_store::{now_ms, traces};

use self::json::JsonReport;
use self::tally::Tally;
use super::exit::Exit;
use super::output_style::{Form, OutputStyle, print_json};
use crate::config::Config;

/// How many entries are read in one go.
const PAGE: i64 = 500;
/// Milliseconds in a day.
const DAY_MS: i64 = 86_400_000;

/// Counts the routes of the last days, and prints what they come to.
pub(super) async fn report(
    config: &Config,
    days: u32,
    style: OutputStyle,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let readers = sayso_store::open_to_read(&config.store_path)
        .await
        .with_context(|| format!("cannot open `{}`", config.store_path.display()))?;
    let since = now_ms() - i64::from(days) * DAY_MS;
    let mut tally = Tally::default();
    let mut behind = 0;
    loop {
        let rows = traces::routed_after(&readers, behind, since, PAGE).await?;
        for row in &rows {
            tally.count(&row.entry()?);
            behind = row.row;
        }
        if i64::try_from(rows.len()).is_ok_and(|count| count < PAGE) {
            break;
        }
    }
    match style.form {
        Form::Json => print_json(output, &JsonReport::of(tally, days))?,
        Form::Plain => {
            for line in tally.lines(days, style.language) {
                writeln!(output, "{line}")?;
            }
        }
    }
    Ok(Exit::Fine)
}
