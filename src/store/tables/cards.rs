//! Cards and the calls that they list.

use sayso_core::approval::Approver;
use sayso_core::transcript::{CardId, ChatId, GrantId, SessionId, TurnId, UserId};
use serde::{Deserialize, Deserializer};

pub use crate::grants::{grant, grants, revoke, revoke_session};
use crate::of_person;
use crate::sql;
use crate::sql::{named, query};
use crate::{Readers, StoreError, Tx, new_id, now_ms};

/// The columns of [`CardRow`].
macro_rules! card_columns {
    () => {
        "id, turn_id, session_id, user_id, chat_id, token, expires_ms, state, why_by, approved_in, \
         claim, timeout_ms, one_by_one, asked_again"
    };
}

named! {
    /// Whether a card is waited for.
    pub enum CardState {
        /// It is.
        Open = "open",
        /// It is not any more.
        Closed = "closed",
    }
}

named! {
    /// Where a card is approved. It is denied in its own chat in any case.
    pub enum ApprovedIn {
        /// In its chat.
        Here = "here",
        /// By an owner, in a direct chat: there is none in its own.
        Elsewhere = "elsewhere",
        /// By an owner, in its own chat or in a direct one.
        Both = "both",
    }
}

named! {
    /// What became of a call.
    pub enum CallVerdict {
        /// A person said yes.
        Approved = "approved",
        /// A person said no.
        Denied = "denied",
        /// It was not answered in time.
        Expired = "expired",
        /// Its turn was stopped.
        Dropped = "dropped",
    }
}

named! {
    /// What kind of call a person is asked about; the title of the card says it.
    pub enum CallKind {
        /// It runs a command.
        Exec = "exec",
        /// It changes a file.
        Write = "write",
        /// It writes what later turns are shown.
        Remember = "remember",
        /// It reads a file that a person must be asked about.
        Read = "read",
        /// It asks a server for something.
        Fetch = "fetch",
        /// It sends a server something.
        Send = "send",
        /// It changes the configuration.
        Configure = "configure",
        /// Anything else.
        Other = "other",
    }
}

/// One asking.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CardRow {
    /// Names the card.
    pub id: CardId,
    /// The turn that waits for it.
    pub turn_id: TurnId,
    /// The session of that turn.
    pub session_id: SessionId,
    /// The user that the turn acts for.
    pub user_id: UserId,
    /// Where it may be pressed.
    pub chat_id: ChatId,
    /// Stands for all its calls.
    pub token: String,
    /// Until when it may be pressed.
    pub expires_ms: i64,
    /// Whether it is waited for.
    pub state: CardState,
    /// Who denied its calls and may still say why; nothing else is open then.
    pub why_by: Option<UserId>,
    /// Where it is approved.
    pub approved_in: ApprovedIn,
    /// What the model said of its calls: one line, its word alone.
    pub claim: Option<String>,
    /// How long an answer is waited for, in milliseconds.
    pub timeout_ms: i64,
    /// Whether each of many calls has buttons of its own.
    pub one_by_one: bool,
    /// Whether its request was made anew after it expired.
    pub asked_again: bool,
}

/// A call that a card lists.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HeldRow {
    /// Stands for this call alone.
    pub token: String,
    /// The card that lists it.
    pub card_id: CardId,
    /// The call, by its name in the turn.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// What kind of call it is, as its card asks about it.
    pub kind: CallKind,
    /// What was shown.
    pub summary: String,
    /// Why it is asked about.
    pub why: String,
    /// What the approval is bound to.
    pub digest: String,
    /// What an "always" would cover, as JSON.
    pub pattern: Option<String>,
    /// What an "always" for calls like it would cover, as JSON.
    pub prefix: Option<String>,
    /// What became of it; `None` while unanswered.
    pub verdict: Option<CallVerdict>,
    /// Who answered.
    pub verdict_by: Option<UserId>,
    /// What they said about a denial.
    pub verdict_why: Option<String>,
    /// Who may approve it.
    #[serde(deserialize_with = "approver")]
    pub approver: Approver,
    /// Why it is asked about in every language, as JSON, for owners elsewhere.
    pub owners_why: Option<String>,
    /// What confines it, in the language of the asker.
    pub footer: Option<String>,
    /// What its "always" gave, which may be gone.
    pub grant_id: Option<GrantId>,
    /// Whether that covers calls like it, and not only this exact one.
    pub granted_alike: bool,
    /// Whether that was taken back on the card.
    pub taken_back: bool,
}

