//! What travels over a connection, in both directions.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Session, Shard};

/// What the gateway sends
/// (<https://docs.discord.com/developers/events/gateway-events#payload-structure>).
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Frame {
    /// Something happened.
    Dispatch {
        sequence: u64,
        name: String,
        data: Value,
    },
    /// We are asked for a heartbeat at once.
    BeatNow,
    /// The session goes on elsewhere.
    Reconnect,
    /// The session is invalid; whether it can still be resumed.
    InvalidSession { resumable: bool },
    /// The first word: how long between heartbeats, in milliseconds.
    Hello { interval_ms: u64 },
    /// The heartbeat arrived.
    Acknowledged,
    /// Something that we do not know.
    Unknown(u64),
}

#[derive(Deserialize)]
struct Written {
    op: u64,
    #[serde(default)]
    d: Value,
    #[serde(default)]
    s: Option<u64>,
    #[serde(default)]
    t: Option<String>,
}

/// Reads a frame; `None` when it is none of Discord's.
pub(super) fn read(text: &str) -> Option<Frame> {
    let written: Written = serde_json::from_str(text).ok()?;
    Some(match written.op {
        0 => Frame::Dispatch {
            sequence: written.s?,
            name: written.t?,
            data: written.d,
        },
        1 => Frame::BeatNow,
        7 => Frame::Reconnect,
        9 => Frame::InvalidSession {
            resumable: written.d.as_bool().unwrap_or_default(),
        },
        10 => Frame::Hello {
            interval_ms: written.d.get("heartbeat_interval")?.as_u64()?,
        },
        11 => Frame::Acknowledged,
        other => Frame::Unknown(other),
    })
}

/// Returns a heartbeat.
pub(super) fn heartbeat(sequence: Option<u64>) -> String {
    json!({"op": 1, "d": sequence}).to_string()
}

/// Returns the words that begin a session. They hold the token.
pub(super) fn identify(token: &str, intents: u64, shard: Shard) -> String {
    json!({"op": 2, "d": {
        "token": token,
        "intents": intents,
        "shard": [shard.index, shard.count],
        "properties": {
            "os": std::env::consts::OS,
            "browser": "sayso",
            "device": "sayso",
        },
    }})
    .to_string()
}

/// Returns the words with which a session goes on. They hold the token.
pub(super) fn resume(token: &str, session: &Session) -> String {
    json!({"op": 6, "d": {
        "token": token,
        "session_id": session.id,
        "seq": session.sequence,
    }})
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_discord_writes_them() {
        assert_eq!(
            read(r#"{"op":10,"d":{"heartbeat_interval":41250,"_trace":[]},"s":null,"t":null}"#),
            Some(Frame::Hello {
                interval_ms: 41_250
            })
        );
        assert_eq!(
            read(r#"{"op":0,"d":{},"s":3,"t":"RESUMED"}"#),
            Some(Frame::Dispatch {
                sequence: 3,
                name: "RESUMED".to_owned(),
                data: json!({}),
            })
        );
        assert_eq!(read(r#"{"op":1,"d":null}"#), Some(Frame::BeatNow));
        assert_eq!(read(r#"{"op":7}"#), Some(Frame::Reconnect));
        let invalid = |resumable| Some(Frame::InvalidSession { resumable });
        assert_eq!(read(r#"{"op":9,"d":true}"#), invalid(true));
        assert_eq!(read(r#"{"op":9,"d":false}"#), invalid(false));
        assert_eq!(read(r#"{"op":11}"#), Some(Frame::Acknowledged));
        assert_eq!(read(r#"{"op":99,"d":[1]}"#), Some(Frame::Unknown(99)));
    }

    #[test]
    fn what_is_no_frame_is_none() {
        for text in ["", "hello", "[]", "{}", r#"{"op":"0"}"#, r#"{"op":0}"#] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
