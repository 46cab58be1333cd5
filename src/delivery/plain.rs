//! A message without everything that a platform could dislike.

use sayso_channel::split::split_by_text;
use sayso_channel::styled::Styled;
use sayso_channel::{Part, Profile, RESENT_MARK_ROOM};
use sayso_store::outbox::Purpose;
use sayso_store::outbox::{self, NewOutbox, OutboxRow};
use sayso_store::{StoreError, detours};
use serde_json::Value;

use super::route::Route;

impl Route {
    /// Leaves out of a row what the platform may dislike; says whether there was anything. What
    /// then does not fit follows in rows of its own.
    pub(super) async fn say_plainly(
        &self,
        row: &mut OutboxRow,
        why: &str,
    ) -> Result<bool, StoreError> {
        let mut parts = plainer(row, self.channel.profile())?.into_iter();
        let Some(first) = parts.next() else {
            return Ok(false);
        };
        tracing::info!(row = %row.id, why, "formatting refused by the platform; sending plain text");
        row.part = serde_json::to_string(&first)?;
        let mut further = Vec::new();
        for part in parts {
            further.push(NewOutbox {
                channel: row.channel.clone(),
                address: row.address.clone(),
                turn: row.turn_id,
                purpose: Purpose::More,
                subject: None,
                edits: None,
                message: None,
                part: serde_json::to_string(&part)?,
            });
        }
        let (id, part) = (row.id, row.part.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    detours::say_as(tx, id, &part).await?;
                    for part in further {
                        outbox::insert(tx, part).await?;
                    }
                    Ok(())
                })
            })
            .await?;
        Ok(true)
    }
}

/// Returns the part of a row without looks, a quoted message and a forced reply, with the addresses
/// of its links written out; what then does not fit follows as further parts. Empty when nothing
/// can be left out, or when it is an edit.
fn plainer(row: &OutboxRow, profile: &Profile) -> Result<Vec<Part>, StoreError> {
    let part: Part = serde_json::from_str(&row.part)?;
    if row.purpose.is_change() || !(has_looks(&part) || part.reply_to.is_some() || part.asks_reply)
    {
        return Ok(Vec::new());
    }
    let part = Part {
        reply_to: None,
        asks_reply: false,
        ..part
    };
    Ok(without_looks(part, profile))
}

/// Returns a part as text alone.
pub fn without_looks(mut part: Part, profile: &Profile) -> Vec<Part> {
    part.markup = Value::Null;
    let Some(plain) = part.plain.take() else {
        return vec![part];
    };
    let limit = profile.text_limit.saturating_sub(RESENT_MARK_ROOM);
    let mut pieces = split_by_text(&Styled::plain(plain), limit, profile.text_unit).into_iter();
    // The text beside a file has a limit of its own, which what was rendered keeps to.
    if part.file.is_none()
        && let Some(first) = pieces.next()
    {
        part.text = first.text;
    }
    let further: Vec<Part> = pieces
        .map(|piece| Part {
            text: piece.text,
            buttons: Vec::new(),
            file: None,
            ..part.clone()
        })
        .collect();
    std::iter::once(part).chain(further).collect()
}

/// Says whether a part is more than its text.
pub fn has_looks(part: &Part) -> bool {
    match &part.markup {
        Value::Null => false,
        Value::Array(looks) => !looks.is_empty(),
        Value::Object(looks) => !looks.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}
