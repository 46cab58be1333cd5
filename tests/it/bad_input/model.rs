//! Models that cannot be reached or return malformed answers: the user gets a plain message, the
//! operator finds the reason in the log, and the next turn works.

use sayso_fakes::Answer;

use crate::test_bot::TestBot;

/// How often a failing model is asked for one step before the turn fails.
const TRIES: usize = 3;

/// Has the model answer this way in every try, and checks the user's message and the operator's
/// log.
async fn check(answer: Answer, user_hears: &str, log_says: &str) {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    for _ in 0..TRIES {
        bot.model.answers(answer.clone());
    }
    let chat = bot.direct();
    chat.says("hello");
    let told = chat.settles(|message| message.text.starts_with("⚠️")).await;
    assert!(told.text.contains(user_hears), "{told}");
    bot.logs(log_says).await;

    while bot.model.unused() > 0 {
        chat.says("and now?");
        chat.hears_with(|message| message.text.starts_with("⚠️"))
            .await;
    }
    bot.model.says("Here I am again.");
    chat.says("and now?");
    chat.settles(|message| message.text == "Here I am again.")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn garbage_is_said_to_be_unreadable() {
    let garbage = Answer::garbage("{\"choices\": [[[");
    check(garbage, "no usable answer", "no model answered").await;
}

#[tokio::test]
async fn web_page_is_said_to_be_unreadable() {
    let page = Answer::garbage("<!doctype html><html><body>It works!</body></html>");
    check(page, "no usable answer", "a web page instead of an answer").await;
}

#[tokio::test]
async fn empty_answer_is_said_to_be_unreadable() {
    check(Answer::text("  \n"), "no usable answer", "an empty answer").await;
}

#[tokio::test]
async fn empty_body_is_said_to_be_unreadable() {
    check(Answer::garbage(""), "no usable answer", "no model answered").await;
}

#[tokio::test]
async fn refused_key_is_for_the_owner_to_mend() {
    let body = r#"{"error":{"message":"Incorrect API key provided: sk-canary-of-the-house."}}"#;
    check(Answer::error(401, body), "rejects the API key", "HTTP 401").await;
}

#[tokio::test]
async fn broken_service_is_said_to_be_broken() {
    let page = "<html>502 Bad Gateway</html>";
    check(
        Answer::error(502, page),
        "a problem on its side",
        "no model answered",
    )
    .await;
}

#[tokio::test]
async fn connection_that_breaks_is_said_to_be_broken() {
    check(
        Answer::drops(),
        "cannot reach the model",
        "no model answered",
    )
    .await;
}

/// What the user has already seen of an answer is not passed off as the whole of it.
#[tokio::test]
async fn answer_that_is_cut_off_is_no_answer() {
    for cut in [
        Answer::text("The half of it").cut(),
        Answer::text("The half of it").broken(),
    ] {
        let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
        bot.model.answers(cut);
        let chat = bot.direct();
        chat.says("tell me everything");
        let told = chat.settles(|message| message.text.starts_with("⚠️")).await;
        assert!(!told.text.contains("half"), "{told}");
        bot.model.says("All of it.");
        chat.says("again, please");
        chat.settles(|message| message.text == "All of it.").await;
        bot.assert_clean();
    }
}

#[tokio::test]
async fn unreachable_model_is_said_to_be_unreachable() {
    let mut bot = TestBot::closed(&[]).await;
    // A port without a listener.
    bot.set("PROVIDERS__0__BASE_URL", "http://127.0.0.1:9/v1");
    bot.start();
    let chat = bot.direct();
    chat.says("hello");
    let told = chat.settles(|message| message.text.starts_with("⚠️")).await;
    assert!(told.text.contains("cannot reach the model"), "{told}");
    bot.logs("no model answered").await;
    bot.assert_clean();
}

#[tokio::test]
async fn without_a_model_every_message_is_told_what_to_set() {
    let bot = TestBot::closed(&[]).await;
    let mut command = bot.command();
    for key in ["NAME", "KIND", "BASE_URL", "API_KEY", "MODEL"] {
        command.env_remove(format!("SAYSO__PROVIDERS__0__{key}"));
    }
    let _process = command.spawn().unwrap();
    let chat = bot.direct();
    for text in ["hello", "is anybody there?"] {
        chat.says(text);
        let told = chat.hears().await;
        assert!(told.text.contains("OPENAI_API_KEY"), "{told}");
    }
    bot.assert_clean();
}

#[tokio::test]
async fn dump_of_5_mb_arrives_cut_in_parts_with_a_note() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    // No two lines are the same: a model that only repeats itself is cut off earlier.
    let line = |number: usize| format!("{number:06} All work and no play makes an answer\n");
    let length = line(0).len();
    let dump: Vec<String> = (0..5_000_000 / length).map(line).collect();
    let dump = dump.concat();
    // In large pieces: each one is an event to read, and a busy machine takes long over many.
    bot.model.answers(Answer::text(dump).chunks_of(32 * 1024));
    let chat = bot.direct();
    chat.says("tell me everything");
    // One part a second, as Telegram wants it in a chat.
    let mut last = chat.hears().await;
    while !last.text.contains("[Cut here: 4940 kB more") {
        last = chat.hears().await;
    }
    assert!(last.text.ends_with("Ask for the rest in parts.]"), "{last}");
    let said: usize = chat
        .messages()
        .iter()
        .filter(|message| message.is_from_bot())
        .map(|message| message.text.matches("All work and no play").count())
        .sum();
    assert_eq!(said, 60_000usize.div_ceil(length));
    bot.model.says("Still here.");
    chat.says("are you still there?");
    chat.settles(|message| message.text == "Still here.").await;
    let longest = bot
        .model
        .requests()
        .iter()
        .map(|request| request.body_bytes())
        .max();
    assert!(longest < Some(100_000), "{longest:?}");
    bot.assert_clean();
}
