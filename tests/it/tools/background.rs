//! What a command leaves running, and commands that are kept running: named, shown, stopped, and
//! never left behind.

use std::fs;

use sayso_fakes::Message;
use serde_json::{Value, json};

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    chat_f13_what_a_command_leaves_running_is_named,
    chat_f13_a_command_is_kept_running_seen_and_stopped,
    chat_f13_a_command_that_only_reads_is_kept_running_unasked,
    chat_f13_what_fails_is_told_to_the_person_and_at_the_next_look,
    chat_f13_a_kill_ends_it_and_says_so,
    chat_f13_a_shutdown_ends_it_and_says_so,
    chat_f13_only_so_many_are_kept_running,
    chat_f13_an_erasure_ends_it,
    chat_f18_what_a_kept_command_writes_is_told_as_text
);

/// Returns whether a process with this in its command line runs on this machine.
fn runs(words: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    lines.any(|line| {
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.trim_end() == words
    })
}

/// A command line that no other test runs.
fn sleeping(platform: Platform, number: u32) -> String {
    let offset = match platform.name() {
        "telegram" => 10_000,
        _ => 20_000,
    };
    format!("sleep {}", offset + number)
}

fn kept(command: &str) -> Value {
    json!({"command": command, "background": true})
}

/// Has the model call a tool, says yes where it asks, and returns the card and what the model was
/// told.
async fn told(bot: &TestBot, chat: &Chat, tool: &str, arguments: Value) -> (String, String) {
    bot.model.calls(vec![(tool, arguments)]);
    let done = format!("Done after {}.", bot.model.requests().len());
    bot.model.says(&done);
    chat.says("do it");
    let is_over = |message: &Message| message.text.ends_with(&done);
    let next = chat
        .settles(|message| is_over(message) || message.button("Approve").is_some())
        .await;
    let mut card = String::new();
    if next.button("Approve").is_some() {
        card = format!("{}\n{:?}", next.text, next.labels());
        chat.press(&bot.ann, next.id, "Approve").await;
        chat.settles(is_over).await;
    }
    (card, bot.model.requests().pop().unwrap().last_tool_result())
}

/// Keeps a command running, and returns the id that the model is given.
async fn keeps(bot: &TestBot, chat: &Chat, command: &str) -> String {
    let (_, told) = told(bot, chat, "shell", kept(command)).await;
    let (_, behind) = told
        .split_once("it runs in the background as `")
        .unwrap_or_else(|| panic!("it does not run: {told}"));
    behind.split('`').next().unwrap().to_owned()
}

async fn looks(bot: &TestBot, chat: &Chat, id: &str) -> String {
    told(bot, chat, "read_result", json!({ "id": id })).await.1
}

async fn chat_f13_what_a_command_leaves_running_is_named(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let sleep = sleeping(platform, 1);
    // `nohup` has become the other program by the time that the rest ends.
    let command = format!("nohup {sleep} >/dev/null 2>&1 & sleep 1; echo started");
    let (card, told) = told(&bot, &chat, "shell", json!({ "command": command })).await;
    assert!(
        card.contains("in the background, and is ended when the rest has ended"),
        "{card}"
    );
    assert!(
        told.contains(&format!(
            "started\n[ended what it left running: `{sleep}`. Nothing of it runs any more; to keep a \
             command running, call with `background`]"
        )),
        "{told}"
    );
    assert!(!runs(&sleep));
    bot.assert_clean();
}

