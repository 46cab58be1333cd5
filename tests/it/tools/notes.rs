//! Notes and whole texts that are kept: the vault.

use sayso_fakes::Message;
use serde_json::{Value, json};

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    what_is_kept_is_found_again_by_its_owner_only,
    entries_of_one_title_stand_beside_each_other,
    nearly_the_same_is_not_the_same,
    what_is_kept_is_exported_and_erased
);

/// Has the model call a tool, and returns what it was told.
async fn told(bot: &TestBot, chat: &Chat, tool: &str, arguments: Value) -> String {
    bot.model.calls(vec![(tool, arguments)]);
    let done = format!("Done after {}.", bot.model.requests().len());
    bot.model.says(&done);
    chat.says("keep this");
    chat.settles(|message| message.text.ends_with(&done)).await;
    let result = bot.model.requests().pop().unwrap().last_tool_result();
    // Names of memories are numbers of the moment.
    match result.split_once(" (id ") {
        Some((text, _)) => text.to_owned(),
        None => result,
    }
}

fn guide() -> Value {
    let text = "Everything about quince.\n\n# Jam\nBoil the quince with marzipan sugar.\n\n# Jelly\nStrain it through linen.";
    json!({"title": "Quince guide", "text": text})
}

/// Asks something, and returns what the model saw of it in its prompt.
async fn in_view(bot: &TestBot, chat: &Chat, question: &str) -> String {
    chat.says(question);
    chat.settles(|message| message.text.contains(question))
        .await;
    bot.model.turn_requests().pop().unwrap().told()
}

async fn what_is_kept_is_found_again_by_its_owner_only(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    insta::assert_snapshot!(told(&bot, &ann, "save_to_vault", guide()).await, @"saved as vault/quince-guide.md (3 passages)");
    let note = json!({"text": "buy linen for the zither"});
    insta::assert_snapshot!(told(&bot, &ann, "quick_note", note).await, @"noted in vault/notes.md");
    ann.says("/new");
    ann.settles(|message| !message.text.starts_with("Done"))
        .await;
    let to_ann = in_view(&bot, &ann, "how was marzipan used?").await;
    assert!(
        to_ann.contains("vault/quince-guide.md, Quince guide › Jam: Boil"),
        "{to_ann}"
    );
    let to_ann = in_view(&bot, &ann, "what was that zither thing?").await;
    assert!(to_ann.contains("buy linen for the zither"), "{to_ann}");
    let to_bob = in_view(&bot, &bob, "marzipan zither?").await;
    assert!(!to_bob.contains("vault/"), "{to_bob}");
    bot.assert_clean();
}

async fn entries_of_one_title_stand_beside_each_other(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let ann = bot.direct();
    told(&bot, &ann, "save_to_vault", guide()).await;
    let second = json!({"title": "quince GUIDE!", "text": "Another one."});
    insta::assert_snapshot!(told(&bot, &ann, "save_to_vault", second).await, @"saved as vault/quince-guide-2.md (1 passages)");
    bot.assert_clean();
}

async fn nearly_the_same_is_not_the_same(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let ann = bot.direct();
    let entry = |title: &str, text: &str| json!({"title": title, "text": text});
    // A fact that says the same in other words, and entries whose names begin alike.
    let fact = json!({"text": "vault/tea.md, Tea: green tea is hot"});
    told(&bot, &ann, "memory_store", fact).await;
    for (number, title) in ["Tea 2", "Tea", "tea!"].into_iter().enumerate() {
        let saved = told(
            &bot,
            &ann,
            "save_to_vault",
            entry(title, "Green tea is hot!"),
        )
        .await;
        let name = ["tea-2.md", "tea-3.md", "tea-4.md"][number];
        assert_eq!(saved, format!("saved as vault/{name} (1 passages)"));
    }
    let doubled = "# One\nSame words.\n# Two\nSame words.";
    let saved = told(&bot, &ann, "save_to_vault", entry("Doubled", doubled)).await;
    assert_eq!(saved, "saved as vault/doubled.md (2 passages)");
    let texts = bot
        .rows("SELECT text FROM memories WHERE text LIKE 'vault/%' ORDER BY text")
        .await;
    insta::assert_snapshot!(texts.join("\n"), @r"
    vault/doubled.md, Doubled › One: Same words.
    vault/doubled.md, Doubled › Two: Same words.
    vault/tea-2.md, Tea 2: Green tea is hot!
    vault/tea-3.md, Tea: Green tea is hot!
    vault/tea-4.md, tea!: Green tea is hot!
    vault/tea.md, Tea: green tea is hot
    ");
    bot.assert_clean();
}

async fn what_is_kept_is_exported_and_erased(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let ann = bot.direct();
    told(&bot, &ann, "save_to_vault", guide()).await;
    ann.says("/memory export");
    let export = ann
        .hears_with(|message| {
            message
                .file
                .as_ref()
                .is_some_and(|file| file.name == "memory.md")
        })
        .await;
    let export = String::from_utf8(ann.files_of(export.id).concat()).unwrap();
    assert!(export.contains("vault/quince-guide.md"), "{export}");
    ann.says("/forget everything");
    let card = ann.hears_with(Message::asks).await;
    ann.press(&bot.ann, card.id, "Erase everything").await;
    bot.has_noted(
        "SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM memories WHERE text LIKE 'vault/%')",
    )
    .await;
    bot.assert_clean();
}
