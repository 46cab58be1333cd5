//! Two models, of which the first fails in every way: who is asked instead, how often, and what
//! people see.

use sayso_fakes::{Answer, FakeModel};

use super::conversation;
use crate::platform::Platform;
use crate::test_bot::TestBot;

/// A bot with a second model behind the first.
async fn with_a_spare(settings: &[(&str, &str)]) -> (TestBot, FakeModel) {
    with_a_spare_on(Platform::Telegram, settings).await
}

async fn with_a_spare_on(platform: Platform, settings: &[(&str, &str)]) -> (TestBot, FakeModel) {
    let spare = FakeModel::start().await;
    let url = spare.url();
    let usual = [
        ("AGENT__ROUTING", "off"),
        ("PROVIDERS__1__NAME", "spare"),
        ("PROVIDERS__1__KIND", "anthropic"),
        ("PROVIDERS__1__BASE_URL", url.as_str()),
        ("PROVIDERS__1__MODEL", "claude"),
    ];
    let mut bot = TestBot::closed_on(platform, &usual).await;
    for (key, value) in settings {
        bot.set(key, value);
    }
    bot.start();
    bot.settles_in().await;
    (bot, spare)
}

/// Has the first model answer so, and says how often it is asked in this turn and in the next one.
async fn check(failure: Answer, in_this_turn: usize, in_the_next: Option<usize>) {
    check_with(&[], failure, in_this_turn, in_the_next).await;
}

async fn check_with(
    settings: &[(&str, &str)],
    failure: Answer,
    in_this_turn: usize,
    in_the_next: Option<usize>,
) {
    let (bot, spare) = with_a_spare(settings).await;
    let case = format!("{failure:?}");
    bot.model.when(move |_| Some(failure.clone()));
    let chat = bot.direct();
    spare.says("The spare is here.");
    chat.says("hello");
    chat.settles(|message| message.text == "The spare is here.")
        .await;
    assert_eq!(bot.model.requests().len(), in_this_turn, "{case}");
    if let Some(more) = in_the_next {
        spare.says("It still is.");
        chat.says("once more");
        chat.settles(|message| message.text == "It still is.").await;
        let asked = bot.model.requests().len();
        assert_eq!(asked, in_this_turn + more, "the next turn, {case}");
    }
    // No word of a failure is said where another model answers, and the answer is there once.
    let answers = chat.messages();
    let answers = answers.iter().filter(|it| it.text == "The spare is here.");
    assert_eq!(answers.count(), 1, "{}", chat.transcript());
    let said = chat
        .messages()
        .into_iter()
        .filter(|it| it.text.contains('⚠'));
    assert_eq!(said.count(), 0, "{}", chat.transcript());
    spare.assert_clean();
    bot.assert_clean();
}

#[tokio::test]
async fn a_service_that_is_broken_is_asked_three_times() {
    check(Answer::error(500, "oh"), 3, None).await;
    check(Answer::error(529, "overloaded"), 3, None).await;
}

#[tokio::test]
async fn a_service_that_limits_requests_is_asked_three_times() {
    check(Answer::error(429, "{}"), 3, None).await;
    check(Answer::too_many(1), 3, None).await;
}

#[tokio::test]
async fn a_service_that_says_nothing_of_use_is_asked_three_times() {
    check(Answer::garbage(r#"{"choices": [[["#), 3, None).await;
    check(Answer::drops(), 3, None).await;
}

#[tokio::test]
async fn a_service_that_hangs_before_its_first_word_is_asked_three_times() {
    let quick = [("PROVIDERS__0__TIMEOUT_SECS", "1")];
    check_with(&quick, Answer::hangs(), 3, None).await;
}

#[tokio::test]
async fn a_service_that_wants_a_long_pause_is_asked_once() {
    check(Answer::too_many(600), 1, Some(0)).await;
}

#[tokio::test]
async fn a_key_that_was_revoked_is_tried_once() {
    let revoked = r#"{"error":{"message":"This key was revoked.","code":"invalid_api_key"}}"#;
    check(Answer::error(401, revoked), 1, Some(0)).await;
    check(Answer::error(403, revoked), 1, Some(0)).await;
}

/// Another model may have a larger window, and the next request may fit.
#[tokio::test]
async fn a_request_that_is_too_long_is_for_the_next_model_this_time() {
    let too_long = r#"{"error":{"message":"This model's maximum context length is 8192 tokens."}}"#;
    check(Answer::error(400, too_long), 1, Some(1)).await;
}

/// A model with a small window is asked again with less of the past, and then with none.
#[tokio::test]
async fn a_conversation_that_is_too_long_is_shortened_and_asked_again() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    for number in 1..=4 {
        bot.model.says(&format!("answer {number}"));
        chat.says(&format!("question {number}"));
        chat.settles(|message| message.text == format!("answer {number}"))
            .await;
    }
    bot.model.when(|request| {
        let too_long =
            r#"{"error":{"message":"This model's maximum context length is 10 tokens."}}"#;
        let said = request.messages().iter().filter(|it| it["role"] == "user");
        (said.count() > 1).then(|| Answer::error(400, too_long))
    });
    bot.model.says("That fits.");
    chat.says("question 5");
    chat.settles(|message| message.text == "That fits.").await;
    // What was left out may be summed up by now.
    let said: Vec<usize> = bot
        .model
        .turn_requests()
        .iter()
        .skip(4)
        .map(|request| conversation(request).len())
        .collect();
    // Half of the past was still too much.
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said.is_sorted_by(|more, less| more > less), "{said:?}");
    bot.assert_clean();
}

