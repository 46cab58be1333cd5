//! The question that a session waits for: asked, answered by text or button, and closed.

use sayso_channel::{Address, Button, MessageKey, Outbound};

use super::messages;
use crate::approvals::new_token;
use crate::delivery::{Purpose, Voice};
use crate::store::chats::SessionRow;
use crate::store::inbox::InboxRow;
use crate::store::outbox::{self, OutboxRow};
use crate::store::questions::{self, QuestionRow};
use crate::store::{StoreError, Tx, new_id, now_ms};
use crate::transcript::{Answering, QuestionId, SessionId, TurnId, UserId};

/// How long a clarification may be answered, in milliseconds.
pub const QUESTION_EXPIRES_MS: i64 = 30 * 60 * 1000;

/// A question to ask.
pub struct NewQuestion<'a> {
    /// The turn that asks.
    pub turn: TurnId,
    /// Its session.
    pub session: SessionId,
    /// Who is asked.
    pub user: UserId,
    /// What the user had asked for.
    pub request: &'a str,
    /// Whether words of others are in it.
    pub untrusted: bool,
    /// What we ask back.
    pub question: &'a str,
    /// Answers to choose from.
    pub choices: &'a [String],
    /// How many in a row, this one included.
    pub asked: u32,
}

/// Keeps a question and returns it with the message that asks it.
pub async fn ask(
    tx: &mut Tx,
    new: NewQuestion<'_>,
    reply_to: Option<MessageKey>,
) -> Result<(QuestionId, Outbound), StoreError> {
    let token =
        new_token().map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let row = QuestionRow {
        id: QuestionId(new_id()),
        turn_id: new.turn,
        session_id: new.session,
        user_id: new.user,
        request: new.request.to_owned(),
        untrusted: new.untrusted,
        question: new.question.to_owned(),
        choices: serde_json::to_string(new.choices)?,
        token,
        asked: i64::from(new.asked),
        expires_ms: now_ms() + QUESTION_EXPIRES_MS,
        state: "open".to_owned(),
    };
    questions::insert(tx, &row).await?;
    let outbound = Outbound {
        markdown: new.question.to_owned(),
        buttons: buttons(&row.token, new.choices),
        // Where any text of the asker answers, nobody needs a reply.
        asks_reply: new.choices.is_empty() && reply_to.is_some(),
        reply_to,
        ..Outbound::default()
    };
    Ok((row.id, outbound))
}

/// Finds the question that a job answers, closes it, and shows the answer in its place.
///
/// A button and a reply name their question at the door. In a direct chat any next text of the
/// asker answers the newest one, unless it was said before that was asked; in a group nothing
/// else does.
pub async fn answer(
    tx: &mut Tx,
    voice: &Voice,
    session: &SessionRow,
    job: &InboxRow,
) -> Result<(Option<Answering>, Vec<OutboxRow>), StoreError> {
    let Some(user) = job.user_id else {
        return Ok((None, Vec::new()));
    };
    let question = match job.answers {
        Some(question) => questions::open_by_id(tx, question, user, now_ms()).await?,
        None if session.kind == "direct" => {
            let newest = questions::open_question(tx, session.id, user, now_ms()).await?;
            newest.filter(|question| question.id.0 < job.id.0)
        }
        None => None,
    };
    let Some(question) = question else {
        return Ok((None, Vec::new()));
    };
    questions::close(tx, question.id).await?;
    let outbound = Outbound::markdown(messages::answered(&question.question, &job.said));
    let said = voice
        .amend(tx, Purpose::Question, question.id.0, None, &outbound)
        .await?;
    let answering = Answering {
        request: question.request,
        question: question.question,
        asked: question.asked as u32,
        untrusted: question.untrusted,
    };
    Ok((Some(answering), said))
}

/// Returns the question that this user answers by a reply to this message, if it is one.
pub async fn asked_in(
    tx: &mut Tx,
    at: &Address,
    message: &MessageKey,
    user: UserId,
) -> Result<Option<QuestionId>, StoreError> {
    let subject = outbox::subject_of_message(
        tx,
        at.channel.as_str(),
        at.chat.as_str(),
        message.as_str(),
        Purpose::Question.as_str(),
    )
    .await?;
    let Some(id) = subject.map(QuestionId) else {
        return Ok(None);
    };
    let question = questions::open_by_id(tx, id, user, now_ms()).await?;
    Ok(question.map(|question| question.id))
}

/// What a press on a choice came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceOutcome {
    /// It answers this question with these words.
    Answers(QuestionId, String),
    /// It is somebody else's question.
    NotYours,
    /// It was answered, or its time is over.
    Closed,
    /// There is no such button here.
    Unknown,
}

/// Judges a press on a choice; `None` when the data is no choice's button.
pub async fn choose(
    tx: &mut Tx,
    data: &str,
    user: UserId,
    session: SessionId,
) -> Result<Option<ChoiceOutcome>, StoreError> {
    let Some((position, token)) = parse_button(data) else {
        return Ok(None);
    };
    let Some(question) = questions::by_token(tx, token).await? else {
        return Ok(Some(ChoiceOutcome::Unknown));
    };
    let choices: Vec<String> = serde_json::from_str(&question.choices)?;
    let outcome = match choices.into_iter().nth(position) {
        None => ChoiceOutcome::Unknown,
        Some(_) if question.session_id != session => ChoiceOutcome::Unknown,
        Some(_) if question.user_id != user => ChoiceOutcome::NotYours,
        Some(_) if question.state != "open" || question.expires_ms <= now_ms() => {
            ChoiceOutcome::Closed
        }
        Some(choice) => ChoiceOutcome::Answers(question.id, choice),
    };
    Ok(Some(outcome))
}

fn buttons(token: &str, choices: &[String]) -> Vec<Vec<Button>> {
    choices
        .iter()
        .enumerate()
        .map(|(position, choice)| {
            vec![Button {
                label: choice.clone(),
                token: format!("q{position}:{token}"),
                key: None,
                look: sayso_channel::ButtonLook::Plain,
            }]
        })
        .collect()
}

fn parse_button(data: &str) -> Option<(usize, &str)> {
    let (position, token) = data.strip_prefix('q')?.split_once(':')?;
    Some((position.parse().ok()?, token))
}
