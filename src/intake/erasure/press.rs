//! A press on the card of an erasure: whose it is, and what begins with it.

use super::card::{self, Answer};
use super::{close, messages};
use crate::audit::{By, Event, Place, Record};
use crate::bus::Signal;
use crate::delivery::Purpose;
use crate::intake::messages as door_messages;
use crate::intake::press::Pressed;
use crate::intake::stop::close_cards;
use crate::intake::{Effects, IntakeContext};
use crate::store::erase::{self, ErasureRow, ErasureState};
use crate::store::{StoreError, Tx, now_ms, turns};

/// Judges a press; `None` when the data is no button of such a card.
pub async fn press(
    tx: &mut Tx,
    ctx: &IntakeContext,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some((answer, token)) = Answer::parse(press.data) else {
        return Ok(None);
    };
    let language = press.language;
    let asked = erase::asked(tx, token).await?;
    let asked = asked.filter(|one| one.chat_id == press.chat && one.user_id == press.user);
    let Some(erasure) = asked else {
        return Ok(Some(Effects::told(
            door_messages::unknown_button(language),
            true,
        )));
    };
    if erasure.state != ErasureState::Open {
        return Ok(Some(Effects::told(
            door_messages::already_answered(language),
            true,
        )));
    }
    if erasure.expires_ms <= now_ms() {
        let said = close(tx, ctx, &erasure, ErasureState::Expired).await?;
        return Ok(Some(Effects {
            said,
            ..Effects::told(door_messages::too_late(language), true)
        }));
    }
    let effects = match answer {
        Answer::Keep => Effects {
            said: close(tx, ctx, &erasure, ErasureState::Refused).await?,
            ..Effects::told(messages::refused(language), false)
        },
        Answer::Erase => begin(tx, ctx, &erasure, press).await?,
    };
    Ok(Some(effects))
}

/// Notes the yes, and stops every turn of the person wherever it goes on.
async fn begin(
    tx: &mut Tx,
    ctx: &IntakeContext,
    erasure: &ErasureRow,
    press: &Pressed<'_>,
) -> Result<Effects, StoreError> {
    let language = press.language;
    let Some(open) = erase::want(tx, erasure).await? else {
        return Ok(Effects::told(
            door_messages::already_answered(language),
            true,
        ));
    };
    let place = Place {
        user: Some(press.user),
        ..Place::default()
    };
    let record = Record {
        by: Some(By::User(press.user)),
        ..Record::of(Event::Erased, place)
    };
    ctx.auditor.note(tx, record).await?;
    let mut said = Vec::new();
    let mut signals = Vec::new();
    for (session, user) in open {
        let stopped = turns::ask_to_stop(tx, session, Some(user), press.user).await?;
        for turn in stopped {
            said.extend(close_cards(tx, ctx, turn).await?);
            signals.push(Signal::Stop(session, user, turn));
        }
        signals.push(Signal::Work(session, user));
    }
    let outbound = card::ended(ErasureState::Wanted, language);
    let outbox = &ctx.outbox;
    let rows = outbox
        .amend(tx, Purpose::Card, erasure.id, press.this, &outbound)
        .await?;
    said.extend(rows);
    Ok(Effects {
        said,
        signals,
        erases: true,
        ..Effects::told(messages::begun(language), false)
    })
}
