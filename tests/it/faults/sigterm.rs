//! SIGTERM in every state: Sayso ends with code 0 within a bounded time, and after its next start
//! the conversation goes on as if nothing had been. What waits for a card is in `crash/single.rs`.

use std::time::{Duration, Instant};

use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use crate::crash::orphans;
use crate::extraction;
use crate::platform::{Chat, Platform, Trouble, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    it_ends_while_nothing_is_to_be_done,
    it_ends_in_phase_one,
    it_ends_in_the_middle_of_an_answer,
    it_ends_before_the_next_try_of_a_busy_model,
    it_ends_with_a_command_that_does_not_want_to,
    it_ends_with_messages_in_line,
    it_ends_between_the_parts_of_a_long_answer,
    it_ends_while_the_platform_wants_patience,
    it_ends_while_older_turns_are_summed_up,
    it_ends_while_it_learns
);

/// A service manager gives a minute and a half before it kills; what drains and flushes takes
/// seconds.
const ENDS_WITHIN: Duration = Duration::from_secs(20);

/// Asks Sayso to end, and starts it again when it has.
async fn ends_and_starts(bot: &mut TestBot) {
    ends(bot).await;
    bot.start();
    bot.listens().await;
}

async fn ends(bot: &mut TestBot) {
    let began = Instant::now();
    assert_eq!(bot.stop().await, Some(0), "{}", bot.log());
    assert!(began.elapsed() < ENDS_WITHIN, "{:?}", began.elapsed());
}

/// What Sayso has said in a chat, without what a repeated send is marked with.
fn said(chat: &Chat) -> Vec<String> {
    let messages = chat.messages().into_iter();
    let by_us = messages.filter(Message::is_from_bot);
    by_us
        .map(|message| message.text.replace("\n\n↻ sent again / 重发", ""))
        .collect()
}

/// Says something and is answered, once.
async fn goes_on(chat: &Chat) {
    chat.says("and now?");
    chat.settles(|message| message.text == "ok: and now?").await;
    let answers = said(chat).into_iter();
    assert_eq!(answers.filter(|text| text == "ok: and now?").count(), 1);
}

async fn it_ends_while_nothing_is_to_be_done(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    ends_and_starts(&mut bot).await;
    goes_on(&chat).await;
    assert_eq!(said(&chat), ["ok: hello", "ok: and now?"]);
    bot.assert_clean();
}

async fn it_ends_in_phase_one(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let route = Answer::text(r#"{"skills":[],"direct":true}"#);
        request.is_routing().then(|| route.held_by(&held))
    });
    let chat = bot.direct();
    chat.says("hello");
    gate.reached_by(1).await;
    ends_and_starts(&mut bot).await;
    gate.reached_by(2).await;
    gate.open();
    // Wait for the final answer first: a message below a live message would move the answer below
    // it.
    chat.settles(|message| message.text == "ok: hello" && !message.is_live())
        .await;
    goes_on(&chat).await;
    assert_eq!(said(&chat), ["ok: hello", "ok: and now?"]);
    bot.assert_clean();
}

async fn it_ends_in_the_middle_of_an_answer(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let gate = Gate::new();
    let story = "Once upon a time there was a bot that asked before it acted. ".repeat(4);
    let slowly = Answer::text(story.trim())
        .chunks_of(10)
        .between_chunks(Duration::from_millis(120));
    bot.model.answers(slowly.held_after(18, &gate));
    bot.model.says("The end.");
    let chat = bot.direct();
    chat.says("tell me a story");
    chat.settles(|message| message.text.contains("Once upon"))
        .await;
    ends_and_starts(&mut bot).await;
    chat.settles(|message| message.text == "The end.").await;
    goes_on(&chat).await;
    let stories = said(&chat).into_iter();
    let stories = stories.filter(|text| text.contains("The end.") || text.contains("Once"));
    assert_eq!(stories.count(), 1, "{}", chat.transcript());
    bot.assert_clean();
}

async fn it_ends_before_the_next_try_of_a_busy_model(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    bot.model.answers(Answer::too_many(20));
    let chat = bot.direct();
    chat.says("hello");
    bot.model.waits_for_request(1).await;
    ends_and_starts(&mut bot).await;
    chat.settles(|message| message.text == "ok: hello").await;
    goes_on(&chat).await;
    assert_eq!(said(&chat), ["ok: hello", "ok: and now?"]);
    bot.assert_clean();
}

async fn it_ends_with_a_command_that_does_not_want_to(platform: Platform) {
    let settings = [("POLICY__CONFIRM_EXEC", "false"), ("AGENT__ROUTING", "off")];
    let mut bot = TestBot::on_with(platform, &settings).await;
    let begun = bot.data().join("workspaces");
    let command = "trap '' TERM INT HUP; touch begun; setsid sleep 61 & sleep 62; sleep 63";
    bot.model
        .calls(vec![("shell", json!({ "command": command }))]);
    bot.model.says("It was cut off.");
    let chat = bot.direct();
    chat.says("take a nap");
    eventually("the command begins", || {
        let places = std::fs::read_dir(&begun).into_iter().flatten().flatten();
        places
            .into_iter()
            .any(|place| place.path().join("begun").exists())
    })
    .await;
    ends(&mut bot).await;
    let home = bot.data().parent().unwrap().to_owned();
    assert_eq!(orphans(&home).await, [""; 0], "still running");
    bot.start();
    bot.listens().await;
    chat.settles(|message| message.text == "It was cut off.")
        .await;
    goes_on(&chat).await;
    let called = "SELECT 'called' FROM journal WHERE kind = 'called'";
    assert_eq!(bot.rows(called).await.len(), 1, "it ran once");
    bot.assert_clean();
}

