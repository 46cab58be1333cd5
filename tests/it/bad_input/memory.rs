//! Memory that is damaged, too large, too much, from the future, or forgotten while it is looked
//! up: the turn goes on, and nothing is lost.

use sayso_fakes::{Answer, FakeEmbedder, Gate};
use serde_json::json;

use crate::house::House;
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
    let house = House::open().await;
    let ann = house.direct();
    remembers(&house, &ann, "Ann likes jasmine tea").await;
    house.change(DAMAGE).await;
    // The turn is still answered.
    asks(&house, &ann, "which tea do I like?").await;
    house.logs("the index of memories is damaged").await;
    house.logs("the index of memories is whole again").await;
    let system = asks(&house, &ann, "tell me about my jasmine").await;
    let memories = section(&system, "[相关记忆]");
    assert!(memories.contains("Ann likes jasmine tea"), "{system}");
    house.assert_clean();
}

#[tokio::test]
async fn what_is_remembered_over_a_damaged_index_is_kept() {
    let house = House::with(&[("AGENT__ROUTING", "off")]).await;
    let ann = house.direct();
    remembers(&house, &ann, "Ann likes jasmine tea").await;
    house.change(DAMAGE).await;
    remembers(&house, &ann, "Ann keeps one grey parrot").await;
    house.logs("the index of memories is whole again").await;
    for (question, fact) in [("parrot?", "one grey parrot"), ("jasmine?", "jasmine tea")] {
        let system = asks(&house, &ann, question).await;
        assert!(system.contains(fact), "{question}: {system}");
    }
    house.assert_clean();
}

#[tokio::test]
async fn what_the_index_lost_is_found_again_after_a_start() {
    let mut house = House::open().await;
    let ann = house.direct();
    remembers(&house, &ann, "Ann likes jasmine tea").await;
    house.stop().await;
    // As a kill between emptying and filling leaves it.
    house
        .write("INSERT INTO memory_words (memory_words) VALUES ('delete-all')")
        .await;
    house.start();
    house.logs("the index of memories is whole again").await;
    let system = asks(&house, &ann, "which tea do I like?").await;
    let memories = section(&system, "[相关记忆]");
    assert!(memories.contains("Ann likes jasmine tea"), "{system}");
    house.assert_clean();
}

#[tokio::test]
async fn lines_over_a_damaged_index_are_found_again() {
    let mut house = House::with(&[("AGENT__ROUTING", "off")]).await;
    let ann = house.direct();
    asks(&house, &ann, "the boiler is from 1998").await;
    // The damage comes when this turn has looked for what it may know, and before it ends.
    let gate = Gate::new();
    house
        .model
        .answers(Answer::text("ok: a parrot").held_by(&gate));
    ann.says("my parrot is called Kiki");
    house
        .model
        .waits_for(|request| request.mentions("my parrot is called Kiki"))
        .await;
    house.change(DAMAGE_OF_LINES).await;
    gate.open();
    ann.hears_with(|message| message.text == "ok: a parrot")
        .await;
    house.logs("it is tried again").await;
    house.stop().await;
    // Only what was said can bring it back, and the next try comes at once.
    house.write("DELETE FROM memories").await;
    let left_out = "SELECT CAST(count(*) AS TEXT) FROM unindexed_turns";
    assert_eq!(house.rows(left_out).await, ["1"]);
    house.write("UPDATE unindexed_turns SET due_ms = 0").await;
    house.start();
    house.logs("the index of lines is damaged").await;
    house.logs("the index of lines is whole again").await;
    house.has_indexed().await;
    ann.says("/new");
    ann.hears_with(|message| message.text.contains("new conversation"))
        .await;
    for (question, line) in [
        ("which boiler?", "from 1998"),
        ("what parrot?", "called Kiki"),
    ] {
        let system = asks(&house, &ann, question).await;
        assert!(
            section(&system, "[相关记忆]").contains(line),
            "{question}: {system}"
        );
    }
    house.assert_clean();
}

#[tokio::test]
async fn damaged_index_of_lines_is_made_anew_and_turns_go_on() {
    let house = House::with(&[("AGENT__ROUTING", "off")]).await;
    let ann = house.direct();
    asks(&house, &ann, "the boiler is from 1998").await;
    house.has_indexed().await;
    house.change("DELETE FROM memories").await;
    house.change(DAMAGE_OF_LINES).await;
    ann.says("/new");
    ann.hears_with(|message| message.text.contains("new conversation"))
        .await;
    asks(&house, &ann, "which boiler?").await;
    house.logs("the index of lines is damaged").await;
    house.logs("the index of lines is whole again").await;
    ann.says("/new");
    ann.hears_with(|message| message.text.contains("new conversation"))
        .await;
    let system = asks(&house, &ann, "how old is the boiler?").await;
    assert!(
        section(&system, "[相关记忆]").contains("from 1998"),
        "{system}"
    );
    house.assert_clean();
}

