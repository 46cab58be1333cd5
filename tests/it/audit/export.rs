//! The export follows the database, also over a kill.

use sayso_fakes::Message;

use super::{lines, open, says_and_presses, sayso, with_a_past};
use crate::test_bot::{TestBot, eventually};

/// Waits until Sayso is up after a start: it answers.
async fn is_up(bot: &TestBot) {
    let chat = bot.direct();
    chat.says("hello");
    chat.hears_with(|message| message.text == "ok: hello").await;
}

async fn holds(bot: &TestBot) {
    let ran = sayso(bot, &["audit", "verify"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[tokio::test]
async fn it_holds_while_sayso_runs() {
    let bot = open().await;
    let chat = bot.direct();
    for name in ["a", "b", "c"] {
        says_and_presses(&bot, &chat, &format!("run: touch {name}"), "Approve").await;
        holds(&bot).await;
    }
}

#[tokio::test]
async fn a_kill_at_any_moment_leaves_it_behind_and_never_ahead() {
    let mut bot = open().await;
    let chat = bot.direct();
    for round in 0..4 {
        chat.says(&format!("run: touch {round}"));
        let card = chat.hears_with(Message::asks).await;
        chat.press(&bot.ann, card.id, "Approve").await;
        // In the first round as soon as the call may have begun, later after it has.
        if round > 0 {
            chat.hears_with(|message| message.text == "done").await;
        }
        bot.kill().await;
        let rows = bot.rows("SELECT CAST(count(*) AS TEXT) FROM audit").await;
        let rows: usize = rows[0].parse().unwrap();
        let file = std::fs::read_to_string(bot.data().join("audit.jsonl")).unwrap_or_default();
        assert!(
            file.lines().count() <= rows,
            "ahead of {rows} rows:\n{file}"
        );
        bot.start();
        bot.settles_in().await;
        if round == 0 {
            // What was interrupted is asked about again, or is done.
            chat.hears_with(|message| message.text == "done" || message.asks())
                .await;
            chat.says("/stop");
            chat.hears().await;
        }
    }
    is_up(&bot).await;
    bot.stop().await;
    holds(&bot).await;
}

#[tokio::test]
async fn half_a_line_is_completed_at_the_next_start() {
    let mut bot = with_a_past().await;
    let path = bot.data().join("audit.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 40]).unwrap();
    bot.start();
    let is_whole = || std::fs::read_to_string(&path).is_ok_and(|now| now == whole);
    eventually("the missing half of a line", is_whole).await;
    bot.stop().await;
    holds(&bot).await;
}

#[tokio::test]
async fn a_file_that_was_moved_away_is_written_anew() {
    let mut bot = with_a_past().await;
    let before = lines(&bot);
    std::fs::remove_file(bot.data().join("audit.jsonl")).unwrap();
    bot.start();
    let path = bot.data().join("audit.jsonl");
    eventually("a new file", || path.exists()).await;
    bot.stop().await;
    assert_eq!(lines(&bot), before);
    holds(&bot).await;
}

#[tokio::test]
async fn damage_stays_visible_after_a_start() {
    let mut bot = with_a_past().await;
    let path = bot.data().join("audit.jsonl");
    let damaged = lines(&bot).join("\n").replace("refused", "allowed") + "\n";
    std::fs::write(&path, &damaged).unwrap();
    bot.start();
    is_up(&bot).await;
    bot.stop().await;
    assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
    let ran = sayso(&bot, &["audit", "verify"]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
}