#[tokio::test]
async fn a_message_that_is_too_long_by_itself_is_said_to_be() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    let too_long = r#"{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#;
    bot.model.answers(Answer::error(400, too_long));
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text.contains("too long for the model"))
        .await;
    assert_eq!(bot.model.requests().len(), 1);
    bot.assert_clean();
}

/// Text that was shown cannot be retracted, so no other service is tried, and the user gets an
/// error.
#[tokio::test]
async fn once_something_was_seen_no_one_else_is_asked() {
    for platform in [Platform::Telegram, Platform::Discord] {
        for ending in 0..3 {
            breaks_off(platform, ending).await;
        }
    }
}

async fn breaks_off(platform: Platform, ending: usize) {
    let half =
        "The half of an answer that is long enough to be shown while it is written. ".repeat(3);
    let answer = match ending {
        0 => Answer::text(&half).broken(),
        1 => Answer::text(&half).cut(),
        _ => Answer::text(&half).error_at_end("server_error", "The server had an error"),
    };
    let (bot, spare) = with_a_spare_on(platform, &[]).await;
    bot.model.answers(answer);
    let chat = bot.direct();
    chat.says("tell me everything");
    let told = chat.settles(|message| message.text.starts_with('⚠')).await;
    assert!(!told.text.contains("half"), "{told}");
    let messages = chat.messages();
    let seen = messages.iter().filter(|it| it.text.contains("half"));
    assert!(seen.count() <= 1, "{}", chat.transcript());
    let asked = (bot.model.requests().len(), spare.requests().len());
    assert_eq!(asked, (1, 0));
    // The half of an answer was paid for once: its prompt and its words, both estimated.
    bot.has_noted(
        "SELECT 'booked' FROM usage WHERE calls = 1 AND completion_tokens > 30
             AND estimated_tokens = prompt_tokens + completion_tokens",
    )
    .await;
    bot.model.says("All of it.");
    chat.says("again, please");
    chat.settles(|message| message.text == "All of it.").await;
    bot.assert_clean();
}

/// A model that was given up may have begun: its prompt is booked, once for each attempt.
#[tokio::test]
async fn what_was_given_up_is_booked_once() {
    let (bot, spare) = with_a_spare(&[]).await;
    bot.model.when(|_| Some(Answer::garbage("[[[")));
    spare.answers(Answer::text("Here I am.").usage(1200, 34));
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    bot.has_noted(
        "SELECT 'booked' FROM usage WHERE calls = 4 AND completion_tokens = 34
             AND estimated_tokens = prompt_tokens - 1200 AND estimated_tokens % 3 = 0
             AND open_tokens = 0",
    )
    .await;
    spare.assert_clean();
}

/// Three failures and an answer are one call of the turn: the budget is charged for the answer
/// alone.
#[tokio::test]
async fn what_failed_before_its_first_word_costs_nothing() {
    let (bot, spare) = with_a_spare(&[]).await;
    bot.model.when(|_| Some(Answer::error(500, "oh")));
    spare.answers(Answer::text("Here I am.").usage(1200, 34));
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    bot.has_noted(
        "SELECT 'booked' FROM usage WHERE prompt_tokens = 1200 AND completion_tokens = 34",
    )
    .await;
    spare.assert_clean();
}
