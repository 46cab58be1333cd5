//! Turns on a llama.cpp server: chat completions for a strict template, and prompts with a grammar.

use std::time::Duration;

use sayso_fakes::{Answer, FakeModel, Gate};
use serde_json::json;

use super::conversation;
use crate::approvals::is_open_card;
use crate::command_line::CommandLine;
use crate::platform::{Platform, on_both};
use crate::test_bot::{PATIENCE, TestBot};

on_both!(
    a_turn_on_chat_completions_runs_what_was_approved,
    a_turn_on_prompts_runs_what_was_approved,
    what_is_said_meanwhile_joins_without_two_turns_of_one_role,
    a_turn_on_prompts_that_was_killed_goes_on,
    model_f4_tools_reach_a_model_whose_template_has_none
);

const LLAMA: (&str, &str) = ("PROVIDERS__0__KIND", "llama");
const PROMPTS: (&str, &str) = ("PROVIDERS__0__MODE", "completion");

/// A bot whose model is llama.cpp's, with these settings.
async fn with_llama(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let mut bot = TestBot::closed_on(platform, &[LLAMA]).await;
    for (key, value) in settings {
        bot.set(key, value);
    }
    bot.model.is_llama();
    bot.start();
    bot.settles_in().await;
    bot
}

/// A step that looks around, and asks before it does.
fn looks() -> Answer {
    Answer::calls(vec![("shell", json!({"command": "mktemp -u sure.XXXXXX"}))])
}

/// Approves a call, hears the answer, and says something more.
async fn works(bot: &TestBot) {
    let chat = bot.direct();
    bot.model.answers(looks());
    bot.model.says("It is there.");
    chat.says("is anything there?");
    let card = chat.settles(is_open_card).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It is there.").await;
    let last = bot.model.turn_requests().pop().unwrap();
    assert!(last.mentions("sure."), "{:?}", conversation(&last));
    chat.says("thanks");
    chat.settles(|message| message.text == "ok: thanks").await;
    bot.assert_clean();
}

async fn a_turn_on_chat_completions_runs_what_was_approved(platform: Platform) {
    let bot = with_llama(platform, &[]).await;
    works(&bot).await;
    let requests = bot.model.requests();
    assert!(requests.iter().all(|it| it.completion_body().is_none()));
}

/// The fake checks each request, the turns in its prompt, and that its answers are sayable.
async fn a_turn_on_prompts_runs_what_was_approved(platform: Platform) {
    let bot = with_llama(platform, &[PROMPTS]).await;
    works(&bot).await;
    let requests = bot.model.requests();
    assert!(requests.iter().all(|it| it.completion_body().is_some()));
    // Routes, too, are asked for by a prompt.
    assert_eq!(bot.model.prompts_written(), requests.len());
    let step = bot.model.turn_requests().remove(1);
    let said: Vec<_> = conversation(&step)
        .into_iter()
        .filter(|it| it.starts_with("assistant"))
        .collect();
    let call = r#"assistant: {"tool": "shell", "args": {"command":"mktemp -u sure.XXXXXX"}}"#;
    assert_eq!(said, [call]);
}

async fn what_is_said_meanwhile_joins_without_two_turns_of_one_role(platform: Platform) {
    for mode in ["openai_compat", "completion"] {
        let mode = ("PROVIDERS__0__MODE", mode);
        let bot = with_llama(platform, &[mode, ("AGENT__ROUTING", "off")]).await;
        let chat = bot.direct();
        let gate = Gate::new();
        let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        bot.model.answers(look.held_by(&gate));
        bot.model.says("Nothing here, so zero files.");
        chat.says("look around");
        gate.reached_by(1).await;
        chat.says("and count the files");
        bot.has_heard_all().await;
        gate.open();
        chat.settles(|message| message.text.contains("zero files"))
            .await;
        let last = bot.model.waits_for_request(2).await;
        let said = conversation(&last);
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[2].contains("and count the files"), "{said:?}");
        bot.assert_clean();
    }
}

