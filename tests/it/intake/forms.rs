//! Edits, redelivery, albums, split texts and files.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(an_edit_changes_what_waits_and_asks_again_once_it_was_answered);

async fn an_edit_changes_what_waits_and_asks_again_once_it_was_answered(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.answers(Answer::text("Hello.").held_by(&gate));
    chat.says("hello");
    gate.reached_by(1).await;
    let wish = chat.says("buy milk");
    bot.has_heard_all().await;
    chat.edits(wish, "buy cheese");
    chat.edits(wish, "buy bread");
    bot.has_heard_all().await;
    gate.open();
    chat.hears_with(|message| message.text == "ok: buy bread")
        .await;
    chat.edits(wish, "buy butter");
    chat.hears_with(|message| message.text.contains("butter"))
        .await;
    // A link preview, for one, is an edit that changes no word.
    chat.edits(wish, "buy butter");
    bot.has_heard_all().await;
    chat.says("thank you");
    chat.hears_with(|message| message.text.contains("thank you"))
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: hello
    Ann: buy butter
    Sayso: Hello.
    Sayso: ok: buy bread
    Sayso: ok: (edited) buy butter
    Ann: thank you
    Sayso: ok: thank you
    ");
    assert_eq!(bot.model.turn_requests().len(), 4);
    bot.assert_clean();
}

#[tokio::test]
async fn a_command_that_is_edited_does_not_run_again() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    let command = chat.says("/whoami");
    chat.hears().await;
    chat.edits(command, "/whoami please");
    chat.edits(command, "/help details");
    bot.has_heard_all().await;
    chat.says("thanks");
    chat.settles(|message| message.text == "ok: thanks").await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: /help details
    Sayso: You are Ann, my owner (telegram:101).
    Ann: thanks
    Sayso: ok: thanks
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_message_that_is_delivered_again_is_answered_once() {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    let message = json!({
        "message_id": 7_000,
        "from": {"id": bot.ann.id, "is_bot": false, "first_name": "Ann", "language_code": "en"},
        "chat": {"id": bot.ann.id, "type": "private", "first_name": "Ann"},
        "date": 1_795_300_000,
        "text": "once",
    });
    bot.telegram.raw_update(json!({ "message": message }));
    bot.telegram.raw_update(json!({ "message": message }));
    chat.hears().await;
    bot.restart().await;
    bot.telegram.raw_update(json!({ "message": message }));
    bot.has_heard_all().await;
    chat.says("twice");
    assert_eq!(chat.hears().await.text, "ok: twice");
    assert_eq!(bot.model.turn_requests().len(), 2);
    bot.assert_clean();
}

#[tokio::test]
async fn an_album_is_one_turn() {
    let bot = TestBot::open().await;
    let chat = bot.telegram.direct(&bot.ann);
    chat.sends_album(
        vec![vec![1; 3_000], vec![2; 4_000], vec![3; 5_000]],
        "which is best?",
    );
    chat.hears().await;
    chat.says("thank you");
    chat.hears_with(|message| message.text == "ok: thank you")
        .await;
    let turns = bot.model.turn_requests();
    assert_eq!(turns.len(), 2);
    insta::assert_snapshot!(super::said(&turns[0]).join("\n"), @r"
    which is best?
    [photo: inbox/photo, 3 kB]
    [photo: inbox/photo-2, 4 kB]
    [photo: inbox/photo-3, 5 kB]
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn an_album_in_a_group_is_one_turn_whichever_piece_is_for_us() {
    let bot = TestBot::open().await;
    let group = bot.telegram.group(-557, "Garden");
    let photos = [
        (vec![1; 3_000], ""),
        (vec![2; 4_000], "@sayso_bot which is best?"),
    ];
    group.with(&bot.ann).sends_album_of(photos);
    group.hears().await;
    let turns = bot.model.turn_requests();
    assert_eq!(turns.len(), 1);
    insta::assert_snapshot!(super::said(&turns[0]).join("\n"), @r"
    Ann: 
    [photo: inbox/photo, 3 kB]
    Ann: which is best?
    [photo: inbox/photo-2, 4 kB]
    ");
    let waiting = "SELECT event FROM inbox WHERE state = 'waiting'";
    assert_eq!(bot.rows(waiting).await, [""; 0]);
    bot.assert_clean();
}

#[tokio::test]
async fn a_text_that_the_app_has_split_is_one_turn() {
    let bot = TestBot::open().await;
    let chat = bot.telegram.direct(&bot.ann);
    chat.says(&"a".repeat(4_096));
    chat.says(&"b".repeat(4_090));
    chat.says("the end");
    chat.hears().await;
    let turns = bot.model.turn_requests();
    assert_eq!(turns.len(), 1);
    let lengths: Vec<usize> = super::said(&turns[0]).iter().map(String::len).collect();
    assert_eq!(lengths, [4_096, 4_090, "the end".len()]);
    bot.assert_clean();
}
