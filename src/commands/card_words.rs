//! A yes or no in words while a card waits for a press: the buttons come again. Words never decide
//! a card, and these reach no model.

use sayso_channel::{ChatKind, MessageKey};
use sayso_store::outbox::MessageAt;
use sayso_store::{StoreError, Tx, now_ms, outbox, questions};

use super::context::CommandContext;
use crate::approvals::{self, Speaker};
use crate::delivery::Purpose;
use crate::intake::{Effects, ResolvedMessage};

/// Which card a message means.
enum Meant {
    /// The one that it replies to, by what its messages are about.
    RepliedTo(i64),
    /// The newest of a direct chat.
    Newest,
    /// None.
    None,
}

/// Takes a message that says nothing but yes or no while a card waits for its person; `None` when
/// it is none.
pub async fn take(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Option<Effects>, StoreError> {
    let message = heard.message;
    let is_plain = message.attachments.is_empty() && message.album.is_none() && !message.edited;
    if !is_plain || !approvals::says_yes_or_no(&message.text) {
        return Ok(None);
    }
    let replied_to = match meant(tx, heard).await? {
        Meant::RepliedTo(subject) => Some(subject),
        Meant::Newest => None,
        Meant::None => return Ok(None),
    };
    let speaker = Speaker {
        user: heard.user,
        role: heard.role,
        session: heard.session,
        chat: heard.chat.id,
    };
    let now = now_ms();
    let Some((view, copy)) = approvals::awaited(tx, speaker, replied_to, now).await? else {
        return Ok(None);
    };
    // A question that was asked since is what the word answers.
    let question = questions::open_question(tx, heard.session, heard.user, now).await?;
    if replied_to.is_none() && question.is_some_and(|asked| asked.id.0 > view.card.id.0) {
        return Ok(None);
    }
    let language = ctx.language(&heard.chat.language);
    let at = &heard.inbound.address;
    let said = ctx.cards().remind(tx, &view, copy, at, language).await?;
    Ok(Some(if said.is_empty() {
        Effects::unanswered()
    } else {
        Effects::said(said)
    }))
}

/// Returns the card that a message of the bot shows, as the number that its buttons name.
pub(super) async fn shown_in(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    message: &MessageKey,
) -> Result<Option<i64>, StoreError> {
    let at = MessageAt::of(&heard.inbound.address, message);
    outbox::subject_of_message(tx, at, Purpose::Card).await
}

async fn meant(tx: &mut Tx, heard: &ResolvedMessage<'_>) -> Result<Meant, StoreError> {
    match &heard.message.quoted {
        Some(quoted) if quoted.from_us => {
            let card = shown_in(tx, heard, &quoted.message).await?;
            Ok(card.map_or(Meant::None, Meant::RepliedTo))
        }
        None if heard.inbound.chat_kind == ChatKind::Direct => Ok(Meant::Newest),
        Some(_) | None => Ok(Meant::None),
    }
}
