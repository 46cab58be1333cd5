//! `[[providers]]`: which model is asked, where, how, and for how long.

use std::time::Duration;

use sayso_fakes::{Answer, FakeModel, ModelRequest};
use serde_json::json;

use crate::command_line::CommandLine;
use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("providers.*.name", name_is_how_doctor_calls_it),
    ("providers.*.kind", offline_kind_asks_no_server),
    ("providers.*.base_url", request_is_as_configured),
    ("providers.*.api_key", key_opens_the_server),
    ("providers.*.api_keys", keys_take_turns),
    ("providers.*.model", request_is_as_configured),
    (
        "providers.*.models",
        a_conversation_may_choose_among_the_models_that_are_offered,
    ),
    ("providers.*.temperature", request_is_as_configured),
    ("providers.*.max_tokens", request_is_as_configured),
    (
        "providers.*.thinking_tokens",
        a_model_may_think_as_long_as_configured,
    ),
    (
        "providers.*.context_tokens",
        a_small_window_holds_less_of_the_past,
    ),
    (
        "providers.*.vision",
        crate::files::seeing::vision_says_whether_pictures_are_shown,
    ),
    ("providers.*.quirks", quirks_are_how_a_server_is_spoken_to),
    (
        "providers.*.mode",
        llama_is_asked_by_chat_completions_or_by_prompts,
    ),
    (
        "providers.*.template",
        prompts_are_written_by_the_template_that_is_wanted,
    ),
    (
        "providers.*.tool_calls_in_text",
        calls_are_looked_for_in_the_text_where_that_is_wanted,
    ),
    ("providers.*.timeout_secs", silent_model_is_given_up_in_time),
    (
        "providers.*.first_token_secs",
        a_slow_beginning_may_take_longer_than_silence,
    ),
];

#[tokio::test]
pub async fn name_is_how_doctor_calls_it() {
    let model = FakeModel::start().await;
    let mut here = CommandLine::new();
    here.set("SAYSO__PROVIDERS__0__NAME", "the-quick-one");
    here.set("SAYSO__PROVIDERS__0__BASE_URL", &model.url());
    here.set("SAYSO__PROVIDERS__0__MODEL", "m");
    let ran = here.run(&["doctor"], "").await;
    assert!(
        ran.out
            .contains("ok  model the-quick-one: the service answers"),
        "{}",
        ran.out
    );
}

#[tokio::test]
pub async fn offline_kind_asks_no_server() {
    let bot = TestBot::with(&[("PROVIDERS__0__KIND", "offline")]).await;
    let chat = bot.direct();
    chat.says("remember that tea is at four");
    chat.hears().await;
    bot.has_noted("SELECT text FROM memories WHERE text LIKE '%tea is at four%'")
        .await;
    assert_eq!(bot.model.requests().len(), 0);
    bot.assert_clean();
}

/// That anything came to this server is what `base_url` does.
#[tokio::test]
pub async fn request_is_as_configured() {
    let other = FakeModel::start().await;
    let mut bot = TestBot::closed(&[
        ("PROVIDERS__0__MODEL", "fake-2"),
        ("PROVIDERS__0__TEMPERATURE", "1.25"),
        ("PROVIDERS__0__MAX_TOKENS", "321"),
    ])
    .await;
    bot.set("PROVIDERS__0__BASE_URL", &other.url());
    bot.start();
    let chat = bot.direct();
    chat.says("hello");
    let request = other.waits_for(|request| !request.is_routing()).await;
    assert_eq!(request.model(), "fake-2");
    assert_eq!(request.temperature(), Some(1.25));
    let body = &request.body;
    let limit = [&body["max_tokens"], &body["max_completion_tokens"]];
    assert!(limit.contains(&&json!(321)), "{limit:?}");
    assert_eq!(bot.model.requests().len(), 0);
}

#[tokio::test]
pub async fn a_model_may_think_as_long_as_configured() {
    let bot = TestBot::with(&[
        ("PROVIDERS__0__KIND", "anthropic"),
        ("PROVIDERS__0__THINKING_TOKENS", "3000"),
        ("AGENT__ROUTING", "off"),
    ])
    .await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let request = bot.model.requests().pop().unwrap();
    let thinking = json!({"type": "enabled", "budget_tokens": 3000});
    assert_eq!(request.messages_body()["thinking"], thinking);
    bot.assert_clean();
}

