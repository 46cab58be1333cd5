//! `/forget everything`: what it asks, what is left in the data directory, and kill -9 in the middle.
//!
//! What must go is about a zanzibar; what must stay is about a walrus.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use super::memory::{remembers, uses};
use super::{Side, carol, join, sides, with_carol};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    it_asks_once_in_the_direct_chat_only,
    a_no_and_the_press_of_another_erase_nothing,
    everything_of_a_person_is_gone_and_others_keep_theirs,
    a_kill_at_any_moment_only_delays_it,
    a_kill_while_the_file_is_written_anew_only_delays_it,
    one_word_of_the_person_spoils_no_journal_of_another,
    what_is_erased_while_a_turn_of_another_works_does_not_come_back
);

/// What must not be in any file, in small letters: a word as the index keeps it, and one that has no
/// spaces around it.
const GONE: [&str; 2] = ["zanzib", "龘靐"];
/// How many bytes make a file that takes a while to be written anew.
const FILLED_BYTES: u64 = 96 * 1024 * 1024;

async fn it_asks_once_in_the_direct_chat_only(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    join(&ann, &bob).await;
    let group = bot.group("Friends").with(&bot.ann);
    group.says("/forget everything");
    let told = group.hears().await.text;
    assert_eq!(
        told,
        "Send me this in our direct chat: it is about you alone."
    );
    let told = ann.asks("/forget").await;
    assert!(told.contains("/forget everything erases"), "{told}");
    ann.chat.says("/forget everything");
    let first = ann.card().await;
    assert!(
        first.text.contains("all 2 of your linked accounts"),
        "{}",
        first.text
    );
    ann.chat.says("/forget everything");
    let second = ann.card().await;
    ann.closes(&first, "has expired").await;
    assert_eq!(
        second.labels(),
        ["Erase everything", "Keep it", "What exactly?"]
    );
    bot.assert_clean();
}

async fn a_no_and_the_press_of_another_erase_nothing(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    remembers(&bot, &ann, "the zanzibar is far").await;
    ann.chat.says("/forget everything");
    let card = ann.card().await;
    let token = card.token("Erase everything");
    let told = bob.chat.press_token(&bob.person, card.id, &token).await;
    assert_eq!(told.text.as_deref(), Some("This button does nothing here."));
    ann.answers(&card, "Keep it", "Nothing was erased.").await;
    ann.closes(&card, "Nothing was erased.").await;
    assert_ne!(found_in(&bot.data()), Vec::<PathBuf>::new());
    bot.assert_clean();
}

async fn everything_of_a_person_is_gone_and_others_keep_theirs(platform: Platform) {
    let mut bot = with_carol(platform).await;
    let (ann, bob) = sides(&bot);
    let group = with_a_past(&bot, &ann, &bob).await;
    assert_ne!(found_in(&bot.data()), Vec::<PathBuf>::new());
    bot.has_indexed().await;
    // Each word has the mark of its owner.
    let indexed = "SELECT 'there' FROM line_words WHERE words MATCH
                       (SELECT group_concat(printf('p%020dzanzibar', id), ' OR ') FROM users)";
    assert_ne!(bot.rows(indexed).await, Vec::<String>::new());

    // She looks at a skill, and decides nothing: the copy that waits for her is hers.
    let given = bot.path("given/tea");
    fs::create_dir_all(&given).unwrap();
    let tea = "---\nname: tea\ndescription: d\n---\nTea of zanzibar.\n";
    fs::write(given.join("SKILL.md"), tea).unwrap();
    ann.chat
        .says(&format!("/skills install {}", given.display()));
    ann.card().await;

    ann.chat.says("/forget everything");
    let card = ann.card().await;
    ann.presses(&card, "Erase everything").await;
    is_done(&ann).await;
    assert_eq!(found_in(&bot.data()), Vec::<PathBuf>::new());

    // She goes on as somebody of whom nothing is known; he and the group go on as before.
    let before = bot.model.turn_requests().len();
    ann.chat.says("what do you know of me?");
    ann.chat.hears().await;
    group.says_as(&bot.bob, "@sayso_bot and of the walrus?");
    group
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let requests = &bot.model.turn_requests()[before..];
    let shown: Vec<String> = requests
        .iter()
        .map(|request| format!("{:?}", request.messages()))
        .collect();
    assert!(
        shown.iter().all(|one| !one.contains("zanzibar")),
        "{shown:?}"
    );
    assert!(shown[1].contains("the walrus is near"), "{shown:?}");
    let kept = bot
        .rows("SELECT text FROM memories WHERE kind = 'fact'")
        .await;
    assert_eq!(kept, ["a walrus likes tea"]);
    let hashed = bot
        .rows(
            "SELECT 'tombstone' FROM tombstones UNION ALL SELECT 'word' FROM tombstone_words
             UNION ALL SELECT 'key' FROM tombstone_keys UNION ALL SELECT 'card' FROM prompts
                 WHERE kind = 'forget'",
        )
        .await;
    assert_eq!(hashed, Vec::<String>::new());
    assert_eq!(ann.linked().await, ["Carol"]);

    bot.stop().await;
    assert_eq!(found_in(&bot.data()), Vec::<PathBuf>::new());
    assert!(!is_in(&bot.log().into_bytes()), "{}", bot.log());
    let mut verify = bot.command();
    verify.args(["audit", "verify"]);
    let verified = verify.status().await.unwrap();
    assert!(verified.success(), "{}", bot.log());
    bot.assert_clean();
}

