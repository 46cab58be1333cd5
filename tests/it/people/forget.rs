//! `/forget` with words: what it shows, who may press, what is left, and kill -9 in the middle.

use std::time::Duration;

use sayso_fakes::Answer;
use serde_json::json;

use super::memory::{recalls, remembers, uses};
use super::{Side, sides};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    what_matches_is_shown_and_the_chosen_one_is_forgotten,
    all_that_matches_is_forgotten_and_nothing_else,
    a_card_works_after_a_restart_and_expires,
    a_kill_in_the_middle_forgets_all_or_nothing,
    what_is_told_anew_is_remembered_again,
    a_group_forgets_what_is_its_own,
    a_fact_that_changed_is_shown_as_it_is_now,
    what_was_said_with_the_words_is_found_by_no_one,
    what_a_forgotten_fact_said_is_in_no_line_and_no_summary,
    lines_that_are_indexed_later_do_not_bring_back_what_is_forgotten,
    merged_summaries_keep_the_rest,
    a_forgotten_fact_goes_out_of_what_is_summed_up,
    turns_that_said_what_is_forgotten_are_not_summed_up,
    what_a_person_forgot_goes_out_of_what_a_group_is_summed_up_as
);

async fn what_matches_is_shown_and_the_chosen_one_is_forgotten(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let told = ann.asks("/forget tin tea").await;
    assert!(
        told.starts_with("I remember nothing with these words."),
        "{told}"
    );
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    remembers(&bot, &ann, "the black tea is in the red tin").await;
    remembers(&bot, &bob, "the white tea is in the grey tin").await;

    ann.chat.says("/forget tin tea");
    let card = ann.card().await;
    assert!(
        card.text.contains("Which of these shall I forget?"),
        "{}",
        card.text
    );
    assert!(!card.text.contains("grey"), "{}", card.text);
    assert_eq!(card.labels(), ["1", "2", "All of them", "None"]);
    let token = card.token("1");
    let told = bob.chat.press_token(&bob.person, card.id, &token).await;
    assert_eq!(told.text.as_deref(), Some("This button does nothing here."));

    let first_is_blue = card.text.find("blue") < card.text.find("red");
    ann.presses(&card, "1").await;
    ann.closes(&card, "Forgotten. I will not learn it again")
        .await;
    let left = recalls(&bot, &ann).await;
    let (gone, kept) = if first_is_blue {
        ("blue", "red")
    } else {
        ("red", "blue")
    };
    assert!(!left.contains(gone) && left.contains(kept), "{left}");
    let told = ann.chat.press_token(&ann.person, card.id, &token).await;
    assert!(told.text.is_some_and(|text| text.contains("already")));
    assert_eq!(is_left_of(&bot, gone).await, Vec::<String>::new());
    assert_eq!(bot.rows("SELECT 'one' FROM tombstones").await.len(), 1);
    bot.assert_clean();
}

async fn all_that_matches_is_forgotten_and_nothing_else(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    remembers(&bot, &ann, "the black tea is in the red tin").await;
    remembers(&bot, &ann, "coffee stands on the shelf").await;
    ann.chat.says("/forget tin tea");
    let card = ann.card().await;
    ann.answers(&card, "None", "Nothing was forgotten.").await;
    ann.closes(&card, "Nothing was forgotten.").await;
    ann.chat.says("/forget tin tea");
    let card = ann.card().await;
    ann.presses(&card, "All of them").await;
    ann.closes(&card, "Forgotten: 2.").await;
    let facts = bot
        .rows("SELECT text FROM memories WHERE kind = 'fact'")
        .await;
    assert_eq!(facts, ["coffee stands on the shelf"]);
    bot.assert_clean();
}

async fn a_card_works_after_a_restart_and_expires(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    ann.chat.says("/forget blue tin");
    let late = ann.card().await;
    assert_eq!(late.labels(), ["Forget it", "None"]);
    bot.change("UPDATE prompts SET expires_ms = 0 WHERE kind = 'forget' AND state = 'open'")
        .await;
    ann.closes(&late, "This question has expired.").await;

    ann.chat.says("/forget blue tin");
    let card = ann.card().await;
    bot.restart().await;
    ann.presses(&card, "Forget it").await;
    ann.closes(&card, "Forgotten.").await;
    assert_eq!(is_left_of(&bot, "blue").await, Vec::<String>::new());
    bot.assert_clean();
}

