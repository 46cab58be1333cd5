//! A press on a card: who may, and what it changes.

use sayso_channel::Language;
use sayso_core::approval::Approver;
use sayso_core::transcript::{Role, SessionId};
use sayso_store::cards::CallVerdict;
use sayso_store::cards::CardState;
use sayso_store::cards::{self, CardRow, HeldRow};
use sayso_store::{StoreError, Tx};

use super::afterwards::{ask_again, take_back};
use super::card_view::CardView;
use super::messages;
use super::pressed::{Pressed, Presser};
use super::token::Verb;
use super::words::WORDS_WITHIN;

/// Judges a press; `None` when the data is no card's button.
///
/// Runs in one transaction with everything that follows from it, so a press either counts whole
/// or not at all.
pub async fn press(
    tx: &mut Tx,
    data: &str,
    presser: &Presser,
) -> Result<Option<Pressed>, StoreError> {
    let Some((verb, token)) = Verb::parse(data) else {
        return Ok(None);
    };
    let Some(card) = cards::card_by_token(tx, token).await? else {
        return Ok(Some(Pressed::refused(messages::unknown(presser.language))));
    };
    let said = Said { verb, token };
    answer(tx, card, said, presser).await.map(Some)
}

/// What a button says, and of what.
#[derive(Clone, Copy)]
struct Said<'a> {
    verb: Verb,
    token: &'a str,
}

/// Answers a card by a press on one of its buttons.
async fn answer(
    tx: &mut Tx,
    card: CardRow,
    said: Said<'_>,
    presser: &Presser,
) -> Result<Pressed, StoreError> {
    let (verb, language) = (said.verb, presser.language);
    let place = place_of(tx, &card, presser).await?;
    if let Some(why) = refuse(&card, presser, place) {
        return Ok(Pressed::refused(why));
    }
    if !means_what_it_names(&card, said) {
        return Ok(Pressed::refused(messages::unknown(language)));
    }
    if place == PressedIn::Here && verb == Verb::TakeBack {
        return take_back(tx, card, said.token, presser).await;
    }
    if place == PressedIn::Here && verb == Verb::AskAgain {
        return ask_again(tx, card, presser).await;
    }
    let calls = cards::calls_of(tx, card.id).await?;
    if let Some(why) = too_late(&card, &calls, presser) {
        return Ok(came_too_late(card, calls, why));
    }
    if verb == Verb::OneByOne {
        return one_by_one(tx, card, calls, language).await;
    }
    decide(tx, card, chosen_calls(calls, said, place), verb, presser).await
}

/// Gives each call of a card buttons of its own.
async fn one_by_one(
    tx: &mut Tx,
    mut card: CardRow,
    calls: Vec<HeldRow>,
    language: Language,
) -> Result<Pressed, StoreError> {
    cards::set_one_by_one(tx, card.id).await?;
    card.one_by_one = true;
    Ok(Pressed {
        changed: Some(CardView {
            card,
            calls,
            decided_by: None,
        }),
        ..Pressed::echoed(messages::counted(Verb::OneByOne, None, language))
    })
}

/// Gives these calls of an open card their verdicts.
async fn decide(
    tx: &mut Tx,
    card: CardRow,
    chosen: Vec<HeldRow>,
    verb: Verb,
    presser: &Presser,
) -> Result<Pressed, StoreError> {
    let language = presser.language;
    let Some(verdict) = verdict_of(verb) else {
        return Ok(Pressed::refused(messages::unknown(language)));
    };
    let named = chosen.len();
    let chosen = permitted(chosen, verb, presser);
    if chosen.is_empty() && named > 0 {
        return Ok(Pressed::refused(messages::owners_approve(language)));
    }
    let mut counted = 0;
    for call in &chosen {
        if cards::decide(tx, &call.token, verdict, Some(presser.user)).await? {
            counted += 1;
            grant(tx, &card, call, verb).await?;
        }
    }
    if counted == 0 {
        return Ok(Pressed::refused(messages::already_decided(language)));
    }
    let (view, ready) = if verb == Verb::DenyWhy {
        (wait_for_words(tx, card, presser).await?, None)
    } else {
        settle(tx, card, presser).await?
    };
    let told = if chosen.len() < named {
        Pressed::told(messages::partly_approved(language))
    } else {
        Pressed::echoed(messages::counted(verb, chosen.first(), language))
    };
    Ok(Pressed {
        changed: Some(view),
        ready,
        ..told
    })
}

/// A press that changes nothing. Of a card that is closed it says how it reads now.
fn came_too_late(card: CardRow, calls: Vec<HeldRow>, why: String) -> Pressed {
    let stale = (card.state != CardState::Open).then_some(CardView {
        card,
        calls,
        decided_by: None,
    });
    Pressed {
        stale,
        ..Pressed::refused(why)
    }
}

/// Returns the verdict that a button gives, if it gives one.
fn verdict_of(verb: Verb) -> Option<CallVerdict> {
    match verb {
        Verb::Approve | Verb::Always | Verb::AlwaysAlike | Verb::ApproveAll => {
            Some(CallVerdict::Approved)
        }
        Verb::Deny | Verb::DenyWhy | Verb::DenyAll => Some(CallVerdict::Denied),
        Verb::OneByOne | Verb::TakeBack | Verb::AskAgain => None,
    }
}

