//! Signed calls of a webhook.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::json;

use super::{bot_with, makes, report};
use crate::health::window_of;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_signed_call_starts_a_run_and_its_key_is_shown_once,
    calls_without_a_right_signature_are_refused,
    a_call_that_was_accepted_runs_once_whenever_sayso_is_killed
);

/// A webhook, as its callers know it.
struct Webhook {
    url: String,
    key: Vec<u8>,
}

/// How a call is made.
#[derive(Clone)]
struct Call<'a> {
    id: &'a str,
    /// Seconds since 1970.
    at: u64,
    body: &'a [u8],
}

fn now_secs() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs()
}

fn call<'a>(id: &'a str, body: &'a str) -> Call<'a> {
    Call {
        id,
        at: now_secs(),
        body: body.as_bytes(),
    }
}

impl Webhook {
    fn signature(&self, call: &Call<'_>) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.key);
        let signed = [format!("{}.{}.", call.id, call.at).as_bytes(), call.body].concat();
        format!("v1,{}", STANDARD.encode(hmac::sign(&key, &signed)))
    }

    async fn takes(&self, call: &Call<'_>) -> u16 {
        self.answers(call, &self.signature(call)).await.0
    }

    /// Waits until it can be called.
    async fn opens(&self) {
        let (_, rest) = self.url.split_once("http://").unwrap();
        let (address, _) = rest.split_once('/').unwrap();
        let deadline = tokio::time::Instant::now() + crate::test_bot::PATIENCE;
        while tokio::net::TcpStream::connect(address).await.is_err() {
            assert!(
                tokio::time::Instant::now() < deadline,
                "{address} is not open"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Returns the status, and after how many seconds to come again.
    async fn answers(&self, call: &Call<'_>, signature: &str) -> (u16, Option<String>) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client
            .post(&self.url)
            .header("webhook-id", call.id)
            .header("webhook-timestamp", call.at.to_string())
            .header("webhook-signature", signature)
            .body(call.body.to_vec());
        let answer = request.send().await.unwrap();
        let again = answer.headers().get("retry-after");
        let again = again.map(|it| it.to_str().unwrap().to_owned());
        (answer.status().as_u16(), again)
    }
}

async fn bot_with_listener(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let address = crate::test_bot::free_address().to_string();
    let listen = [("HTTP__LISTEN", address.as_str())];
    bot_with(platform, &[&listen, settings].concat()).await
}

/// Has Ann make a routine with a webhook, and takes its address and key from what she is shown.
async fn webhook(bot: &TestBot, chat: &Chat, prompt: &str) -> Webhook {
    let card = makes(
        bot,
        chat,
        false,
        json!({"on_webhook": true, "name": "ci"}),
        prompt,
    )
    .await;
    assert!(card.contains("Starts when its webhook is called"), "{card}");
    let shown = chat
        .settles(|message| message.text.contains("/hooks/"))
        .await;
    let (_, path) = shown.text.split_once("POST ").unwrap();
    let path: String = path
        .chars()
        .take_while(|it| *it == '/' || it.is_ascii_alphanumeric())
        .collect();
    let blocks = chat.code_blocks(shown.id);
    let [key] = blocks.as_slice() else {
        panic!("{blocks:?} in {shown}");
    };
    let address = window_of(bot).await;
    Webhook {
        url: format!("http://{address}{path}"),
        key: STANDARD.decode(key.trim()).unwrap(),
    }
}

async fn a_signed_call_starts_a_run_and_its_key_is_shown_once(platform: Platform) {
    let bot = bot_with_listener(platform, &[]).await;
    let chat = bot.direct();
    let hook = webhook(&bot, &chat, "say what broke").await;
    bot.model.says("The linter broke.");
    let first = call("msg_1", r#"{"build": 17, "state": "red"}"#);
    assert_eq!(hook.takes(&first).await, 202);
    let read = report(&bot, &chat, "The linter broke.").await;
    // The request is JSON, in which the body is quoted once more.
    assert!(read.contains(r#"> {\"build\": 17"#), "{read}");
    assert!(read.contains("text from outside"), "{read}");
    // The same again is known, and starts nothing.
    assert_eq!(hook.takes(&first).await, 200);
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'done'")
        .await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(bot.rows("SELECT state FROM routine_runs").await, ["done"]);
    // The model never saw the key, and the log has nothing of it.
    let key = STANDARD.encode(&hook.key);
    for request in bot.model.requests() {
        assert!(
            !serde_json::to_string(request.messages())
                .unwrap()
                .contains(&key)
        );
    }
    assert!(!bot.log().contains(&key));
    // Off, calls are turned away.
    let id = bot.rows("SELECT '' || id FROM routines").await.remove(0);
    bot.model
        .calls(vec![("routine", json!({"action": "disable", "id": id}))]);
    bot.model.says("It is off.");
    chat.says("switch it off");
    chat.settles(|message| message.text == "It is off.").await;
    assert_eq!(hook.takes(&call("msg_2", "x")).await, 410);
    bot.assert_clean();
}

async fn calls_without_a_right_signature_are_refused(platform: Platform) {
    let bot = bot_with_listener(platform, &[("ROUTINES__ENABLED", "false")]).await;
    let chat = bot.direct();
    let hook = webhook(&bot, &chat, "say what broke").await;
    let good = call("msg_1", "hello");
    let signature = hook.signature(&good);
    let refused = |call: Call<'static>, signature: String| {
        let hook = &hook;
        async move { hook.answers(&call, &signature).await.0 }
    };
    for wrong in [
        "",
        "v1,",
        "v1,AAAA",
        "v2,AAAA",
        &signature[..20],
        &signature[3..],
    ] {
        let hello = Call {
            id: "msg_1",
            at: good.at,
            body: b"hello",
        };
        assert_eq!(refused(hello, wrong.to_owned()).await, 401, "{wrong}");
    }
    // Another body, another id, another time, another routine.
    let of = |id, at, body| Call { id, at, body };
    for other in [
        of("msg_1", good.at, b"hellp"),
        of("msg_2", good.at, b"hello"),
        of("msg_1", good.at + 1, b"hello"),
    ] {
        assert_eq!(refused(other, signature.clone()).await, 401);
    }
    let elsewhere = Webhook {
        url: format!("{}1", hook.url),
        key: hook.key.clone(),
    };
    assert_eq!(elsewhere.takes(&good).await, 401);
    // Signed rightly, but too long ago or ahead.
    for at in [now_secs() - 301, now_secs() + 302, 0] {
        let stale = Call { at, ..good.clone() };
        assert_eq!(hook.takes(&stale).await, 401, "{at}");
    }
    let large = vec![b'x'; 2 << 20];
    let large = Call {
        body: &large,
        ..good.clone()
    };
    assert_eq!(hook.takes(&large).await, 413);
    let no_text = Call {
        body: b"\xff\xfe",
        ..good.clone()
    };
    assert_eq!(hook.takes(&no_text).await, 400);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let read = client.get(&hook.url).send().await.unwrap();
    assert_eq!(read.status().as_u16(), 405);
    // A second signature may be the right one, while a sender changes its key.
    let two = format!("v1,AAAA {signature}");
    assert_eq!(hook.answers(&good, &two).await.0, 202);
    // A flood is turned away, with when to come again.
    let mut answers = Vec::new();
    for number in 0..40 {
        let id = format!("flood_{number}");
        let call = call(&id, "x");
        answers.push(hook.answers(&call, &hook.signature(&call)).await);
    }
    let turned_away: Vec<_> = answers
        .iter()
        .filter(|(status, _)| *status == 429)
        .collect();
    assert!(turned_away.len() >= 8, "{answers:?}");
    for (_, again) in turned_away {
        let again: u64 = again.as_deref().unwrap().parse().unwrap();
        assert!((1..=60).contains(&again), "{again}");
    }
    let taken = answers.iter().filter(|(status, _)| *status == 202).count();
    let kept = bot.rows("SELECT key FROM routine_events").await;
    assert_eq!(kept.len(), taken + 1);
    bot.assert_clean();
}

async fn a_call_that_was_accepted_runs_once_whenever_sayso_is_killed(platform: Platform) {
    let settings = [("ROUTINES__TRIGGERED_PER_HOUR", "60")];
    let mut bot = bot_with_listener(platform, &settings).await;
    let chat = bot.direct();
    let hook = webhook(&bot, &chat, "note it").await;
    // Nothing is started while it is accepted, so the kill comes in between.
    bot.stop().await;
    bot.set("ROUTINES__ENABLED", "false");
    bot.start();
    hook.opens().await;
    assert_eq!(hook.takes(&call("between", "call number 0.")).await, 202);
    bot.kill().await;
    bot.set("ROUTINES__ENABLED", "true");
    bot.start();
    hook.opens().await;
    let calls = 8;
    for number in 1..=calls {
        let (id, body) = (format!("msg_{number}"), format!("call number {number}."));
        assert_eq!(hook.takes(&call(&id, &body)).await, 202);
        tokio::time::sleep(Duration::from_millis(number * 37 % 300)).await;
        bot.kill().await;
        bot.start();
        hook.opens().await;
        // A sender whose answer was lost sends again.
        assert_eq!(hook.takes(&call(&id, &body)).await, 200);
    }
    bot.has_noted(
        "SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM routine_events WHERE run_id IS NULL)
             AND NOT EXISTS (SELECT 1 FROM routine_runs WHERE ended_ms IS NULL)",
    )
    .await;
    let events = bot
        .rows("SELECT text FROM routine_events ORDER BY id")
        .await;
    assert_eq!(events, vec![""; calls as usize + 1], "texts are forgotten");
    let wanted: Vec<String> = (0..=calls).map(|it| format!("call number {it}.")).collect();
    // Each is in the words of one turn.
    let heard = bot
        .rows("SELECT body FROM journal WHERE kind = 'heard'")
        .await;
    for text in wanted {
        let turns = heard.iter().filter(|body| body.contains(&text)).count();
        assert_eq!(turns, 1, "{text}");
    }
    let runs = bot
        .rows("SELECT '' || sum(occurrences) FROM routine_runs")
        .await;
    assert_eq!(runs, [(calls + 1).to_string()]);
    bot.assert_clean();
}
