//! `POST /hooks/ID`: the HTTP of a signed call. What a call is worth is `routines::Webhooks`' to say.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::routines::{Delivery, Received, Webhooks};

/// The longest body of a call, in bytes.
const BODY_BYTES: usize = 64 * 1024;

/// Returns the number of the routine that a path calls.
pub(super) fn routine_in(path: &str) -> Option<&str> {
    path.strip_prefix("/hooks/")
        .filter(|it| !it.is_empty() && !it.contains('/'))
}

/// Answers a call.
pub(super) async fn receive(
    webhooks: Option<&Webhooks>,
    routine: String,
    request: Request,
) -> Response {
    let Some(webhooks) = webhooks else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if request.method() != Method::POST {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "POST")]).into_response();
    }
    let (parts, body) = request.into_parts();
    if announced_length(&parts.headers) > BODY_BYTES {
        return too_large();
    }
    let Ok(body) = to_bytes(body, BODY_BYTES).await else {
        return too_large();
    };
    let text = |name| header_text(&parts.headers, name);
    let delivery = Delivery {
        routine,
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp"),
        signature: text("webhook-signature"),
        body: body.to_vec(),
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

fn too_large() -> Response {
    let text = format!("a call has at most {BODY_BYTES} bytes\n");
    (StatusCode::PAYLOAD_TOO_LARGE, text).into_response()
}

fn announced_length(headers: &HeaderMap) -> usize {
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|it| it.to_str().ok());
    length.and_then(|it| it.parse().ok()).unwrap_or_default()
}

/// Returns a header; empty where it is missing or no text.
fn header_text(headers: &HeaderMap, name: &str) -> String {
    let value = headers.get(name).and_then(|it| it.to_str().ok());
    value.unwrap_or_default().to_owned()
}