/// Where a press happened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PressedIn {
    /// In the chat of the card.
    Here,
    /// In the direct chat of an owner who was asked there.
    OwnersChat,
    /// Where the card is not.
    Elsewhere,
}

/// Returns where a press happened. A copy in an owner's chat counts for as long as the presser is
/// one.
async fn place_of(tx: &mut Tx, card: &CardRow, presser: &Presser) -> Result<PressedIn, StoreError> {
    if card.chat_id == presser.chat {
        return Ok(PressedIn::Here);
    }
    let is_copy = cards::has_copy_in(tx, card.id, presser.chat).await?;
    Ok(match presser.role {
        Role::Owner if is_copy => PressedIn::OwnersChat,
        Role::Owner | Role::Member | Role::Guest => PressedIn::Elsewhere,
    })
}

/// Says why a press may not count; `None` lets it.
fn refuse(card: &CardRow, presser: &Presser, place: PressedIn) -> Option<String> {
    let language = presser.language;
    if place == PressedIn::Elsewhere {
        return Some(messages::unknown(language));
    }
    let may_press = card.user_id == presser.user || presser.role == Role::Owner;
    (!may_press).then(|| messages::not_yours(language))
}

/// Returns whether what is said of all calls names the card, and what is said of one names a call.
fn means_what_it_names(card: &CardRow, said: Said<'_>) -> bool {
    (card.token == said.token) == said.verb.names_card()
}

/// Says why a press comes too late; `None` when it is in time.
fn too_late(card: &CardRow, calls: &[HeldRow], presser: &Presser) -> Option<String> {
    let language = presser.language;
    let ended_as = |verdict| calls.iter().any(|call| call.verdict == Some(verdict));
    if ended_as(CallVerdict::Expired) {
        return Some(messages::too_late(language));
    }
    if ended_as(CallVerdict::Dropped) {
        return Some(messages::stopped_before(language));
    }
    if card.state != CardState::Open {
        return Some(messages::already_decided(language));
    }
    (card.expires_ms <= presser.now_ms).then(|| messages::too_late(language))
}

fn chosen_calls(mut calls: Vec<HeldRow>, said: Said<'_>, place: PressedIn) -> Vec<HeldRow> {
    let token = said.token;
    match said.verb {
        Verb::ApproveAll | Verb::DenyAll => {}
        Verb::Approve | Verb::Deny => calls.retain(|call| call.token == token),
        // What was not offered does not exist.
        Verb::DenyWhy if calls.len() > 1 || place != PressedIn::Here => calls.clear(),
        Verb::DenyWhy => calls.retain(|call| call.token == token),
        Verb::Always => calls.retain(|call| call.token == token && call.pattern.is_some()),
        Verb::AlwaysAlike => calls.retain(|call| call.token == token && call.prefix.is_some()),
        // These give no verdict.
        Verb::OneByOne | Verb::TakeBack | Verb::AskAgain => calls.clear(),
    }
    calls
}

/// Returns those of the calls about which this presser may say that. A person who may answer a card
/// may deny all of it; what needs an owner only an owner approves, who is one now.
fn permitted(mut calls: Vec<HeldRow>, verb: Verb, presser: &Presser) -> Vec<HeldRow> {
    let is_yes = verdict_of(verb) == Some(CallVerdict::Approved);
    if is_yes && presser.role != Role::Owner {
        calls.retain(|call| call.approver == Approver::Asker);
    }
    calls
}

async fn grant(tx: &mut Tx, card: &CardRow, call: &HeldRow, verb: Verb) -> Result<(), StoreError> {
    let (pattern, alike) = match verb {
        Verb::Always => (&call.pattern, false),
        Verb::AlwaysAlike => (&call.prefix, true),
        Verb::Approve
        | Verb::ApproveAll
        | Verb::Deny
        | Verb::DenyWhy
        | Verb::DenyAll
        | Verb::OneByOne
        | Verb::TakeBack
        | Verb::AskAgain => return Ok(()),
    };
    let Some(pattern) = pattern else {
        return Ok(());
    };
    let given = cards::grant(tx, card.user_id, card.session_id, pattern).await?;
    cards::note_grant(tx, &call.token, given, alike).await
}

/// Keeps the card open for the reason that the user who denied its call may give.
async fn wait_for_words(
    tx: &mut Tx,
    mut card: CardRow,
    presser: &Presser,
) -> Result<CardView, StoreError> {
    let patience = WORDS_WITHIN.as_millis() as i64;
    card.expires_ms = presser.now_ms + patience;
    card.why_by = Some(presser.user);
    cards::want_words(tx, card.id, presser.user, card.expires_ms).await?;
    let calls = cards::calls_of(tx, card.id).await?;
    Ok(CardView {
        card,
        calls,
        decided_by: Some(presser.name.clone()),
    })
}

/// Closes the card when nothing is left to decide.
async fn settle(
    tx: &mut Tx,
    mut card: CardRow,
    presser: &Presser,
) -> Result<(CardView, Option<SessionId>), StoreError> {
    let calls = cards::calls_of(tx, card.id).await?;
    let all_decided = calls.iter().all(|call| call.verdict.is_some());
    let ready = if all_decided && cards::close(tx, card.id).await? {
        card.state = CardState::Closed;
        Some(card.session_id)
    } else {
        None
    };
    Ok((
        CardView {
            card,
            calls,
            decided_by: Some(presser.name.clone()),
        },
        ready,
    ))
}
