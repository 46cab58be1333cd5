//! Against a server on the loopback interface: status codes, time-outs, headers and repetitions.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Url;
use secrecy::SecretString;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::{OpenAi, OpenAiConfig, Quirks};
use crate::providers::wire::Timeouts;
use crate::providers::{ChatRequest, Provider as _, ProviderError, Reply, ServedModel};
use crate::transcript::ConversationMessage;

/// Long enough for a loaded machine.
const LONG: Duration = Duration::from_secs(20);
/// What a test that expects a time-out waits for.
const SHORT: Duration = Duration::from_millis(60);

const KEY: &str = "sk-test-0123456789";

pub(super) fn config(base_url: &str) -> OpenAiConfig {
    OpenAiConfig {
        served: ServedModel {
            api_key: Some(SecretString::from(KEY)),
            timeouts: Timeouts {
                connect: LONG,
                first_token: LONG,
                idle: LONG,
                whole: LONG,
            },
            ..ServedModel::sample(base_url, "small")
        },
        quirks: Quirks::named("none", &Url::parse(base_url).unwrap()),
        calls_in_text: true,
    }
}

/// One answer of the server: its bytes, and whether it then closes or only falls silent.
struct Scene {
    bytes: String,
    then: Then,
}

#[derive(Clone, Copy)]
enum Then {
    Close,
    Silence,
}

fn http(status: &str, body: &str) -> Scene {
    Scene {
        bytes: format!(
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ),
        then: Then::Close,
    }
}

fn silence_after(body: &str) -> Scene {
    Scene {
        bytes: format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{body}"),
        then: Then::Silence,
    }
}

/// A server that plays its scenes, one per connection, and keeps what it was asked.
struct Server {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn playing(scenes: Vec<Scene>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut silent = Vec::new();
            for scene in scenes {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = read_request(&mut stream).await;
                record.lock().unwrap().push(request);
                stream.write_all(scene.bytes.as_bytes()).await.unwrap();
                match scene.then {
                    Then::Close => stream.shutdown().await.unwrap(),
                    Then::Silence => silent.push(stream),
                }
            }
            std::future::pending::<()>().await;
        });
        Self { url, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn bodies(&self) -> Vec<Value> {
        let asked = self.asked();
        let body = |request: &String| {
            let (_, body) = request.split_once("\r\n\r\n").unwrap();
            serde_json::from_str(body).unwrap()
        };
        asked.iter().map(body).collect()
    }
}

async fn read_request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.unwrap();
        request.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length: ")?
                    .parse()
                    .ok()
            })
            .unwrap_or(0);
        if body.len() >= length {
            return text.into_owned();
        }
    }
}

async fn ask(config: OpenAiConfig) -> (Result<Reply, ProviderError>, String) {
    let words = Mutex::new(String::new());
    let messages = [ConversationMessage::user("hello")];
    let request = ChatRequest {
        system: "be brief",
        messages: &messages,
        tools: &[],
        temperature: None,
        stream: true,
        attempts: None,
        wanted: None,
    };
    let reply = OpenAi::new(config)
        .unwrap()
        .chat_with_tools(request, &|piece| words.lock().unwrap().push_str(piece))
        .await;
    (reply, words.into_inner().unwrap())
}

const YES: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"yes\"}}]}\n\n";
const FINISH: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

#[tokio::test]
async fn an_answer_is_heard_and_returned() {
    let server = Server::playing(vec![http("200 OK", &(YES.to_owned() + FINISH))]).await;
    let (reply, words) = ask(config(&server.url)).await;
    assert_eq!(reply.unwrap().message.text, "yes");
    assert_eq!(words, "yes");
    let asked = server.asked().remove(0).to_ascii_lowercase();
    assert!(
        asked.starts_with("post /v1/chat/completions http/1.1"),
        "{asked}"
    );
    assert!(
        asked.contains(&format!("authorization: bearer {KEY}")),
        "{asked}"
    );
}

#[tokio::test]
async fn a_server_that_does_not_begin_is_not_waited_for() {
    let server = Server::playing(vec![silence_after(": keep-alive\n\n")]).await;
    let mut config = config(&server.url);
    config.served.timeouts.first_token = SHORT;
    let (reply, _) = ask(config).await;
    assert_eq!(
        reply,
        Err(ProviderError::TimedOut {
            stage: "begin to answer",
            after: SHORT
        })
    );
}

#[tokio::test]
async fn a_stream_that_stalls_is_not_waited_for() {
    let server = Server::playing(vec![silence_after(YES)]).await;
    let mut config = config(&server.url);
    config.served.timeouts.idle = SHORT;
    let (reply, words) = ask(config).await;
    assert_eq!(
        reply,
        Err(ProviderError::TimedOut {
            stage: "go on",
            after: SHORT
        })
    );
    assert_eq!(words, "yes");
}

