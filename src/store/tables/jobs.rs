//! What waits for a turn: one row for each message, and for each piece of other work. A row goes in
//! the transaction that begins its turn, or drops it.
//!
//! The rows of messages follow the state of their inbox rows by triggers of the schema, so no path
//! can leave the two out of step. They have the same id.

use sayso_core::Address;
use sayso_core::transcript::{Origin, Role, SessionId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::of_person;
use crate::sql;
use crate::sql::{parsed, query};
use crate::{Readers, StoreError, Tx};

/// Work that no message asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobWork {
    /// Where its turn speaks.
    pub address: Address,
    /// How the turn is named to people.
    pub request: String,
    /// What the one who wants it may do.
    pub role: Role,
    /// What its driver works from.
    #[serde(default)]
    pub payload: Value,
}

/// Work that is to be added.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// The session that it is done in.
    pub session: SessionId,
    /// For whom.
    pub user: UserId,
    /// Why.
    pub origin: Origin,
    /// Not before.
    pub due_ms: i64,
    /// What.
    pub work: JobWork,
}

/// Work that waits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct JobRow {
    /// Names it.
    pub id: i64,
    /// For whom.
    pub user_id: UserId,
    /// Why.
    #[serde(deserialize_with = "parsed")]
    pub origin: Origin,
    /// Not before.
    pub due_ms: i64,
    /// A [`JobWork`] as JSON.
    pub payload: String,
}

impl JobRow {
    /// Returns what is to be done.
    pub fn work(&self) -> Result<JobWork, StoreError> {
        Ok(serde_json::from_str(&self.payload)?)
    }
}

/// Who waits in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct WaitingUser {
    /// The user.
    pub user_id: UserId,
    /// Whether they want to be erased.
    pub is_erased: bool,
    /// Whether a message of theirs waits.
    pub has_message: bool,
    /// When their other work is due, if there is any.
    pub other_due_ms: Option<i64>,
}

/// Adds work.
pub async fn add(tx: &mut Tx, job: &NewJob) -> Result<i64, StoreError> {
    let id = crate::new_id();
    query(sql!(
        "INSERT INTO jobs (session_id, id, user_id, origin, due_ms, payload)
         VALUES ($1, $2, $3, $4, $5, $6)"
    ))
    .bind(job.session)
    .bind(id)
    .bind(job.user)
    .bind(job.origin.as_str())
    .bind(job.due_ms)
    .bind(serde_json::to_string(&job.work)?)
    .execute(tx.connection())
    .await?;
    Ok(id)
}

/// Returns who waits in a session, in the order of their oldest job.
pub async fn who_waits(tx: &mut Tx, session: SessionId) -> Result<Vec<WaitingUser>, StoreError> {
    query(sql!(
        "SELECT j.user_id,
                EXISTS (SELECT 1 FROM erasures e, json_each(e.users) one
                        WHERE e.state = 'wanted' AND one.value = j.user_id) AS is_erased,
                count(*) FILTER (WHERE j.origin = 'message') > 0 AS has_message,
                min(CASE WHEN j.origin <> 'message' THEN j.due_ms END) AS other_due_ms
         FROM jobs j WHERE j.session_id = $1 GROUP BY j.user_id ORDER BY min(j.id)"
    ))
    .bind(session)
    .fetch_all(tx.connection())
    .await
}

/// Takes the work of a user that is due first, messages apart.
pub async fn take_other(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
) -> Result<Option<JobRow>, StoreError> {
    query(sql!(
        "DELETE FROM jobs WHERE session_id = $1 AND id =
             (SELECT id FROM jobs WHERE session_id = $1 AND user_id = $2 AND origin <> 'message'
              ORDER BY due_ms, id LIMIT 1)
         RETURNING id, user_id, origin, due_ms, payload"
    ))
    .bind(session)
    .bind(user)
    .fetch_optional(tx.connection())
    .await
}

/// A session in which there is something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct WaitingSession {
    /// The session.
    pub session_id: SessionId,
    /// For whom.
    pub user_id: UserId,
    /// Whether it is in the background.
    pub background: bool,
}

/// Returns the sessions in which something can be done now, each with the users to do it for.
pub async fn sessions_with_work(
    readers: &Readers,
    now_ms: i64,
) -> Result<Vec<WaitingSession>, StoreError> {
    query(sql!(
        "SELECT j.session_id, j.user_id, s.background
         FROM jobs j JOIN sessions s ON s.id = j.session_id
         WHERE j.origin = 'message' OR j.due_ms <= $1
         UNION
         SELECT t.session_id, t.user_id, s.background FROM turns t JOIN sessions s ON s.id = t.session_id
         WHERE t.state <> 'ended' AND s.lease_until_ms < $1
           AND (t.state = 'running' OR t.stop_by IS NOT NULL
                OR NOT EXISTS (SELECT 1 FROM cards c WHERE c.turn_id = t.id AND c.state = 'open'))"
    ))
    .bind(now_ms)
    .fetch_all(readers)
    .await
}

