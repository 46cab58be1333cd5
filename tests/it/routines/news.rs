//! Routines that speak only of news: silence is typed, and nothing is said twice.

use serde_json::json;

use super::{bot_with, lives_in_berlin, minutes};
use crate::platform::{Platform, on_both};

on_both!(only_what_is_reported_is_said_and_once);

async fn only_what_is_reported_is_said_and_once(platform: Platform) {
    let settings = [
        ("ROUTINES__SPREAD_SECS", "0"),
        ("AGENT__AUTONOMY", "full"),
        ("AGENT__ROUTING", "off"),
    ];
    let bot = bot_with(platform, &settings).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    let create = json!({"action": "create", "schedule": "every 90 minutes", "name": "mail",
                        "prompt": "look at the mail", "notify": "news"});
    bot.model.calls(vec![("routine", create)]);
    bot.model.says("Kept.");
    chat.says("tell me when mail comes");
    chat.settles(|message| message.text == "Kept.").await;
    let heard = |number: i64| minutes(90 * number);
    // Nothing is new: whatever the model says of it is not shown.
    bot.model.says("All clear, nothing to report!");
    bot.sets_clock(heard(1));
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'quiet'")
        .await;
    let news = json!({"text": "A mail from Bob.", "keys": ["mail-1"]});
    bot.model.calls(vec![("report", news.clone())]);
    bot.model.says("I told them.");
    bot.sets_clock(heard(2));
    chat.settles(|message| message.text.starts_with("A mail from Bob."))
        .await;
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'done'")
        .await;
    // The same mail in other words.
    let again = json!({"text": "Bob wrote to you.", "keys": ["mail-1"]});
    bot.model.calls(vec![("report", again)]);
    bot.model.says("I told them again.");
    bot.sets_clock(heard(3));
    bot.has_noted(
        "SELECT 'two' WHERE (SELECT count(*) FROM routine_runs WHERE state = 'quiet') = 2",
    )
    .await;
    bot.has_said_all().await;
    let shown = chat.messages();
    let is_seen = |text: &str| shown.iter().any(|message| message.text.contains(text));
    assert!(!is_seen("All clear") && !is_seen("I told them") && !is_seen("Bob wrote"));
    bot.assert_clean();
}
