//! Clarifications that wait for their answer.

use sayso_core::transcript::{QuestionId, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::sql;
use crate::sql::{named, query};
use crate::{StoreError, Tx};

named! {
    /// Whether a clarification is waited for.
    pub enum QuestionState {
        /// It may be answered.
        Open = "open",
        /// A press answered it, and no turn has taken its job yet.
        Answered = "answered",
        /// It is over.
        Closed = "closed",
    }
}

/// A clarification.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct QuestionRow {
    /// Names the question.
    pub id: QuestionId,
    /// The turn that asked.
    pub turn_id: TurnId,
    /// Its session.
    pub session_id: SessionId,
    /// Who is asked.
    pub user_id: UserId,
    /// What the user had asked for.
    pub request: String,
    /// Whether words of others are in it.
    pub untrusted: bool,
    /// What we asked back.
    pub question: String,
    /// Answers to choose from, as JSON.
    pub choices: String,
    /// How many in a row, this one included.
    pub asked: i64,
    /// Words that were said until then answer it.
    pub expires_ms: i64,
    /// Whether it is waited for.
    pub state: QuestionState,
    /// What the model asks one after another, and what was answered, as JSON; `None` of a
    /// clarification.
    pub inquiry: Option<String>,
}

/// Adds a question.
pub async fn insert(tx: &mut Tx, question: &QuestionRow) -> Result<(), StoreError> {
    query(sql!("INSERT INTO questions (id, turn_id, session_id, user_id, request, question, choices, asked,
                                expires_ms, untrusted, inquiry, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'open')"))
    .bind(question.id)
    .bind(question.turn_id)
    .bind(question.session_id)
    .bind(question.user_id)
    .bind(&question.request)
    .bind(&question.question)
    .bind(&question.choices)
    .bind(question.asked)
    .bind(question.expires_ms)
    .bind(question.untrusted)
    .bind(&question.inquiry)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns a question.
pub async fn question(tx: &mut Tx, id: QuestionId) -> Result<Option<QuestionRow>, StoreError> {
    query(sql!(
        "SELECT id, turn_id, session_id, user_id, request, question, choices, asked,
                expires_ms, untrusted, state, inquiry
         FROM questions WHERE id = $1"
    ))
    .bind(id)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the newest question in a session that this user may still answer.
pub async fn open_question(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    now_ms: i64,
) -> Result<Option<QuestionRow>, StoreError> {
    query(sql!("SELECT id, turn_id, session_id, user_id, request, question, choices, asked,
                expires_ms, untrusted, state, inquiry
         FROM questions WHERE session_id = $1 AND user_id = $2 AND state = 'open' AND expires_ms > $3
         ORDER BY id DESC LIMIT 1"))
    .bind(session)
    .bind(user)
    .bind(now_ms)
    .fetch_optional(tx.connection())
    .await
}

/// Returns a question if this user may still answer it.
pub async fn open_by_id(
    tx: &mut Tx,
    id: QuestionId,
    user: UserId,
    now_ms: i64,
) -> Result<Option<QuestionRow>, StoreError> {
    query(sql!(
        "SELECT id, turn_id, session_id, user_id, request, question, choices, asked,
                expires_ms, untrusted, state, inquiry
         FROM questions WHERE id = $1 AND user_id = $2 AND state = 'open' AND expires_ms > $3"
    ))
    .bind(id)
    .bind(user)
    .bind(now_ms)
    .fetch_optional(tx.connection())
    .await
}

/// Returns a question that this user answered by a button, unless a turn has taken the answer.
pub async fn answered_by_id(
    tx: &mut Tx,
    id: QuestionId,
    user: UserId,
) -> Result<Option<QuestionRow>, StoreError> {
    query(sql!(
        "SELECT id, turn_id, session_id, user_id, request, question, choices, asked,
                expires_ms, untrusted, state, inquiry
         FROM questions WHERE id = $1 AND user_id = $2 AND state = 'answered'"
    ))
    .bind(id)
    .bind(user)
    .fetch_optional(tx.connection())
    .await
}

/// Goes on to the next of several questions, once; returns whether this call did it. `before` is
/// how far they were.
pub async fn go_on(
    tx: &mut Tx,
    question: &QuestionRow,
    before: Option<&str>,
) -> Result<bool, StoreError> {
    let gone_on = query(sql!(
        "UPDATE questions SET question = $2, choices = $3, inquiry = $4
         WHERE id = $1 AND state = 'open' AND inquiry = $5"
    ))
    .bind(question.id)
    .bind(&question.question)
    .bind(&question.choices)
    .bind(&question.inquiry)
    .bind(before)
    .execute(tx.connection())
    .await?;
    Ok(gone_on == 1)
}

/// Takes a question as answered by a button, once; returns whether this call did it.
pub async fn take_answer(tx: &mut Tx, id: QuestionId) -> Result<bool, StoreError> {
    let taken = query(sql!(
        "UPDATE questions SET state = 'answered' WHERE id = $1 AND state = 'open'"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(taken == 1)
}

/// Closes a question whose answer a turn has taken.
pub async fn close(tx: &mut Tx, id: QuestionId) -> Result<(), StoreError> {
    query(sql!("UPDATE questions SET state = 'closed' WHERE id = $1"))
        .bind(id)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Erases a person (`of_person`): what they were asked.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM questions WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
