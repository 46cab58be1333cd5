//! Discord at its wire: who may ask, how a request is read, checked, failed on purpose and answered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State as Shared};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};

use super::calls::Call;
use super::faults::{Fault, Scope};
use super::form::Form;
use super::gateway;
use super::interactions;
use super::limits::Standing;
use super::refusal::Refusal;
use super::routes;
use super::sending::Outcome;
use super::spec::Spec;
use super::state::World;
use crate::wire::Connection;

/// The token of the bot. It opens nothing but this fake.
pub const TOKEN: &str = "NDI0Mg.fake00.token-that-opens-nothing-at-all";
/// Where REST begins.
pub(crate) const API: &str = "/api/v10";
/// The largest request that is read, in bytes.
const BODY_LIMIT: usize = 50 * 1024 * 1024;

/// One request on its way through the server.
struct Asked {
    operation: String,
    form: Form,
}

pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/gateway", get(gateway::connect))
        .route("/resume", get(gateway::connect_to_resume))
        .fallback(handle)
        .with_state(world)
}

async fn handle(
    Shared(world): Shared<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    if let Some(bytes) = world.state().files.get(parts.uri.path()) {
        return bytes.clone().into_response();
    }
    let Ok(body) = axum::body::to_bytes(body, BODY_LIMIT).await else {
        return answer(
            &Err(Refusal::new(413, 40005, "Request entity too large")),
            None,
        );
    };
    match read(&world, &parts, &body) {
        Ok(asked) => call(&world, &connection, &parts, asked).await,
        Err(refusal) => answer(&note(&world, parts.uri.path(), Err(refusal)), None),
    }
}

/// Finds the operation and reads the request by it.
fn read(world: &World, parts: &Parts, body: &Bytes) -> Result<Asked, Refusal> {
    let path = parts.uri.path();
    let path = path.strip_prefix(API).ok_or_else(Refusal::not_found)?;
    let verb = parts.method.as_str().to_ascii_lowercase();
    let Some((operation, bound)) = Spec::get().find(&verb, path) else {
        return Err(Refusal::not_found().violating());
    };
    check_headers(world, operation, &parts.headers)?;
    let query = parts.uri.query().unwrap_or_default();
    let form = Form::read(bound, query, &parts.headers, body)?;
    Ok(Asked {
        operation: operation.to_owned(),
        form,
    })
}

/// Who asks must say so, except where the address itself is the secret.
fn check_headers(world: &World, operation: &str, headers: &HeaderMap) -> Result<(), Refusal> {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let agent = header(header::USER_AGENT).unwrap_or_default();
    if !agent.starts_with("DiscordBot (") {
        let why = format!("{operation}: the User-Agent {agent:?} is not that of a DiscordBot");
        world.state().violations.push(why);
    }
    let is_open = operation.contains("webhook")
        || matches!(operation, "create_interaction_response" | "get_gateway");
    let expected = format!("Bot {TOKEN}");
    match header(header::AUTHORIZATION) {
        Some(given) if given == expected => Ok(()),
        None if is_open => Ok(()),
        _ => Err(Refusal::unauthorized()),
    }
}

/// Checks and records the request, then does it or what the test wants done instead.
async fn call(
    world: &Arc<World>,
    connection: &Connection,
    parts: &Parts,
    asked: Asked,
) -> Response {
    let checked = Spec::get().check(&asked.operation, &asked.form);
    let fault = record(world, parts, &asked);
    if let Err(why) = checked {
        return answer(
            &note(world, &asked.operation, Err(Refusal::form("_body", why))),
            None,
        );
    }
    match fault {
        None => act(world, &asked),
        Some(fault) => {
            interactions::excuse(&mut world.state(), &asked.form);
            fail(world, connection, &asked, fault).await
        }
    }
}

