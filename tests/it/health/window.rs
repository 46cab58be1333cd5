//! `/health` and `/metrics` over HTTP, while Telegram is cut and healed.

use std::process::Stdio;

use sayso_fakes::{Fault, Gate, Message};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::{bot_with_window, get, health_until, is};
use crate::command_line::CommandLine;
use crate::test_bot::{PATIENCE, TestBot, free_address};

#[tokio::test]
async fn connected_sayso_is_well() {
    let (bot, window) = bot_with_window(&[]).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let (status, mut report) =
        health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    assert_eq!(status, 200);
    let contact = report["channels"][0]["last_contact_ms"].take();
    assert!(contact.as_u64().unwrap() < 5000, "{contact}");
    report["uptime_s"] = json!(0);
    let expected = json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "uptime_s": 0,
        "channels": [{
            "name": "telegram",
            "status": "connected",
            "reason": null,
            "last_contact_ms": null,
            "last_fault": null,
            "last_fault_ms": null,
            "interruptions": 0
        }],
        "database": {"ok": true}
    });
    assert_eq!(report, expected);
    bot.assert_clean();
}

#[tokio::test]
async fn cut_connection_is_told_within_seconds_and_its_return_too() {
    let (bot, window) = bot_with_window(&[]).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;

    bot.telegram
        .fail_when(|call| (call.method == "getUpdates").then_some(Fault::DropBefore));
    // The poll that is open is answered; the next one is cut.
    chat.says("are you there?");
    let (status, report) = health_until(&window, PATIENCE, |_, report| is(report, "waiting")).await;
    assert_eq!(status, 503);
    assert_eq!(report["status"], "degraded");
    let channel = &report["channels"][0];
    let reason = channel["reason"].as_str().unwrap();
    assert!(reason.starts_with("Telegram cannot be reached"), "{reason}");
    assert_eq!(channel["last_fault"], channel["reason"]);
    assert!(channel["last_fault_ms"].as_u64().unwrap() < 5000);
    assert_eq!(channel["interruptions"], 1);
    let (_, metrics) = get(&window, "/metrics").await;
    assert!(
        metrics.contains("sayso_channel_up{channel=\"telegram\"} 0"),
        "{metrics}"
    );

    bot.telegram.heal();
    let (status, report) =
        health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    assert_eq!(status, 200);
    let channel = &report["channels"][0];
    assert_eq!(channel["interruptions"], 1);
    assert!(channel["last_fault"].is_string(), "{channel}");
    assert!(channel["reason"].is_null(), "{channel}");
    let (_, metrics) = get(&window, "/metrics").await;
    for line in [
        "sayso_channel_up{channel=\"telegram\"} 1",
        "sayso_channel_interruptions_total{channel=\"telegram\"} 1",
    ] {
        assert!(metrics.contains(line), "no {line} in\n{metrics}");
    }
    chat.settles(|message| message.text == "ok: are you there?")
        .await;
}

#[tokio::test]
async fn poll_that_is_owed_an_answer_is_told() {
    let gate = Gate::new();
    let mut bot = TestBot::closed(&[("HTTP__LISTEN", "127.0.0.1:0")]).await;
    // The first poll asks to be held for a second; its connection lives, and nothing comes.
    bot.telegram
        .fail_next("getUpdates", Fault::Hold(gate.clone()));
    bot.start();
    let window = super::window_of(&bot).await;
    let (status, report) = health_until(&window, PATIENCE, |_, report| is(report, "waiting")).await;
    assert_eq!(status, 503);
    let reason = &report["channels"][0]["reason"];
    assert_eq!(reason, "Telegram cannot be reached: no answer in time");
    gate.open();
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
}

#[tokio::test]
async fn refused_token_is_told_with_its_reason() {
    let (_bot, window) = bot_with_window(&[
        ("CHANNELS__TELEGRAM__TOKEN", "1:wrong-but-well-formed"),
        ("CHANNELS__TELEGRAM__WORK__TOKEN", "2:another"),
        ("CHANNELS__TELEGRAM__WORK__API_URL", "http://127.0.0.1:9"),
    ])
    .await;
    let (status, report) = health_until(&window, PATIENCE, |_, report| is(report, "stopped")).await;
    assert_eq!(status, 503);
    let reason = report["channels"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("refuses the token"), "{reason}");
    assert!(!report.to_string().contains("wrong-but"), "{report}");
}

