//! The database locked, its disk full, the clock set, a second process, a program that is too old.

use std::time::Duration;

use rusqlite::Connection;
use sayso_fakes::{Answer, Gate};
use serde_json::{Value, json};

use crate::bad_input::database::refuses_to_start;
use crate::bad_input::disk::SmallDisk;
use crate::health::{bot_with_window, get, health_until, window_of};
use crate::test_bot::{PATIENCE, TestBot};

fn is_well(status: u16, report: &Value) -> bool {
    status == 200 && report["database"]["ok"] == true
}

fn is_ill(status: u16, report: &Value) -> bool {
    status == 503 && report["database"]["ok"] == false
}

/// Has every turn wait at the gate before its answer.
fn answers_wait(bot: &TestBot) -> Gate {
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        (!request.is_routing()).then(|| Answer::text("It is done.").held_by(&held))
    });
    gate
}

#[tokio::test]
async fn database_locked_for_half_a_minute_is_told_and_loses_nothing() {
    let (bot, window) = bot_with_window(&[]).await;
    let chat = bot.direct();
    let gate = answers_wait(&bot);
    chat.says("before");
    gate.reached_by(1).await;
    let other = Connection::open(bot.data().join("sayso.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let locked = tokio::time::Instant::now();

    // One turn has its answer and cannot write it; one message cannot be stored.
    gate.open();
    chat.says("meanwhile");
    let (_, report) = health_until(&window, PATIENCE, is_ill).await;
    let reason = report["database"]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("the database is locked by another program"),
        "{reason}"
    );
    let (_, metrics) = get(&window, "/metrics").await;
    assert!(metrics.contains("sayso_database_up 0"), "{metrics}");
    assert_eq!(bot.telegram.unconfirmed(), 1);

    tokio::time::sleep_until(locked + Duration::from_secs(30)).await;
    other.execute_batch("COMMIT").unwrap();
    health_until(&window, PATIENCE, is_well).await;
    let answers = async {
        while answers_in(&chat) < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let answered = tokio::time::timeout(2 * PATIENCE, answers).await;
    assert!(answered.is_ok(), "{:?}\n{}", texts(&chat), bot.log());
    bot.has_noted("SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM turns WHERE state <> 'ended')")
        .await;
    assert_eq!(answers_in(&chat), 2, "{:?}", texts(&chat));
    let heard = bot.rows("SELECT said FROM inbox ORDER BY id").await;
    assert_eq!(heard, ["before", "meanwhile"]);
}

fn texts(chat: &crate::platform::Chat) -> Vec<String> {
    let messages = chat.messages().into_iter();
    messages.map(|message| message.text).collect()
}

fn answers_in(chat: &crate::platform::Chat) -> usize {
    let is_answer = |text: &&String| text.as_str() == "It is done.";
    texts(chat).iter().filter(is_answer).count()
}

#[tokio::test]
async fn full_disk_is_told_and_over_when_there_is_room() {
    let mut bot =
        TestBot::closed(&[("AGENT__ROUTING", "off"), ("HTTP__LISTEN", "127.0.0.1:0")]).await;
    let Some(_disk) = SmallDisk::mount(&bot.data()) else {
        println!("nothing may be mounted here");
        return;
    };
    bot.start();
    let window = window_of(&bot).await;
    let chat = bot.direct();
    chat.says("first");
    chat.settles(|message| message.text == "ok: first").await;
    let filler = bot.data().join("filler");
    fill(&filler);
    // As long as there is room in the log, messages are stored.
    let mut said = 0;
    while bot.telegram.unconfirmed() == 0 {
        said += 1;
        assert!(said < 25, "there was room for everything");
        chat.says(&format!("{said} {}", "fill ".repeat(700)));
        let taken = async {
            while bot.telegram.unconfirmed() > 0 && !bot.log().contains("event not stored") {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        assert!(tokio::time::timeout(PATIENCE, taken).await.is_ok());
    }
    let (_, report) = health_until(&window, PATIENCE, is_ill).await;
    let reason = report["database"]["reason"].as_str().unwrap();
    assert!(reason.starts_with("the disk is full"), "{reason}");
    bot.logs("database write failed").await;

    std::fs::remove_file(&filler).unwrap();
    health_until(&window, PATIENCE, is_well).await;
    bot.logs("database writable again").await;
    bot.has_heard_all().await;
    let heard = bot.rows("SELECT substr(said, 1, 8) FROM inbox").await;
    assert_eq!(heard.len(), said + 1, "{heard:?}");
}

/// Takes all the room that there is.
fn fill(filler: &std::path::Path) {
    use std::io::Write as _;
    let mut file = std::fs::File::create(filler).unwrap();
    while file.write_all(&[0; 512]).is_ok() {}
}

#[tokio::test]
async fn second_process_is_refused_by_number_and_a_killed_one_holds_nothing() {
    let mut bot = TestBot::open().await;
    bot.telegram.waits_for_calls("getUpdates", 1).await;
    let noted = std::fs::read_to_string(bot.data().join("sayso.lock")).unwrap();
    let second = bot
        .command()
        .stderr(std::process::Stdio::piped())
        .output()
        .await
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    let error = String::from_utf8(second.stderr).unwrap();
    let named = format!("stop it first (process {}), or", noted.trim());
    assert!(error.contains(&named), "{error}");

    // The lock file that a kill leaves behind contains a PID and blocks no later start.
    bot.kill().await;
    assert_eq!(
        std::fs::read_to_string(bot.data().join("sayso.lock")).unwrap(),
        noted
    );
    bot.start();
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let now = std::fs::read_to_string(bot.data().join("sayso.lock")).unwrap();
    assert_ne!(now, noted);
    bot.assert_clean();
}

#[tokio::test]
async fn lease_that_ran_out_by_the_clock_doubles_no_turn() {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    let gate = answers_wait(&bot);
    chat.says("do it");
    gate.reached_by(1).await;
    // As if the clock had been set ahead by a day: the lease is over, the turn is at work.
    bot.change("UPDATE sessions SET lease_until_ms = lease_until_ms - 24 * 3600 * 1000")
        .await;
    chat.says("/status details");
    chat.hears().await;
    tokio::time::sleep(Duration::from_secs(6)).await;
    gate.open();
    chat.settles(|message| message.text == "It is done.").await;
    let turns = bot.rows("SELECT resumes || '' FROM turns").await;
    assert_eq!(turns, ["0"]);
    // And set back: the next process does not wait for what is a day ahead.
    bot.stop().await;
    bot.write("UPDATE sessions SET lease_owner = 'another', lease_until_ms = 4e15")
        .await;
    bot.start();
    chat.says("once more");
    chat.settles(|message| message.text == "It is done.").await;
    bot.assert_clean();
}

/// Moves every timestamp in the database a day ahead of the clock, as after the clock was set back.
const A_DAY_AHEAD: [&str; 4] = [
    "UPDATE inbox SET id = id + (86400000 << 20), stored_ms = stored_ms + 86400000,
                      ready_ms = ready_ms + 86400000",
    "UPDATE outbox SET created_ms = created_ms + 86400000, sent_ms = sent_ms + 86400000",
    "UPDATE cards SET expires_ms = expires_ms + 86400000",
    "UPDATE turns SET started_ms = started_ms + 86400000, ended_ms = ended_ms + 86400000",
];

#[tokio::test]
async fn clock_that_was_set_back_delays_nothing_and_keeps_the_order() {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    bot.model
        .calls(vec![("shell", json!({ "command": "touch made" }))]);
    chat.says("make it");
    let card = chat
        .hears_with(|message| !message.labels().is_empty())
        .await;
    bot.stop().await;
    // One more message was stored and not taken when the clock was set.
    bot.write(
        "INSERT INTO inbox (id, channel, kind, event, version, session_id, user_id, address,
                                message, said, album, ready_ms, state, stored_ms)
             SELECT max(id) + 1, channel, kind, 'later', 0, session_id, user_id, address, '99999',
                    'are you there?', 'album-1', ready_ms + 1000, 'waiting', stored_ms
             FROM inbox WHERE kind = 'message'",
    )
    .await;
    bot.write_all(&A_DAY_AHEAD).await;
    bot.start();
    chat.hears_with(|message| message.text == "ok: are you there?")
        .await;
    // What waits for a yes is still to be had, and what is stored now comes behind what was.
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    chat.says("and now?");
    chat.settles(|message| message.text == "ok: and now?").await;
    let newest = bot
        .rows("SELECT said FROM inbox WHERE kind = 'message' ORDER BY id DESC LIMIT 1")
        .await;
    assert_eq!(newest, ["and now?"]);
    assert!(bot.workspace().join("made").exists());
    bot.assert_clean();
}

#[tokio::test]
async fn older_program_names_the_copy_that_leads_back() {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    bot.stop().await;
    let data = bot.data();
    std::fs::copy(data.join("sayso.db"), data.join("sayso.db.before-9999")).unwrap();
    std::fs::write(data.join("sayso.db.before-9998"), "no database").unwrap();
    bot.write(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'flying cars', TRUE, x'00', 1)",
    )
    .await;
    let error = refuses_to_start(&mut bot).await;
    assert!(
        error.contains("update Sayso, or restore a backup. `"),
        "{error}"
    );
    assert!(
        error.contains("sayso.db.before-9999` is how it was before the update"),
        "{error}"
    );

    // What it says, done.
    let away = bot.path("away");
    std::fs::create_dir(&away).unwrap();
    for name in [
        "sayso.db",
        "sayso.db-wal",
        "sayso.db-shm",
        "audit.jsonl",
        "trace.jsonl",
    ] {
        let file = data.join(name);
        if file.exists() {
            std::fs::rename(file, away.join(name)).unwrap();
        }
    }
    std::fs::rename(data.join("sayso.db.before-9999"), data.join("sayso.db")).unwrap();
    bot.start();
    chat.says("are you back?");
    chat.settles(|message| message.text == "ok: are you back?")
        .await;
    let request = bot.model.turn_requests().pop().unwrap();
    assert!(request.mentions("ok: hello"), "it remembers nothing");
    bot.assert_clean();
}