#[tokio::test]
async fn an_answer_that_never_ends_is_not_waited_for() {
    let server = Server::playing(vec![silence_after(YES)]).await;
    let mut config = config(&server.url);
    config.served.timeouts.whole = SHORT;
    let (reply, _) = ask(config).await;
    assert_eq!(
        reply,
        Err(ProviderError::TimedOut {
            stage: "finish",
            after: SHORT
        })
    );
}

#[tokio::test]
async fn a_server_that_is_finished_but_stays_connected_has_answered() {
    let server = Server::playing(vec![silence_after(&(YES.to_owned() + FINISH))]).await;
    let mut config = config(&server.url);
    config.served.timeouts.idle = SHORT;
    let (reply, _) = ask(config).await;
    assert_eq!(reply.unwrap().message.text, "yes");
}

#[tokio::test]
async fn a_connection_that_is_cut_is_told_from_a_finish() {
    let mut cut = silence_after(YES);
    cut.bytes = cut
        .bytes
        .replace("content-type", "content-length: 9999\r\ncontent-type");
    cut.then = Then::Close;
    let server = Server::playing(vec![cut]).await;
    let (reply, _) = ask(config(&server.url)).await;
    assert!(
        matches!(reply, Err(ProviderError::Unreachable(_))),
        "{reply:?}"
    );
}

#[tokio::test]
async fn nobody_listening_is_unreachable_and_names_no_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let (reply, _) = ask(config(&format!("http://{address}/v1"))).await;
    let Err(ProviderError::Unreachable(why)) = reply else {
        panic!("{reply:?}");
    };
    assert!(!why.contains(&address.port().to_string()), "{why}");
}

#[tokio::test]
async fn a_limit_carries_its_time_and_an_echoed_key_is_removed() {
    let mut limited = http("429 Too Many Requests", "{}");
    limited.bytes = limited
        .bytes
        .replace("connection", "retry-after: 3\r\nconnection");
    let echo = format!("{{\"error\":{{\"message\":\"bad key {KEY}\"}}}}");
    let server = Server::playing(vec![limited, http("401 Unauthorized", &echo)]).await;
    let (first, _) = ask(config(&server.url)).await;
    assert_eq!(
        first,
        Err(ProviderError::RateLimited {
            retry_after: Some(Duration::from_secs(3))
        })
    );
    let (second, _) = ask(config(&server.url)).await;
    assert_eq!(
        second,
        Err(ProviderError::Refused {
            status: 401,
            message: "bad key [key]".into()
        })
    );
}

#[tokio::test]
async fn a_refused_field_is_taken_back_once_and_for_all() {
    let refusal = r#"{"error":{"message":"Unsupported parameter: 'max_tokens'"}}"#;
    let answer = YES.to_owned() + FINISH;
    let server = Server::playing(vec![
        http("400 Bad Request", refusal),
        http("200 OK", &answer),
        http("200 OK", &answer),
    ])
    .await;
    let provider = OpenAi::new(config(&server.url)).unwrap();
    let request = ChatRequest {
        system: "",
        messages: &[],
        tools: &[],
        temperature: None,
        stream: true,
        attempts: None,
        wanted: None,
    };
    for _ in 0..2 {
        provider.chat_with_tools(request, &|_| {}).await.unwrap();
    }
    let limits: Vec<_> = server
        .bodies()
        .iter()
        .map(|body| {
            (
                body["max_tokens"].as_u64(),
                body["max_completion_tokens"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        limits,
        [(Some(64), None), (None, Some(64)), (None, Some(64))]
    );
}

#[tokio::test]
async fn a_check_lists_the_models_and_asks_a_little_where_there_is_no_list() {
    let server = Server::playing(vec![
        http("200 OK", "{\"data\":[]}"),
        http("404 Not Found", ""),
        http("200 OK", "{\"choices\":[]}"),
        http("401 Unauthorized", "{\"detail\":\"wrong key\"}"),
        http("200 OK", "<!doctype html>"),
    ])
    .await;
    let provider = OpenAi::new(config(&server.url)).unwrap();
    assert_eq!(provider.check().await, Ok(()));
    assert_eq!(provider.check().await, Ok(()));
    assert_eq!(
        provider.check().await,
        Err(ProviderError::Refused {
            status: 401,
            message: "wrong key".into()
        })
    );
    assert!(matches!(
        provider.check().await,
        Err(ProviderError::Garbage(_))
    ));
    let asked: Vec<_> = server
        .asked()
        .iter()
        .map(|request| request.split(" HTTP").next().unwrap().to_owned())
        .collect();
    assert_eq!(
        asked,
        [
            "GET /v1/models",
            "GET /v1/models",
            "POST /v1/chat/completions",
            "GET /v1/models",
            "GET /v1/models",
        ]
    );
}

#[test]
fn debug_shows_neither_key_nor_password() {
    let shown = format!(
        "{:?}",
        OpenAi::new(config("http://me:hidden@127.0.0.1/v1")).unwrap()
    );
    assert!(!shown.contains(KEY), "{shown}");
    assert!(!shown.contains("hidden"), "{shown}");
}
