//! What a lesson is about: the messages of its turns, and the facts that these may touch.

use std::collections::HashMap;

use sayso_core::transcript::{Owner, Taint, TurnId, TurnState};
use sayso_memory::extraction::{KNOWN, Material, Said, Speaker};
use sayso_memory::{MemoryKind, Span};
use sayso_store::lessons::{self, LessonRow, PlaceRow};
use sayso_store::now_ms;

use crate::sessions::SessionContext;

/// How many messages are read at most: the newest.
const MESSAGES: i64 = 60;

/// What a lesson is about.
pub struct Reading {
    /// The lesson.
    pub lesson: LessonRow,
    /// Its turns, oldest first.
    pub turns: Vec<TurnId>,
    /// Where it takes place.
    pub place: PlaceRow,
    /// Whose memory it is for.
    pub owner: Owner,
    /// What a model is worth asking about; `None` when nothing is.
    pub material: Option<Material>,
}

impl Reading {
    /// Reads what a lesson is about; `None` when it is over.
    pub async fn of(ctx: &SessionContext, lesson: &LessonRow) -> anyhow::Result<Option<Self>> {
        let readers = ctx.store.reader();
        let turns = lessons::turns(readers, lesson).await?;
        let Some(place) = lessons::place(readers, lesson).await? else {
            return Ok(None);
        };
        let owner = Owner::of(place.kind, lesson.user_id, place.chat_id);
        let said = said(ctx, lesson, &turns).await?;
        let speaker = Speaker {
            owner,
            user: lesson.user_id,
            name: place.name.clone(),
        };
        let material = Material::of(speaker, said, now_ms());
        let material = match material {
            None => None,
            Some(material) => {
                let query = material.query();
                let known = ctx.agent.memory.find(owner, &query, 2 * KNOWN, Span::Now);
                let facts = known
                    .await?
                    .into_iter()
                    .filter(|known| known.kind == MemoryKind::Fact);
                let facts = facts.take(KNOWN).collect();
                Some(material.with_known(facts))
            }
        };
        Ok(Some(Self {
            lesson: *lesson,
            turns,
            place,
            owner,
            material,
        }))
    }
}

/// Returns the messages, each with what untrusted text its turn had in view.
async fn said(
    ctx: &SessionContext,
    lesson: &LessonRow,
    turns: &[TurnId],
) -> anyhow::Result<Vec<Said>> {
    let readers = ctx.store.reader();
    let rows = lessons::said(readers, lesson, turns, MESSAGES).await?;
    let mut spoken: Vec<TurnId> = rows.iter().map(|row| row.turn_id).collect();
    spoken.dedup();
    let journals = lessons::journals(readers, &spoken).await?;
    let taints: HashMap<TurnId, Taint> = journals
        .iter()
        .map(|(turn, entries)| (*turn, TurnState::fold(entries).taint))
        .collect();
    let said = rows.into_iter().map(|row| Said {
        taint: taints.get(&row.turn_id).cloned().unwrap_or_default(),
        turn: row.turn_id,
        at_ms: row.stored_ms,
        text: row.said,
    });
    Ok(said.collect())
}