/// A copy of a card in the direct chat of an owner.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CopyRow {
    /// Names the copy; its messages are about this.
    pub id: i64,
    /// The chat that it stands in, where it may be pressed too.
    pub chat_id: ChatId,
    /// The channel of that chat.
    pub channel: String,
    /// `en` or `zh-CN`.
    pub language: String,
}

/// The answer to a call, as its turn takes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AnsweredRow {
    /// The call, by its name in the turn.
    pub call_id: String,
    /// What became of it.
    pub verdict: CallVerdict,
    /// Who answered.
    pub verdict_by: Option<UserId>,
    /// What they said about a denial.
    pub verdict_why: Option<String>,
}

/// Reads who may approve a call.
fn approver<'de, D: Deserializer<'de>>(column: D) -> Result<Approver, D::Error> {
    Ok(Approver::from_stored(&String::deserialize(column)?))
}

/// Adds a card with its calls.
pub async fn insert(tx: &mut Tx, card: &CardRow, calls: &[HeldRow]) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO cards (id, turn_id, session_id, user_id, chat_id, token, expires_ms, state,
                            approved_in, claim, timeout_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9, $10)"
    ))
    .bind(card.id)
    .bind(card.turn_id)
    .bind(card.session_id)
    .bind(card.user_id)
    .bind(card.chat_id)
    .bind(&card.token)
    .bind(card.expires_ms)
    .bind(card.approved_in)
    .bind(&card.claim)
    .bind(card.timeout_ms)
    .execute(tx.connection())
    .await?;
    for (position, call) in calls.iter().enumerate() {
        query(sql!("INSERT INTO held_calls (token, card_id, turn_id, call_id, position, tool, kind, summary,
                                     why, digest, pattern, prefix, approver, owners_why, footer)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"))
        .bind(&call.token)
        .bind(card.id)
        .bind(card.turn_id)
        .bind(&call.call_id)
        .bind(position as i64)
        .bind(&call.tool)
        .bind(call.kind)
        .bind(&call.summary)
        .bind(&call.why)
        .bind(&call.digest)
        .bind(&call.pattern)
        .bind(&call.prefix)
        .bind(call.approver.as_str())
        .bind(&call.owners_why)
        .bind(&call.footer)
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Returns the card that a token stands for: the card's own, or that of one of its calls.
pub async fn card_by_token(tx: &mut Tx, token: &str) -> Result<Option<CardRow>, StoreError> {
    query(sql!(concat!(
        "SELECT ",
        card_columns!(),
        " FROM cards
         WHERE token = $1 OR id = (SELECT card_id FROM held_calls WHERE token = $1)",
    )))
    .bind(token)
    .fetch_optional(tx.connection())
    .await
}

/// Adds a copy of a card in the direct chat of an owner, and returns what its messages are about.
pub async fn add_copy(tx: &mut Tx, card: CardId, chat: ChatId) -> Result<i64, StoreError> {
    let id = new_id();
    query(sql!("INSERT INTO owner_copies VALUES ($1, $2, $3)"))
        .bind(id)
        .bind(card)
        .bind(chat)
        .execute(tx.connection())
        .await?;
    Ok(id)
}

/// Returns the copies of a card in the direct chats of owners.
pub async fn copies_of(tx: &mut Tx, card: CardId) -> Result<Vec<CopyRow>, StoreError> {
    query(sql!(
        "SELECT o.id, o.chat_id, c.channel, c.language FROM owner_copies o
         JOIN chats c ON c.id = o.chat_id WHERE o.card_id = $1 ORDER BY o.id"
    ))
    .bind(card)
    .fetch_all(tx.connection())
    .await
}

/// Returns whether a copy of a card stands in a chat.
pub async fn has_copy_in(tx: &mut Tx, card: CardId, chat: ChatId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT count(*) > 0 FROM owner_copies WHERE card_id = $1 AND chat_id = $2"
    ))
    .bind(card)
    .bind(chat)
    .fetch_one(tx.connection())
    .await
}