/// Erases a person (`of_person`): work of theirs that is no message. A message that they sent since
/// is answered.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM jobs WHERE origin <> 'message'
         AND user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}

#[cfg(test)]
mod tests {
    use sayso_core::ChatKind;
    use sayso_core::transcript::{InboxId, Origin, Role, SessionId, TurnId, UserId};
    use serde_json::json;

    use super::{JobWork, NewJob, WaitingUser, add, take_other, who_waits};
    use crate::inbox::{self, InboxState, NewInbox};
    use crate::people::AccountStanding;
    use crate::query;
    use crate::sql;
    use crate::{Store, StoreError, Tx, chats, people};

    async fn ids(tx: &mut Tx) -> Result<Vec<i64>, StoreError> {
        query(sql!("SELECT id FROM jobs ORDER BY id"))
            .fetch_all(tx.connection())
            .await
    }

    async fn hear(
        tx: &mut Tx,
        event: &str,
        state: InboxState,
        user: UserId,
        session: SessionId,
    ) -> Result<InboxId, StoreError> {
        let new = NewInbox {
            channel: "chat".into(),
            kind: "message".into(),
            event: event.into(),
            version: 0,
            session: Some(session),
            user: Some(user),
            sender: None,
            address: "{}".into(),
            message: Some(event.into()),
            said: "hello".into(),
            untrusted: false,
            files: vec![],
            album: None,
            answers: None,
            role: Role::Member,
            while_busy: None,
            happened_ms: 0,
            ready_ms: 5,
            state,
        };
        Ok(inbox::insert(tx, &new).await?.unwrap())
    }

    #[tokio::test]
    async fn the_job_of_a_message_is_there_as_long_as_the_message_waits() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sayso.db");
        let store = Store::open(&path).await.unwrap();
        let tested = store.write(|tx| {
            Box::pin(async move {
                let user =
                    people::add_sender(tx, "chat", "1", "Ann", AccountStanding::Owner).await?;
                let chat = chats::chat_at(tx, "chat", "1", ChatKind::Direct, "en").await?;
                let session = chats::session_at(tx, chat.id, "").await?;
                let heard = hear(tx, "1", InboxState::Waiting, user, session).await?;
                let settled = hear(tx, "2", InboxState::Waiting, user, session).await?;
                let dropped = hear(tx, "3", InboxState::Waiting, user, session).await?;
                hear(tx, "4", InboxState::Overheard, user, session).await?;
                assert_eq!(ids(tx).await?, [heard.0, settled.0, dropped.0]);
                inbox::hear(tx, heard, TurnId(9)).await?;
                assert_eq!(ids(tx).await?, [settled.0, dropped.0]);
                inbox::settle(tx, settled).await?;
                assert_eq!(ids(tx).await?, [dropped.0]);
                inbox::drop_waiting(tx, session, user, None).await?;
                assert!(ids(tx).await?.is_empty());
                Ok(())
            })
        });
        tested.await.unwrap();
    }

    #[tokio::test]
    async fn other_work_is_taken_once_what_is_due_first_first() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sayso.db");
        let store = Store::open(&path).await.unwrap();
        let tested = store.write(|tx| {
            Box::pin(async move {
                let user =
                    people::add_sender(tx, "chat", "1", "Ann", AccountStanding::Owner).await?;
                let chat = chats::chat_at(tx, "chat", "1", ChatKind::Direct, "en").await?;
                let session = chats::background_session_at(tx, chat.id, "").await?;
                for (due_ms, origin) in [(20, Origin::Chain), (10, Origin::Check)] {
                    let work = JobWork {
                        address: serde_json::from_value(json!({"channel": "chat", "chat": "1"}))?,
                        request: "do it".into(),
                        role: Role::Member,
                        payload: json!([1]),
                    };
                    let job = NewJob {
                        session,
                        user,
                        origin,
                        due_ms,
                        work,
                    };
                    add(tx, &job).await?;
                }
                let waits = WaitingUser {
                    user_id: user,
                    is_erased: false,
                    has_message: false,
                    other_due_ms: Some(10),
                };
                assert_eq!(who_waits(tx, session).await?, [waits]);
                for origin in [Origin::Check, Origin::Chain] {
                    let job = take_other(tx, session, user).await?.unwrap();
                    assert_eq!(job.origin, origin);
                    assert_eq!(job.work()?.payload, json!([1]));
                }
                assert_eq!(take_other(tx, session, user).await?, None);
                Ok(())
            })
        });
        tested.await.unwrap();
    }
}
