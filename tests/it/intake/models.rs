//! `/model`: which model is asked first in a conversation, and who may say so.

use sayso_fakes::{Gate, Message};

use crate::platform::{Chat, Platform, Trouble, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_model_is_chosen_for_one_conversation_and_kept,
    in_a_group_an_owner_chooses_for_everybody,
    a_model_is_chosen_by_a_button_also_after_a_restart,
    a_list_is_pressed_by_the_one_who_asked_for_it,
    a_list_is_pressed_before_sayso_knows_that_it_arrived,
    of_many_models_a_word_finds_some,
    a_chosen_model_that_fails_is_stood_in_for
);

const OFFERED: &[(&str, &str)] = &[("PROVIDERS__0__MODELS", "large, huge")];

async fn asks(chat: &Chat, text: &str) -> String {
    chat.says(text);
    chat.hears().await.text
}

/// Says something and returns the models that were asked for it, Phase 1 and Phase 2.
async fn answers(bot: &TestBot, chat: &Chat, text: &str) -> Vec<String> {
    let before = bot.model.requests().len();
    chat.says(text);
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let requests = bot.model.requests();
    let asked = requests.iter().skip(before);
    asked.map(|request| request.model().to_owned()).collect()
}

async fn a_model_is_chosen_for_one_conversation_and_kept(platform: Platform) {
    let mut bot = TestBot::on_with(platform, OFFERED).await;
    let ann = bot.direct();
    insta::assert_snapshot!(asks(&ann, "/model").await, @r"
    Models

    1. fake/fake-1
    2. fake/large
    3. fake/huge

    /model 2 has that one asked first in this conversation, /model auto follows the configuration.
    ");
    let usual = answers(&bot, &ann, "hello").await;
    assert!(usual.iter().all(|model| model == "fake-1"), "{usual:?}");
    let chosen = asks(&ann, "/model 2").await;
    assert!(chosen.starts_with("From now on fake/large"), "{chosen}");
    assert_eq!(answers(&bot, &ann, "hello").await, ["large", "large"]);
    bot.restart().await;
    bot.settles_in().await;
    assert_eq!(answers(&bot, &ann, "again").await, ["large", "large"]);
    let status = asks(&ann, "/status details").await;
    assert!(status.contains("model fake/large"), "{status}");
    let listed = asks(&ann, "/model").await;
    assert!(listed.contains("2. fake/large (chosen here)"), "{listed}");
    // Other conversations keep their model.
    let bob = bot.direct_with(&bot.bob);
    assert_eq!(answers(&bot, &bob, "hello").await, usual);
    let unknown = asks(&ann, "/model gigantic").await;
    assert!(unknown.contains("There is no model gigantic"), "{unknown}");
    asks(&ann, "/model auto").await;
    assert_eq!(answers(&bot, &ann, "hello").await, usual);
    bot.assert_clean();
}

async fn in_a_group_an_owner_chooses_for_everybody(platform: Platform) {
    let bot = TestBot::on_with(platform, OFFERED).await;
    let group = bot.group("Workshop");
    group.says_as(&bot.bob, "/model large");
    let told = group.hears().await.text;
    assert_eq!(told, "In a group only an owner can choose the model.");
    group.says_as(&bot.ann, "/model large");
    let told = group.hears().await.text;
    assert!(told.starts_with("From now on fake/large"), "{told}");
    bot.has_noted("SELECT 'set' FROM sessions WHERE model = 'fake/large'")
        .await;
    bot.assert_clean();
}

async fn a_chosen_model_that_fails_is_stood_in_for(platform: Platform) {
    let bot = TestBot::on_with(platform, OFFERED).await;
    bot.model.when(|request| {
        let refused = r#"{"error":{"message":"No such model."}}"#;
        (request.model() == "large").then(|| sayso_fakes::Answer::error(404, refused))
    });
    let ann = bot.direct();
    asks(&ann, "/model large").await;
    let asked = answers(&bot, &ann, "hello").await;
    assert_eq!(asked.first().map(String::as_str), Some("large"));
    assert_eq!(asked.last().map(String::as_str), Some("fake-1"));
    bot.assert_clean();
}

async fn a_model_is_chosen_by_a_button_also_after_a_restart(platform: Platform) {
    let mut bot = TestBot::on_with(platform, OFFERED).await;
    let ann = bot.direct();
    ann.says("/model");
    let list = ann.settles(Message::asks).await;
    assert!(list.button("✓ As configured").is_some(), "{list}");
    bot.has_noted("SELECT 'sent' FROM outbox WHERE purpose = 'notice' AND message IS NOT NULL")
        .await;
    bot.restart().await;
    let pressed = ann.press(&bot.ann, list.id, "2. fake/large").await;
    let told = platform
        .echo("From now on fake/large is asked first here; another one only when it fails.");
    assert_eq!(pressed.text.as_deref(), told);
    let list = ann
        .becomes(list.id, |message| {
            message.text.contains("2. fake/large (chosen here)")
        })
        .await;
    assert!(list.button("✓ 2. fake/large").is_some(), "{list}");
    assert_eq!(answers(&bot, &ann, "hello").await, ["large", "large"]);
    ann.press(&bot.ann, list.id, "As configured").await;
    ann.becomes(list.id, |message| !message.text.contains("chosen here"))
        .await;
    let usual = answers(&bot, &ann, "hello").await;
    assert!(usual.iter().all(|model| model == "fake-1"), "{usual:?}");
    bot.assert_clean();
}

async fn a_list_is_pressed_by_the_one_who_asked_for_it(platform: Platform) {
    let bot = TestBot::on_with(platform, OFFERED).await;
    let group = bot.group("Workshop");
    group.says_as(&bot.bob, "/model");
    let of_bob = group.hears().await;
    assert!(!of_bob.asks(), "{of_bob}");
    group.says_as(&bot.ann, "/model");
    let of_ann = group.hears().await;
    let refused = group.press(&bot.bob, of_ann.id, "2. fake/large").await;
    assert!(
        refused.text.as_deref().unwrap().contains("Somebody else"),
        "{refused:?}"
    );
    // Only now anything happens.
    group.press(&bot.ann, of_ann.id, "3. fake/huge").await;
    group
        .becomes(of_ann.id, |message| {
            message.text.contains("3. fake/huge (chosen here)")
        })
        .await;
    bot.has_noted("SELECT 'set' FROM sessions WHERE model = 'fake/huge'")
        .await;
    bot.assert_clean();
}

async fn a_list_is_pressed_before_sayso_knows_that_it_arrived(platform: Platform) {
    let bot = TestBot::on_with(platform, OFFERED).await;
    let ann = bot.direct();
    let known = Gate::new();
    bot.saying_fails_for("Models", Trouble::AnswerHeld(known.clone()));
    ann.says("/model");
    let list = ann.hears().await;
    ann.press(&bot.ann, list.id, "3. fake/huge").await;
    known.open();
    ann.becomes(list.id, |message| {
        message.text.contains("3. fake/huge (chosen here)")
    })
    .await;
    bot.assert_clean();
}

async fn of_many_models_a_word_finds_some(platform: Platform) {
    let names: Vec<String> = (1..=300).map(|number| format!("org/m-{number}")).collect();
    let names = names.join(", ");
    let bot = TestBot::on_with(platform, &[("PROVIDERS__0__MODELS", &names)]).await;
    let ann = bot.direct();
    ann.says("/model");
    let list = ann.hears().await;
    assert!(list.text.contains("18. fake/org/m-17\n"), "{list}");
    assert!(list.text.contains("… and 283 more: /model WORD"), "{list}");
    ann.says("/model M-29");
    let found = ann.hears().await;
    insta::assert_snapshot!(found.text, @r"
    Models

    30. fake/org/m-29
    291. fake/org/m-290
    292. fake/org/m-291
    293. fake/org/m-292
    294. fake/org/m-293
    295. fake/org/m-294
    296. fake/org/m-295
    297. fake/org/m-296
    298. fake/org/m-297
    299. fake/org/m-298
    300. fake/org/m-299

    /model 2 has that one asked first in this conversation, /model auto follows the configuration.
    ");
    ann.press(&bot.ann, found.id, "292. fake/org/m-291").await;
    // The chosen one is in every list.
    ann.becomes(found.id, |message| {
        message
            .text
            .contains("292. fake/org/m-291 (chosen here)\n… and 282 more")
    })
    .await;
    bot.assert_clean();
}