#[tokio::test]
pub async fn key_opens_the_server() {
    let mut bot = TestBot::closed(&[]).await;
    bot.model.requires_key("sk-canary-of-the-house");
    bot.start();
    let chat = bot.direct();
    bot.model.says("Come in.");
    chat.says("hello");
    chat.settles(|message| message.text == "Come in.").await;

    bot.kill().await;
    bot.set("PROVIDERS__0__API_KEY", "sk-another");
    bot.start();
    chat.says("hello again");
    chat.settles(|message| message.text.contains("rejects the API key"))
        .await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn keys_take_turns() {
    let bot = TestBot::with(&[
        ("PROVIDERS__0__API_KEY", ""),
        (
            "PROVIDERS__0__API_KEYS",
            "sk-one-of-the-house, sk-two-of-the-house",
        ),
        ("AGENT__ROUTING", "off"),
    ])
    .await;
    let chat = bot.direct();
    for text in ["one", "two", "three"] {
        bot.model.says(&format!("{text}!"));
        chat.says(text);
        chat.settles(|message| message.text == format!("{text}!"))
            .await;
    }
    let requests = bot.model.requests();
    let keys: Vec<&str> = requests.iter().map(|request| request.key()).collect();
    let [one, two] = ["sk-one-of-the-house", "sk-two-of-the-house"];
    assert_eq!(keys, [one, two, one]);
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_conversation_may_choose_among_the_models_that_are_offered() {
    let bot = TestBot::with(&[
        ("PROVIDERS__0__MODELS", "fake-large"),
        ("AGENT__ROUTING", "off"),
    ])
    .await;
    let chat = bot.direct();
    chat.says("/model fake-large");
    chat.hears().await;
    bot.model.says("Here I am.");
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    assert_eq!(bot.model.requests()[0].model(), "fake-large");
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_small_window_holds_less_of_the_past() {
    let mut seen = Vec::new();
    for tokens in ["0", "3400"] {
        let bot = TestBot::with(&[
            ("PROVIDERS__0__CONTEXT_TOKENS", tokens),
            ("AGENT__ROUTING", "off"),
        ])
        .await;
        let chat = bot.direct();
        // What is left out is not summed up before the last question.
        bot.model.sums_up_with(Answer::hangs());
        for number in 1..=4 {
            bot.model
                .says(&format!("answer {number} {}", "word ".repeat(300)));
            chat.says(&format!("question {number}"));
            chat.settles(|message| message.text.starts_with(&format!("answer {number}")))
                .await;
        }
        seen.push(bot.model.turn_requests()[3].messages().len());
        bot.assert_clean();
    }
    // Of four questions, three answers and the system prompt. A fourth of the window is the answer's, and
    // prompt and tools take most of the rest.
    assert_eq!(seen, [8, 4]);
}

#[tokio::test]
pub async fn quirks_are_how_a_server_is_spoken_to() {
    let bot = TestBot::with(&[
        ("PROVIDERS__0__QUIRKS", "moonshot"),
        ("PROVIDERS__0__TEMPERATURE", "1.5"),
        ("AGENT__ROUTING", "off"),
    ])
    .await;
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.says("Nothing there.");
    let chat = bot.direct();
    chat.says("what is there?");
    chat.settles(|message| message.text == "Nothing there.")
        .await;
    let request = bot.model.waits_for_request(2).await;
    assert_eq!(request.temperature(), Some(1.0));
    let call = request
        .messages()
        .iter()
        .find(|it| it["role"] == "assistant");
    let call = call.unwrap();
    assert_eq!(
        (&call["reasoning_content"], &call["content"]),
        (&json!(" "), &json!(""))
    );
    bot.assert_clean();
}

/// Starts a bot with a llama.cpp server, says hello, and returns what was asked.
async fn asks_llama(settings: &[(&str, &str)], prepare: fn(&FakeModel)) -> (TestBot, ModelRequest) {
    let mut bot =
        TestBot::closed(&[("PROVIDERS__0__KIND", "llama"), ("AGENT__ROUTING", "off")]).await;
    for (key, value) in settings {
        bot.set(key, value);
    }
    prepare(&bot.model);
    bot.start();
    let chat = bot.direct();
    bot.model.says("Here I am.");
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    let request = bot.model.waits_for_request(1).await;
    bot.assert_clean();
    (bot, ModelRequest::clone(&request))
}

#[tokio::test]
pub async fn llama_is_asked_by_chat_completions_or_by_prompts() {
    let (_bot, request) = asks_llama(&[], FakeModel::is_llama).await;
    assert!(request.completion_body().is_none());
    let mode = ("PROVIDERS__0__MODE", "completion");
    let (_bot, request) = asks_llama(&[mode], FakeModel::is_llama).await;
    let body = request.completion_body().unwrap();
    assert!(body["prompt"].as_str().unwrap().contains("hello"));
}

#[tokio::test]
pub async fn prompts_are_written_by_the_template_that_is_wanted() {
    let mode = ("PROVIDERS__0__MODE", "completion");
    let (bot, _) = asks_llama(&[mode], FakeModel::is_llama).await;
    assert_eq!(bot.model.prompts_written(), 1);
    let chatml = ("PROVIDERS__0__TEMPLATE", "chatml");
    let (bot, _) = asks_llama(&[mode, chatml], FakeModel::is_llama).await;
    assert_eq!(bot.model.prompts_written(), 0);
    // A server that cannot write them tells its template.
    let (bot, _) = asks_llama(&[mode], FakeModel::is_llama_without_templates).await;
    assert_eq!(bot.model.prompts_written(), 0);
}

#[tokio::test]
pub async fn calls_are_looked_for_in_the_text_where_that_is_wanted() {
    let said = r#"{"tool": "list_dir", "args": {"path": "."}}"#;
    for (setting, heard) in [("auto", "Nothing there."), ("off", said)] {
        let bot = TestBot::with(&[
            ("PROVIDERS__0__TOOL_CALLS_IN_TEXT", setting),
            ("AGENT__ROUTING", "off"),
        ])
        .await;
        bot.model.says(said);
        bot.model.says("Nothing there.");
        let chat = bot.direct();
        chat.says("what is there?");
        chat.settles(|message| message.text == heard).await;
        bot.assert_clean();
    }
}

#[tokio::test]
pub async fn silent_model_is_given_up_in_time() {
    let bot = TestBot::with(&[
        ("PROVIDERS__0__TIMEOUT_SECS", "1"),
        ("AGENT__ROUTING", "off"),
    ])
    .await;
    bot.model.when(|_| Some(Answer::hangs()));
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text.contains("took too long"))
        .await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_slow_beginning_may_take_longer_than_silence() {
    let bot = TestBot::with(&[
        ("PROVIDERS__0__TIMEOUT_SECS", "1"),
        ("PROVIDERS__0__FIRST_TOKEN_SECS", "20"),
        ("AGENT__ROUTING", "off"),
    ])
    .await;
    let slow = Answer::text("Here I am.").after(Duration::from_millis(2500));
    bot.model.answers(slow);
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    assert_eq!(bot.model.requests().len(), 1);
    bot.assert_clean();
}
