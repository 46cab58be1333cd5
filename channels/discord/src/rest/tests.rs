//! The caller against a server with scripted responses.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request as Heard, State};
use axum::response::Response;
use sayso_channel::ChannelName;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use url::Url;

use super::{CallError, Request, Rest};
use crate::DiscordConfig;

/// A loopback server that gives the same answer to everything, and what it heard.
struct Server {
    rest: Rest,
    heard: Arc<Mutex<Vec<Heard<()>>>>,
    answer: Arc<Mutex<Answer>>,
}

#[derive(Clone)]
struct Answer {
    status: u16,
    headers: Vec<(&'static str, &'static str)>,
    body: String,
}

fn answer(
    status: u16,
    headers: &[(&'static str, &'static str)],
    body: impl Into<String>,
) -> Answer {
    Answer {
        status,
        headers: headers.to_vec(),
        body: body.into(),
    }
}

type Shared = (Arc<Mutex<Vec<Heard<()>>>>, Arc<Mutex<Answer>>);

async fn respond(State((heard, answer)): State<Shared>, request: Heard) -> Response {
    let (parts, _body) = request.into_parts();
    heard.lock().unwrap().push(Heard::from_parts(parts, ()));
    let answer = answer.lock().unwrap().clone();
    let builder = Response::builder().status(answer.status);
    let builder = answer
        .headers
        .iter()
        .fold(builder, |builder, (name, value)| {
            builder.header(*name, *value)
        });
    builder.body(Body::from(answer.body)).unwrap()
}

fn rest_at(port: u16) -> Rest {
    let config = DiscordConfig::new(
        ChannelName::from("discord"),
        SecretString::from("MTIz.abc.secret"),
        Url::parse(&format!("http://127.0.0.1:{port}/api/v10")).unwrap(),
    );
    Rest::new(&config).unwrap()
}

impl Server {
    async fn answers(first: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (heard, answer) = (Arc::default(), Arc::new(Mutex::new(first)));
        let shared: Shared = (Arc::clone(&heard), Arc::clone(&answer));
        let router = Router::new().fallback(respond).with_state(shared);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            rest: rest_at(port),
            heard,
            answer,
        }
    }

    fn now_answers(&self, next: Answer) {
        *self.answer.lock().unwrap() = next;
    }

    async fn says_in(&self, channel: u64) -> Result<Value, CallError> {
        let request = Request::post(format!("/channels/{channel}/messages"));
        self.rest
            .call(request.json(&json!({"content": "hi"})))
            .await
    }

    fn requests(&self) -> usize {
        self.heard.lock().unwrap().len()
    }
}

fn limited(outcome: Result<Value, CallError>) -> Duration {
    match outcome {
        Err(CallError::Limited(pause)) => pause,
        other => panic!("not limited: {other:?}"),
    }
}

#[tokio::test]
async fn request_names_us_and_carries_the_token() {
    let server = Server::answers(answer(200, &[], json!({"id": "1"}).to_string())).await;
    assert_eq!(server.says_in(1).await, Ok(json!({"id": "1"})));
    let heard = server.heard.lock().unwrap();
    let headers = heard[0].headers();
    assert_eq!(heard[0].uri().path(), "/api/v10/channels/1/messages");
    assert_eq!(headers["authorization"], "Bot MTIz.abc.secret");
    assert_eq!(headers["content-type"], "application/json");
    assert!(
        headers["user-agent"]
            .to_str()
            .unwrap()
            .starts_with("DiscordBot (https://")
    );
}

#[tokio::test]
async fn answer_without_a_body_is_nothing() {
    let server = Server::answers(answer(204, &[], "")).await;
    assert_eq!(server.says_in(1).await, Ok(Value::Null));
}

#[tokio::test]
async fn exhausted_bucket_is_answered_without_a_request() {
    let headers = [
        ("x-ratelimit-bucket", "abcd"),
        ("x-ratelimit-remaining", "0"),
        ("x-ratelimit-reset-after", "30.5"),
    ];
    let server = Server::answers(answer(200, &headers, "{}")).await;
    server.says_in(1).await.unwrap();
    assert!(limited(server.says_in(1).await) > Duration::from_secs(29));
    assert_eq!(server.requests(), 1);
    server.says_in(2).await.unwrap();
}

#[tokio::test]
async fn limit_of_a_route_is_known_from_the_body() {
    let body =
        json!({"message": "You are being rate limited.", "retry_after": 7.25, "global": false});
    let server = Server::answers(answer(429, &[], body.to_string())).await;
    assert_eq!(
        limited(server.says_in(1).await),
        Duration::from_millis(7250)
    );
    server.now_answers(answer(200, &[], "{}"));
    assert!(limited(server.says_in(1).await) > Duration::from_secs(6));
    server.says_in(2).await.unwrap();
}