/// Returns what the messages of a card's copy in a chat are about.
pub async fn copy_in(tx: &mut Tx, card: CardId, chat: ChatId) -> Result<Option<i64>, StoreError> {
    query(sql!(
        "SELECT id FROM owner_copies WHERE card_id = $1 AND chat_id = $2"
    ))
    .bind(card)
    .bind(chat)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the open cards that wait for a press, newest first: those of a session, and the copies
/// in its chat.
pub async fn awaiting_press(
    tx: &mut Tx,
    session: SessionId,
    chat: ChatId,
    now_ms: i64,
) -> Result<Vec<CardRow>, StoreError> {
    query(sql!(concat!(
        "SELECT ",
        card_columns!(),
        " FROM cards
         WHERE state = 'open' AND why_by IS NULL AND expires_ms > $3
           AND (session_id = $1 OR id IN (SELECT card_id FROM owner_copies WHERE chat_id = $2))
         ORDER BY id DESC",
    )))
    .bind(session)
    .bind(chat)
    .bind(now_ms)
    .fetch_all(tx.connection())
    .await
}

/// Gives each call of a card buttons of its own.
pub async fn set_one_by_one(tx: &mut Tx, card: CardId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE cards SET one_by_one = TRUE WHERE id = $1 AND state = 'open'"
    ))
    .bind(card)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that the request of an expired card is made anew, once; returns whether this call did it.
pub async fn note_asked_again(tx: &mut Tx, card: CardId) -> Result<bool, StoreError> {
    let noted = query(sql!(
        "UPDATE cards SET asked_again = TRUE WHERE id = $1 AND state = 'closed' AND asked_again = FALSE"
    ))
    .bind(card)
    .execute(tx.connection())
    .await?;
    Ok(noted == 1)
}

/// Returns whether every card of a turn stands in the chat of its session.
pub async fn all_stand_in_place(tx: &mut Tx, turn: TurnId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT NOT EXISTS (SELECT 1 FROM cards c JOIN sessions s ON s.id = c.session_id
                            WHERE c.turn_id = $1 AND c.chat_id <> s.chat_id)"
    ))
    .bind(turn)
    .fetch_one(tx.connection())
    .await
}

/// Notes on a call what its "always" gave, and whether that covers calls like it.
pub async fn note_grant(
    tx: &mut Tx,
    token: &str,
    grant: GrantId,
    alike: bool,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE held_calls SET grant_id = $2, granted_alike = $3 WHERE token = $1"
    ))
    .bind(token)
    .bind(grant)
    .bind(alike)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that what a call's "always" gave was taken back, once; returns whether this call did it.
pub async fn note_taken_back(tx: &mut Tx, token: &str) -> Result<bool, StoreError> {
    let noted = query(sql!(
        "UPDATE held_calls SET taken_back = TRUE
         WHERE token = $1 AND grant_id IS NOT NULL AND taken_back = FALSE"
    ))
    .bind(token)
    .execute(tx.connection())
    .await?;
    Ok(noted == 1)
}

/// Returns the calls of a card in the model's order.
pub async fn calls_of(tx: &mut Tx, card: CardId) -> Result<Vec<HeldRow>, StoreError> {
    query(sql!("SELECT token, card_id, call_id, tool, kind, summary, why, digest, pattern, prefix, verdict,
                verdict_by, verdict_why, approver, owners_why, footer, grant_id,
                granted_alike, taken_back
         FROM held_calls WHERE card_id = $1 ORDER BY position"))
    .bind(card)
    .fetch_all(tx.connection())
    .await
}

/// Answers one call, once; returns whether this call did it.
pub async fn decide(
    tx: &mut Tx,
    token: &str,
    verdict: CallVerdict,
    by: Option<UserId>,
) -> Result<bool, StoreError> {
    let decided = query(sql!(
        "UPDATE held_calls SET verdict = $2, verdict_by = $3, verdict_ms = $4
         WHERE token = $1 AND verdict IS NULL"
    ))
    .bind(token)
    .bind(verdict)
    .bind(by)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(decided == 1)
}

/// Gives all unanswered calls of a card the same verdict.
pub async fn decide_rest(
    tx: &mut Tx,
    card: CardId,
    verdict: CallVerdict,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE held_calls SET verdict = $2, verdict_ms = $3 WHERE card_id = $1 AND verdict IS NULL"
    ))
    .bind(card)
    .bind(verdict)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Closes a card, once; returns whether this call did it.
pub async fn close(tx: &mut Tx, card: CardId) -> Result<bool, StoreError> {
    let closed = query(sql!(
        "UPDATE cards SET state = 'closed' WHERE id = $1 AND state = 'open'"
    ))
    .bind(card)
    .execute(tx.connection())
    .await?;
    Ok(closed == 1)
}

/// Lets the one who denied a card's calls say why until `until_ms`; the card stays open for that.
pub async fn want_words(
    tx: &mut Tx,
    card: CardId,
    from: UserId,
    until_ms: i64,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE cards SET why_by = $2, expires_ms = $3 WHERE id = $1 AND state = 'open'"
    ))
    .bind(card)
    .bind(from)
    .bind(until_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the cards of a session that wait for words of this user, newest first.
pub async fn wanting_words(
    tx: &mut Tx,
    session: SessionId,
    from: UserId,
    now_ms: i64,
) -> Result<Vec<CardRow>, StoreError> {
    query(sql!(concat!(
        "SELECT ",
        card_columns!(),
        " FROM cards
         WHERE why_by = $1 AND state = 'open' AND session_id = $2 AND expires_ms > $3
         ORDER BY id DESC",
    )))
    .bind(from)
    .bind(session)
    .bind(now_ms)
    .fetch_all(tx.connection())
    .await
}

/// Keeps the words of a denial with every call of its card.
pub async fn set_words(tx: &mut Tx, card: CardId, words: &str) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE held_calls SET verdict_why = $2 WHERE card_id = $1 AND verdict = 'denied'"
    ))
    .bind(card)
    .bind(words)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the open cards of a turn.
