//! Places and rights: where a message cannot go, it fails with its reason or goes another way.

use std::time::Duration;

use sayso_fakes::discord::{Fault, Right};
use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use super::{asked_and_held, complaints, open, outcomes, outcomes_are, telegram_goes_on, workshop};
use crate::test_bot::{PATIENCE, TestBot};

/// The one outcome failed for this reason, which the operator reads once.
async fn failed_for(bot: &TestBot, why: &str) {
    outcomes_are(bot, &[&format!("failed: {why}")]).await;
    let complaints = complaints(bot);
    let expected = format!("message cannot be delivered purpose=final why=\"{why}\"");
    assert_eq!(complaints, [expected], "{}", bot.log());
    telegram_goes_on(bot).await;
}

/// The one outcome reached Ann in private, with the reason; the operator has nothing to do.
async fn told_in_private(bot: &TestBot, why: &str) {
    let direct = bot.discord.direct(&bot.ann);
    let said = direct
        .hears_with(|message| message.text.contains(why))
        .await;
    assert!(said.text.contains("where you asked"), "{said}");
    outcomes_are(bot, &["sent"]).await;
    assert_eq!(complaints(bot), [""; 0]);
    telegram_goes_on(bot).await;
}

#[tokio::test]
async fn a_chat_in_which_nothing_may_be_said() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    chat.forbids(Right::Send);
    chat.says("@sayso_bot hello");
    told_in_private(&bot, "the bot has no permission to do this in the channel").await;
    chat.permits(Right::Send);
    chat.says("@sayso_bot and now?");
    chat.hears_with(|message| message.text == "ok: Ann: and now?")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_chat_that_may_not_be_seen_any_more() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    let gate = asked_and_held(&bot, &chat, "I think so.").await;
    chat.forbids(Right::View);
    gate.open();
    told_in_private(&bot, "the bot cannot see this channel").await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_channel_that_is_deleted_in_the_middle_of_a_turn() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    let gate = asked_and_held(&bot, &chat, "I think so.").await;
    chat.vanishes();
    gate.open();
    told_in_private(&bot, "there is no such channel for this bot any more").await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_server_that_throws_the_bot_out_in_the_middle_of_a_turn() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    let gate = asked_and_held(&bot, &chat, "I think so.").await;
    chat.blocks();
    gate.open();
    told_in_private(&bot, "the bot cannot see this channel").await;
    chat.unblocks();
    chat.says("@sayso_bot back again?");
    chat.hears_with(|message| message.text == "ok: Ann: back again?")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_person_who_takes_no_direct_messages() {
    let bot = open(&[]).await;
    let chat = bot.discord.direct(&bot.ann);
    let gate = asked_and_held(&bot, &chat, "I think so.").await;
    chat.blocks();
    gate.open();
    failed_for(&bot, "this person takes no direct messages from the bot").await;
    chat.unblocks();
    chat.says("sorry, and now?");
    chat.hears_with(|message| message.text == "ok: sorry, and now?")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_thread_that_is_locked_in_the_middle_of_a_turn() {
    let bot = open(&[]).await;
    let thread = workshop(&bot).topic("Shelf");
    let gate = asked_and_held(&bot, &thread, "I think so.").await;
    thread.archives(true);
    gate.open();
    told_in_private(&bot, "the thread is archived").await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_thread_that_falls_asleep_in_the_middle_of_a_turn_wakes_for_the_answer() {
    let bot = open(&[]).await;
    let thread = workshop(&bot).topic("Shelf");
    let gate = asked_and_held(&bot, &thread, "I think so.").await;
    thread.archives(false);
    gate.open();
    assert_eq!(thread.hears().await.text, "I think so.");
    outcomes_are(&bot, &["sent"]).await;
    assert_eq!(complaints(&bot), [""; 0]);
    bot.assert_clean();
}

#[tokio::test]
async fn without_the_right_to_embed_links_are_said_as_text() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    chat.forbids(Right::Embed);
    bot.model.says("See https://example.org/shelf for more.");
    chat.says("@sayso_bot where?");
    let said = chat.hears().await;
    assert!(said.text.contains("https://example.org/shelf"), "{said}");
    outcomes_are(&bot, &["sent"]).await;
    assert_eq!(complaints(&bot), [""; 0]);
    bot.assert_clean();
}

#[tokio::test]
async fn without_the_right_to_attach_a_long_command_is_shown_in_messages() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    chat.forbids(Right::Attach);
    let words: Vec<String> = (0..900).map(|number| format!("w{number}")).collect();
    let command = format!("touch {}", words.join(" "));
    bot.model
        .calls(vec![("shell", json!({ "command": command }))]);
    chat.says("@sayso_bot count");
    let card = chat.hears_with(Message::asks).await;
    let shown = chat
        .messages()
        .iter()
        .fold(String::new(), |shown, message| shown + &message.text + " ");
    for word in &words {
        assert!(
            shown.contains(&format!("{word} ")) || shown.contains(&format!("{word}\n")),
            "{word} is hidden"
        );
    }
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text.starts_with("ok:"))
        .await;
    telegram_goes_on(&bot).await;
    bot.assert_clean();
}