#[tokio::test]
async fn fact_of_a_megabyte_is_refused_with_the_limit() {
    let house = House::open().await;
    let ann = house.direct();
    // A model that only repeats itself would be cut off before.
    let numbers = (0..).map(|number: u32| format!("{number} "));
    let text: String = numbers
        .flat_map(String::into_bytes)
        .map(char::from)
        .take(1_000_000)
        .collect();
    house
        .model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    asks(&house, &ann, "remember all of this").await;
    let told = house.model.turn_requests().pop().unwrap();
    let told = told.last_tool_result();
    let length = text.trim().chars().count();
    let refusal = format!("`text` has {length} characters; at most 2000 are allowed");
    assert!(told.contains(&refusal), "{told}");
    let kept = house
        .rows("SELECT text FROM memories WHERE kind = 'fact'")
        .await;
    assert!(kept.is_empty(), "{kept:?}");
    house.assert_clean();
}

#[tokio::test]
async fn among_very_many_facts_the_one_is_found() {
    let mut house = House::open().await;
    let ann = house.direct();
    remembers(&house, &ann, "Ann has one grey parrot").await;
    house.stop().await;
    house.write(MANY).await;
    house.start();
    house.logs("the index of memories is whole again").await;
    // A word of nearly all of them, and one of a single one.
    let system = asks(&house, &ann, "is there tea from Darjeeling?").await;
    let memories = section(&system, "[相关记忆]");
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
    house.assert_clean();
}

#[tokio::test]
async fn clock_that_was_years_ahead_hides_nothing() {
    let embedder = FakeEmbedder::start().await;
    embedder.teaches(&["automobile", "car"]);
    let mut house = House::closed(&[("MEMORY__EMBEDDER__MODEL", "tiny")]).await;
    house.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    house.start();
    let ann = house.direct();
    remembers(&house, &ann, "Ann likes jasmine tea").await;
    house.has_noted("SELECT 'kept' FROM memory_vectors").await;
    house.stop().await;
    // Ten years ahead, also in its number, which is made of the time: as if the clock was set back
    // since.
    house.write("PRAGMA foreign_keys = OFF").await;
    house
        .write("UPDATE memories SET touched_ms = touched_ms + 315360000000, created_ms = created_ms + 315360000000")
        .await;
    house
        .write("INSERT INTO memories (id, owner_kind, owner_id, kind, text, turn_id, created_ms, touched_ms) SELECT id + (315360000000 << 20), owner_kind, owner_id, kind, text || ' in the future', turn_id, created_ms, touched_ms FROM memories WHERE kind = 'fact'")
        .await;
    house.start();
    house
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.text LIKE '%future'")
        .await;
    remembers(&house, &ann, "Ann owns one blue automobile").await;
    house
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.text LIKE '%blue automobile'")
        .await;
    for (question, fact) in [
        ("car?", "blue automobile"),
        ("which jasmine?", "tea in the future"),
    ] {
        let system = asks(&house, &ann, question).await;
        assert!(system.contains(fact), "{question}: {system}");
    }
    house.assert_clean();
}

#[tokio::test]
async fn what_is_forgotten_while_it_is_looked_up_is_in_no_prompt() {
    let embedder = FakeEmbedder::start().await;
    let mut house = House::closed(&[("MEMORY__EMBEDDER__MODEL", "tiny")]).await;
    house.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    house.start();
    let ann = house.direct();
    // What was said is found as well; this is only remembered.
    house.model.calls(vec![(
        "memory_store",
        json!({ "text": "Ann owns one blue automobile" }),
    )]);
    asks(&house, &ann, "keep that in mind").await;
    ann.says("/new");
    ann.hears_with(|message| message.text.contains("new conversation"))
        .await;
    house
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.kind = 'fact'")
        .await;
    house.settles_in().await;

    let gate = Gate::new();
    embedder.waits_at(&gate);
    let before = house.model.turn_requests().len();
    ann.says("what is blue?");
    // It is found by its words already, and its meaning is being asked for.
    embedder.waits_for_text("what is blue?").await;
    house
        .change("DELETE FROM memories WHERE text LIKE '%automobile%'")
        .await;
    gate.open();
    ann.hears_with(|message| message.text.starts_with("ok: what is blue?"))
        .await;
    let system = house.model.turn_requests()[before].told();
    assert!(!system.contains("automobile"), "{system}");
    house.assert_clean();
}
