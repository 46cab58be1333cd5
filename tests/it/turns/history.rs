//! What of the past is in a prompt, and what is not.

use sayso_fakes::{Answer, ModelRequest};
use serde_json::json;

use super::conversation;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    history_is_the_newest_whole_turns_within_its_limit,
    reasoning_goes_back_inside_its_turn_and_no_further
);

/// The message that is answered counts; where one turn more does not fit, several go.
async fn history_is_the_newest_whole_turns_within_its_limit(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__HISTORY_MESSAGES", "9")]).await;
    let chat = bot.direct();
    chat.says("one");
    chat.hears().await;
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.says("two is empty");
    chat.says("two");
    chat.settles(|message| message.text == "two is empty").await;
    for word in ["three", "four", "five"] {
        chat.says(word);
        chat.settles(|message| message.text == format!("ok: {word}"))
            .await;
    }
    let turns = bot.model.turn_requests();
    let [.., four, five] = &turns[..] else {
        panic!("six requests")
    };
    insta::assert_snapshot!(conversation(four).join("\n"), @r#"
    user: one
    assistant: ok: one
    user: two
    assistant: 
    tool: [outside 6f81aca6: list_dir {"path":"."}]
    (empty)
    [/outside 6f81aca6]
    assistant: two is empty
    user: three
    assistant: ok: three
    user: four
    "#);
    insta::assert_snapshot!(conversation(five).join("\n"), @r"
    user: three
    assistant: ok: three
    user: four
    assistant: ok: four
    user: five
    ");
    bot.assert_clean();
}

async fn reasoning_goes_back_inside_its_turn_and_no_further(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(look.reasoning("first I look"));
    bot.model.says_with_reasoning("now I know", "It is empty.");
    chat.says("what is there?");
    chat.settles(|message| message.text == "It is empty.").await;
    chat.says("are you sure?");
    chat.settles(|message| message.text == "ok: are you sure?")
        .await;
    let turns = bot.model.turn_requests();
    let reasoning = |nth: usize| -> Vec<&str> {
        let messages = turns[nth].messages().iter();
        messages
            .filter_map(|message| message["reasoning_content"].as_str())
            .collect()
    };
    assert_eq!(reasoning(1), ["first I look"]);
    assert_eq!(reasoning(2), [""; 0]);
    assert!(turns[2].mentions("It is empty."));
    assert!(!chat.transcript().contains("now I know"));
    bot.assert_clean();
}

/// Two services with the same window, of which one counts 1.6 tokens where the other counts one.
#[tokio::test]
async fn a_service_that_counts_more_tokens_is_shown_less_of_the_past() {
    let mut shown = Vec::new();
    for times in [1.0, 1.6] {
        let bot = TestBot::with(&[
            ("AGENT__ROUTING", "off"),
            ("PROVIDERS__0__CONTEXT_TOKENS", "6000"),
        ])
        .await;
        bot.model.when(move |request| {
            let counted = (f64::from(letters(request)) / 4.0 * times) as u64;
            let text = format!("{} {}", request.last_user(), "word ".repeat(400));
            Some(Answer::text(text).usage(counted, 400))
        });
        let chat = bot.direct();
        // What is left out is not summed up before the last question.
        bot.model.sums_up_with(Answer::hangs());
        for number in 1..=4 {
            let question = format!("question {number}");
            chat.says(&question);
            chat.settles(|message| message.text.starts_with(&question))
                .await;
        }
        let last = bot.model.turn_requests().remove(3);
        shown.push(conversation(&last).len());
        bot.assert_clean();
    }
    // Of the three turns before, with a question and an answer each.
    assert_eq!(shown, [7, 3]);
}

/// Returns how many letters a request has, without those of its protocol.
fn letters(request: &ModelRequest) -> u32 {
    let messages = request.messages().iter();
    let said = messages.map(|message| message["content"].as_str().unwrap_or_default().len());
    let tools = request.body["tools"].as_array().into_iter().flatten();
    let tools = tools.map(|tool| {
        let tool = &tool["function"];
        let texts = ["name", "description"].map(|field| tool[field].as_str().unwrap_or_default());
        texts.concat().len() + tool["parameters"].to_string().len()
    });
    u32::try_from(said.chain(tools).sum::<usize>()).unwrap()
}
