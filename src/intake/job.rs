//! Taking a job: the row of the inbox that a turn is for, its pieces, and its edits.

use sayso_channel::{ChatKind, HeardMessage, Language, Outbound};
use sayso_core::transcript::QuestionId;
use sayso_store::inbox::InboxState;
use sayso_store::outbox::OutboxRow;
use sayso_store::turns::TurnStatus;
use sayso_store::{StoreError, Tx, inbox, now_ms, turns};

use super::busy::BusyAction;
use super::context::IntakeContext;
use super::effects::Effects;
use super::limits::{MOST_WAITING, Pace};
use super::reply::{say, skip, tell};
use super::resolved::ResolvedMessage;
use super::wording::{self, Wording};
use super::{messages, provenance, rows};
use crate::bus::Signal;
use crate::sessions::{self, WhileBusy};

/// How long the pieces of an album may take to arrive, in milliseconds.
const ALBUM_SETTLES_MS: i64 = 1_000;

/// How long the next piece of a text split by the platform may take, in milliseconds.
const SPLIT_SETTLES_MS: i64 = 800;

/// From this length on a text may be the first piece of a longer one, in UTF-16 units: clients
/// split at 4096, or a little before it.
const SPLIT_FROM: usize = 4_000;

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
    let wording = worded(heard, answers.is_some(), language);
    let untrusted = wording.untrusted || (answers.is_none() && quotes_untrusted(tx, heard).await?);
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
        role: heard.role,
        while_busy: Some(action.how),
        ready_ms,
        state: InboxState::Waiting,
        ..rows::row(heard.inbound)?
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
    if answers.is_none() {
        effects.noticed = action.noticed(heard);
    }
    effects.said.extend(say_queued(tx, ctx, heard).await?);
    effects
        .signals
        .push(Signal::Work(heard.session, heard.user));
    Ok(effects)
}

/// Returns the words of a message for a model.
fn worded(heard: &ResolvedMessage<'_>, answers: bool, language: Language) -> Wording {
    if answers {
        // The question is in view of the turn that it belongs to, so it is not quoted.
        wording::word(heard.inbound, &without_quote(heard.message), language)
    } else {
        wording::word(heard.inbound, heard.message, language)
    }
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
        Pace::TooFast => return skip(tx, ctx, heard).await.map(Some),
    };
    tell(tx, &ctx.outbox, heard, text).await.map(Some)
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
    if state != InboxState::Waiting && said != now_said && said != marked {
        return Ok(None);
    }
    // Kept with its text, so the next edit is compared with this one.
    let row = inbox::NewInbox {
        said: now_said.clone(),
        ..rows::row(heard.inbound)?
    };
    inbox::insert(tx, &row).await?;
    if state == InboxState::Waiting {
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
        .any(|turn| turn.state == TurnStatus::Running && turn.user_id != heard.user);
    if !waits {
        return Ok(Vec::new());
    }
    let language = ctx.language(&heard.chat.language);
    let outbound = Outbound {
        quiet: true,
        ..Outbound::markdown(messages::queued(language))
    };
    say(tx, &ctx.outbox, heard, &outbound).await
}
