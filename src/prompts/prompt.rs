//! A prompt from the asking to its end: asked, pressed, expired, or withdrawn by its feature.

use sayso_core::transcript::{ChatId, Role, SessionId, UserId};
use sayso_store::prompts::{self, Audience, PromptRow, PromptState};
use sayso_store::{Readers, StoreError, Tx, new_token};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::button::PressedButton;
use super::kind::PromptKind;

/// Where a prompt may be pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In this chat.
    Chat(ChatId),
    /// In this session.
    Session(SessionId),
    /// Wherever it is shown: the audience decides.
    Anywhere,
}

/// Who is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// This person.
    User(UserId),
    /// Every owner.
    Owners,
    /// This person, and every owner.
    UserOrOwners(UserId),
}

impl Asked {
    fn columns(self) -> (Audience, Option<UserId>) {
        match self {
            Self::User(user) => (Audience::User, Some(user)),
            Self::Owners => (Audience::Owner, None),
            Self::UserOrOwners(user) => (Audience::UserOrOwner, Some(user)),
        }
    }
}

/// A question to ask.
#[derive(Debug, Clone, Copy)]
pub struct NewPrompt<'a, P: Serialize> {
    /// What is asked.
    pub kind: PromptKind,
    /// Where it may be pressed.
    pub place: Place,
    /// Who is asked.
    pub asked: Asked,
    /// The row of its feature that it is about.
    pub subject: Option<i64>,
    /// What its feature keeps with it until it is closed.
    pub payload: &'a P,
    /// Until when it may be pressed.
    pub expires_ms: Option<i64>,
}

/// A question that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What is asked.
    pub kind: PromptKind,
    row: PromptRow,
}

impl Prompt {
    /// Returns the prompt of a row; `None` where the kind is one of another version.
    fn of(row: PromptRow) -> Option<Self> {
        let kind = PromptKind::named(&row.kind)?;
        Some(Self { kind, row })
    }

    /// Returns what names it, and the messages that show it where it has no subject.
    pub fn id(&self) -> i64 {
        self.row.id
    }

    /// Returns the row of its feature that it is about.
    pub fn subject(&self) -> Option<i64> {
        self.row.subject
    }

    /// Returns the chat in which it may be pressed.
    pub fn chat(&self) -> Option<ChatId> {
        self.row.chat_id
    }

    /// Returns the language of that chat.
    pub fn language(&self) -> Option<&str> {
        self.row.language.as_deref()
    }

    /// Returns until when it may be pressed.
    pub fn expires_ms(&self) -> Option<i64> {
        self.row.expires_ms
    }

    /// Returns what its feature keeps with it.
    pub fn payload<P: DeserializeOwned>(&self) -> Result<P, StoreError> {
        Ok(serde_json::from_str(&self.row.payload)?)
    }

    /// Returns the data of the button that gives an answer.
    pub fn button(&self, choice: impl std::fmt::Display) -> String {
        self.kind.button(choice, &self.row.token)
    }
}

/// Asks a question: its buttons may be pressed once the transaction is committed.
pub async fn open<P: Serialize>(tx: &mut Tx, new: NewPrompt<'_, P>) -> Result<Prompt, StoreError> {
    let (audience, user_id) = new.asked.columns();
    let (chat_id, session_id) = match new.place {
        Place::Chat(chat) => (Some(chat), None),
        Place::Session(session) => (None, Some(session)),
        Place::Anywhere => (None, None),
    };
    let mut row = PromptRow {
        id: 0,
        kind: new.kind.as_str().to_owned(),
        token: new_token()?,
        chat_id,
        session_id,
        user_id,
        audience,
        subject: new.subject,
        payload: serde_json::to_string(new.payload)?,
        state: PromptState::Open,
        expires_ms: new.expires_ms,
        language: None,
    };
    row.id = prompts::insert(tx, &row).await?;
    Ok(Prompt {
        kind: new.kind,
        row,
    })
}

/// Who pressed a button, where and when.
#[derive(Debug, Clone, Copy)]
pub struct Presser {
    /// Who pressed.
    pub user: UserId,
    /// What they may do now.
    pub role: Role,
    /// The chat in which it happened.
    pub chat: ChatId,
    /// The session in which it happened.
    pub session: SessionId,
    /// When.
    pub now_ms: i64,
}

/// Why a press changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such button here.
    Unknown,
    /// It is for these to answer.
    NotYours(Audience),
    /// It was answered before, or is not asked any more.
    AlreadyAnswered,
    /// Its time is over.
    Expired,
}

/// What a press came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Press {
    /// It answers this prompt, which is closed by it.
    Answers(Prompt),
    /// It came too late, and this prompt is closed by that.
    Expires(Prompt),
    /// It changes nothing; with the closed prompt, where it was its presser's to answer.
    Refused(Refusal, Option<Prompt>),
}

