//! `/forget` with words: what it shows, who may press, what is left, and kill -9 in the middle.

use std::time::Duration;

use serde_json::json;

use super::memory::{recalls, remembers, uses};
use super::{Side, sides};
use crate::house::House;
use crate::platform::{Platform, on_both};

on_both!(
    what_matches_is_shown_and_the_chosen_one_is_forgotten,
    all_that_matches_is_forgotten_and_nothing_else,
    a_card_works_after_a_restart_and_expires,
    a_kill_in_the_middle_forgets_all_or_nothing,
    what_is_told_anew_is_remembered_again,
    a_group_forgets_what_is_its_own,
    a_fact_that_changed_is_shown_as_it_is_now
);

async fn what_matches_is_shown_and_the_chosen_one_is_forgotten(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, bob) = sides(&house);
    let told = ann.asks("/forget tin tea").await;
    assert!(
        told.starts_with("I remember nothing with these words."),
        "{told}"
    );
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    remembers(&house, &ann, "the black tea is in the red tin").await;
    remembers(&house, &bob, "the white tea is in the grey tin").await;

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
    let told = ann.presses(&card, "1").await;
    assert!(
        told.starts_with("Forgotten. I will not learn it again"),
        "{told}"
    );
    ann.closes(&card, "Forgotten.").await;
    let left = recalls(&house, &ann).await;
    let (gone, kept) = if first_is_blue {
        ("blue", "red")
    } else {
        ("red", "blue")
    };
    assert!(!left.contains(gone) && left.contains(kept), "{left}");
    let told = ann.chat.press_token(&ann.person, card.id, &token).await;
    assert!(told.text.is_some_and(|text| text.contains("already")));
    assert_eq!(is_left_of(&house, gone).await, Vec::<String>::new());
    assert_eq!(house.rows("SELECT 'one' FROM tombstones").await.len(), 1);
    house.assert_clean();
}

async fn all_that_matches_is_forgotten_and_nothing_else(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, _) = sides(&house);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    remembers(&house, &ann, "the black tea is in the red tin").await;
    remembers(&house, &ann, "coffee stands on the shelf").await;
    ann.chat.says("/forget tin tea");
    let card = ann.card().await;
    assert_eq!(ann.presses(&card, "None").await, "Nothing was forgotten.");
    ann.closes(&card, "Nothing was forgotten.").await;
    ann.chat.says("/forget tin tea");
    let card = ann.card().await;
    let told = ann.presses(&card, "All of them").await;
    assert!(told.starts_with("Forgotten: 2."), "{told}");
    let facts = house
        .rows("SELECT text FROM memories WHERE kind = 'fact'")
        .await;
    assert_eq!(facts, ["coffee stands on the shelf"]);
    house.assert_clean();
}

async fn a_card_works_after_a_restart_and_expires(platform: Platform) {
    let mut house = House::on(platform).await;
    let (ann, _) = sides(&house);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    ann.chat.says("/forget blue tin");
    let late = ann.card().await;
    assert_eq!(late.labels(), ["Forget it", "None"]);
    house
        .change("UPDATE forgettings SET expires_ms = 0 WHERE state = 'open'")
        .await;
    ann.closes(&late, "This question has expired.").await;

    ann.chat.says("/forget blue tin");
    let card = ann.card().await;
    house.restart().await;
    let told = ann.presses(&card, "Forget it").await;
    assert!(told.starts_with("Forgotten."), "{told}");
    ann.closes(&card, "Forgotten.").await;
    assert_eq!(is_left_of(&house, "blue").await, Vec::<String>::new());
    house.assert_clean();
}

