//! `sayso routines list`: what is kept to be done at set times, for the operator.

use std::io::Write;

use anyhow::Context as _;
use chrono::{DateTime, SecondsFormat, Utc};
use chrono_tz::Tz;
use sayso_store::routines::{self, RoutineRow};
use serde::Serialize;

use super::exit::Exit;
use super::messages;
use super::output_style::{Form, OutputStyle, print_json};
use crate::config::Config;
use crate::routines::{Trigger, trigger_in_words};

/// A routine or reminder, as scripts read it.
#[derive(Serialize)]
struct Entry<'a> {
    /// Its number.
    id: i64,
    /// The number of its user.
    user: i64,
    /// `remind`, `turn`.
    kind: &'static str,
    /// What people call it; absent where it goes by its words.
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    /// What is to be done, or said.
    words: &'a str,
    /// When; empty where something else starts it.
    schedule: &'a str,
    /// What starts it besides the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Trigger>,
    /// By whose clock.
    zone: &'a str,
    /// Whether it is on.
    enabled: bool,
    /// Why the program switched it off.
    #[serde(skip_serializing_if = "Option::is_none")]
    off_why: Option<&'static str>,
    /// Its next occurrence, by the clock of its zone.
    due: Option<String>,
    /// When it last ran.
    last: Option<String>,
}

/// Prints every routine and reminder.
pub(super) async fn list(
    config: &Config,
    style: OutputStyle,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let readers = sayso_store::open_to_read(&config.store_path)
        .await
        .with_context(|| format!("cannot open `{}`", config.store_path.display()))?;
    let rows = routines::all(&readers).await?;
    match style.form {
        Form::Json => print_json(output, &rows.iter().map(entry).collect::<Vec<_>>())?,
        Form::Plain if rows.is_empty() => {
            writeln!(output, "{}", messages::no_routines(style.language))?;
        }
        Form::Plain => {
            for row in &rows {
                let Entry {
                    id,
                    user,
                    due,
                    words,
                    source,
                    ..
                } = entry(row);
                let due = due.unwrap_or_else(|| "-".to_owned());
                let starts = match source {
                    Some(trigger) => trigger_in_words(&trigger, style.language),
                    None => format!("{} ({})", row.schedule, row.zone),
                };
                writeln!(output, "{id}  {user}  {due}  {starts}  {words}")?;
            }
        }
    }
    Ok(Exit::Fine)
}

fn entry(row: &RoutineRow) -> Entry<'_> {
    let zone = row.zone.parse().unwrap_or(Tz::UTC);
    let at = |ms: i64| {
        let at = DateTime::<Utc>::from_timestamp_millis(ms)?;
        Some(
            at.with_timezone(&zone)
                .to_rfc3339_opts(SecondsFormat::Secs, true),
        )
    };
    Entry {
        id: row.id.0,
        user: row.user_id.0,
        kind: row.kind.as_str(),
        name: &row.name,
        words: &row.prompt,
        schedule: &row.schedule,
        source: Trigger::of(row),
        zone: &row.zone,
        enabled: row.enabled,
        off_why: row.off_why.map(routines::OffReason::as_str),
        due: row.due_ms.and_then(at),
        last: row.last_ms.and_then(at),
    }
}
