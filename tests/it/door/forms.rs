//! Edits, redelivery, albums, split texts and files.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use crate::house::House;
use crate::platform::{Platform, on_both};

on_both!(an_edit_changes_what_waits_and_asks_again_once_it_was_answered);

async fn an_edit_changes_what_waits_and_asks_again_once_it_was_answered(platform: Platform) {
    let house = House::on(platform).await;
    let chat = house.direct();
    let gate = Gate::new();
    house.model.answers(Answer::text("Hello.").held_by(&gate));
    chat.says("hello");
    gate.reached_by(1).await;
    let wish = chat.says("buy milk");
    house.has_heard_all().await;
    chat.edits(wish, "buy cheese");
    chat.edits(wish, "buy bread");
    house.has_heard_all().await;
    gate.open();
    chat.hears_with(|message| message.text == "ok: buy bread")
        .await;
    chat.edits(wish, "buy butter");
    chat.hears_with(|message| message.text.contains("butter"))
        .await;
    // A link preview, for one, is an edit that changes no word.
    chat.edits(wish, "buy butter");
    house.has_heard_all().await;
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
    assert_eq!(house.model.turn_requests().len(), 4);
    house.assert_clean();
}

#[tokio::test]
async fn a_command_that_is_edited_does_not_run_again() {
    let house = House::open().await;
    let chat = house.direct();
    let command = chat.says("/whoami");
    chat.hears().await;
    chat.edits(command, "/whoami please");
    chat.edits(command, "/help");
    house.has_heard_all().await;
    chat.says("thanks");
    chat.hears_with(|message| message.text == "ok: thanks")
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: /help
    Sayso: You are telegram:101, and your role is owner.
    Ann: thanks
    Sayso: ok: thanks
    ");
    house.assert_clean();
}

#[tokio::test]
async fn a_message_that_is_delivered_again_is_answered_once() {
    let mut house = House::open().await;
    let chat = house.direct();
    let message = json!({
        "message_id": 7_000,
        "from": {"id": house.ann.id, "is_bot": false, "first_name": "Ann", "language_code": "en"},
        "chat": {"id": house.ann.id, "type": "private", "first_name": "Ann"},
        "date": 1_795_300_000,
        "text": "once",
    });
    house.telegram.raw_update(json!({ "message": message }));
    house.telegram.raw_update(json!({ "message": message }));
    chat.hears().await;
    house.restart().await;
    house.telegram.raw_update(json!({ "message": message }));
    house.has_heard_all().await;
    chat.says("twice");
    assert_eq!(chat.hears().await.text, "ok: twice");
    assert_eq!(house.model.turn_requests().len(), 2);
    house.assert_clean();
}

#[tokio::test]
async fn an_album_is_one_turn() {
    let house = House::open().await;
    let chat = house.telegram.direct(&house.ann);
    chat.sends_album(
        vec![vec![1; 3_000], vec![2; 4_000], vec![3; 5_000]],
        "which is best?",
    );
    chat.hears().await;
    chat.says("thank you");
    chat.hears_with(|message| message.text == "ok: thank you")
        .await;
    let turns = house.model.turn_requests();
    assert_eq!(turns.len(), 2);
    insta::assert_snapshot!(super::said(&turns[0]).join("\n"), @r"
    which is best?
    [photo: inbox/photo, 3 kB]
    [photo: inbox/photo-2, 4 kB]
    [photo: inbox/photo-3, 5 kB]
    ");
    house.assert_clean();
}

#[tokio::test]
async fn an_album_in_a_group_is_one_turn_whichever_piece_is_for_us() {
    let house = House::open().await;
    let group = house.telegram.group(-557, "Garden");
    let photos = [
        (vec![1; 3_000], ""),
        (vec![2; 4_000], "@sayso_bot which is best?"),
    ];
    group.with(&house.ann).sends_album_of(photos);
    group.hears().await;
    let turns = house.model.turn_requests();
    assert_eq!(turns.len(), 1);
    insta::assert_snapshot!(super::said(&turns[0]).join("\n"), @r"
    Ann: 
    [photo: inbox/photo, 3 kB]
    Ann: which is best?
    [photo: inbox/photo-2, 4 kB]
    ");
    let waiting = "SELECT event FROM inbox WHERE state = 'waiting'";
    assert_eq!(house.rows(waiting).await, [""; 0]);
    house.assert_clean();
}

#[tokio::test]
async fn a_text_that_the_app_has_split_is_one_turn() {
    let house = House::open().await;
    let chat = house.telegram.direct(&house.ann);
    chat.says(&"a".repeat(4_096));
    chat.says(&"b".repeat(4_090));
    chat.says("the end");
    chat.hears().await;
    let turns = house.model.turn_requests();
    assert_eq!(turns.len(), 1);
    let lengths: Vec<usize> = super::said(&turns[0]).iter().map(String::len).collect();
    assert_eq!(lengths, [4_096, 4_090, "the end".len()]);
    house.assert_clean();
}
