//! `/memory export`: what is remembered here, as two files. In a direct chat it is the person's own,
//! in a group what the group remembers, which everybody in it may have.

use chrono::{DateTime, SecondsFormat};
use sayso_channel::{ChatKind, FileSource, Language, OutFile, Outbound};
use serde_json::{Value, json};

use super::{messages, profile};
use crate::delivery::{Purpose, Saying};
use crate::intake::message::{Heard, say, tell};
use crate::intake::{Door, Followed};
use crate::store::memories::{self, MemoryRow};
use crate::store::{StoreError, Tx};
use crate::transcript::Owner;

/// What is written behind `/memory`.
pub const EXPORT: &str = "export";

/// Sends the files, or says what may be asked for.
pub async fn run(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    wanted: &str,
    language: Language,
) -> Result<Followed, StoreError> {
    if let Some(text) = profile::asked(wanted) {
        return profile::run(tx, door, heard, text, language).await;
    }
    let owner = match heard.inbound.chat_kind {
        ChatKind::Direct => Owner::User(heard.user),
        ChatKind::Group => Owner::Chat(heard.chat.id),
    };
    let rows = if wanted == EXPORT {
        memories::all(tx, owner).await?
    } else {
        Vec::new()
    };
    if rows.is_empty() {
        let text = if wanted == EXPORT {
            messages::nothing_remembered(language)
        } else {
            messages::memory_usage(language)
        };
        return tell(tx, door, heard, text).await;
    }
    let named = Outbound {
        file: Some(file("memory.json", as_json(&rows)?)),
        ..Outbound::markdown(messages::exported(
            rows.len(),
            heard.inbound.chat_kind,
            language,
        ))
    };
    let mut said = say(tx, door, heard, &named).await?;
    let other = Outbound {
        file: Some(file("memory.md", as_markdown(&rows, language))),
        ..Outbound::default()
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &other,
    };
    said.extend(door.voice.say(tx, saying).await?);
    Ok(Followed {
        said,
        ..Followed::default()
    })
}

fn file(name: &str, text: String) -> OutFile {
    OutFile {
        name: name.to_owned(),
        source: FileSource::Text(text),
    }
}

fn as_json(rows: &[MemoryRow]) -> Result<String, StoreError> {
    let list: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "text": row.text,
                "kind": row.kind,
                "at": written(row.touched_ms),
                "first_at": written(row.created_ms),
                "from_outside": !row.taint.0.is_empty(),
                "topic": row.topic,
                "source": row.source,
                "confidence": row.source.as_ref().map(|_| row.confidence),
                "valid_from": row.valid_from_ms.map(written),
                "valid_until": row.valid_until_ms.map(written),
                "superseded": row.superseded_by.is_some(),
                "recalls": row.recalls,
                "recalled_at": row.recalled_ms.map(written),
            })
        })
        .collect();
    Ok(serde_json::to_string_pretty(&list)?)
}

fn as_markdown(rows: &[MemoryRow], language: Language) -> String {
    let mut text = format!("# {}\n", messages::memory_heading(language));
    for kind in ["fact", "episode"] {
        let lines: Vec<String> = rows
            .iter()
            .filter(|row| row.kind == kind)
            .map(|row| {
                let words = row.text.replace('\n', "\n  ");
                let details = details(row, language);
                format!("- {}: {words}{details}", time(row.touched_ms).date_naive())
            })
            .collect();
        if !lines.is_empty() {
            let heading = messages::memory_kind(kind, language);
            text = format!("{text}\n## {heading}\n\n{}\n", lines.join("\n"));
        }
    }
    text
}

/// Returns what is known of a fact, in brackets; nothing of an episode.
fn details(row: &MemoryRow, language: Language) -> String {
    let Some(source) = &row.source else {
        return String::new();
    };
    let day = |at_ms: i64| time(at_ms).date_naive().to_string();
    let mut details = vec![messages::memory_source(source, row.confidence, language)];
    details.extend(
        row.topic
            .as_deref()
            .map(|topic| messages::memory_topic(topic, language)),
    );
    details.extend(
        row.valid_from_ms
            .map(|at| messages::memory_since(&day(at), language)),
    );
    // What ends at midnight ends with the day before.
    let last = row.valid_until_ms.map(|at| day(at.saturating_sub(1)));
    details.extend(last.map(|day| messages::memory_until(&day, language)));
    if row.recalls > 0 {
        details.push(messages::memory_recalls(row.recalls, language));
    }
    format!(" ({})", details.join(", "))
}

fn written(at_ms: i64) -> String {
    time(at_ms).to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn time(at_ms: i64) -> DateTime<chrono::Utc> {
    DateTime::from_timestamp_millis(at_ms).unwrap_or(DateTime::UNIX_EPOCH)
}
