//! Chats and the sessions in them.

use sayso_core::ChatKind;
use sayso_core::transcript::{ChatId, SessionId, SessionKind, UserId};
use serde::Deserialize;

use crate::ids::SLOT;
use crate::languages::LanguageRow;
use crate::people::{AccountStanding, SenderRow};
use crate::sql;
use crate::sql::{Runs, parsed, query};
use crate::{Readers, StoreError, Tx, new_id, now_ms};

/// A chat that we speak in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ChatRow {
    /// Names the chat.
    pub id: ChatId,
    /// Who may read and answer in it.
    #[serde(deserialize_with = "parsed")]
    pub kind: ChatKind,
    /// `en` or `zh-CN`; empty where none is known.
    pub language: String,
}

/// The conversation at an address.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SessionRow {
    /// Names the session.
    pub id: SessionId,
    /// The chat that it is in.
    pub chat_id: ChatId,
    /// The channel of that chat.
    pub channel: String,
    /// Who may read and answer in that chat.
    #[serde(rename = "kind", deserialize_with = "parsed")]
    pub chat_kind: ChatKind,
    /// Whether that chat cannot be written to any more.
    pub closed: bool,
    /// Whether it is work beside the conversation of that chat.
    pub background: bool,
    /// `en` or `zh-CN`; empty where none is known.
    pub language: String,
    /// The level that an owner lowered this session to.
    pub autonomy: Option<String>,
    /// The model that is asked first here: `server/model`.
    pub model: Option<String>,
    /// The project that its turns work in, by its name in the configuration.
    pub project: Option<String>,
    /// History begins behind this ended turn.
    pub since_seq: i64,
    /// How many turns have ended.
    pub ended_seq: i64,
    /// The worker that has its lease, or had it until it ran out.
    pub lease_owner: Option<String>,
}

impl SessionRow {
    /// Returns what kind of conversation it is.
    pub fn kind(&self) -> SessionKind {
        SessionKind::of(self.chat_kind, self.background)
    }
}

/// What is known of where an event comes from, and of whom.
#[derive(Debug)]
pub struct KnownRows {
    /// The chat.
    pub chat: Option<ChatRow>,
    /// The session of its thread.
    pub session: Option<SessionId>,
    /// Who it comes from.
    pub sender: Option<SenderRow>,
    /// What is known of their language.
    pub languages: LanguageRow,
    /// Whether messages of theirs wait in the session.
    pub has_waiting: bool,
    /// Whether a card of the session waits for words of theirs.
    pub owes_words: bool,
    /// Whether a turn of theirs runs in the session, and is not to be stopped.
    pub has_running: bool,
}

/// The columns of [`KNOWN`]; what is not known yet is empty.
#[derive(Debug, Deserialize)]
struct KnownColumns {
    chat_id: Option<ChatId>,
    kind: Option<String>,
    language: Option<String>,
    session_id: Option<SessionId>,
    user_id: Option<UserId>,
    name: Option<String>,
    standing: Option<AccountStanding>,
    direct: Option<String>,
    chosen_language: Option<String>,
    written_language: Option<String>,
    client_language: Option<String>,
    has_waiting: bool,
    owes_words: bool,
    has_running: bool,
}

/// Asks in one go: a message at the door waits for each statement.
const KNOWN: &str = "
    SELECT c.id AS chat_id, c.kind, c.language, s.id AS session_id, p.user_id, p.name, p.standing, p.direct,
           u.chosen_language, u.written_language, u.client_language,
           EXISTS (SELECT 1 FROM jobs j WHERE j.session_id = s.id AND j.user_id = p.user_id
                     AND j.origin = 'message') AS has_waiting,
           EXISTS (SELECT 1 FROM cards WHERE cards.why_by = p.user_id AND cards.state = 'open'
                     AND cards.session_id = s.id) AS owes_words,
           EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.id AND t.state <> 'ended'
                     AND t.state = 'running' AND t.user_id = p.user_id AND t.stop_by IS NULL)
               AS has_running
    FROM (SELECT 1) AS one LEFT JOIN chats c ON c.channel = $1 AND c.chat = $2
         LEFT JOIN sessions s ON s.chat_id = c.id AND s.thread = $3 AND s.background = FALSE
         LEFT JOIN senders p ON p.channel = $1 AND p.sender = $4
         LEFT JOIN users u ON u.id = p.user_id";