async fn a_kill_in_the_middle_forgets_all_or_nothing(platform: Platform) {
    for milliseconds in [0, 2, 5, 10, 30, 100] {
        let mut house = House::on(platform).await;
        let (ann, _) = sides(&house);
        remembers(&house, &ann, "the green tea is in the blue tin").await;
        remembers(&house, &ann, "the black tea is in the blue tin").await;
        ann.chat.says("/forget blue tin");
        let card = ann.card().await;
        let token = card.token("All of them");
        let pressed = ann.chat.presses_token(&house.ann, card.id, &token);
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        house.kill().await;
        let state = house.rows("SELECT state FROM forgettings").await.remove(0);
        let facts = house
            .rows("SELECT text FROM memories WHERE kind = 'fact'")
            .await;
        let tombstones = house.rows("SELECT 'one' FROM tombstones").await;
        let expected = if state == "open" { (2, 0) } else { (0, 2) };
        assert_eq!((facts.len(), tombstones.len()), expected, "{state}");
        house.start();
        drop(pressed);
        // A press that Discord could not deliver is lost; the card stays live.
        if platform == Platform::Discord && state == "open" {
            house.listens().await;
            ann.presses(&card, "All of them").await;
        }
        ann.closes(&card, "Forgotten: 2.").await;
        assert_eq!(is_left_of(&house, "blue").await, Vec::<String>::new());
        house.assert_clean();
    }
}

async fn what_is_told_anew_is_remembered_again(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, _) = sides(&house);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    let query = json!({"query": "green tea blue tin"});
    uses(&house, &ann, "memory_forget", query).await;
    assert_eq!(house.rows("SELECT 'one' FROM tombstones").await.len(), 1);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    assert!(recalls(&house, &ann).await.contains("blue"));
    assert_eq!(house.rows("SELECT 'one' FROM tombstones").await.len(), 0);
    house.assert_clean();
}

async fn a_group_forgets_what_is_its_own(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, _) = sides(&house);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    let group = Side {
        chat: house.group("Friends").with(&house.ann).with(&house.bob),
        person: house.ann.clone(),
    };
    let arguments = json!({"text": "the black tea is in the blue tin"});
    house.model.calls(vec![("memory_store", arguments)]);
    group.chat.says_as(&house.ann, "@sayso_bot keep that");
    group
        .chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    group.chat.says_as(&house.ann, "/forget blue tin");
    let card = group.card().await;
    assert!(
        card.text.contains("black") && !card.text.contains("green"),
        "{}",
        card.text
    );
    let told = group.chat.press(&house.bob, card.id, "Forget it").await;
    assert_eq!(told.text.as_deref(), Some("This button does nothing here."));
    group.presses(&card, "Forget it").await;
    group.closes(&card, "Forgotten.").await;
    let facts = house
        .rows("SELECT text FROM memories WHERE kind = 'fact'")
        .await;
    assert_eq!(facts, ["the green tea is in the blue tin"]);
    house.assert_clean();
}

async fn a_fact_that_changed_is_shown_as_it_is_now(platform: Platform) {
    let house = House::on(platform).await;
    let (ann, bob) = sides(&house);
    remembers(&house, &ann, "the green tea is in the blue tin").await;
    let mut ids = house
        .rows("SELECT CAST(id AS TEXT) FROM memories WHERE kind = 'fact'")
        .await;
    let change = json!({"id": ids.remove(0), "text": "the green tea is in the old tin"});
    let refused = uses(&house, &bob, "memory_update", change.clone()).await;
    assert!(refused.contains("there is no memory"), "{refused}");
    let changed = uses(&house, &ann, "memory_update", change).await;
    assert!(changed.starts_with("changed"), "{changed}");
    let now = recalls(&house, &ann).await;
    assert!(now.contains("old tin") && !now.contains("blue"), "{now}");
    let query = json!({"query": "tin tea", "past": true});
    let ever = uses(&house, &ann, "memory_recall", query).await;
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
        assert_eq!(is_left_of(&house, gone).await, Vec::<String>::new());
    }
    house.assert_clean();
}

/// Returns where in the memory and on the cards of the outbox a word still stands.
async fn is_left_of(house: &House, word: &str) -> Vec<String> {
    let said = house
        .rows(
            "SELECT 'memory: ' || text FROM memories
             UNION ALL SELECT 'outbox: ' || part FROM outbox
                 WHERE turn_id IS NULL AND purpose IN ('card', 'edit')
             UNION ALL SELECT 'forgetting: ' || memories FROM forgettings
             UNION ALL SELECT 'vector: ' || memory_id FROM memory_vectors",
        )
        .await;
    said.into_iter()
        .filter(|said| said.contains(word))
        .collect()
}