/// Puts the request on record and returns what is to go wrong with it.
fn record(world: &World, parts: &Parts, asked: &Asked) -> Option<Fault> {
    let path = parts.uri.path();
    let call = Call {
        method: asked.operation.clone(),
        path: path.strip_prefix(API).unwrap_or(path).to_owned(),
        params: asked.form.params(),
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
    asked: &Asked,
    fault: Fault,
) -> Response {
    match fault {
        Fault::TooManyRequests { retry_after } => {
            too_many(Duration::from_secs(retry_after), Scope::User, true, None)
        }
        Fault::Limited {
            rest,
            scope,
            headers,
        } => too_many(rest, scope, headers, None),
        Fault::CloudflareLimit { retry_after } => {
            let mut page = page(StatusCode::TOO_MANY_REQUESTS, "error code: 1015");
            if let Some(seconds) = retry_after {
                page.headers_mut()
                    .insert(header::RETRY_AFTER, seconds.into());
            }
            page
        }
        Fault::CloudflareBlock => page(StatusCode::FORBIDDEN, "error code: 1020"),
        Fault::ServerError => answer(
            &Err(Refusal::new(500, 0, "500: Internal Server Error")),
            None,
        ),
        Fault::BadGateway => page(StatusCode::BAD_GATEWAY, "502 Bad Gateway"),
        Fault::Unavailable => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Fault::GatewayTimeout => page(StatusCode::GATEWAY_TIMEOUT, "504 Gateway Time-out"),
        Fault::Refuse {
            status,
            code,
            message,
        } => answer(&Err(Refusal::new(status, code, message)), None),
        Fault::DropBefore => sever(connection),
        Fault::DropAfter => {
            // What it comes to is for the state of the world, not for the caller.
            drop(act(world, asked));
            sever(connection)
        }
        Fault::Delay(delay) => {
            tokio::time::sleep(delay).await;
            act(world, asked)
        }
        Fault::Hold(gate) => {
            gate.pass().await;
            act(world, asked)
        }
        Fault::HoldAnswer(gate) => {
            let response = act(world, asked);
            gate.pass().await;
            response
        }
    }
}

/// Does what is asked, within the limits.
fn act(world: &World, asked: &Asked) -> Response {
    let mut state = world.state();
    let (standing, admitted) = match &mut state.limits {
        Some(limits) => limits.admit(&asked.operation, &asked.form),
        None => (None, Ok(())),
    };
    if let Err(early) = admitted {
        return too_many(early.rest, early.scope, true, standing.as_ref());
    }
    let outcome = routes::perform(&mut state, &asked.operation, &asked.form);
    drop(state);
    let outcome = note(world, &asked.operation, outcome);
    let mut response = answer(&outcome, standing.as_ref());
    if outcome.is_ok() && asked.operation == "create_thread_from_message" {
        *response.status_mut() = StatusCode::CREATED;
    }
    response
}

fn note(world: &World, operation: &str, outcome: Outcome) -> Outcome {
    if let Err(refusal) = &outcome
        && refusal.is_violation
    {
        let story = format!("{operation}: {}", refusal.story());
        world.state().violations.push(story);
    }
    outcome
}

fn answer(outcome: &Outcome, standing: Option<&Standing>) -> Response {
    let (status, body) = match outcome {
        Ok(Some(result)) => (200, result.to_string()),
        Ok(None) => (204, String::new()),
        Err(refusal) => (refusal.status, refusal.body().to_string()),
    };
    let status = StatusCode::from_u16(status).expect("a refusal's status is one");
    let headers = standing.map(Standing::headers).unwrap_or_default();
    respond(status, headers, body)
}

fn respond(status: StatusCode, headers: Vec<(&'static str, String)>, body: String) -> Response {
    let mut response = Response::builder().status(status);
    if !body.is_empty() {
        response = response.header(header::CONTENT_TYPE, "application/json");
    }
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response
        .body(Body::from(body))
        .expect("headers of the fake are well formed")
}

fn too_many(
    rest: Duration,
    scope: Scope,
    with_headers: bool,
    standing: Option<&Standing>,
) -> Response {
    let body: Value = json!({
        "message": "You are being rate limited.",
        "retry_after": rest.as_secs_f64(),
        "global": scope == Scope::Global,
    });
    let mut headers = Vec::new();
    if with_headers {
        let standing = standing.cloned().unwrap_or_else(|| Standing {
            bucket: "5a5a5a5a5a5a5a5a".to_owned(),
            limit: 5,
            remaining: 0,
            reset_after: rest,
        });
        headers = standing.headers();
        headers.push(("Retry-After", rest.as_secs_f64().ceil().to_string()));
        headers.push(("X-RateLimit-Scope", scope.name().to_owned()));
        if scope == Scope::Global {
            headers.push(("X-RateLimit-Global", "true".to_owned()));
        }
    }
    respond(StatusCode::TOO_MANY_REQUESTS, headers, body.to_string())
}

/// A page as a proxy in between answers.
fn page(status: StatusCode, title: &str) -> Response {
    let page = format!("<html><head><title>{title}</title></head><body>cloudflare</body></html>");
    (status, [(header::CONTENT_TYPE, "text/html")], page).into_response()
}

fn sever(connection: &Connection) -> Response {
    connection.sever();
    StatusCode::OK.into_response()
}