#[tokio::test]
async fn what_happens_is_counted() {
    let (bot, window) = bot_with_window(&[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "shell",
        json!({"command": "echo canary-of-the-command"}),
    )]);
    bot.model.says("Done, canary-of-the-answer.");
    chat.says("do it, canary-of-the-request");
    chat.settles(|message| message.text.starts_with("Done"))
        .await;
    let metrics = loop {
        let (status, metrics) = get(&window, "/metrics").await;
        assert_eq!(status, 200);
        // The outcome is on the wire before it is counted.
        if metrics.contains("sayso_outbox_done_total{state=\"sent\"}") {
            break metrics;
        }
        tokio::task::yield_now().await;
    };
    for line in [
        "sayso_turns_started_total 1",
        "sayso_turns_ended_total{outcome=\"replied\"} 1",
        "sayso_model_calls_total{provider=\"fake\",status=\"answered\"} 3",
        "sayso_model_call_seconds_count{provider=\"fake\"} 3",
        "sayso_tool_calls_total{tool=\"shell\",status=\"success\"} 1",
        "sayso_outbox_rows{state=\"unknown\"} 0",
        "sayso_inbox_waiting 0",
        "sayso_approvals_open 0",
        "sayso_database_up 1",
        "sayso_channel_up{channel=\"telegram\"} 1",
    ] {
        assert!(metrics.contains(line), "no {line} in\n{metrics}");
    }
    let resident = metrics
        .lines()
        .find_map(|line| line.strip_prefix("sayso_process_resident_bytes "));
    assert!(resident.unwrap().parse::<f64>().unwrap() > 1e6);
    let said = ["canary", bot.telegram.token(), "Ann"];
    assert!(!said.iter().any(|word| metrics.contains(word)), "{metrics}");
    bot.assert_clean();
}

#[tokio::test]
async fn open_card_is_counted() {
    let (bot, window) = bot_with_window(&[]).await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("shell", json!({"command": "touch it"}))]);
    chat.says("what time is it?");
    chat.hears_with(Message::asks).await;
    let (_, metrics) = get(&window, "/metrics").await;
    assert!(metrics.contains("sayso_approvals_open 1"), "{metrics}");
    bot.assert_clean();
}

#[tokio::test]
async fn every_figure_stands_in_the_reference() {
    let (bot, window) = bot_with_window(&[]).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let page = std::fs::read_to_string("docs/src/reference/metrics.md").unwrap();
    let (_, metrics) = get(&window, "/metrics").await;
    let names: Vec<&str> = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
        .collect();
    assert!(names.len() > 5, "{metrics}");
    for name in names {
        assert!(page.contains(&format!("`{name}")), "{name}");
    }
}

#[tokio::test]
async fn anything_else_is_not_there() {
    let (_bot, window) = bot_with_window(&[]).await;
    for path in ["/", "/health/", "/metrics/x", "/../sayso.db"] {
        assert_eq!(get(&window, path).await.0, 404, "{path}");
    }
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let posted = client.post(format!("http://{window}/health")).body("x");
    assert_eq!(posted.send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn endless_request_is_cut_off() {
    let (_bot, window) = bot_with_window(&[]).await;
    let mut stream = tokio::net::TcpStream::connect(&window).await.unwrap();
    stream.write_all(b"GET /health HTTP/1.1\r\n").await.unwrap();
    let mut heard = Vec::new();
    // Longer than one connection may live, and no longer than a test waits.
    let ended = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut heard)).await;
    assert!(ended.is_ok(), "the connection is still open");
    assert_eq!(get(&window, "/health").await.0, 200);
}

#[tokio::test]
async fn s9_slow_connections_do_not_delay_an_answer() {
    let (_bot, window) = bot_with_window(&[]).await;
    let mut held = Vec::new();
    for number in 0..120 {
        let mut stream = tokio::net::TcpStream::connect(&window).await.unwrap();
        // Some say nothing, some begin, some have their answer and stay.
        let beginning = [
            "",
            "GET /health HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\n\r\n",
        ];
        let beginning = beginning[number % 3].as_bytes();
        stream.write_all(beginning).await.unwrap();
        held.push(stream);
    }
    for path in ["/health", "/metrics", "/health"] {
        let began = std::time::Instant::now();
        assert_eq!(get(&window, path).await.0, 200);
        let took = began.elapsed();
        assert!(took < std::time::Duration::from_secs(2), "{path}: {took:?}");
    }
}

