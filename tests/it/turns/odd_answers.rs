//! Answers that are cut, withheld, thoughts alone, or refused in words of a service's own.

use std::time::Duration;

use sayso_fakes::{Answer, Gate};

use super::conversation;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    chat_f3_thoughts_in_the_text_are_in_no_chat,
    chat_f4_a_conversation_goes_on_whatever_too_long_is_called,
    chat_f4_a_large_request_that_is_refused_without_a_reason_is_shortened_once,
    model_f9_an_answer_that_was_cut_or_withheld_says_so,
    chat_f7_an_answer_that_the_service_gave_up_is_asked_for_again,
    chat_f8_an_account_without_money_is_told_as_such_at_once,
    chat_f9_end_tokens_are_not_shown,
    chat_f12_thoughts_alone_are_asked_again_and_the_limit_is_named
);

async fn chat_f3_thoughts_in_the_text_are_in_no_chat(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for (index, text) in [
        "<thinking>A secret thought.</thinking>\n\nHello 0.",
        "[THINK]A secret thought.[/THINK]Hello 1.",
        "<seed:think>A secret thought.</seed:think>Hello 2.",
        "<|channel>thought A secret thought.<channel|>Hello 3.",
        "A secret thought.\n</think>\n\nHello 4.",
    ]
    .into_iter()
    .enumerate()
    {
        bot.model.answers(Answer::text(text).chunks_of(3));
        chat.says("hello");
        let wanted = format!("Hello {index}.");
        chat.settles(|message| message.text == wanted).await;
    }
    let shown: Vec<String> = chat.messages().into_iter().map(|it| it.text).collect();
    assert!(!shown.concat().contains("secret"), "{shown:?}");
    bot.assert_clean();
}

async fn chat_f4_a_conversation_goes_on_whatever_too_long_is_called(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    let refusals = [
        (
            400,
            r#"{"error":{"message":"Prompt exceeds max length","code":"1261"}}"#,
        ),
        (
            500,
            r#"{"error":{"message":"the request exceeds the available context size"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"no","code":"context_length_exceeded"}}"#,
        ),
    ];
    for (number, (status, body)) in refusals.into_iter().enumerate() {
        for question in ["first", "second"] {
            let answer = format!("answer to the {question} {number}");
            bot.model.says(&answer);
            chat.says(&format!("the {question} of {number}"));
            chat.settles(|message| message.text == answer).await;
        }
        let calls = bot.model.turn_requests().len();
        bot.model.answers(Answer::error(status, body));
        bot.model.says(&format!("It fits {number}."));
        chat.says("and the third?");
        let wanted = format!("It fits {number}.");
        chat.settles(|message| message.text == wanted).await;
        let requests = bot.model.turn_requests();
        let [refused, taken] = &requests[calls..] else {
            panic!("{} calls", requests.len() - calls)
        };
        assert!(
            conversation(taken).len() < conversation(refused).len(),
            "{body}"
        );
    }
    bot.assert_clean();
}

async fn chat_f4_a_large_request_that_is_refused_without_a_reason_is_shortened_once(
    platform: Platform,
) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    // A summary of the older turns would make the second large request a small one.
    let gate = Gate::new();
    bot.model
        .sums_up_with(Answer::text("Words.").held_by(&gate));
    let chat = bot.direct();
    let refusal = || Answer::error(400, r#"{"error":{"message":"Bad request"}}"#);
    // A small one is refused at once.
    bot.model.answers(refusal());
    chat.says("hello");
    chat.settles(|message| message.text.contains("refused this request"))
        .await;
    assert_eq!(bot.model.turn_requests().len(), 1);
    for number in 0..6 {
        let words = format!("word{number} ").repeat(220);
        bot.model.says(&format!("answer {number}"));
        chat.says(&words);
        let wanted = format!("answer {number}");
        chat.settles(|message| message.text == wanted).await;
    }
    let calls = bot.model.turn_requests().len();
    bot.model.answers(refusal());
    bot.model.says("It fits.");
    chat.says("and now?");
    chat.settles(|message| message.text == "It fits.").await;
    assert_eq!(bot.model.turn_requests().len(), calls + 2);
    // Once, and no more.
    bot.model.answers(refusal());
    bot.model.answers(refusal());
    chat.says("and again?");
    let is_second = |messages: &[sayso_fakes::Message]| {
        let told = messages.iter();
        told.filter(|it| it.text.contains("refused this request"))
            .count()
            == 2
    };
    chat.sees(is_second).await;
    assert_eq!(bot.model.turn_requests().len(), calls + 4);
}