/// Judges a press on the button of a row: where it was made, by whom and when; then closes the row
/// unless another press did.
pub async fn press(
    tx: &mut Tx,
    button: &PressedButton<'_>,
    presser: &Presser,
) -> Result<Press, StoreError> {
    let found = prompts::by_token(tx, button.kind.as_str(), button.reference).await?;
    let Some(prompt) = found.and_then(Prompt::of) else {
        return Ok(Press::Refused(Refusal::Unknown, None));
    };
    let row = &prompt.row;
    let is_here = row.chat_id.is_none_or(|chat| chat == presser.chat)
        && row
            .session_id
            .is_none_or(|session| session == presser.session);
    if !is_here {
        return Ok(Press::Refused(Refusal::Unknown, None));
    }
    let is_user = row.user_id == Some(presser.user);
    let is_owner = presser.role == Role::Owner;
    let is_asked = match row.audience {
        Audience::User => is_user,
        Audience::Owner => is_owner,
        Audience::UserOrOwner => is_user || is_owner,
    };
    if !is_asked {
        return Ok(Press::Refused(Refusal::NotYours(row.audience), None));
    }
    match row.state {
        PromptState::Open => {}
        PromptState::Expired => return Ok(Press::Refused(Refusal::Expired, Some(prompt))),
        PromptState::Answered | PromptState::Withdrawn => {
            return Ok(Press::Refused(Refusal::AlreadyAnswered, Some(prompt)));
        }
    }
    if row.expires_ms.is_some_and(|until| until <= presser.now_ms) {
        prompts::close(tx, row.id, PromptState::Expired).await?;
        return Ok(Press::Expires(prompt));
    }
    if prompts::answer(tx, row.id, presser.user).await? {
        return Ok(Press::Answers(prompt));
    }
    Ok(Press::Refused(Refusal::AlreadyAnswered, Some(prompt)))
}

/// Leaves a prompt open that a press has just closed: the press was not its last.
pub async fn reopen(tx: &mut Tx, prompt: &Prompt) -> Result<(), StoreError> {
    prompts::reopen(tx, &prompt.row).await
}

/// Closes a prompt that needs no answer any more; returns whether it was open.
pub async fn withdraw(tx: &mut Tx, prompt: &Prompt) -> Result<bool, StoreError> {
    prompts::close(tx, prompt.row.id, PromptState::Withdrawn).await
}

/// Closes the prompts about a row of a feature: they need no answer any more.
pub async fn withdraw_about(tx: &mut Tx, kind: PromptKind, subject: i64) -> Result<(), StoreError> {
    prompts::withdraw_about(tx, kind.as_str(), subject).await
}

/// Returns the newest prompt about a row of a feature, whatever became of it.
pub async fn about(
    tx: &mut Tx,
    kind: PromptKind,
    subject: i64,
) -> Result<Option<Prompt>, StoreError> {
    let row = prompts::about(tx, kind.as_str(), subject).await?;
    Ok(row.and_then(Prompt::of))
}

/// Returns the open prompts of a kind, oldest first.
pub async fn open_of(tx: &mut Tx, kind: PromptKind) -> Result<Vec<Prompt>, StoreError> {
    let rows = prompts::open_of(tx, kind.as_str()).await?;
    Ok(rows.into_iter().filter_map(Prompt::of).collect())
}

/// Returns the open prompts of a kind that one person is asked, oldest first.
pub async fn open_for(
    tx: &mut Tx,
    kind: PromptKind,
    user: UserId,
) -> Result<Vec<Prompt>, StoreError> {
    let rows = prompts::open_for(tx, kind.as_str(), user).await?;
    Ok(rows.into_iter().filter_map(Prompt::of).collect())
}

/// Changes what an open prompt keeps for its feature.
pub async fn set_payload(
    tx: &mut Tx,
    prompt: &Prompt,
    payload: &impl Serialize,
) -> Result<(), StoreError> {
    let payload = serde_json::to_string(payload)?;
    prompts::set_payload(tx, prompt.row.id, &payload).await
}

/// Returns when the next prompt expires, in milliseconds since 1970.
pub async fn next_expiry(readers: &Readers) -> Result<Option<i64>, StoreError> {
    prompts::next_expiry(readers).await
}

/// Closes the prompts that have expired by now, and returns them with what they held.
pub async fn expire(tx: &mut Tx, now_ms: i64) -> Result<Vec<Prompt>, StoreError> {
    let mut expired = Vec::new();
    for row in prompts::overdue(tx, now_ms).await? {
        prompts::close(tx, row.id, PromptState::Expired).await?;
        expired.extend(Prompt::of(row));
    }
    Ok(expired)
}
