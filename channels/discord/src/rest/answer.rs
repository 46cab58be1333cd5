//! The meaning of an HTTP response: done, wait, refused, or unknown.
//!
//! A 5xx status says little about whether the request took effect. 500 is an error inside the work.
//! 502 and 504 mean that a proxy got no response in time, which is known to happen after a message
//! was posted. 503 means overload, mostly before the work, but that is not guaranteed. All of these
//! are [`CallError::AnswerLost`]: a retry does no harm where Discord deduplicates it, or where it
//! changes nothing. Only the proxy's codes for a connection that was never made (521, 523, 525,
//! 526) guarantee that nothing happened. See "Cloudflare 5xx errors" below
//! <https://developers.cloudflare.com/support/troubleshooting/http-status-codes>.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::limits::{Limit, seconds, text};

/// The pause after a 429 or a closed door that names none.
const UNNAMED_PAUSE: Duration = Duration::from_mins(1);
/// The longest pause that is believed.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);
/// The most complaints about single fields that are kept of one refusal.
const COMPLAINTS: usize = 8;
/// How deep complaints about fields are looked for.
const DEPTH: usize = 12;

/// Why a call has no result. The texts never hold the token or an address.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum CallError {
    /// It certainly did not happen: no connection was made.
    #[error("{0}")]
    NotSent(String),
    /// It was sent, and it is unknown whether it was carried out.
    #[error("{0}")]
    AnswerLost(String),
    /// It has to wait this long, and did not happen.
    #[error("Discord asks to wait {} ms", .0.as_millis())]
    Limited(Duration),
    /// Discord refused it.
    #[error("{0}")]
    Refused(Refusal),
}

/// A refusal in Discord's own words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message} ({status}, code {code})")]
pub(crate) struct Refusal {
    /// The HTTP status.
    pub(crate) status: u16,
    /// Discord's own code, which says more
    /// (<https://docs.discord.com/developers/topics/opcodes-and-status-codes#json>); 0 for none.
    pub(crate) code: u32,
    /// What it says, in English: "Missing Access".
    pub(crate) message: String,
    /// What it says about single fields, such as `BASE_TYPE_MAX_LENGTH`; bounded.
    pub(crate) complaints: Vec<Complaint>,
}

/// A complaint about one field of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// Where the field is: `components.0.components.1.label`.
    pub(crate) field: String,
    /// What is wrong, as a word: `BASE_TYPE_MAX_LENGTH`.
    pub(crate) code: String,
}

impl Refusal {
    /// Returns a refusal of which nothing but its status is known.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        Self {
            status: status.as_u16(),
            code: 0,
            message: status.canonical_reason().unwrap_or("refused").to_owned(),
            complaints: Vec::new(),
        }
    }
}

#[derive(Deserialize)]
struct ErrorBody {
    #[serde(default)]
    code: u32,
    #[serde(default)]
    message: String,
    #[serde(default)]
    errors: Value,
}

#[derive(Deserialize)]
struct LimitBody {
    retry_after: f64,
    #[serde(default)]
    global: bool,
}

/// Reads a result.
pub(super) fn read<Output: DeserializeOwned>(body: impl AsRef<[u8]>) -> Result<Output, CallError> {
    let body = match body.as_ref() {
        [] => b"null".as_slice(),
        body => body,
    };
    serde_json::from_slice(body).map_err(|error| {
        CallError::AnswerLost(format!("Discord's answer is not as expected: {error}"))
    })
}

/// Says what an answer means, and what it says about waiting.
pub(super) fn judge<Body: AsRef<[u8]>>(
    status: StatusCode,
    headers: &HeaderMap,
    body: Body,
) -> (Result<Body, CallError>, Option<Limit>) {
    if status.is_success() {
        return (Ok(body), None);
    }
    let error = match status.as_u16() {
        429 => return waits(limit(headers, body.as_ref())),
        521 | 523 | 525 | 526 => CallError::NotSent(format!("Discord's door answered {status}")),
        500.. => CallError::AnswerLost(format!("Discord answered {status}")),
        _ => match serde_json::from_slice::<ErrorBody>(body.as_ref()) {
            Ok(refused) => CallError::Refused(refusal(status, refused)),
            // The proxy in front of Discord blocks our address as that of an attacker.
            Err(_) if status == StatusCode::FORBIDDEN => {
                return waits(Limit::All(door_pause(headers)));
            }
            Err(_) => CallError::Refused(Refusal::of_status(status)),
        },
    };
    (Err(error), None)
}

fn waits<Body>(limit: Limit) -> (Result<Body, CallError>, Option<Limit>) {
    let (Limit::Route(pause) | Limit::All(pause)) = limit;
    (Err(CallError::Limited(pause)), Some(limit))
}

/// Reads a 429. One without JSON is not Discord's own: its door has closed for our address.
fn limit(headers: &HeaderMap, body: &[u8]) -> Limit {
    let Ok(said) = serde_json::from_slice::<LimitBody>(body) else {
        return Limit::All(door_pause(headers));
    };
    let pause = Duration::try_from_secs_f64(said.retry_after)
        .ok()
        .or_else(|| seconds(headers, "x-ratelimit-reset-after"))
        .or_else(|| seconds(headers, "retry-after"))
        .unwrap_or(UNNAMED_PAUSE)
        .min(LONGEST_PAUSE);
    let scope = text(headers, "x-ratelimit-scope");
    let is_global = scope == Some("global")
        || (scope.is_none() && (said.global || headers.contains_key("x-ratelimit-global")));
    if is_global {
        Limit::All(pause)
    } else {
        Limit::Route(pause)
    }
}

fn door_pause(headers: &HeaderMap) -> Duration {
    seconds(headers, "retry-after")
        .unwrap_or(UNNAMED_PAUSE)
        .min(LONGEST_PAUSE)
}

fn refusal(status: StatusCode, body: ErrorBody) -> Refusal {
    let mut complaints = Vec::new();
    collect(&body.errors, "", DEPTH, &mut complaints);
    Refusal {
        status: status.as_u16(),
        code: body.code,
        message: body.message,
        complaints,
    }
}

/// Walks Discord's tree of fields, whose leaves are lists named `_errors`.
fn collect(tree: &Value, field: &str, depth: usize, found: &mut Vec<Complaint>) {
    let (Value::Object(fields), Some(deeper)) = (tree, depth.checked_sub(1)) else {
        return;
    };
    for (name, below) in fields {
        if name == "_errors" {
            let codes = below.as_array().into_iter().flatten();
            let codes = codes.filter_map(|error| error.get("code")?.as_str());
            found.extend(codes.map(|code| Complaint {
                field: field.to_owned(),
                code: code.to_owned(),
            }));
        } else {
            let dot = if field.is_empty() { "" } else { "." };
            collect(below, &format!("{field}{dot}{name}"), deeper, found);
        }
        if found.len() >= COMPLAINTS {
            found.truncate(COMPLAINTS);
            return;
        }
    }
}
