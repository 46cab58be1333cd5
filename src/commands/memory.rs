//! `/memory export`: what is remembered here, as two files. In a direct chat it is the person's
//! own, with what they wrote of themselves and which skills are off; in a group the group's, which
//! everybody in it may have.

use chrono::{DateTime, SecondsFormat};
use sayso_channel::{FileSource, Language, OutFile, Outbound};
use sayso_core::transcript::Owner;
use sayso_store::memories::MemoryKind;
use sayso_store::memories::{self, MemoryRow};
use sayso_store::profiles::{self, WrittenRow};
use sayso_store::routines::{self, RoutineRow};
use sayso_store::skills_off::{self, SkillOff};
use sayso_store::{StoreError, Tx};
use serde_json::{Value, json};

use super::context::CommandContext;
use super::{messages, profile};
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, ResolvedMessage, say, tell};

/// What is written behind `/memory`.
pub const EXPORT: &str = "export";
/// How many memories a file has at most, and how much text: a file has to be below 10 MiB, which is
/// what Discord takes, and each memory takes some 500 bytes beside its text.
const MEMORIES: usize = 10_000;
const TEXT_BYTES: usize = 3 * 1024 * 1024;

/// Sends the files, or says what may be asked for.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    wanted: &str,
    language: Language,
) -> Result<Effects, StoreError> {
    if let Some(text) = profile::asked(wanted) {
        return profile::run(tx, ctx, heard, text, language).await;
    }
    let owner = heard.owner();
    if wanted != EXPORT {
        return tell(tx, &ctx.outbox, heard, messages::memory_usage(language)).await;
    }
    let kept = Kept::of(tx, owner).await?;
    if kept.count() == 0 {
        return tell(
            tx,
            &ctx.outbox,
            heard,
            messages::nothing_remembered(language),
        )
        .await;
    }
    let mut text = messages::exported(kept.count(), heard.inbound.chat_kind, language);
    if kept.is_cut {
        text = format!("{text}\n{}", messages::export_is_cut(language));
    }
    let named = Outbound {
        file: Some(file("memory.json", kept.as_json()?)),
        ..Outbound::markdown(text)
    };
    let mut said = say(tx, &ctx.outbox, heard, &named).await?;
    let other = Outbound {
        file: Some(file("memory.md", kept.as_markdown(language))),
        ..Outbound::default()
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &other,
    };
    said.extend(ctx.outbox.say(tx, saying).await?);
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

fn file(name: &str, text: String) -> OutFile {
    OutFile {
        name: name.to_owned(),
        source: FileSource::Text(text),
    }
}

/// What is remembered of an owner, the newest first.
struct Kept {
    rows: Vec<MemoryRow>,
    /// Whether there is more than a file takes.
    is_cut: bool,
    /// What a person wrote of themselves.
    profile: Option<WrittenRow>,
    /// The skills that are switched off.
    skills_off: Vec<SkillOff>,
    /// What a person wants done at set times.
    routines: Vec<RoutineRow>,
}

impl Kept {
    async fn of(tx: &mut Tx, owner: Owner) -> Result<Self, StoreError> {
        let mut rows = memories::newest(tx, owner, MEMORIES + 1).await?;
        let found = rows.len();
        let mut bytes = 0;
        let fits = |row: &&MemoryRow| {
            bytes += row.text.len();
            bytes <= TEXT_BYTES
        };
        let fitting = rows.iter().take(MEMORIES).take_while(fits).count();
        rows.truncate(fitting);
        Ok(Self {
            is_cut: rows.len() < found,
            rows,
            profile: match owner {
                Owner::User(user) => profiles::profile_in(tx, user).await?.written,
                Owner::Chat(_) => None,
            },
            skills_off: skills_off::of_in(tx, owner).await?,
            routines: match owner {
                Owner::User(user) => routines::of_in(tx, user, None).await?,
                Owner::Chat(_) => Vec::new(),
            },
        })
    }

    fn count(&self) -> usize {
        let chosen = self.skills_off.len() + self.routines.len();
        self.rows.len() + usize::from(self.profile.is_some()) + chosen
    }

    fn as_json(&self) -> Result<String, StoreError> {
        let profile = self.profile.iter().map(|profile| {
            json!({
                "kind": "profile",
                "text": profile.text,
                "at": written(profile.written_ms),
                "source": "written",
            })
        });
        let skills = self.skills_off.iter().map(|off| {
            json!({
                "kind": "skill_off",
                "text": off.name,
                "at": written(off.off_ms),
                "source": "written",
            })
        });
        let routines = self.routines.iter().map(|routine| {
            json!({
                "kind": "routine",
                "text": routine.prompt,
                "schedule": routine.schedule,
                "enabled": routine.enabled,
                "at": written(routine.created_ms),
                "source": "written",
            })
        });
        let memories = self.rows.iter().map(entry);
        let chosen = skills.chain(routines);
        let list: Vec<Value> = profile.chain(chosen).chain(memories).collect();
        Ok(serde_json::to_string_pretty(&list)?)
    }

    fn as_markdown(&self, language: Language) -> String {
        let mut text = format!("# {}\n", messages::memory_heading(language));
        if let Some(profile) = &self.profile {
            let (heading, day) = (
                messages::memory_kind("profile", language),
                profile.written_ms,
            );
            let words = profile.text.replace('\n', "\n  ");
            text = format!("{text}\n## {heading}\n\n- {}: {words}\n", day_of(day));
        }
        if !self.skills_off.is_empty() {
            let heading = messages::memory_kind("skill_off", language);
            let line = |off: &SkillOff| format!("- {}: {}", day_of(off.off_ms), off.name);
            let lines: Vec<String> = self.skills_off.iter().map(line).collect();
            text = format!("{text}\n## {heading}\n\n{}\n", lines.join("\n"));
        }
        if !self.routines.is_empty() {
            let heading = messages::memory_kind("routine", language);
            let line = |routine: &RoutineRow| {
                let RoutineRow {
                    schedule, prompt, ..
                } = routine;
                let words = prompt.replace('\n', "\n  ");
                format!("- {}: `{schedule}` {words}", day_of(routine.created_ms))
            };
            let lines: Vec<String> = self.routines.iter().map(line).collect();
            text = format!("{text}\n## {heading}\n\n{}\n", lines.join("\n"));
        }
        for kind in [MemoryKind::Fact, MemoryKind::Episode] {
            let rows = self.rows.iter().filter(|row| row.kind == kind);
            let lines: Vec<String> = rows
                .map(|row| {
                    let words = row.text.replace('\n', "\n  ");
                    let details = self.details(row, language);
                    format!("- {}: {words}{details}", day_of(row.touched_ms))
                })
                .collect();
            if !lines.is_empty() {
                let heading = messages::memory_kind(kind.as_str(), language);
                text = format!("{text}\n## {heading}\n\n{}\n", lines.join("\n"));
            }
        }
        text
    }

    /// Returns what is known of a fact, in brackets; nothing of an episode.
    fn details(&self, row: &MemoryRow, language: Language) -> String {
        let Some(source) = row.source else {
            return String::new();
        };
        let mut details = vec![messages::memory_source(source, row.confidence, language)];
        details.extend(
            row.topic
                .map(|topic| messages::memory_topic(topic, language)),
        );
        details.extend(
            row.valid_from_ms
                .map(|at| messages::memory_since(&day_of(at), language)),
        );
        // What ends at midnight ends with the day before.
        let last = row.valid_until_ms.map(|at| day_of(at.saturating_sub(1)));
        details.extend(last.map(|day| messages::memory_until(&day, language)));
        if let Some(next) = row.superseded_by {
            let newer = self.rows.iter().find(|other| other.id == next);
            let text = newer.map(|other| other.text.as_str());
            details.push(messages::memory_replaced(text, language));
        }
        if row.recalls > 0 {
            details.push(messages::memory_recalls(row.recalls, language));
        }
        format!(" ({})", details.join(", "))
    }
}

/// Returns a memory as the file for programs has it. An id is a text: a number of 63 bits does not
/// survive every JSON reader.
fn entry(row: &MemoryRow) -> Value {
    json!({
        "id": row.id.to_string(),
        "text": row.text,
        "kind": row.kind,
        "at": written(row.touched_ms),
        "first_at": written(row.created_ms),
        "from_outside": !row.taint.0.is_empty(),
        "topic": row.topic,
        "source": row.source,
        "confidence": row.source.map(|_| row.confidence),
        "valid_from": row.valid_from_ms.map(written),
        "valid_until": row.valid_until_ms.map(written),
        "superseded_by": row.superseded_by.map(|next| next.to_string()),
        "recalls": row.recalls,
        "recalled_at": row.recalled_ms.map(written),
    })
}

fn day_of(at_ms: i64) -> String {
    time(at_ms).date_naive().to_string()
}

fn written(at_ms: i64) -> String {
    time(at_ms).to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn time(at_ms: i64) -> DateTime<chrono::Utc> {
    DateTime::from_timestamp_millis(at_ms).unwrap_or(DateTime::UNIX_EPOCH)
}