async fn model_f9_an_answer_that_was_cut_or_withheld_says_so(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("PROVIDERS__0__MAX_TOKENS", "100")]).await;
    let chat = bot.direct();
    let cut = Answer::text("The three reasons are: first, the").finish("length");
    bot.model.answers(cut);
    chat.says("why?");
    let told = chat
        .settles(|message| message.text.contains("cut at the limit"))
        .await;
    assert_eq!(
        told.text,
        "The three reasons are: first, the\n\n(cut at the limit of 100 tokens; say “go on”)"
    );
    let withheld = Answer::text("The recipe begins with").finish("content_filter");
    bot.model.answers(withheld);
    chat.says("how?");
    let told = chat
        .settles(|message| message.text.contains("content filter"))
        .await;
    assert_eq!(
        told.text,
        "The recipe begins with\n\n(the content filter of the model service withheld the rest)"
    );
    bot.assert_clean();
}

async fn chat_f7_an_answer_that_the_service_gave_up_is_asked_for_again(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for reason in ["error", "insufficient_system_resource"] {
        let calls = bot.model.turn_requests().len();
        bot.model
            .answers(Answer::text("The three reasons").finish(reason));
        let whole = format!("All of it after {reason}.");
        bot.model.says(&whole);
        chat.says("why?");
        chat.settles(|message| message.text == whole).await;
        assert_eq!(bot.model.turn_requests().len(), calls + 2);
    }
    bot.assert_clean();
}

async fn chat_f8_an_account_without_money_is_told_as_such_at_once(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    let body = r#"{"error":{"message":"suspended","type":"exceeded_current_quota_error"}}"#;
    bot.model.answers(Answer::error(429, body));
    chat.says("hello");
    chat.settles(|message| {
        message
            .text
            .contains("account at the model service is used up")
    })
    .await;
    assert_eq!(bot.model.turn_requests().len(), 1);
}

async fn chat_f9_end_tokens_are_not_shown(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.says("The folder is empty.<|im_end|>");
    chat.says("look");
    chat.settles(|message| message.text == "The folder is empty.")
        .await;
    bot.assert_clean();
}

async fn chat_f12_thoughts_alone_are_asked_again_and_the_limit_is_named(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("PROVIDERS__0__MAX_TOKENS", "100")]).await;
    let chat = bot.direct();
    bot.model
        .answers(Answer::text("").reasoning("They greet me."));
    bot.model.says("Hello there.");
    chat.says("hello");
    chat.settles(|message| message.text == "Hello there.").await;
    assert_eq!(bot.model.turn_requests().len(), 2);
    let thoughts = Answer::text("")
        .reasoning("A long thought")
        .finish("length");
    bot.model.answers(thoughts);
    chat.says("think hard");
    chat.settles(|message| {
        message.text.contains("all of its 100 tokens on thinking")
            && message.text.contains("max_tokens")
    })
    .await;
    assert_eq!(bot.model.turn_requests().len(), 3);
    bot.assert_clean();
}

/// Telegram refuses an edit that changes nothing, and trims what it shows.
#[tokio::test]
async fn model_f11_blanks_that_are_written_are_no_edits() {
    let bot = TestBot::with(&[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    let text = format!("It is there.{}That is all.", "\n".repeat(96));
    let slow = Answer::text(text).chunks_of(8);
    bot.model
        .answers(slow.between_chunks(Duration::from_millis(400)));
    chat.says("is it there?");
    chat.settles(|message| message.text.contains("That is all."))
        .await;
    let edits = bot.telegram.calls_of("editMessageText");
    let words = edits.iter().map(|edit| {
        let words: Vec<&str> = edit.text("text").split_whitespace().collect();
        words.join(" ")
    });
    let words: Vec<String> = words.collect();
    assert!(!words.is_empty(), "nothing was shown on the way");
    let repeats = words.windows(2).any(|pair| pair[0] == pair[1]);
    assert!(!repeats, "{words:?}");
    bot.assert_clean();
}
