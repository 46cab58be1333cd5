//! A message: a stranger's, a command, something overheard, or a job.

use sayso_channel::{Addressed, ChatKind, CommandCall, HeardMessage, Inbound, SenderKind};
use sayso_store::chats::{self, ChatRow, KnownRows};
use sayso_store::inbox::InboxState;
use sayso_store::{StoreError, Tx, inbox};

use super::access::{Account, Standing};
use super::context::IntakeContext;
use super::effects::Effects;
use super::features::CommandRate;
use super::job::take_job;
use super::limits::Pace;
use super::overheard::Overheard;
use super::reply::{skip, tell};
use super::resolved::ResolvedMessage;
use super::{language, messages, rows, stop_words, unseen, wording};
use crate::sessions::WhileBusy;

/// Stores a message and what follows from it.
pub async fn receive(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    message: &HeardMessage,
) -> Result<Effects, StoreError> {
    let known = known(tx, inbound).await?;
    let mut chat = match known.chat {
        Some(chat) => chat,
        None => rows::chat_of(tx, inbound).await?,
    };
    let written = language::written_in(message);
    let stored = known.sender.as_ref().map(|sender| sender.standing);
    match ctx.access.standing(Account::of(inbound), stored) {
        // A sender that is a chat (anonymous admin, channel post) has no account that could be
        // asked or remembered.
        _ if inbound.sender.kind != SenderKind::Person => {
            let overheard = overhear(tx, ctx, inbound, message, &chat).await?;
            let told = unseen::tell_once(tx, ctx, inbound, message, &chat).await?;
            Ok(told.unwrap_or(overheard))
        }
        Standing::Admitted(role) => {
            let user = rows::user_of(tx, inbound, known.sender).await?;
            language::follow(tx, inbound, user, known.languages, written, &mut chat).await?;
            let session = match known.session {
                Some(session) => session,
                None => chats::session_at(tx, chat.id, thread_of(inbound)).await?,
            };
            if let Some(title) = &inbound.thread_title {
                chats::set_title(tx, session, title).await?;
            }
            let heard = ResolvedMessage {
                inbound,
                message,
                chat,
                session,
                user,
                role,
                has_waiting: known.has_waiting,
                owes_words: known.owes_words,
                has_running: known.has_running,
            };
            admit(tx, ctx, &heard).await
        }
        Standing::Stranger | Standing::Blocked if message.addressed == Addressed::No => {
            language::follow_stranger(tx, inbound, written, &mut chat).await?;
            overhear(tx, ctx, inbound, message, &chat).await
        }
        Standing::Blocked => rows::settle(tx, inbound)
            .await
            .map(|_| Effects::unanswered()),
        Standing::Stranger => {
            language::follow_stranger(tx, inbound, written, &mut chat).await?;
            meet_stranger(tx, ctx, inbound, message, &chat).await
        }
    }
}

/// Returns what is known of where a message comes from, and of whom.
async fn known(tx: &mut Tx, inbound: &Inbound) -> Result<KnownRows, StoreError> {
    let address = &inbound.address;
    let (channel, chat) = (address.channel.as_str(), address.chat.as_str());
    let sender = inbound.sender.key.as_str();
    chats::known_at(tx, channel, chat, thread_of(inbound), sender).await
}

/// Returns the thread of a message; empty where it is in none.
fn thread_of(inbound: &Inbound) -> &str {
    let thread = inbound.address.thread.as_ref();
    thread.map_or("", |thread| thread.as_str())
}

/// Answers a stranger who means us, unless they were answered just now.
async fn meet_stranger(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    message: &HeardMessage,
    chat: &ChatRow,
) -> Result<Effects, StoreError> {
    let (channel, sender) = (&inbound.address.channel, &inbound.sender.key);
    if !rows::settle(tx, inbound).await? {
        Ok(Effects::default())
    } else if ctx
        .rates
        .answers_stranger(channel.as_str(), sender.as_str())
    {
        ctx.features.meet(tx, inbound, message, chat).await
    } else {
        Ok(Effects::unanswered())
    }
}