/// Returns what is known of a chat, of a thread in it and of a sender.
pub async fn known_at(
    tx: &mut Tx,
    channel: &str,
    chat: &str,
    thread: &str,
    sender: &str,
) -> Result<KnownRows, StoreError> {
    let known: KnownColumns = query(sql!(KNOWN))
        .bind(channel)
        .bind(chat)
        .bind(thread)
        .bind(sender)
        .fetch_one(tx.connection())
        .await?;
    let chat = known.chat_id.zip(known.kind).zip(known.language);
    let chat = chat.map(|((id, kind), language)| {
        let kind = kind_named(kind)?;
        Ok::<_, StoreError>(ChatRow { id, kind, language })
    });
    let sender = known.user_id.zip(known.name).zip(known.standing);
    Ok(KnownRows {
        chat: chat.transpose()?,
        session: known.session_id,
        sender: sender.map(|((user_id, name), standing)| SenderRow {
            user_id,
            name,
            standing,
            direct: known.direct,
        }),
        languages: LanguageRow {
            chosen: known.chosen_language,
            written: known.written_language,
            client: known.client_language,
        },
        has_waiting: known.has_waiting,
        owes_words: known.owes_words,
        has_running: known.has_running,
    })
}

/// Returns the chat with this key, where there is one.
pub async fn known_chat(
    tx: &mut Tx,
    channel: &str,
    chat: &str,
) -> Result<Option<ChatRow>, StoreError> {
    query(sql!(
        "SELECT id, kind, language FROM chats WHERE channel = $1 AND chat = $2"
    ))
    .bind(channel)
    .bind(chat)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the chat with this key, adding it when it is new.
pub async fn chat_at(
    tx: &mut Tx,
    channel: &str,
    chat: &str,
    kind: ChatKind,
    language: &str,
) -> Result<ChatRow, StoreError> {
    if let Some(row) = known_chat(tx, channel, chat).await? {
        return Ok(row);
    }
    let id = ChatId(new_id());
    query(sql!(
        "INSERT INTO chats (id, channel, chat, kind, language) VALUES ($1, $2, $3, $4, $5)"
    ))
    .bind(id)
    .bind(channel)
    .bind(chat)
    .bind(kind.as_str())
    .bind(language)
    .execute(tx.connection())
    .await?;
    Ok(ChatRow {
        id,
        kind,
        language: language.to_owned(),
    })
}

/// Returns the session of a thread in a chat, adding it when it is new.
pub async fn session_at(tx: &mut Tx, chat: ChatId, thread: &str) -> Result<SessionId, StoreError> {
    session_of(tx, chat, thread, false).await
}

/// Returns the session for work beside the conversation in a thread of a chat, adding it when it is
/// new.
pub async fn background_session_at(
    tx: &mut Tx,
    chat: ChatId,
    thread: &str,
) -> Result<SessionId, StoreError> {
    session_of(tx, chat, thread, true).await
}

async fn session_of(
    tx: &mut Tx,
    chat: ChatId,
    thread: &str,
    is_background: bool,
) -> Result<SessionId, StoreError> {
    let found = query(sql!(
        "SELECT id FROM sessions WHERE chat_id = $1 AND thread = $2 AND background = $3"
    ))
    .bind(chat)
    .bind(thread)
    .bind(is_background)
    .fetch_optional(tx.connection())
    .await?;
    if let Some(id) = found {
        return Ok(id);
    }
    let id = SessionId(new_id());
    query(sql!(
        "INSERT INTO sessions (id, chat_id, thread, background) VALUES ($1, $2, $3, $4)"
    ))
    .bind(id)
    .bind(chat)
    .bind(thread)
    .bind(is_background)
    .execute(tx.connection())
    .await?;
    Ok(id)
}

/// Returns a session.
pub async fn session(tx: &mut Tx, id: SessionId) -> Result<SessionRow, StoreError> {
    query(sql!(
        "SELECT s.id, s.chat_id, c.channel, c.kind, c.closed, s.background, c.language, s.autonomy,
                s.model, s.project, s.since_seq, s.ended_seq, s.lease_owner
         FROM sessions s JOIN chats c ON c.id = s.chat_id WHERE s.id = $1"
    ))
    .bind(id)
    .fetch_one(tx.connection())
    .await
}

/// Lets history begin anew behind what has ended so far.
pub async fn begin_anew(tx: &mut Tx, id: SessionId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE sessions SET since_seq = ended_seq WHERE id = $1"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Lowers (or with `None` no longer lowers) what the agent may do in a session.
pub async fn set_autonomy(
    tx: &mut Tx,
    id: SessionId,
    autonomy: Option<&str>,
) -> Result<(), StoreError> {
    query(sql!("UPDATE sessions SET autonomy = $2 WHERE id = $1"))
        .bind(id)
        .bind(autonomy)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Sets (or with `None` no longer sets) which model is asked first in a session.
pub async fn set_model(tx: &mut Tx, id: SessionId, model: Option<&str>) -> Result<(), StoreError> {
    query(sql!("UPDATE sessions SET model = $2 WHERE id = $1"))
        .bind(id)
        .bind(model)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Sets (or with `None` no longer sets) which project the turns of a session work in.
pub async fn set_project(
    tx: &mut Tx,
    id: SessionId,
    project: Option<&str>,
) -> Result<(), StoreError> {
    query(sql!("UPDATE sessions SET project = $2 WHERE id = $1"))
        .bind(id)
        .bind(project)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Notes whether we can speak in a chat, and when we last could again.
pub async fn set_closed(
    tx: &mut Tx,
    channel: &str,
    chat: &str,
    closed: bool,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE chats SET closed = $3, opened_ms = CASE WHEN $3 THEN opened_ms ELSE $4 END
         WHERE channel = $1 AND chat = $2"
    ))
    .bind(channel)
    .bind(chat)
    .bind(closed)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether a chat is open and was opened again at or after `since_ms` (Unix milliseconds).
pub async fn opened_since(
    tx: &mut Tx,
    channel: &str,
    chat: &str,
    since_ms: i64,
) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM chats
                        WHERE channel = $1 AND chat = $2 AND NOT closed AND opened_ms >= $3)"
    ))
    .bind(channel)
    .bind(chat)
    .bind(since_ms)
    .fetch_one(tx.connection())
    .await
}

