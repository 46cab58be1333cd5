//! `/stop`.

use std::path::Path;

use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    stop_ends_a_model_call,
    stop_ends_a_command_and_its_children,
    row44_a_stop_says_all_of_it_in_one_message,
    row44_a_stop_of_several_waiting_is_one_message_after_a_crash_too,
    a_member_stops_only_their_own_turn_and_an_owner_any
);

async fn stop_ends_a_model_call(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.says("/stop");
    let nothing = chat.hears().await;
    bot.model.answers(Answer::hangs());
    chat.says("think hard");
    bot.model.waits_for(|request| !request.is_routing()).await;
    chat.says("/stop");
    let stopped = chat
        .hears_with(|message| message.text.contains("topped"))
        .await;
    insta::assert_snapshot!(format!("{nothing}\n{stopped}"), @r"
        Sayso: Nothing of yours is running here.
        Sayso: ⏹ Stopped.
        ");
    chat.says("hello again");
    assert_eq!(chat.hears().await.text, "ok: hello again");
    bot.assert_clean();
}

async fn stop_ends_a_command_and_its_children(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    let command = "sleep 60 & sleep 60";
    bot.model
        .calls(vec![("shell", json!({"command": command}))]);
    chat.says("take a nap");
    chat.settles(|message| message.text.contains("sleep 60"))
        .await;
    let running = |name| running_in(&bot.workspace(), name);
    eventually("both processes", || running("sleep") == 2).await;
    assert!(running("sh") >= 1);
    chat.says("/stop");
    chat.settles(|message| message.text.contains("topped"))
        .await;
    eventually("their end", || running("sleep") + running("sh") == 0).await;
    bot.assert_clean();
}

async fn row44_a_stop_says_all_of_it_in_one_message(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.answers(Answer::hangs());
    chat.says("think hard");
    bot.model.waits_for(|request| !request.is_routing()).await;
    chat.says("and then harder");
    bot.has_heard_all().await;
    chat.says("/stop");
    let one = "⏹ Stopped. One message was still waiting and is dropped: “and then harder”";
    chat.settles(|message| message.text == one).await;
    chat.says("something else");
    chat.settles(|message| message.text == "ok: something else")
        .await;
    assert_eq!(from_bot(&chat), [one, "ok: something else"]);
    assert!(
        bot.model
            .turn_requests()
            .iter()
            .all(|request| !request.mentions("harder"))
    );
    bot.assert_clean();
}

/// Returns what the bot has said.
fn from_bot(chat: &Chat) -> Vec<String> {
    let messages = chat.messages().into_iter();
    messages
        .filter(Message::is_from_bot)
        .map(|message| message.text)
        .collect()
}

async fn row44_a_stop_of_several_waiting_is_one_message_after_a_crash_too(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("AGENT__WHILE_BUSY", "queue")]).await;
    let chat = bot.direct();
    bot.model.answers(Answer::hangs());
    chat.says("think hard");
    bot.model.waits_for(|request| !request.is_routing()).await;
    for words in ["and then harder", "and hardest"] {
        chat.says(words);
    }
    bot.has_heard_all().await;
    chat.says("/stop");
    let one = "⏹ Stopped. 2 messages were still waiting and are dropped.";
    chat.settles(|message| message.text == one).await;
    bot.crash_when_noted().await;
    bot.has_heard_all().await;
    chat.sees(|messages| messages.iter().filter(|it| it.is_from_bot()).count() == 1)
        .await;
    bot.assert_clean();
}

async fn a_member_stops_only_their_own_turn_and_an_owner_any(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Workshop");
    let gate = Gate::new();
    bot.model
        .answers(Answer::text("The shelf stands.").held_by(&gate));
    group.says_as(&bot.ann, "@sayso_bot build the shelf");
    gate.reached_by(1).await;
    group.says_as(&bot.bob, "/stop");
    group
        .hears_with(|message| message.text.contains("Nothing of yours"))
        .await;
    gate.open();
    group
        .settles(|message| message.text.contains("The shelf stands."))
        .await;
    assert_eq!(
        bot.model.turn_requests().len(),
        1,
        "Ann's turn was not disturbed"
    );

    bot.model.answers(Answer::hangs());
    group.says_as(&bot.bob, "@sayso_bot paint it");
    bot.model
        .waits_for(|request| !request.is_routing() && request.mentions("paint it"))
        .await;
    group.says_as(&bot.ann, "/stop");
    group
        .settles(|message| message.text.contains("topped"))
        .await;
    bot.assert_clean();
}

/// Returns how many processes of this name work in a directory. What number they have for themselves
/// says nothing out here.
pub(super) fn running_in(directory: &Path, name: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let works_there = |process: &Path| {
        let called = std::fs::read_to_string(process.join("comm")).unwrap_or_default();
        let there = std::fs::read_link(process.join("cwd"));
        called.trim() == name && there.is_ok_and(|there| there == directory)
    };
    processes
        .filter(|process| works_there(&process.path()))
        .count()
}
