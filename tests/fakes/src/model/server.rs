//! The OpenAI-compatible wire: who may ask, how a request is checked, and how the scripted answer leaves.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body as HttpBody, Bytes};
use axum::extract::{ConnectInfo, State as Shared};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::answer::{Answer, Body};
use super::check::check;
use super::llama::{self, Grammar, Lack};
use super::messages;
use super::request::ModelRequest;
use super::script::Script;
use super::stream::{stream, whole};
use crate::wire::Connection;

/// What is served: the script, and a signal at every request.
#[derive(Debug, Default)]
pub(crate) struct Served {
    // Shared by the requests and the test; held for no longer than one look or change.
    script: Mutex<Script>,
    pub(crate) asked: Notify,
}

impl Served {
    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        // A test that panicked with the lock held has failed already; others may still look.
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn router(served: Arc<Served>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(complete))
        .route("/v1/messages", post(say))
        .route("/v1/models", get(models))
        .route("/completion", post(go_on))
        .route("/apply-template", post(write))
        .route("/props", get(properties))
        .route("/health", get(health))
        .route("/v1/health", get(health))
        .fallback(unknown)
        .layer(axum::extract::DefaultBodyLimit::disable())
        .with_state(served)
}

async fn unknown() -> Response {
    refuse(404, "Unknown request URL")
}

async fn models(Shared(served): Shared<Arc<Served>>, headers: HeaderMap) -> Response {
    if !admits(&served, &headers) {
        if headers.contains_key("anthropic-version") {
            let refusal = messages::refusal("authentication_error", "invalid x-api-key");
            return error(401, &[], &refusal.to_string());
        }
        return refuse(401, "Incorrect API key provided.");
    }
    let model =
        |id: &str| json!({ "id": id, "object": "model", "created": 0, "owned_by": "fakes" });
    Json(json!({ "object": "list", "data": [model("fake-large"), model("fake-small")] }))
        .into_response()
}

async fn complete(
    Shared(served): Shared<Arc<Served>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !admits(&served, &headers) {
        return refuse(401, "Incorrect API key provided.");
    }
    let request = match serde_json::from_slice::<Value>(&body) {
        Ok(json) => Arc::new(ModelRequest::new(headers, json, body.len())),
        Err(error) => {
            served
                .script()
                .violations
                .push(format!("the body is no JSON: {error}"));
            return refuse(400, "We could not parse the JSON body of your request.");
        }
    };
    let answer = {
        let mut script = served.script();
        script.requests.push(Arc::clone(&request));
        if let Some(refusal) = llama_refusal(&mut script, &request) {
            return refusal;
        }
        if script.refuses_forms && request.body.get("response_format").is_some() {
            return refuse(400, NO_FORMS);
        }
        match check(&plain(&script, &request)) {
            Ok(()) => Ok(sayable(&mut script, &request)),
            Err(why) => {
                script.violations.push(why.clone());
                Err(why)
            }
        }
    };
    served.asked.notify_waiters();
    match answer {
        Ok(answer) => deliver(answer, &request, &connection).await,
        Err(why) => refuse(400, &why),
    }
}

/// What OpenAI says of a model that takes no form of an answer.
const NO_FORMS: &str =
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.";

/// Returns the body without the fields that a llama.cpp server takes beside those of the protocol.
fn plain(script: &Script, request: &ModelRequest) -> Value {
    let mut body = request.body.clone();
    if let (true, Some(fields)) = (script.llama.is_served, body.as_object_mut()) {
        fields.remove("grammar");
        fields.remove("return_progress");
    }
    body
}

/// Refuses what a llama.cpp server refuses of chats.
fn llama_refusal(script: &mut Script, request: &ModelRequest) -> Option<Response> {
    let llama = &script.llama;
    if !llama.is_served {
        return None;
    }
    if !llama.has(Lack::Chat) {
        return Some(unknown_to_llama());
    }
    if llama.is_loading {
        return Some(loading());
    }
    let has_tools = !request.tools().is_empty();
    if has_tools && !llama.has(Lack::Jinja) {
        let why = "tools param requires --jinja flag";
        return Some(error(500, &[], &llama::refusal(500, "server_error", why)));
    }
    if has_tools && request.body.get("grammar").is_some() {
        let why = "Cannot use custom grammar constraints with tools.";
        script.violations.push(why.to_owned());
        let refusal = llama::refusal(400, "invalid_request_error", why);
        return Some(error(400, &[], &refusal));
    }
    check_template(script, request.messages())
}

