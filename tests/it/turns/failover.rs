//! Two models, of which the first fails in every way: who is asked instead, how often, and what people see.

use sayso_fakes::{Answer, FakeModel};

use crate::house::House;

/// A house with a second model behind the first.
async fn with_a_spare(settings: &[(&str, &str)]) -> (House, FakeModel) {
    let spare = FakeModel::start().await;
    let mut house = House::closed(&[
        ("AGENT__ROUTING", "off"),
        ("PROVIDERS__1__NAME", "spare"),
        ("PROVIDERS__1__KIND", "anthropic"),
        ("PROVIDERS__1__BASE_URL", spare.url().as_str()),
        ("PROVIDERS__1__MODEL", "claude"),
    ])
    .await;
    for (key, value) in settings {
        house.set(key, value);
    }
    house.start();
    house.settles_in().await;
    (house, spare)
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
    let (house, spare) = with_a_spare(settings).await;
    let case = format!("{failure:?}");
    house.model.when(move |_| Some(failure.clone()));
    let chat = house.direct();
    spare.says("The spare is here.");
    chat.says("hello");
    chat.settles(|message| message.text == "The spare is here.")
        .await;
    assert_eq!(house.model.requests().len(), in_this_turn, "{case}");
    if let Some(more) = in_the_next {
        spare.says("It still is.");
        chat.says("once more");
        chat.settles(|message| message.text == "It still is.").await;
        let asked = house.model.requests().len();
        assert_eq!(asked, in_this_turn + more, "the next turn, {case}");
    }
    // No word of a failure is said where another model answers.
    let said = chat
        .messages()
        .into_iter()
        .filter(|it| it.text.contains('⚠'));
    assert_eq!(said.count(), 0, "{}", chat.transcript());
    spare.assert_clean();
    house.assert_clean();
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
}

/// Another model may have a larger window, and the next request may fit.
#[tokio::test]
async fn a_request_that_is_too_long_is_for_the_next_model_this_time() {
    let too_long = r#"{"error":{"message":"This model's maximum context length is 8192 tokens."}}"#;
    check(Answer::error(400, too_long), 1, Some(1)).await;
}

/// What was seen cannot be taken back, so nobody else is asked, and the person is told.
#[tokio::test]
async fn once_something_was_seen_nobody_else_is_asked() {
    let half =
        "The half of an answer that is long enough to be shown while it is written. ".repeat(3);
    for ending in [
        Answer::text(&half).broken(),
        Answer::text(&half).cut(),
        Answer::text(&half).error_at_end("server_error", "The server had an error"),
    ] {
        let (house, spare) = with_a_spare(&[]).await;
        house.model.answers(ending);
        let chat = house.direct();
        chat.says("tell me everything");
        let told = chat.settles(|message| message.text.starts_with('⚠')).await;
        assert!(!told.text.contains("half"), "{told}");
        let seen = chat
            .messages()
            .into_iter()
            .filter(|it| it.text.contains("half"));
        assert!(seen.count() <= 1, "{}", chat.transcript());
        assert_eq!(
            (house.model.requests().len(), spare.requests().len()),
            (1, 0)
        );
        house.model.says("All of it.");
        chat.says("again, please");
        chat.settles(|message| message.text == "All of it.").await;
        house.assert_clean();
    }
}

/// Three failures and an answer are one call of the turn: the budget is charged for the answer alone.
#[tokio::test]
async fn what_failed_before_its_first_word_costs_nothing() {
    let (house, spare) = with_a_spare(&[]).await;
    house.model.when(|_| Some(Answer::error(500, "oh")));
    spare.answers(Answer::text("Here I am.").usage(1200, 34));
    let chat = house.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    house
        .has_noted(
            "SELECT 'booked' FROM usage WHERE prompt_tokens = 1200 AND completion_tokens = 34",
        )
        .await;
    spare.assert_clean();
}
