//! The Bot API at its wire: who may call, how a call is read, checked, failed on purpose and answered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State as Shared};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::calls::Call;
use super::faults::Fault;
use super::limits::Limits;
use super::methods;
use super::params::Params;
use super::refusal::Refusal;
use super::spec::Spec;
use super::state::World;
use super::updates::{TERMINATED, Window};
use super::webhook;
use crate::waiting::until;
use crate::wire::Connection;

/// The token of the bot. It opens nothing but this fake.
pub const TOKEN: &str = "4242:fake-token-that-opens-nothing-at-all";
/// The largest request that is read: the server's own limit on uploads.
const BODY_LIMIT: usize = 50 * 1024 * 1024;
const LONGEST_POLL: i64 = 50;
const MOST_UPDATES: i64 = 100;

/// The result of a call as JSON, or the refusal.
type Outcome = Result<String, Refusal>;

pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new().fallback(handle).with_state(world)
}

async fn handle(
    Shared(world): Shared<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    if let Some((token, path)) = path
        .strip_prefix("/file/bot")
        .and_then(|at| at.split_once('/'))
    {
        return file(&world, token, path);
    }
    let Some((token, method)) = path.strip_prefix("/bot").and_then(|at| at.split_once('/')) else {
        return answer(&Err(Refusal::new(404, "Not Found")));
    };
    if token != world.token {
        return answer(&Err(Refusal::new(401, "Unauthorized")));
    }
    let Ok(body) = axum::body::to_bytes(body, BODY_LIMIT).await else {
        return answer(&Err(Refusal::new(413, "Request Entity Too Large")));
    };
    let Some(method) = Spec::get().spelling(method) else {
        world
            .state()
            .violations
            .push(format!("{method}: no such method"));
        return answer(&Err(Refusal::new(404, "Not Found: method not found")));
    };
    match Params::read(&parts, &body) {
        Ok(params) => call(&world, &connection, method, params).await,
        Err(why) => answer(&note_violation(
            &world,
            method,
            Err(Refusal::violation(why)),
        )),
    }
}

/// Checks and records the call, then does it or what the test wants done instead.
async fn call(
    world: &Arc<World>,
    connection: &Connection,
    method: &str,
    mut params: Params,
) -> Response {
    let checked = Spec::get().check_call(method, &mut params);
    let fault = record(world, method, &params);
    if let Err(why) = checked {
        return answer(&note_violation(world, method, Err(Refusal::violation(why))));
    }
    match fault {
        None => answer(&act(world, method, &params).await),
        Some(fault) => fail(world, connection, method, &params, fault).await,
    }
}

/// Puts the call on record and returns what is to go wrong with it.
fn record(world: &World, method: &str, params: &Params) -> Option<Fault> {
    let call = Call {
        method: method.to_owned(),
        params: params.fields.clone(),
        at: Instant::now(),
    };
    let mut state = world.state();
    let fault = state.faults.take(&call);
    state.calls.record(Arc::new(call));
    drop(state);
    world.called.notify_waiters();
    fault
}

async fn fail(
    world: &Arc<World>,
    connection: &Connection,
    method: &str,
    params: &Params,
    fault: Fault,
) -> Response {
    match fault {
        Fault::TooManyRequests { retry_after } => answer(&Err(Refusal::too_many(retry_after))),
        Fault::ServerError => answer(&Err(Refusal::new(500, "Internal Server Error"))),
        Fault::BadGateway => bad_gateway(),
        Fault::Conflict => answer(&Err(Refusal::conflict(TERMINATED))),
        Fault::Refuse { code, description } => answer(&Err(Refusal::new(code, description))),
        Fault::DropBefore => drop_connection(connection),
        Fault::DropAfter => {
            // What it comes to is for the state of the world, not for the caller.
            let _ = act(world, method, params).await;
            drop_connection(connection)
        }
        Fault::Delay(delay) => {
            tokio::time::sleep(delay).await;
            answer(&act(world, method, params).await)
        }
        Fault::Hold(gate) => {
            gate.pass().await;
            answer(&act(world, method, params).await)
        }
        Fault::HoldAnswer(gate) => {
            let outcome = act(world, method, params).await;
            gate.pass().await;
            answer(&outcome)
        }
    }
}

