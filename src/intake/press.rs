//! A press at the door: judged in the transaction that stores it.

use sayso_channel::{Address, Inbound, Language, MessageKey, Press, Receipt, SenderKind};

use super::access::{Account, Standing};
use super::{
    Effects, IntakeContext, audit_records, budget_prompts, busy, commands, erasure, event, forget,
    linking, message, messages, pairing, skill_review, stop, undo,
};
use crate::approvals::{self, Presser};
use crate::bus::Signal;
use crate::sessions::{
    ChoiceOutcome, ChosenAnswer, PressedMessage, UndoOutcome, UndoPress, choose, press_undo,
};
use crate::store::chats::{self, ChatRow};
use crate::store::{StoreError, Tx, inbox, new_id, now_ms};
use crate::transcript::{ChatId, Role, SessionId, UserId};

/// A press by somebody whom we know, and where.
#[derive(Clone, Copy)]
pub struct Pressed<'a> {
    /// What the button carries; anything at all when it was forged.
    pub data: &'a str,
    /// Who pressed.
    pub user: UserId,
    /// The chat in which it happened.
    pub chat: ChatId,
    /// The message that carries the button, where the platform says it.
    pub this: Option<(&'a Address, &'a MessageKey)>,
    /// The language of the chat.
    pub language: Language,
}

/// Stores a press and what follows from it.
pub async fn receive(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    press: &Press,
) -> Result<Effects, StoreError> {
    let chat = message::chat_of(tx, inbound).await?;
    let language = ctx.language(&chat.language);
    let known = message::known_sender(tx, inbound).await?;
    let stored = known.as_ref().map(|sender| sender.standing.as_str());
    // By the roles that the press came with: one that was taken away counts no more.
    let standing = ctx.access.standing(Account::of(inbound), stored);
    let Standing::Admitted(role) = standing else {
        settle(tx, inbound).await?;
        return Ok(told(messages::not_for_strangers(language)));
    };
    // An anonymous admin may not approve, because the account cannot be identified.
    if inbound.sender.kind != SenderKind::Person {
        settle(tx, inbound).await?;
        return Ok(told(messages::not_for_strangers(language)));
    }
    // The platform tells it again when its last telling was stored, but not confirmed.
    if is_known(tx, inbound).await? {
        return Ok(Effects::default());
    }
    let user = message::user_of(tx, inbound, known).await?;
    let pressed = Pressed {
        data: &press.token,
        user,
        chat: chat.id,
        this: this_message(inbound, press),
        language,
    };
    let session = session_of(tx, inbound, &chat).await?;
    if let Some(effects) = choice(tx, ctx, (inbound, session), &pressed, role).await? {
        return Ok(effects);
    }
    settle(tx, inbound).await?;
    if let Some(effects) = others(tx, ctx, (inbound, session), &pressed, role).await? {
        return Ok(effects);
    }
    card(tx, ctx, inbound, press, &chat, user, role).await
}

/// Judges a press on anything but a choice or the card of a call; `None` when it is no such press.
async fn others(
    tx: &mut Tx,
    ctx: &IntakeContext,
    place: (&Inbound, SessionId),
    pressed: &Pressed<'_>,
    role: Role,
) -> Result<Option<Effects>, StoreError> {
    if let Some(effects) = stop::press(tx, ctx, pressed, (place.1, role)).await? {
        return Ok(Some(effects));
    }
    if let Some(effects) = busy::press(tx, ctx, pressed, place.1).await? {
        return Ok(Some(effects));
    }
    if let Some(effects) = undo::press(tx, ctx, pressed, (place.1, role)).await? {
        return Ok(Some(effects));
    }
    if let Some(effects) = doors_own(tx, ctx, pressed, role).await? {
        return Ok(Some(effects));
    }
    if let Some(effects) = erasure::press(tx, ctx, pressed).await? {
        return Ok(Some(effects));
    }
    if let Some(effects) = undo(tx, ctx, pressed).await? {
        return Ok(Some(effects));
    }
    if let Some(effects) = forget::press(tx, ctx, pressed).await? {
        return Ok(Some(effects));
    }
    if let Some(effects) = skill_review::press(tx, ctx, pressed, role).await? {
        return Ok(Some(effects));
    }
    match commands::press_model(tx, ctx, place, (pressed, role)).await? {
        Some(effects) => Ok(Some(effects)),
        None => commands::press_routine(tx, ctx, pressed).await,
    }
}

/// Judges a press on a card of the door's own: about a stranger, a limit, or accounts to join;
/// `None` when it is none of these.
async fn doors_own(
    tx: &mut Tx,
    ctx: &IntakeContext,
    pressed: &Pressed<'_>,
    role: Role,
) -> Result<Option<Effects>, StoreError> {
    let Pressed {
        data,
        user,
        language,
        ..
    } = *pressed;
    let is_owner = role == Role::Owner;
    let mut answered = pairing::press(tx, ctx, data, user, is_owner, language).await?;
    if answered.is_none() {
        answered = budget_prompts::press(tx, ctx, data, (user, is_owner), language).await?;
    }
    if answered.is_none() {
        answered = linking::press(tx, ctx, pressed).await?;
    }
    Ok(answered.map(|(notice, said)| Effects {
        receipt: Receipt::with_notice(Some(notice)),
        said,
        ..Effects::default()
    }))
}

