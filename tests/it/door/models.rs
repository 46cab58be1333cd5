//! `/model`: which model is asked first in a conversation, and who may say so.

use crate::house::House;
use crate::platform::{Chat, Platform, on_both};

on_both!(
    a_model_is_chosen_for_one_conversation_and_kept,
    in_a_group_an_owner_chooses_for_everybody,
    a_chosen_model_that_fails_is_stood_in_for
);

const OFFERED: &[(&str, &str)] = &[("PROVIDERS__0__MODELS", "large, huge")];

async fn asks(chat: &Chat, text: &str) -> String {
    chat.says(text);
    chat.hears().await.text
}

/// Says something and returns the models that were asked for it, Phase 1 and Phase 2.
async fn answers(house: &House, chat: &Chat, text: &str) -> Vec<String> {
    let before = house.model.requests().len();
    chat.says(text);
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let requests = house.model.requests();
    let asked = requests.iter().skip(before);
    asked.map(|request| request.model().to_owned()).collect()
}

async fn a_model_is_chosen_for_one_conversation_and_kept(platform: Platform) {
    let mut house = House::on_with(platform, OFFERED).await;
    let ann = house.direct();
    insta::assert_snapshot!(asks(&ann, "/model").await, @r"
    Models

    1. fake/fake-1
    2. fake/large
    3. fake/huge

    /model 2 has that one asked first in this conversation, /model auto follows the configuration.
    ");
    let usual = answers(&house, &ann, "hello").await;
    assert!(usual.iter().all(|model| model == "fake-1"), "{usual:?}");
    let chosen = asks(&ann, "/model 2").await;
    assert!(chosen.starts_with("From now on fake/large"), "{chosen}");
    assert_eq!(answers(&house, &ann, "hello").await, ["large", "large"]);
    house.restart().await;
    house.settles_in().await;
    assert_eq!(answers(&house, &ann, "again").await, ["large", "large"]);
    let status = asks(&ann, "/status").await;
    assert!(status.contains("model fake/large"), "{status}");
    let listed = asks(&ann, "/model").await;
    assert!(listed.contains("2. fake/large (chosen here)"), "{listed}");
    // Nobody else's conversation.
    let bob = house.direct_with(&house.bob);
    assert_eq!(answers(&house, &bob, "hello").await, usual);
    let unknown = asks(&ann, "/model gigantic").await;
    assert!(
        unknown.contains("no one model called gigantic"),
        "{unknown}"
    );
    asks(&ann, "/model auto").await;
    assert_eq!(answers(&house, &ann, "hello").await, usual);
    house.assert_clean();
}

async fn in_a_group_an_owner_chooses_for_everybody(platform: Platform) {
    let house = House::on_with(platform, OFFERED).await;
    let group = house.group("Workshop");
    group.says_as(&house.bob, "/model large");
    let told = group.hears().await.text;
    assert_eq!(told, "In a group only an owner can choose the model.");
    group.says_as(&house.ann, "/model large");
    let told = group.hears().await.text;
    assert!(told.starts_with("From now on fake/large"), "{told}");
    house
        .has_noted("SELECT 'set' FROM sessions WHERE model = 'fake/large'")
        .await;
    house.assert_clean();
}

async fn a_chosen_model_that_fails_is_stood_in_for(platform: Platform) {
    let house = House::on_with(platform, OFFERED).await;
    house.model.when(|request| {
        let refused = r#"{"error":{"message":"No such model."}}"#;
        (request.model() == "large").then(|| sayso_fakes::Answer::error(404, refused))
    });
    let ann = house.direct();
    asks(&ann, "/model large").await;
    let asked = answers(&house, &ann, "hello").await;
    assert_eq!(asked.first().map(String::as_str), Some("large"));
    assert_eq!(asked.last().map(String::as_str), Some("fake-1"));
    house.assert_clean();
}
