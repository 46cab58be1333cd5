//! People who may only chat: no tools, few commands, and an owner who may let them in fully later.

use serde_json::json;

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    u15_who_may_only_chat_has_no_tools_also_after_a_restart_and_from_a_model_that_calls_one,
    u15_who_may_only_chat_has_few_commands_and_is_let_in_fully_by_a_button,
    u15_who_may_only_chat_can_be_blocked_later
);

/// Starts a bot on which Ann has let Bob chat and nothing else.
async fn chatting(platform: Platform) -> (TestBot, i64) {
    let bot = TestBot::on_with(platform, &[("ACCESS__ALLOW", "[]")]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    ann.says("/whoami");
    ann.hears().await;
    bob.says("hello?");
    bob.hears().await;
    let card = ann.hears().await;
    ann.press(&bot.ann, card.id, "Chat only").await;
    let card = ann
        .becomes(card.id, |message| message.text.starts_with('💬'))
        .await;
    assert_eq!(card.labels(), ["Allow tools too", "Block"]);
    bob.hears_with(|message| message.text.starts_with("You can chat with me now."))
        .await;
    (bot, card.id)
}

async fn answer_to(chat: &Chat, said: &str) -> String {
    chat.says(said);
    chat.hears().await.text
}

async fn u15_who_may_only_chat_has_no_tools_also_after_a_restart_and_from_a_model_that_calls_one(
    platform: Platform,
) {
    let (mut bot, _) = chatting(platform).await;
    for _ in 0..2 {
        let bob = bot.direct_with(&bot.bob);
        for (tool, arguments) in [
            ("shell", json!({"command": "touch made"})),
            ("file_write", json!({"path": "made", "content": "x"})),
            ("list_dir", json!({"path": "."})),
            ("memory_recall", json!({"query": "Ann"})),
            ("memory_store", json!({"text": "Bob likes tea."})),
        ] {
            bot.model.calls(vec![(tool, arguments)]);
            let done = format!("No {tool} after {}.", bot.model.requests().len());
            bot.model.says(&done);
            bob.says("remember that I like tea");
            bob.settles(|message| message.text == done).await;
            let request = bot.model.turn_requests().pop().unwrap();
            let (_, result) = request.tool_results().pop().unwrap();
            assert!(result.contains("may only chat"), "{tool}: {result}");
            assert!(request.tools().is_empty(), "{tool}");
        }
        assert!(bob.messages().iter().all(|message| !message.asks()));
        bot.restart().await;
    }
    let made = std::fs::read_dir(bot.data().join("workspaces")).unwrap();
    let mut made = made.map(|workspace| workspace.unwrap().path().join("made"));
    assert!(!made.any(|path| path.exists()));
    let facts = bot.rows("SELECT text FROM memories WHERE kind = 'fact'");
    assert!(facts.await.is_empty());
    bot.assert_clean();
}

async fn u15_who_may_only_chat_has_few_commands_and_is_let_in_fully_by_a_button(
    platform: Platform,
) {
    let (bot, card) = chatting(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    assert_eq!(answer_to(&bob, "how are you?").await, "ok: how are you?");
    let told = bot.without_accounts(&answer_to(&bob, "/whoami").await);
    insta::assert_snapshot!(told, @"You are Bob, a guest ((account of Bob)): you can chat with me, without my tools.");
    for command in [
        "/model",
        "/skills",
        "/autonomy",
        "/status",
        "/link",
        "/usage",
        "/undo",
    ] {
        let told = answer_to(&bob, command).await;
        assert!(
            told.starts_with("You can chat with me here, but"),
            "{command}: {told}"
        );
    }
    let help = answer_to(&bob, "/help details").await;
    assert!(
        help.contains("/forget") && !help.contains("/skills"),
        "{help}"
    );
    // Only an owner decides.
    let by_guest = ann.press(&bot.bob, card, "Allow tools too").await;
    assert!(by_guest.text.is_some());
    assert_eq!(ann.message(card).labels(), ["Allow tools too", "Block"]);
    ann.press(&bot.ann, card, "Allow tools too").await;
    ann.becomes(card, |message| message.text == "✅ Bob was let in.")
        .await;
    bob.hears_with(|message| message.text.starts_with("You may talk with me now."))
        .await;
    let told = answer_to(&bob, "/whoami").await;
    assert!(told.contains("member"), "{told}");
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.says("Looked.");
    bob.says("look");
    bob.settles(|message| message.text == "Looked.").await;
    let (_, result) = bot.model.turn_requests().pop().unwrap().tool_results()[0].clone();
    assert!(!result.contains("may only chat"), "{result}");
    bot.assert_clean();
}

async fn u15_who_may_only_chat_can_be_blocked_later(platform: Platform) {
    let (bot, card) = chatting(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    ann.press(&bot.ann, card, "Block").await;
    ann.becomes(card, |message| message.text == "🚫 Bob was blocked.")
        .await;
    bob.says("still there?");
    bot.has_heard_all().await;
    ann.says("and me?");
    ann.hears().await;
    assert_eq!(bob.unheard(), 0);
    bot.assert_clean();
}