async fn chat_f13_a_command_is_kept_running_seen_and_stopped(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let sleep = sleeping(platform, 2);
    // Two streams have an order only where time passes between them.
    let command = format!("mkdir -p served; echo it is up; sleep 1; echo oh no >&2; {sleep}; true");
    let (card, first) = told(&bot, &chat, "shell", kept(&command)).await;
    assert!(card.contains("keeps running in the background"), "{card}");
    assert!(!card.contains("Always this exact command"), "{card}");
    assert!(first.contains("it runs in the background as `"), "{first}");
    // How much of its output the call returns depends on the machine; the next look has all of it.
    eventually("it outlives its call", || runs(&sleep)).await;
    let id = first.split('`').nth(1).unwrap().to_owned();
    chat.says("/status details");
    let status = chat
        .settles(|message| message.text.contains("In the background"))
        .await;
    assert!(status.text.contains(&sleep), "{status}");
    let offered = bot.model.turn_requests().pop().unwrap().tools();
    assert!(offered.contains(&"read_result".to_owned()), "{offered:?}");
    let seen = looks(&bot, &chat, &id).await;
    assert!(seen.contains("it still runs]"), "{seen}");
    assert!(seen.contains("it is up\noh no"), "{seen}");
    // It is asked about anew, whatever was allowed before.
    bot.model.calls(vec![("shell", kept(&command))]);
    bot.model.says("You said no.");
    chat.says("again");
    let again = chat
        .settles(|message| message.button("Deny").is_some())
        .await;
    chat.press(&bot.ann, again.id, "Deny").await;
    chat.settles(|message| message.text == "You said no.").await;
    chat.says("/stop");
    chat.settles(|message| {
        message
            .text
            .contains("Stopped one command in the background")
    })
    .await;
    eventually("it is stopped", || !runs(&sleep)).await;
    bot.has_noted(
        "SELECT 'ended' WHERE NOT EXISTS (SELECT 1 FROM processes WHERE ended_ms IS NULL)",
    )
    .await;
    let seen = looks(&bot, &chat, &id).await;
    assert!(seen.contains("it was stopped by a person]"), "{seen}");
    assert!(seen.contains("it is up"), "{seen}");
    bot.assert_clean();
}

async fn chat_f13_a_command_that_only_reads_is_kept_running_unasked(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.sends_document("log.txt", "one line\n", "keep it");
    chat.hears().await;
    let command = "tail -n 3 -f inbox/log.txt";
    let (card, first) = told(&bot, &chat, "shell", kept(command)).await;
    assert_eq!(card, "", "it asks");
    let (_, behind) = first.split_once("it runs in the background as `").unwrap();
    let id = behind.split('`').next().unwrap();
    let seen = looks(&bot, &chat, id).await;
    assert!(seen.contains("one line"), "{seen}");
    chat.says("/stop");
    chat.settles(|message| {
        message
            .text
            .contains("Stopped one command in the background")
    })
    .await;
    bot.assert_clean();
}

async fn chat_f13_what_fails_is_told_to_the_person_and_at_the_next_look(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let (_, at_once) = told(&bot, &chat, "shell", kept("echo no port >&2; exit 7")).await;
    assert!(
        at_once.contains("it does not run: it ended by itself, exit code 7"),
        "{at_once}"
    );
    assert!(at_once.contains("no port"), "{at_once}");
    chat.settles(|message| {
        message
            .text
            .contains("It ended by itself with exit code 7.")
    })
    .await;
    let id = keeps(&bot, &chat, "sleep 3; echo the disk is full; exit 9").await;
    let word = chat
        .settles(|message| message.text.contains("exit code 9"))
        .await;
    assert!(
        word.text
            .contains("What ran in the background has ended: `sleep 3;")
            || word.text.contains("has ended: sleep 3;"),
        "{word}"
    );
    // The next turn has the outcome in its prompt before it calls a tool.
    chat.says("how is it?");
    chat.settles(|message| message.text.contains("how is it?"))
        .await;
    let asked = bot.model.turn_requests().pop().unwrap();
    assert!(
        asked.mentions(&format!("what ran in the background has ended: `{id}`")),
        "{}",
        asked.last_user()
    );
    let seen = looks(&bot, &chat, &id).await;
    assert!(seen.contains("it ended by itself, exit code 9]"), "{seen}");
    assert!(seen.contains("the disk is full"), "{seen}");
    bot.assert_clean();
}

