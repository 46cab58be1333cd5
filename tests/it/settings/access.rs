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
