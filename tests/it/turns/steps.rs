//! Steps of a turn: their limit, and tools that fail.

use sayso_fakes::Answer;
use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    at_the_step_limit_the_user_sees_what_was_done_and_what_is_left,
    a_tool_that_fails_is_a_result_and_not_the_end,
    chat_f18_what_a_command_writes_for_a_terminal_is_told_as_text
);

async fn at_the_step_limit_the_user_sees_what_was_done_and_what_is_left(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__MAX_STEPS", "2")]).await;
    let chat = bot.direct();
    let look = || Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(look());
    bot.model.answers(look());
    bot.model.says("Two folders were read; the third is left.");
    chat.says("read three folders");
    chat.settles(|message| message.text.contains("is left"))
        .await;
    let last = bot.model.turn_requests().pop().unwrap();
    assert!(last.tools().is_empty(), "no further tool is offered");
    assert!(
        last.last_user().contains("limit of 2 steps"),
        "{}",
        last.last_user()
    );

    bot.model.answers(look());
    bot.model
        .calls(vec![("file_read", json!({"path": "missing.txt"}))]);
    bot.model.answers(Answer::error(400, "{}"));
    chat.says("go on");
    chat.settles(|message| message.text.contains("Done before"))
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: read three folders
    Sayso: I stopped here: this turn reached its limit of 2 steps.

      Two folders were read; the third is left.

      Say go on to continue.
    Ann: go on
    Sayso: I stopped here: this turn reached its limit of 2 steps.

      Done before: looked at your files · tried: reading missing.txt

      Say go on to continue.
    ");
    assert_eq!(bot.model.turn_requests().len(), 6);
    bot.assert_clean();
}

async fn a_tool_that_fails_is_a_result_and_not_the_end(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    let calls = Answer::calls(vec![
        ("shell", json!({"command": "true"})),
        (
            "shell",
            json!({"command": "echo half; echo broken >&2; exit 3"}),
        ),
        ("file_read", json!({"path": "missing.txt"})),
        ("file_read", json!({"path": "/etc/hostname"})),
        ("teleport", json!({})),
        ("shell", json!({"cmd": "ls"})),
    ]);
    bot.model.answers(calls);
    bot.model
        .answers(Answer::calls_raw("shell", "{\"command\": "));
    bot.model.says("Most of it failed.");
    chat.says("do it all");
    chat.settles(|message| message.text == "Most of it failed.")
        .await;
    let seen = bot.model.turn_requests().pop().unwrap().tool_results();
    let seen: Vec<String> = seen.into_iter().map(|(_, result)| result).collect();
    insta::assert_snapshot!(seen.join("\n---\n"), @r#"
    (no output)
    ---
    [failed] exit code 3
    [partial output]
    [outside b8d4ff6e: shell {"command":"echo half; echo broken >&2; exit 3"}]
    half
    [stderr]
    broken

    [/outside b8d4ff6e]
    ---
    [failed] missing.txt: it does not exist
    ---
    [failed] not run: `/etc/hostname` is outside the workspace, and tools are confined to it
    ---
    [error] E_TOOL: there is no tool `teleport`; the tools are shell, file_read, file_write, list_dir, http_request, memory_store, memory_update, memory_recall, memory_forget, skill, ask_user, plan, git, quick_note, save_to_vault, crawl_url, send_file, config, remind, report, routine, read_result, read_document, self_info, tool_search
    ---
    [error] E_INVALID_ARGS: bad arguments for `shell`: `cmd`: unknown field `cmd`, expected one of `command`, `timeout_secs`, `background`, `access`, `secrets`
    expected: {"command": string, "timeout_secs"?: integer, "background"?: boolean, "access"?: "workspace" | "network" | "system"}
    ---
    [error] E_INVALID_ARGS: bad arguments for `shell`: not a JSON object: {"command": 
    expected: {"command": string, "timeout_secs"?: integer, "background"?: boolean, "access"?: "workspace" | "network" | "system"}
    "#);
    bot.assert_clean();
}

async fn chat_f18_what_a_command_writes_for_a_terminal_is_told_as_text(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    for (number, (command, expected)) in [
        (
            r#"printf "\033[31mred\033[0m \033]0;title\007 ok\n""#,
            "red  ok\n",
        ),
        (
            r#"for i in $(seq 1 400); do printf "\rDownloading %d%%" $i; done; echo; echo finished"#,
            "Downloading 400%\nfinished\n",
        ),
        (
            r#"printf "a\000b\n"; printf "N\010NA\010A _\010x\n"; printf "c\r\n""#,
            "ab\nNA x\nc\n",
        ),
        // A hundred times the bound is redrawn, and what is left fits.
        (
            r#"for i in $(seq 1 80000); do printf "\r\033[KDownloading %d of many parts" $i; done"#,
            "Downloading 80000 of many parts",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        bot.model.calls(vec![("shell", json!({"command": command}))]);
        let done = format!("Done {number}.");
        bot.model.says(&done);
        chat.says("/new");
        chat.says("run it");
        chat.settles(|message| message.text == done).await;
        let told = bot.model.turn_requests().pop().unwrap().last_tool_result();
        assert_eq!(told.trim_start_matches('\n'), expected, "{command}");
    }
    bot.assert_clean();
}
