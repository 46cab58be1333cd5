//! What there is to do in a session, in one statement: the session, and the jobs that wait in it,
//! each with what a turn of its user must know before it begins.

use sayso_core::ChatKind;
use sayso_core::transcript::{ChatId, InboxId, QuestionId, Role, SessionId, UserId};
use serde::Deserialize;

use crate::chats::SessionRow;
use crate::inbox::{InboxRow, WhileBusy};
use crate::jobs::WaitingUser;
use crate::sql;
use crate::sql::{parsed, query};
use crate::{StoreError, Tx};

/// How many jobs are read. Where more of them wait, they are read user by user (`jobs`, `inbox`).
const MOST_JOBS: usize = 50;

/// What there is to do in a session.
#[derive(Debug, Clone)]
pub struct SessionWork {
    /// The session.
    pub session: SessionRow,
    /// Until when its lease lasts, in milliseconds since 1970.
    pub lease_until_ms: i64,
    /// Whether turns of it have not ended.
    pub has_open_turns: bool,
    /// Whether a summary stands for turns since its history began.
    pub has_compaction: bool,
    /// The jobs, oldest first; `None` where there are too many to be read at once.
    jobs: Option<Vec<WaitingJob>>,
}

/// The user of a turn that is to begin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AskerRow {
    /// The display name; empty where it is not known.
    pub name: String,
    /// The language that they read: `en` or `zh-CN`, where it is known.
    pub user_language: Option<String>,
    /// Whether a question in the session may wait for words of theirs.
    pub has_question: bool,
    /// Whether processes of theirs in the session have ended since the last turn.
    pub has_ended_processes: bool,
    /// Whether routines that were made in the session have reported since then.
    pub has_reports: bool,
}

/// A job that waits.
#[derive(Debug, Clone)]
struct WaitingJob {
    user: UserId,
    is_erased: bool,
    due_ms: i64,
    asker: AskerRow,
    /// What was said; `None` where no message asks for the job.
    message: Option<InboxRow>,
}

/// What is read of the user of a job. A statement that has it names the session `$1`, and the user
/// before it.
macro_rules! asker_of {
    ($user:literal) => {
        concat!(
            "coalesce((SELECT name FROM senders WHERE user_id = ",
            $user,
            " LIMIT 1), '') AS name,
            (SELECT language FROM users WHERE id = ",
            $user,
            ") AS user_language,
            EXISTS (SELECT 1 FROM questions q WHERE q.session_id = $1 AND q.user_id = ",
            $user,
            "
                      AND q.state = 'open') AS has_question,
            EXISTS (SELECT 1 FROM processes p WHERE p.session_id = $1 AND p.user_id = ",
            $user,
            "
                      AND p.ended_ms IS NOT NULL AND p.told = FALSE) AS has_ended_processes,
            EXISTS (SELECT 1 FROM routines o JOIN routine_runs r ON r.routine_id = o.id
                    WHERE o.session_id = $1 AND o.kind = 'turn' AND r.told = FALSE
                      AND r.state = 'done') AS has_reports"
        )
    };
}

pub(crate) const WORK: &str = concat!(
    "
    SELECT s.id, s.chat_id, c.channel, c.kind, c.closed, s.background, c.language, s.autonomy,
           s.model, s.project, s.since_seq, s.ended_seq, s.lease_owner, s.lease_until_ms,
           EXISTS (SELECT 1 FROM turns t WHERE t.session_id = $1 AND t.state <> 'ended')
               AS has_open_turns,
           EXISTS (SELECT 1 FROM compactions k WHERE k.session_id = $1
                     AND k.until_seq > s.since_seq) AS has_compaction,
           j.id AS job_id, j.user_id, j.due_ms,
           EXISTS (SELECT 1 FROM erasures e, json_each(e.users) one
                   WHERE e.state = 'wanted' AND one.value = j.user_id) AS is_erased, ",
    asker_of!("j.user_id"),
    ", i.kind AS event_kind, i.address, i.message, i.said, i.untrusted, i.files, i.album,
           i.answers, i.role, i.ready_ms, i.while_busy
    FROM sessions s JOIN chats c ON c.id = s.chat_id
         LEFT JOIN jobs j ON j.session_id = s.id
         LEFT JOIN inbox i ON i.id = j.id AND j.origin = 'message'
    WHERE s.id = $1 ORDER BY j.id LIMIT $2"
);

/// The columns of [`WORK`]; those of jobs are empty where none waits.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a column, and none depends on another"
)]
#[derive(Debug, Deserialize)]
struct WorkColumns {
    id: SessionId,
    chat_id: ChatId,
    channel: String,
    #[serde(deserialize_with = "parsed")]
    kind: ChatKind,
    closed: bool,
    background: bool,
    language: String,
    autonomy: Option<String>,
    model: Option<String>,
    project: Option<String>,
    since_seq: i64,
    ended_seq: i64,
    lease_owner: Option<String>,
    lease_until_ms: i64,
    has_open_turns: bool,
    has_compaction: bool,
    job_id: Option<InboxId>,
    user_id: Option<UserId>,
    due_ms: Option<i64>,
    is_erased: bool,
    name: String,
    user_language: Option<String>,
    has_question: bool,
    has_ended_processes: bool,
    has_reports: bool,
    event_kind: Option<String>,
    address: Option<String>,
    message: Option<String>,
    said: Option<String>,
    untrusted: Option<bool>,
    files: Option<String>,
    album: Option<String>,
    answers: Option<QuestionId>,
    role: Option<String>,
    ready_ms: Option<i64>,
    while_busy: Option<WhileBusy>,
}

