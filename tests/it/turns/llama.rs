//! Turns on a llama.cpp server: chat completions for a strict template, and prompts with a grammar.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use super::conversation;
use crate::approvals::is_open_card;
use crate::house::House;
use crate::platform::{Platform, on_both};

on_both!(
    a_turn_on_chat_completions_runs_what_was_approved,
    a_turn_on_prompts_runs_what_was_approved,
    what_is_said_meanwhile_joins_without_two_turns_of_one_role,
    a_turn_on_prompts_that_was_killed_goes_on
);

const LLAMA: (&str, &str) = ("PROVIDERS__0__KIND", "llama");
const PROMPTS: (&str, &str) = ("PROVIDERS__0__MODE", "completion");

/// A house whose model is llama.cpp's, with these settings.
async fn with_llama(platform: Platform, settings: &[(&str, &str)]) -> House {
    let mut house = House::closed_on(platform, &[LLAMA]).await;
    for (key, value) in settings {
        house.set(key, value);
    }
    house.model.is_llama();
    house.start();
    house.settles_in().await;
    house
}

/// A step that looks around, and asks before it does.
fn looks() -> Answer {
    Answer::calls(vec![("shell", json!({"command": "mktemp -u sure.XXXXXX"}))])
}

/// Approves a call, hears the answer, and says something more.
async fn works(house: &House) {
    let chat = house.direct();
    house.model.answers(looks());
    house.model.says("It is there.");
    chat.says("is anything there?");
    let card = chat.settles(is_open_card).await;
    chat.press(&house.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It is there.").await;
    let last = house.model.turn_requests().pop().unwrap();
    assert!(last.mentions("sure."), "{:?}", conversation(&last));
    chat.says("thanks");
    chat.settles(|message| message.text == "ok: thanks").await;
    house.assert_clean();
}

async fn a_turn_on_chat_completions_runs_what_was_approved(platform: Platform) {
    let house = with_llama(platform, &[]).await;
    works(&house).await;
    let requests = house.model.requests();
    assert!(requests.iter().all(|it| it.completion_body().is_none()));
}

/// The fake checks each request, the turns in its prompt, and that its answers are sayable.
async fn a_turn_on_prompts_runs_what_was_approved(platform: Platform) {
    let house = with_llama(platform, &[PROMPTS]).await;
    works(&house).await;
    let requests = house.model.requests();
    assert!(requests.iter().all(|it| it.completion_body().is_some()));
    // Routes, too, are asked for by a prompt.
    assert_eq!(house.model.prompts_written(), requests.len());
    let step = house.model.turn_requests().remove(1);
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
        let house = with_llama(platform, &[mode, ("AGENT__ROUTING", "off")]).await;
        let chat = house.direct();
        let gate = Gate::new();
        let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        house.model.answers(look.held_by(&gate));
        house.model.says("Nothing here, so zero files.");
        chat.says("look around");
        gate.reached_by(1).await;
        chat.says("and count the files");
        house.has_heard_all().await;
        gate.open();
        chat.settles(|message| message.text.contains("zero files"))
            .await;
        let last = house.model.waits_for_request(2).await;
        let said = conversation(&last);
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[2].contains("and count the files"), "{said:?}");
        house.assert_clean();
    }
}

async fn a_turn_on_prompts_that_was_killed_goes_on(platform: Platform) {
    let mut house = with_llama(platform, &[PROMPTS, ("AGENT__ROUTING", "off")]).await;
    let chat = house.direct();
    house.model.answers(looks());
    chat.says("is anything there?");
    let card = chat.settles(is_open_card).await;
    house.crash_when_noted().await;

    let gate = Gate::new();
    house
        .model
        .answers(Answer::text("Too late.").held_by(&gate));
    chat.press(&house.ann, card.id, "Approve").await;
    gate.reached_by(1).await;
    house.kill().await;
    house.model.says("It is there.");
    house.start();
    house.settles_in().await;
    chat.settles(|message| message.text.contains("It is there."))
        .await;
    gate.open();
    let resumed = house.model.turn_requests().pop().unwrap();
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
        let mut house = House::closed(&[LLAMA, ("AGENT__ROUTING", "off")]).await;
        house.set("PROVIDERS__0__MODE", mode);
        house.model.is_llama_without_system_role();
        house.start();
        let chat = house.direct();
        house.model.says("Here I am.");
        chat.says("hello");
        chat.settles(|message| message.text == "Here I am.").await;
        let last = house.model.requests().pop().unwrap();
        assert_eq!(last.system(), "", "{mode}");
        assert!(last.last_user().contains("Sayso"), "{}", last.last_user());
        house.assert_clean();
    }
}

/// An answer at the token limit in the middle of a call: the call does not run, and the model is told.
#[tokio::test]
async fn a_call_that_was_cut_off_is_an_error_of_the_call() {
    let house = with_llama(Platform::Telegram, &[("AGENT__ROUTING", "off")]).await;
    let cut = r#"{"tool": "shell", "args": {"command": "rm -rf "#;
    house.model.answers(Answer::text(cut).finish("length"));
    house.model.says("I was cut off.");
    let chat = house.direct();
    chat.says("clean up");
    chat.settles(|message| message.text.contains("I was cut off."))
        .await;
    let result = house
        .model
        .turn_requests()
        .pop()
        .unwrap()
        .last_tool_result();
    assert!(result.contains("E_INVALID_ARGS"), "{result}");
    house.assert_clean();
}
