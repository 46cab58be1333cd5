//! Snapshots of the lines that people read of calls.

use sayso_channel::Language;
use sayso_core::transcript::{CallId, ToolCall, ToolOutcome};
use serde_json::{Value, json};

use super::{LineState, folded, report_line, result_line, running_line};

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: CallId("c".to_owned()),
        name: name.to_owned(),
        arguments,
    }
}

fn success(output: &str) -> ToolOutcome {
    ToolOutcome::Success {
        output: output.to_owned(),
    }
}

/// Each call while it runs and when it is done, in one language.
fn page(language: Language) -> String {
    let site = |method| json!({"url": "https://example.org/a", "method": method});
    let calls = [
        call("shell", json!({"command": "mkdir -p photos"})),
        call("git", json!({"action": "log"})),
        call("list_dir", json!({"path": "."})),
        call("file_read", json!({"path": "notes.txt"})),
        call("file_write", json!({"path": "notes.txt", "content": "x"})),
        call("send_file", json!({"path": "a/report.pdf"})),
        call("http_request", site("GET")),
        call("http_request", site("POST")),
        call("web_search", json!({"query": "tea"})),
        call(
            "memory_store",
            json!({"text": "You are allergic to peanuts"}),
        ),
        call("memory_update", json!({"text": "You like tea"})),
        call("memory_forget", json!({"query": "tea"})),
        call("memory_recall", json!({"query": "tea"})),
        call("quick_note", json!({"text": "tea"})),
        call("skill", json!({"name": "writing"})),
        call("tool_search", json!({"query": "mail"})),
        call("read_result", json!({})),
        call("self_info", json!({})),
        call("config", json!({"action": "show"})),
        call("config", json!({"action": "set"})),
        call("routine", json!({"action": "list"})),
        call("routine", json!({"action": "create"})),
        call("github__list_issues", json!({})),
        call("unheard_of", json!({})),
    ];
    let line = |call: &ToolCall| {
        let runs = running_line(call, language).map(|line| line.text);
        let done = result_line(call, &success("remembered (id 7)"), language);
        let done = done.map(|line| line.text).unwrap_or_default();
        format!("{} | {done}", runs.unwrap_or_default())
    };
    calls.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn u13_every_act_reads_as_words_without_ids_or_tool_names() {
    insta::assert_snapshot!(page(Language::English), @r"
    ▸ `mkdir -p photos`… | ✓ `mkdir -p photos` → remembered (id 7)
    ▸ `git log`… | ✓ `git log` → remembered (id 7)
    📂 Looking at your files… | ✓ Looked at your files
    📂 Reading `notes.txt`… | ✓ Read `notes.txt`
    ✏️ Writing `notes.txt`… | ✓ Wrote `notes.txt`
    📎 Sending `report.pdf`… | ✓ Sent `report.pdf`
    🌐 Reading `example.org`… | ✓ Read `example.org`
    🌐 Sending data to `example.org`… | ✓ Sent data to `example.org`
    🔎 Searching the web for “tea”… | ✓ Searched the web for “tea”
    🧠 Remembering something… | ✓ Remembered: You are allergic to peanuts
    🧠 Correcting what I remember… | ✓ Corrected: You like tea
    🧠 Forgetting something… | ✓ Forgot something
    🧠 Looking in my memory… | ✓ Looked in my memory
    ✏️ Writing a note… | ✓ Wrote a note
    📖 Reading up on how to do this… | ✓ Read up on how to do this
    🔎 Looking for a way to do this… | ✓ Looked for a way to do this
    📖 Reading a long result… | ✓ Read a long result
    ⚙️ Looking at my own state… | ✓ Looked at my own state
    ⚙️ Looking at my settings… | ✓ Looked at my settings
    ⚙️ Changing my settings… | ✓ Changed my settings
    ⏰ Looking at your routines… | ✓ Looked at your routines
    ⏰ Changing your routines… | ✓ Changed your routines
    ⚙️ Using `github`… | ✓ Used `github`
    ▸ Working on it… | ✓ Did one more step
    ");
    insta::assert_snapshot!(page(Language::Chinese), @r"
    ▸ `mkdir -p photos`… | ✓ `mkdir -p photos` → remembered (id 7)
    ▸ `git log`… | ✓ `git log` → remembered (id 7)
    📂 查看文件…… | ✓ 查看了文件
    📂 读取 `notes.txt`…… | ✓ 读取了 `notes.txt`
    ✏️ 写入 `notes.txt`…… | ✓ 写入了 `notes.txt`
    📎 发送 `report.pdf`…… | ✓ 发送了 `report.pdf`
    🌐 浏览 `example.org`…… | ✓ 浏览了 `example.org`
    🌐 向 `example.org` 发送数据…… | ✓ 向 `example.org` 发送了数据
    🔎 在网上搜索“tea”…… | ✓ 在网上搜索了“tea”
    🧠 记住一件事…… | ✓ 已记住：You are allergic to peanuts
    🧠 更正一条记忆…… | ✓ 已更正：You like tea
    🧠 忘掉一件事…… | ✓ 忘掉了一件事
    🧠 查找记忆…… | ✓ 查找了记忆
    ✏️ 写笔记…… | ✓ 写了笔记
    📖 查看操作指南…… | ✓ 查看了操作指南
    🔎 查找合适的办法…… | ✓ 查找了合适的办法
    📖 读取较长的结果…… | ✓ 读取了较长的结果
    ⚙️ 查看自身状态…… | ✓ 查看了自身状态
    ⚙️ 查看设置…… | ✓ 查看了设置
    ⚙️ 修改设置…… | ✓ 修改了设置
    ⏰ 查看定时任务…… | ✓ 查看了定时任务
    ⏰ 修改定时任务…… | ✓ 修改了定时任务
    ⚙️ 使用 `github`…… | ✓ 使用了 `github`
    ▸ 处理这件事…… | ✓ 处理了这件事
    ");
}

#[test]
fn u12_a_command_shows_itself_and_what_it_said_and_never_a_bare_mark() {
    let shell = |command: &str| call("shell", json!({ "command": command }));
    let line = |command: &str, outcome: ToolOutcome| {
        result_line(&shell(command), &outcome, Language::English).unwrap()
    };
    let failed = ToolOutcome::Failed {
        error: "exit code 3\nhint: it ran with access `workspace`".to_owned(),
        partial: Some("[stderr]\n*1*\n2\n3".to_owned()),
    };
    let lines = [
        line("true", success("")),
        line("echo hi", success("hi\nyou")),
        line("seq `9`", success(&"9".repeat(200))),
        line("seq 5; exit 3", failed),
        line("ls", ToolOutcome::denied("for the model")),
        line("ls", ToolOutcome::INTERRUPTED),
    ];
    let lines: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    ✓ `true`
    ✓ `echo hi` → hi
    ✓ `seq '9'`
    ✗ Did not work: `seq 5; exit 3`
    \*1\*
    2
    ✗ Not run: `ls`
    ? Cut off: `ls`. I do not know how far it came.
    ");
}

#[test]
fn what_is_for_the_model_alone_has_no_line() {
    let look = call("list_dir", json!({}));
    for outcome in [
        ToolOutcome::repeated("not run: it was kept from running before"),
        ToolOutcome::steered("not started"),
        ToolOutcome::invalid("bad arguments"),
        ToolOutcome::unknown_tool("there is no tool"),
    ] {
        assert_eq!(result_line(&look, &outcome, Language::English), None);
        assert_eq!(report_line(&look, &outcome, Language::English), None);
    }
    let broken = result_line(&look, &ToolOutcome::not_run("why"), Language::Chinese);
    let broken = broken.unwrap();
    assert_eq!(broken.state, LineState::Failed);
    assert_eq!(broken.text, "✗ 没有成功：查看文件");
}

#[test]
fn the_steps_of_a_long_task_fold_into_one_line() {
    let of = |name: &str, arguments: Value| {
        let call = call(name, arguments);
        result_line(&call, &success("x"), Language::English).unwrap()
    };
    let lines = [
        of("list_dir", json!({})),
        of("shell", json!({"command": "a"})),
        of("list_dir", json!({})),
        of("shell", json!({"command": "b"})),
        of("file_write", json!({"path": "c.txt"})),
    ];
    let lines: Vec<_> = lines.iter().collect();
    let shown = [
        folded(&lines, Language::English),
        folded(&lines[1..2], Language::English),
        folded(&lines[1..], Language::Chinese),
    ];
    insta::assert_snapshot!(shown.join("\n"), @r"
    ✓ 5 steps: looked at your files, wrote `c.txt`, ran 2 commands
    ✓ 1 step: ran a command
    ✓ 共 4 步：查看了文件，写入了 `c.txt`，运行了 2 个命令
    ");
}
