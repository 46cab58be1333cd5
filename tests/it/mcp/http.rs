//! Streamable HTTP, and what stands between us and a service.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::any;
use serde_json::json;
use tokio::net::TcpListener;

use super::{Configured, Everything, bot_with, closed_bot_with, result_of};

#[tokio::test]
pub async fn a_real_server_is_driven_over_http() {
    let everything = Everything::start().await;
    let server = Configured::service("remote", &everything.url).with("ALLOW", "*");
    let bot = bot_with(&[server], &[]).await;
    let told = result_of(&bot, "remote__echo", json!({"message": "far away"})).await;
    assert!(told.contains("Echo: far away"), "{told}");
    let told = result_of(&bot, "remote__get-sum", json!({"a": 2, "b": 3})).await;
    assert!(told.contains('5'), "{told}");
    let told = result_of(&bot, "mcp_resource", json!({"server": "remote"})).await;
    assert!(told.contains("demo://resource/static/"), "{told}");
}

#[tokio::test]
pub async fn a_service_that_wants_a_token_says_what_to_set_and_is_shown_it() {
    let shown = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&shown);
    let door = move |headers: HeaderMap| async move {
        let token = headers.get(header::AUTHORIZATION);
        let token = token.map(|token| token.to_str().unwrap().to_owned());
        seen.lock().unwrap().push(token);
        let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
        (StatusCode::UNAUTHORIZED, challenge).into_response()
    };
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let app = Router::new().route("/mcp", any(door));
    tokio::spawn(async move { axum::serve(listener, app).await });

    let mut bot = closed_bot_with(&[Configured::service("remote", &url)], &[]).await;
    bot.start();
    bot.logs("set `token` of its `[[mcp]]`").await;
    bot.stop().await;
    assert_eq!(shown.lock().unwrap()[0], None);

    let told_before = bot.log().matches("MCP server disconnected").count();
    bot.set("MCP__0__TOKEN", "hush-hush-55");
    shown.lock().unwrap().clear();
    bot.start();
    let was_shown = || (!shown.lock().unwrap().is_empty()).then_some(());
    assert!(crate::test_bot::found(was_shown).await.is_some());
    let first = shown.lock().unwrap()[0].clone();
    assert_eq!(first.as_deref(), Some("Bearer hush-hush-55"));
    // It is rejected again, and the log line does not contain the token.
    crate::test_bot::eventually("the second refusal", || {
        bot.log().matches("MCP server disconnected").count() > told_before
    })
    .await;
    let log = bot.log();
    assert!(!log.contains("hush-hush-55"), "{log}");
}
