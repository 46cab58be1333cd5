//! The chain: what the line of a row looks like, and the hash that binds it to the line before.
//!
//! The hash of a line is the SHA-256 of the hash before it (64 hexadecimal digits; for the first
//! line 64 zeros) followed by the line without its hash. A line that was changed, cut out, added
//! or moved therefore does not fit, and neither does any line behind it. The payload of a row is
//! in its line as the SHA-256 of a random salt and the payload: it can be proved while both are
//! kept, and says nothing once they are erased.

use chrono::{DateTime, SecondsFormat};
use sayso_store::audit::AuditRow;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// What stands in place of the hash before the first line.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A line without its hash. Ids are text: they are larger than what JavaScript counts exactly.
#[derive(Serialize)]
struct Body<'a> {
    seq: i64,
    at: String,
    event: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chat: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
}

/// Returns the line of a row without its hash.
fn body(row: &AuditRow) -> String {
    let body = Body {
        seq: row.seq,
        at: utc(row.at_ms),
        event: &row.event,
        turn: row.turn_id.map(|id| id.to_string()),
        session: row.session_id.map(|id| id.to_string()),
        chat: row.chat_id.map(|id| id.to_string()),
        user: row.user_id.map(|id| id.to_string()),
        call: row.call_id.as_deref(),
        tool: row.tool.as_deref(),
        decision: row.decision.as_deref(),
        by: row.decided_by.as_deref(),
        outcome: row.outcome.as_deref(),
        digest: row.digest.as_deref(),
    };
    // Text and numbers only: this cannot fail, and an empty line would fit no hash.
    serde_json::to_string(&body).unwrap_or_default()
}

/// Returns the hash of a row behind the row with the hash `before`.
pub fn hash(before: &str, row: &AuditRow) -> String {
    let mut hasher = Sha256::new();
    hasher.update(before.as_bytes());
    hasher.update(body(row).as_bytes());
    format!("{:x}", hasher.finalize())
}

/// Returns the line of a row as it stands in the export, without a line feed.
pub fn line(row: &AuditRow) -> String {
    let body = body(row);
    let open = body.strip_suffix('}').unwrap_or_default();
    format!(r#"{open},"hash":"{}"}}"#, row.hash)
}

/// Returns the digest of a payload.
pub fn digest(salt: &[u8], payload: &str) -> String {
    let mut hasher = Sha256::new();
    hasher.update(salt);
    hasher.update(payload.as_bytes());
    format!("{:x}", hasher.finalize())
}

/// Returns a time as files have it: UTC, to the millisecond.
pub fn utc(at_ms: i64) -> String {
    DateTime::from_timestamp_millis(at_ms)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{TurnId, UserId};

    use super::*;

    fn row() -> AuditRow {
        AuditRow {
            seq: 7,
            at_ms: 1_700_000_000_123,
            event: "called".into(),
            turn_id: Some(TurnId(50)),
            session_id: None,
            chat_id: None,
            user_id: Some(UserId(9_007_199_254_740_993)),
            call_id: Some("call_1_0".into()),
            tool: Some("shell".into()),
            decision: Some("approved".into()),
            decided_by: Some("user 4".into()),
            outcome: None,
            digest: None,
            hash: "ab".into(),
        }
    }

    #[test]
    fn a_line_is_json_with_exact_ids() {
        insta::assert_snapshot!(line(&row()), @r#"{"seq":7,"at":"2023-11-14T22:13:20.123Z","event":"called","turn":"50","user":"9007199254740993","call":"call_1_0","tool":"shell","decision":"approved","by":"user 4","hash":"ab"}"#);
    }

    #[test]
    fn every_field_and_the_line_before_are_in_the_hash() {
        let first = hash(GENESIS, &row());
        assert_ne!(first, hash(&first, &row()), "the line before");
        let changes: [fn(&mut AuditRow); 9] = [
            |row| row.seq += 1,
            |row| row.at_ms += 1,
            |row| row.event.push('x'),
            |row| row.turn_id = None,
            |row| row.user_id = None,
            |row| row.tool = None,
            |row| row.decided_by = Some("policy".into()),
            |row| row.outcome = Some("success".into()),
            |row| row.digest = Some(String::new()),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = row();
            change(&mut changed);
            assert_ne!(first, hash(GENESIS, &changed), "change {number}");
        }
    }
}
