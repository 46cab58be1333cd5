//! Databases that are locked, damaged, read-only, too new or in use: the operator reads why, and
//! afterwards nothing is lost.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::Stdio;

use rusqlite::Connection;

use crate::test_bot::TestBot;

/// A bot that has been lived in, and is closed.
async fn lived_in() -> TestBot {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    assert_eq!(bot.stop().await, Some(0));
    bot
}

/// Starts a Sayso that must end by itself with exit code 1, and returns its last words.
pub async fn refuses_to_start(bot: &mut TestBot) -> String {
    std::fs::write(bot.path("log"), "").unwrap();
    bot.start();
    assert_eq!(bot.ends().await, Some(1), "{}", bot.log());
    let log = bot.log();
    let error = log.lines().find(|line| line.starts_with("error: "));
    error
        .unwrap_or_else(|| panic!("no last words:\n{log}"))
        .to_owned()
}

#[tokio::test]
async fn locked_database_is_waited_for() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("first");
    chat.settles(|message| message.text == "ok: first").await;

    let other = Connection::open(bot.data().join("sayso.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    chat.says("second");
    // Longer than one write waits for a lock.
    bot.logs("event not stored").await;
    bot.logs("the database is locked by another program").await;
    assert_eq!(bot.telegram.unconfirmed(), 1);
    other.execute_batch("COMMIT").unwrap();
    chat.settles(|message| message.text == "ok: second").await;
    let heard = bot.rows("SELECT said FROM inbox ORDER BY id").await;
    assert_eq!(heard, ["first", "second"]);
    bot.assert_clean();
}

#[tokio::test]
async fn damaged_database_is_refused() {
    let mut bot = lived_in().await;
    std::fs::write(
        bot.data().join("sayso.db"),
        "this is no database, it is a letter",
    )
    .unwrap();
    let error = refuses_to_start(&mut bot).await;
    assert!(
        error.contains("the database is damaged or is no SQLite file"),
        "{error}"
    );
    assert!(error.contains("restore a backup"), "{error}");
}

#[tokio::test]
async fn database_from_the_future_is_refused() {
    let mut bot = lived_in().await;
    let database = Connection::open(bot.data().join("sayso.db")).unwrap();
    let future =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                  VALUES (9999, 'flying cars', TRUE, x'00', 1)";
    database.execute(future, ()).unwrap();
    drop(database);
    let error = refuses_to_start(&mut bot).await;
    assert!(
        error.contains("was written by a newer Sayso (schema 9999"),
        "{error}"
    );
    assert!(
        error.contains("update Sayso, or restore a backup"),
        "{error}"
    );
}

#[tokio::test]
async fn directory_in_use_is_refused() {
    let bot = TestBot::open().await;
    bot.telegram.waits_for_calls("getUpdates", 1).await;
    let second = bot.command().stderr(Stdio::piped()).output().await.unwrap();
    assert_eq!(second.status.code(), Some(1));
    let error = String::from_utf8(second.stderr).unwrap();
    assert!(
        error.contains("is in use by another Sayso; stop it first"),
        "{error}"
    );
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    bot.assert_clean();
}

#[tokio::test]
async fn directory_that_cannot_be_written_is_refused() {
    let mut bot = TestBot::closed(&[]).await;
    // A file stands in its place, which stops root as well.
    std::fs::write(bot.data(), "").unwrap();
    let error = refuses_to_start(&mut bot).await;
    assert!(error.contains("cannot be written"), "{error}");
    assert!(
        error.contains("check the owner and rights of the data directory"),
        "{error}"
    );

    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    if is_root {
        return;
    }
    std::fs::remove_file(bot.data()).unwrap();
    std::fs::create_dir(bot.data()).unwrap();
    std::fs::set_permissions(bot.data(), std::fs::Permissions::from_mode(0o500)).unwrap();
    let error = refuses_to_start(&mut bot).await;
    assert!(error.contains("cannot be written"), "{error}");
}
