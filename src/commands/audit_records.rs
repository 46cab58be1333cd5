//! What is written down of commands and answers: grants, autonomy, and who may come in.

use sayso_core::transcript::UserId;
use sayso_store::cards::CardRow;
use sayso_store::people::AccountStanding;
use sayso_store::{StoreError, Tx};
use serde_json::{Value, json};

use super::context::CommandContext;
use crate::approvals;
use crate::audit::{By, Decision, Event, Place, Record};
use crate::budget::Answered;
use crate::intake::{Pressed, ResolvedMessage};

/// Writes down what somebody changed by a command.
pub async fn command(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    event: Event,
    payload: Value,
) -> Result<(), StoreError> {
    let place = Place {
        session: Some(heard.session),
        chat: Some(heard.chat.id),
        user: Some(heard.user),
        turn: None,
    };
    changed(tx, ctx, place, event, payload).await
}

/// Writes down what somebody changed in a session by a press.
pub async fn pressed(
    tx: &mut Tx,
    ctx: &CommandContext,
    press: &Pressed<'_>,
    event: Event,
    payload: Value,
) -> Result<(), StoreError> {
    let place = Place {
        session: Some(press.session),
        chat: Some(press.chat),
        user: Some(press.user),
        turn: None,
    };
    changed(tx, ctx, place, event, payload).await
}

/// Writes down what the user of a place changed.
async fn changed(
    tx: &mut Tx,
    ctx: &CommandContext,
    place: Place,
    event: Event,
    payload: Value,
) -> Result<(), StoreError> {
    let record = Record {
        by: place.user.map(By::User),
        payload: Some(payload),
        ..Record::of(event, place)
    };
    ctx.auditor.note(tx, record).await
}

/// Writes down the grants that a press gave: those whose ids are newer than one from before it.
pub async fn granted(
    tx: &mut Tx,
    ctx: &CommandContext,
    card: &CardRow,
    presser: UserId,
    before: i64,
) -> Result<(), StoreError> {
    let place = Place {
        turn: Some(card.turn_id),
        session: Some(card.session_id),
        chat: Some(card.chat_id),
        user: Some(card.user_id),
    };
    for line in approvals::list(tx, card.user_id, card.session_id).await? {
        if line.id.0 <= before {
            continue;
        }
        let record = Record {
            by: Some(By::User(presser)),
            payload: Some(json!({ "grant": line.pattern })),
            ..Record::of(Event::Granted, place)
        };
        ctx.auditor.note(tx, record).await?;
    }
    Ok(())
}

/// An account whose standing was decided.
pub struct Judged<'a> {
    /// Its user.
    pub user: UserId,
    /// Where it is.
    pub channel: &'a str,
    /// The account.
    pub sender: &'a str,
    /// What it may do now.
    pub standing: AccountStanding,
}

/// Writes down that an account was let in or turned away, and by whom.
pub async fn standing(
    tx: &mut Tx,
    ctx: &CommandContext,
    judged: Judged<'_>,
    by: By,
) -> Result<(), StoreError> {
    let decision = match judged.standing {
        AccountStanding::Blocked => Decision::Denied,
        AccountStanding::Listed
        | AccountStanding::Pending
        | AccountStanding::Guest
        | AccountStanding::Member
        | AccountStanding::Owner => Decision::Approved,
    };
    let place = Place {
        user: Some(judged.user),
        ..Place::default()
    };
    let record = Record {
        decision: Some(decision),
        by: Some(by),
        payload: Some(json!({
            "account": format!("{}:{}", judged.channel, judged.sender),
            "standing": judged.standing.as_str(),
        })),
        ..Record::of(Event::Admitted, place)
    };
    ctx.auditor.note(tx, record).await
}

/// Writes down that accounts were joined to one person or parted from it, once for each.
pub async fn linking(
    tx: &mut Tx,
    ctx: &CommandContext,
    event: Event,
    users: &[UserId],
) -> Result<(), StoreError> {
    for user in users {
        let place = Place {
            user: Some(*user),
            ..Place::default()
        };
        let with: Vec<String> = users.iter().map(ToString::to_string).collect();
        let record = Record {
            by: Some(By::User(*user)),
            payload: Some(json!({ "users": with })),
            ..Record::of(event, place)
        };
        ctx.auditor.note(tx, record).await?;
    }
    Ok(())
}

/// Writes down what an owner answered about a limit of the budget.
pub async fn raised(
    tx: &mut Tx,
    ctx: &CommandContext,
    answered: &Answered,
    by: UserId,
) -> Result<(), StoreError> {
    let key = &answered.key;
    let decision = if answered.is_raised {
        Decision::Approved
    } else {
        Decision::Denied
    };
    let place = Place {
        // A limit for all users has no user.
        user: Some(key.user_id).filter(|user| user.0 != 0),
        ..Place::default()
    };
    let record = Record {
        decision: Some(decision),
        by: Some(By::User(by)),
        payload: Some(json!({
            "limit": key.scope,
            "day": key.day,
            "percent": answered.percent,
        })),
        ..Record::of(Event::Raised, place)
    };
    ctx.auditor.note(tx, record).await
}
