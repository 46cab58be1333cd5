//! What a call of `http_request` may ask for, and how a person and the model are shown it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sayso_core::transcript::ToolOutcome;
use sayso_fetch::{FetchLimits, Fetcher, PageReader};
use sayso_policy::{Action, HostRules, Method, SandboxMode, ToolFacts};
use sayso_sandbox::helper::HelperPath;
use sayso_sandbox::{Sandbox, SandboxPlaces};
use serde_json::{Value, json};

use super::HttpRequest;
use crate::secrets::Secrets;
use crate::testing::{call, scope, toolbox};

/// Nothing is read in these tests.
fn pages() -> Arc<PageReader> {
    let places = SandboxPlaces {
        data_dir: PathBuf::new(),
        private: Vec::new(),
    };
    let sandbox = Sandbox::new(SandboxMode::Off, places, []);
    Arc::new(PageReader::new(HelperPath::own(), sandbox))
}

async fn inspected(arguments: Value) -> Result<ToolFacts, ToolOutcome> {
    let limits = FetchLimits {
        timeout: Duration::from_secs(1),
        max_bytes: 1000,
    };
    let fetcher = Fetcher::new(HostRules::default(), false, limits);
    let toolbox = toolbox(HttpRequest::new(
        Arc::new(fetcher),
        pages(),
        Secrets::default(),
    ));
    let call = call("http_request", arguments);
    toolbox.inspect(&call, &scope(Path::new("/"))).await
}

/// Returns what a person is shown of the call.
fn shown(facts: &ToolFacts) -> String {
    let summary = Some(facts.summary.to_string());
    let lines: Vec<String> = summary.into_iter().chain(facts.detail.clone()).collect();
    lines.join("\n\n")
}

async fn refused(arguments: Value) -> String {
    let outcome = inspected(arguments).await.unwrap_err().for_model();
    let (first, _) = outcome.split_once('\n').unwrap();
    first.to_owned()
}

#[tokio::test]
async fn the_whole_request_is_shown() {
    let arguments = json!({
        "url": "https://Example.org./a b?c=\u{4f60}#d",
        "method": "POST",
        "headers": {"Content-Type": "text/plain", "accept": "*/*"},
        "body": "line\nhid\u{202e}den",
    });
    let facts = inspected(arguments).await.unwrap();
    insta::assert_snapshot!(shown(&facts), @r"
    POST https://example.org/a%20b?c=%E4%BD%A0

    content-type: text/plain
    accept: */*

    line
    hid\u{202e}den
    ");
    let Action::Fetch {
        method,
        url,
        server,
    } = facts.action
    else {
        panic!("{:?}", facts.action);
    };
    assert_eq!(method, Method::Post);
    assert_eq!(url, "https://example.org/a%20b?c=%E4%BD%A0");
    assert_eq!(server.to_string(), "example.org:443");
}

#[tokio::test]
async fn a_plain_get_is_one_line() {
    let facts = inspected(json!({"url": "http://example.org"}))
        .await
        .unwrap();
    assert_eq!(shown(&facts), "GET http://example.org/");
}

#[tokio::test]
async fn nothing_is_smuggled_in_a_header() {
    for (name, value) in [
        ("Host", "metadata"),
        ("authorization", "Bearer x"),
        ("Cookie", "a=b"),
        ("Transfer-Encoding", "chunked"),
        ("content-length", "0"),
        ("X-HTTP-Method-Override", "DELETE"),
        ("X-Forwarded-For", "127.0.0.1"),
        ("Proxy-Authorization", "x"),
        ("accept ", "x"),
        ("accept\r\nhost", "x"),
        ("accept", "x\r\nhost: y"),
        ("accept", "\u{4f60}"),
    ] {
        let arguments = json!({"url": "https://example.org/", "headers": {name: value}});
        let told = refused(arguments).await;
        assert!(told.contains("`headers`: "), "{name}: {told}");
    }
}

#[tokio::test]
async fn what_cannot_be_asked_is_told_before_anybody_is() {
    let told = [
        refused(json!({"url": "http://127.0.0.1/"})).await,
        refused(json!({"url": "file:///etc/passwd"})).await,
        refused(json!({"url": "example.org"})).await,
        refused(json!({"url": "https://example.org/", "body": "x"})).await,
        refused(json!({"url": "https://example.org/", "method": "CONNECT"})).await,
        refused(json!({
            "url": "https://example.org/", "method": "PUT", "body": "x".repeat(65_537),
        }))
        .await,
    ];
    insta::assert_snapshot!(told.join("\n"), @r"
    [error] E_INVALID_ARGS: bad arguments for `http_request`: `url`: its host is a loopback address; only the public internet is fetched from
    [error] E_INVALID_ARGS: bad arguments for `http_request`: `url`: only `http` and `https` are fetched
    [error] E_INVALID_ARGS: bad arguments for `http_request`: `url`: it is no complete URL, such as `https://example.org/page`
    [error] E_INVALID_ARGS: bad arguments for `http_request`: `body`: GET has none
    [error] E_INVALID_ARGS: bad arguments for `http_request`: `method`: unknown variant `CONNECT`, expected one of `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE`
    [error] E_INVALID_ARGS: bad arguments for `http_request`: `body`: longer than 65536 bytes
    ");
}

#[tokio::test]
async fn the_model_is_told_what_it_may_say() {
    let limits = FetchLimits {
        timeout: Duration::from_secs(1),
        max_bytes: 1000,
    };
    let fetcher = Fetcher::new(HostRules::default(), false, limits);
    let tool = HttpRequest::new(Arc::new(fetcher), pages(), Secrets::default());
    insta::assert_snapshot!(tool.spec.parameters.to_string(), @r#"{"type":"object","properties":{"url":{"type":"string","description":"The whole URL; `https` or `http`."},"method":{"type":"string","enum":["GET","HEAD","POST","PUT","PATCH","DELETE"],"description":"`GET` when left out.","default":"GET"},"headers":{"type":"object","additionalProperties":{"type":"string"},"description":"Such as `{\"accept\": \"application/json\"}`."},"body":{"type":"string","description":"The body, for `POST`, `PUT`, `PATCH` and `DELETE`."},"whole_page":{"type":"boolean","description":"`true`: all of a page, with its menus and comments, not its main text alone."}},"required":["url"]}"#);
}
