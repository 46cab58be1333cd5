//! Turns on a model that speaks Anthropic's messages: the same chat, another wire.

use sayso_fakes::{Answer, Gate};
use serde_json::{Value, json};

use crate::approvals::is_open_card;
use crate::command_line::CommandLine;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_turn_runs_what_was_approved_and_gives_thoughts_back,
    a_turn_that_was_killed_goes_on_with_its_thoughts
);

const ANTHROPIC: (&str, &str) = ("PROVIDERS__0__KIND", "anthropic");
const THINKING: (&str, &str) = ("PROVIDERS__0__THINKING_TOKENS", "2048");

/// A step that thinks, aloud and hidden, and then looks around.
fn looks() -> Answer {
    Answer::calls(vec![("shell", json!({"command": "mktemp -u sure.XXXXXX"}))])
        .reasoning("I should look.")
        .hidden_thought("aGlkZGVu")
}

/// Returns the kinds of the blocks of each message, as they went over the wire.
fn kinds(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().unwrap().iter();
    messages
        .map(|message| {
            let blocks = message["content"].as_array().unwrap().iter();
            let kinds: Vec<_> = blocks.map(|it| it["type"].as_str().unwrap()).collect();
            format!("{}: {}", message["role"].as_str().unwrap(), kinds.join(" "))
        })
        .collect()
}

/// Returns what the assistant said in a request, as it went over the wire.
fn said(body: &Value) -> &Value {
    let messages = body["messages"].as_array().unwrap();
    let said = messages.iter().find(|it| it["role"] == "assistant");
    &said.unwrap()["content"]
}

async fn a_turn_runs_what_was_approved_and_gives_thoughts_back(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[ANTHROPIC, THINKING]).await;
    bot.model.requires_key("sk-canary-of-the-house");
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    bot.model.answers(looks());
    bot.model.says_with_reasoning("Now I know.", "It is there.");
    chat.says("is anything there?");
    let card = chat.settles(is_open_card).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It is there.").await;

    let requests = bot.model.requests();
    let bodies: Vec<_> = requests.iter().map(|it| it.messages_body()).collect();
    assert_eq!(bodies.len(), 3, "a route and two steps");
    let fields: Vec<_> = bodies
        .iter()
        .map(|body| json!([body["thinking"], body["temperature"], body["max_tokens"]]))
        .collect();
    let thinks = json!([{"type": "enabled", "budget_tokens": 2048}, null, 6144]);
    assert_eq!(fields, [json!([null, 0.1, 300]), thinks.clone(), thinks]);
    insta::assert_snapshot!(kinds(bodies[2]).join("\n"), @r"
    user: text text
    assistant: thinking redacted_thinking tool_use
    user: tool_result
    ");
    assert_eq!(said(bodies[2])[0]["thinking"], "I should look.");
    assert_eq!(said(bodies[2])[1]["data"], "aGlkZGVu");
    assert!(requests[2].last_tool_result().contains("sure."));

    // What was thought in an earlier turn is not sent again.
    chat.says("thanks");
    chat.settles(|message| message.text == "ok: thanks").await;
    let last = bot.model.turn_requests().pop().unwrap();
    insta::assert_snapshot!(kinds(last.messages_body()).join("\n"), @r"
    user: text
    assistant: tool_use
    user: tool_result
    assistant: text
    user: text text
    ");
    bot.assert_clean();
}

/// The fake refuses a thought that is not as it gave it, so the journal must have kept it whole.
async fn a_turn_that_was_killed_goes_on_with_its_thoughts(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[ANTHROPIC, THINKING]).await;
    let chat = bot.direct();
    bot.model.answers(looks());
    chat.says("is anything there?");
    let card = chat.settles(is_open_card).await;
    bot.crash_when_noted().await;

    let gate = Gate::new();
    bot.model.answers(Answer::text("Too late.").held_by(&gate));
    chat.press(&bot.ann, card.id, "Approve").await;
    gate.reached_by(1).await;
    bot.kill().await;
    bot.model.says_with_reasoning("Now I know.", "It is there.");
    bot.start();
    bot.settles_in().await;
    chat.settles(|message| message.text.contains("It is there."))
        .await;
    gate.open();

    let requests = bot.model.turn_requests();
    let resumed = requests.last().unwrap().messages_body();
    assert_eq!(said(resumed)[0]["thinking"], "I should look.");
    assert_eq!(said(resumed)[1]["data"], "aGlkZGVu");
    let answers = |text: &str| {
        let messages = chat.messages();
        messages.iter().filter(|it| it.text.contains(text)).count()
    };
    assert_eq!((answers("It is there."), answers("Too late.")), (1, 0));
    bot.assert_clean();
}

