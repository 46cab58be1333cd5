//! A message at the door: a stranger's, a command, something overheard, or a job.

use sayso_channel::{
    Addressed, ChatKind, HeardMessage, Inbound, Language, MessageKey, Outbound, SenderKind,
};

use super::access::{Account, Standing};
use super::busy::{self, BusyAction};
use super::limits::{MOST_WAITING, Pace};
use super::{
    Effects, IntakeContext, commands, denial_reason, event, messages, pairing, provenance,
    stop_words, unseen, wording,
};
use crate::bus::Signal;
use crate::delivery::{Purpose, Saying};
use crate::sessions::{self, WhileBusy};
use crate::store::chats::{self, ChatRow};
use crate::store::inbox;
use crate::store::outbox::OutboxRow;
use crate::store::people::{self, SenderRow};
use crate::store::{StoreError, Tx, now_ms, turns};
use crate::transcript::{QuestionId, Role, SessionId, UserId};

/// How long the pieces of an album may take to arrive, in milliseconds.
const ALBUM_SETTLES_MS: i64 = 1_000;
/// How long the next piece of a text split by the platform may take, in milliseconds.
const SPLIT_SETTLES_MS: i64 = 800;
/// From this length on a text may be the first piece of a longer one, in UTF-16 units: clients
/// split at 4096, or a little before it.
const SPLIT_FROM: usize = 4_000;

/// Everything known of a message that was stored.
pub struct ResolvedMessage<'a> {
    /// The event.
    pub inbound: &'a Inbound,
    /// Its message.
    pub message: &'a HeardMessage,
    /// Its chat.
    pub chat: ChatRow,
    /// Its session.
    pub session: SessionId,
    /// Who said it.
    pub user: UserId,
    /// What they may do.
    pub role: Role,
    /// Whether earlier messages of theirs wait in the session.
    pub has_waiting: bool,
    /// Whether a card of the session waits for words of theirs.
    pub owes_words: bool,
}

