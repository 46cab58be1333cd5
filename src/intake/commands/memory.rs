//! `/memory export`: what is remembered here, as two files. In a direct chat it is the person's own,
//! in a group what the group remembers, which everybody in it may have.

use chrono::{DateTime, SecondsFormat};
use sayso_channel::{ChatKind, FileSource, Language, OutFile, Outbound};
use serde_json::{Value, json};

use super::messages;
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
                "at": time(row).to_rfc3339_opts(SecondsFormat::Secs, true),
                "from_outside": !row.taint.0.is_empty(),
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
                format!("- {}: {words}", time(row).date_naive())
            })
            .collect();
        if !lines.is_empty() {
            let heading = messages::memory_kind(kind, language);
            text = format!("{text}\n## {heading}\n\n{}\n", lines.join("\n"));
        }
    }
    text
}

fn time(row: &MemoryRow) -> DateTime<chrono::Utc> {
    DateTime::from_timestamp_millis(row.touched_ms).unwrap_or(DateTime::UNIX_EPOCH)
}
