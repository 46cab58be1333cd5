//! Faults strike when and how the test says.

use sayso_fakes::{FakeTelegram, Fault, Gate};
use serde_json::json;

use crate::{Bot, said};

#[tokio::test]
async fn faults_strike_before_or_after_the_deed() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    telegram.fail_next("sendMessage", Fault::TooManyRequests { retry_after: 7 });
    telegram.fail_next("sendMessage", Fault::DropBefore);
    telegram.fail_next("sendMessage", Fault::DropAfter);
    telegram.fail_next("sendMessage", Fault::BadGateway);
    let limited = bot.call("sendMessage", said(101, "limited")).await;
    assert_eq!(limited["parameters"]["retry_after"], 7);
    assert!(
        bot.try_call("sendMessage", said(101, "lost"))
            .await
            .is_err()
    );
    assert!(
        bot.try_call("sendMessage", said(101, "said, but unknown"))
            .await
            .is_err()
    );
    assert!(
        bot.try_call("sendMessage", said(101, "a page"))
            .await
            .unwrap_err()
            .is_decode()
    );
    assert_eq!(chat.transcript(), "Sayso: said, but unknown");
    assert_eq!(telegram.count("sendMessage"), 4);

    telegram.fail_when(|call| (call.text("text") == "cursed").then_some(Fault::ServerError));
    assert_eq!(
        bot.call("sendMessage", said(101, "cursed")).await["error_code"],
        500
    );
    assert_eq!(
        bot.call("sendMessage", said(101, "blessed")).await["ok"],
        true
    );
}

#[tokio::test]
async fn a_gate_holds_a_call_until_opened() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    let gate = Gate::new();
    telegram.fail_next("sendMessage", Fault::Hold(gate.clone()));
    let sending = tokio::spawn(async move { bot.call("sendMessage", said(101, "held")).await });
    gate.reached_by(1).await;
    assert_eq!(chat.transcript(), "");
    gate.open();
    assert_eq!(sending.await.unwrap()["ok"], true);
    assert_eq!(chat.hears().await.text, "held");
}

#[tokio::test]
async fn limits_refuse_a_steady_excess() {
    let telegram = FakeTelegram::start().await;
    telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    telegram.enforce_limits(true);
    for _ in 0..5 {
        assert_eq!(bot.call("sendMessage", said(101, "x")).await["ok"], true);
    }
    let answer = bot.call("sendMessage", said(101, "x")).await;
    assert_eq!(
        (&answer["error_code"], &answer["parameters"]["retry_after"]),
        (&json!(429), &json!(1))
    );
}

#[tokio::test]
async fn a_server_that_goes_away_ends_open_polls() {
    let telegram = FakeTelegram::start().await;
    let bot = Bot::of(&telegram);
    let polling = tokio::spawn({
        let bot = bot.clone();
        async move { bot.try_call("getUpdates", json!({ "timeout": 30 })).await }
    });
    telegram.waits_for_calls("getUpdates", 1).await;
    drop(telegram);
    assert!(polling.await.unwrap().is_err());
    assert!(
        bot.try_call("getMe", json!({}))
            .await
            .unwrap_err()
            .is_connect()
    );
}