#[tokio::test]
async fn without_the_right_to_start_threads_a_long_answer_is_said_in_the_chat() {
    let bot = open(&[("CHANNELS__DISCORD__LONG_ANSWERS", "thread")]).await;
    let chat = workshop(&bot);
    chat.forbids(Right::StartThreads);
    let line =
        |number: u32| format!("{number}. The shelf holds if the wall holds, so look at the wall.");
    let story: Vec<String> = (1..=100).map(line).collect();
    bot.model.says(&story.join("\n\n"));
    chat.says("@sayso_bot tell me about shelves");
    chat.hears_with(|message| message.text.contains("100. The shelf"))
        .await;
    assert!(chat.threads().is_empty());
    assert!(chat.messages().len() > 3, "{}", chat.transcript());
    for state in outcomes(&bot).await {
        assert!(state == "sent" || state == "sending", "{state}");
    }
    bot.assert_clean();
}

#[tokio::test]
async fn without_the_right_to_read_what_was_said_the_answer_refers_to_nothing() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    chat.forbids(Right::ReadHistory);
    chat.says("@sayso_bot hello");
    let said = chat.hears().await;
    assert_eq!(
        (said.text.as_str(), said.reply_to),
        ("ok: Ann: hello", None)
    );
    outcomes_are(&bot, &["sent"]).await;
    assert_eq!(complaints(&bot), [""; 0]);
    bot.assert_clean();
}

#[tokio::test]
async fn an_outcome_whose_live_message_was_deleted_is_a_new_message() {
    let bot = open(&[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.discord.direct(&bot.ann);
    let wait = "while [ ! -e go ]; do sleep 0.02; done; echo first";
    bot.model.calls(vec![("shell", json!({ "command": wait }))]);
    bot.model.says("Done.");
    chat.says("try it");
    let live = chat.hears_with(Message::is_live).await;
    chat.deletes(live.id);
    std::fs::write(bot.workspace().join("go"), "").unwrap();
    let said = chat.hears_with(|message| message.text == "Done.").await;
    assert_ne!(said.id, live.id);
    assert_eq!(chat.messages().len(), 2, "{}", chat.transcript());
    outcomes_are(&bot, &["sent"]).await;
    assert_eq!(complaints(&bot), [""; 0]);
    bot.assert_clean();
}

#[tokio::test]
async fn an_answer_whose_message_was_deleted_while_it_was_written_is_a_new_message() {
    let bot = open(&[]).await;
    let chat = bot.discord.direct(&bot.ann);
    let story = "Once upon a time there was a bot that asked before it acted. ".repeat(4);
    let gate = Gate::new();
    let slowly = Answer::text(story.trim())
        .chunks_of(10)
        .between_chunks(Duration::from_millis(120));
    bot.model.answers(slowly.held_after(18, &gate));
    chat.says("tell me a story");
    let live = chat.hears_with(Message::is_live).await;
    chat.deletes(live.id);
    gate.open();
    chat.settles(|message| message.text == story.trim()).await;
    assert_eq!(chat.messages().len(), 2, "{}", chat.transcript());
    outcomes_are(&bot, &["sent"]).await;
    assert_eq!(complaints(&bot), [""; 0]);
    bot.assert_clean();
}

#[tokio::test]
async fn a_slash_command_is_answered_also_where_nothing_may_be_said() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    chat.forbids(Right::Send);
    chat.says("/whoami");
    chat.hears_with(|message| message.text.contains(", my owner ("))
        .await;
    assert_eq!(complaints(&bot), [""; 0]);
    bot.assert_clean();
}

#[tokio::test]
async fn a_page_of_the_door_loses_no_message() {
    let mut bot = open(&[]).await;
    let chat = workshop(&bot);
    bot.discord
        .fail_next("create_message", Fault::CloudflareBlock);
    chat.says("@sayso_bot hello");
    bot.logs("Discord refuses everything from here for a while")
        .await;
    telegram_goes_on(&bot).await;
    outcomes_are(&bot, &["pending"]).await;
    assert_eq!(complaints(&bot).len(), 1, "{}", bot.log());
    // The door names no time, and a minute is long; another process knocks at once.
    bot.restart().await;
    chat.hears_with(|message| message.text == "ok: Ann: hello")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_limit_of_the_door_is_waited_for() {
    let bot = open(&[]).await;
    let chat = workshop(&bot);
    let limit = Fault::CloudflareLimit {
        retry_after: Some(1),
    };
    bot.discord.fail_next("create_message", limit);
    let asked = tokio::time::Instant::now();
    chat.says("@sayso_bot hello");
    chat.hears_with(|message| message.text == "ok: Ann: hello")
        .await;
    assert!((Duration::from_secs(1)..PATIENCE).contains(&asked.elapsed()));
    outcomes_are(&bot, &["sent"]).await;
    bot.assert_clean();
}
