//! The rows of an event and of who did it: the inbox, the chat and the sender.

use sayso_channel::{ChatKind, Event, Inbound};
use sayso_core::transcript::{Role, UserId};
use sayso_store::chats::{self, ChatRow};
use sayso_store::inbox::{self, InboxState, NewInbox};
use sayso_store::people::{self, AccountStanding, SenderRow};
use sayso_store::{StoreError, Tx, now_ms};

use super::language::client_of;

/// Returns the row of an event that needs no turn.
pub fn row(inbound: &Inbound) -> Result<NewInbox, StoreError> {
    let now = now_ms();
    Ok(NewInbox {
        channel: inbound.address.channel.to_string(),
        kind: inbound.key.kind.clone(),
        event: inbound.key.id.clone(),
        version: inbound.key.version,
        session: None,
        user: None,
        sender: Some(inbound.sender.key.to_string()),
        address: serde_json::to_string(&inbound.address)?,
        message: message_of(&inbound.event),
        said: String::new(),
        untrusted: false,
        files: Vec::new(),
        album: None,
        answers: None,
        role: Role::Guest,
        while_busy: None,
        ready_ms: now,
        happened_ms: inbound.happened_ms(now),
        state: InboxState::Settled,
    })
}

/// Returns the platform's name of a message, also of one that needs no turn: what was heard is not
/// read back.
fn message_of(event: &Event) -> Option<String> {
    match event {
        Event::Message(heard) => Some(heard.message.to_string()),
        Event::Press(_) | Event::Moved { .. } | Event::Closed | Event::Opened => None,
    }
}

/// Stores an event that needs no turn; says whether it is new.
pub async fn settle(tx: &mut Tx, inbound: &Inbound) -> Result<bool, StoreError> {
    Ok(inbox::insert(tx, &row(inbound)?).await?.is_some())
}

/// Returns the chat of an event, adding it when it is new.
pub async fn chat_of(tx: &mut Tx, inbound: &Inbound) -> Result<ChatRow, StoreError> {
    // A group has the language of what is said in it, not that of who spoke first.
    let language = match inbound.chat_kind {
        ChatKind::Direct => client_of(inbound).unwrap_or_default(),
        ChatKind::Group => String::new(),
    };
    let (channel, chat) = (
        inbound.address.channel.as_str(),
        inbound.address.chat.as_str(),
    );
    chats::chat_at(tx, channel, chat, inbound.chat_kind, &language).await
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
        None => {
            people::add_sender(
                tx,
                channel,
                sender,
                &inbound.sender.name,
                AccountStanding::Listed,
            )
            .await?
        }
    };
    if inbound.chat_kind == ChatKind::Direct && !has_direct {
        let address = serde_json::to_string(&inbound.address)?;
        people::set_direct(tx, channel, sender, &address).await?;
    }
    Ok(user)
}