async fn it_ends_with_messages_in_line(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        Some(Answer::text(format!("ok: {}", request.last_user())).held_by(&held))
    });
    let chat = bot.direct();
    for number in 1..=4 {
        chat.says(&number.to_string());
    }
    bot.has_heard_all().await;
    gate.reached_by(1).await;
    ends_and_starts(&mut bot).await;
    gate.reached_by(2).await;
    gate.open();
    chat.settles(|message| message.text == "ok: 4").await;
    assert_eq!(said(&chat), ["ok: 1", "ok: 2", "ok: 3", "ok: 4"]);
    goes_on(&chat).await;
    bot.assert_clean();
}

/// The first part is in flight and never arrives; Sayso cannot know that, so it is sent again.
async fn it_ends_between_the_parts_of_a_long_answer(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let (text, beginnings) = long_text(platform, 3);
    bot.model.says(&text);
    let gate = Gate::new();
    let chat = bot.direct();
    bot.saying_fails(Trouble::Held(gate.clone()));
    chat.says("write much");
    gate.reached_by(1).await;
    ends_and_starts(&mut bot).await;
    chat.settles(|message| message.text.contains(beginnings.last().unwrap().as_str()))
        .await;
    goes_on(&chat).await;
    let said = said(&chat).join("\n");
    let places: Vec<Vec<usize>> = beginnings
        .iter()
        .map(|beginning| said.match_indices(beginning).map(|(at, _)| at).collect())
        .collect();
    assert!(places.iter().all(|places| places.len() == 1), "{places:?}");
    assert!(places.is_sorted(), "{places:?}");
}

/// Returns a text that this platform splits into `parts` messages, and how each of its paragraphs
/// begins.
fn long_text(platform: Platform, parts: usize) -> (String, Vec<String>) {
    let beginnings: Vec<String> = (1..=parts).map(|part| format!("Chapter {part}:")).collect();
    let filler = "word ".repeat(platform.longest_text() / 5 - 30);
    let chapters: Vec<String> = beginnings
        .iter()
        .map(|beginning| format!("{beginning} {}", filler.trim_end()))
        .collect();
    (chapters.join("\n\n"), beginnings)
}

async fn it_ends_while_the_platform_wants_patience(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    bot.listens().await;
    for _ in 0..4 {
        bot.saying_fails(Trouble::TooMany { seconds: 40 });
    }
    let chat = bot.direct();
    chat.says("hello");
    bot.has_noted("SELECT state FROM outbox WHERE purpose = 'final' AND state = 'pending'")
        .await;
    ends(&mut bot).await;
    bot.heal();
    bot.start();
    bot.listens().await;
    chat.settles(|message| message.text == "ok: hello").await;
    goes_on(&chat).await;
    assert_eq!(said(&chat), ["ok: hello", "ok: and now?"]);
    bot.assert_clean();
}

async fn it_ends_while_older_turns_are_summed_up(platform: Platform) {
    let settings = [("AGENT__ROUTING", "off"), ("AGENT__HISTORY_MESSAGES", "8")];
    let mut bot = TestBot::on_with(platform, &settings).await;
    let gate = Gate::new();
    bot.model
        .sums_up_with(Answer::text("Never heard.").held_by(&gate));
    let chat = bot.direct();
    for number in 1..=5 {
        chat.says(&format!("question {number}"));
        chat.settles(|message| message.text == format!("ok: question {number}"))
            .await;
    }
    gate.reached_by(1).await;
    ends_and_starts(&mut bot).await;
    bot.has_noted("SELECT 'summed up' FROM compactions").await;
    goes_on(&chat).await;
    let summaries = bot.rows("SELECT text FROM compactions").await;
    assert_eq!(summaries, ["They spoke of this and that."]);
    bot.assert_clean();
}

async fn it_ends_while_it_learns(platform: Platform) {
    let mut bot = extraction::open(platform).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let tea = extraction::proposal(&[("preference", "Likes jasmine tea")]);
        extraction::is_lesson(request).then(|| Answer::text(tea).held_by(&held))
    });
    let chat = bot.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
    gate.reached_by(1).await;
    ends_and_starts(&mut bot).await;
    gate.open();
    chat.settles(extraction::is_note).await;
    bot.has_noted(extraction::ALL_DONE).await;
    goes_on(&chat).await;
    assert_eq!(bot.rows(extraction::LEARNED).await, ["Likes jasmine tea"]);
    assert_eq!(
        chat.messages()
            .iter()
            .filter(|it| extraction::is_note(it))
            .count(),
        1
    );
    bot.assert_clean();
}