/// What a llama.cpp server says while it loads its model.
fn loading() -> Response {
    let refusal = llama::refusal(503, "unavailable_error", "Loading model");
    error(503, &[], &refusal)
}

async fn health(Shared(served): Shared<Arc<Served>>) -> Response {
    let mut script = served.script();
    if !script.llama.is_served {
        return refuse(404, "Unknown request URL");
    }
    script.llama.looks += 1;
    if script.llama.is_loading {
        return loading();
    }
    Json(json!({"status": "ok"})).into_response()
}

/// Refuses what the template of a llama.cpp server's model refuses, in that server's words. That it has
/// no system prompt can only be found out by asking.
fn check_template(script: &mut Script, messages: &[Value]) -> Option<Response> {
    if !script.llama.is_served {
        return None;
    }
    let checked = llama::check_turns(messages, script.llama.has(Lack::SystemRole));
    let why = checked.err()?;
    if !why.starts_with("System role") {
        script.violations.push(why.clone());
    }
    let refusal = llama::refusal(500, "server_error", &why);
    Some(error(500, &[], &refusal))
}

async fn properties(Shared(served): Shared<Arc<Served>>, headers: HeaderMap) -> Response {
    if let Some(refusal) = turned_away(&served, &headers) {
        return refusal;
    }
    Json(llama::properties(&served.script().llama)).into_response()
}

async fn write(
    Shared(served): Shared<Arc<Served>>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    if let Some(refusal) = turned_away(&served, &headers) {
        return refusal;
    }
    let mut script = served.script();
    if !script.llama.has(Lack::Prompts) {
        return unknown_to_llama();
    }
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    if let Some(refusal) = check_template(&mut script, &messages) {
        return refusal;
    }
    script.prompts_written += 1;
    Json(json!({"prompt": llama::render(&messages)})).into_response()
}

/// `/completion`: a prompt that the model goes on with.
async fn go_on(
    Shared(served): Shared<Arc<Served>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    if let Some(refusal) = turned_away(&served, &headers) {
        return refusal;
    }
    let length = body.to_string().len();
    let checked = llama::check(&body);
    let request = Arc::new(ModelRequest::of_completion(headers, body, length));
    let answer = {
        let mut script = served.script();
        script.requests.push(Arc::clone(&request));
        if let Some(refusal) = check_template(&mut script, request.messages()) {
            return refusal;
        }
        match checked {
            Ok(()) => Ok(sayable(&mut script, &request)),
            Err(why) => {
                script.violations.push(why.clone());
                Err(why)
            }
        }
    };
    served.asked.notify_waiters();
    match answer {
        Ok(answer) => deliver(answer, &request, &connection).await,
        Err(why) => error(
            400,
            &[],
            &llama::refusal(400, "invalid_request_error", &why),
        ),
    }
}

/// Returns the answer to a request, and notes where its grammar does not let the model say that.
fn sayable(script: &mut Script, request: &ModelRequest) -> Answer {
    let mut answer = script.answer(request);
    let is_chat = request.completion_body().is_none();
    let sees_no_tools = !script.llama.has(Lack::Tools) || request.tools().is_empty();
    if is_chat && script.llama.is_served && sees_no_tools && !answer.calls.is_empty() {
        // A call is nothing but text there, and only the grammar says how one is made.
        let knows_how = request.body.get("grammar").is_some();
        answer.text = if knows_how {
            llama::text(&answer)
        } else {
            llama::WITHOUT_TOOLS.to_owned()
        };
        answer.calls.clear();
    }
    if request.asked("return_progress") != &Value::Bool(true) {
        answer.reading.clear();
    }
    let body = request.completion_body().unwrap_or(&request.body);
    let grammar = body["grammar"].as_str().map(Grammar::parse);
    if let (Some(Ok(grammar)), Body::Message) = (grammar, &answer.body) {
        let text = llama::text(&answer);
        if !grammar.admits(&text) {
            let why = format!("the grammar does not admit the answer: {text}");
            script.violations.push(why);
        }
    }
    answer
}

