//! What is written down, and the one place that writes it.

use std::sync::Arc;

use sayso_core::redact::Redactor;
use sayso_core::transcript::{CallId, ChatId, SessionId, TurnId, UserId};
use sayso_store::audit::{self, AuditRow, PayloadRow};
use sayso_store::{StoreError, Tx, now_ms};
use serde_json::Value;
use tokio::sync::Notify;

use super::chain;
use super::tidy::tidy;

/// How many random bytes make a payload unguessable from its digest.
const SALT_BYTES: usize = 16;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A call was started.
    Called,
    /// A call came to its result.
    Returned,
    /// The policy refused a call.
    Refused,
    /// A person, or time, decided on a held call.
    Decided,
    /// A turn was stopped by a person.
    Stopped,
    /// A yes was given for the session.
    Granted,
    /// Such a yes was taken back.
    Revoked,
    /// The autonomy of a session was set.
    Autonomy,
    /// An account was let in, or turned away.
    Admitted,
    /// Accounts became one person's.
    Linked,
    /// An account became a person's own.
    Unlinked,
    /// A person asked to be erased.
    Erased,
    /// An owner was asked to raise a limit of the budget, and answered.
    Raised,
    /// Facts were learned from what a person said.
    Learned,
    /// A person took that back.
    Unlearned,
    /// A person had something of the memory forgotten. What it was is not written down.
    Forgotten,
    /// A skill was switched on or off for a person or a group.
    Skill,
    /// Another model was chosen for a session.
    Model,
    /// A session was bound to a project, or to none.
    Project,
    /// A person had what a turn changed in files put back.
    Undone,
    /// A person had that undo reversed.
    Redone,
}

impl Event {
    /// Returns the name in the table and in the export.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Called => "called",
            Self::Returned => "returned",
            Self::Refused => "refused",
            Self::Decided => "decided",
            Self::Stopped => "stopped",
            Self::Granted => "granted",
            Self::Revoked => "revoked",
            Self::Autonomy => "autonomy",
            Self::Admitted => "admitted",
            Self::Linked => "linked",
            Self::Unlinked => "unlinked",
            Self::Erased => "erased",
            Self::Raised => "raised",
            Self::Learned => "learned",
            Self::Unlearned => "unlearned",
            Self::Forgotten => "forgotten",
            Self::Skill => "skill",
            Self::Model => "model",
            Self::Project => "project",
            Self::Undone => "undone",
            Self::Redone => "redone",
        }
    }
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The policy let it run unasked.
    Allowed,
    /// A person said yes.
    Approved,
    /// The policy, or a person, said no.
    Denied,
    /// There was no answer in time.
    Expired,
    /// A person stopped it.
    Stopped,
    /// The result looks like an order to the model and was passed on with a warning.
    Suspected,
    /// The result is an order to the model, which was not shown it.
    Withheld,
}

impl Decision {
    /// Returns the name in the table and in the export.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::Stopped => "stopped",
            Self::Suspected => "suspected",
            Self::Withheld => "withheld",
        }
    }
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The rules.
    Policy,
    /// Time ran out.
    Time,
    /// A person's account.
    User(UserId),
    /// Anyone who can read the operator's console.
    Operator,
}

impl By {
    fn text(self) -> String {
        match self {
            Self::Policy => "policy".to_owned(),
            Self::Time => "time".to_owned(),
            Self::User(user) => format!("user {user}"),
            Self::Operator => "operator".to_owned(),
        }
    }
}

/// Where something happened, and whom it concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// In which turn.
    pub turn: Option<TurnId>,
    /// In which session.
    pub session: Option<SessionId>,
    /// In which chat.
    pub chat: Option<ChatId>,
    /// Whose turn, or whose account.
    pub user: Option<UserId>,
}

