//! `POST /hooks/NAME`: the HTTP of a signed call. What a call is worth is `routines::Webhooks`' to say.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;

use super::connection::Caller;
use crate::routines::{Delivery, Received, WEBHOOK_PATH, Webhooks};

/// The longest body of a call, in bytes.
const BODY_BYTES: usize = 64 * 1024;
/// How much of a longer one is let by, in bytes.
const LET_BY_BYTES: usize = 4 * 1024 * 1024;

/// Returns the number of the routine that a path calls.
pub(super) fn routine_in(path: &str) -> Option<&str> {
    path.strip_prefix(WEBHOOK_PATH)
        .filter(|it| !it.is_empty() && !it.contains('/'))
}

/// Answers a call. Until its whole body was read it counts as a request that is not made yet: a sender
/// that is slow with it keeps no place from others, and has as long for it as for the head.
pub(super) async fn receive(
    webhooks: Option<&Webhooks>,
    routine: String,
    caller: &Caller,
    request: Request,
) -> Response {
    let Some(webhooks) = webhooks else {
        let _answering = caller.answering();
        return StatusCode::NOT_FOUND.into_response();
    };
    if request.method() != Method::POST {
        let _answering = caller.answering();
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "POST")]).into_response();
    }
    let (parts, body) = request.into_parts();
    let Some(body) = read(body).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let _answering = caller.answering();
    let CallBody::Whole(body) = body else {
        let text = format!("a call has at most {BODY_BYTES} bytes\n");
        return (StatusCode::PAYLOAD_TOO_LARGE, text).into_response();
    };
    let text = |name| header_text(&parts.headers, name);
    let delivery = Delivery {
        routine,
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp"),
        signature: text("webhook-signature"),
        body,
    };
    match webhooks.receive(delivery).await {
        Ok(received) => answer(received),
        Err(error) => {
            tracing::error!(%error, "a call of a webhook cannot be stored");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

fn answer(received: Received) -> Response {
    match received {
        Received::Taken => StatusCode::ACCEPTED.into_response(),
        Received::Known => StatusCode::OK.into_response(),
        Received::Refused => (
            StatusCode::UNAUTHORIZED,
            "the signature is wrong or missing, or older than five minutes\n",
        )
            .into_response(),
        Received::NotText => (StatusCode::BAD_REQUEST, "the body is not UTF-8\n").into_response(),
        Received::Off => (StatusCode::GONE, "the routine is off or deleted\n").into_response(),
        Received::TooMany(wait) => {
            let secs = HeaderValue::from(wait.as_secs() + 1);
            let mut response = StatusCode::TOO_MANY_REQUESTS.into_response();
            response.headers_mut().insert(header::RETRY_AFTER, secs);
            response
        }
    }
}

/// What was sent after the head of a call.
enum CallBody {
    /// All of it.
    Whole(Vec<u8>),
    /// It is longer than a call may be.
    TooLong,
}

/// Reads a body; `None` where it was cut short. What is too long is let by up to a limit:
/// a sender that is cut off while it writes reads no answer.
async fn read(body: Body) -> Option<CallBody> {
    let mut chunks = body.into_data_stream();
    let mut text = Vec::new();
    let mut bytes = 0;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.ok()?;
        bytes += chunk.len();
        if bytes > LET_BY_BYTES {
            return Some(CallBody::TooLong);
        }
        if bytes <= BODY_BYTES {
            text.extend_from_slice(&chunk);
        }
    }
    Some(if bytes <= BODY_BYTES {
        CallBody::Whole(text)
    } else {
        CallBody::TooLong
    })
}

/// Returns a header; empty where it is missing or no text.
fn header_text(headers: &HeaderMap, name: &str) -> String {
    let value = headers.get(name).and_then(|it| it.to_str().ok());
    value.unwrap_or_default().to_owned()
}