pub async fn open_cards_of(tx: &mut Tx, turn: TurnId) -> Result<Vec<CardRow>, StoreError> {
    query(sql!(concat!(
        "SELECT ",
        card_columns!(),
        " FROM cards
         WHERE turn_id = $1 AND state = 'open'",
    )))
    .bind(turn)
    .fetch_all(tx.connection())
    .await
}

/// Returns the open cards that expired unanswered by `now_ms`.
pub async fn overdue_cards(tx: &mut Tx, now_ms: i64) -> Result<Vec<CardRow>, StoreError> {
    query(sql!(concat!(
        "SELECT ",
        card_columns!(),
        " FROM cards
         WHERE state = 'open' AND expires_ms <= $1",
    )))
    .bind(now_ms)
    .fetch_all(tx.connection())
    .await
}

/// Returns when the next open card expires.
pub async fn next_expiry(readers: &Readers) -> Result<Option<i64>, StoreError> {
    query(sql!(
        "SELECT min(expires_ms) FROM cards WHERE state = 'open'"
    ))
    .fetch_one(readers)
    .await
}

/// Returns the answered calls of a turn, oldest answer first.
pub async fn verdicts_of(tx: &mut Tx, turn: TurnId) -> Result<Vec<AnsweredRow>, StoreError> {
    query(sql!(
        "SELECT h.call_id, h.verdict, h.verdict_by, h.verdict_why FROM held_calls h
         JOIN (SELECT call_id, max(card_id) AS card_id FROM held_calls WHERE turn_id = $1
               GROUP BY call_id) newest USING (call_id, card_id)
         WHERE h.turn_id = $1 AND h.verdict IS NOT NULL ORDER BY h.verdict_ms, h.position"
    ))
    .bind(turn)
    .fetch_all(tx.connection())
    .await
}

/// Returns the digest that an unused approval of this call is bound to.
pub async fn approved_digest(
    tx: &mut Tx,
    turn: TurnId,
    call: &str,
) -> Result<Option<String>, StoreError> {
    query(sql!(
        "SELECT digest FROM held_calls
         WHERE turn_id = $1 AND call_id = $2 AND verdict = 'approved' AND used_ms IS NULL
         ORDER BY card_id DESC LIMIT 1"
    ))
    .bind(turn)
    .bind(call)
    .fetch_optional(tx.connection())
    .await
}

/// Uses up the approval of a call, once; returns whether this call did it.
pub async fn use_up(tx: &mut Tx, turn: TurnId, call: &str) -> Result<bool, StoreError> {
    let used = query(sql!(
        "UPDATE held_calls SET used_ms = $3
         WHERE turn_id = $1 AND call_id = $2 AND verdict = 'approved' AND used_ms IS NULL"
    ))
    .bind(turn)
    .bind(call)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(used > 0)
}

/// Erases a person (`of_person`): their cards, and the calls of their turns that waited for one.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    let statements = [
        sql!(
            "DELETE FROM held_calls WHERE turn_id IN
             (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
        ),
        sql!("DELETE FROM cards WHERE user_id IN (SELECT value FROM json_each($1))"),
    ];
    of_person::run(tx, users, statements).await
}