async fn a_turn_on_prompts_that_was_killed_goes_on(platform: Platform) {
    let mut bot = with_llama(platform, &[PROMPTS, ("AGENT__ROUTING", "off")]).await;
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
    bot.model.says("It is there.");
    bot.start();
    bot.settles_in().await;
    chat.settles(|message| message.text.contains("It is there."))
        .await;
    gate.open();
    let resumed = bot.model.turn_requests().pop().unwrap();
    assert!(resumed.mentions("sure."), "{:?}", conversation(&resumed));
    let answers = |text: &str| {
        let messages = chat.messages();
        messages.iter().filter(|it| it.text.contains(text)).count()
    };
    assert_eq!((answers("It is there."), answers("Too late.")), (1, 0));
}

/// A template without a place for it, such as Gemma's, has it in the first message.
#[tokio::test]
async fn a_model_without_a_system_role_is_asked_without_one() {
    for mode in ["openai_compat", "completion"] {
        let mut bot = TestBot::closed(&[LLAMA, ("AGENT__ROUTING", "off")]).await;
        bot.set("PROVIDERS__0__MODE", mode);
        bot.model.is_llama_without_system_role();
        bot.start();
        let chat = bot.direct();
        bot.model.says("Here I am.");
        chat.says("hello");
        chat.settles(|message| message.text == "Here I am.").await;
        let last = bot.model.requests().pop().unwrap();
        assert_eq!(last.system(), "", "{mode}");
        assert!(last.last_user().contains("Sayso"), "{}", last.last_user());
        bot.assert_clean();
    }
}

/// An answer that reaches the token limit in the middle of a call: the call does not run, and the
/// model gets an error.
#[tokio::test]
async fn a_call_that_was_cut_off_is_an_error_of_the_call() {
    let bot = with_llama(Platform::Telegram, &[("AGENT__ROUTING", "off")]).await;
    let cut = r#"{"tool": "shell", "args": {"command": "rm -rf "#;
    bot.model.answers(Answer::text(cut).finish("length"));
    bot.model.says("I was cut off.");
    let chat = bot.direct();
    chat.says("clean up");
    chat.settles(|message| message.text.contains("I was cut off."))
        .await;
    let result = bot.model.turn_requests().pop().unwrap().last_tool_result();
    assert!(result.contains("E_INVALID_ARGS"), "{result}");
    bot.assert_clean();
}

