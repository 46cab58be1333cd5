//! For how long a turn may work.

use sayso_fakes::Message;
use serde_json::json;

use super::stop::running_in;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    at_the_time_limit_everything_ends_and_the_user_hears_how_to_go_on,
    the_time_in_which_a_person_is_waited_for_is_no_work,
    what_was_worked_before_a_card_counts
);

async fn at_the_time_limit_everything_ends_and_the_user_hears_how_to_go_on(platform: Platform) {
    let bot = TestBot::on_with(
        platform,
        &[
            ("AGENT__TURN_TIMEOUT_SECS", "8"),
            ("POLICY__CONFIRM_EXEC", "false"),
        ],
    )
    .await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("shell", json!({"command": "sleep 600"}))]);
    chat.says("count the stars");
    let ended = is_over(&chat).await;
    assert!(
        ended
            .text
            .starts_with("I stopped here: I worked on this for 8 s, and that is the limit."),
        "{ended}"
    );
    assert!(ended.text.ends_with("Say go on to continue."), "{ended}");
    assert!(ended.buttons.is_empty(), "{ended}");
    eventually("the end of the command", || {
        running_in(&bot.workspace(), "sleep") == 0
    })
    .await;
    chat.says("go on");
    chat.settles(|message| message.text == "ok: go on").await;
    let request = bot.model.turn_requests().pop().unwrap();
    assert!(
        request.mentions("count the stars"),
        "{:?}",
        request.messages()
    );
}

async fn the_time_in_which_a_person_is_waited_for_is_no_work(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let card = card(&bot, &chat).await;
    bot.change("UPDATE turns SET started_ms = started_ms - 7200000 WHERE state = 'parked'")
        .await;
    bot.model.says("Made.");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Made.").await;
    bot.assert_clean();
}

async fn what_was_worked_before_a_card_counts(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let card = card(&bot, &chat).await;
    bot.change("UPDATE turns SET worked_ms = worked_ms + 1800000 WHERE state = 'parked'")
        .await;
    bot.model
        .when(|request| (!request.is_routing()).then(sayso_fakes::Answer::hangs));
    chat.press(&bot.ann, card.id, "Approve").await;
    let ended = is_over(&chat).await;
    assert!(ended.text.contains("for 30 min"), "{ended}");
}

/// Has the turn ask for a yes, and returns its card once what was worked until then is noted.
async fn card(bot: &TestBot, chat: &Chat) -> Message {
    bot.model
        .calls(vec![("shell", json!({"command": "mktemp ./mark.XXXX"}))]);
    chat.says("make a mark");
    let card = chat
        .settles(|message| message.labels().contains(&"Approve"))
        .await;
    bot.has_noted("SELECT 'noted' FROM turns WHERE state = 'parked' AND worked_ms > 0")
        .await;
    card
}

async fn is_over(chat: &Chat) -> Message {
    chat.settles(|message| message.text.contains("that is the limit"))
        .await
}