#[tokio::test]
async fn an_overloaded_model_is_asked_again_and_a_long_talk_is_said_to_be_too_long() {
    let bot = TestBot::with(&[ANTHROPIC, ("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    let overloaded =
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    bot.model.answers(Answer::error(529, overloaded));
    bot.model
        .answers(Answer::text("").error_at_end("overloaded_error", "Overloaded"));
    bot.model.says("Here I am.");
    chat.says("hello");
    chat.settles(|message| message.text == "Here I am.").await;
    assert_eq!(bot.model.turn_requests().len(), 3);

    let too_long = r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#;
    bot.model.when(move |_| Some(Answer::error(400, too_long)));
    chat.says("and now?");
    let told = chat.settles(|message| message.text.starts_with('⚠')).await;
    insta::assert_snapshot!(told.text, @r"
    ⚠️ This conversation is too long for the model.
    Start a new one with /new, or send less at once.
    It has about 210,000 of 200,000 tokens.
    ");
    assert_eq!(
        bot.model.turn_requests().len(),
        5,
        "with the past and without it"
    );
    bot.assert_clean();
}

/// A model of today words at one temperature and thinks as long as it likes: it says so once.
#[tokio::test]
async fn what_a_model_does_not_take_is_left_out_from_then_on() {
    let bot = TestBot::with(&[ANTHROPIC, THINKING]).await;
    let refusal = |why: &str| {
        let error = json!({"type": "invalid_request_error", "message": why});
        Answer::error(400, json!({"type": "error", "error": error}).to_string())
    };
    bot.model.when(move |request| {
        let body = request.messages_body();
        if body.get("temperature").is_some() {
            return Some(refusal("`temperature` is deprecated for this model."));
        }
        let budget = body["thinking"]["type"] == "enabled";
        budget.then(|| refusal("\"thinking.type.enabled\" is not supported for this model."))
    });
    // Without its temperature the fake knows no routing call by itself.
    bot.model.says(r#"{"skills":[],"direct":true}"#);
    bot.model.says("Hello.");
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "Hello.").await;
    bot.model.says(r#"{"skills":[],"direct":true}"#);
    bot.model.says("Hello again.");
    let asked = bot.model.requests().len();
    chat.says("once more");
    chat.settles(|message| message.text == "Hello again.").await;
    let requests = bot.model.requests();
    let bodies: Vec<_> = requests[asked..]
        .iter()
        .map(|it| it.messages_body())
        .collect();
    let thinking: Vec<_> = bodies.iter().map(|body| &body["thinking"]).collect();
    assert_eq!(thinking, [&Value::Null, &json!({"type": "adaptive"})]);
    bot.assert_clean();
}

#[tokio::test]
async fn a_prompt_is_marked_where_it_is_said_again() {
    let bot = TestBot::with(&[ANTHROPIC, ("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    bot.model.says("Hello.");
    chat.says("hello");
    chat.settles(|message| message.text == "Hello.").await;
    let request = bot.model.requests().pop().unwrap();
    let body = request.messages_body();
    let marked = |block: &Value| block["cache_control"] == json!({"type": "ephemeral"});
    let marks: Vec<_> = ["tools", "system"]
        .map(|list| {
            body[list]
                .as_array()
                .unwrap()
                .iter()
                .map(marked)
                .collect::<Vec<_>>()
        })
        .concat();
    assert_eq!(marks.iter().filter(|it| **it).count(), 2, "{marks:?}");
    assert!(marked(body["tools"].as_array().unwrap().last().unwrap()));
    // The note of the turn is not said again, what was said is.
    let said = &body["messages"][0]["content"];
    assert!(!marked(&said[0]) && marked(&said[1]), "{said}");
    bot.assert_clean();
}

#[tokio::test]
async fn doctor_asks_whether_it_answers_and_takes_the_key() {
    let bot = TestBot::closed(&[]).await;
    bot.model.requires_key("sk-right");
    let root = bot.model.url();
    // The address is written with the version and without.
    for url in [root.as_str(), root.trim_end_matches("/v1")] {
        for (key, says) in [
            (
                "sk-right",
                "ok  model main: the service answers; it is asked for `claude`",
            ),
            (
                "sk-wrong",
                "the model service refuses (HTTP 401): invalid x-api-key",
            ),
        ] {
            let mut here = CommandLine::new();
            here.set("SAYSO__PROVIDERS__0__KIND", "anthropic");
            here.set("SAYSO__PROVIDERS__0__BASE_URL", url);
            here.set("SAYSO__PROVIDERS__0__API_KEY", key);
            here.set("SAYSO__PROVIDERS__0__MODEL", "claude");
            let ran = here.run(&["doctor"], "").await;
            assert!(ran.out.contains(says), "{url} {key}: {}", ran.out);
        }
    }
}