/// Does what the call asks.
async fn act(world: &Arc<World>, method: &str, params: &Params) -> Outcome {
    let outcome = match method {
        "getUpdates" => get_updates(world, params).await,
        "setWebhook" => webhook::set(world, params).map(|result| result.to_string()),
        _ => {
            let mut state = world.state();
            let chat = params.integer("chat_id").filter(|_| is_limited(method));
            let admitted = match (&mut state.limits, chat) {
                (Some(limits), Some(chat)) => Limits::admit(limits, chat),
                _ => Ok(()),
            };
            admitted
                .and_then(|()| methods::perform(&mut state, method, params))
                .map(|result| result.to_string())
        }
    };
    note_violation(world, method, outcome)
}

/// Limits hold for what is said, new or changed; typing and drafts are free.
fn is_limited(method: &str) -> bool {
    matches!(
        method,
        "sendMessage" | "sendDocument" | "sendPhoto" | "editMessageText" | "editMessageReplyMarkup"
    )
}

fn note_violation(world: &World, method: &str, outcome: Outcome) -> Outcome {
    if let Err(refusal) = &outcome
        && refusal.is_violation
    {
        world
            .state()
            .violations
            .push(format!("{method}: {}", refusal.description));
    }
    outcome
}

async fn get_updates(world: &World, params: &Params) -> Outcome {
    let window = Window {
        offset: params.integer("offset").unwrap_or(0),
        limit: params
            .integer("limit")
            .unwrap_or(MOST_UPDATES)
            .clamp(1, MOST_UPDATES) as usize,
    };
    let (reader, changed) = {
        let mut state = world.state();
        if params.fields.contains_key("allowed_updates") {
            state.updates.allow(params.list("allowed_updates"));
        }
        (
            state.updates.open_poll(window.offset)?,
            Arc::clone(&state.updates.changed),
        )
    };
    let timeout = params
        .integer("timeout")
        .unwrap_or(0)
        .clamp(0, LONGEST_POLL);
    let deadline = tokio::time::Instant::now() + Duration::from_secs(timeout.unsigned_abs());
    let found = until(&changed, deadline, || {
        world.state().updates.poll(reader, window)
    })
    .await;
    let updates = found.unwrap_or(Ok(Vec::new()))?;
    let bodies: Vec<&str> = updates.iter().map(|update| &*update.body).collect();
    Ok(format!("[{}]", bodies.join(",")))
}

fn file(world: &World, token: &str, path: &str) -> Response {
    let bytes = {
        let state = world.state();
        state
            .files
            .values()
            .find(|file| file.path == path)
            .map(|file| file.bytes.clone())
    };
    match bytes {
        Some(bytes) if token == world.token => bytes.into_response(),
        _ => answer(&Err(Refusal::new(404, "Not Found"))),
    }
}

fn answer(outcome: &Outcome) -> Response {
    let (code, body) = match outcome {
        Ok(result) => (200, format!(r#"{{"ok":true,"result":{result}}}"#)),
        Err(refusal) => (refusal.code, refusal.body().to_string()),
    };
    let status = StatusCode::from_u16(code).expect("a refusal's code is a status");
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        Body::from(Bytes::from(body)),
    )
        .into_response()
}

fn bad_gateway() -> Response {
    let page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
    (
        StatusCode::BAD_GATEWAY,
        [(header::CONTENT_TYPE, "text/html")],
        page,
    )
        .into_response()
}

fn drop_connection(connection: &Connection) -> Response {
    connection.sever();
    StatusCode::OK.into_response()
}
