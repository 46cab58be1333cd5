//! The offline model as the agent meets it.

use std::sync::Mutex;

use sayso_core::Language;
use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, ToolCall, ToolOutcome, ToolSpec, note_heading,
};
use serde_json::{Value, json};

use super::Offline;
use crate::{ChatOptions, ChatRequest, Provider as _, Reply};

const CATALOGUE: &str = "- git-workflow: Git\n- code-review: reviews\n";

fn tools(names: &[&str]) -> Vec<ToolSpec> {
    let tool = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        description: String::new(),
        parameters: json!({"type": "object"}).into(),
    };
    names.iter().map(tool).collect()
}

async fn route(said: &str) -> Value {
    let messages = [ConversationMessage::user(said)];
    let request = ChatRequest {
        system: CATALOGUE,
        messages: &messages,
        tools: &[],
        temperature: Some(0.1),
        stream: false,
        attempts: None,
        wanted: None,
        options: ChatOptions::default(),
    };
    let reply = Offline::new("offline")
        .chat_with_tools(request, &|_| {})
        .await
        .unwrap();
    serde_json::from_str(&reply.message.text).unwrap()
}

async fn chat(messages: &[ConversationMessage], names: &[&str]) -> Reply {
    let pieces = Mutex::new(Vec::new());
    let tools = tools(names);
    let request = ChatRequest {
        system: "",
        messages,
        tools: &tools,
        temperature: None,
        stream: true,
        attempts: None,
        wanted: None,
        options: ChatOptions::default(),
    };
    let reply = Offline::new("offline")
        .chat_with_tools(request, &|piece| {
            pieces.lock().unwrap().push(piece.to_owned());
        })
        .await
        .unwrap();
    let pieces = pieces.into_inner().unwrap();
    assert_eq!(pieces.concat(), reply.message.text);
    assert!((2..=4).contains(&pieces.len()), "{pieces:?}");
    reply
}

fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: CallId(id.into()),
        name: name.into(),
        arguments,
    }
}

#[tokio::test]
async fn routing_names_the_listed_skills_that_a_request_calls_for() {
    let direct = json!({"direct": true, "skills": []});
    assert_eq!(
        route("commit my changes").await,
        json!({"direct": false, "skills": ["git-workflow"]})
    );
    assert_eq!(
        route("请审查这个提交").await,
        json!({"direct": false, "skills": ["git-workflow", "code-review"]})
    );
    assert_eq!(route("cargo fails").await, direct, "rust-dev is not listed");
    assert_eq!(route("run ls").await, direct);
}

#[tokio::test]
async fn routing_asks_back_in_the_users_language_with_choices_that_are_requests() {
    for said in [
        "do it",
        "Fix that!",
        "please handle it",
        "弄一下",
        "处理一下",
    ] {
        let asked = route(said).await;
        assert_eq!(asked["direct"], json!(false), "{said}");
        let choices = asked["choices"].as_array().unwrap();
        for choice in choices {
            let intents = super::intents::read(choice.as_str().unwrap());
            assert_eq!(intents.len(), 1, "{choice}");
        }
    }
    assert_eq!(route("do it").await["question"], "What shall I do?");
    assert_eq!(route("弄一下").await["question"], "您想让我做什么？");
}

#[tokio::test]
async fn an_answered_question_is_not_asked_again() {
    let answered = "Request: do it\nQuestion: What shall I do?\nAnswer: run git status";
    assert_eq!(
        route(answered).await,
        json!({"direct": false, "skills": ["git-workflow"]})
    );
    let reply = chat(&[ConversationMessage::user(answered)], &["shell"]).await;
    assert_eq!(
        reply.message.calls,
        [call("offline-1", "shell", json!({"command": "git status"}))]
    );
}