/// Stores a message and what follows from it.
pub async fn receive(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    message: &HeardMessage,
) -> Result<Effects, StoreError> {
    let address = &inbound.address;
    let thread = address.thread.as_ref().map_or("", |thread| thread.as_str());
    let place = (address.chat.as_str(), thread);
    let sender = inbound.sender.key.as_str();
    let known = chats::known_at(tx, address.channel.as_str(), place, sender).await?;
    let chat = match known.chat {
        Some(chat) => chat,
        None => chat_of(tx, inbound).await?,
    };
    let stored = known.sender.as_ref().map(|sender| sender.standing.as_str());
    match ctx.access.standing(Account::of(inbound), stored) {
        // A sender that is a chat (anonymous admin, channel post) has no account that could be
        // asked or remembered.
        _ if inbound.sender.kind != SenderKind::Person => {
            let overheard = overhear(tx, ctx, inbound, message, &chat).await?;
            let told = unseen::tell_once(tx, ctx, inbound, message, &chat).await?;
            Ok(told.unwrap_or(overheard))
        }
        Standing::Admitted(role) => {
            let user = user_of(tx, inbound, known.sender).await?;
            let session = match known.session {
                Some(session) => session,
                None => chats::session_at(tx, chat.id, thread).await?,
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
            };
            admit(tx, ctx, &heard).await
        }
        Standing::Stranger | Standing::Blocked if message.addressed == Addressed::No => {
            overhear(tx, ctx, inbound, message, &chat).await
        }
        Standing::Blocked => settle(tx, inbound).await.map(|_| Effects::unanswered()),
        Standing::Stranger => meet_stranger(tx, ctx, inbound, message, &chat).await,
    }
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
    if !settle(tx, inbound).await? {
        Ok(Effects::default())
    } else if ctx
        .rates
        .answers_stranger(channel.as_str(), sender.as_str())
    {
        pairing::meet(tx, ctx, inbound, message, chat).await
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
    if let Some(command) = heard
        .message
        .command
        .as_ref()
        .filter(|command| commands::exists(&command.name))
    {
        if let Some(how) = WhileBusy::named(&command.name) {
            return busy::command(tx, ctx, heard, command, how).await;
        }
        let ran_before = heard.message.edited && was_command(tx, heard.inbound).await?;
        if !settle(tx, heard.inbound).await? {
            return Ok(Effects::default());
        }
        if ran_before {
            return Ok(Effects::default());
        }
        if let Some(effects) =
            pairing::redeem(tx, ctx, heard.inbound, heard.message, &heard.chat).await?
        {
            return Ok(effects);
        }
        return commands::run(tx, ctx, heard, command).await;
    }
    if let Some(effects) = denial_reason::take(tx, ctx, heard).await? {
        return Ok(effects);
    }
    if let Some(effects) = stop_words::take(tx, ctx, heard).await? {
        return Ok(effects);
    }
    take_job(tx, ctx, heard, None).await
}

/// Returns whether an earlier form of a message was a command: its row keeps no words.
async fn was_command(tx: &mut Tx, inbound: &Inbound) -> Result<bool, StoreError> {
    let (channel, key) = (inbound.address.channel.as_str(), &inbound.key);
    let earlier = inbox::earlier_form(tx, channel, &key.kind, &key.id).await?;
    Ok(earlier.is_some_and(|(_, _, said)| said.is_empty()))
}

/// Stores a job and wakes its session; `wanted` is what a command says of it.
pub async fn take_job(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    wanted: Option<WhileBusy>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.message.edited
        && let Some(effects) = take_edit(tx, ctx, heard).await?
    {
        return Ok(effects);
    }
    let answers = answered_question(tx, heard).await?;
    let wording = match answers {
        // The question is in view of the turn that it belongs to, so it is not quoted.
        Some(_) => wording::word(heard.inbound, &without_quote(heard.message), language),
        None => wording::word(heard.inbound, heard.message, language),
    };
    let quotes_untrusted = answers.is_none() && quotes_untrusted(tx, heard).await?;
    let untrusted = wording.untrusted || quotes_untrusted;
    let now = now_ms();
    let (album, ready_ms) = pieces(tx, heard, now).await?;
    let action = match answers {
        // It is awaited, whatever runs beside it.
        Some(_) => BusyAction::JOINS,
        None => BusyAction::of(tx, ctx, heard, wanted, album.as_deref()).await?,
    };
    let row = inbox::NewInbox {
        session: Some(heard.session),
        user: Some(heard.user),
        message: action.message(heard),
        said: wording.said,
        untrusted,
        files: wording.files,
        album,
        answers,
        by_owner: heard.role == Role::Owner,
        while_busy: Some(action.how.as_str()),
        ready_ms,
        state: "waiting",
        ..event::row(heard.inbound)?
    };
    let Some(id) = inbox::insert(tx, &row).await? else {
        return Ok(Effects::default());
    };
    if let Some(notice) = turned_away(tx, ctx, heard).await? {
        inbox::settle(tx, id).await?;
        return Ok(notice);
    }
    settle_quoted(tx, heard, language).await?;
    if row.album.is_some() {
        inbox::join_album(tx, &row).await?;
    }
    let mut effects = action.follow(tx, ctx, heard).await?;
    effects.said.extend(say_queued(tx, ctx, heard).await?);
    let work = Signal::Work(heard.session, heard.user);
    effects.signals.push(work);
    Ok(effects)
}

/// Returns whether a message quotes one of Sayso's that had text from outside in view.
async fn quotes_untrusted(tx: &mut Tx, heard: &ResolvedMessage<'_>) -> Result<bool, StoreError> {
    match &heard.message.quoted {
        Some(quoted) if quoted.from_us => provenance::is_untrusted(tx, heard, quoted).await,
        Some(_) | None => Ok(false),
    }
}

/// Returns the question of the assistant that a message answers by replying to it.
async fn answered_question(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
) -> Result<Option<QuestionId>, StoreError> {
    match &heard.message.quoted {
        Some(quoted) if quoted.from_us => {
            sessions::asked_in(tx, &heard.inbound.address, &quoted.message, heard.user).await
        }
        Some(_) | None => Ok(None),
    }
}

/// What the message quotes whole is in view by that: it is not shown as said around it as well.
async fn settle_quoted(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<(), StoreError> {
    let Some(quoted) = &heard.message.quoted else {
        return Ok(());
    };
    let overheard = inbox::overheard_as(tx, heard.session, quoted.message.as_str()).await?;
    match overheard {
        Some((id, said)) if wording::quotes_whole(quoted, &said, language) => {
            inbox::settle(tx, id).await
        }
        Some(_) | None => Ok(()),
    }
}

fn without_quote(message: &HeardMessage) -> HeardMessage {
    HeardMessage {
        quoted: None,
        ..message.clone()
    }
}

/// Returns whether so much of a person waits here that one more would be too much. The message
/// itself is counted.
async fn waits_for_much(tx: &mut Tx, heard: &ResolvedMessage<'_>) -> Result<bool, StoreError> {
    if !heard.has_waiting {
        return Ok(false);
    }
    let waiting = inbox::count_waiting(tx, heard.session, heard.user).await?;
    Ok(waiting > MOST_WAITING)
}

/// Returns what is said instead of a turn: too many messages, or no model to answer them.
async fn turned_away(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Option<Effects>, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let text = match ctx.rates.count(heard.user) {
        Pace::Fine if ctx.missing_provider => messages::no_provider(language),
        Pace::Fine if waits_for_much(tx, heard).await? => {
            if !ctx.rates.must_tell(heard.user) {
                return Ok(Some(Effects::unanswered()));
            }
            messages::too_much_waits(MOST_WAITING, language)
        }
        Pace::Fine => return Ok(None),
        Pace::TooFast => messages::too_fast(language),
        Pace::StillTooFast => return Ok(Some(Effects::unanswered())),
    };
    tell(tx, ctx, heard, text).await.map(Some)
}

/// An edit changes a job that no turn has taken. Later, only an edit that changes the words counts.
async fn take_edit(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Option<Effects>, StoreError> {
    let key = &heard.inbound.key;
    let channel = heard.inbound.address.channel.as_str();
    let Some((id, state, said)) = inbox::earlier_form(tx, channel, &key.kind, &key.id).await?
    else {
        return Ok(None);
    };
    let language = ctx.language(&heard.chat.language);
    let unedited = HeardMessage {
        edited: false,
        ..heard.message.clone()
    };
    let now = wording::word(heard.inbound, &unedited, language);
    let (now_said, files) = (now.said, now.files);
    let marked = wording::word(heard.inbound, heard.message, language).said;
    if state != "waiting" && said != now_said && said != marked {
        return Ok(None);
    }
    // Kept with its text, so the next edit is compared with this one.
    let row = inbox::NewInbox {
        said: now_said.clone(),
        ..event::row(heard.inbound)?
    };
    inbox::insert(tx, &row).await?;
    if state == "waiting" {
        inbox::replace_said(tx, id, &now_said, &files).await?;
    }
    Ok(Some(Effects::default()))
}

/// Returns what a message is a piece of, and until when further pieces may come.
async fn pieces(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    now: i64,
) -> Result<(Option<String>, i64), StoreError> {
    if let Some(album) = &heard.message.album {
        return Ok((Some(album.clone()), now + ALBUM_SETTLES_MS));
    }
    let is_long = heard.message.text.encode_utf16().count() >= SPLIT_FROM;
    let earlier = if heard.has_waiting {
        inbox::unfinished_text(tx, heard.session, heard.user, now).await?
    } else {
        None
    };
    Ok(match (earlier, is_long) {
        (Some(mark), true) => (Some(mark), now + SPLIT_SETTLES_MS),
        (Some(mark), false) => (Some(mark), now),
        (None, true) => (
            Some(format!("split-{}", heard.inbound.key.id)),
            now + SPLIT_SETTLES_MS,
        ),
        (None, false) => (None, now),
    })
}

/// In a group, notifies a user whose message must wait for another user's turn.
async fn say_queued(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Vec<OutboxRow>, StoreError> {
    if heard.inbound.chat_kind == ChatKind::Direct {
        return Ok(Vec::new());
    }
    let open = turns::open_turns(tx, heard.session).await?;
    let waits = open
        .iter()
        .any(|turn| turn.state == "running" && turn.user_id != heard.user);
    if !waits {
        return Ok(Vec::new());
    }
    let language = ctx.language(&heard.chat.language);
    let outbound = Outbound {
        quiet: true,
        ..Outbound::markdown(messages::queued(language))
    };
    say(tx, ctx, heard, &outbound).await
}

/// Says a text of our own in answer to a message; nothing else follows from it.
pub async fn tell(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    text: String,
) -> Result<Effects, StoreError> {
    let said = say(tx, ctx, heard, &Outbound::markdown(text)).await?;
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// Sends a text that concerns only the user who gave the command, privately where the platform can
/// do that.
pub async fn tell_aside(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    text: String,
) -> Result<Effects, StoreError> {
    let in_group = heard.inbound.chat_kind == ChatKind::Group;
    let outbound = Outbound {
        aside: in_group && is_awaited(heard.inbound),
        ..Outbound::markdown(text)
    };
    Ok(Effects {
        said: say(tx, ctx, heard, &outbound).await?,
        ..Effects::default()
    })
}

/// Says something of our own in answer to a message.
pub async fn say(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    outbound: &Outbound,
) -> Result<Vec<OutboxRow>, StoreError> {
    let reply_to = reply_to(heard);
    let outbound = Outbound {
        reply_to,
        ..outbound.clone()
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}

/// Returns what an answer of our own names as the message that it answers: in a group, and where
/// the platform holds a command open until it is answered.
pub fn reply_to(heard: &ResolvedMessage<'_>) -> Option<MessageKey> {
    let in_group = heard.inbound.chat_kind == ChatKind::Group;
    (in_group || is_awaited(heard.inbound)).then(|| heard.message.message.clone())
}

/// Says whether the platform holds an event open until it is answered.
pub fn is_awaited(inbound: &Inbound) -> bool {
    inbound.key.kind == inbox::AWAITED
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
        settle(tx, inbound).await?;
        return Ok(Effects::default());
    }
    let thread = inbound
        .address
        .thread
        .as_ref()
        .map_or("", |thread| thread.as_str());
    let session = chats::session_at(tx, chat.id, thread).await?;
    let wording = wording::word(inbound, message, ctx.language(&chat.language));
    let row = inbox::NewInbox {
        session: Some(session),
        message: Some(message.message.to_string()),
        said: wording.said,
        untrusted: true,
        // Fetched if it turns out to be a piece of an album that is for us.
        files: wording.files,
        album: message.album.clone(),
        state: "overheard",
        ..event::row(inbound)?
    };
    inbox::insert(tx, &row).await?;
    inbox::forget_old_overheard(tx, session).await?;
    Ok(Effects::default())
}

/// Stores an event that needs no turn; says whether it is new.
pub async fn settle(tx: &mut Tx, inbound: &Inbound) -> Result<bool, StoreError> {
    Ok(inbox::insert(tx, &event::row(inbound)?).await?.is_some())
}

/// Returns the chat of an event, adding it when it is new.
pub async fn chat_of(tx: &mut Tx, inbound: &Inbound) -> Result<ChatRow, StoreError> {
    let language = inbound.sender.language.as_deref().unwrap_or("en");
    let (channel, chat) = (
        inbound.address.channel.as_str(),
        inbound.address.chat.as_str(),
    );
    chats::chat_at(tx, channel, chat, inbound.chat_kind, language).await
}

/// Returns what is stored of the sender of an event.
pub async fn known_sender(tx: &mut Tx, inbound: &Inbound) -> Result<Option<SenderRow>, StoreError> {
    let (channel, sender) = (
        inbound.address.channel.as_str(),
        inbound.sender.key.as_str(),
    );
    people::find_sender(tx, channel, sender).await
}

/// Returns the user behind an event, adding them when they are new, and keeps the way to them.
pub async fn user_of(
    tx: &mut Tx,
    inbound: &Inbound,
    known: Option<SenderRow>,
) -> Result<UserId, StoreError> {
    let (channel, sender) = (
        inbound.address.channel.as_str(),
        inbound.sender.key.as_str(),
    );
    let has_direct = known.as_ref().is_some_and(|known| known.direct.is_some());
    let user = match known {
        Some(known) => known.user_id,
        None => people::add_sender(tx, channel, sender, &inbound.sender.name, "listed").await?,
    };
    if inbound.chat_kind == ChatKind::Direct && !has_direct {
        let address = serde_json::to_string(&inbound.address)?;
        people::set_direct(tx, channel, sender, &address).await?;
    }
    Ok(user)
}