async fn a_kill_at_any_moment_only_delays_it(platform: Platform) {
    for milliseconds in [0, 5, 20, 60, 150, 300] {
        let mut bot = with_carol(platform).await;
        let (ann, bob) = sides(&bot);
        with_a_past(&bot, &ann, &bob).await;
        ann.chat.says("/forget everything");
        let card = ann.card().await;
        let token = card.token("Erase everything");
        let pressed = ann.chat.presses_token(&bot.ann, card.id, &token);
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        bot.kill().await;
        let state = bot.rows("SELECT state FROM erasures").await.remove(0);
        bot.start();
        drop(pressed);
        // A press that Discord could not deliver is lost; the card stays live.
        if platform == Platform::Discord && state == "open" {
            bot.listens().await;
            ann.presses(&card, "Erase everything").await;
        }
        is_done(&ann).await;
        assert_eq!(
            found_in(&bot.data()),
            Vec::<PathBuf>::new(),
            "killed after {milliseconds} ms, when it was {state}"
        );
        bot.assert_clean();
    }
}

/// The file is so large that writing it anew takes long enough to be killed while it does.
async fn a_kill_while_the_file_is_written_anew_only_delays_it(platform: Platform) {
    let mut bot = with_carol(platform).await;
    let (ann, bob) = sides(&bot);
    with_a_past(&bot, &ann, &bob).await;
    bot.stop().await;
    fill(&bot.data().join("sayso.db"));
    bot.start();
    bot.listens().await;
    ann.chat.says("/forget everything");
    let card = ann.card().await;
    ann.presses(&card, "Erase everything").await;
    // The new form of the file goes through the log.
    let log = bot.data().join("sayso.db-wal");
    while fs::metadata(&log).map_or(0, |log| log.len()) < FILLED_BYTES / 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    bot.kill().await;
    assert_ne!(found_in(&bot.data()), Vec::<PathBuf>::new());
    assert_eq!(bot.rows("SELECT state FROM erasures").await, ["cleared"]);
    bot.start();
    is_done(&ann).await;
    assert_eq!(found_in(&bot.data()), Vec::<PathBuf>::new());
    assert_eq!(bot.rows("PRAGMA integrity_check").await, ["ok"]);
    bot.assert_clean();
}

/// Puts bytes into a database that have no owner.
fn fill(database: &Path) {
    let database = rusqlite::Connection::open(database).unwrap();
    let piece = i64::try_from(FILLED_BYTES / 32).unwrap();
    database
        .execute_batch("CREATE TABLE filling (bytes BLOB NOT NULL)")
        .unwrap();
    for _ in 0..32 {
        database
            .execute("INSERT INTO filling VALUES (randomblob(?1))", [piece])
            .unwrap();
    }
}

async fn one_word_of_the_person_spoils_no_journal_of_another(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    let group = bot.group("Friends").with(&bot.ann).with(&bot.bob);
    // Each of these is in the JSON of every journal, too.
    for why in ["entry", "stop"] {
        bot.model
            .calls(vec![("shell", json!({ "command": "touch it" }))]);
        group.says_as(&bot.bob, "@sayso_bot touch it");
        let card = group
            .hears_with(|message| message.text.contains("touch it"))
            .await;
        group.press(&bot.ann, card.id, "Deny and say why").await;
        group
            .becomes(card.id, |card| {
                card.text.contains("What should I do instead?")
            })
            .await;
        group.with(&bot.ann).replies(card.id, why);
        group
            .hears_with(|message| message.text.starts_with("ok:"))
            .await;
    }
    ann.chat.says("/forget everything");
    let card = ann.card().await;
    ann.presses(&card, "Erase everything").await;
    is_done(&ann).await;
    let whys = "SELECT body FROM journal WHERE body LIKE '%[erased]%' AND kind = 'decided'";
    assert_eq!(bot.rows(whys).await.len(), 2);
    group.says_as(&bot.bob, "@sayso_bot are you still there?");
    group
        .hears_with(|message| message.text.contains("are you still there?"))
        .await;
    bot.assert_clean();
}

