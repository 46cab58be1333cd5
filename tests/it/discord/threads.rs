//! Threads and forum posts are conversations of their own.

use sayso_fakes::Message;

use super::{SERVER, workshop};
use crate::platform::Platform;
use crate::test_bot::TestBot;

#[tokio::test]
async fn a_thread_is_a_session_that_sees_what_it_began_with() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    let said =
        group
            .with(&bot.bob)
            .sends_document("shelf.jpg", vec![0; 2_000], "the shelf fell down");
    group.says("@sayso_bot my opening is the Sicilian");
    group.hears().await;
    let thread = group.starts_thread(said, "Shelf");
    thread.says("@sayso_bot what now?");
    thread.hears().await;
    thread.says("@sayso_bot and then?");
    thread.hears().await;
    let turns = bot.model.turn_requests();
    insta::assert_snapshot!(turns[1].last_user(), @r"
    [in reply to Bob]
    > the shelf fell down
    > [photo: inbox/shelf.jpg, JPG, 2 kB]
    Ann: what now?
    ");
    assert_eq!(
        turns[2].last_user(),
        "Ann: and then?",
        "the beginning is shown once"
    );
    // What the group remembers is another thing.
    let said = turns[2].messages().iter();
    let mut said = said.filter(|message| message["role"] != "system");
    assert!(
        !said.any(|message| message.to_string().contains("Sicilian")),
        "a thread sees only its own past"
    );
    assert!(turns[2].mentions("what now?"));
    insta::assert_snapshot!(thread.transcript(), @r"
    Ann: @sayso_bot what now?
    Sayso: ok: [in reply to Bob]

      the shelf fell down
      [photo: inbox/shelf.jpg, JPG, 2 kB]
      Ann: what now?
    Ann: @sayso_bot and then?
    Sayso: ok: Ann: and then?
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_forum_post_is_a_session_that_begins_with_its_first_message() {
    let bot = TestBot::on(Platform::Discord).await;
    let forum = bot.discord.forum_in(SERVER, SERVER + 300, "Questions");
    let post = forum
        .with(&bot.bob)
        .opens_post("Paint", "which paint is best?");
    let asked = post.with(&bot.ann);
    asked.says("@sayso_bot what do you think?");
    asked.hears().await;
    let mentioned = forum
        .with(&bot.ann)
        .opens_post("Glue", "@sayso_bot which glue is best?");
    mentioned.hears().await;
    let turns = bot.model.turn_requests();
    insta::assert_snapshot!(turns[0].last_user(), @r"
    [in reply to Bob]
    > which paint is best?
    Ann: what do you think?
    ");
    assert_eq!(turns[1].last_user(), "Ann: which glue is best?");
    insta::assert_snapshot!(mentioned.transcript(), @r"
    Ann: @sayso_bot which glue is best?
    Sayso: ok: Ann: which glue is best?
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_card_stands_in_its_thread_and_is_answered_there() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    let thread = group.topic("Shelf");
    bot.model
        .calls(vec![("shell", serde_json::json!({"command": "touch hi"}))]);
    thread.says("@sayso_bot greet");
    let card = thread.hears_with(Message::asks).await;
    assert_eq!(card.thread, thread.thread());
    thread.press(&bot.ann, card.id, "Approve").await;
    thread
        .settles(|message| message.text.starts_with("ok:"))
        .await;
    assert!(
        group
            .messages()
            .iter()
            .all(|message| message.thread.is_some())
    );
    bot.assert_clean();
}

#[tokio::test]
async fn a_thread_that_fell_asleep_wakes_for_an_answer() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    let thread = group.topic("Shelf");
    let gate = sayso_fakes::Gate::new();
    bot.model
        .answers(sayso_fakes::Answer::text("It holds.").held_by(&gate));
    thread.says("@sayso_bot does it hold?");
    gate.reached_by(1).await;
    thread.archives(false);
    gate.open();
    assert_eq!(thread.hears().await.text, "It holds.");
    bot.assert_clean();
}
