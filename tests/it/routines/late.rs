//! What was due while Sayso did not run.

use sayso_fakes::Message;
use serde_json::json;

use super::{bot_with_clock, hears_due, lives_in_berlin, minutes};
use crate::platform::{Platform, on_both};

on_both!(
    a_reminder_of_a_time_without_sayso_comes_late_and_says_so,
    recurring_reminders_that_were_missed_come_as_one,
    what_was_missed_has_a_row_and_is_said_once
);

async fn a_reminder_of_a_time_without_sayso_comes_late_and_says_so(platform: Platform) {
    let mut bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    chat.says("/remind in 1 hour call mum");
    chat.hears().await;
    bot.kill().await;
    bot.sets_clock(minutes(9 * 24 * 60));
    bot.start();
    let due = hears_due(&chat).await;
    assert!(
        due.text.starts_with("⏰ call mum\n(late: it was due "),
        "{due}"
    );
    bot.crash_when_noted().await;
    bot.sets_clock(minutes(10 * 24 * 60));
    bot.has_said_all().await;
    assert_eq!(chat.unheard(), 0);
    assert_eq!(bot.rows("SELECT state FROM routine_runs").await, ["done"]);
    bot.assert_clean();
}

async fn recurring_reminders_that_were_missed_come_as_one(platform: Platform) {
    let mut bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    chat.says("/remind every 90 minutes drink water");
    chat.hears().await;
    bot.stop().await;
    bot.sets_clock(minutes(5 * 90 + 10));
    bot.start();
    let due = hears_due(&chat).await;
    assert!(due.text.contains("; 4 before it were missed)"), "{due}");
    let rows = "SELECT state || ' ' || occurrences FROM routine_runs ORDER BY due_ms";
    assert_eq!(bot.rows(rows).await, ["missed 4", "done 1"]);
    bot.assert_clean();
}

async fn what_was_missed_has_a_row_and_is_said_once(platform: Platform) {
    let mut bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    let create = json!({"action": "create", "schedule": "every 90 minutes",
                        "prompt": "look at the mail", "name": "mail", "late": "skip"});
    bot.model.calls(vec![("routine", create)]);
    bot.model.says("Kept.");
    chat.says("look at the mail every hour");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Kept.").await;
    bot.stop().await;
    bot.sets_clock(minutes(5 * 90 + 30));
    bot.start();
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'missed' AND occurrences = 5")
        .await;
    assert_eq!(bot.rows("SELECT '' || id FROM routine_runs").await.len(), 1);
    let is_notice = |message: &Message| message.text.starts_with("mail was missed 5 times (");
    let notice = chat.settles(is_notice).await;
    assert_eq!(notice.labels(), ["Run mail"]);
    bot.stop().await;
    bot.start();
    bot.settles_in().await;
    bot.has_said_all().await;
    let said = chat.messages().iter().filter(|it| is_notice(it)).count();
    assert_eq!(said, 1);
    bot.assert_clean();
}