/// Gives a chat its new key; its sessions, memory and waiting messages follow it.
///
/// `from` and `to` are addresses outside threads, as JSON, and as platform keys.
pub async fn move_chat(tx: &mut Tx, channel: &str, from: &str, to: &str) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE chats SET chat = $3 WHERE channel = $1 AND chat = $2
           AND NOT EXISTS (SELECT 1 FROM chats there WHERE there.channel = $1 AND there.chat = $3)"
    ))
    .bind(channel)
    .bind(from)
    .bind(to)
    .execute(tx.connection())
    .await?;
    for update in [
        sql!(
            "UPDATE chat_names SET chat = $3 WHERE channel = $1 AND chat = $2
           AND NOT EXISTS (SELECT 1 FROM chat_names there
                           WHERE there.channel = $1 AND there.chat = $3
                             AND there.sender = chat_names.sender)"
        ),
        sql!(
            "UPDATE turns SET address = json_set(address, '$.chat', $3)
         WHERE state <> 'ended' AND address ->> 'channel' = $1 AND address ->> 'chat' = $2"
        ),
        sql!(
            "UPDATE inbox SET address = json_set(address, '$.chat', $3)
         WHERE id IN (SELECT id FROM jobs)
           AND address ->> 'channel' = $1 AND address ->> 'chat' = $2"
        ),
        sql!(
            "UPDATE jobs SET payload = json_set(payload, '$.address.chat', $3)
         WHERE payload ->> '$.address.channel' = $1 AND payload ->> '$.address.chat' = $2"
        ),
        sql!(
            "UPDATE outbox SET address = json_set(address, '$.chat', $3)
         WHERE channel = $1 AND state IN ('pending', 'sending', 'unknown') AND chat = $2"
        ),
    ] {
        query(update)
            .bind(channel)
            .bind(from)
            .bind(to)
            .execute(tx.connection())
            .await?;
    }
    Ok(())
}

/// Remembers what the thread of a session is called.
pub async fn set_title(tx: &mut Tx, id: SessionId, title: &str) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE sessions SET title = $2 WHERE id = $1 AND title IS DISTINCT FROM $2"
    ))
    .bind(id)
    .bind(title)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether a chat has yet to be told that somebody in it cannot be seen; from now on it has
