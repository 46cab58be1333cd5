//! Too many messages.

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(who_says_too_much_at_once_is_told_so_once);

async fn who_says_too_much_at_once_is_told_so_once(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    for number in 1..=33 {
        chat.says(&format!("message {number}"));
    }
    chat.settles(|message| message.text.contains("30 messages a minute"))
        .await;
    chat.settles(|message| message.text == "ok: message 30")
        .await;
    let bob = bot.direct_with(&bot.bob);
    bob.says("and me?");
    assert_eq!(bob.hears().await.text, "ok: and me?");
    let messages = chat.messages();
    let notices: Vec<_> = messages
        .iter()
        .filter(|message| message.text.contains("30 messages"))
        .collect();
    insta::assert_snapshot!(notices[0], @r"
    Sayso: That is more than 30 messages a minute, so I left this one and those right after it unanswered.
      Wait a few seconds, then send again what matters.
    ");
    assert_eq!(notices.len(), 1);
    let answers = messages
        .iter()
        .filter(|message| message.text.starts_with("ok:"))
        .count();
    assert!((30..33).contains(&answers), "{answers}");
    bot.assert_clean();
}
