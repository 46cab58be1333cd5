//! A model that does not answer, and what the user reads then.

use sayso_fakes::Answer;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_model_that_refuses_is_reported_in_plain_words,
    a_failed_request_runs_again_at_a_press_and_once,
    a_busy_model_is_asked_again,
    a_model_that_stays_down_or_silent_is_given_up,
    without_a_model_everybody_is_told_what_to_set
);

async fn a_model_that_refuses_is_reported_in_plain_words(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let cases = [
        (
            "a wrong key",
            Answer::error(401, r#"{"error": {"message": "bad key sk-canary"}}"#),
        ),
        ("no credit", Answer::error(402, "{}")),
        ("an unknown model", Answer::error(404, "{}")),
        ("half an answer", Answer::text("half an ans").broken()),
        ("a page", Answer::garbage("<html>hello</html>").clone()),
    ];
    for (case, answer) in cases {
        // Some failures are tried again, so the same answer is there for every try.
        let (failing, case_text) = (answer, case.to_owned());
        bot.model.when(move |request| {
            let is_it = !request.is_routing() && request.last_user() == case_text;
            is_it.then(|| failing.clone())
        });
        chat.says(case);
        chat.hears_with(|message| message.text.starts_with('⚠'))
            .await;
    }
    insta::assert_snapshot!(chat.transcript(), @r"
        Ann: a wrong key
        Sayso: ⚠️ The model service rejects the API key.
          Check api_key in sayso.toml (sayso doctor helps).  [↻ Try again]
        Ann: no credit
        Sayso: ⚠️ The account at the model service is used up.
          Check its credit there.  [↻ Try again]
        Ann: an unknown model
        Sayso: ⚠️ The model service does not know the model that is set.
          Check model and base_url in sayso.toml (sayso doctor helps).  [↻ Try again]
        Ann: half an answer
        Sayso: ⚠️ I cannot reach the model service.
          Check the internet connection and base_url in sayso.toml (sayso doctor helps).  [↻ Try again]
        Ann: a page
        Sayso: ⚠️ The model gave no usable answer. Try again?  [↻ Try again]
        ");
    chat.says("and now?");
    assert_eq!(chat.hears().await.text, "ok: and now?");
}

/// One press, one turn; a member reads nothing that only an owner can do.
async fn a_failed_request_runs_again_at_a_press_and_once(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct_with(&bot.bob);
    bot.model.answers(Answer::error(401, "{}"));
    chat.says("how many moons?");
    let failed = chat
        .hears_with(|message| message.text.starts_with('⚠'))
        .await;
    insta::assert_snapshot!(failed.to_string(), @"Sayso: ⚠️ I am out of order right now, and only my owner can fix that.  [↻ Try again]");
    let token = failed.token("↻ Try again");
    bot.model.says("Two moons.");
    chat.press(&bot.bob, failed.id, "↻ Try again").await;
    chat.settles(|message| message.text == "Two moons.").await;
    let settled = chat
        .becomes(failed.id, |message| message.buttons.is_empty())
        .await;
    assert!(settled.text.ends_with("↻ Trying again"), "{settled}");
    let again = chat.press_token(&bot.bob, failed.id, &token).await;
    assert_eq!(
        again.text.as_deref(),
        Some("This was already answered. Nothing changed.")
    );
    let asked = bot.model.turn_requests();
    assert_eq!(asked.len(), 2, "one turn for one press");
    assert_eq!(asked[1].last_user(), "how many moons?");
    bot.assert_clean();
}

async fn a_busy_model_is_asked_again(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.answers(Answer::too_many(1));
    bot.model.answers(Answer::error(503, "overloaded"));
    bot.model.says("Here I am.");
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    assert_eq!(bot.model.turn_requests().len(), 3);
    bot.assert_clean();
}

async fn a_model_that_stays_down_or_silent_is_given_up(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("PROVIDERS__0__TIMEOUT_SECS", "1")]).await;
    let chat = bot.direct();
    bot.model.when(|request| {
        let answer = match request.last_user().as_str() {
            "down" => Answer::error(500, "oh"),
            "silent" => Answer::hangs(),
            _ => return None,
        };
        (!request.is_routing()).then_some(answer)
    });
    for case in ["down", "silent"] {
        chat.says(case);
        chat.hears_with(|message| message.text.starts_with('⚠'))
            .await;
    }
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: down
    Sayso: ⚠️ The model service has a problem on its side. Try again in a few minutes.  [↻ Try again]
    Ann: silent
    Sayso: ⚠️ The model took too long to answer. A shorter request can help.  [↻ Try again]
    ");
}

async fn without_a_model_everybody_is_told_what_to_set(platform: Platform) {
    let bot = TestBot::on_with(
        platform,
        &[
            ("PROVIDERS__0__NAME", ""),
            ("PROVIDERS__0__KIND", ""),
            ("PROVIDERS__0__BASE_URL", ""),
            ("PROVIDERS__0__API_KEY", ""),
            ("PROVIDERS__0__MODEL", ""),
        ],
    )
    .await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: hello
    Sayso: No model is set up, so I cannot answer yet.
      My owner can set OPENAI_API_KEY, or add a [[providers]] section to sayso.toml.
      Hint: sayso doctor says what is missing.
    ");
    assert!(bot.model.requests().is_empty());
    bot.assert_clean();
}