async fn admit(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let joins_album = match &heard.message.album {
        Some(album) => inbox::album_is_job(tx, heard.session, album).await?,
        None => false,
    };
    if heard.message.addressed == Addressed::No && !joins_album {
        return overhear(tx, ctx, heard.inbound, heard.message, &heard.chat).await;
    }
    if let Some(call) = &heard.message.command {
        let rate = ctx.features.rate(&call.name);
        return match WhileBusy::named(&call.name) {
            Some(how) => while_busy(tx, ctx, heard, call, how).await,
            None => run_command(tx, ctx, heard, call, rate).await,
        };
    }
    if let Some(effects) = ctx.features.take_words(tx, heard).await? {
        rows::settle(tx, heard.inbound).await?;
        return Ok(effects);
    }
    if let Some(effects) = stop_words::take(tx, ctx, heard).await? {
        return Ok(effects);
    }
    take_job(tx, ctx, heard, None).await
}

/// Runs a command, once: an edit of it does not run it again.
async fn run_command(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    call: &CommandCall,
    rate: CommandRate,
) -> Result<Effects, StoreError> {
    let ran_before = heard.message.edited && was_command(tx, heard.inbound).await?;
    if !rows::settle(tx, heard.inbound).await? || ran_before {
        return Ok(Effects::default());
    }
    let redeemed = ctx
        .features
        .redeem(tx, heard.inbound, heard.message, &heard.chat);
    if let Some(effects) = redeemed.await? {
        return Ok(effects);
    }
    if rate == CommandRate::Limited {
        match ctx.rates.count_command(heard.user) {
            Pace::Fine => {}
            Pace::TooFast => return skip(tx, ctx, heard).await,
        }
    }
    ctx.features.command(tx, heard, call).await
}

/// Returns whether an earlier form of a message was a command: its row keeps no words.
async fn was_command(tx: &mut Tx, inbound: &Inbound) -> Result<bool, StoreError> {
    let (channel, key) = (inbound.address.channel.as_str(), &inbound.key);
    let earlier = inbox::earlier_form(tx, channel, &key.kind, &key.id).await?;
    Ok(earlier.is_some_and(|(_, _, said)| said.is_empty()))
}

/// Takes up the words behind `/steer`, `/queue` or `/interrupt` as a message like any other, but
/// for what it does to a running turn.
async fn while_busy(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    call: &CommandCall,
    how: WhileBusy,
) -> Result<Effects, StoreError> {
    let words = call.arguments.trim();
    if words.is_empty() {
        if !rows::settle(tx, heard.inbound).await? {
            return Ok(Effects::default());
        }
        let language = ctx.language(&heard.chat.language);
        return tell(tx, &ctx.outbox, heard, messages::busy_usage(how, language)).await;
    }
    let message = HeardMessage {
        text: words.to_owned(),
        command: None,
        ..heard.message.clone()
    };
    let heard = ResolvedMessage {
        inbound: heard.inbound,
        message: &message,
        chat: heard.chat.clone(),
        ..*heard
    };
    take_job(tx, ctx, &heard, Some(how)).await
}

/// Keeps what was said around us in a group, for the next turn there.
async fn overhear(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    message: &HeardMessage,
    chat: &ChatRow,
) -> Result<Effects, StoreError> {
    if inbound.chat_kind == ChatKind::Direct {
        rows::settle(tx, inbound).await?;
        return Ok(Effects::default());
    }
    let session = chats::session_at(tx, chat.id, thread_of(inbound)).await?;
    let wording = wording::word(inbound, message, ctx.language(&chat.language));
    let row = inbox::NewInbox {
        session: Some(session),
        message: Some(message.message.to_string()),
        said: wording.said,
        untrusted: true,
        // Fetched if it turns out to be a piece of an album that is for us.
        files: wording.files,
        album: message.album.clone(),
        state: InboxState::Overheard,
        ..rows::row(inbound)?
    };
    let is_new = inbox::insert(tx, &row).await?.is_some();
    inbox::forget_old_overheard(tx, session).await?;
    if !is_new {
        return Ok(Effects::default());
    }
    let overheard = Overheard {
        chat: chat.id,
        message: message.message.as_str(),
        text: &message.text,
        said: &row.said,
    };
    ctx.listener.overheard(tx, &overheard).await
}