/// Returns what there is to do in a session.
pub async fn of(tx: &mut Tx, session: SessionId) -> Result<SessionWork, StoreError> {
    let rows: Vec<WorkColumns> = query(sql!(WORK))
        .bind(session)
        .bind(MOST_JOBS as i64 + 1)
        .fetch_all(tx.connection())
        .await?;
    let Some(first) = rows.first() else {
        return Err(StoreError::Broken(format!("there is no session {session}")));
    };
    Ok(SessionWork {
        session: first.session(),
        lease_until_ms: first.lease_until_ms,
        has_open_turns: first.has_open_turns,
        has_compaction: first.has_compaction,
        jobs: if rows.len() > MOST_JOBS {
            None
        } else {
            let jobs = rows.into_iter().filter_map(WorkColumns::job);
            Some(jobs.collect::<Result<_, _>>()?)
        },
    })
}

/// Returns what a turn of a user must know that is to begin in a session.
pub async fn asker(tx: &mut Tx, session: SessionId, user: UserId) -> Result<AskerRow, StoreError> {
    query(sql!("SELECT ", asker_of!("$2")))
        .bind(session)
        .bind(user)
        .fetch_one(tx.connection())
        .await
}

impl SessionWork {
    /// Returns who waits, in the order of their oldest job; `None` where that is to be read.
    pub fn who_waits(&self) -> Option<Vec<WaitingUser>> {
        let mut waiting: Vec<WaitingUser> = Vec::new();
        for job in self.jobs.as_ref()? {
            let known = waiting.iter_mut().find(|one| one.user_id == job.user);
            let other_due_ms = job.message.is_none().then_some(job.due_ms);
            match known {
                Some(known) => {
                    known.has_message |= job.message.is_some();
                    let due = known.other_due_ms.into_iter().chain(other_due_ms);
                    known.other_due_ms = due.min();
                }
                None => waiting.push(WaitingUser {
                    user_id: job.user,
                    is_erased: job.is_erased,
                    has_message: job.message.is_some(),
                    other_due_ms,
                }),
            }
        }
        Some(waiting)
    }

    /// Returns what a user has said that waits, oldest first; `None` where that is to be read.
    pub fn said_by(&self, user: UserId) -> Option<Vec<InboxRow>> {
        let jobs = self.jobs.as_ref()?.iter();
        let theirs = jobs.filter(|job| job.user == user);
        Some(theirs.filter_map(|job| job.message.clone()).collect())
    }

    /// Returns what a turn of a user must know; `None` where that is to be read.
    pub fn asker(&self, user: UserId) -> Option<AskerRow> {
        let jobs = self.jobs.as_ref()?;
        let theirs = jobs.iter().find(|job| job.user == user);
        theirs.map(|job| job.asker.clone())
    }
}

impl WorkColumns {
    fn session(&self) -> SessionRow {
        SessionRow {
            id: self.id,
            chat_id: self.chat_id,
            channel: self.channel.clone(),
            chat_kind: self.kind,
            closed: self.closed,
            background: self.background,
            language: self.language.clone(),
            autonomy: self.autonomy.clone(),
            model: self.model.clone(),
            project: self.project.clone(),
            since_seq: self.since_seq,
            ended_seq: self.ended_seq,
            lease_owner: self.lease_owner.clone(),
        }
    }

    /// Returns the job, where there is one.
    fn job(self) -> Option<Result<WaitingJob, StoreError>> {
        let (id, user) = self.job_id.zip(self.user_id)?;
        let message = self.event_kind.map(|kind| {
            let role = self.role.unwrap_or_default();
            Ok::<_, StoreError>(InboxRow {
                id,
                kind,
                user_id: Some(user),
                address: self.address.unwrap_or_default(),
                message: self.message,
                said: self.said.unwrap_or_default(),
                untrusted: self.untrusted.unwrap_or_default(),
                files: self.files,
                album: self.album,
                answers: self.answers,
                role: Role::try_from(role).map_err(|error| {
                    StoreError::Broken(format!("a row cannot be read: {error}"))
                })?,
                ready_ms: self.ready_ms.unwrap_or_default(),
                while_busy: self.while_busy,
            })
        });
        let message = match message.transpose() {
            Ok(message) => message,
            Err(error) => return Some(Err(error)),
        };
        Some(Ok(WaitingJob {
            user,
            is_erased: self.is_erased,
            due_ms: self.due_ms.unwrap_or_default(),
            asker: AskerRow {
                name: self.name,
                user_language: self.user_language,
                has_question: self.has_question,
                has_ended_processes: self.has_ended_processes,
                has_reports: self.has_reports,
            },
            message,
        }))
    }
}
