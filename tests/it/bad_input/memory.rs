//! Memory that is damaged, too large, too much, from the future, or forgotten while it is looked
//! up: the turn goes on, and nothing is lost.

use sayso_fakes::{Answer, FakeEmbedder, Gate};
use serde_json::json;

use crate::test_bot::TestBot;
use crate::turns::remembering::{asks, remembers, section};

/// No page of an index begins so.
const DAMAGE: &str = "UPDATE memory_words_data SET block = x'ffffffffffffffff'";
const DAMAGE_OF_LINES: &str = "UPDATE line_words_data SET block = x'ffffffffffffffff'";

/// More facts than one look-up reads, of which only one is about this tea.
const MANY: &str = "
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 12000)
    INSERT INTO memories (owner_kind, owner_id, id, kind, text, turn_id, created_ms, touched_ms)
    SELECT 'user', (SELECT owner_id FROM memories WHERE owner_kind = 'user' LIMIT 1), number, 'fact',
           'drinks tea number ' || number || CASE number WHEN 6100 THEN ' from Darjeeling' ELSE '' END, 0, 1, 1
    FROM numbers";

#[tokio::test]
async fn damaged_index_is_made_anew_and_turns_go_on() {
    let bot = TestBot::open().await;
    let ann = bot.direct();
    remembers(&bot, &ann, "Ann likes jasmine tea").await;
    bot.change(DAMAGE).await;
    // The turn is still answered.
    asks(&bot, &ann, "which tea do I like?").await;
    bot.logs("search index of memories is damaged").await;
    bot.logs("search index of memories rebuilt").await;
    let system = asks(&bot, &ann, "tell me about my jasmine").await;
    let memories = section(&system, "[Related memories]");
    assert!(memories.contains("Ann likes jasmine tea"), "{system}");
    bot.assert_clean();
}

#[tokio::test]
async fn what_is_remembered_over_a_damaged_index_is_kept() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    let ann = bot.direct();
    remembers(&bot, &ann, "Ann likes jasmine tea").await;
    bot.change(DAMAGE).await;
    remembers(&bot, &ann, "Ann keeps one grey parrot").await;
    bot.logs("search index of memories rebuilt").await;
    for (question, fact) in [("parrot?", "one grey parrot"), ("jasmine?", "jasmine tea")] {
        let system = asks(&bot, &ann, question).await;
        assert!(system.contains(fact), "{question}: {system}");
    }
    bot.assert_clean();
}

#[tokio::test]
async fn what_the_index_lost_is_found_again_after_a_start() {
    let mut bot = TestBot::open().await;
    let ann = bot.direct();
    remembers(&bot, &ann, "Ann likes jasmine tea").await;
    bot.stop().await;
    // As a kill between emptying and filling leaves it.
    bot.write("INSERT INTO memory_words (memory_words) VALUES ('delete-all')")
        .await;
    bot.start();
    bot.logs("search index of memories rebuilt").await;
    let system = asks(&bot, &ann, "which tea do I like?").await;
    let memories = section(&system, "[Related memories]");
    assert!(memories.contains("Ann likes jasmine tea"), "{system}");
    bot.assert_clean();
}

#[tokio::test]
async fn lines_over_a_damaged_index_are_found_again() {
    let mut bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    let ann = bot.direct();
    asks(&bot, &ann, "the boiler is from 1998").await;
    // The damage comes when this turn has looked for what it may know, and before it ends.
    let gate = Gate::new();
    bot.model
        .answers(Answer::text("ok: a parrot").held_by(&gate));
    ann.says("my parrot is called Kiki");
    bot.model
        .waits_for(|request| request.mentions("my parrot is called Kiki"))
        .await;
    bot.change(DAMAGE_OF_LINES).await;
    gate.open();
    ann.hears_with(|message| message.text == "ok: a parrot")
        .await;
    bot.logs("cannot index the messages of a turn; retrying")
        .await;
    bot.stop().await;
    // Only what was said can bring it back, and the next try comes at once.
    bot.write("DELETE FROM memories").await;
    let left_out = "SELECT CAST(count(*) AS TEXT) FROM turns WHERE index_due_ms IS NOT NULL";
    assert_eq!(bot.rows(left_out).await, ["1"]);
    bot.write("UPDATE turns SET index_due_ms = 0 WHERE index_due_ms IS NOT NULL")
        .await;
    bot.start();
    bot.logs("search index of lines is damaged").await;
    bot.logs("search index of messages rebuilt").await;
    bot.has_indexed().await;
    ann.says("/new");
    ann.hears_with(|message| message.text.contains("New conversation"))
        .await;
    for (question, line) in [
        ("which boiler?", "from 1998"),
        ("what parrot?", "called Kiki"),
    ] {
        let system = asks(&bot, &ann, question).await;
        assert!(
            section(&system, "[Related memories]").contains(line),
            "{question}: {system}"
        );
    }
    bot.assert_clean();
}

