//! The `git` tool: what it tells, what it asks, and what a hostile repository gets.

use std::path::Path;
use std::process::Command;

use sayso_fakes::Message;
use serde_json::{Value, json};

use crate::test_bot::TestBot;

/// Runs the real git as somebody who works in the workspace by hand.
fn git(directory: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(directory)
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
        .args(words)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
        .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Starts a bot whose workspace is a repository with one commit.
async fn bot_with_repository(settings: &[(&str, &str)]) -> TestBot {
    let bot = TestBot::with(settings).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let workspace = bot.workspace();
    git(&workspace, &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(workspace.join("song.txt"), "one\n").unwrap();
    git(&workspace, &["add", "song.txt"]);
    git(&workspace, &["commit", "--quiet", "--message=First"]);
    bot
}

/// Has the model call, and returns the result as the model sees it. Presses Approve if asked.
async fn told(bot: &TestBot, arguments: Value) -> String {
    let chat = bot.direct();
    bot.model.calls(vec![("git", arguments)]);
    let seen = format!("Seen after {}.", bot.model.requests().len());
    bot.model.says(&seen);
    chat.says("go on");
    let next = chat
        .settles(|message| message.text == seen || message.asks())
        .await;
    if next.asks() {
        chat.press(&bot.ann, next.id, "Approve").await;
        chat.settles(|message| message.text == seen).await;
    }
    let result = bot.model.requests().pop().unwrap().last_tool_result();
    result
        .lines()
        .filter(|line| !line.starts_with("[outside") && !line.starts_with("[/outside"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[tokio::test]
async fn looking_asks_no_one() {
    let bot = bot_with_repository(&[]).await;
    let workspace = bot.workspace();
    std::fs::write(workspace.join("song.txt"), "one\ntwo\n").unwrap();
    std::fs::write(workspace.join("new.txt"), "").unwrap();
    insta::assert_snapshot!(told(&bot, json!({"action": "status"})).await, @r"
    ## main
     M song.txt
    ?? new.txt
    ");
    insta::assert_snapshot!(told(&bot, json!({"action": "diff"})).await, @r"
    diff --git a/song.txt b/song.txt
    index 5626abf..814f4a4 100644
    --- a/song.txt
    +++ b/song.txt
    @@ -1 +1,2 @@
     one
    +two
    ");
    insta::assert_snapshot!(told(&bot, json!({"action": "branch"})).await.split(' ').take(2).collect::<Vec<_>>().join(" "), @"* main");
    let log = told(&bot, json!({"action": "log"})).await;
    assert!(log.contains("Ann: First"), "{log}");
    let shown = told(&bot, json!({"action": "show", "paths": ["song.txt"]})).await;
    assert!(shown.contains("+one"), "{shown}");
    let cards = bot.direct().messages();
    assert!(cards.iter().all(|message| !message.asks()));
    bot.assert_clean();
}

#[tokio::test]
async fn a_change_is_asked_about_and_made() {
    let bot = bot_with_repository(&[]).await;
    let chat = bot.direct();
    let workspace = bot.workspace();
    std::fs::write(workspace.join("song.txt"), "one\ntwo\n").unwrap();
    bot.model.calls(vec![(
        "git",
        json!({"action": "add", "paths": ["song.txt"]}),
    )]);
    bot.model.says("Added.");
    chat.says("add it");
    let card = chat.hears_with(Message::asks).await;
    insta::assert_snapshot!(card.text, @r"
    May I write this?

    git add -- song.txt

    • changes a file in your folder
    Expires in 30 min
    ");
    assert_eq!(git(&workspace, &["diff", "--cached", "--name-only"]), "");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Added.").await;
    let committed = told(&bot, json!({"action": "commit", "message": "It's \"two\""})).await;
    assert!(committed.contains("1 file changed"), "{committed}");
    let switched = json!({"action": "switch", "name": "topic", "create": true});
    told(&bot, switched).await;
    let log = git(&workspace, &["log", "--format=%an: %s", "topic"]);
    insta::assert_snapshot!(log, @r#"
    Sayso: It's "two"
    Ann: First
    "#);
    std::fs::write(workspace.join("song.txt"), "lost\n").unwrap();
    told(&bot, json!({"action": "restore", "paths": ["song.txt"]})).await;
    assert_eq!(
        std::fs::read_to_string(workspace.join("song.txt")).unwrap(),
        "one\ntwo\n"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn a_file_that_keeps_secrets_is_asked_about_as_it_once_was() {
    let bot = bot_with_repository(&[]).await;
    let chat = bot.direct();
    let call = json!({"action": "log", "paths": [".env"]});
    bot.model.calls(vec![("git", call)]);
    bot.model.says("Not read.");
    chat.says("what was in it?");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.settles(|message| message.text == "Not read.").await;
    bot.assert_clean();
}

#[tokio::test]
async fn what_a_file_that_keeps_secrets_holds_is_not_told_by_the_way() {
    let bot = bot_with_repository(&[]).await;
    let workspace = bot.workspace();
    std::fs::write(workspace.join(".env"), "KEY=tulip\n").unwrap();
    git(&workspace, &["add", ".env"]);
    git(&workspace, &["commit", "--quiet", "--message=Second"]);
    std::fs::write(workspace.join(".env"), "KEY=daisy\n").unwrap();
    let blob = git(&workspace, &["rev-parse", "HEAD:.env"]);
    for call in [
        json!({"action": "show"}),
        json!({"action": "diff", "paths": ["."]}),
        json!({"action": "show", "rev": blob.trim()}),
    ] {
        let told = told(&bot, call).await;
        assert!(told.starts_with("[failed]"), "{told}");
        assert!(!told.contains("tulip") && !told.contains("daisy"), "{told}");
    }
    let shown = told(&bot, json!({"action": "show", "rev": "HEAD~1"})).await;
    assert!(shown.contains("+one"), "{shown}");
    bot.assert_clean();
}

#[tokio::test]
async fn what_could_lead_out_or_not_be_overridden_is_refused() {
    let bot = bot_with_repository(&[]).await;
    let workspace = bot.workspace();
    for path in ["../../sayso.db", "/etc/hostname", "a/../../b"] {
        let told = told(
            &bot,
            json!({"action": "diff", "paths": [path, "/dev/null"]}),
        )
        .await;
        assert!(told.contains("a path below the directory"), "{told}");
    }
    let config = workspace.join(".git/config");
    let as_it_was = std::fs::read(&config).unwrap();
    for (more, said) in [
        (
            &b"[filter \"\xff\"]\n\tclean = touch mark; cat\n"[..],
            "no text",
        ),
        (
            b"[hook \"evil\"]\n\tcommand = touch mark\n\tevent = post-commit\n",
            "hook.evil",
        ),
    ] {
        std::fs::write(&config, [&as_it_was, more].concat()).unwrap();
        std::fs::write(workspace.join(".gitattributes"), b"* filter=\xff\n").unwrap();
        let told = told(&bot, json!({"action": "status"})).await;
        assert!(
            told.starts_with("[failed]") && told.contains(said),
            "{told}"
        );
        assert!(!workspace.join("mark").exists());
    }
    bot.assert_clean();
}

/// The settings by which a repository can name programs, and what its files can ask for.
fn make_hostile(repository: &Path, marks: &Path) {
    let script = |name: &str| {
        let path = marks.join(name);
        format!("touch {}; cat", path.display())
    };
    let settings = [
        ("core.fsmonitor", script("fsmonitor")),
        ("core.pager", script("pager")),
        ("core.editor", script("editor")),
        ("core.sshCommand", script("ssh")),
        ("core.alternateRefsCommand", script("refs")),
        ("diff.external", script("external")),
        ("diff.evil.command", script("diff-command")),
        ("diff.evil.textconv", script("textconv")),
        ("interactive.diffFilter", script("diff-filter")),
        ("gpg.program", script("gpg")),
        ("log.showSignature", "true".to_owned()),
        ("commit.gpgSign", "true".to_owned()),
        ("credential.helper", format!("!{}", script("credential"))),
        ("alias.status", format!("!{}", script("alias"))),
        ("pager.log", script("pager-log")),
    ];
    for (name, value) in settings {
        git(repository, &["config", name, &value]);
    }
    let attributes = "* diff=evil\n";
    std::fs::write(repository.join(".git/info/attributes"), attributes).unwrap();
    let hooks = [
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "post-commit",
        "post-checkout",
        "post-index-change",
        "reference-transaction",
    ];
    for hook in hooks {
        put_hook(&repository.join(".git/hooks").join(hook), &marks.join(hook));
    }
}

fn put_hook(hook: &Path, mark: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let script = format!("#!/bin/sh\ntouch {}\n", mark.display());
    std::fs::write(hook, script).unwrap();
    std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn marks_in(marks: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(marks).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_hostile_repository_runs_nothing() {
    // Without the sandbox, so that nothing but the tool itself holds it back.
    let bot = bot_with_repository(&[("POLICY__SANDBOX", "off")]).await;
    let (workspace, marks) = (bot.workspace(), bot.path("marks"));
    std::fs::create_dir_all(&marks).unwrap();
    git(&workspace, &["init", "--quiet", "inner"]);
    git(
        &workspace.join("inner"),
        &["commit", "--quiet", "--allow-empty", "--message=In"],
    );
    git(
        &workspace,
        &["-c", "advice.addEmbeddedRepo=false", "add", "inner"],
    );
    git(&workspace, &["commit", "--quiet", "--message=Second"]);
    std::fs::write(workspace.join("inner/dirty.txt"), "x").unwrap();
    make_hostile(&workspace, &marks);
    make_hostile(&workspace.join("inner"), &marks);
    std::fs::write(workspace.join("song.txt"), "one\ntwo\n").unwrap();
    let calls = [
        json!({"action": "status"}),
        json!({"action": "diff"}),
        json!({"action": "log"}),
        json!({"action": "show"}),
        json!({"action": "branch"}),
        json!({"action": "add", "paths": ["song.txt"]}),
        json!({"action": "add", "all": true}),
        json!({"action": "commit", "message": "Third"}),
        json!({"action": "switch", "name": "topic", "create": true}),
        json!({"action": "switch", "name": "main"}),
        json!({"action": "restore", "paths": ["song.txt"]}),
        json!({"action": "branch", "name": "topic", "delete": true}),
    ];
    for call in calls {
        let result = told(&bot, call.clone()).await;
        let failed = result.starts_with("[failed]") || result.starts_with("[error]");
        assert!(!failed, "{call}: {result}");
        assert_eq!(marks_in(&marks), Vec::<String>::new(), "{call}: {result}");
    }
    assert!(
        git_by_hand_runs_something(&workspace, &marks),
        "the repository is hostile"
    );
    bot.assert_clean();
}

/// What git does in this repository when nothing holds it back.
fn git_by_hand_runs_something(repository: &Path, marks: &Path) -> bool {
    let by_hand = Command::new("git")
        .current_dir(repository)
        .arg("diff")
        .output();
    by_hand.unwrap();
    !marks_in(marks).is_empty()
}

#[tokio::test]
async fn files_that_want_a_filter_are_left_to_who_is_asked() {
    let bot = bot_with_repository(&[("POLICY__SANDBOX", "off")]).await;
    let (workspace, mark) = (bot.workspace(), bot.path("mark"));
    let touch = format!("touch {}; cat", mark.display());
    git(&workspace, &["config", "filter.big=files.clean", &touch]);
    git(&workspace, &["config", "filter.big=files.required", "true"]);
    std::fs::write(workspace.join(".gitattributes"), "*.txt filter=big=files\n").unwrap();
    std::fs::write(workspace.join("song.txt"), "one\ntwo\n").unwrap();
    let status = told(&bot, json!({"action": "status"})).await;
    assert!(status.contains("song.txt"), "{status}");
    insta::assert_snapshot!(told(&bot, json!({"action": "add", "all": true})).await, @"[failed] its configuration has a program for its files (filter.big=files.clean), and this tool runs none. Use `shell`, where a person is asked");
    assert!(!mark.exists());
    bot.assert_clean();
}

#[tokio::test]
async fn no_repository_outside_the_workspace_is_looked_at() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    git(&bot.data(), &["init", "--quiet"]);
    let status = told(&bot, json!({"action": "status"})).await;
    assert!(status.contains("not a git repository"), "{status}");
    let outside = told(&bot, json!({"action": "status", "repo": "../.."})).await;
    assert!(outside.starts_with("[failed] not run"), "{outside}");
    bot.assert_clean();
}