/// Returns why a request to llama.cpp's own endpoints is not heard.
fn turned_away(served: &Served, headers: &HeaderMap) -> Option<Response> {
    if !served.script().llama.is_served {
        return Some(refuse(404, "Unknown request URL"));
    }
    if admits(served, headers) {
        let is_loading = served.script().llama.is_loading;
        return is_loading.then(loading);
    }
    let refusal = llama::refusal(401, "authentication_error", "Invalid API Key");
    Some(error(401, &[], &refusal))
}

fn unknown_to_llama() -> Response {
    let refusal = llama::refusal(404, "not_found_error", "File Not Found");
    error(404, &[], &refusal)
}

/// The other wire, with another place for the key, other rules and other words.
async fn say(
    Shared(served): Shared<Arc<Served>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !admits(&served, &headers) {
        let refusal = messages::refusal("authentication_error", "invalid x-api-key");
        return error(401, &[], &refusal.to_string());
    }
    let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let checked = messages::check(&headers, &json);
    let request = Arc::new(ModelRequest::of_messages(headers, json, body.len()));
    let answer = {
        let mut script = served.script();
        script.requests.push(Arc::clone(&request));
        match checked {
            Ok(()) => Ok(script.answer(&request)),
            Err(why) => {
                script.violations.push(why.clone());
                Err(why)
            }
        }
    };
    served.asked.notify_waiters();
    match answer {
        Ok(answer) => deliver(answer, &request, &connection).await,
        Err(why) => {
            let refusal = messages::refusal("invalid_request_error", &why);
            error(400, &[], &refusal.to_string())
        }
    }
}

/// Tells whether the caller brings the key that the test demands, if it demands one.
fn admits(served: &Served, headers: &HeaderMap) -> bool {
    let Some(key) = served.script().required_key.clone() else {
        return true;
    };
    let given = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    given("authorization") == Some(&format!("Bearer {key}")) || given("x-api-key") == Some(&key)
}

async fn deliver(answer: Answer, request: &ModelRequest, connection: &Connection) -> Response {
    // Also a pause of nothing would last until the next tick of the clock, a millisecond.
    if !answer.before_first.is_zero() {
        tokio::time::sleep(answer.before_first).await;
    }
    if let Some(gate) = &answer.gate {
        gate.pass().await;
    }
    match &answer.body {
        Body::Message if request.is_streamed() => {
            let body = HttpBody::from_stream(stream(answer, request));
            ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
        }
        Body::Message => Json(whole(&answer, request)).into_response(),
        Body::Status {
            status,
            headers,
            body,
        } => error(*status, headers, body),
        Body::Garbage(body) => {
            ([(header::CONTENT_TYPE, "application/json")], body.clone()).into_response()
        }
        Body::Drop => {
            connection.sever();
            StatusCode::OK.into_response()
        }
    }
}

fn error(status: u16, headers: &[(String, String)], body: &str) -> Response {
    let status = StatusCode::from_u16(status).expect("the scripted status is one");
    let mut response = (status, body.to_owned()).into_response();
    let content_type = if body.starts_with('{') {
        "application/json"
    } else {
        "text/html"
    };
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    for (name, value) in headers {
        let name = HeaderName::try_from(name).expect("the scripted header's name is one");
        let value = HeaderValue::try_from(value).expect("the scripted header's value is one");
        response.headers_mut().insert(name, value);
    }
    response
}

fn refuse(status: u16, why: &str) -> Response {
    let body =
        json!({ "error": { "message": why, "type": "invalid_request_error", "code": null } });
    error(status, &[], &body.to_string())
}
