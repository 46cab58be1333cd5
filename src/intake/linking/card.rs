//! The cards of a request: what each account reads, from the asking to the outcome.

use sayso_channel::{Address, Button, Language, MessageKey, Outbound};

use super::{Asked, messages, reply_to};
use crate::delivery::{Purpose, Saying};
use crate::intake::IntakeContext;
use crate::intake::message::ResolvedMessage;
use crate::store::links::{self, RequestRow, RequestState, SideRow, Wish};
use crate::store::outbox::OutboxRow;
use crate::store::people::{self, AccountRow};
use crate::store::{StoreError, Tx};

/// Says the cards of a new request. The one in the chat of the command answers it.
pub(super) async fn show(
    tx: &mut Tx,
    ctx: &IntakeContext,
    asked: &Asked,
    heard: &ResolvedMessage<'_>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let sides = links::sides_of(tx, asked.request.id).await?;
    let mut said = Vec::new();
    for (side, address) in sides.iter().zip(&asked.addresses) {
        let is_here = side.user_id == heard.user;
        let outbound = Outbound {
            reply_to: reply_to(heard).filter(|_| is_here),
            ..document(tx, ctx, &asked.request, side, &sides).await?
        };
        let saying = Saying {
            to: address,
            purpose: Purpose::Card,
            turn: None,
            subject: Some(side.id),
            outbound: &outbound,
        };
        said.extend(ctx.outbox.say(tx, saying).await?);
    }
    Ok(said)
}

/// Rewrites these cards as the request stands now, and the message that was pressed.
pub(super) async fn rewrite(
    tx: &mut Tx,
    ctx: &IntakeContext,
    request: &RequestRow,
    (shown, all): (&[&SideRow], &[SideRow]),
    pressed: Option<(i64, &Address, &MessageKey)>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for side in shown {
        let outbound = document(tx, ctx, request, side, all).await?;
        let this = pressed
            .filter(|(pressed, ..)| *pressed == side.id)
            .map(|(_, address, message)| (address, message));
        let rows = ctx
            .outbox
            .amend(tx, Purpose::Card, side.id, this, &outbound)
            .await?;
        said.extend(rows);
    }
    Ok(said)
}

/// Renders the card of one side.
pub(super) async fn document(
    tx: &mut Tx,
    ctx: &IntakeContext,
    request: &RequestRow,
    side: &SideRow,
    sides: &[SideRow],
) -> Result<Outbound, StoreError> {
    let language = ctx.language(&side.language);
    let text = match request.wish {
        Wish::Join => join_text(tx, request, side, sides, language).await?,
        Wish::Part => part_text(tx, request, side, language).await?,
    };
    Ok(Outbound {
        buttons: buttons(request, side, language),
        ..Outbound::markdown(text)
    })
}

async fn join_text(
    tx: &mut Tx,
    request: &RequestRow,
    side: &SideRow,
    sides: &[SideRow],
    language: Language,
) -> Result<String, StoreError> {
    let Some(other) = sides.iter().find(|other| other.id != side.id) else {
        return Err(StoreError::Broken("a link with one side".to_owned()));
    };
    let account = messages::account(&other.name, &other.channel, &other.sender);
    if request.state != RequestState::Open {
        return Ok(messages::join_ended(request.state, &account, language));
    }
    if side.confirmed_ms.is_some() {
        return Ok(messages::join_confirmed_here(&account, language));
    }
    let linked = others(&people::accounts_of(tx, other.user_id).await?);
    Ok(messages::join(&account, &linked, language))
}

async fn part_text(
    tx: &mut Tx,
    request: &RequestRow,
    side: &SideRow,
    language: Language,
) -> Result<String, StoreError> {
    let account = messages::account(&side.name, &side.channel, &side.sender);
    if request.state != RequestState::Open {
        return Ok(messages::part_ended(request.state, &account, language));
    }
    let linked = others(&people::accounts_of(tx, side.user_id).await?);
    Ok(messages::part(&account, &linked, language))
}

/// Returns the lines of all accounts but the first, whose they are.
fn others(accounts: &[AccountRow]) -> Vec<String> {
    accounts
        .iter()
        .skip(1)
        .map(messages::account_line)
        .collect()
}

fn buttons(request: &RequestRow, side: &SideRow, language: Language) -> Vec<Vec<Button>> {
    if request.state != RequestState::Open {
        return Vec::new();
    }
    let (yes, no) = messages::labels(request.wish, language);
    let mut row = Vec::new();
    if side.confirmed_ms.is_none() {
        row.push(Button::yes(yes, Answer::Confirm.button(&side.token)));
    }
    row.push(Button::no(no, Answer::Refuse.button(&side.token)));
    vec![row]
}

/// What a button of a card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Yes.
    Confirm,
    /// No.
    Refuse,
}

impl Answer {
    /// Returns the data of a button (at most 39 bytes).
    fn button(self, token: &str) -> String {
        match self {
            Self::Confirm => format!("link:{token}"),
            Self::Refuse => format!("keep:{token}"),
        }
    }

    /// Reads the data of a button; `None` when it is none of these cards'.
    pub(super) fn parse(data: &str) -> Option<(Self, &str)> {
        match data.split_once(':')? {
            ("link", token) => Some((Self::Confirm, token)),
            ("keep", token) => Some((Self::Refuse, token)),
            _ => None,
        }
    }
}