#[tokio::test]
async fn two_requests_are_two_calls_of_one_step() {
    let messages = [ConversationMessage::user("run pwd and run ls")];
    let reply = chat(&messages, &["shell"]).await;
    assert_eq!(
        reply.message.calls,
        [
            call("offline-1", "shell", json!({"command": "pwd"})),
            call("offline-2", "shell", json!({"command": "ls"})),
        ]
    );
    assert_eq!(reply.message.text, "I will run `pwd`.\nI will run `ls`.");
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_not_called() {
    let reply = chat(&[ConversationMessage::user("run ls")], &["list_dir"]).await;
    assert_eq!(reply.message.calls, []);
    assert_eq!(
        reply.message.text,
        "I have no tool `shell` here, so I cannot do that."
    );
}

#[tokio::test]
async fn it_says_what_it_is() {
    let reply = chat(&[ConversationMessage::user("hello")], &[]).await;
    insta::assert_snapshot!(reply.message.text, @r"
    Hello! I am Sayso, running on a small offline model.
    It knows a handful of requests:
    - `run ls`
    - `list files`
    - `read README.md`
    - `write hello to note.txt`
    - `remember that I like tea`, `what do you remember about tea`, `forget tea`
    For a real model run `sayso init`, or set `OPENAI_API_KEY` and start again.
    ");
    let reply = chat(&[ConversationMessage::user("天气怎么样")], &[]).await;
    insta::assert_snapshot!(reply.message.text, @r"
    我正在使用一个小型离线模型，它听不懂这句话。
    它只懂几种请求：
    - `运行 ls`
    - `列出文件`
    - `读 README.md`
    - `把 你好 写到 note.txt`
    - `记住我喜欢茶`、`你记得茶吗`、`忘记茶`
    要用真正的模型，请运行 `sayso init`，或者设置 `OPENAI_API_KEY` 后重新启动。
    ");
}

async fn after(said: &str, outcome: ToolOutcome) -> String {
    let asked = AssistantMessage {
        text: String::new(),
        reasoning_content: None,
        thoughts: vec![],
        calls: vec![call("1", "shell", json!({"command": "ls"}))],
    };
    let messages = [
        ConversationMessage::user(said),
        ConversationMessage::Assistant(asked),
        ConversationMessage::ToolResult {
            call: CallId("1".into()),
            name: "shell".into(),
            outcome,
            outside: None,
        },
    ];
    let reply = chat(&messages, &["shell"]).await;
    assert_eq!(reply.message.calls, [], "it would never come to an end");
    reply.message.text
}

#[tokio::test]
async fn results_are_reported_as_they_are() {
    let lines: Vec<_> = (1..=14).map(|line| line.to_string()).collect();
    let long = ToolOutcome::Success {
        output: lines.join("\n"),
    };
    let report = after("run ls", long).await;
    assert!(report.starts_with("`ls` gave:\n```\n1\n2\n"), "{report}");
    assert!(report.ends_with("\n12\n```\n(2 more lines)"), "{report}");

    let failed = ToolOutcome::Failed {
        error: "exit code 1".into(),
        partial: Some("half".into()),
    };
    assert_eq!(
        after("运行 ls", failed).await,
        "`ls` 失败了：\n```\nexit code 1\nhalf\n```"
    );
    let denied = ToolOutcome::denied("you said no");
    assert_eq!(
        after("run ls", denied).await,
        "`ls` was not run: you said no"
    );
    let empty = ToolOutcome::Success {
        output: String::new(),
    };
    assert_eq!(
        after("run ls", empty).await,
        "`ls` is done. It gave no output."
    );
}

#[tokio::test]
async fn what_was_added_meanwhile_is_done_after_the_report() {
    let asked = AssistantMessage {
        text: String::new(),
        reasoning_content: None,
        thoughts: vec![],
        calls: vec![call("1", "shell", json!({"command": "ls"}))],
    };
    let messages = [
        ConversationMessage::user("run ls"),
        ConversationMessage::Assistant(asked),
        ConversationMessage::ToolResult {
            call: CallId("1".into()),
            name: "shell".into(),
            outcome: ToolOutcome::Success { output: "a".into() },
            outside: None,
        },
        ConversationMessage::user("read a"),
    ];
    let reply = chat(&messages, &["shell", "file_read"]).await;
    assert_eq!(
        reply.message.text,
        "`ls` gave:\n```\na\n```\n\nI will read `a`."
    );
    assert_eq!(
        reply.message.calls,
        [call("offline-2", "file_read", json!({"path": "a"}))]
    );
}

#[tokio::test]
async fn a_question_with_a_routed_skill_is_answered_from_it() {
    let heading = note_heading(Language::English);
    let guides = "[Guides] For this task:\n\n## Skill: git-workflow\n# Git\n\n## Commits\nSay why.\n\n## Skill: code-review\nRead.";
    let messages = [
        ConversationMessage::user(format!("{heading}\n\n{guides}\n\nTime: now")),
        ConversationMessage::user("how do I write a good git commit?"),
    ];
    let request = ChatRequest {
        system: "I am Sayso.",
        messages: &messages,
        tools: &[],
        temperature: None,
        stream: false,
        attempts: None,
        wanted: None,
        options: ChatOptions::default(),
    };
    let reply = Offline::new("offline")
        .chat_with_tools(request, &|_| {})
        .await
        .unwrap();
    insta::assert_snapshot!(reply.message.text, @r"
    The guide `git-workflow` fits this, and is in my prompt for this turn. A real model would follow it; this offline one can only quote how it begins:
    ```
    # Git

    ## Commits
    Say why.
    ```
    ");
}
