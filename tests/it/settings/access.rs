//! `[access]`: who owns, who may come in, and who may ask to.

use sayso_fakes::Message;
use serde_json::json;

use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("access.owners", owner_may_lower_the_autonomy),
    ("access.allow", who_is_not_listed_is_a_stranger),
    ("access.pairing", without_pairing_the_owner_is_not_asked),
    ("access.autonomy", an_account_has_the_level_of_its_entry),
    (
        "access.messages_per_minute",
        messages_beyond_the_rate_are_skipped_with_one_notice,
    ),
    (
        "access.commands_per_minute",
        commands_have_a_rate_of_their_own,
    ),
];

#[tokio::test]
pub async fn owner_may_lower_the_autonomy() {
    let bot = TestBot::open().await;
    let (ann, bob) = (bot.direct(), bot.telegram.direct(&bot.bob));
    bob.says("/autonomy read_only");
    assert_eq!(bob.hears().await.text, "Only an owner can change this.");
    ann.says("/autonomy read_only");
    let answer = ann.hears().await;
    assert!(
        answer.text.starts_with("I only look, and change nothing."),
        "{answer}"
    );

    let bot = TestBot::with(&[
        ("ACCESS__OWNERS", "telegram:102"),
        ("ACCESS__ALLOW", "telegram:101"),
    ])
    .await;
    let ann = bot.direct();
    ann.says("/autonomy read_only");
    assert_eq!(ann.hears().await.text, "Only an owner can change this.");
}

#[tokio::test]
pub async fn who_is_not_listed_is_a_stranger() {
    let bot = TestBot::with(&[("ACCESS__ALLOW", "")]).await;
    let bob = bot.telegram.direct(&bot.bob);
    bob.says("hello");
    let answer = bob.hears().await;
    assert!(answer.text.contains("I do not know you"), "{answer}");
    assert_eq!(bot.model.requests().len(), 0);

    let bot = TestBot::with(&[("ACCESS__ALLOW", "telegram:*")]).await;
    let bob = bot.telegram.direct(&bot.bob);
    bot.model.says("Hello Bob!");
    bob.says("hello");
    bob.settles(|message| message.text == "Hello Bob!").await;
    bot.assert_clean();
}

/// Bob is a stranger, and Ann has written before: returns the replies to both.
async fn meets_a_stranger(pairing: &str) -> (String, usize) {
    let bot = TestBot::with(&[("ACCESS__ALLOW", ""), ("ACCESS__PAIRING", pairing)]).await;
    let (ann, bob) = (bot.direct(), bot.telegram.direct(&bot.bob));
    ann.says("/whoami");
    ann.hears().await;
    bob.says("let me in");
    let told = bob.hears().await.text;
    if pairing == "true" {
        ann.hears_with(|message| message.button("Allow").is_some())
            .await;
    }
    let cards = ann
        .messages()
        .iter()
        .filter(|message| message.asks())
        .count();
    assert_eq!(bot.model.requests().len(), 0);
    bot.assert_clean();
    (told, cards)
}

#[tokio::test]
pub async fn without_pairing_the_owner_is_not_asked() {
    let (told, cards) = meets_a_stranger("true").await;
    assert!(told.contains("I have asked my owner"), "{told}");
    assert_eq!(cards, 1);

    let (told, cards) = meets_a_stranger("false").await;
    assert!(told.contains("If you know my owner, ask them"), "{told}");
    assert_eq!(cards, 0);
}

#[tokio::test]
pub async fn an_account_has_the_level_of_its_entry() {
    let command = || vec![("shell", json!({"command": "touch ran"}))];
    let bot = TestBot::with(&[("ACCESS__AUTONOMY", "telegram:102=read_only")]).await;
    let (ann, bob) = (bot.direct(), bot.telegram.direct(&bot.bob));
    bot.model.calls(command());
    bot.model.says("I may not.");
    bob.says("run it");
    bob.settles(|message| message.text == "I may not.").await;
    let refused = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(
        refused.contains("the autonomy level is `read_only`"),
        "{refused}"
    );
    bot.model.calls(command());
    ann.says("run it");
    ann.hears_with(Message::asks).await;
    bot.assert_clean();
}

/// Returns whether a message says that others were skipped.
fn is_skipped(message: &Message) -> bool {
    message.text.starts_with("I skipped your last")
}

#[tokio::test]
pub async fn messages_beyond_the_rate_are_skipped_with_one_notice() {
    let settings = [
        ("AGENT__ROUTING", "off"),
        ("ACCESS__MESSAGES_PER_MINUTE", "2"),
    ];
    let bot = TestBot::with(&settings).await;
    let ann = bot.direct();
    for number in 1..=4 {
        ann.says(&format!("message {number}"));
    }
    bot.has_heard_all().await;
    ann.says("/whoami");
    ann.hears_with(|message| message.text.contains("telegram:101"))
        .await;
    ann.settles(is_skipped).await;
    ann.settles(|message| message.text == "ok: message 2").await;
    bot.has_said_all().await;
    let messages = ann.messages();
    let notices: Vec<_> = messages.iter().filter(|it| is_skipped(it)).collect();
    let [notice] = &notices[..] else {
        panic!("{notices:?}");
    };
    let said = "I skipped your last 2 messages: too many came within a minute.";
    assert!(notice.text.starts_with(said), "{notice}");
    for skipped in ["ok: message 3", "ok: message 4"] {
        assert!(messages.iter().all(|message| message.text != skipped));
    }
    bot.assert_clean();
}

#[tokio::test]
pub async fn commands_have_a_rate_of_their_own() {
    let settings = [
        ("AGENT__ROUTING", "off"),
        ("ACCESS__COMMANDS_PER_MINUTE", "1"),
    ];
    let bot = TestBot::with(&settings).await;
    let ann = bot.direct();
    ann.says("/whoami");
    ann.hears_with(|message| message.text.contains("telegram:101"))
        .await;
    ann.says("/whoami");
    ann.says("hello");
    ann.settles(|message| message.text == "ok: hello").await;
    ann.settles(is_skipped).await;
    let answers = ann.messages();
    let answers = answers.iter().filter(|it| it.text.contains("telegram:101"));
    assert_eq!(answers.count(), 1);
    bot.assert_clean();
}
