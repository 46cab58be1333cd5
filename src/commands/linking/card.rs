//! The cards of a request: what each account reads, from the asking to the outcome.

use sayso_channel::{Address, Button, Language, Outbound};
use sayso_store::links::{self, RequestRow, RequestState, SideRow, Wish};
use sayso_store::outbox::OutboxRow;
use sayso_store::people::{self, AccountRow};
use sayso_store::{StoreError, Tx};

use super::messages;
use crate::commands::context::CommandContext;
use crate::delivery::{MessageRef, Purpose, Saying};
use crate::intake::{ResolvedMessage, reply_to};
use crate::prompts::{self, Prompt, PromptKind};

/// A request that was just made, and where its cards go, in their order.
pub(super) struct NewRequest {
    /// The request.
    pub request: RequestRow,
    /// The direct chats of its accounts.
    pub addresses: Vec<Address>,
}

/// Says the cards of a new request. The one in the chat of the command answers it.
pub(super) async fn show(
    tx: &mut Tx,
    ctx: &CommandContext,
    asked: &NewRequest,
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

/// A card whose message was pressed.
#[derive(Clone, Copy)]
pub(super) struct PressedCard<'a> {
    side: i64,
    message: MessageRef<'a>,
}

impl<'a> PressedCard<'a> {
    /// Returns the card of a side with the pressed message, where the platform says which it is.
    pub(super) fn of(side: &SideRow, message: Option<MessageRef<'a>>) -> Option<Self> {
        let side = side.id;
        message.map(|message| Self { side, message })
    }
}

/// Rewrites the card of one side as the request stands now, and the message that was pressed if it
/// shows that card.
pub(super) async fn rewrite(
    tx: &mut Tx,
    ctx: &CommandContext,
    request: &RequestRow,
    side: &SideRow,
    sides: &[SideRow],
    pressed: Option<PressedCard<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let outbound = document(tx, ctx, request, side, sides).await?;
    let this = pressed.filter(|pressed| pressed.side == side.id);
    let this = this.map(|pressed| pressed.message);
    ctx.outbox
        .amend(tx, Purpose::Card, side.id, this, &outbound)
        .await
}

/// Renders the card of one side.
pub(super) async fn document(
    tx: &mut Tx,
    ctx: &CommandContext,
    request: &RequestRow,
    side: &SideRow,
    sides: &[SideRow],
) -> Result<Outbound, StoreError> {
    let language = ctx.language(&side.language);
    let text = match request.wish {
        Wish::Join => join_text(tx, request, side, sides, language).await?,
        Wish::Part => part_text(tx, request, side, language).await?,
    };
    let prompt = match request.state {
        RequestState::Open => prompts::about(tx, PromptKind::Link, side.id).await?,
        RequestState::Done
        | RequestState::Refused
        | RequestState::Expired
        | RequestState::Dropped => None,
    };
    let has_confirmed = side.confirmed_ms.is_some();
    let buttons = prompt.map(|prompt| buttons(&prompt, has_confirmed, request.wish, language));
    Ok(Outbound {
        buttons: buttons.into_iter().collect(),
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

fn buttons(prompt: &Prompt, has_confirmed: bool, wish: Wish, language: Language) -> Vec<Button> {
    let (yes, no) = messages::labels(wish, language);
    let refuse = Button::no(no, prompt.button(Answer::Refuse.choice()));
    if has_confirmed {
        return vec![refuse];
    }
    let confirm = Button::yes(yes, prompt.button(Answer::Confirm.choice()));
    vec![confirm, refuse]
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
    fn choice(self) -> &'static str {
        match self {
            Self::Confirm => "yes",
            Self::Refuse => "no",
        }
    }

    /// Returns the answer that a button gives; `None` when it was forged.
    pub(super) fn parse(choice: &str) -> Option<Self> {
        let mut all = [Self::Confirm, Self::Refuse].into_iter();
        all.find(|answer| answer.choice() == choice)
    }
}