/// One thing to write down.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// What happened.
    pub event: Event,
    /// Where and to whom.
    pub place: Place,
    /// The call and its tool.
    pub call: Option<(CallId, String)>,
    /// What was decided.
    pub decision: Option<Decision>,
    /// By whom.
    pub by: Option<By>,
    /// The result.
    pub outcome: Option<&'static str>,
    /// What it is about, in words that can be erased.
    pub payload: Option<Value>,
}

impl Record {
    /// Returns a record of an event and nothing more.
    pub fn of(event: Event, place: Place) -> Self {
        Self {
            event,
            place,
            call: None,
            decision: None,
            by: None,
            outcome: None,
            payload: None,
        }
    }
}

/// Writes things down, without secrets. Clones write into the same audit.
#[derive(Debug, Clone)]
pub struct Auditor {
    redactor: Redactor,
    written: Arc<Notify>,
}

impl Auditor {
    /// Returns what writes down what happens, and hides what this redactor knows.
    pub fn new(redactor: Redactor) -> Self {
        Self {
            redactor,
            written: Arc::new(Notify::new()),
        }
    }

    /// Writes a record in somebody's transaction: both are on disk, or neither.
    ///
    /// # Errors
    /// [`StoreError::Unaudited`] when the table does not take it although the database works.
    pub async fn record(&self, tx: &mut Tx, record: Record) -> Result<(), StoreError> {
        let written = self.append(tx, record).await;
        self.written.notify_one();
        written.map_err(|error| match error {
            StoreError::Broken(why) => StoreError::Unaudited(why),
            other => other,
        })
    }

    /// Writes a record of what must happen also when it cannot be written down: a no, a stop, a
    /// result. Only calls that run wait for the audit.
    ///
    /// # Errors
    /// Whatever else the database failed with: the transaction may be gone then.
    pub async fn note(&self, tx: &mut Tx, record: Record) -> Result<(), StoreError> {
        let event = record.event.as_str();
        match self.record(tx, record).await {
            Err(StoreError::Unaudited(error)) => {
                tracing::error!(event, error, "cannot write the audit log");
                Ok(())
            }
            other => other,
        }
    }

    /// Returns what hides secrets.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Returns when something was written since the last call, or the journal of a turn went on.
    pub async fn written(&self) {
        self.written.notified().await;
    }

    /// Says that the journal of a turn went on.
    pub fn wake(&self) {
        self.written.notify_one();
    }

    async fn append(&self, tx: &mut Tx, record: Record) -> Result<(), StoreError> {
        let (last, before) = audit::head(tx)
            .await?
            .unwrap_or_else(|| (0, chain::GENESIS.to_owned()));
        let seq = last + 1;
        let payload = match record.payload {
            Some(payload) => Some(payload_row(
                seq,
                record.place.user,
                &tidy(&self.redactor, payload),
            )?),
            None => None,
        };
        let (call, tool) = record.call.unzip();
        let mut row = AuditRow {
            seq,
            at_ms: now_ms(),
            event: record.event.as_str().to_owned(),
            turn_id: record.place.turn,
            session_id: record.place.session,
            chat_id: record.place.chat,
            user_id: record.place.user,
            call_id: call.map(|call| call.0),
            tool,
            decision: record.decision.map(|decision| decision.as_str().to_owned()),
            decided_by: record.by.map(By::text),
            outcome: record.outcome.map(str::to_owned),
            digest: payload
                .as_ref()
                .map(|kept| chain::digest(&kept.salt, &kept.payload)),
            hash: String::new(),
        };
        row.hash = chain::hash(&before, &row);
        audit::append(tx, &row).await?;
        if let Some(payload) = &payload {
            audit::put_payload(tx, payload).await?;
        }
        Ok(())
    }
}

fn payload_row(seq: i64, user: Option<UserId>, payload: &Value) -> Result<PayloadRow, StoreError> {
    let mut salt = vec![0; SALT_BYTES];
    getrandom::fill(&mut salt)
        .map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    Ok(PayloadRow {
        seq,
        user_id: user,
        salt,
        payload: payload.to_string(),
    })
}
