//! The wire: how a request is checked, and how its answer leaves. Vectors come in the wrong order, as the
//! contract allows, with the right `index`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{ConnectInfo, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::EmbedderFault;
use super::words::Meanings;
use crate::gate::Gate;
use crate::wire::Connection;

/// The most texts that OpenAI takes at once.
const MOST_TEXTS: usize = 2048;

/// What is served, and a signal at every request.
#[derive(Debug, Default)]
pub(super) struct Desk {
    // Shared by the requests and the test; held for no longer than one look or change.
    state: Mutex<State>,
    pub(super) asked: Notify,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) meanings: Meanings,
    pub(super) dimension: usize,
    /// How many tokens it says that it read for each text; `None` says nothing.
    pub(super) counted: Option<u64>,
    pub(super) required_key: Option<String>,
    pub(super) faults: VecDeque<EmbedderFault>,
    pub(super) lasting: Option<EmbedderFault>,
    /// How many requests are answered before `lasting` holds.
    pub(super) answers_left: usize,
    pub(super) refused: Option<String>,
    /// How many tokens of one text it reads.
    pub(super) most_tokens: Option<usize>,
    pub(super) gate: Option<Gate>,
    pub(super) requests: Vec<Vec<String>>,
    pub(super) bodies: Vec<Value>,
    pub(super) violations: Vec<String>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            meanings: Meanings::default(),
            dimension: 64,
            counted: None,
            required_key: None,
            faults: VecDeque::new(),
            lasting: None,
            answers_left: 0,
            refused: None,
            most_tokens: None,
            gate: None,
            requests: Vec::new(),
            bodies: Vec::new(),
            violations: Vec::new(),
        }
    }
}

impl Desk {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // A test that panicked with the lock held has failed already; others may still look.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn router(desk: Arc<Desk>) -> Router {
    Router::new()
        .route("/v1/embeddings", post(embed))
        .layer(axum::extract::DefaultBodyLimit::disable())
        .with_state(desk)
}

async fn embed(
    Shared(desk): Shared<Arc<Desk>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let (outcome, gate) = {
        let mut state = desk.state();
        (state.judge(&headers, &body), state.gate.clone())
    };
    desk.asked.notify_waiters();
    if let Some(gate) = gate {
        gate.pass().await;
    }
    match outcome {
        Ok(answer) => Json(answer).into_response(),
        Err(EmbedderFault::Status(status, retry_after)) => refuse(status, retry_after),
        Err(EmbedderFault::Said(status, message)) => answer_with_error(status, &message),
        Err(EmbedderFault::Body(body)) => {
            ([(header::CONTENT_TYPE, "application/json")], body).into_response()
        }
        Err(EmbedderFault::Drop) => {
            connection.sever();
            StatusCode::OK.into_response()
        }
    }
}

impl State {
    /// Returns what happens to this request, if anything does.
    fn fault(&mut self) -> Option<EmbedderFault> {
        if let Some(fault) = self.faults.pop_front() {
            return Some(fault);
        }
        match self.answers_left.checked_sub(1) {
            Some(left) => {
                self.answers_left = left;
                None
            }
            None => self.lasting.clone(),
        }
    }

    fn judge(&mut self, headers: &HeaderMap, body: &Value) -> Result<Value, EmbedderFault> {
        let given = headers.get(header::AUTHORIZATION);
        let given = given.and_then(|value| value.to_str().ok());
        let expected = self
            .required_key
            .as_ref()
            .map(|key| format!("Bearer {key}"));
        if expected.is_some() && expected.as_deref() != given {
            return Err(EmbedderFault::Status(401, None));
        }
        let texts = texts(body);
        self.bodies.push(body.clone());
        let (texts, dimension) = match texts.and_then(|texts| Ok((texts, dimension(body)?))) {
            Ok(asked) => asked,
            Err(why) => {
                self.violations.push(why);
                return Err(EmbedderFault::Status(400, None));
            }
        };
        self.requests.push(texts.clone());
        if let Some(fault) = self.fault() {
            return Err(fault);
        }
        let refused = self.refused.as_deref();
        if refused.is_some_and(|word| texts.iter().any(|text| text.contains(word))) {
            return Err(EmbedderFault::Status(400, None));
        }
        if let Some(most) = self.most_tokens {
            let longest = texts.iter().map(|text| tokens(text)).max();
            if let Some(longest) = longest.filter(|longest| *longest > most) {
                return Err(EmbedderFault::Said(500, too_large(longest, most)));
            }
        }
        let dimension = dimension.unwrap_or(self.dimension);
        let vector = |(index, text): (usize, &String)| {
            let embedding = self.meanings.vector(text, dimension);
            json!({ "object": "embedding", "index": index, "embedding": embedding })
        };
        let data: Vec<Value> = texts.iter().enumerate().map(vector).rev().collect();
        let mut answer = json!({ "object": "list", "data": data, "model": body["model"] });
        if let Some(tokens) = self.counted.map(|tokens| tokens * texts.len() as u64) {
            answer["usage"] = json!({ "prompt_tokens": tokens, "total_tokens": tokens });
        }
        Ok(answer)
    }
}

fn texts(body: &Value) -> Result<Vec<String>, String> {
    if !body["model"].is_string() {
        return Err("`model` is no text".to_owned());
    }
    let input = body["input"].as_array().ok_or("`input` is no list")?;
    if !(1..=MOST_TEXTS).contains(&input.len()) {
        return Err(format!("{} texts at once", input.len()));
    }
    let text = |text: &Value| text.as_str().filter(|it| !it.is_empty()).map(str::to_owned);
    let texts: Option<Vec<String>> = input.iter().map(text).collect();
    texts.ok_or_else(|| "a text is empty or none".to_owned())
}

fn dimension(body: &Value) -> Result<Option<usize>, String> {
    match &body["dimensions"] {
        Value::Null => Ok(None),
        number => match number.as_u64() {
            Some(dimension @ 1..) => Ok(Some(dimension as usize)),
            _ => Err(format!("`dimensions` is {number}")),
        },
    }
}

fn refuse(status: u16, retry_after: Option<u32>) -> Response {
    let why = match status {
        401 => "Incorrect API key provided.",
        429 => "Rate limit reached.",
        400..500 => "This input is not accepted.",
        _ => "The server had an error.",
    };
    let mut response = answer_with_error(status, why);
    if let Some(seconds) = retry_after {
        let seconds = HeaderValue::from(seconds);
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

fn answer_with_error(status: u16, message: &str) -> Response {
    let status = StatusCode::from_u16(status).expect("the scripted status is one");
    let body = json!({ "error": { "message": message, "type": "error", "code": null } });
    (status, Json(body)).into_response()
}

fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    ascii.div_ceil(4) + text.chars().filter(|letter| !letter.is_ascii()).count()
}

/// The words of llama.cpp.
fn too_large(tokens: usize, most: usize) -> String {
    format!(
        "input ({tokens} tokens) is too large to process. increase the physical batch size \
         (current batch size: {most})"
    )
}