async fn a_kill_in_the_middle_forgets_all_or_nothing(platform: Platform) {
    for milliseconds in [0, 2, 5, 10, 30, 100] {
        let mut bot = TestBot::on(platform).await;
        let (ann, _) = sides(&bot);
        remembers(&bot, &ann, "the green tea is in the blue tin").await;
        remembers(&bot, &ann, "the black tea is in the blue tin").await;
        ann.chat.says("/forget blue tin");
        let card = ann.card().await;
        let token = card.token("All of them");
        let pressed = ann.chat.presses_token(&bot.ann, card.id, &token);
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        bot.kill().await;
        let state = bot
            .rows("SELECT state FROM prompts WHERE kind = 'forget'")
            .await
            .remove(0);
        let facts = bot
            .rows("SELECT text FROM memories WHERE kind = 'fact'")
            .await;
        let tombstones = bot.rows("SELECT 'one' FROM tombstones").await;
        let expected = if state == "open" { (2, 0) } else { (0, 2) };
        assert_eq!((facts.len(), tombstones.len()), expected, "{state}");
        bot.start();
        drop(pressed);
        // A press that Discord could not deliver is lost; the card stays live.
        if platform == Platform::Discord && state == "open" {
            bot.listens().await;
            ann.presses(&card, "All of them").await;
        }
        ann.closes(&card, "Forgotten: 2.").await;
        assert_eq!(is_left_of(&bot, "blue").await, Vec::<String>::new());
        bot.assert_clean();
    }
}

async fn what_is_told_anew_is_remembered_again(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    let query = json!({"query": "green tea blue tin"});
    uses(&bot, &ann, "memory_forget", query).await;
    assert_eq!(bot.rows("SELECT 'one' FROM tombstones").await.len(), 1);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    assert!(recalls(&bot, &ann).await.contains("blue"));
    assert_eq!(bot.rows("SELECT 'one' FROM tombstones").await.len(), 0);
    bot.assert_clean();
}

async fn a_group_forgets_what_is_its_own(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    let group = Side {
        chat: bot.group("Friends").with(&bot.ann).with(&bot.bob),
        person: bot.ann.clone(),
    };
    let arguments = json!({"text": "the black tea is in the blue tin"});
    bot.model.calls(vec![("memory_store", arguments)]);
    group.chat.says_as(&bot.ann, "@sayso_bot keep that");
    group
        .chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    group.chat.says_as(&bot.ann, "/forget blue tin");
    let card = group.card().await;
    assert!(
        card.text.contains("black") && !card.text.contains("green"),
        "{}",
        card.text
    );
    let told = group.chat.press(&bot.bob, card.id, "Forget it").await;
    assert_eq!(
        told.text.as_deref(),
        Some("This question was for somebody else.")
    );
    group.presses(&card, "Forget it").await;
    group.closes(&card, "Forgotten.").await;
    let facts = bot
        .rows("SELECT text FROM memories WHERE kind = 'fact'")
        .await;
    assert_eq!(facts, ["the green tea is in the blue tin"]);
    bot.assert_clean();
}

async fn a_fact_that_changed_is_shown_as_it_is_now(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    let mut ids = bot
        .rows("SELECT CAST(id AS TEXT) FROM memories WHERE kind = 'fact'")
        .await;
    let change = json!({"id": ids.remove(0), "text": "the green tea is in the old tin"});
    let refused = uses(&bot, &bob, "memory_update", change.clone()).await;
    assert!(refused.contains("there is no memory"), "{refused}");
    let changed = uses(&bot, &ann, "memory_update", change).await;
    assert!(changed.starts_with("changed"), "{changed}");
    let now = recalls(&bot, &ann).await;
    assert!(now.contains("old tin") && !now.contains("blue"), "{now}");
    let query = json!({"query": "tin tea", "past": true});
    let ever = uses(&bot, &ann, "memory_recall", query).await;
    let blue = ever.lines().find(|line| line.contains("blue")).unwrap();
    assert!(blue.contains("(until 20"), "{ever}");

    // Both are meant by what they share, and the past goes with the present.
    ann.chat.says("/forget old tin");
    let card = ann.card().await;
    assert!(
        card.text.contains("blue") && card.text.contains("holds no longer"),
        "{}",
        card.text
    );
    let place = if card.text.find("blue") < card.text.find("old tin") {
        "2"
    } else {
        "1"
    };
    ann.presses(&card, place).await;
    ann.closes(&card, "Forgotten.").await;
    for gone in ["blue", "old tin"] {
        assert_eq!(is_left_of(&bot, gone).await, Vec::<String>::new());
    }
    bot.assert_clean();
}

