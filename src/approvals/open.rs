//! Opening a card, and closing it without an answer.

use sayso_core::approval::{Approved, Approver};
use sayso_core::transcript::{CallId, CardId, ChatId, SessionId, TurnId, UserId};
use sayso_store::cards::ApprovedIn;
use sayso_store::cards::CallKind;
use sayso_store::cards::CallVerdict;
use sayso_store::cards::CardState;
use sayso_store::cards::{self, CardRow, HeldRow};
use sayso_store::{StoreError, Tx, new_id, new_token, now_ms};

use super::card_view::{CardView, OwnersWhy};

/// A card to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCard {
    /// The turn that waits.
    pub turn: TurnId,
    /// Its session.
    pub session: SessionId,
    /// The user that it acts for: may press, beside owners.
    pub user: UserId,
    /// The chat in which it may be pressed.
    pub chat: ChatId,
    /// Where its approval is given.
    pub approved_in: ApprovedIn,
    /// How long an answer is waited for, in milliseconds.
    pub timeout_ms: i64,
    /// What the model said of the calls, which is its claim alone.
    pub claim: Option<String>,
    /// The calls to list, in the model's order.
    pub calls: Vec<Ask>,
}

/// One call that a card lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The call, by its name in the turn.
    pub call: CallId,
    /// The name of the tool.
    pub tool: String,
    /// What kind of call it is.
    pub kind: CallKind,
    /// What it would do, whole: the command, or the path.
    pub summary: String,
    /// Why it is asked about, in the user's language.
    pub why: String,
    /// What confines it, in the user's language.
    pub footer: Option<String>,
    /// What the approval is bound to.
    pub digest: String,
    /// What an "always" would cover, as JSON; `None` offers none.
    pub pattern: Option<String>,
    /// What an "always" for calls that begin like it would cover, as JSON; `None` offers none.
    pub prefix: Option<String>,
    /// Who may approve it.
    pub approver: Approver,
    /// The reason for the approval request as shown to owners in other chats, who may read another
    /// language.
    pub owners_why: Option<OwnersWhy>,
}

/// Opens a card. Always is offered only where one call is listed.
pub async fn open(tx: &mut Tx, new: NewCard) -> Result<CardView, StoreError> {
    let card = CardRow {
        id: CardId(new_id()),
        turn_id: new.turn,
        session_id: new.session,
        user_id: new.user,
        chat_id: new.chat,
        token: new_token()?,
        expires_ms: now_ms() + new.timeout_ms,
        state: CardState::Open,
        why_by: None,
        approved_in: new.approved_in,
        claim: new.claim,
        timeout_ms: new.timeout_ms,
        one_by_one: false,
        asked_again: false,
    };
    let alone = new.calls.len() == 1;
    let calls = new
        .calls
        .into_iter()
        .map(|ask| held_row(card.id, ask, alone))
        .collect::<Result<Vec<_>, _>>()?;
    cards::insert(tx, &card, &calls).await?;
    Ok(CardView {
        card,
        calls,
        decided_by: None,
    })
}

/// Closes the open cards of a turn that was stopped; returns them as they read now.
pub async fn drop_cards(tx: &mut Tx, turn: TurnId) -> Result<Vec<CardView>, StoreError> {
    let open = cards::open_cards_of(tx, turn).await?;
    close_unanswered(tx, open, CallVerdict::Dropped).await
}

/// Closes the cards that expired without an answer; returns them as they read now.
pub async fn expire(tx: &mut Tx, now_ms: i64) -> Result<Vec<CardView>, StoreError> {
    let overdue = cards::overdue_cards(tx, now_ms).await?;
    close_unanswered(tx, overdue, CallVerdict::Expired).await
}

/// Returns the proof that a person approved a call, as long as no run used it up.
pub async fn redeem(
    tx: &mut Tx,
    turn: TurnId,
    call: &CallId,
) -> Result<Option<Approved>, StoreError> {
    let digest = cards::approved_digest(tx, turn, &call.0).await?;
    Ok(digest.map(|digest| Approved::redeemed(call.clone(), digest)))
}

async fn close_unanswered(
    tx: &mut Tx,
    open: Vec<CardRow>,
    verdict: CallVerdict,
) -> Result<Vec<CardView>, StoreError> {
    let mut views = Vec::new();
    for mut card in open {
        if !cards::close(tx, card.id).await? {
            continue;
        }
        cards::decide_rest(tx, card.id, verdict).await?;
        card.state = CardState::Closed;
        let calls = cards::calls_of(tx, card.id).await?;
        views.push(CardView {
            card,
            calls,
            decided_by: None,
        });
    }
    Ok(views)
}

fn held_row(card: CardId, ask: Ask, alone: bool) -> Result<HeldRow, StoreError> {
    Ok(HeldRow {
        token: new_token()?,
        card_id: card,
        call_id: ask.call.0,
        tool: ask.tool,
        kind: ask.kind,
        summary: ask.summary,
        why: ask.why,
        digest: ask.digest,
        pattern: ask.pattern.filter(|_| alone),
        prefix: ask.prefix.filter(|_| alone),
        verdict: None,
        verdict_by: None,
        verdict_why: None,
        approver: ask.approver,
        owners_why: ask
            .owners_why
            .map(|why| serde_json::to_string(&why))
            .transpose()?,
        footer: ask.footer,
        grant_id: None,
        granted_alike: false,
        taken_back: false,
    })
}
