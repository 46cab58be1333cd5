//! A press at the door: judged in the transaction that stores it.

use sayso_channel::{Address, Inbound, Language, MessageKey, Press, Receipt, SenderKind};

use super::access::{Account, Standing};
use super::{
    Door, Followed, auditing, busy, commands, door, erasing, forgetting, linking, message,
    messages, pairing, raising, reviewing, stopping, undoing,
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
    door: &Door,
    inbound: &Inbound,
    press: &Press,
) -> Result<Followed, StoreError> {
    let chat = message::chat_of(tx, inbound).await?;
    let language = door.language(&chat.language);
    let known = message::known_sender(tx, inbound).await?;
    let stored = known.as_ref().map(|sender| sender.standing.as_str());
    // By the roles that the press came with: one that was taken away counts no more.
    let standing = door.access.standing(Account::of(inbound), stored);
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
        return Ok(Followed::default());
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
    if let Some(followed) = choice(tx, door, (inbound, session), &pressed, role).await? {
        return Ok(followed);
    }
    settle(tx, inbound).await?;
    if let Some(followed) = others(tx, door, (inbound, session), &pressed, role).await? {
        return Ok(followed);
    }
    card(tx, door, inbound, press, &chat, user, role).await
}

/// Judges a press on anything but a choice or the card of a call; `None` when it is no such press.
async fn others(
    tx: &mut Tx,
    door: &Door,
    place: (&Inbound, SessionId),
    pressed: &Pressed<'_>,
    role: Role,
) -> Result<Option<Followed>, StoreError> {
    if let Some(followed) = stopping::press(tx, door, pressed, (place.1, role)).await? {
        return Ok(Some(followed));
    }
    if let Some(followed) = busy::press(tx, door, pressed, place.1).await? {
        return Ok(Some(followed));
    }
    if let Some(followed) = undoing::press(tx, door, pressed, (place.1, role)).await? {
        return Ok(Some(followed));
    }
    if let Some(followed) = doors_own(tx, door, pressed, role).await? {
        return Ok(Some(followed));
    }
    if let Some(followed) = erasing::press(tx, door, pressed).await? {
        return Ok(Some(followed));
    }
    if let Some(followed) = undo(tx, door, pressed).await? {
        return Ok(Some(followed));
    }
    if let Some(followed) = forgetting::press(tx, door, pressed).await? {
        return Ok(Some(followed));
    }
    if let Some(followed) = reviewing::press(tx, door, pressed, role).await? {
        return Ok(Some(followed));
    }
    match commands::press_model(tx, door, place, (pressed, role)).await? {
        Some(followed) => Ok(Some(followed)),
        None => commands::press_routine(tx, door, pressed).await,
    }
}

/// Judges a press on a card of the door's own: about a stranger, a limit, or accounts to join;
/// `None` when it is none of these.
async fn doors_own(
    tx: &mut Tx,
    door: &Door,
    pressed: &Pressed<'_>,
    role: Role,
) -> Result<Option<Followed>, StoreError> {
    let Pressed {
        data,
        user,
        language,
        ..
    } = *pressed;
    let is_owner = role == Role::Owner;
    let mut answered = pairing::press(tx, door, data, user, is_owner, language).await?;
    if answered.is_none() {
        answered = raising::press(tx, door, data, (user, is_owner), language).await?;
    }
    if answered.is_none() {
        answered = linking::press(tx, door, pressed).await?;
    }
    Ok(answered.map(|(notice, said)| Followed {
        receipt: Receipt::with_notice(Some(notice)),
        said,
        ..Followed::default()
    }))
}

/// Judges a press on the note about what was learned; `None` when it is no such press.
async fn undo(
    tx: &mut Tx,
    door: &Door,
    press: &Pressed<'_>,
) -> Result<Option<Followed>, StoreError> {
    let language = press.language;
    let press = UndoPress {
        data: press.data,
        user: press.user,
        chat: press.chat,
        this: press.this,
        language,
    };
    let pressed = press_undo(tx, (&door.voice, &door.auditor), &press).await?;
    Ok(pressed.map(|pressed| match pressed {
        UndoOutcome::Undone(said) => Followed {
            said,
            ..Followed::told(messages::undone(language), false)
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
    door: &Door,
    inbound: &Inbound,
    press: &Press,
    chat: &ChatRow,
    user: UserId,
    role: Role,
) -> Result<Followed, StoreError> {
    let language = door.language(&chat.language);
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
        auditing::granted(tx, door, &view.card, user, before).await?;
    }
    let this = this_message(inbound, press).map(|message| PressedMessage {
        chat: chat.id,
        message,
    });
    let writer = door.cards();
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
    Ok(Followed {
        receipt: Receipt::with_notice(Some(pressed.notice)),
        said,
        signals,
        ..Followed::default()
    })
}

/// A press on a choice is an answer in words: it becomes a job.
async fn choice(
    tx: &mut Tx,
    door: &Door,
    (inbound, session): (&Inbound, SessionId),
    pressed: &Pressed<'_>,
    role: Role,
) -> Result<Option<Followed>, StoreError> {
    let Pressed { user, language, .. } = *pressed;
    let asker = (user, session);
    let Some(outcome) = choose(tx, &door.voice, pressed.data, asker, pressed.this).await? else {
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
                ..door::row(inbound)?
            };
            inbox::insert(tx, &row).await?;
            return Ok(Some(Followed {
                said,
                signals: vec![Signal::Work(session, user)],
                ..Followed::default()
            }));
        }
        ChoiceOutcome::GoesOn(said) => {
            settle(tx, inbound).await?;
            return Ok(Some(Followed {
                said,
                ..Followed::default()
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
    inbox::insert(tx, &door::row(inbound)?).await?;
    Ok(())
}

fn told(text: String) -> Followed {
    Followed::told(text, true)
}