async fn what_was_said_with_the_words_is_found_by_no_one(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    for (side, said) in [
        (&ann, "the key to the shed hangs behind the clock"),
        (&ann, "and the shed is painted red"),
        (&bob, "my shed has a key as well"),
    ] {
        says(&bot, side, said, "I see.").await;
    }
    ann.chat.says("/forget shed key");
    let card = ann.card().await;
    assert_eq!(card.labels(), ["1", "2", "3", "All of them", "None"]);
    assert!(
        card.text.contains("3. one message that holds these words"),
        "{}",
        card.text
    );
    ann.presses(&card, "3").await;
    let gone = "What was said with these words is not found again (2).";
    ann.closes(&card, gone).await;
    anew(&ann).await;
    let left = finds(&bot, &ann, "shed key clock").await;
    assert!(left.contains("painted red"), "only a part: {left}");
    assert!(!left.contains("clock"), "{left}");
    anew(&bob).await;
    let theirs = finds(&bot, &bob, "shed key").await;
    assert!(theirs.contains("my shed has a key"), "{theirs}");

    ann.chat.says("/forget shed key");
    let card = ann.card().await;
    assert!(!card.text.contains("clock"), "{}", card.text);
    assert!(!card.text.contains("messages that hold"), "{}", card.text);
    let words = "SELECT 'words' FROM prompts
        WHERE kind = 'forget' AND payload ->> 'words' IS NOT NULL";
    assert!(bot.rows(words).await.is_empty());
    bot.assert_clean();
}

async fn what_a_forgotten_fact_said_is_in_no_line_and_no_summary(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    says(&bot, &ann, "the key hangs behind the clock", "I see.").await;
    says(&bot, &ann, "and the cat sleeps in the shed", "Poor cat.").await;
    remembers(&bot, &ann, "the key hangs behind the clock").await;
    let id = bot
        .rows("SELECT CAST(id AS TEXT) FROM memories WHERE kind = 'fact'")
        .await
        .remove(0);
    anew(&ann).await;
    let told = uses(&bot, &ann, "memory_forget", json!({ "id": id })).await;
    assert_eq!(told, "forgotten");
    says(
        &bot,
        &ann,
        "where does the key hang, behind the clock?",
        "I do not know.",
    )
    .await;
    anew(&ann).await;
    let left = finds(&bot, &ann, "key hangs behind clock cat").await;
    assert!(left.contains("the cat sleeps in the shed"), "{left}");
    assert!(!left.contains("clock"), "{left}");
    bot.assert_clean();
}

async fn lines_that_are_indexed_later_do_not_bring_back_what_is_forgotten(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    says(
        &bot,
        &ann,
        "the key hangs behind the clock",
        "I will keep the clock in mind.",
    )
    .await;
    says(&bot, &ann, "the cat sleeps in the shed", "Poor cat.").await;
    says(
        &bot,
        &ann,
        "again: the clock hides the key that hangs behind it",
        "Fine.",
    )
    .await;
    remembers(&bot, &ann, "the key hangs behind the clock").await;
    // As if a model had learned it from the first turn.
    bot.change("UPDATE memories SET turn_id = (SELECT min(id) FROM turns) WHERE kind = 'fact'")
        .await;
    let id = bot
        .rows("SELECT CAST(id AS TEXT) FROM memories WHERE kind = 'fact'")
        .await
        .remove(0);
    let told = uses(&bot, &ann, "memory_forget", json!({ "id": id })).await;
    assert_eq!(told, "forgotten");
    bot.stop().await;
    // The state when a turn's lines could not be indexed at its end.
    for statement in ["DELETE FROM lines", "UPDATE turns SET index_due_ms = 0"] {
        bot.write(statement).await;
    }
    bot.start();
    bot.settles_in().await;
    bot.has_noted(
        "SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM turns WHERE index_due_ms IS NOT NULL)",
    )
    .await;
    anew(&ann).await;
    let left = finds(&bot, &ann, "key hangs behind clock mind cat").await;
    assert!(left.contains("the cat sleeps in the shed"), "{left}");
    assert!(!left.contains("clock"), "{left}");
    bot.assert_clean();
}

async fn merged_summaries_keep_the_rest(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    says(&bot, &ann, "the boiler is loud", "Bleed it.").await;
    says(&bot, &ann, "the key hangs behind the clock", "I see.").await;
    says(&bot, &ann, "the cat is ill", "Poor cat.").await;
    anew(&ann).await;
    bot.stop().await;
    bot.write("UPDATE stretches SET last_ms = last_ms - 7200000")
        .await;
    bot.start();
    bot.settles_in().await;
    bot.has_noted("SELECT 'merged' FROM stretches WHERE merged = 1")
        .await;
    ann.chat.says("/forget key clock");
    let card = ann.card().await;
    let place = card.labels().len() - 2;
    ann.presses(&card, &place.to_string()).await;
    ann.closes(&card, "not found again").await;
    let left = bot.rows("SELECT text FROM memories").await;
    assert_eq!(
        left,
        ["the boiler is loud → Bleed it. / the cat is ill → Poor cat."]
    );
    let left = finds(&bot, &ann, "boiler key clock cat").await;
    assert!(
        left.contains("the boiler is loud") && left.contains("the cat is ill"),
        "{left}"
    );
    assert!(!left.contains("clock"), "{left}");
    bot.assert_clean();
}

