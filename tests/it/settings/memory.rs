//! `[memory.embedder]`: what is asked for the meaning of a memory, where, how, and for how long.
//! `[memory]`: how long what is remembered is kept.
//! `[memory.learning]`: whether and when facts are learned, and whether that is said.

use sayso_fakes::{FakeEmbedder, Gate, TinyModel};
use serde_json::json;

use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("memory.keep_episodes_days", what_is_old_goes_by_its_kind),
    ("memory.keep_learned_days", what_is_old_goes_by_its_kind),
    ("memory.keep_told_days", what_is_old_goes_by_its_kind),
    ("memory.keep_lines_days", lines_of_old_are_found_no_more),
    (
        "memory.fade_after_days",
        what_is_unsure_and_never_used_fades,
    ),
    (
        "memory.fade_below_confidence",
        what_is_unsure_and_never_used_fades,
    ),
    ("memory.embedder.base_url", request_is_as_configured),
    ("memory.embedder.api_key", key_opens_the_server),
    ("memory.embedder.model", request_is_as_configured),
    (
        "memory.embedder.directory",
        directory_holds_a_model_of_our_own,
    ),
    ("memory.embedder.dimensions", request_is_as_configured),
    (
        "memory.embedder.min_similarity",
        only_what_is_near_enough_is_found,
    ),
    (
        "memory.embedder.timeout_secs",
        silent_embedder_is_given_up_in_time,
    ),
    (
        "memory.learning.enabled",
        nothing_is_learned_where_that_is_off,
    ),
    (
        "memory.learning.idle_secs",
        a_session_is_learned_from_once_it_was_idle_so_long,
    ),
    (
        "memory.learning.note",
        without_notes_what_was_learned_is_not_said,
    ),
];

/// Builds a bot with an embedder, and the embedder.
async fn closed(settings: &[(&str, &str)]) -> (TestBot, FakeEmbedder) {
    let embedder = FakeEmbedder::start().await;
    let mut bot = TestBot::closed(&[("MEMORY__EMBEDDER__MODEL", "tiny")]).await;
    bot.set("MEMORY__EMBEDDER__BASE_URL", &embedder.url());
    for (key, value) in settings {
        bot.set(key, value);
    }
    (bot, embedder)
}

/// Has this remembered.
async fn remembers(bot: &TestBot, text: &str) {
    let chat = bot.direct();
    bot.model
        .calls(vec![("memory_store", json!({ "text": text }))]);
    chat.says("remember it");
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
}