async fn chat_f13_a_kill_ends_it_and_says_so(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let sleep = sleeping(platform, 3);
    let id = keeps(&bot, &chat, &format!("{sleep}; true")).await;
    assert!(runs(&sleep));
    bot.kill().await;
    eventually("it ends with the program", || !runs(&sleep)).await;
    bot.start();
    let word = chat
        .settles(|message| message.text.contains("It ended when I was restarted."))
        .await;
    assert!(word.text.contains(&sleep), "{word}");
    let seen = looks(&bot, &chat, &id).await;
    assert!(
        seen.contains("it ended when the program restarted]"),
        "{seen}"
    );
    chat.says("/status details");
    let status = chat
        .settles(|message| message.text.contains("Channels"))
        .await;
    assert!(!status.text.contains("In the background"), "{status}");
    bot.assert_clean();
}

async fn chat_f13_a_shutdown_ends_it_and_says_so(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let sleep = sleeping(platform, 4);
    keeps(&bot, &chat, &format!("trap '' TERM; {sleep}; true")).await;
    bot.stop().await;
    assert!(!runs(&sleep), "it outlives the program");
    bot.start();
    chat.settles(|message| message.text.contains("It ended when I was restarted."))
        .await;
    bot.assert_clean();
}

async fn chat_f13_only_so_many_are_kept_running(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let sleeps = [5, 6, 7, 8].map(|number| sleeping(platform, number));
    for sleep in &sleeps[..3] {
        keeps(&bot, &chat, &format!("{sleep}; true")).await;
    }
    let (_, refused) = told(&bot, &chat, "shell", kept(&format!("{}; true", sleeps[3]))).await;
    assert!(
        refused.contains("3 processes run in the background of this person"),
        "{refused}"
    );
    assert!(!runs(&sleeps[3]));
    let too_long = json!({"command": "true", "background": true, "timeout_secs": 3601});
    let (_, refused) = told(&bot, &chat, "shell", too_long).await;
    assert!(
        refused.contains("3601 is not allowed, 1 to 3600 is"),
        "{refused}"
    );
    chat.says("/stop");
    chat.settles(|message| {
        message
            .text
            .contains("Stopped 3 commands in the background")
    })
    .await;
    eventually("all are stopped", || {
        sleeps.iter().all(|sleep| !runs(sleep))
    })
    .await;
    bot.assert_clean();
}

async fn chat_f13_an_erasure_ends_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let sleep = sleeping(platform, 9);
    keeps(&bot, &chat, &format!("{sleep}; true")).await;
    chat.says("/forget everything");
    let card = chat
        .settles(|message| message.button("Erase everything").is_some())
        .await;
    chat.press(&bot.ann, card.id, "Erase everything").await;
    eventually("it is stopped", || !runs(&sleep)).await;
    bot.has_noted("SELECT 'erased' WHERE NOT EXISTS (SELECT 1 FROM processes)")
        .await;
    bot.assert_clean();
}

async fn chat_f18_what_a_kept_command_writes_is_told_as_text(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let writes = "printf '\\033[32mport\\033[0m 80\\n 1%%\\r 2%%'";
    let command = format!("{writes}; {}", sleeping(platform, 90));
    let id = keeps(&bot, &chat, &command).await;
    let mut seen = looks(&bot, &chat, &id).await;
    // What it writes comes when it comes.
    for _ in 0..50 {
        if seen.contains("2%") {
            break;
        }
        seen = looks(&bot, &chat, &id).await;
    }
    assert!(seen.contains("port 80\n 2%"), "{seen:?}");
    assert!(!seen.contains('\u{1b}') && !seen.contains("1%"), "{seen:?}");
    chat.says("/stop");
    let sleep = sleeping(platform, 90);
    eventually("it is stopped", || !runs(&sleep)).await;
}
