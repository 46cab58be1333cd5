//! The trace and its timeline: every step of a turn, and no secret.

use sayso_fakes::{Answer, Message};
use serde_json::Value;

use super::{open, says_and_presses, sayso, trace};
use crate::test_bot::{TestBot, eventually};

/// The events of a trace with what tells them apart.
fn events(lines: &[Value]) -> String {
    let one = |line: &Value| {
        let shown = ["state", "intent", "outcome", "reason", "text"];
        let shown = shown.iter().filter_map(|field| line.get(*field)?.as_str());
        let shown: Vec<&str> = shown.filter(|text| !text.is_empty()).collect();
        format!("{} {}", line["event"].as_str().unwrap(), shown.join(" "))
            .trim_end()
            .to_owned()
    };
    lines.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Puts `_` in place of every number that differs from run to run: times, ids and tokens.
fn without_numbers(text: &str) -> String {
    let mut kept = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' | '.' | ':' if kept.ends_with('_') => {}
            '0'..='9' => kept.push('_'),
            other => kept.push(other),
        }
    }
    kept.lines()
        .map(|line| line.trim_start().to_owned() + "\n")
        .collect()
}

#[tokio::test]
async fn every_step_of_an_approved_call_is_in_the_trace() {
    let mut bot = open().await;
    let chat = bot.direct();
    says_and_presses(&bot, &chat, "run: touch approved", "Approve").await;
    bot.stop().await;
    insta::assert_snapshot!(events(&trace(&bot)), @r"
    user_message run: touch approved
    llm_request
    llm_response
    intent_classified direct
    llm_request
    llm_response
    tool_call_parsed
    confirm_exec asked
    confirm_exec approved
    tool_result success
    tool_result_fed_back success
    llm_request
    llm_response done
    final_text done
    stop_reason replied
    ");
}

#[tokio::test]
async fn a_denial_and_a_refusal_are_in_the_trace() {
    let mut bot = open().await;
    let chat = bot.direct();
    says_and_presses(&bot, &chat, "run: touch denied", "Deny").await;
    chat.says("write: /etc/refused");
    chat.hears_with(|message| message.text == "done").await;
    bot.stop().await;
    let lines = trace(&bot);
    let of_calls: Vec<Value> = lines
        .into_iter()
        .filter(|line| line.get("call").is_some())
        .collect();
    insta::assert_snapshot!(events(&of_calls), @r"
    tool_call_parsed
    confirm_exec asked
    confirm_exec denied
    tool_result_fed_back denied
    tool_call_parsed
    policy_deny_cmd
    tool_result_fed_back denied
    ");
}

#[tokio::test]
async fn requests_and_responses_say_what_they_cost() {
    let mut bot = open().await;
    let chat = bot.direct();
    says_and_presses(&bot, &chat, "run: touch approved", "Approve").await;
    bot.stop().await;
    let lines = trace(&bot);
    let of_phase_2 = |event: &str| -> Vec<&Value> {
        let of_step = |line: &&Value| line["step"].as_u64().is_some_and(|step| step > 0);
        let lines = lines.iter().filter(of_step);
        lines.filter(|line| line["event"] == event).collect()
    };
    for request in of_phase_2("llm_request") {
        assert_eq!(request["model"], "fake-1");
        assert!(request["messages_count"].as_u64().unwrap() > 0, "{request}");
        assert!(
            request["estimated_tokens"].as_u64().unwrap() > 10,
            "{request}"
        );
    }
    let finishes: Vec<&Value> = of_phase_2("llm_response")
        .iter()
        .map(|response| &response["finish"])
        .collect();
    assert_eq!(finishes, ["tool_calls", "stop"]);
    let mut turns: Vec<&Value> = lines.iter().map(|line| &line["trace_id"]).collect();
    turns.dedup();
    assert_eq!(turns.len(), 1, "{turns:?}");
}

#[tokio::test]
async fn a_kill_leaves_no_hole_in_the_trace() {
    let mut bot = open().await;
    let chat = bot.direct();
    for name in ["a", "b"] {
        says_and_presses(&bot, &chat, &format!("run: touch {name}"), "Approve").await;
        bot.crash().await;
    }
    chat.says("hello");
    chat.hears_with(|message| message.text == "ok: hello").await;
    bot.stop().await;
    let written: Vec<String> = trace(&bot)
        .iter()
        .filter(|line| line["event"] == "final_text")
        .map(|line| line["row"].to_string())
        .collect();
    let ended = bot
        .rows("SELECT CAST(rowid AS TEXT) FROM journal WHERE kind = 'ended' ORDER BY rowid")
        .await;
    assert_eq!(written, ended);
}

#[tokio::test]
async fn no_secret_is_in_the_files() {
    let mut bot = open().await;
    let chat = bot.direct();
    says_and_presses(&bot, &chat, "leak", "Deny").await;
    bot.stop().await;
    for file in ["trace.jsonl", "audit.jsonl"] {
        let text = std::fs::read_to_string(bot.data().join(file)).unwrap();
        assert!(!text.contains("sk-canary-of-the-house"), "{file}: {text}");
    }
    let payloads = bot
        .rows("SELECT payload FROM audit_payloads")
        .await
        .join("\n");
    assert!(payloads.contains("[redacted: "), "{payloads}");
    assert!(!payloads.contains("sk-canary-of-the-house"), "{payloads}");
    let ran = sayso(&bot, &["trace", "show", "last"]).await;
    assert!(ran.out.contains("[redacted: "), "{ran:?}");
    assert!(!ran.out.contains("sk-canary-of-the-house"), "{ran:?}");
}

#[tokio::test]
async fn r1_a_turn_that_is_shown_commands_no_terminal() {
    let bot = open().await;
    let chat = bot.direct();
    bot.model.says("one \u{1b}]0;PWN\u{7} two \u{9b}2J three");
    chat.says("hello");
    chat.settles(|message| message.text.contains("three")).await;
    let ran = sayso(&bot, &["trace", "show", "last"]).await;
    assert!(ran.out.contains("PWN"), "{ran:?}");
    for command in ['\u{1b}', '\u{7}', '\u{9b}'] {
        assert!(!ran.out.contains(command), "{ran:?}");
    }
}

#[tokio::test]
async fn a_trace_that_cannot_be_written_holds_no_one_up() {
    let mut bot = TestBot::closed(&[]).await;
    std::fs::create_dir_all(bot.data().join("trace.jsonl")).unwrap();
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    bot.logs("cannot export audit and trace").await;
    assert_eq!(bot.stop().await, Some(0));
}

#[tokio::test]
async fn a_turn_is_shown_while_sayso_runs() {
    let bot = open().await;
    let chat = bot.direct();
    says_and_presses(&bot, &chat, "run: touch approved", "Approve").await;
    let ran = sayso(&bot, &["trace", "show", "last"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    insta::assert_snapshot!(without_numbers(&ran.out), @r#"
    turn _ · Ann on telegram
    _-_-_ _ · _ s · ended

    _ s  heard     run: touch approved
    _ s  route     no skill · _ s · _ tokens in, _ out · fake-_ at fake
    given _ messages, _ tools, about _ tokens
    _ s  model     step _ · _ s · _ tokens in, _ out · fake-_ at fake
    given _ messages, _ tools, about _,_ tokens
    wants shell {"command":"touch approved"}
    _ s  asked     shell
    _ s  approved  shell · by Ann after _ s
    _ s  ran       shell
    _ s  result    shell · success in _ s
    (no output)
    _ s  model     step _ · _ s · _ tokens in, _ out · fake-_ at fake
    given _ messages, _ tools, about _,_ tokens
    done
    _ s  ended     replied

    _ model calls · _ s waiting for them · _ tokens in (_ cached), _ out
    the budget counts _,_ tokens · no price is set, so no money
    "#);
    let too_wide = |line: &&str| line.chars().count() > 80;
    assert_eq!(ran.out.lines().find(too_wide), None);
    let turn = bot
        .rows("SELECT CAST(max(id) AS TEXT) FROM turns")
        .await
        .remove(0);
    let named = sayso(&bot, &["trace", "show", &turn]).await;
    assert_eq!(named.out, ran.out);
}

#[tokio::test]
async fn a_turn_that_waits_is_shown_in_chinese() {
    let mut bot = TestBot::closed(&[("LANGUAGE", "zh-CN")]).await;
    bot.model.when(super::obey);
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    chat.says("run: touch waits");
    chat.hears_with(Message::asks).await;
    let ran = sayso(&bot, &["trace", "show", "last"]).await;
    insta::assert_snapshot!(without_numbers(&ran.out), @r#"
    回合 _ · Ann，来自 telegram
    _-_-_ _ · _ s · 等待答复

    _ s  收到      run: touch waits
    _ s  路由      不需要技能 · _ s · 输入 _、输出 _ 个 token
    fake-_（fake） · 提供了 _ 条消息、_ 个工具，约 _ 个 token
    _ s  模型      第 _ 步 · _ s · 输入 _、输出 _ 个 token
    fake-_（fake）
    提供了 _ 条消息、_ 个工具，约 _,_ 个 token
    想调用 shell {"command":"touch waits"}
    _ s  询问      shell

    模型调用 _ 次 · 等待用时 _ s · 输入 _（缓存 _）、输出 _ 个 token
    预算计入 _,_ 个 token · 未设价格，不计费用
    "#);
}

#[tokio::test]
async fn model_f11_a_trace_says_that_rules_stood_in() {
    let bot = TestBot::with(&[("PROVIDERS__0__TIMEOUT_SECS", "1")]).await;
    let chat = bot.direct();
    bot.model.routes_with(Answer::hangs());
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let ran = sayso(&bot, &["trace", "show", "last"]).await;
    assert!(ran.out.contains("rules stood in"), "{}", ran.out);
}

#[tokio::test]
async fn a_turn_that_does_not_exist_is_said_to() {
    let bot = open().await;
    bot.listens().await;
    let ran = sayso(&bot, &["trace", "show", "last"]).await;
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(1), "there are no turns yet\n")
    );
    let ran = sayso(&bot, &["trace", "show", "17"]).await;
    insta::assert_snapshot!(ran.out, @"there is no turn 17; the log names turns, and `sayso trace show last` shows the newest");
}

#[tokio::test]
async fn long_texts_are_cut_with_a_note() {
    let bot = open().await;
    let chat = bot.direct();
    chat.says(&format!("hello {}", "again ".repeat(200)));
    chat.hears().await;
    let ran = sayso(&bot, &["trace", "show", "last"]).await;
    assert!(ran.out.contains(" more characters]"), "{}", ran.out);
    let begins_apart = |line: &&str| line.starts_with(&" ".repeat(20)) && line.contains("again");
    assert!(
        ran.out.lines().filter(begins_apart).count() > 4,
        "{}",
        ran.out
    );
    assert!(
        ran.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        ran.out
    );
}

#[tokio::test]
async fn the_trace_is_written_soon_after_the_turn() {
    let bot = open().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let path = bot.data().join("trace.jsonl");
    let is_there = || std::fs::read_to_string(&path).is_ok_and(|text| text.contains("stop_reason"));
    eventually("the end of the turn in the trace", is_there).await;
}
