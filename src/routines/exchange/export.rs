//! Writing what is kept as a file.

use anyhow::Context as _;
use chrono::{DateTime, SecondsFormat, Utc};
use sayso_channel::Address;
use sayso_core::when::Rule;
use sayso_store::Readers;
use sayso_store::routines::{self, Notify, RoutineKind, RoutineRow};

use super::written::{WrittenFile, WrittenKind, WrittenNotify, WrittenRoutine};
use crate::routines::timetable::Timetable;
use crate::routines::triggers::Trigger;

/// Returns what is to come of everybody, or of the person with an account, as TOML; `None` where there is
/// no such account.
///
/// # Errors
/// When the database cannot be read, or a row of it.
pub async fn export(readers: &Readers, account: Option<&str>) -> anyhow::Result<Option<String>> {
    let rows = match account {
        None => routines::all(readers).await?,
        Some(account) => {
            let (channel, sender) = account.split_once(':').unwrap_or((account, ""));
            let Some(user) = routines::user_with_account(readers, channel, sender).await? else {
                return Ok(None);
            };
            routines::of(readers, user, None).await?
        }
    };
    let mut written = Vec::new();
    for row in rows.iter().filter(|row| row.is_to_come()) {
        let account = routines::account_of(readers, row.user_id).await?;
        let (channel, sender) = account.context("a user without an account")?;
        written.push(written_of(row, format!("{channel}:{sender}"))?);
    }
    let file = WrittenFile { routines: written };
    Ok(Some(toml::to_string(&file)?))
}

fn written_of(row: &RoutineRow, person: String) -> anyhow::Result<WrittenRoutine> {
    let address: Address = serde_json::from_str(&row.address).context("an address")?;
    let mut written = WrittenRoutine {
        person,
        chat: format!("{}:{}", address.channel, address.chat),
        thread: address.thread.map(|thread| thread.to_string()),
        kind: match row.kind {
            RoutineKind::Turn => WrittenKind::Turn,
            RoutineKind::Remind => WrittenKind::Remind,
        },
        name: row.name.clone(),
        zone: (!row.follows).then(|| row.zone.clone()),
        words: row.prompt.clone(),
        notify: match row.notify {
            Notify::Always => WrittenNotify::Always,
            Notify::News => WrittenNotify::News,
        },
        late: row.late.clone(),
        off: !row.enabled,
        untrusted: !row.taint()?.is_empty(),
        ..WrittenRoutine::default()
    };
    match Trigger::of(row) {
        Some(Trigger::File { glob }) => written.on_file = Some(glob),
        Some(Trigger::Words { words }) => written.on_words = Some(words),
        Some(Trigger::Webhook) => written.on_webhook = true,
        None => {
            written.schedule = Some(row.schedule.clone());
            let timetable = Timetable::of(row);
            let is_interval = |it: &Timetable| matches!(it.schedule().rule, Rule::Every { .. });
            let anchor = DateTime::<Utc>::from_timestamp_millis(row.anchor_ms);
            written.from = anchor
                .filter(|_| timetable.as_ref().is_some_and(is_interval))
                .map(|anchor| anchor.to_rfc3339_opts(SecondsFormat::Millis, true));
        }
    }
    Ok(written)
}
