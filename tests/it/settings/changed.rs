//! What an owner changes of the configuration in chat: asked about, from the next start on, and taken
//! back.

use serde_json::{Value, json};

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_change_is_asked_about_and_holds_from_the_next_start_on,
    a_change_is_taken_back,
    a_no_changes_nothing,
    no_one_but_owners_reads_or_changes_the_configuration,
    what_would_open_something_is_refused_before_anybody_is_asked
);

/// Has the model call the tool; its answer is `done`.
fn calls(bot: &TestBot, arguments: Value) {
    bot.model.calls(vec![("config", arguments)]);
    bot.model.says("done");
}

fn set(key: &str, value: &str) -> Value {
    json!({"action": "set", "key": key, "value": value})
}

/// Has the owner change something with a yes.
async fn changes(bot: &TestBot, chat: &Chat, arguments: Value) -> String {
    calls(bot, arguments);
    let before = chat.messages().len();
    chat.says("change the configuration");
    let card = chat
        .settles(|message| message.button("Approve").is_some())
        .await;
    let shown = card.text.clone();
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.sees(|messages| messages.len() > before + 1 && ends_with_done(messages))
        .await;
    shown
}

fn ends_with_done(messages: &[sayso_fakes::Message]) -> bool {
    let last = messages.iter().rfind(|message| message.is_from_bot());
    last.is_some_and(|message| message.text == "done")
}

/// What the model read as the last result.
async fn told(bot: &TestBot, chat: &Chat, arguments: Value) -> String {
    calls(bot, arguments);
    let before = chat.messages().len();
    chat.says("show me the settings");
    chat.sees(|messages| messages.len() > before + 1 && ends_with_done(messages))
        .await;
    bot.model.requests().pop().unwrap().last_tool_result()
}

/// How many calls of the model a greeting takes.
async fn calls_for_a_greeting(bot: &TestBot, chat: &Chat) -> usize {
    bot.model.forget_requests();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    bot.model.requests().len()
}

async fn a_change_is_asked_about_and_holds_from_the_next_start_on(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let shown = changes(&bot, &chat, set("agent.routing", "off")).await;
    assert!(
        shown.contains(r#"agent.routing: "two_phase" → "off""#),
        "{shown}"
    );
    let show = json!({"action": "show", "key": "agent.routing"});
    let now = told(&bot, &chat, show).await;
    insta::assert_snapshot!(now, @r#"
    agent.routing = "two_phase" (from the next start on: "off") [may be changed in chat]
    agent.routing_messages = 6 [may be changed in chat]
    "#);
    bot.restart().await;
    assert_eq!(calls_for_a_greeting(&bot, &chat).await, 1);
    chat.says("/status details");
    chat.settles(|message| {
        message
            .text
            .contains("Changed in chat by an owner: agent.routing = off")
    })
    .await;
    let check = bot
        .command()
        .args(["config", "check"])
        .stdout(std::process::Stdio::piped())
        .output()
        .await
        .unwrap();
    let check = String::from_utf8(check.stdout).unwrap();
    assert!(
        check.contains("changed in chat: agent.routing = off"),
        "{check}"
    );
    bot.assert_clean();
}

async fn a_change_is_taken_back(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    changes(&bot, &chat, set("agent.routing", "off")).await;
    bot.restart().await;
    let shown = changes(&bot, &chat, json!({"action": "undo"})).await;
    assert!(
        shown.contains(r#"agent.routing: "off" → "two_phase""#),
        "{shown}"
    );
    bot.restart().await;
    assert_eq!(calls_for_a_greeting(&bot, &chat).await, 2);
    let nothing = told(&bot, &chat, json!({"action": "undo"})).await;
    assert!(
        nothing.contains("there is no such change to undo"),
        "{nothing}"
    );
    bot.assert_clean();
}

async fn a_no_changes_nothing(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__AUTONOMY", "full")]).await;
    let chat = bot.direct();
    calls(&bot, set("agent.max_steps", "12"));
    chat.says("change the configuration");
    let card = chat
        .settles(|message| message.button("Deny").is_some())
        .await;
    assert!(card.button("Always this exact command").is_none(), "{card}");
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.becomes(card.id, |message| !message.asks()).await;
    assert!(
        bot.rows("SELECT key FROM changed_settings")
            .await
            .is_empty()
    );
}

async fn no_one_but_owners_reads_or_changes_the_configuration(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let bob = bot.direct_with(&bot.bob);
    for arguments in [
        json!({"action": "show"}),
        set("language", "en"),
        json!({"action": "undo"}),
    ] {
        let refused = told(&bot, &bob, arguments).await;
        assert!(
            refused.contains("by owners of this Sayso alone"),
            "{refused}"
        );
    }
    bot.assert_clean();
}

async fn what_would_open_something_is_refused_before_anybody_is_asked(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for (key, value, why) in [
        ("policy.allow_network", "true", "is not changed in chat"),
        ("access.allow", "[]", "is not changed in chat"),
        ("agent.autonomy", "full", "no higher than what is written"),
        ("budget.turn_tokens", "0", "above 0 and at most 2000000"),
        (
            "agent.max_steps",
            "many",
            "must be a whole number from 1 to 30",
        ),
    ] {
        let refused = told(&bot, &chat, set(key, value)).await;
        assert!(refused.contains(why), "{key}: {refused}");
    }
    let all = told(&bot, &chat, json!({"action": "show"})).await;
    assert!(
        all.contains("providers.0.api_key = (a secret, which is set)"),
        "{all}"
    );
    assert!(!all.contains("sk-canary"), "{all}");
    bot.assert_clean();
}

#[tokio::test]
async fn what_the_operator_forbids_later_has_no_effect_and_is_said() {
    let mut bot = TestBot::with(&[("BUDGET__TURN_TOKENS", "1000000")]).await;
    let chat = bot.direct();
    changes(&bot, &chat, set("budget.turn_tokens", "2000000")).await;
    bot.stop().await;
    bot.set("BUDGET__TURN_TOKENS", "500000");
    bot.start();
    bot.settles_in().await;
    bot.logs("the configuration no longer allows it").await;
    let show = json!({"action": "show", "key": "budget.turn_tokens"});
    let now = told(&bot, &chat, show).await;
    assert!(now.starts_with("budget.turn_tokens = 500000 "), "{now}");
    let doctor = bot
        .command()
        .arg("doctor")
        .stdout(std::process::Stdio::piped())
        .output()
        .await
        .unwrap();
    let doctor = String::from_utf8(doctor.stdout).unwrap();
    assert!(
        doctor.contains("changed in chat, but without effect: budget.turn_tokens = 2000000"),
        "{doctor}"
    );
    bot.assert_clean();
}
