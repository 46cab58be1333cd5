//! Several keys of one service: one that is limited or revoked is replaced within the question, rests,
//! and is no secret to the owner.

use sayso_fakes::{Answer, FakeModel, ModelRequest};

use crate::test_bot::TestBot;

/// How the keys of the bot begin.
const KEY: &str = "sk-canary-of-the-house-";

/// A bot with three keys, of which the first is answered so.
async fn with_three_keys(failure: Answer) -> TestBot {
    let keys = ["1", "2", "3"].map(|number| format!("{KEY}{number}"));
    let bot = TestBot::with(&[
        ("PROVIDERS__0__API_KEY", ""),
        ("PROVIDERS__0__API_KEYS", &keys.join(",")),
        ("AGENT__ROUTING", "off"),
    ])
    .await;
    bot.model
        .when(move |request: &ModelRequest| request.key().ends_with("-1").then(|| failure.clone()));
    bot
}

/// Says something four times and returns the number of the key of each request.
async fn four_turns(bot: &TestBot) -> Vec<String> {
    let chat = bot.direct();
    for number in 1..=4 {
        let answer = format!("answer {number}");
        bot.model.says(&answer);
        chat.says(&format!("question {number}"));
        chat.settles(|message| message.text == answer).await;
    }
    let requests = bot.model.requests();
    let keys = requests.iter().map(|request| {
        let key = request.key().strip_prefix(KEY);
        key.unwrap().to_owned()
    });
    keys.collect()
}

#[tokio::test]
async fn a_key_that_is_limited_is_replaced_at_once_and_rests() {
    let bot = with_three_keys(Answer::too_many(600)).await;
    assert_eq!(four_turns(&bot).await, ["1", "2", "2", "3", "2"]);
    let told = bot.direct().messages();
    assert!(!told.iter().any(|message| message.text.contains("🔑")));
    bot.assert_clean();
}

#[tokio::test]
async fn a_key_that_was_revoked_is_put_aside_and_the_owner_is_told_once() {
    let revoked = r#"{"error":{"message":"This key was revoked.","code":"invalid_api_key"}}"#;
    let bot = with_three_keys(Answer::error(401, revoked)).await;
    let asked = four_turns(&bot).await;
    assert_eq!(asked, ["1", "2", "2", "3", "2"]);
    let owner = bot.direct();
    let told = owner
        .settles(|message| message.text.starts_with("🔑"))
        .await;
    insta::assert_snapshot!(told.text, @r"
    🔑 The model service fake does not accept key 1 of 3 any more, so I go on with the others.
    Please check it at the service and in [[providers]]; I try it again from time to time.
    ");
    let messages = owner.messages();
    let times = messages.iter().filter(|it| it.text.contains('🔑')).count();
    assert_eq!(times, 1, "{}", owner.transcript());
    assert!(!bot.log().contains(KEY), "a key is in the log");
    bot.assert_clean();
}

/// What fails whatever the key is not tried with each of them.
#[tokio::test]
async fn a_service_that_is_broken_is_asked_no_more_often_for_having_several_keys() {
    let spare = FakeModel::start().await;
    let mut bot = TestBot::closed(&[
        ("AGENT__ROUTING", "off"),
        ("PROVIDERS__0__API_KEY", ""),
        (
            "PROVIDERS__0__API_KEYS",
            "sk-one-of-the-house,sk-two-of-the-house",
        ),
        ("PROVIDERS__1__NAME", "spare"),
        ("PROVIDERS__1__BASE_URL", spare.url().as_str()),
        ("PROVIDERS__1__MODEL", "other"),
    ])
    .await;
    bot.start();
    bot.settles_in().await;
    bot.model.when(|_| Some(Answer::error(500, "oh")));
    spare.says("The spare is here.");
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "The spare is here.")
        .await;
    assert_eq!(bot.model.requests().len(), 3);
    bot.assert_clean();
}
