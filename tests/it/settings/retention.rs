//! `[retention]`: how long turns, and what was heard and said, are kept.

use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("retention.turns_days", old_turns_go_with_all_that_is_theirs),
    ("retention.messages_days", what_was_said_long_ago_goes),
];

/// Moves everything 40 days into the past, in a session that has had many turns since, and deletes
/// the indexed lines.
const LONG_AGO: [&str; 7] = [
    "UPDATE journal SET turn_id = turn_id - (40 * 86400000 << 20)",
    "DELETE FROM lines",
    "UPDATE turns SET id = id - (40 * 86400000 << 20), started_ms = started_ms - 40 * 86400000,
                      ended_ms = ended_ms - 40 * 86400000, to_learn = 0",
    "UPDATE inbox SET id = id - (40 * 86400000 << 20), turn_id = turn_id - (40 * 86400000 << 20)",
    "UPDATE outbox SET id = id - (40 * 86400000 << 20), turn_id = turn_id - (40 * 86400000 << 20)",
    "DELETE FROM lessons",
    "UPDATE sessions SET ended_seq = ended_seq + 1000",
];

/// Starts a bot whose past is a turn and a command.
async fn with_a_past(settings: &[(&str, &str)]) -> TestBot {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("the boiler drips");
    chat.settles(|message| message.text == "ok: the boiler drips")
        .await;
    chat.says("/whoami");
    chat.hears().await;
    bot.stop().await;
    bot.write_all(&LONG_AGO).await;
    for (key, value) in settings {
        bot.set(key, value);
    }
    bot.start();
    bot
}

#[tokio::test]
pub async fn old_turns_go_with_all_that_is_theirs() {
    let bot = with_a_past(&[
        ("RETENTION__TURNS_DAYS", "30"),
        ("RETENTION__MESSAGES_DAYS", "50"),
    ])
    .await;
    bot.has_noted("SELECT 'gone' WHERE NOT EXISTS (SELECT 1 FROM journal)")
        .await;
    let left = bot.rows("SELECT id || '' FROM turns").await;
    assert!(left.is_empty(), "{left:?}");
    let said = bot.rows("SELECT purpose FROM outbox").await;
    assert_eq!(said, ["notice"]);
    let chat = bot.direct();
    chat.says("and now?");
    chat.settles(|message| message.text == "ok: and now?").await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn what_was_said_long_ago_goes() {
    let bot = with_a_past(&[
        ("RETENTION__TURNS_DAYS", "0"),
        ("RETENTION__MESSAGES_DAYS", "30"),
    ])
    .await;
    bot.has_noted("SELECT 'gone' WHERE NOT EXISTS (SELECT 1 FROM outbox)")
        .await;
    let kept = bot
        .rows("SELECT t.state FROM turns t JOIN journal j ON j.turn_id = t.id AND j.kind = 'ended'")
        .await;
    assert_eq!(kept, ["ended"]);
    bot.assert_clean();
}