async fn what_is_erased_while_a_turn_of_another_works_does_not_come_back(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, _) = sides(&bot);
    let group = bot.group("Friends").with(&bot.ann).with(&bot.bob);
    group.says_as(&bot.ann, "the zanzibar is at the pier");
    bot.has_heard_all().await;
    let gate = Gate::new();
    bot.model
        .answers(Answer::text("That is a boat.").held_by(&gate));
    group.says_as(&bot.bob, "@sayso_bot what is that?");
    let heard = || {
        let requests = bot.model.turn_requests().into_iter();
        requests.filter(|it| it.mentions("zanzibar")).count()
    };
    eventually("the words of Ann in Bob's turn", || heard() > 0).await;
    ann.chat.says("/forget everything");
    let card = ann.card().await;
    ann.presses(&card, "Erase everything").await;
    is_done(&ann).await;
    gate.open();
    group
        .hears_with(|message| message.text == "That is a boat.")
        .await;
    let before = heard();
    group.says_as(&bot.bob, "@sayso_bot and what else?");
    group
        .hears_with(|message| message.text.contains("and what else?"))
        .await;
    assert_eq!(heard(), before);
    bot.assert_clean();
}

/// Has Ann speak of a zanzibar wherever something is kept, also as Carol, and Bob of a walrus. One turn
/// of hers waits for an approval at the end. Returns the group.
async fn with_a_past(bot: &TestBot, ann: &Side, bob: &Side) -> Chat {
    let carol = carol(bot);
    join(ann, &carol).await;
    remembers(bot, bob, "a walrus likes tea").await;
    remembers(bot, ann, "the zanzibar tea is in the tin 龘靐").await;
    remembers(bot, &carol, "carol drinks zanzibar tea").await;
    let facts = json!({"text": "my boat is the zanzibar", "topic": "profile"});
    bot.model.calls(vec![("memory_store", facts)]);
    ann.chat.says("the zanzibar is far");
    ann.chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let profile = ann
        .asks("/memory profile I am the captain of the zanzibar")
        .await;
    assert!(profile.starts_with("Noted in your words."), "{profile}");
    let profile = carol.asks("/memory profile").await;
    assert!(profile.contains("captain of the zanzibar"), "{profile}");
    carol.asks("is the zanzibar far?").await;
    runs(bot, ann, "echo zanzibar > zanzibar");
    let card = ann.card().await;
    ann.presses(&card, "Approve").await;
    ann.chat
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;

    let group = bot.group("Friends").with(&bot.ann).with(&bot.bob);
    let arguments = json!({"text": "this group is on zanzibar"});
    bot.model.calls(vec![("memory_store", arguments)]);
    group.says_as(&bot.ann, "@sayso_bot we are on zanzibar");
    group
        .hears_with(|message| message.text.starts_with("ok:"))
        .await;
    group.says_as(&bot.ann, "a zanzibar\nthat is only overheard");
    bot.has_heard_all().await;
    bot.model.says("Indeed it is.");
    group.says_as(&bot.bob, "@sayso_bot the walrus is near");
    group
        .hears_with(|message| message.text == "Indeed it is.")
        .await;

    with_forgotten_facts(bot, ann).await;
    runs(bot, ann, "touch zanzibar-again");
    ann.card().await;
    group
}

/// One fact was changed, one was forgotten, and a card asks which one is to be forgotten next.
async fn with_forgotten_facts(bot: &TestBot, ann: &Side) {
    remembers(bot, ann, "zanzibar cups are old").await;
    let mut ids = bot
        .rows("SELECT CAST(id AS TEXT) FROM memories WHERE text = 'zanzibar cups are old'")
        .await;
    let change = json!({"id": ids.remove(0), "text": "zanzibar cups are new"});
    uses(bot, ann, "memory_update", change).await;
    remembers(bot, ann, "zanzibar spoons are silver").await;
    ann.chat.says("/forget spoons");
    let card = ann.card().await;
    ann.presses(&card, "Forget it").await;
    ann.closes(&card, "Forgotten.").await;
    ann.chat.says("/forget zanzibar cups");
    ann.card().await;
}

fn runs(bot: &TestBot, side: &Side, command: &str) {
    bot.model
        .calls(vec![("shell", json!({ "command": command }))]);
    side.chat.says("go on about the zanzibar");
}

async fn is_done(side: &Side) {
    side.chat
        .hears_with(|message| message.text.contains("what I kept of you is erased"))
        .await;
}

/// Returns the files of a directory that hold a word that must be gone, by name or by any of their
/// bytes.
fn found_in(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if is_in(path.as_os_str().as_encoded_bytes()) {
            found.push(path);
        } else if path.is_dir() {
            found.extend(found_in(&path));
        } else if fs::read(&path).is_ok_and(|bytes| is_in(&bytes)) {
            found.push(path);
        }
    }
    found
}

fn is_in(bytes: &[u8]) -> bool {
    let bytes = bytes.to_ascii_lowercase();
    GONE.iter().any(|word| {
        bytes
            .windows(word.len())
            .any(|window| window == word.as_bytes())
    })
}
