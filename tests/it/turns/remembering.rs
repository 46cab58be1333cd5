//! Memory: stored, recalled, and kept apart by person and group.

use serde_json::json;

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    what_was_remembered_is_in_view_when_it_matters,
    a_turn_is_remembered_by_its_summary,
    people_and_groups_are_remembered_apart,
    what_is_remembered_is_exported_to_whom_it_belongs,
    an_export_has_all_that_is_known_of_a_fact
);

async fn what_was_remembered_is_in_view_when_it_matters(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "Ann likes jasmine tea."}),
    )]);
    asks(&bot, &chat, "I like jasmine tea, remember that").await;
    chat.says("/new");
    chat.hears().await;
    let system = asks(&bot, &chat, "which tea do I like?").await;
    let memories = section(&system, "[Related memories]");
    assert!(memories.contains(": Ann likes jasmine tea."), "{memories}");
    let system = asks(&bot, &chat, "1 + 1").await;
    assert!(
        !system.contains("jasmine"),
        "what does not matter is not in view: {system}"
    );

    bot.model
        .calls(vec![("memory_recall", json!({"query": "tea"}))]);
    asks(&bot, &chat, "look it up").await;
    let found = bot.model.turn_requests().pop().unwrap().last_tool_result();
    assert!(found.contains("jasmine"), "{found}");
    bot.model.calls(vec![(
        "memory_forget",
        json!({"query": "likes jasmine tea"}),
    )]);
    asks(&bot, &chat, "forget about that").await;
    let forgotten = bot.model.turn_requests().pop().unwrap().last_tool_result();
    assert!(forgotten.starts_with("forgotten"), "{forgotten}");
    bot.assert_clean();
}

async fn a_turn_is_remembered_by_its_summary(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.says("A fine name for a cat.");
    chat.says("my cat is called Mia");
    chat.hears().await;
    chat.says("/new");
    chat.hears().await;
    let system = asks(&bot, &chat, "what is my cat called?").await;
    let memories = section(&system, "[Related memories]");
    assert!(
        memories.contains("my cat is called Mia → A fine name for a cat."),
        "{memories}"
    );
    bot.assert_clean();
}

async fn people_and_groups_are_remembered_apart(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let group = bot.group("Tea house").with(&bot.ann);
    remembers(&bot, &ann, "a secret tea: Ann drinks jasmine").await;
    remembers(&bot, &group, "@sayso_bot the tea of this house is oolong").await;

    let to_bob = asks(&bot, &bob, "which tea is the secret tea?").await;
    assert!(
        !to_bob.contains("jasmine") && !to_bob.contains("oolong"),
        "{to_bob}"
    );
    let in_group = asks(
        &bot,
        &group,
        "@sayso_bot which tea is the secret tea of this house?",
    )
    .await;
    assert!(
        !in_group.contains("jasmine") && in_group.contains("oolong"),
        "{in_group}"
    );
    let to_ann = asks(&bot, &ann, "which tea is the secret tea of this house?").await;
    assert!(
        to_ann.contains("jasmine") && !to_ann.contains(": @sayso_bot the tea of this house"),
        "{to_ann}"
    );
    assert!(
        to_ann.contains(", said in a group: Ann: "),
        "her own words are hers to find: {to_ann}"
    );
    bot.assert_clean();
}

async fn what_is_remembered_is_exported_to_whom_it_belongs(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let group = bot.group("Tea house").with(&bot.bob);
    remembers(&bot, &ann, "a secret tea: Ann drinks jasmine").await;
    remembers(&bot, &group, "@sayso_bot the tea of this house is oolong").await;
    bob.says("/memory export");
    bob.hears_with(|message| message.text == "I remember nothing here.")
        .await;

    ann.says("/memory export");
    ann.hears_with(|message| message.text == "What I remember of you: 2")
        .await;
    ann.hears_with(|message| named(message) == Some("memory.md"))
        .await;
    group.says("/memory export");
    let first = group
        .hears_with(|message| message.text == "What I remember of this group: 2")
        .await;
    assert_eq!(named(&first), Some("memory.json"));
    group
        .hears_with(|message| named(message) == Some("memory.md"))
        .await;
    let files = bot
        .rows(
            "SELECT part -> 'file' ->> 'text' FROM outbox
             WHERE part -> 'file' IS NOT NULL ORDER BY id",
        )
        .await;
    assert_eq!(files.len(), 4);
    let (anns, groups) = files.split_at(2);
    assert!(
        anns.iter()
            .all(|file| file.contains("jasmine") && !file.contains("oolong")),
        "{anns:?}"
    );
    assert!(
        groups
            .iter()
            .all(|file| file.contains("oolong") && !file.contains("jasmine")),
        "{groups:?}"
    );
    for file in [&anns[0], &groups[0]] {
        let list: serde_json::Value = serde_json::from_str(file).unwrap();
        assert_eq!(list.as_array().unwrap().len(), 2);
    }
    bot.assert_clean();
}