#[tokio::test]
async fn shared_limit_holds_for_its_place_only() {
    let headers = [("x-ratelimit-scope", "shared"), ("retry-after", "8")];
    let body = json!({"message": "The resource is being rate limited.", "retry_after": 8.0, "global": false});
    let server = Server::answers(answer(429, &headers, body.to_string())).await;
    limited(server.says_in(1).await);
    server.now_answers(answer(200, &[], "{}"));
    server.says_in(2).await.unwrap();
    limited(server.says_in(1).await);
}

#[tokio::test]
async fn global_limit_holds_everywhere_but_for_interactions() {
    let headers = [
        ("x-ratelimit-global", "true"),
        ("x-ratelimit-scope", "global"),
    ];
    let body = json!({"message": "You are being rate limited.", "retry_after": 9, "global": true});
    let server = Server::answers(answer(429, &headers, body.to_string())).await;
    limited(server.says_in(1).await);
    server.now_answers(answer(200, &[], "{}"));
    assert!(limited(server.says_in(2).await) > Duration::from_secs(8));
    let callback = Request::post("/interactions/5/token/callback");
    assert_eq!(server.rest.call(callback).await, Ok(json!({})));
}

#[track_caller]
fn closed_door(first: &Result<Value, CallError>, second: &Result<Value, CallError>, pause: u64) {
    assert_eq!(*first, Err(CallError::Limited(Duration::from_secs(pause))));
    assert!(matches!(second, Err(CallError::Limited(_))));
}

#[tokio::test]
async fn page_of_the_door_is_a_limit_for_everything() {
    for (status, headers, pause) in [
        (429, vec![("retry-after", "17")], 17),
        (429, vec![], 60),
        (403, vec![], 60),
    ] {
        let page = "<html>error code: 1015</html>";
        let server = Server::answers(answer(status, &headers, page)).await;
        let first = server.says_in(1).await;
        server.now_answers(answer(200, &[], "{}"));
        closed_door(&first, &server.says_in(2).await, pause);
        assert_eq!(server.requests(), 1);
    }
}

#[tokio::test]
async fn server_error_leaves_open_whether_it_happened() {
    for status in [500, 502, 503, 504, 520, 522, 524] {
        let server = Server::answers(answer(status, &[], "<html>")).await;
        let outcome = server.says_in(1).await;
        assert!(
            matches!(outcome, Err(CallError::AnswerLost(_))),
            "{status}: {outcome:?}"
        );
    }
}

#[tokio::test]
async fn what_never_reached_discord_was_not_sent() {
    let server = Server::answers(answer(521, &[], "<html>")).await;
    assert!(matches!(
        server.says_in(1).await,
        Err(CallError::NotSent(_))
    ));

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let nobody = rest_at(port)
        .call::<Value>(Request::get("/users/@me"))
        .await;
    assert!(matches!(nobody, Err(CallError::NotSent(_))), "{nobody:?}");
}

#[tokio::test]
async fn connection_cut_after_the_request_leaves_it_open() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut first = [0; 64];
        stream.readable().await.unwrap();
        let _ = stream.try_read(&mut first);
    });
    let outcome = rest_at(port)
        .call::<Value>(Request::get("/users/@me"))
        .await;
    assert!(
        matches!(outcome, Err(CallError::AnswerLost(_))),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn refusal_keeps_the_code_and_the_fields() {
    let body = json!({
        "code": 50035,
        "message": "Invalid Form Body",
        "errors": {
            "content": {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer."}]},
            "components": {"0": {"components": {"1": {"label": {"_errors": [{"code": "BUTTON_LABEL", "message": "x"}]}}}}}
        }
    });
    let server = Server::answers(answer(400, &[], body.to_string())).await;
    let Err(CallError::Refused(refusal)) = server.says_in(1).await else {
        panic!("not refused");
    };
    assert_eq!((refusal.status, refusal.code), (400, 50035));
    let mut complaints: Vec<_> = refusal
        .complaints
        .iter()
        .map(|complaint| format!("{} {}", complaint.field, complaint.code))
        .collect();
    complaints.sort();
    assert_eq!(
        complaints,
        [
            "components.0.components.1.label BUTTON_LABEL",
            "content BASE_TYPE_MAX_LENGTH"
        ]
    );
}

#[tokio::test]
async fn errors_show_neither_token_nor_address() {
    let nobody = rest_at(9)
        .call::<Value>(Request::get("/webhooks/1/private-token"))
        .await;
    let text = format!("{nobody:?}");
    assert!(
        !text.contains("secret") && !text.contains("private-token"),
        "{text}"
    );
}