/// The fake refuses grammars that it cannot read, and notes answers that its model could not say.
#[tokio::test]
async fn model_f1_phase_1_is_held_to_a_form_and_short() {
    for mode in ["auto", "openai_compat", "completion"] {
        let mode = ("PROVIDERS__0__MODE", mode);
        let bot = with_llama(Platform::Telegram, &[mode]).await;
        let chat = bot.direct();
        bot.model
            .routes(r#"{"skills":["rust-dev"],"direct":false}"#);
        chat.says("why does my crate not build?");
        chat.hears().await;
        let [routing, answering] = &bot.model.requests()[..] else {
            panic!("two requests")
        };
        let grammar = routing.asked("grammar").as_str().unwrap();
        assert!(grammar.contains(r#""\"rust-dev\"""#), "{grammar}");
        let limits = [routing.asked("max_tokens"), routing.asked("n_predict")];
        assert!(limits.contains(&&json!(300)), "{limits:?}");
        assert!(routing.is_streamed());
        assert!(answering.mentions("## Skill: rust-dev"));
        bot.assert_clean();
    }
}

/// Where no form is taken, the words of the prompt must do, and that is known from then on.
#[tokio::test]
async fn model_f1_a_service_that_takes_no_form_is_asked_plainly() {
    let mut bot = TestBot::closed(&[]).await;
    bot.model.refuses_forms();
    bot.start();
    let chat = bot.direct();
    for word in ["one", "two"] {
        bot.model
            .routes(r#"{"skills": ["rust-dev"], "direct": false}"#);
        chat.says(word);
        chat.settles(|message| message.text == format!("ok: {word}"))
            .await;
    }
    let requests = bot.model.requests();
    let routing = requests.iter().filter(|request| request.is_routing());
    let has_form: Vec<bool> = routing
        .map(|request| !request.asked("response_format").is_null())
        .collect();
    assert_eq!(has_form, [true, false, false]);
    for turn in bot.model.turn_requests() {
        assert!(turn.mentions("## Skill: rust-dev"));
    }
    bot.assert_clean();
}

/// Rules replace a failed route, so it is neither retried nor sent to another service.
#[tokio::test]
async fn model_f2_a_route_that_does_not_come_is_asked_for_once() {
    let bot = TestBot::with(&[("PROVIDERS__0__TIMEOUT_SECS", "1")]).await;
    let chat = bot.direct();
    bot.model.routes_with(Answer::hangs());
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let requests = bot.model.requests();
    let routing = requests.iter().filter(|request| request.is_routing());
    assert_eq!(routing.count(), 1);
    bot.assert_clean();
}

/// The fake drops tools that its template has no place for, and only a grammar says how a call is
/// made.
async fn model_f4_tools_reach_a_model_whose_template_has_none(platform: Platform) {
    for mode in ["auto", "openai_compat"] {
        let mut bot = TestBot::closed_on(platform, &[LLAMA]).await;
        bot.set("PROVIDERS__0__MODE", mode);
        bot.model.is_llama_that_shows_no_tools();
        bot.start();
        bot.settles_in().await;
        works(&bot).await;
        let step = bot.model.turn_requests().remove(1);
        assert!(step.asked("tools").is_null());
        assert!(step.system().contains("- shell: "), "{}", step.system());
        let said = conversation(&step);
        let call = r#"{"tool": "shell", "args": {"command":"mktemp -u sure.XXXXXX"}}"#;
        assert!(said.iter().any(|it| it.ends_with(call)), "{said:?}");
    }
}

/// Without `--jinja` every turn with tools was refused as a passing fault.
#[tokio::test]
async fn model_f5_a_server_without_jinja_is_told_of_tools_in_the_prompt() {
    let mut bot = TestBot::closed(&[LLAMA]).await;
    bot.model.is_llama_without_jinja();
    bot.start();
    works(&bot).await;
}

#[tokio::test]
async fn model_f5_doctor_asks_with_a_tool_and_says_how_tools_reach_the_model() {
    let model = FakeModel::start().await;
    let mut here = CommandLine::new();
    here.set("SAYSO__PROVIDERS__0__KIND", "llama");
    here.set("SAYSO__PROVIDERS__0__BASE_URL", &model.url());
    model.is_llama();
    let ran = here.run(&["doctor"], "").await;
    let fine = "ok  model main: the service answers; it is asked for `default`\n";
    assert!(ran.out.contains(fine), "{}", ran.out);
    let asked = model.requests().pop().unwrap();
    assert_eq!(asked.tools().len(), 1);
    assert_eq!(asked.asked("max_tokens"), 16);
    model.is_llama_without_jinja();
    let ran = here.run(&["doctor"], "").await;
    assert!(
        ran.out.contains("its template knows no tools"),
        "{}",
        ran.out
    );
    model.when(|_| {
        Some(Answer::error(
            400,
            r#"{"error":{"message":"no such model"}}"#,
        ))
    });
    let ran = here.run(&["doctor"], "").await;
    assert!(ran.out.contains("no such model"), "{}", ran.out);
}

/// An endpoint that is not there is asked for once.
#[tokio::test]
async fn model_f4_a_server_without_chats_is_asked_by_prompts() {
    let mut bot = TestBot::closed(&[LLAMA]).await;
    bot.model.is_llama_without_chats();
    bot.start();
    works(&bot).await;
    let requests = bot.model.requests();
    let chats = requests.iter().filter(|it| it.completion_body().is_none());
    assert_eq!(chats.count(), 1);
}

/// The first message after a restart waits until the model is loaded, and its user sees why.
#[tokio::test]
async fn model_f7_a_server_that_loads_its_model_is_waited_for() {
    for mode in ["auto", "completion"] {
        let mut bot = TestBot::closed(&[LLAMA]).await;
        bot.set("PROVIDERS__0__MODE", mode);
        bot.model.is_loading(true);
        bot.start();
        let chat = bot.direct();
        chat.says("hello");
        let live = chat
            .settles(|message| message.text.contains("the model is just starting"))
            .await;
        // Longer than three tries would take.
        let looks = async {
            while bot.model.looks() < 4 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, looks).await.unwrap();
        bot.model.is_loading(false);
        chat.becomes(live.id, |message| message.text == "ok: hello")
            .await;
        bot.assert_clean();
    }
}

/// A long prompt is processed slowly; that is no timeout, and the waiting user sees the progress.
#[tokio::test]
async fn model_f8_reading_is_life_and_is_shown() {
    for mode in ["auto", "completion"] {
        let settings = [
            ("PROVIDERS__0__MODE", mode),
            ("AGENT__ROUTING", "off"),
            ("PROVIDERS__0__TIMEOUT_SECS", "3"),
            ("PROVIDERS__0__FIRST_TOKEN_SECS", "5"),
        ];
        let bot = with_llama(Platform::Telegram, &settings).await;
        let chat = bot.direct();
        let gate = Gate::new();
        // Six seconds in all, of which each piece renews the five that the first word may take.
        let slow = Answer::text("It is long.").reads(&[1000, 1200, 1400, 1600]);
        let slow = slow.between_chunks(Duration::from_millis(1500));
        bot.model.answers(slow.held_after(4, &gate));
        chat.says("read this");
        let live = chat
            .settles(|message| message.text.contains("reading 60 %"))
            .await;
        gate.open();
        chat.becomes(live.id, |message| message.text == "It is long.")
            .await;
        assert_eq!(bot.model.requests().len(), 1);
        bot.assert_clean();
    }
}

#[tokio::test]
async fn model_f10_a_conversation_that_is_too_long_is_told_with_its_limit() {
    let bot = with_llama(Platform::Telegram, &[("AGENT__ROUTING", "off")]).await;
    let why =
        "request (6393 tokens) exceeds the available context size (2048 tokens), try increasing it";
    let refusal = json!({"error": {
        "code": 400, "message": why, "type": "exceed_context_size_error",
        "n_prompt_tokens": 6393, "n_ctx": 2048,
    }});
    bot.model
        .when(move |_| Some(Answer::error(400, refusal.to_string())));
    let chat = bot.direct();
    chat.says("hello");
    let told = chat
        .settles(|message| message.text.contains("too long for the model"))
        .await;
    assert!(
        told.text.contains("about 6,400 of 2,048 tokens"),
        "{}",
        told.text
    );
}

/// Its template begins the thoughts, so only their end stands in what the model writes.
#[tokio::test]
async fn model_f11_thoughts_that_begin_in_the_prompt_are_never_shown() {
    let mut bot = TestBot::closed(&[LLAMA, PROMPTS]).await;
    bot.model.is_llama_that_begins_thoughts();
    bot.start();
    let chat = bot.direct();
    bot.model
        .routes(r#"{"skills":["rust-dev"],"direct":false}"#);
    let thinks = "They greet me, and I should greet them back.\n</think>\n\nHello there, Ann.";
    // Slowly enough for the live message to show what is said.
    let slow = Answer::text(thinks).chunks_of(8);
    bot.model
        .answers(slow.between_chunks(Duration::from_millis(300)));
    chat.says("hello");
    chat.settles(|message| message.text == "Hello there, Ann.")
        .await;
    let calls = format!("{:?}", bot.telegram.calls());
    assert!(calls.contains("Hello there, Ann."), "{calls}");
    assert!(!calls.contains("greet"), "{calls}");
    // A route is held to its form, and thinks nothing.
    assert!(bot.model.turn_requests()[0].mentions("## Skill: rust-dev"));

    // A call that is made at once is a call.
    bot.model.answers(looks());
    bot.model.says("</think>\nIt is there.");
    chat.says("is anything there?");
    let card = chat.settles(is_open_card).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It is there.").await;
    bot.assert_clean();
}
