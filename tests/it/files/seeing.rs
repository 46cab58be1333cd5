//! Pictures for models that see, on both wires, and for those that do not.

use sayso_fakes::{Answer, Gate, Message, ModelRequest};
use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(a_photo_is_shown_to_a_model_that_sees);

const SEES: (&str, &str) = ("PROVIDERS__0__VISION", "yes");
const BLIND: (&str, &str) = ("PROVIDERS__0__VISION", "no");
const ANTHROPIC: (&str, &str) = ("PROVIDERS__0__KIND", "anthropic");

/// Two pictures that begin as such and mean nothing.
const JPEG: &[u8] = b"\xff\xd8\xff\xe0";
const JPEG_SHOWN: &str = "data:image/jpeg;base64,/9j/4A==";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0";
const PNG_SHOWN: &str = "data:image/png;base64,iVBORw0KGgoA";

/// Returns the pictures of a request, in order.
fn pictures(request: &ModelRequest) -> Vec<String> {
    let messages = request.messages().iter();
    let parts = messages.filter_map(|message| message["content"].as_array());
    let urls = parts.flatten().map(|part| &part["image_url"]["url"]);
    urls.filter_map(|url| url.as_str().map(str::to_owned))
        .collect()
}

/// Waits until everything is answered.
async fn answers(bot: &TestBot) {
    bot.has_heard_all().await;
    bot.has_said_all().await;
}

async fn a_photo_is_shown_to_a_model_that_sees(platform: Platform) {
    let bot = TestBot::on_with(platform, &[SEES]).await;
    let chat = bot.direct();
    chat.sends_photo(JPEG, "what is this?");
    answers(&bot).await;
    let turns = bot.model.turn_requests();
    assert_eq!(pictures(&turns[0]), [JPEG_SHOWN]);
    insta::assert_snapshot!(turns[0].last_user(), @r"
    what is this?
    [photo: inbox/photo.jpg, JPEG, 1 kB]
    ");
    // A later question about it finds it in view.
    chat.says("and what colour is it?");
    answers(&bot).await;
    assert_eq!(pictures(&bot.model.turn_requests()[1]), [JPEG_SHOWN]);
    let journal = bot.rows("SELECT body FROM journal").await.concat();
    assert!(!journal.contains("/9j/4A"), "the journal holds no bytes");
    bot.assert_clean();
}

#[tokio::test]
async fn what_a_picture_is_its_bytes_say_on_the_other_wire_too() {
    let bot = TestBot::with(&[SEES, ANTHROPIC]).await;
    let chat = bot.direct();
    chat.sends_document("drawing.jpg", PNG, "what is this?");
    answers(&bot).await;
    let turns = bot.model.turn_requests();
    assert_eq!(pictures(&turns[0]), [PNG_SHOWN]);
    bot.assert_clean();
}

#[tokio::test]
async fn who_does_not_see_is_told_so() {
    let bot = TestBot::with(&[BLIND]).await;
    let chat = bot.direct();
    chat.sends_photo(JPEG, "what is this?");
    answers(&bot).await;
    let turns = bot.model.turn_requests();
    assert_eq!(pictures(&turns[0]), Vec::<String>::new());
    insta::assert_snapshot!(turns[0].last_user(), @r"
    what is this?
    [photo: inbox/photo.jpg, JPEG, 1 kB]
    [inbox/photo.jpg cannot be seen by this model: say so]
    ");
    bot.assert_clean();
}

/// Who sends a picture need not have written what stands in it.
#[tokio::test]
async fn a_picture_in_view_makes_what_went_unasked_ask() {
    let bot = TestBot::with(&[SEES]).await;
    let chat = bot.direct();
    let stores = || ("memory_store", json!({"text": "Zebras have stripes."}));
    bot.model.calls(vec![stores()]);
    bot.model.says("Kept.");
    chat.says("remember that zebras have stripes");
    chat.settles(|message| message.text == "Kept.").await;
    bot.model.calls(vec![stores()]);
    chat.sends_photo(JPEG, "remember what it shows");
    let card = chat.settles(Message::asks).await;
    assert!(
        card.text.contains("I have recently read: a picture"),
        "{card}"
    );
    bot.assert_clean();
}

/// The setting `vision`: the same photo, to a model that is said to see and to one that is not.
#[tokio::test]
pub async fn vision_says_whether_pictures_are_shown() {
    let mut shown = Vec::new();
    for vision in [SEES, BLIND] {
        let bot = TestBot::with(&[vision]).await;
        let chat = bot.direct();
        chat.sends_photo(JPEG, "look");
        answers(&bot).await;
        shown.push(pictures(&bot.model.turn_requests()[0]).len());
        bot.assert_clean();
    }
    assert_eq!(shown, [1, 0]);
}

#[tokio::test]
async fn a_picture_that_is_too_large_stays_a_name() {
    let bot = TestBot::with(&[SEES]).await;
    let chat = bot.direct();
    let mut large = JPEG.to_vec();
    large.resize(3_750_001, 0);
    chat.sends_photo(large, "what is this?");
    answers(&bot).await;
    let turns = bot.model.turn_requests();
    assert_eq!(pictures(&turns[0]), Vec::<String>::new());
    let said = turns[0].last_user();
    assert!(
        said.contains("[inbox/photo.jpg is not shown here]"),
        "{said}"
    );
    bot.assert_clean();
}

/// A service may take no such picture. It is said so once, and the chat goes on.
#[tokio::test]
async fn a_picture_that_the_service_refuses_is_left_out() {
    let bot = TestBot::with(&[SEES]).await;
    let chat = bot.direct();
    let why = r#"{"error": {"message": "Could not process image", "code": 400}}"#;
    bot.model.answers(Answer::error(400, why));
    bot.model.says("I cannot open that picture.");
    chat.sends_photo(JPEG, "what is this?");
    chat.settles(|message| message.text == "I cannot open that picture.")
        .await;
    let turns = bot.model.turn_requests();
    assert_eq!(pictures(&turns[0]), [JPEG_SHOWN]);
    assert_eq!(pictures(&turns[1]), Vec::<String>::new());
    assert!(turns[1].last_user().contains("is not shown here"));
    bot.assert_clean();
}

#[tokio::test]
async fn a_turn_that_goes_on_after_a_crash_shows_the_picture_again() {
    let mut bot = TestBot::with(&[SEES]).await;
    let never = Gate::new();
    bot.model.answers(Answer::text("Too late.").held_by(&never));
    bot.direct().sends_photo(JPEG, "what is this?");
    never.reached_by(1).await;
    bot.model.says("A photo.");
    bot.crash().await;
    let chat = bot.direct();
    chat.settles(|message| message.text.contains("A photo."))
        .await;
    let last = bot.model.turn_requests().pop().unwrap();
    assert_eq!(pictures(&last), [JPEG_SHOWN]);
    bot.assert_clean();
}

/// What lies under the name of a picture later was not sent by anybody.
#[tokio::test]
async fn a_picture_is_shown_as_it_came() {
    let bot = TestBot::with(&[SEES]).await;
    let chat = bot.direct();
    chat.sends_photo(JPEG, "what is this?");
    answers(&bot).await;
    let inbox = bot.workspace().join("inbox");
    std::fs::write(inbox.join("photo.jpg"), PNG).unwrap();
    chat.says("look again");
    answers(&bot).await;
    let turns = bot.model.turn_requests();
    assert_eq!(pictures(&turns[1]), Vec::<String>::new());
    bot.assert_clean();
}
