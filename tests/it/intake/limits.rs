//! Too many messages.

use sayso_fakes::Message;

use crate::platform::{Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    row59_who_says_too_much_at_once_is_told_once_how_much_was_skipped,
    row59_how_much_was_skipped_is_told_after_a_kill
);

fn is_notice(message: &Message) -> bool {
    message.text.contains("came within a minute")
}

/// Says this number of messages at once.
async fn floods(bot: &TestBot, messages: u32) {
    let chat = bot.direct();
    for number in 1..=messages {
        chat.says(&format!("message {number}"));
    }
    bot.has_heard_all().await;
}

fn notices(messages: &[Message]) -> Vec<String> {
    let notices = messages.iter().filter(|message| is_notice(message));
    notices.map(|notice| notice.text.clone()).collect()
}

async fn row59_who_says_too_much_at_once_is_told_once_how_much_was_skipped(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    floods(&bot, 36).await;
    chat.settles(|message| message.text == "ok: message 30")
        .await;
    let bob = bot.direct_with(&bot.bob);
    bob.says("and me?");
    assert_eq!(bob.hears().await.text, "ok: and me?");
    chat.settles(is_notice).await;
    bot.has_said_all().await;
    let messages = chat.messages();
    let is_answer = |message: &&Message| message.text.starts_with("ok:");
    let answers = messages.iter().filter(is_answer).count();
    // One grows back every two seconds.
    assert!((30..36).contains(&answers), "{answers}");
    let skipped = 36 - answers;
    let expected = match skipped {
        1 => "I skipped your last message: more than 30 came within a minute.".to_owned(),
        _ => format!(
            "I skipped your last {skipped} messages: more than 30 came within a minute. Send again what matters."
        ),
    };
    let told = notices(&messages);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with(&expected), "{told:?}");
    bot.assert_clean();
}

async fn row59_how_much_was_skipped_is_told_after_a_kill(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    floods(&bot, 40).await;
    let skipped = bot.rows("SELECT CAST(messages AS TEXT) FROM skipped_messages");
    let skipped = skipped.await;
    let [skipped] = &skipped[..] else {
        panic!("{skipped:?}");
    };
    assert!(notices(&chat.messages()).is_empty(), "told too early");
    bot.crash().await;
    chat.settles(is_notice).await;
    eventually("all is answered", || {
        let messages = chat.messages();
        messages
            .iter()
            .any(|message| message.text == "ok: message 30")
    })
    .await;
    let told = notices(&chat.messages());
    assert_eq!(told.len(), 1, "{told:?}");
    let expected = format!("I skipped your last {skipped} messages:");
    assert!(told[0].starts_with(&expected), "{told:?}");
    bot.assert_clean();
}