/// Has an account say something, and waits for this answer, and until it would be found.
async fn says(bot: &TestBot, side: &Side, said: &str, answer: &str) {
    bot.model.says(answer);
    side.chat.says(said);
    side.chat.hears_with(|message| message.text == answer).await;
    bot.has_indexed().await;
}

/// Begins a new conversation, so that only memory can bring something back.
async fn anew(side: &Side) {
    side.chat.says("/new");
    side.chat
        .hears_with(|message| message.text.contains("New conversation"))
        .await;
}

/// Returns what an account finds of everything that was remembered and said.
async fn finds(bot: &TestBot, side: &Side, query: &str) -> String {
    uses(
        bot,
        side,
        "memory_recall",
        json!({"query": query, "limit": 20}),
    )
    .await
}

/// Returns where in the memory and on the cards of the outbox a word still stands.
async fn is_left_of(bot: &TestBot, word: &str) -> Vec<String> {
    let said = bot
        .rows(
            "SELECT 'memory: ' || text FROM memories
             UNION ALL SELECT 'outbox: ' || part FROM outbox
                 WHERE turn_id IS NULL AND purpose IN ('card', 'edit')
             UNION ALL SELECT 'prompt: ' || payload FROM prompts
             UNION ALL SELECT 'vector: ' || memory_id FROM memory_vectors",
        )
        .await;
    said.into_iter()
        .filter(|said| said.contains(word))
        .collect()
}

async fn a_forgotten_fact_goes_out_of_what_is_summed_up(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    let summary = "The green tea is in the blue tin. Ann said hello.";
    for _ in 0..2 {
        bot.model.sums_up_with(Answer::text(summary));
    }
    let is_receipt = |text: &str| text.contains("I shortened our conversation");
    let texts = "SELECT text FROM compactions";
    remembers(&bot, &ann, "the green tea is in the blue tin").await;
    ann.asks("hello").await;
    ann.chat.says("/compact");
    ann.chat
        .hears_with(|message| is_receipt(&message.text))
        .await;
    assert_eq!(bot.rows(texts).await, [summary]);
    ann.chat.says("/forget blue tin");
    let card = ann.card().await;
    ann.presses(&card, "Forget it").await;
    assert_eq!(bot.rows(texts).await, Vec::<String>::new());
    ann.asks("hello again").await;
    ann.chat.says("/compact");
    ann.chat
        .hears_with(|message| is_receipt(&message.text))
        .await;
    assert_eq!(bot.rows(texts).await, ["Ann said hello."]);
    bot.assert_clean();
}

/// A summary that says it in pieces, none of which is all of it.
const IN_PIECES: &str = "The tea is green. It is in the blue tin. Ann said hello.";

async fn turns_that_said_what_is_forgotten_are_not_summed_up(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    bot.model.sums_up_with(Answer::text(IN_PIECES));
    let fact = "the green tea is in the blue tin";
    says(&bot, &ann, fact, "I see.").await;
    remembers(&bot, &ann, fact).await;
    let id = bot
        .rows("SELECT CAST(id AS TEXT) FROM memories WHERE kind = 'fact'")
        .await
        .remove(0);
    let told = uses(&bot, &ann, "memory_forget", json!({ "id": id })).await;
    assert_eq!(told, "forgotten");
    for said in ["hello", "hello again"] {
        ann.asks(said).await;
    }
    ann.chat.says("/compact");
    ann.chat
        .hears_with(|message| message.text.contains("I shortened our conversation"))
        .await;
    let summing = bot.model.summing_requests().pop().unwrap();
    assert!(summing.mentions("[user] hello"));
    assert!(!summing.mentions("blue tin"));
    let texts = bot.rows("SELECT text FROM compactions").await;
    assert_eq!(texts, ["Ann said hello."]);
    bot.assert_clean();
}

async fn what_a_person_forgot_goes_out_of_what_a_group_is_summed_up_as(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    bot.model.sums_up_with(Answer::text(IN_PIECES));
    let fact = "the green tea is in the blue tin";
    let group = bot.group("Friends").with(&bot.ann).with(&bot.bob);
    for said in ["hello", "hello again"] {
        group.says_as(&bot.ann, &format!("@sayso_bot {said}"));
        group
            .hears_with(|message| message.text.starts_with("ok:"))
            .await;
    }
    remembers(&bot, &ann, fact).await;
    uses(&bot, &ann, "memory_forget", json!({"query": fact})).await;
    group.says_as(&bot.ann, "/compact");
    group
        .hears_with(|message| message.text.contains("I shortened our conversation"))
        .await;
    let texts = bot.rows("SELECT text FROM compactions").await;
    assert_eq!(texts, ["Ann said hello."]);
    bot.assert_clean();
}