async fn an_export_has_all_that_is_known_of_a_fact(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, group) = (bot.direct(), bot.group("Tea house").with(&bot.ann));
    ann.says("/memory profile I am Ann, and I bake.");
    ann.hears_with(|message| message.text.starts_with("Noted in your words."))
        .await;
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "Lives in Berlin", "topic": "profile", "valid_until": "2031-12-31"}),
    )]);
    asks(&bot, &ann, "remember where I live").await;
    let id = "SELECT CAST(id AS TEXT) FROM memories WHERE kind = 'fact'";
    let id = bot.rows(id).await.remove(0);
    bot.model.calls(vec![(
        "memory_update",
        json!({"id": id, "text": "Lives in Oslo"}),
    )]);
    asks(&bot, &ann, "I moved").await;
    bot.change(
        "UPDATE memories SET source = 'learned', confidence = 80, topic = 'project',
                 valid_from_ms = 1767225600000, recalls = 2
             WHERE text = 'Lives in Oslo'",
    )
    .await;
    ann.says("/memory export");
    ann.hears_with(|message| named(message) == Some("memory.md"))
        .await;
    let exported = "SELECT part -> 'file' ->> 'text' FROM outbox
        WHERE part -> 'file' IS NOT NULL ORDER BY id";
    let [json, markdown] = bot.rows(exported).await.try_into().unwrap();
    let list: serde_json::Value = serde_json::from_str(&json).unwrap();
    let list = list.as_array().unwrap();
    let (profile, rows) = list.split_first().unwrap();
    assert_eq!(profile["kind"], "profile");
    assert_eq!(profile["source"], "written");
    assert_eq!(profile["text"], "I am Ann, and I bake.");
    let of = |text: &str| rows.iter().find(|row| row["text"] == text).unwrap();
    let (berlin, oslo) = (of("Lives in Berlin"), of("Lives in Oslo"));
    for (row, topic, source, confidence) in [
        (berlin, "profile", "told", 100),
        (oslo, "project", "learned", 80),
    ] {
        assert_eq!(row["topic"], topic);
        assert_eq!(row["source"], source);
        assert_eq!(row["confidence"], confidence);
    }
    assert_eq!(berlin["superseded_by"], oslo["id"]);
    assert!(berlin["valid_until"].is_string() && berlin["valid_from"].is_null());
    assert!(oslo["superseded_by"].is_null() && oslo["valid_until"].is_null());
    assert_eq!(oslo["valid_from"], "2026-01-01T00:00:00Z");
    assert_eq!(oslo["recalls"], 2);

    assert!(
        markdown.contains("## Your profile, in your words\n\n- "),
        "{markdown}"
    );
    assert!(markdown.contains(": I am Ann, and I bake.\n"), "{markdown}");
    let line = |text: &str| markdown.lines().find(|line| line.contains(text)).unwrap();
    let (berlin, oslo) = (line(": Lives in Berlin"), line(": Lives in Oslo"));
    for detail in [
        "(told to remember, profile, until 20",
        ", replaced by: Lives in Oslo)",
    ] {
        assert!(berlin.contains(detail), "{berlin}");
    }
    let details = "(learned, 80 % sure, project, since 2026-01-01, recalled 2 times)";
    assert!(oslo.ends_with(details), "{oslo}");

    group.says("/memory export");
    group
        .hears_with(|message| message.text == "I remember nothing here.")
        .await;
    bot.assert_clean();
}

/// Returns the name of the file of a message.
fn named(message: &sayso_fakes::Message) -> Option<&str> {
    message.file.as_ref().map(|file| file.name.as_str())
}

/// Has this said and remembered, and then begins anew, so that only memory can bring it back.
pub async fn remembers(bot: &TestBot, chat: &Chat, text: &str) {
    bot.model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    asks(bot, chat, text).await;
    chat.says("/new");
    chat.hears_with(|message| message.text.contains("New conversation"))
        .await;
}

/// Says something, and returns the system prompt of its turn once it was answered.
pub async fn asks(bot: &TestBot, chat: &Chat, text: &str) -> String {
    let before = bot.model.turn_requests().len();
    chat.says(text);
    // A live message begins with the same words.
    chat.hears_with(|message| message.text.starts_with("ok:") && !message.is_live())
        .await;
    bot.model.turn_requests()[before].told()
}

/// Returns the lines of a section of the prompt.
pub fn section(system: &str, heading: &str) -> String {
    let lines = system.lines().skip_while(|line| !line.starts_with(heading));
    lines
        .take_while(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}
