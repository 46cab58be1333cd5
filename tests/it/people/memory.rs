//! What is recalled and forgotten before, between and after.

use serde_json::json;

use super::{Side, join, part, sides};
use crate::house::House;
use crate::platform::{Platform, on_both};

on_both!(
    memory_follows_the_person_from_the_link_to_the_unlink,
    what_the_other_account_said_can_be_forgotten_by_the_person_only,
    a_group_does_not_recall_what_a_linked_account_said,
    what_was_said_is_found_in_any_spelling
);

async fn memory_follows_the_person_from_the_link_to_the_unlink(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, bob) = sides(&house);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    remembers(&house, &bob, "the black tea is in the red tin").await;
    let alone = recalls(&house, &bob).await;
    assert!(alone.contains("red") && !alone.contains("blue"), "{alone}");

    join(&ann, &bob).await;
    for side in [&ann, &bob] {
        let both = recalls(&house, side).await;
        assert!(both.contains("red") && both.contains("blue"), "{both}");
    }
    remembers(&house, &bob, "the white tea is in the grey tin").await;
    let all = recalls(&house, &ann).await;
    assert!(all.contains("grey"), "{all}");

    part(&ann).await;
    let anns = recalls(&house, &ann).await;
    assert!(
        anns.contains("blue") && !anns.contains("red") && !anns.contains("grey"),
        "{anns}"
    );
    let bobs = recalls(&house, &bob).await;
    assert!(
        !bobs.contains("blue") && bobs.contains("red") && bobs.contains("grey"),
        "{bobs}"
    );
    house.assert_clean();
}

async fn what_the_other_account_said_can_be_forgotten_by_the_person_only(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, bob) = sides(&house);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    let query = json!({"query": "green tea blue tin"});
    assert_eq!(
        uses(&house, &bob, "memory_forget", query.clone()).await,
        "nothing remembered matches"
    );
    join(&ann, &bob).await;
    assert_eq!(
        uses(&house, &bob, "memory_forget", query).await,
        "forgotten: the green tea is in the blue tin"
    );
    let anns = recalls(&house, &ann).await;
    assert!(!anns.contains("(id"), "{anns}");
    house.assert_clean();
}

async fn what_was_said_is_found_in_any_spelling(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, _) = sides(&house);
    remembers(&house, &ann, "我每天早上喝綠茶").await;
    remembers(&house, &ann, "The ＧＡＲＡＧＥ holds a café chair").await;
    for (query, text) in [
        ("绿茶", "綠茶"),
        ("garages", "ＧＡＲＡＧＥ"),
        ("CAFE CHAIRS", "café"),
    ] {
        let found = uses(&house, &ann, "memory_recall", json!({"query": query})).await;
        assert!(found.contains(text), "{query}: {found}");
    }
    house.assert_clean();
}

async fn a_group_does_not_recall_what_a_linked_account_said(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, bob) = sides(&house);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    join(&ann, &bob).await;
    let group = Side {
        chat: house.group("Friends").with(&house.bob),
        person: house.bob.clone(),
    };
    house
        .model
        .calls(vec![("memory_recall", json!({"query": "tin tea"}))]);
    group.chat.says("@sayso_bot look it up");
    group
        .chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let found = house
        .model
        .turn_requests()
        .pop()
        .unwrap()
        .last_tool_result();
    assert!(found.starts_with("nothing remembered matches"), "{found}");
    house.assert_clean();
}

/// Has an account remember a text and nothing else of the turn.
pub(super) async fn remembers(house: &House, side: &Side, text: &str) {
    let told = uses(house, side, "memory_store", json!({ "text": text })).await;
    assert!(told.starts_with("remembered"), "{told}");
}

/// Returns what an account finds about tins of tea.
pub(super) async fn recalls(house: &House, side: &Side) -> String {
    uses(
        house,
        side,
        "memory_recall",
        json!({"query": "tin tea", "limit": 20}),
    )
    .await
}

/// Has the model use a tool for an account, in a conversation of its own, and returns the result.
pub(super) async fn uses(
    house: &House,
    side: &Side,
    tool: &str,
    arguments: serde_json::Value,
) -> String {
    house.model.calls(vec![(tool, arguments)]);
    side.chat.says("go on");
    side.chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    house
        .model
        .turn_requests()
        .pop()
        .unwrap()
        .last_tool_result()
}
