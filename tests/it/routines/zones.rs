//! By whose clock people live: asked about once, set, and what moves with it.

use super::{bot_with_clock, minutes};
use crate::platform::{Platform, on_both};

const NOT_YOURS: &str = "This question was for somebody else.";

on_both!(
    the_first_schedule_asks_about_the_zone_and_the_second_does_not,
    what_follows_the_clock_moves_with_its_person,
    a_zone_that_there_is_not_is_refused
);

async fn the_first_schedule_asks_about_the_zone_and_the_second_does_not(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    chat.says("/remind tomorrow at 9 call mum");
    let kept = chat.hears().await;
    assert!(
        kept.text.contains(", 09:00 (Europe/Berlin): call mum"),
        "{kept}"
    );
    let asked = chat.hears().await;
    assert!(asked.text.contains("Europe/Berlin"), "{asked}");
    assert_eq!(asked.labels()[..2], ["Yes, Europe/Berlin", "Asia/Shanghai"]);
    // Somebody else's press changes nothing.
    let bob = bot.direct_with(&bot.bob);
    bob.says("/timezone");
    let his = bob.hears().await;
    let token = asked.token("Asia/Shanghai");
    let refused = bob.press_token(&bot.bob, his.id, &token).await;
    assert_eq!(refused.text.as_deref(), Some(NOT_YOURS));
    let set = "SELECT zone FROM users WHERE zone IS NOT NULL";
    assert!(bot.rows(set).await.is_empty());
    chat.press(&bot.ann, asked.id, "Asia/Shanghai").await;
    let set = chat
        .becomes(asked.id, |message| message.text.contains("Asia/Shanghai"))
        .await;
    assert!(set.text.contains("call mum"), "what moves is listed: {set}");
    assert!(set.text.contains(", 09:00 (Europe/Berlin) → "), "{set}");
    assert!(set.text.contains(", 09:00 (Asia/Shanghai)"), "{set}");
    chat.says("/remind tomorrow at 10 call dad");
    let kept = chat.hears().await;
    assert!(
        kept.text.contains(", 10:00 (Asia/Shanghai): call dad"),
        "{kept}"
    );
    bot.has_said_all().await;
    assert_eq!(chat.unheard(), 0);
    bot.assert_clean();
}

async fn what_follows_the_clock_moves_with_its_person(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    chat.says("/timezone Tokyo");
    chat.hears().await;
    chat.says("/remind every day at 9 water the plants");
    chat.hears().await;
    let before = bot.rows("SELECT cast(due_ms AS TEXT) FROM routines").await;
    chat.says("/timezone 纽约");
    let moved = chat.hears().await;
    assert!(moved.text.contains("water the plants"), "{moved}");
    let after = bot.rows("SELECT cast(due_ms AS TEXT) FROM routines").await;
    assert_ne!(before, after);
    chat.says("/timezone");
    let shown = chat.hears().await;
    assert!(
        shown.text.contains("Your time zone is America/New_York"),
        "{shown}"
    );
    bot.sets_clock(minutes(0));
    bot.assert_clean();
}

async fn a_zone_that_there_is_not_is_refused(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    for name in ["Mars/Olympus", "CST8"] {
        chat.says(&format!("/timezone {name}"));
        let refused = chat.hears().await;
        assert!(refused.text.contains(name), "{refused}");
        assert!(refused.text.contains("I know no time zone"), "{refused}");
    }
    assert!(
        bot.rows("SELECT zone FROM users WHERE zone IS NOT NULL")
            .await
            .is_empty()
    );
    bot.assert_clean();
}
