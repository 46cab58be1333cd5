//! A model server that hangs: before its first token, in the middle of an answer, in Phase 1, or
//! while connecting. The user gets an error or the answer of another service, and other users do
//! not wait.

use std::time::Duration;

use sayso_fakes::{Answer, FakeModel};
use tokio::net::TcpListener;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    others_are_answered_while_the_model_hangs_for_one,
    who_waits_for_a_full_pool_is_answered_when_what_hangs_is_given_up,
    an_answer_that_stalls_in_its_middle_is_given_up_and_said_so,
    an_answer_that_never_comes_to_its_end_is_cut_off,
    a_phase_one_that_hangs_is_done_without
);

/// What is said of a model that was given up.
const TOOK_TOO_LONG: &str = "⚠️ The model took too long to answer";

async fn others_are_answered_while_the_model_hangs_for_one(platform: Platform) {
    let bot = TestBot::on(platform).await;
    bot.model.when(|request| {
        let hangs = !request.is_routing() && request.mentions("think hard");
        hangs.then(Answer::hangs)
    });
    let chat = bot.direct();
    chat.says("think hard");
    bot.model.waits_for(|request| !request.is_routing()).await;
    let bobs = bot.direct_with(&bot.bob);
    for number in 1..=5 {
        bobs.says(&format!("hello {number}"));
        assert_eq!(bobs.hears().await.text, format!("ok: hello {number}"));
    }
    // Two minutes are not over, so nothing is said yet.
    let outcomes = chat.messages().into_iter();
    assert_eq!(
        outcomes
            .filter(|message| !message.silent && message.is_from_bot())
            .count(),
        0
    );
    chat.says("/stop");
    chat.settles(|message| message.text.contains("topped"))
        .await;
    bot.assert_clean();
}

async fn who_waits_for_a_full_pool_is_answered_when_what_hangs_is_given_up(platform: Platform) {
    let settings = [
        ("PROVIDERS__0__TIMEOUT_SECS", "3"),
        ("AGENT__CONCURRENT_TURNS", "1"),
        ("AGENT__ROUTING", "off"),
    ];
    let bot = TestBot::on_with(platform, &settings).await;
    bot.model
        .when(|request| request.mentions("think hard").then(Answer::hangs));
    let chat = bot.direct();
    chat.says("think hard");
    bot.model.waits_for_request(1).await;
    let bobs = bot.direct_with(&bot.bob);
    bobs.says("hello");
    bobs.settles(|message| message.text == "ok: hello").await;
    chat.settles(|message| message.text.starts_with(TOOK_TOO_LONG))
        .await;
    let asked: Vec<bool> = bot
        .model
        .requests()
        .iter()
        .map(|request| request.mentions("think hard"))
        .collect();
    assert_eq!(asked, [true, true, true, false], "three tries, then Bob's");
    chat.says("hello again");
    bot.assert_clean();
}

async fn an_answer_that_stalls_in_its_middle_is_given_up_and_said_so(platform: Platform) {
    let settings = [
        ("PROVIDERS__0__TIMEOUT_SECS", "1"),
        ("AGENT__ROUTING", "off"),
    ];
    let bot = TestBot::on_with(platform, &settings).await;
    let half = "The half of an answer that is long enough to be shown meanwhile. ".repeat(3);
    bot.model.answers(Answer::text(&half).silent_at_end());
    let chat = bot.direct();
    chat.says("tell me everything");
    let told = chat
        .settles(|message| message.text.starts_with(TOOK_TOO_LONG))
        .await;
    assert!(!told.text.contains("The half"), "{told}");
    assert_eq!(
        bot.model.requests().len(),
        1,
        "what was seen is not begun anew"
    );
    chat.says("and now?");
    chat.settles(|message| message.text == "ok: and now?").await;
    bot.assert_clean();
}

/// It says something in time again and again; an answer may take five times as long as a silence.
async fn an_answer_that_never_comes_to_its_end_is_cut_off(platform: Platform) {
    let settings = [
        ("PROVIDERS__0__TIMEOUT_SECS", "1"),
        ("AGENT__ROUTING", "off"),
    ];
    let bot = TestBot::on_with(platform, &settings).await;
    let words: Vec<String> = (0..400).map(|number| format!("word{number}")).collect();
    let slowly = Answer::text(words.join(" "))
        .chunks_of(8)
        .between_chunks(Duration::from_millis(400));
    bot.model.answers(slowly);
    let chat = bot.direct();
    chat.says("tell me everything");
    chat.settles(|message| message.text.starts_with(TOOK_TOO_LONG))
        .await;
    assert_eq!(bot.model.requests().len(), 1);
    chat.says("and now?");
    chat.settles(|message| message.text == "ok: and now?").await;
    bot.assert_clean();
}

async fn a_phase_one_that_hangs_is_done_without(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("PROVIDERS__0__TIMEOUT_SECS", "1")]).await;
    bot.model
        .when(|request| request.is_routing().then(Answer::hangs));
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_server_that_takes_connections_and_says_nothing_is_done_without() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let holding = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((connection, _)) = silent.accept().await {
            held.push(connection);
        }
    });
    let spare = FakeModel::start().await;
    let (dead, living) = (format!("http://{address}/v1"), spare.url());
    let bot = TestBot::with(&[
        ("AGENT__ROUTING", "off"),
        ("PROVIDERS__0__BASE_URL", &dead),
        ("PROVIDERS__0__TIMEOUT_SECS", "1"),
        ("PROVIDERS__1__NAME", "spare"),
        ("PROVIDERS__1__KIND", "openai"),
        ("PROVIDERS__1__BASE_URL", &living),
        ("PROVIDERS__1__MODEL", "spare-1"),
    ])
    .await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    holding.abort();
    spare.assert_clean();
}