/// Judges a press on the note about what was learned; `None` when it is no such press.
async fn undo(
    tx: &mut Tx,
    ctx: &IntakeContext,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let language = press.language;
    let press = UndoPress {
        data: press.data,
        user: press.user,
        chat: press.chat,
        this: press.this,
        language,
    };
    let pressed = press_undo(tx, (&ctx.outbox, &ctx.auditor), &press).await?;
    Ok(pressed.map(|pressed| match pressed {
        UndoOutcome::Undone(said) => Effects {
            said,
            ..Effects::told(messages::undone(language), false)
        },
        UndoOutcome::Before => told(messages::already_answered(language)),
        UndoOutcome::NotYours => told(messages::not_your_words(language)),
        UndoOutcome::Unknown => told(messages::unknown_button(language)),
    }))
}

/// Returns the message that carries the pressed button, where the platform says it.
fn this_message<'a>(
    inbound: &'a Inbound,
    press: &'a Press,
) -> Option<(&'a Address, &'a MessageKey)> {
    let message = press.message.as_ref()?;
    Some((&inbound.address, message))
}

async fn card(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    press: &Press,
    chat: &ChatRow,
    user: UserId,
    role: Role,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&chat.language);
    let presser = Presser {
        user,
        role,
        name: inbound.sender.name.clone(),
        chat: chat.id,
        now_ms: now_ms(),
        language,
    };
    let before = new_id();
    let Some(pressed) = approvals::press(tx, &press.token, &presser).await? else {
        return Ok(told(messages::unknown_button(language)));
    };
    if let Some(view) = &pressed.changed {
        audit_records::granted(tx, ctx, &view.card, user, before).await?;
    }
    let this = this_message(inbound, press).map(|message| PressedMessage {
        chat: chat.id,
        message,
    });
    let writer = ctx.cards();
    let mut said = Vec::new();
    if let Some(view) = &pressed.changed {
        said = writer.amend(tx, view, this).await?;
    }
    if let (Some(view), Some(this)) = (&pressed.stale, this) {
        said = writer.amend_stray(tx, view, this).await?;
    }
    let signals = pressed
        .ready
        .map(|session| Signal::Work(session, user))
        .into_iter()
        .collect();
    Ok(Effects {
        receipt: Receipt::with_notice(Some(pressed.notice)),
        said,
        signals,
        ..Effects::default()
    })
}

/// A press on a choice is an answer in words: it becomes a job.
async fn choice(
    tx: &mut Tx,
    ctx: &IntakeContext,
    (inbound, session): (&Inbound, SessionId),
    pressed: &Pressed<'_>,
    role: Role,
) -> Result<Option<Effects>, StoreError> {
    let Pressed { user, language, .. } = *pressed;
    let asker = (user, session);
    let Some(outcome) = choose(tx, &ctx.outbox, pressed.data, asker, pressed.this).await? else {
        return Ok(None);
    };
    let refusal = match outcome {
        ChoiceOutcome::Answers(ChosenAnswer {
            question,
            words,
            said,
        }) => {
            let row = inbox::NewInbox {
                session: Some(session),
                user: Some(user),
                said: words,
                answers: Some(question),
                by_owner: role == Role::Owner,
                state: "waiting",
                ..event::row(inbound)?
            };
            inbox::insert(tx, &row).await?;
            return Ok(Some(Effects {
                said,
                signals: vec![Signal::Work(session, user)],
                ..Effects::default()
            }));
        }
        ChoiceOutcome::GoesOn(said) => {
            settle(tx, inbound).await?;
            return Ok(Some(Effects {
                said,
                ..Effects::default()
            }));
        }
        ChoiceOutcome::NotYours => messages::not_your_question(language),
        ChoiceOutcome::Closed => messages::already_answered(language),
        ChoiceOutcome::Expired => messages::too_late(language),
        ChoiceOutcome::Unknown => messages::unknown_button(language),
    };
    settle(tx, inbound).await?;
    Ok(Some(told(refusal)))
}

async fn is_known(tx: &mut Tx, inbound: &Inbound) -> Result<bool, StoreError> {
    let (channel, key) = (inbound.address.channel.as_str(), &inbound.key);
    let earlier = inbox::earlier_form(tx, channel, &key.kind, &key.id).await?;
    Ok(earlier.is_some())
}

async fn session_of(
    tx: &mut Tx,
    inbound: &Inbound,
    chat: &ChatRow,
) -> Result<SessionId, StoreError> {
    let thread = inbound.address.thread.as_ref();
    let thread = thread.map_or("", |thread| thread.as_str());
    chats::session_at(tx, chat.id, thread).await
}

async fn settle(tx: &mut Tx, inbound: &Inbound) -> Result<(), StoreError> {
    inbox::insert(tx, &event::row(inbound)?).await?;
    Ok(())
}

fn told(text: String) -> Effects {
    Effects::told(text, true)
}
