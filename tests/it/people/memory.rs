//! What is recalled and forgotten before, between and after.

use serde_json::json;

use super::{Side, join, part, sides};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    memory_follows_the_person_from_the_link_to_the_unlink,
    what_the_other_account_said_can_be_forgotten_by_the_person_only,
    a_group_does_not_recall_what_a_linked_account_said,
    what_was_said_is_found_in_any_spelling,
    row18_a_fact_and_its_conversation_are_listed_once_and_forgotten_together
);

async fn memory_follows_the_person_from_the_link_to_the_unlink(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    remembers(&bot, &bob, "the black tea is in the red tin").await;
    let alone = recalls(&bot, &bob).await;
    assert!(alone.contains("red") && !alone.contains("blue"), "{alone}");

    join(&ann, &bob).await;
    for side in [&ann, &bob] {
        let both = recalls(&bot, side).await;
        assert!(both.contains("red") && both.contains("blue"), "{both}");
    }
    remembers(&bot, &bob, "the white tea is in the grey tin").await;
    let all = recalls(&bot, &ann).await;
    assert!(all.contains("grey"), "{all}");

    part(&ann).await;
    let anns = recalls(&bot, &ann).await;
    assert!(
        anns.contains("blue") && !anns.contains("red") && !anns.contains("grey"),
        "{anns}"
    );
    let bobs = recalls(&bot, &bob).await;
    assert!(
        !bobs.contains("blue") && bobs.contains("red") && bobs.contains("grey"),
        "{bobs}"
    );
    bot.assert_clean();
}

async fn row18_a_fact_and_its_conversation_are_listed_once_and_forgotten_together(
    platform: Platform,
) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    bot.has_noted("SELECT kind FROM memories WHERE kind = 'episode'")
        .await;
    ann.chat.says("/memory");
    let list = ann
        .chat
        .settles(|message| message.button("Forget 1").is_some())
        .await;
    assert!(list.text.starts_with("I remember one thing:"), "{list}");
    assert_eq!(list.labels(), ["Forget 1"], "{list}");
    ann.presses(&list, "Forget 1").await;
    ann.closes(&list, "I remember nothing about you yet.").await;
    assert_eq!(bot.rows("SELECT kind FROM memories").await, [""; 0]);
    bot.assert_clean();
}

async fn what_the_other_account_said_can_be_forgotten_by_the_person_only(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    let query = json!({"query": "green tea blue tin"});
    assert_eq!(
        uses(&bot, &bob, "memory_forget", query.clone()).await,
        "nothing remembered matches"
    );
    join(&ann, &bob).await;
    assert_eq!(
        uses(&bot, &bob, "memory_forget", query).await,
        "forgotten: the green tea is in the blue tin"
    );
    let anns = recalls(&bot, &ann).await;
    assert!(!anns.contains("(id"), "{anns}");
    bot.assert_clean();
}

async fn what_was_said_is_found_in_any_spelling(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    remembers(&bot, &ann, "我每天早上喝綠茶").await;
    remembers(&bot, &ann, "The ＧＡＲＡＧＥ holds a café chair").await;
    for (query, text) in [
        ("绿茶", "綠茶"),
        ("garages", "ＧＡＲＡＧＥ"),
        ("CAFE CHAIRS", "café"),
    ] {
        let found = uses(&bot, &ann, "memory_recall", json!({"query": query})).await;
        assert!(found.contains(text), "{query}: {found}");
    }
    bot.assert_clean();
}

async fn a_group_does_not_recall_what_a_linked_account_said(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    join(&ann, &bob).await;
    let group = Side {
        chat: bot.group("Friends").with(&bot.bob),
        person: bot.bob.clone(),
    };
    bot.model
        .calls(vec![("memory_recall", json!({"query": "tin tea"}))]);
    group.chat.says("@sayso_bot look it up");
    group
        .chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let found = bot.model.turn_requests().pop().unwrap().last_tool_result();
    assert!(found.starts_with("nothing remembered matches"), "{found}");
    bot.assert_clean();
}

/// Has an account remember a text and nothing else of the turn.
pub(super) async fn remembers(bot: &TestBot, side: &Side, text: &str) {
    let told = uses(bot, side, "memory_store", json!({ "text": text })).await;
    assert!(told.starts_with("remembered"), "{told}");
}

/// Returns what an account finds about tins of tea.
pub(super) async fn recalls(bot: &TestBot, side: &Side) -> String {
    uses(
        bot,
        side,
        "memory_recall",
        json!({"query": "tin tea", "limit": 20}),
    )
    .await
}

/// Has the model use a tool for an account, in a conversation of its own, and returns the result.
pub(super) async fn uses(
    bot: &TestBot,
    side: &Side,
    tool: &str,
    arguments: serde_json::Value,
) -> String {
    bot.model.calls(vec![(tool, arguments)]);
    side.chat.says("go on");
    side.chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    bot.model.turn_requests().pop().unwrap().last_tool_result()
}
