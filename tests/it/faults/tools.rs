//! Tools that hang: a command that ignores every signal, what only looks like a file, an MCP server
//! that never answers. The call ends, what it started is gone, and the turn goes on.

use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use sayso_fakes::Answer;
use serde_json::{Value, json};

use crate::mcp::{Configured, bot_with};
use crate::platform::{Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    a_command_that_ignores_sigterm_is_killed_with_all_that_it_started,
    others_are_answered_while_a_command_hangs
);

/// What a command does that wants to live for ever: it ignores the signal to end, and so does what
/// it starts, in its group, in a session of its own, and with its parent gone.
const STUBBORN: &str = "trap '' TERM INT HUP; setsid sleep 61 & (sleep 62 & sleep 63 &) ; sleep 64";

async fn a_command_that_ignores_sigterm_is_killed_with_all_that_it_started(platform: Platform) {
    let settings = [
        ("POLICY__CONFIRM_EXEC", "false"),
        ("TOOLS__SHELL_TIMEOUT_SECS", "2"),
    ];
    let bot = TestBot::on_with(platform, &settings).await;
    bot.model
        .calls(vec![("shell", json!({ "command": STUBBORN }))]);
    bot.model.says("It hung.");
    let chat = bot.direct();
    chat.says("take a nap");
    chat.settles(|message| message.text == "It hung.").await;
    let told = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(told.contains("2 s"), "{told}");
    eventually("their end", || sleeping_in(&bot.workspace()) == 0).await;
    bot.assert_clean();
}

async fn others_are_answered_while_a_command_hangs(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let hang = Answer::calls(vec![("shell", json!({ "command": STUBBORN }))]);
    bot.model.when(move |request| {
        let is_nap = !request.is_routing() && request.last_user() == "take a nap";
        (is_nap && request.tool_results().is_empty()).then(|| hang.clone())
    });
    let chat = bot.direct();
    chat.says("take a nap");
    let workspaces = bot.data().join("workspaces");
    eventually("the command", || sleeping_below(&workspaces) == 4).await;
    let bobs = bot.direct_with(&bot.bob);
    for number in 1..=3 {
        bobs.says(&format!("hello {number}"));
        bobs.settles(|message| message.text == format!("ok: hello {number}"))
            .await;
    }
    chat.says("/stop");
    chat.settles(|message| message.text.contains("topped"))
        .await;
    eventually("their end", || sleeping_below(&workspaces) == 0).await;
    bot.assert_clean();
}

/// A named pipe without a writer is no regular file: opening it would block forever.
#[tokio::test]
async fn a_pipe_in_the_workspace_hangs_no_tool() {
    let bot = TestBot::with(&[
        ("AGENT__AUTONOMY", "full"),
        ("POLICY__CONFIRM_WRITE", "false"),
    ])
    .await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    std::fs::create_dir_all(bot.workspace()).unwrap();
    mkfifo(&bot.workspace().join("pipe.pdf"), Mode::S_IRWXU).unwrap();
    let calls: [(&str, Value); 5] = [
        ("file_read", json!({ "path": "pipe.pdf" })),
        ("file_write", json!({ "path": "pipe.pdf", "content": "x" })),
        ("read_document", json!({ "path": "pipe.pdf" })),
        ("send_file", json!({ "path": "pipe.pdf" })),
        ("list_dir", json!({ "path": "." })),
    ];
    for (number, (tool, arguments)) in calls.into_iter().enumerate() {
        bot.model.calls(vec![(tool, arguments)]);
        let done = format!("Done {number}.");
        bot.model.says(&done);
        chat.says(&format!("use {tool}"));
        chat.settles(|message| message.text == done).await;
    }
    bot.assert_clean();
}

#[tokio::test]
async fn an_mcp_server_that_never_answers_hangs_neither_its_turn_nor_others() {
    let server = Configured::hostile("silent", "x")
        .with("ALLOW", "*")
        .with("CALL_TIMEOUT_SECS", "2");
    let bot = bot_with(&[server], &[]).await;
    let look = Answer::calls(vec![("hostile__look", json!({}))]);
    bot.model.when(move |request| {
        let looks = !request.is_routing() && request.last_user() == "look";
        (looks && request.tool_results().is_empty()).then(|| look.clone())
    });
    let chat = bot.direct();
    chat.says("look");
    let bobs = bot.direct_with(&bot.bob);
    bobs.says("hello");
    bobs.settles(|message| message.text == "ok: hello").await;
    chat.settles(|message| message.text == "ok: look").await;
    let told = bot
        .model
        .waits_for(|request| !request.tool_results().is_empty())
        .await
        .last_tool_result();
    assert!(told.contains("did not answer within 2 s"), "{told}");
    bot.assert_clean();
}

/// Returns how many processes named `sleep` work in a directory.
fn sleeping_in(directory: &Path) -> usize {
    sleeping(|place| place == directory)
}

/// Returns how many processes named `sleep` work in a directory or below it.
fn sleeping_below(directory: &Path) -> usize {
    sleeping(|place| place.starts_with(directory))
}

fn sleeping(there: impl Fn(&Path) -> bool) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let sleeps_there = |process: &Path| {
        let called = std::fs::read_to_string(process.join("comm")).unwrap_or_default();
        let place = std::fs::read_link(process.join("cwd"));
        called.trim() == "sleep" && place.is_ok_and(|place| there(&place))
    };
    processes
        .filter(|process| sleeps_there(&process.path()))
        .count()
}