#[tokio::test]
async fn damaged_index_of_lines_is_made_anew_and_turns_go_on() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    let ann = bot.direct();
    asks(&bot, &ann, "the boiler is from 1998").await;
    bot.has_indexed().await;
    bot.change("DELETE FROM memories").await;
    bot.change(DAMAGE_OF_LINES).await;
    ann.says("/new");
    ann.hears_with(|message| message.text.contains("New conversation"))
        .await;
    asks(&bot, &ann, "which boiler?").await;
    bot.logs("search index of lines is damaged").await;
    bot.logs("search index of messages rebuilt").await;
    ann.says("/new");
    ann.hears_with(|message| message.text.contains("New conversation"))
        .await;
    let system = asks(&bot, &ann, "how old is the boiler?").await;
    assert!(
        section(&system, "[Related memories]").contains("from 1998"),
        "{system}"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn fact_of_a_megabyte_is_refused_with_the_limit() {
    let bot = TestBot::open().await;
    let ann = bot.direct();
    // A model that only repeats itself would be cut off before.
    let numbers = (0..).map(|number: u32| format!("{number} "));
    let text: String = numbers
        .flat_map(String::into_bytes)
        .map(char::from)
        .take(1_000_000)
        .collect();
    bot.model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    asks(&bot, &ann, "remember all of this").await;
    let told = bot.model.turn_requests().pop().unwrap();
    let told = told.last_tool_result();
    let length = text.trim().chars().count();
    let refusal = format!("`text` has {length} characters; at most 2000 are allowed");
    assert!(told.contains(&refusal), "{told}");
    let kept = bot
        .rows("SELECT text FROM memories WHERE kind = 'fact'")
        .await;
    assert!(kept.is_empty(), "{kept:?}");
    bot.assert_clean();
}

#[tokio::test]
async fn among_very_many_facts_the_one_is_found() {
    let mut bot = TestBot::open().await;
    let ann = bot.direct();
    remembers(&bot, &ann, "Ann has one grey parrot").await;
    bot.stop().await;
    bot.write(MANY).await;
    bot.start();
    bot.logs("search index of memories rebuilt").await;
    // A word of nearly all of them, and one of a single one.
    let system = asks(&bot, &ann, "is there tea from Darjeeling?").await;
    let memories = section(&system, "[Related memories]");
    assert!(
        memories.contains("drinks tea number 6100 from Darjeeling"),
        "{memories}"
    );
    assert!(memories.lines().count() < 10, "{memories}");
    // A file takes 10,000 of them.
    ann.says("/memory export");
    let told = ann
        .hears_with(|message| message.text.starts_with("What I remember of you: 10000"))
        .await;
    assert!(told.text.contains("These are the newest"), "{}", told.text);
    bot.assert_clean();
}

#[tokio::test]
async fn clock_that_was_years_ahead_hides_nothing() {
    let embedder = FakeEmbedder::start().await;
    embedder.teaches(&["automobile", "car"]);
    let mut bot = TestBot::closed(&[("MEMORY__EMBEDDER__MODEL", "tiny")]).await;
    bot.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    bot.start();
    let ann = bot.direct();
    remembers(&bot, &ann, "Ann likes jasmine tea").await;
    bot.has_noted("SELECT 'kept' FROM memory_vectors").await;
    bot.stop().await;
    // Ten years ahead, also in its number, which is made of the time: as if the clock was set back
    // since.
    bot.write("PRAGMA foreign_keys = OFF").await;
    bot
        .write("UPDATE memories SET touched_ms = touched_ms + 315360000000, created_ms = created_ms + 315360000000")
        .await;
    bot
        .write("INSERT INTO memories (id, owner_kind, owner_id, kind, text, turn_id, created_ms, touched_ms) SELECT id + (315360000000 << 20), owner_kind, owner_id, kind, text || ' in the future', turn_id, created_ms, touched_ms FROM memories WHERE kind = 'fact'")
        .await;
    bot.start();
    bot
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.text LIKE '%future'")
        .await;
    remembers(&bot, &ann, "Ann owns one blue automobile").await;
    bot
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.text LIKE '%blue automobile'")
        .await;
    for (question, fact) in [
        ("car?", "blue automobile"),
        ("which jasmine?", "tea in the future"),
    ] {
        let system = asks(&bot, &ann, question).await;
        assert!(system.contains(fact), "{question}: {system}");
    }
    bot.assert_clean();
}

#[tokio::test]
async fn what_is_forgotten_while_it_is_looked_up_is_in_no_prompt() {
    let embedder = FakeEmbedder::start().await;
    let mut bot = TestBot::closed(&[("MEMORY__EMBEDDER__MODEL", "tiny")]).await;
    bot.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    bot.start();
    let ann = bot.direct();
    // What was said is found as well; this is only remembered.
    bot.model.calls(vec![(
        "memory_store",
        json!({ "text": "Ann owns one blue automobile" }),
    )]);
    asks(&bot, &ann, "keep that in mind").await;
    ann.says("/new");
    ann.hears_with(|message| message.text.contains("New conversation"))
        .await;
    bot
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.kind = 'fact'")
        .await;
    bot.settles_in().await;

    let gate = Gate::new();
    embedder.waits_at(&gate);
    let before = bot.model.turn_requests().len();
    ann.says("what is blue?");
    // It is found by its words already, and its meaning is being asked for.
    embedder.waits_for_text("what is blue?").await;
    bot.change("DELETE FROM memories WHERE text LIKE '%automobile%'")
        .await;
    gate.open();
    ann.hears_with(|message| message.text.starts_with("ok: what is blue?"))
        .await;
    let system = bot.model.turn_requests()[before].told();
    assert!(!system.contains("automobile"), "{system}");
    bot.assert_clean();
}
