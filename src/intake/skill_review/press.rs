//! A press on the card about a skill: who may, and what begins with it.

use super::card::Answer;
use super::{close, messages};
use crate::audit::{By, Event, Place, Record};
use crate::intake::messages as door_messages;
use crate::intake::press::Pressed;
use crate::intake::{Effects, IntakeContext};
use crate::store::skill_reviews::{self, ReviewRow, ReviewState};
use crate::store::{StoreError, Tx, now_ms};
use crate::transcript::Role;

/// Judges a press; `None` when the data is no button of such a card.
pub async fn press(
    tx: &mut Tx,
    ctx: &IntakeContext,
    press: &Pressed<'_>,
    role: Role,
) -> Result<Option<Effects>, StoreError> {
    let Some((answer, token)) = Answer::parse(press.data) else {
        return Ok(None);
    };
    let language = press.language;
    let asked = skill_reviews::asked(tx, token).await?;
    let Some(review) = asked.filter(|one| one.chat_id == press.chat) else {
        let unknown = door_messages::unknown_button(language);
        return Ok(Some(Effects::told(unknown, true)));
    };
    if role != Role::Owner {
        let refused = messages::owners_only(language);
        return Ok(Some(Effects::told(refused, true)));
    }
    if review.state != ReviewState::Open {
        let answered = door_messages::already_answered(language);
        return Ok(Some(Effects::told(answered, true)));
    }
    if review.expires_ms <= now_ms() {
        let said = close(tx, ctx, &review, ReviewState::Expired, press.this).await?;
        return Ok(Some(Effects {
            said,
            ..Effects::told(door_messages::too_late(language), true)
        }));
    }
    let (state, decided) = match answer {
        Answer::Approve => (ReviewState::Approved, "approved"),
        Answer::Deny => (ReviewState::Denied, "denied"),
    };
    note(tx, ctx, &review, (press, decided)).await?;
    let said = close(tx, ctx, &review, state, press.this).await?;
    Ok(Some(Effects {
        said,
        reviews: true,
        ..Effects::told(messages::pressed(answer, language), false)
    }))
}

/// Writes down who decided what, by the hash of what was shown.
async fn note(
    tx: &mut Tx,
    ctx: &IntakeContext,
    review: &ReviewRow,
    (press, decided): (&Pressed<'_>, &str),
) -> Result<(), StoreError> {
    let place = Place {
        chat: Some(press.chat),
        user: Some(press.user),
        ..Place::default()
    };
    let record = Record {
        by: Some(By::User(press.user)),
        payload: Some(serde_json::json!({
            "skill": review.name,
            "is": decided,
            "from": review.source,
            "hash": review.hash,
        })),
        ..Record::of(Event::Skill, place)
    };
    ctx.auditor.note(tx, record).await
}
