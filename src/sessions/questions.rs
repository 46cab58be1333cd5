//! The question that a session waits for: asked, answered by text or button, and closed.

use sayso_channel::{Address, Button, MessageKey, Outbound};

use super::inquiries::{Progress, route_of};
use super::messages;
use crate::approvals::new_token;
use crate::delivery::{Purpose, Voice};
use crate::store::chats::SessionRow;
use crate::store::inbox::InboxRow;
use crate::store::outbox::{self, OutboxRow};
use crate::store::questions::{self, QuestionRow};
use crate::store::{StoreError, Tx, new_id, now_ms};
use crate::transcript::{Answering, Inquiry, QuestionId, RouteResult, SessionId, TurnId, UserId};

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
    /// What we ask.
    pub asking: Asking<'a>,
    /// How many in a row, this one included.
    pub asked: u32,
}

/// What we ask.
pub enum Asking<'a> {
    /// A question of Phase 1, before anything is done.
    Clarification {
        /// The question.
        question: &'a str,
        /// Answers to choose from.
        choices: &'a [String],
    },
    /// Questions of the model, one after another.
    Inquiry {
        /// What it said with them.
        text: &'a str,
        /// The questions.
        questions: &'a [Inquiry],
        /// Whether untrusted text was in view.
        untrusted: bool,
    },
}

/// Keeps a question and returns it with the message that asks it.
pub async fn ask(
    tx: &mut Tx,
    new: NewQuestion<'_>,
    reply_to: Option<MessageKey>,
) -> Result<(QuestionId, Outbound), StoreError> {
    let (shown, question, choices, untrusted, progress) = match new.asking {
        Asking::Clarification { question, choices } => {
            (question.to_owned(), question, choices, new.untrusted, None)
        }
        Asking::Inquiry {
            text,
            questions,
            untrusted,
        } => {
            let progress = Progress::new(text, questions);
            let (question, choices) = questions.first().map_or(("", &[][..]), |first| {
                (first.question.as_str(), first.choices.as_slice())
            });
            let shown = progress.markdown();
            (shown, question, choices, untrusted, Some(progress))
        }
    };
    let row = QuestionRow {
        id: QuestionId(new_id()),
        turn_id: new.turn,
        session_id: new.session,
        user_id: new.user,
        request: new.request.to_owned(),
        untrusted,
        question: question.to_owned(),
        choices: serde_json::to_string(choices)?,
        token: token()?,
        asked: i64::from(new.asked),
        expires_ms: now_ms() + QUESTION_EXPIRES_MS,
        state: "open".to_owned(),
        inquiry: progress.as_ref().map(Progress::as_json).transpose()?,
    };
    questions::insert(tx, &row).await?;
    let outbound = Outbound {
        markdown: shown,
        buttons: buttons(&row.token, choices),
        // Where any text of the asker answers, nobody needs a reply.
        asks_reply: choices.is_empty() && reply_to.is_some(),
        reply_to,
        ..Outbound::default()
    };
    Ok((row.id, outbound))
}

fn token() -> Result<String, StoreError> {
    new_token().map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))
}

/// What a job answers.
#[derive(Debug, Default)]
pub struct Answered {
    /// The clarification.
    pub answering: Option<Answering>,
    /// What the model asked.
    pub inquiry: Option<AnsweredInquiry>,
    /// Rows that were written with it.
    pub said: Vec<OutboxRow>,
}

/// What was answered to the questions of a model.
#[derive(Debug)]
pub struct AnsweredInquiry {
    /// The questions with their answers.
    pub text: String,
    /// Whether untrusted text was in view when they were asked.
    pub untrusted: bool,
    /// How the turn goes on; `None` where other words than a choice may change the subject.
    pub route: Option<RouteResult>,
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
) -> Result<Answered, StoreError> {
    let Some(user) = job.user_id else {
        return Ok(Answered::default());
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
        return Ok(Answered::default());
    };
    questions::close(tx, question.id).await?;
    let progress = Progress::of(&question)?.map(|progress| progress.answered(&job.said));
    let shown = match &progress {
        Some(progress) => progress.closed().markdown(),
        None => messages::answered(&question.question, &job.said),
    };
    let outbound = Outbound::markdown(shown);
    let said = voice
        .amend(tx, Purpose::Question, question.id.0, None, &outbound)
        .await?;
    let mut answered = Answered {
        said,
        ..Answered::default()
    };
    if let Some(progress) = progress {
        answered.inquiry = Some(inquiry_of(tx, &question, &progress, &job.said).await?);
    } else {
        answered.answering = Some(Answering {
            request: question.request,
            question: question.question,
            asked: question.asked as u32,
            untrusted: question.untrusted,
        });
    }
    Ok(answered)
}

async fn inquiry_of(
    tx: &mut Tx,
    question: &QuestionRow,
    progress: &Progress,
    said: &str,
) -> Result<AnsweredInquiry, StoreError> {
    let choices: Vec<String> = serde_json::from_str(&question.choices)?;
    let route = if choices.iter().any(|choice| choice == said) {
        route_of(tx, question.turn_id).await?
    } else {
        None
    };
    Ok(AnsweredInquiry {
        text: progress.for_model(),
        untrusted: question.untrusted,
        route,
    })
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
    /// It answers one of several questions, and the next one is asked; the rows that do so.
    GoesOn(Vec<OutboxRow>),
    /// It is somebody else's question.
    NotYours,
    /// It was answered, or its time is over.
    Closed,
    /// There is no such button here.
    Unknown,
}

/// Judges a press on a choice, in the message `this` where the platform says it; `None` when the
/// data is no choice's button.
pub async fn choose(
    tx: &mut Tx,
    voice: &Voice,
    data: &str,
    (user, session): (UserId, SessionId),
    this: Option<(&Address, &MessageKey)>,
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
        Some(choice) => match go_on(tx, voice, &question, &choice, this).await? {
            Some(said) => ChoiceOutcome::GoesOn(said),
            None => ChoiceOutcome::Answers(question.id, choice),
        },
    };
    Ok(Some(outcome))
}

/// Asks the next of several questions; `None` when this was the last one. The next one has a token
/// of its own: a second press of this button does nothing.
async fn go_on(
    tx: &mut Tx,
    voice: &Voice,
    question: &QuestionRow,
    choice: &str,
    this: Option<(&Address, &MessageKey)>,
) -> Result<Option<Vec<OutboxRow>>, StoreError> {
    let Some(progress) = Progress::of(question)?.map(|progress| progress.answered(choice)) else {
        return Ok(None);
    };
    let Some(next) = progress.current() else {
        return Ok(None);
    };
    let row = QuestionRow {
        question: next.question.clone(),
        choices: serde_json::to_string(&next.choices)?,
        token: token()?,
        inquiry: Some(progress.as_json()?),
        ..question.clone()
    };
    questions::go_on(tx, &row).await?;
    let outbound = Outbound {
        buttons: buttons(&row.token, &next.choices),
        ..Outbound::markdown(progress.markdown())
    };
    let said = voice
        .amend(tx, Purpose::Question, row.id.0, this, &outbound)
        .await?;
    Ok(Some(said))
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