/// That anything came to this server is what `base_url` does.
#[tokio::test]
pub async fn request_is_as_configured() {
    let (mut bot, embedder) = closed(&[
        ("MEMORY__EMBEDDER__MODEL", "the-small-one"),
        ("MEMORY__EMBEDDER__DIMENSIONS", "48"),
    ])
    .await;
    bot.start();
    remembers(&bot, "tea is at four").await;
    embedder.waits_for_text("tea is at four").await;
    for body in embedder.bodies() {
        assert_eq!(body["model"], "the-small-one");
        assert_eq!(body["dimensions"], 48);
    }
    bot.has_noted("SELECT 'kept' FROM memory_vectors WHERE length(bytes) = 48")
        .await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn key_opens_the_server() {
    let (mut bot, embedder) = closed(&[("MEMORY__EMBEDDER__API_KEY", "sk-embed-1234")]).await;
    embedder.requires_key("sk-embed-1234");
    bot.start();
    remembers(&bot, "tea is at four").await;
    bot.has_noted("SELECT 'kept' FROM memory_vectors").await;

    bot.stop().await;
    bot.set("MEMORY__EMBEDDER__API_KEY", "sk-another-5678");
    bot.start();
    remembers(&bot, "cake is at five").await;
    bot.logs("Incorrect API key provided").await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn only_what_is_near_enough_is_found() {
    let (mut bot, embedder) = closed(&[("MEMORY__EMBEDDER__MIN_SIMILARITY", "0.3")]).await;
    embedder.teaches(&["automobile", "car"]);
    bot.start();
    remembers(&bot, "one blue automobile").await;
    bot
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.kind = 'fact'")
        .await;
    assert!(sees_it(&bot).await);
    bot.stop().await;
    bot.set("MEMORY__EMBEDDER__MIN_SIMILARITY", "0.95");
    bot.start();
    assert!(!sees_it(&bot).await);
    bot.assert_clean();
}

/// Tells whether the memory is found by another word.
async fn sees_it(bot: &TestBot) -> bool {
    let chat = bot.direct();
    bot.model
        .calls(vec![("memory_recall", json!({ "query": "car" }))]);
    chat.says("look it up");
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let request = bot.model.turn_requests().pop().unwrap();
    request.last_tool_result().contains("one blue automobile")
}

#[tokio::test]
pub async fn silent_embedder_is_given_up_in_time() {
    let (mut bot, embedder) = closed(&[("MEMORY__EMBEDDER__TIMEOUT_SECS", "1")]).await;
    embedder.waits_at(&Gate::new());
    bot.start();
    remembers(&bot, "tea is at four").await;
    bot.logs("the model did not answer within 1 s").await;
    bot.assert_clean();
}

/// Leaves one memory of each kind that was last said 40 days ago.
async fn with_old_memories(settings: &[(&str, &str)]) -> TestBot {
    let mut bot = TestBot::closed(settings).await;
    bot.start();
    remembers(&bot, "tea is at four").await;
    bot.has_noted("SELECT 'kept' FROM memories WHERE kind = 'episode'")
        .await;
    bot.stop().await;
    bot.write(
        "INSERT INTO memories (id, owner_kind, owner_id, kind, text, turn_id, created_ms,
                                   touched_ms, source, confidence)
             SELECT m.id + 1 + c.key, m.owner_kind, m.owner_id, 'fact', 'learned ' || c.value,
                    m.turn_id, m.created_ms, m.touched_ms, 'learned', c.value
             FROM memories m, json_each('[50, 90]') c WHERE m.kind = 'fact'",
    )
    .await;
    bot.write("UPDATE memories SET touched_ms = touched_ms - 40 * 24 * 3600 * 1000")
        .await;
    bot
}

/// Starts Sayso with these settings, and checks which memories are left.
async fn keeps(bot: &mut TestBot, settings: &[(&str, &str)], left: &[&str]) {
    for (key, value) in settings {
        bot.set(key, value);
    }
    bot.start();
    let kinds = async || {
        bot.rows(
            "SELECT coalesce(source, kind) || ' ' || confidence FROM memories
                 ORDER BY coalesce(source, kind), confidence",
        )
        .await
    };
    for _ in 0..3_000 {
        if kinds().await.len() == left.len() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(kinds().await, left, "{settings:?}");
    bot.stop().await;
}

#[tokio::test]
pub async fn what_is_old_goes_by_its_kind() {
    let mut bot = with_old_memories(&[("MEMORY__FADE_AFTER_DAYS", "0")]).await;
    let all = ["episode 100", "learned 50", "learned 90", "told 100"];
    let younger = [
        ("MEMORY__KEEP_EPISODES_DAYS", "30"),
        ("MEMORY__KEEP_LEARNED_DAYS", "50"),
        ("MEMORY__KEEP_TOLD_DAYS", "50"),
    ];
    keeps(&mut bot, &younger, &all[1..]).await;
    keeps(&mut bot, &[("MEMORY__KEEP_LEARNED_DAYS", "30")], &all[3..]).await;
    keeps(&mut bot, &[("MEMORY__KEEP_TOLD_DAYS", "30")], &[]).await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn lines_of_old_are_found_no_more() {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    for said in [
        "the boiler is from 1998",
        "the boiler was dear",
        "the boiler is loud",
    ] {
        chat.says(said);
        chat.hears().await;
        bot.has_indexed().await;
        // What is said next is so much younger.
        bot.change("UPDATE lines SET at_ms = at_ms - 20 * 24 * 3600 * 1000")
            .await;
    }
    bot.stop().await;
    // Each word has the mark of its owner.
    let words = "SELECT 'one' FROM line_words WHERE line_words MATCH
                     (SELECT group_concat(printf('p%020dboiler', id), ' OR ') FROM users)";
    for (days, left, counted) in [
        (
            "50",
            4,
            "SELECT 'left' WHERE (SELECT count(*) FROM lines) = 4",
        ),
        (
            "30",
            2,
            "SELECT 'left' WHERE (SELECT count(*) FROM lines) = 2",
        ),
    ] {
        bot.set("MEMORY__KEEP_LINES_DAYS", days);
        bot.start();
        bot.has_noted(counted).await;
        bot.stop().await;
        assert_eq!(bot.rows(words).await.len(), left, "{days}");
    }
    bot.set("MEMORY__KEEP_LINES_DAYS", "0");
    bot.start();
    chat.says("/new");
    chat.hears_with(|message| message.text.contains("New conversation"))
        .await;
    bot.model
        .calls(vec![("memory_recall", json!({"query": "boiler"}))]);
    chat.says("look it up");
    chat.hears_with(|message| message.text == "ok: look it up")
        .await;
    let request = bot.model.turn_requests().pop().unwrap();
    assert!(request.last_tool_result().contains("the boiler is loud"));
    bot.assert_clean();
}

#[tokio::test]
pub async fn what_is_unsure_and_never_used_fades() {
    let mut bot = with_old_memories(&[]).await;
    let young = [
        ("MEMORY__KEEP_EPISODES_DAYS", "30"),
        ("MEMORY__FADE_AFTER_DAYS", "50"),
        ("MEMORY__FADE_BELOW_CONFIDENCE", "60"),
    ];
    keeps(&mut bot, &young, &["learned 50", "learned 90", "told 100"]).await;
    let old = [("MEMORY__FADE_AFTER_DAYS", "30")];
    keeps(&mut bot, &old, &["learned 90", "told 100"]).await;
    let unsure = [("MEMORY__FADE_BELOW_CONFIDENCE", "95")];
    keeps(&mut bot, &unsure, &["told 100"]).await;
    bot.assert_clean();
}

/// A build without local models says so at its start, and how there would be some.
#[tokio::test]
pub async fn directory_holds_a_model_of_our_own() {
    let mut bot = TestBot::closed(&[]).await;
    let directory = bot.path("models/tiny");
    TinyModel::of(&[&["automobile", "car"], &["blue"], &["tea"]]).write_into(&directory);
    bot.set("MEMORY__EMBEDDER__DIRECTORY", &directory.to_string_lossy());
    if !cfg!(feature = "local-embeddings") {
        bot.start();
        assert_eq!(bot.ends().await, Some(1), "{}", bot.log());
        let why = "build it with `--features local-embeddings`, or name a server instead";
        assert!(bot.log().contains(why), "{}", bot.log());
        return;
    }
    bot.start();
    remembers(&bot, "one blue automobile").await;
    bot
        .has_noted("SELECT 'kept' FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.kind = 'fact'")
        .await;
    assert!(sees_it(&bot).await);

    // Other files are another model: everything is embedded anew.
    bot.stop().await;
    TinyModel::of(&[&["automobile", "car", "truck"], &["blue"]]).write_into(&directory);
    bot.start();
    bot
        .has_noted("SELECT 'anew' WHERE NOT EXISTS (SELECT 1 FROM memory_vectors WHERE length(bytes) <> 3) AND (SELECT count(*) FROM memory_vectors) = (SELECT count(*) FROM memories)")
        .await;
    assert!(sees_it(&bot).await);

    bot.stop().await;
    std::fs::write(directory.join("model.safetensors"), "nothing").unwrap();
    bot.start();
    assert_eq!(bot.ends().await, Some(1), "{}", bot.log());
    let why = "`model.safetensors` cannot be used: its header is damaged";
    assert!(bot.log().contains(why), "{}", bot.log());
}

/// Starts a bot that learns, with some settings changed.
async fn learning(settings: &[(&str, &str)]) -> TestBot {
    let usual = [
        ("MEMORY__LEARNING__ENABLED", "true"),
        ("MEMORY__LEARNING__IDLE_SECS", "1"),
    ];
    TestBot::with(&[&usual[..], settings].concat()).await
}

/// Says what can be learned, and waits for the answer.
async fn says_what_can_be_learned(bot: &TestBot) {
    let fact = json!([{"topic": "preference", "text": "Likes jasmine tea", "confidence": 1, "message": 1}]);
    bot.model.when(move |request| {
        let is_lesson = request.system().starts_with("[what to remember]");
        is_lesson.then(|| sayso_fakes::Answer::text(fact.to_string()))
    });
    let chat = bot.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
}

#[tokio::test]
pub async fn nothing_is_learned_where_that_is_off() {
    let bot = learning(&[("MEMORY__LEARNING__ENABLED", "false")]).await;
    says_what_can_be_learned(&bot).await;
    let open = "SELECT 'open' FROM turns WHERE to_learn = 1 OR EXISTS (SELECT 1 FROM lessons)";
    assert!(bot.rows(open).await.is_empty());
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_session_is_learned_from_once_it_was_idle_so_long() {
    for (idle, seconds) in [("60", "60"), ("1800", "1800")] {
        let bot = learning(&[("MEMORY__LEARNING__IDLE_SECS", idle)]).await;
        says_what_can_be_learned(&bot).await;
        let after = "SELECT CAST((l.due_ms - t.ended_ms + 500) / 1000 AS TEXT)
                     FROM lessons l JOIN turns t ON t.session_id = l.session_id";
        assert_eq!(bot.rows(after).await, [seconds]);
        bot.assert_clean();
    }
    let bot = learning(&[]).await;
    says_what_can_be_learned(&bot).await;
    bot.has_noted("SELECT 'known' FROM memories WHERE source = 'learned'")
        .await;
}

#[tokio::test]
pub async fn without_notes_what_was_learned_is_not_said() {
    let bot = learning(&[("MEMORY__LEARNING__NOTE", "off")]).await;
    says_what_can_be_learned(&bot).await;
    bot.has_noted("SELECT 'known' FROM memories WHERE source = 'learned'")
        .await;
    assert!(
        bot.rows("SELECT token FROM prompts WHERE kind = 'learned_undo'")
            .await
            .is_empty()
    );
    assert_eq!(
        bot.direct().messages().len(),
        2,
        "a question and its answer"
    );
    bot.assert_clean();
}