/// not.
pub async fn tells_unseen(tx: &mut Tx, id: ChatId) -> Result<bool, StoreError> {
    let told = query(sql!(
        "UPDATE chats SET told_unseen = TRUE WHERE id = $1 AND told_unseen = FALSE"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(told == 1)
}

/// Takes the lease of a session until `until_ms`. Returns the new fence; `None` while another owner
/// holds it.
pub async fn take_lease(
    tx: &mut Tx,
    id: SessionId,
    owner: &str,
    now_ms: i64,
    until_ms: i64,
) -> Result<Option<i64>, StoreError> {
    query(sql!(
        "UPDATE sessions SET lease_owner = $2, lease_worker = $5, lease_fence = lease_fence + 1,
                             lease_until_ms = $4
         WHERE id = $1 AND (lease_owner IS NULL OR lease_owner = $2 OR lease_until_ms < $3)
         RETURNING lease_fence"
    ))
    .bind(id)
    .bind(owner)
    .bind(now_ms)
    .bind(until_ms)
    .bind(SLOT)
    .fetch_optional(tx.connection())
    .await
}

/// Fails with [`StoreError::Fenced`] unless `fence` is the newest of the session.
pub async fn check_fence(tx: &mut Tx, id: SessionId, fence: i64) -> Result<(), StoreError> {
    let holds: bool = query(sql!("SELECT lease_fence = $2 FROM sessions WHERE id = $1"))
        .bind(id)
        .bind(fence)
        .fetch_one(tx.connection())
        .await?;
    if holds {
        Ok(())
    } else {
        Err(StoreError::Fenced)
    }
}

/// Gives a lease back, if it is still ours. Returns whether there is something to do in the
/// session.
pub async fn release_lease(tx: &mut Tx, id: SessionId, fence: i64) -> Result<bool, StoreError> {
    query(sql!(
        "UPDATE sessions SET lease_owner = NULL, lease_worker = NULL, lease_until_ms = 0
         WHERE id = $1 AND lease_fence = $2"
    ))
    .bind(id)
    .bind(fence)
    .execute(tx.connection())
    .await?;
    has_work(tx.connection(), id).await
}

/// Returns whether there is something to do in a session.
pub async fn has_work(on: impl Runs, id: SessionId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM jobs WHERE session_id = $1
                          AND (origin = 'message' OR due_ms <= $2))
             OR EXISTS (SELECT 1 FROM turns WHERE session_id = $1 AND state <> 'ended')"
    ))
    .bind(id)
    .bind(now_ms())
    .fetch_one(on)
    .await
}

/// Prolongs all leases of an owner.
pub async fn prolong_leases(tx: &mut Tx, owner: &str, until_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE sessions SET lease_until_ms = $2 WHERE lease_owner = $1"
    ))
    .bind(owner)
    .bind(until_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Ends all leases: right when the data directory is ours alone, at a start.
pub async fn end_all_leases(tx: &mut Tx) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE sessions SET lease_owner = NULL, lease_worker = NULL, lease_until_ms = 0
         WHERE lease_owner IS NOT NULL"
    ))
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns who may read and answer in a chat.
pub async fn kind_of(
    readers: &Readers,
    channel: &str,
    chat: &str,
) -> Result<Option<ChatKind>, StoreError> {
    let kind = query(sql!(
        "SELECT kind FROM chats WHERE channel = $1 AND chat = $2"
    ))
    .bind(channel)
    .bind(chat)
    .fetch_optional(readers)
    .await?;
    kind.map(kind_named).transpose()
}

/// Returns who may read and answer in the chat of this number.
pub async fn kind_of_id(readers: &Readers, chat: ChatId) -> Result<ChatKind, StoreError> {
    let kind = query(sql!("SELECT kind FROM chats WHERE id = $1"))
        .bind(chat)
        .fetch_one(readers)
        .await?;
    kind_named(kind)
}

fn kind_named(name: String) -> Result<ChatKind, StoreError> {
    let kind = ChatKind::try_from(name);
    kind.map_err(|error| StoreError::Broken(format!("a row cannot be read: {error}")))
}
