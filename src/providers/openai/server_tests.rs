//! Against a server on the loopback interface: status codes, time-outs, headers and repetitions.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Url;
use sayso_core::transcript::{ConversationMessage, ToolSpec};
use secrecy::SecretString;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::{OpenAi, OpenAiConfig, Quirks};
use crate::wire::Timeouts;
use crate::{
    AnswerForm, ChatOptions, ChatRequest, Checked, ModelCapacity, Provider as _, ProviderError,
    Reply, ServedModel, ToolsIn,
};

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
        is_llama: false,
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
        options: ChatOptions::default(),
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
async fn no_one_listening_is_unreachable_and_names_no_address() {
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
        options: ChatOptions::default(),
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

/// Not every server has a list, and one with a list may still take no tools.
#[tokio::test]
async fn model_f5_a_check_lists_the_models_and_asks_a_little_with_a_tool() {
    let answer = r#"{"choices":[{"message":{"content":"noon"},"finish_reason":"stop"}]}"#;
    let server = Server::playing(vec![
        http("200 OK", "{\"data\":[]}"),
        http("200 OK", answer),
        http("404 Not Found", ""),
        http("200 OK", "{\"choices\":[]}"),
        http("401 Unauthorized", "{\"detail\":\"wrong key\"}"),
        http("200 OK", "<!doctype html>"),
        http("200 OK", "{\"data\":[]}"),
        http(
            "400 Bad Request",
            "{\"error\":{\"message\":\"no such model\"}}",
        ),
    ])
    .await;
    let provider = OpenAi::new(config(&server.url)).unwrap();
    let refused = |status: u16, message: &str| {
        Err(ProviderError::Refused {
            status,
            message: message.into(),
        })
    };
    assert_eq!(provider.check().await, Ok(Checked::default()));
    assert_eq!(provider.check().await, Ok(Checked::default()));
    assert_eq!(provider.check().await, refused(401, "wrong key"));
    assert!(matches!(
        provider.check().await,
        Err(ProviderError::Garbage(_))
    ));
    assert_eq!(provider.check().await, refused(400, "no such model"));
    let asked: Vec<_> = server
        .asked()
        .iter()
        .map(|request| request.split(" HTTP").next().unwrap().to_owned())
        .collect();
    let (list, ask) = ("GET /v1/models", "POST /v1/chat/completions");
    assert_eq!(asked, [list, ask, list, ask, list, list, list, ask]);
    let asked_with_tool = server.asked().remove(1);
    let (_, question) = asked_with_tool.split_once("\r\n\r\n").unwrap();
    let question: Value = serde_json::from_str(question).unwrap();
    assert_eq!(question["max_tokens"], 16);
    assert_eq!(question["tools"].as_array().map(Vec::len), Some(1));
}

/// Asks this of a provider twice, and returns all bodies that were sent for it.
async fn twice(provider: &OpenAi, server: &Server, request: ChatRequest<'_>) -> Vec<Value> {
    for _ in 0..2 {
        provider.chat_with_tools(request, &|_| {}).await.unwrap();
    }
    server.bodies()
}

fn in_form<'a>(form: &'a AnswerForm, messages: &'a [ConversationMessage]) -> ChatRequest<'a> {
    ChatRequest {
        messages,
        stream: true,
        options: ChatOptions {
            form: Some(form),
            max_tokens: Some(30),
            ..ChatOptions::default()
        },
        ..ChatRequest::default()
    }
}

#[tokio::test]
async fn model_f1_a_form_that_is_refused_is_not_asked_for_again() {
    let refusals = [
        r#"{"error":{"message":"This response_format type is unavailable now"}}"#,
        r#"{"error":{"message":"Bad request"}}"#,
    ];
    for refusal in refusals {
        let answer = YES.to_owned() + FINISH;
        let server = Server::playing(vec![
            http("400 Bad Request", refusal),
            http("200 OK", &answer),
            http("200 OK", &answer),
        ])
        .await;
        let provider = OpenAi::new(config(&server.url)).unwrap();
        let form = AnswerForm::sample();
        let messages = [ConversationMessage::user("which?")];
        let bodies = twice(&provider, &server, in_form(&form, &messages)).await;
        let has_form: Vec<bool> = bodies
            .iter()
            .map(|body| body.get("response_format").is_some())
            .collect();
        assert_eq!(has_form, [true, false, false], "{refusal}");
        assert!(bodies.iter().all(|body| body["max_tokens"] == 30));
    }
}

/// A refusal that stays without the form was not about it.
#[tokio::test]
async fn model_f1_a_form_is_kept_where_something_else_is_refused() {
    let refusal = r#"{"error":{"message":"Bad request"}}"#;
    let server = Server::playing(vec![
        http("400 Bad Request", refusal),
        http("400 Bad Request", refusal),
        http("200 OK", &(YES.to_owned() + FINISH)),
    ])
    .await;
    let provider = OpenAi::new(config(&server.url)).unwrap();
    let form = AnswerForm::sample();
    let messages = [ConversationMessage::user("which?")];
    let request = in_form(&form, &messages);
    assert!(provider.chat_with_tools(request, &|_| {}).await.is_err());
    provider.chat_with_tools(request, &|_| {}).await.unwrap();
    let has_form: Vec<bool> = server
        .bodies()
        .iter()
        .map(|body| body.get("response_format").is_some())
        .collect();
    assert_eq!(has_form, [true, false, true]);
}

/// What a model thinks counts as part of its answer: a short one would be thoughts alone.
#[tokio::test]
async fn model_f2_a_model_that_thinks_first_is_not_held_to_a_short_answer() {
    let thoughts = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n";
    let cut = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n";
    for first in [thoughts.to_owned() + cut, cut.to_owned()] {
        let answer = YES.to_owned() + FINISH;
        let server = Server::playing(vec![
            http("200 OK", &first),
            http("200 OK", &answer),
            http("200 OK", &answer),
        ])
        .await;
        let provider = OpenAi::new(config(&server.url)).unwrap();
        let form = AnswerForm::sample();
        let messages = [ConversationMessage::user("which?")];
        let bodies = twice(&provider, &server, in_form(&form, &messages)).await;
        let limits: Vec<_> = bodies.iter().map(|it| it["max_tokens"].as_u64()).collect();
        assert_eq!(limits, [Some(30), Some(64), Some(64)]);
    }
}

/// llama.cpp without `--jinja`, Ollama and vLLM, each in its words.
#[tokio::test]
async fn model_f5_tools_that_are_refused_stand_in_the_prompt() {
    let refusals = [
        ("500 Oh", "tools param requires --jinja flag"),
        (
            "400 Oh",
            "registry.ollama.ai/library/gemma3:4b does not support tools",
        ),
        (
            "400 Oh",
            "\\\"auto\\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
        ),
        ("404 Oh", "No endpoints found that support tool use."),
    ];
    let call = "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"tool\\\": \\\"shell\\\", \\\"args\\\": {\\\"command\\\":\\\"ls\\\"}}\"}}]}\n\n";
    for (status, why) in refusals {
        let refusal = format!(r#"{{"error":{{"message":"{why}"}}}}"#);
        let answer = call.to_owned() + FINISH;
        let server = Server::playing(vec![
            http(status, &refusal),
            http("200 OK", &answer),
            http("200 OK", &answer),
        ])
        .await;
        let provider = OpenAi::new(OpenAiConfig {
            calls_in_text: false,
            ..config(&server.url)
        });
        let tools = [ToolSpec {
            name: "shell".into(),
            description: "Runs a command.".into(),
            parameters: serde_json::json!({"type": "object"}).into(),
        }];
        let messages = [ConversationMessage::user("what is here?")];
        let request = ChatRequest {
            system: "be brief",
            messages: &messages,
            tools: &tools,
            stream: true,
            ..ChatRequest::default()
        };
        let provider = provider.unwrap();
        for _ in 0..2 {
            let reply = provider.chat_with_tools(request, &|_| {}).await.unwrap();
            assert_eq!(reply.message.calls[0].name, "shell", "{why}");
        }
        let bodies = server.bodies();
        assert!(bodies[0].get("tools").is_some());
        for body in &bodies[1..] {
            assert!(body.get("tools").is_none(), "{why}");
            let system = body["messages"][0]["content"].as_str().unwrap();
            assert!(system.contains("- shell: Runs a command."), "{system}");
        }
    }
}

/// An error says it, where no page of the server does.
#[tokio::test]
async fn model_f10_a_limit_that_was_said_is_the_window_from_then_on() {
    let why =
        "request (6393 tokens) exceeds the available context size (2048 tokens), try increasing it";
    let refusal = format!(r#"{{"error":{{"code":400,"message":"{why}","n_ctx":2048}}}}"#);
    let server = Server::playing(vec![http("400 Bad Request", &refusal)]).await;
    let provider = OpenAi::new(config(&server.url)).unwrap();
    assert!(provider.window(None) > 2048);
    let messages = [ConversationMessage::user("long")];
    let request = ChatRequest {
        messages: &messages,
        ..ChatRequest::default()
    };
    provider
        .chat_with_tools(request, &|_| {})
        .await
        .unwrap_err();
    assert_eq!(provider.window(None), 2048);
}

/// What the server says of its model is read once, and again when it may have come back with another.
#[tokio::test]
async fn model_f10_a_llama_server_says_its_window_and_whether_it_shows_tools() {
    let says = |tools: bool, context: u64| {
        let said = serde_json::json!({
            "default_generation_settings": {"n_ctx": context},
            "chat_template_caps": {"supports_tools": tools},
        });
        http("200 OK", &said.to_string())
    };
    let answer = YES.to_owned() + FINISH;
    let server = Server::playing(vec![
        says(false, 2048),
        http("200 OK", &answer),
        http("200 OK", &answer),
    ])
    .await;
    let provider = OpenAi::new(OpenAiConfig {
        is_llama: true,
        ..config(&server.url)
    })
    .unwrap();
    let messages = [ConversationMessage::user("hello")];
    let request = ChatRequest {
        messages: &messages,
        stream: true,
        ..ChatRequest::default()
    };
    for _ in 0..2 {
        provider.chat_with_tools(request, &|_| {}).await.unwrap();
    }
    assert_eq!(
        (provider.window(None), provider.tools_in()),
        (2048, ToolsIn::Prompt)
    );
    provider.learn_limit(&ProviderError::Unreachable("gone".into()));
    assert!(provider.window(None) > 4096, "nothing is known");
    let asked = server.asked();
    let lines: Vec<_> = asked
        .iter()
        .map(|it| it.split(" HTTP").next().unwrap())
        .collect();
    let ask = "POST /v1/chat/completions";
    assert_eq!(lines, ["GET /props", ask, ask]);
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
