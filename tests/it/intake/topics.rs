//! Topics of a forum.

use crate::test_bot::TestBot;

#[tokio::test]
async fn each_topic_is_a_session_and_is_answered_where_it_stands() {
    let bot = TestBot::open().await;
    let forum = bot
        .telegram
        .group(-1_000_000_000_020, "Club")
        .with(&bot.ann)
        .forum();
    let (chess, cooking) = (forum.topic("Chess"), forum.topic("Cooking"));
    chess.says("@sayso_bot my opening is e4");
    chess.hears().await;
    cooking.says("@sayso_bot what is my opening?");
    cooking.hears().await;
    forum.says("@sayso_bot and in general?");
    forum
        .hears_with(|message| message.text.contains("in general"))
        .await;
    chess.says("@sayso_bot what is my opening?");
    chess.hears().await;
    insta::assert_snapshot!(chess.transcript(), @r"
    (anonymous admin): <forum_topic_created>
    Ann: @sayso_bot my opening is e4
    Sayso: ok: Ann: my opening is e4
    Ann: @sayso_bot what is my opening?
    Sayso: ok: Ann: what is my opening?
    ");
    insta::assert_snapshot!(cooking.transcript(), @r"
    (anonymous admin): <forum_topic_created>
    Ann: @sayso_bot what is my opening?
    Sayso: ok: Ann: what is my opening?
    ");
    let turns = bot.model.turn_requests();
    let history = |nth: usize| {
        turns[nth].messages().iter().any(|message| {
            message["role"] != "system" && message["content"].to_string().contains("e4")
        })
    };
    assert_eq!(
        [1, 2, 3].map(history),
        [false, false, true],
        "a topic sees only its own past"
    );
    let general = bot.telegram.calls_of("sendMessage").into_iter();
    let general: Vec<_> = general
        .filter(|call| call.text("text").contains("in general"))
        .collect();
    assert_eq!(general.len(), 1);
    assert_eq!(general[0].integer("message_thread_id"), None);
    bot.assert_clean();
}
