//! One event at the door: an exhaustive match on what it is.

use sayso_channel::{Event, Inbound};
use sayso_store::{StoreError, Tx, chats, inbox, now_ms, outbox};

use super::context::IntakeContext;
use super::effects::Effects;
use super::{message, names, press, rows};

/// How old an answer may be that could not be delivered while a chat was closed, and is said when
/// it opens again, in milliseconds.
const SAID_AGAIN_WITHIN_MS: i64 = 24 * 60 * 60 * 1000;

/// Stores an event and everything that follows from it.
pub async fn receive(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: Inbound,
) -> Result<Effects, StoreError> {
    let inbound = names::tell_apart(tx, without_secrets(inbound, ctx)).await?;
    match &inbound.event {
        Event::Message(heard) => message::receive(tx, ctx, &inbound, heard).await,
        Event::Press(pressed) => press::receive(tx, ctx, &inbound, pressed).await,
        Event::Moved { to } => {
            if is_new(tx, &inbound).await? {
                let channel = inbound.address.channel.as_str();
                let (from, to) = (inbound.address.chat.as_str(), to.chat.as_str());
                chats::move_chat(tx, channel, from, to).await?;
            }
            Ok(Effects::default())
        }
        Event::Closed => set_closed(tx, &inbound, true).await,
        Event::Opened => set_closed(tx, &inbound, false).await,
    }
}

/// Hides the secrets in what was said, before anything of it is stored or done: what a person
/// pastes by mistake is in no journal, no memory and no prompt.
fn without_secrets(mut inbound: Inbound, ctx: &IntakeContext) -> Inbound {
    if let Event::Message(heard) = &mut inbound.event {
        let command = heard.command.as_mut().map(|command| &mut command.arguments);
        let quoted = heard.quoted.as_mut().map(|quoted| &mut quoted.text);
        for text in [Some(&mut heard.text), command, quoted]
            .into_iter()
            .flatten()
        {
            *text = ctx.outbox.redactor().redact(text).into_owned();
        }
    }
    inbound
}

async fn set_closed(tx: &mut Tx, inbound: &Inbound, closed: bool) -> Result<Effects, StoreError> {
    if !is_new(tx, inbound).await? {
        return Ok(Effects::default());
    }
    let (channel, chat) = (
        inbound.address.channel.as_str(),
        inbound.address.chat.as_str(),
    );
    chats::set_closed(tx, channel, chat, closed).await?;
    if closed {
        return Ok(Effects::default());
    }
    let said = outbox::say_again(tx, channel, chat, now_ms() - SAID_AGAIN_WITHIN_MS).await?;
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

async fn is_new(tx: &mut Tx, inbound: &Inbound) -> Result<bool, StoreError> {
    Ok(inbox::insert(tx, &rows::row(inbound)?).await?.is_some())
}