#[tokio::test]
async fn s9_a_head_has_five_seconds() {
    let (_bot, window) = bot_with_window(&[]).await;
    let mut stream = tokio::net::TcpStream::connect(&window).await.unwrap();
    stream.write_all(b"GET /health HTTP/1.1\r\n").await.unwrap();
    let began = std::time::Instant::now();
    let within = std::time::Duration::from_secs(7);
    let ended = tokio::time::timeout(within, stream.read_to_end(&mut Vec::new())).await;
    assert!(ended.is_ok(), "open for {:?}", began.elapsed());
}

#[tokio::test]
async fn s9_a_call_with_a_slow_body_holds_no_place() {
    let (_bot, window) = bot_with_window(&[]).await;
    let began = std::time::Instant::now();
    let mut trickling = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let mut stream = tokio::net::TcpStream::connect(&window).await.unwrap();
        let head = b"POST /hooks/abc HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n";
        stream.write_all(head).await.unwrap();
        trickling.spawn(async move {
            let (mut read, mut write) = stream.into_split();
            let mut heard = Vec::new();
            let trickle = async {
                while write.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                }
            };
            tokio::select! {
                _ = read.read_to_end(&mut heard) => {}
                () = trickle => {}
            }
            heard
        });
    }
    for _ in 0..3 {
        let asked = std::time::Instant::now();
        assert_eq!(get(&window, "/health").await.0, 200);
        let took = asked.elapsed();
        assert!(took < std::time::Duration::from_secs(2), "{took:?}");
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    // All are cut off as a slow head is, without an answer.
    while let Some(heard) = trickling.join_next().await {
        assert!(heard.unwrap().is_empty());
    }
    let took = began.elapsed();
    assert!(took < std::time::Duration::from_secs(8), "{took:?}");
}

#[tokio::test]
async fn taken_address_ends_the_start_with_its_reason() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let bot = TestBot::closed(&[("HTTP__LISTEN", &address)]).await;
    let ran = bot.command().stderr(Stdio::piped()).output().await.unwrap();
    assert_eq!(ran.status.code(), Some(1));
    let error = String::from_utf8(ran.stderr).unwrap();
    let expected =
        format!("error: cannot listen on {address} (`http.listen`): Address already in use");
    assert!(error.contains(&expected), "{error}");
    assert!(!bot.data().join("sayso.db").exists());
}

#[tokio::test]
async fn doctor_asks_the_sayso_that_runs() {
    let address = free_address().to_string();
    let mut bot = TestBot::closed(&[("HTTP__LISTEN", &address)]).await;
    let doctor = async |bot: &TestBot| {
        let mut command = bot.command();
        let ran = command.arg("doctor").stdout(Stdio::piped()).output().await;
        String::from_utf8(ran.unwrap().stdout).unwrap()
    };
    let said = doctor(&bot).await;
    assert!(
        said.contains(&format!("ok  running: nobody answers at {address}")),
        "{said}"
    );
    bot.start();
    let window = super::window_of(&bot).await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    let said = doctor(&bot).await;
    assert!(
        said.contains("ok  running: telegram is connected, last contact ")
            && said.contains(" s ago, interrupted 0 times"),
        "{said}"
    );
    bot.telegram
        .fail_when(|call| (call.method == "getUpdates").then_some(Fault::BadGateway));
    bot.direct().says("hello");
    health_until(&window, PATIENCE, |_, report| is(report, "waiting")).await;
    let said = doctor(&bot).await;
    assert!(
        said.contains("!!  running: telegram is waiting: Telegram cannot be reached"),
        "{said}"
    );
}

#[tokio::test]
async fn nothing_is_answered_unless_it_is_set() {
    let bot = TestBot::open().await;
    bot.telegram.waits_for_calls("getUpdates", 1).await;
    assert!(!bot.log().contains("serving health and metrics"));
    let here = CommandLine::new();
    here.write("sayso.toml", "[http]\nlisten = \"everywhere\"\n");
    let ran = here.run(&["run"], "").await;
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err.trim_end(),
        "error: ./sayso.toml:2: `http.listen` is `everywhere`, but must be an address and a port, such as `127.0.0.1:8484`"
    );
}
