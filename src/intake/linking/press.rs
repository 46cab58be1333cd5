//! A press on the card of a request: whose it is, and what it changes.

use sayso_channel::{Address, MessageKey, Notice};

use super::card::{self, Answer};
use super::{drop_requests, is_admitted, messages};
use crate::audit::Event;
use crate::delivery::Purpose;
use crate::intake::messages as door_messages;
use crate::intake::press::Pressed;
use crate::intake::{IntakeContext, audit_records};
use crate::store::links::{self, RequestRow, RequestState, SideRow, Wish};
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, now_ms, people};
use crate::transcript::UserId;

/// Returns the card that was pressed with the message that shows it.
fn pressed_on<'a>(
    press: &Pressed<'a>,
    side: &SideRow,
) -> Option<(i64, &'a Address, &'a MessageKey)> {
    let (address, message) = press.this?;
    Some((side.id, address, message))
}

/// The notice to the presser, and the rewritten cards.
type Answered = (Notice, Vec<OutboxRow>);

/// Judges a press; `None` when the data is no button of a request's card.
///
/// Runs in one transaction with everything that follows from it, so accounts are joined or they are
/// not.
pub async fn press(
    tx: &mut Tx,
    ctx: &IntakeContext,
    press: &Pressed<'_>,
) -> Result<Option<Answered>, StoreError> {
    let Some((answer, token)) = Answer::parse(press.data) else {
        return Ok(None);
    };
    let language = press.language;
    let side = links::side(tx, token).await?;
    let Some(side) = side.filter(|side| side.chat_id == press.chat) else {
        return Ok(Some(refused(door_messages::unknown_button(language))));
    };
    if side.user_id != press.user {
        return Ok(Some(refused(messages::not_yours(language))));
    }
    let request = links::request(tx, side.request_id).await?;
    let this = pressed_on(press, &side);
    if request.state != RequestState::Open {
        return stale(tx, ctx, request, &side, press).await.map(Some);
    }
    if request.expires_ms <= now_ms() {
        let said = close(tx, ctx, request, RequestState::Expired, this).await?;
        let (notice, _) = refused(door_messages::too_late(language));
        return Ok(Some((notice, said)));
    }
    let answered = match answer {
        Answer::Refuse => {
            let said = close(tx, ctx, request, RequestState::Refused, this).await?;
            (told(messages::refused(language)), said)
        }
        Answer::Confirm => confirm(tx, ctx, request, &side, press).await?,
    };
    Ok(Some(answered))
}

/// Closes an open request and rewrites its cards.
pub(super) async fn close(
    tx: &mut Tx,
    ctx: &IntakeContext,
    request: RequestRow,
    state: RequestState,
    pressed: Option<(i64, &Address, &MessageKey)>,
) -> Result<Vec<OutboxRow>, StoreError> {
    links::close(tx, request.id, state).await?;
    let closed = RequestRow { state, ..request };
    let sides = links::sides_of(tx, request.id).await?;
    let all: Vec<&SideRow> = sides.iter().collect();
    card::rewrite(tx, ctx, &closed, (&all, &sides), pressed).await
}

/// Notes a yes, and does what was asked when it was the last.
async fn confirm(
    tx: &mut Tx,
    ctx: &IntakeContext,
    request: RequestRow,
    side: &SideRow,
    press: &Pressed<'_>,
) -> Result<Answered, StoreError> {
    let language = press.language;
    if !links::confirm(tx, side.id).await? {
        return Ok(refused(messages::confirmed_already(language)));
    }
    let this = pressed_on(press, side);
    let sides = links::sides_of(tx, request.id).await?;
    if sides.iter().any(|side| side.confirmed_ms.is_none()) {
        let shown: Vec<&SideRow> = sides.iter().filter(|one| one.id == side.id).collect();
        let said = card::rewrite(tx, ctx, &request, (&shown, &sides), this).await?;
        return Ok((told(messages::confirmed(language)), said));
    }
    // An account that was blocked after its confirmation is not linked.
    let all_come_in = sides
        .iter()
        .all(|side| is_admitted(ctx, &side.channel, &side.sender, &side.standing));
    if !all_come_in {
        let said = close(tx, ctx, request, RequestState::Dropped, this).await?;
        let (notice, _) = refused(messages::not_let_in(language));
        return Ok((notice, said));
    }
    let mut said = close(tx, ctx, request, RequestState::Done, this).await?;
    let touched = fulfil(tx, request.wish, &sides).await?;
    let confirmed: Vec<UserId> = sides.iter().map(|side| side.user_id).collect();
    let event = match request.wish {
        Wish::Join => Event::Linked,
        Wish::Part => Event::Unlinked,
    };
    audit_records::linking(tx, ctx, event, &confirmed).await?;
    // Their cards show persons that are no more.
    said.extend(drop_requests(tx, ctx, &touched).await?);
    Ok((told(messages::done(request.wish, language)), said))
}

/// Joins or parts, and returns every user whose person changed by it.
async fn fulfil(tx: &mut Tx, wish: Wish, sides: &[SideRow]) -> Result<Vec<UserId>, StoreError> {
    let Some(first) = sides.first() else {
        return Ok(Vec::new());
    };
    let before = people::accounts_of(tx, first.user_id).await?;
    match wish {
        Wish::Part => people::part(tx, first.user_id).await?,
        Wish::Join => {
            for other in sides.iter().skip(1) {
                people::join(tx, first.user_id, other.user_id).await?;
            }
        }
    }
    let after = people::accounts_of(tx, first.user_id).await?;
    tracing::info!(?wish, accounts = after.len(), "linked accounts changed");
    let touched = before.iter().chain(&after);
    Ok(touched.map(|account| account.user_id).collect())
}

/// A press on a closed card: a copy that was not recorded as sent still has its buttons.
async fn stale(
    tx: &mut Tx,
    ctx: &IntakeContext,
    request: RequestRow,
    side: &SideRow,
    press: &Pressed<'_>,
) -> Result<Answered, StoreError> {
    let language = press.language;
    let (notice, mut said) = refused(match request.state {
        RequestState::Expired => door_messages::too_late(language),
        RequestState::Dropped => messages::dropped(language),
        RequestState::Open | RequestState::Done | RequestState::Refused => {
            door_messages::already_answered(language)
        }
    });
    if let Some(this) = press.this {
        let sides = links::sides_of(tx, request.id).await?;
        let outbound = card::document(tx, ctx, &request, side, &sides).await?;
        said = ctx
            .outbox
            .amend_stray(tx, Purpose::Card, side.id, this, &outbound)
            .await?;
    }
    Ok((notice, said))
}

fn told(text: String) -> Notice {
    Notice { text, alert: false }
}

fn refused(text: String) -> Answered {
    (Notice { text, alert: true }, Vec::new())
}
