//! A press: who made it, where, and may they. What it answers is behind the port [`Features`], in
//! the transaction that stores the press.
//!
//! [`Features`]: super::features::Features

use sayso_channel::{Inbound, Press, SenderKind};
use sayso_store::inbox::{InboxState, NewInbox};
use sayso_store::{StoreError, Tx, chats, inbox, languages};

use super::access::{Account, Standing};
use super::context::IntakeContext;
use super::effects::Effects;
use super::resolved::Pressed;
use super::{language, messages, rows};
use crate::delivery::MessageRef;

/// Stores a press and what follows from it.
pub async fn receive(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    press: &Press,
) -> Result<Effects, StoreError> {
    let mut chat = rows::chat_of(tx, inbound).await?;
    let known = rows::known_sender(tx, inbound).await?;
    let stored = known.as_ref().map(|sender| sender.standing);
    // By the roles that the press came with: one that was taken away counts no more. An anonymous
    // admin may not approve, because the account cannot be identified.
    let standing = ctx.access.standing(Account::of(inbound), stored);
    let (Standing::Admitted(role), SenderKind::Person) = (standing, inbound.sender.kind) else {
        rows::settle(tx, inbound).await?;
        let reads = language::client_of(inbound).unwrap_or(chat.language);
        let text = messages::not_for_strangers(ctx.language(&reads));
        return Ok(Effects::refused(text));
    };
    // The platform tells it again when its last telling was stored, but not confirmed.
    if is_known(tx, inbound).await? {
        return Ok(Effects::default());
    }
    let user = rows::user_of(tx, inbound, known).await?;
    let languages = languages::of_user(tx, user).await?;
    language::follow(tx, inbound, user, languages, None, &mut chat).await?;
    let thread = inbound.address.thread.as_ref();
    let thread = thread.map_or("", |thread| thread.as_str());
    let pressed = Pressed {
        inbound,
        data: &press.token,
        user,
        role,
        name: &inbound.sender.name,
        chat: chat.id,
        chat_kind: inbound.chat_kind,
        session: chats::session_at(tx, chat.id, thread).await?,
        this: this_message(inbound, press),
        language: ctx.language(&chat.language),
    };
    let mut effects = ctx.features.answer(tx, &pressed).await?;
    store(tx, inbound, &pressed, &mut effects).await?;
    Ok(effects)
}

/// Stores the press: as a job where it stands for words, else as an event that needs no turn.
async fn store(
    tx: &mut Tx,
    inbound: &Inbound,
    pressed: &Pressed<'_>,
    effects: &mut Effects,
) -> Result<(), StoreError> {
    let mut row = rows::row(inbound)?;
    if let Some(job) = effects.job.take() {
        row = NewInbox {
            session: Some(pressed.session),
            user: Some(pressed.user),
            said: job.words,
            untrusted: job.untrusted,
            files: job.files,
            answers: job.question,
            role: pressed.role,
            state: InboxState::Waiting,
            ..row
        };
    }
    inbox::insert(tx, &row).await?;
    Ok(())
}

/// Returns the message that carries the pressed button, where the platform says it.
fn this_message<'a>(inbound: &'a Inbound, press: &'a Press) -> Option<MessageRef<'a>> {
    let address = &inbound.address;
    press
        .message
        .as_ref()
        .map(|key| MessageRef { address, key })
}

async fn is_known(tx: &mut Tx, inbound: &Inbound) -> Result<bool, StoreError> {
    let (channel, key) = (inbound.address.channel.as_str(), &inbound.key);
    let earlier = inbox::earlier_form(tx, channel, &key.kind, &key.id).await?;
    Ok(earlier.is_some())
}
