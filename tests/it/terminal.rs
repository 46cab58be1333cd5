//! The terminal, the command line and the tour.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sayso_fakes::{Answer, FakeModel, FakeTelegram, Gate};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Child;
use tokio::time::Instant;

use crate::command_line::{CommandLine, Ran, ended};
use crate::test_bot::TestBot;

/// How long an orderly end may take: less than a poll or a held answer, on a slow machine too.
const END_WITHIN: Duration = Duration::from_secs(10);

/// Types these lines into a chat on the offline model.
async fn chat(lines: &str) -> Ran {
    let ran = CommandLine::new().run(&["chat"], lines).await;
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    ran
}

/// Asserts that these stand in the text, one behind the other.
#[track_caller]
fn assert_in_order(text: &str, wanted: &[&str]) {
    let mut rest = text;
    for words in wanted {
        let Some((_, behind)) = rest.split_once(words) else {
            panic!("{words:?} is missing, or not in this order:\n{text}");
        };
        rest = behind;
    }
}

#[tokio::test]
async fn nothing_configured_opens_a_chat_on_the_offline_model() {
    let ran = CommandLine::new().run(&[], "hello\n").await;
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let wanted = [
        "No model is configured, so the built-in offline model answers",
        "run `sayso init`",
        "Hello! I am Sayso, running on a small offline model.",
    ];
    assert_in_order(&ran.out, &wanted);
}

#[tokio::test]
async fn chat_speaks_the_language_of_the_terminal() {
    let mut here = CommandLine::new();
    here.set("LANG", "zh_CN.UTF-8");
    let ran = here.run(&["chat"], "你好\n/whoami\n").await;
    assert_eq!(ran.code, Some(0));
    assert_in_order(
        &ran.out,
        &["尚未配置模型", "你好！我是 Sayso", "我的管理者"],
    );
}

#[tokio::test]
async fn command_runs_after_a_yes() {
    let ran = chat("run mktemp -u hi.XXXXXX\ny\n").await;
    let wanted = [
        "May I run this?",
        "mktemp -u hi.XXXXXX",
        "[y] Approve",
        "Approved by you",
        "gave:",
        "hi.",
    ];
    assert_in_order(&ran.out, &wanted);
}

#[tokio::test]
async fn command_does_not_run_after_a_no() {
    for (answer, runs) in [
        ("n", false),
        ("N", false),
        ("No", false),
        ("", false),
        ("yes", true),
    ] {
        let here = CommandLine::new();
        let ran = here
            .run(&["chat"], &format!("run touch ran\n{answer}\n"))
            .await;
        assert_eq!(ran.code, Some(0));
        let outcome = if runs {
            "Approved by you"
        } else {
            "Denied by you"
        };
        assert_in_order(&ran.out, &["[N] Deny", outcome]);
        let workspaces: Vec<_> = std::fs::read_dir(here.path("data/workspaces"))
            .unwrap()
            .collect();
        let [Ok(workspace)] = workspaces.as_slice() else {
            panic!("{workspaces:?}")
        };
        assert_eq!(workspace.path().join("ran").exists(), runs, "{answer:?}");
    }
}

#[tokio::test]
async fn always_asks_once() {
    let ran = chat("run mktemp -p .\na\nrun mktemp -p .\n").await;
    assert_eq!(ran.out.matches("May I run this?").count(), 1, "{}", ran.out);
    assert_in_order(
        &ran.out,
        &["May I run this?", "won't ask again for", "gave:", "gave:"],
    );
}

#[tokio::test]
async fn clarification_is_answered_by_its_number() {
    let ran = chat("do it\n1\n").await;
    assert_in_order(
        &ran.out,
        &[
            "What shall I do?",
            "[1] list the files",
            "↳ list the files",
            "list_dir",
        ],
    );
}

#[tokio::test]
async fn help_lists_the_commands() {
    let ran = chat("/help details\n").await;
    let wanted = [
        "/start",
        "/help",
        "/new",
        "/stop",
        "/status",
        "/whoami",
        "/autonomy",
        "/grants",
    ];
    assert_in_order(&ran.out, &wanted);
}

#[tokio::test]
async fn u16_an_unknown_command_is_named() {
    let ran = chat("/frobnicate the widget\n").await;
    assert_in_order(&ran.out, &["There is no command /frobnicate."]);
}

#[tokio::test]
async fn chat_ends_when_no_one_reads_it_any_more() {
    let mut child = CommandLine::new().command(&["chat"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut typing = child.stdin.take().unwrap();
    typing.write_all(b"hello\nhello\nhello\n").await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(10), child.wait()).await;
    assert!(ended.is_ok(), "it waits for a reader");
}

#[tokio::test]
async fn tour_shows_everything_in_both_languages() {
    let english: &[&str] = &[
        "oolong",
        "won't ask again for",
        "git-workflow",
        "What shall I do?",
        "↳ list the files",
        "May I run this?",
        "Approved by you",
        "hello-from-the-shell",
        "Denied by you",
    ];
    let chinese: &[&str] = &[
        "乌龙茶",
        "本次对话中不再询问",
        "git-workflow",
        "您想让我做什么？",
        "↳ 列出文件",
        "可以执行吗？",
        "你已批准",
        "来自命令行的问候",
        "你已拒绝",
    ];
    for (locale, wanted) in [("en_US.UTF-8", english), ("zh_CN.UTF-8", chinese)] {
        let mut here = CommandLine::new();
        here.set("LANG", locale);
        let ran = here.run(&["demo"], "").await;
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        assert_in_order(&ran.out, wanted);
        assert!(
            !here.path("data").exists(),
            "the tour has a directory of its own"
        );
    }
}

#[tokio::test]
async fn version_is_said() {
    let ran = CommandLine::new().run(&["--version"], "").await;
    let version = concat!("sayso ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), version));
}

#[tokio::test]
async fn bad_arguments_exit_with_2() {
    let here = CommandLine::new();
    for arguments in [
        &["--colour"][..],
        &["dance"],
        &["config"],
        &["chat", "loudly"],
    ] {
        let ran = here.run(arguments, "").await;
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(
            ran.err.contains("Usage: sayso"),
            "{arguments:?}: {}",
            ran.err
        );
    }
}

#[tokio::test]
async fn init_writes_a_file_that_is_accepted() {
    let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
    let mut here = CommandLine::new();
    here.set("SAYSO__CHANNELS__TELEGRAM__API_URL", &telegram.url());
    let (token, url) = (telegram.token(), model.url());
    let answers = format!("{token}\n101\n\nopenai\n{url}\nsk-1\ntiny\n\n");
    let ran = here.run(&["init"], &answers).await;
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let wanted = [
        "Written: sayso.toml",
        "the token belongs to @sayso_bot",
        "the service answers",
    ];
    assert_in_order(&ran.out, &wanted);
    let mode = std::fs::metadata(here.path("sayso.toml"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);

    let ran = here.run(&["config", "check"], "").await;
    let accepted = "configuration: ./sayso.toml\nok\n";
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), accepted),
        "{}",
        ran.err
    );
}

/// A command line at which everything is configured and answers.
fn healthy(telegram: &FakeTelegram, model: &FakeModel) -> CommandLine {
    let mut here = CommandLine::new();
    let (token, telegram, model) = (telegram.token(), telegram.url(), model.url());
    let text = format!(
        "[channels.telegram]\ntoken = '{token}'\napi_url = '{telegram}'\n\
         [[providers]]\nmodel = 'tiny'\napi_key = 'sk-1'\nbase_url = '{model}'\n"
    );
    here.write("sayso.toml", &text);
    here.set("SAYSO__ACCESS__OWNERS", "telegram:101");
    here
}

#[tokio::test]
async fn doctor_finds_nothing_where_all_is_well() {
    let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
    let ran = healthy(&telegram, &model).run(&["doctor"], "").await;
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.out.ends_with("\nNo problems.\n"), "{}", ran.out);
    assert!(!ran.out.contains("!!"), "{}", ran.out);
}

#[tokio::test]
async fn doctor_names_each_problem_with_its_fix() {
    let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
    let mut here = healthy(&telegram, &model);
    here.set("SAYSO__CHANNELS__TELEGRAM__TOKEN", "1:wrong");
    model.requires_key("sk-other");
    std::fs::create_dir(here.path("data")).unwrap();
    here.write("data/sayso.db", "this is no database, it is a letter");
    let ran = here.run(&["doctor"], "").await;
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let wanted = [
        "!!  the database data/sayso.db cannot be read",
        "    fix: stop Sayso and put a backup in its place",
        "!!  Telegram: the platform refuses the token",
        "    fix: take the token from @BotFather",
        "!!  model main: the model service refuses (HTTP 401)",
        "    fix: check the provider's `api_key`",
        "3 to fix.",
    ];
    assert_in_order(&ran.out, &wanted);
}

#[tokio::test]
async fn doctor_tells_how_to_become_the_owner() {
    let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
    let mut here = healthy(&telegram, &model);
    here.set("SAYSO__ACCESS__OWNERS", "");
    let code = |ran: &Ran| {
        let (_, link) = ran.out.split_once("https://t.me/sayso_bot?start=").unwrap();
        link.chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
    };
    let first = here.run(&["doctor"], "").await;
    assert_eq!(first.code, Some(0), "{}", first.out);
    assert_eq!(code(&first).len(), 8, "{}", first.out);
    let again = here.run(&["doctor"], "").await;
    assert_eq!(code(&again), code(&first), "a code holds for its hour");
}

#[tokio::test]
async fn start_prints_the_link_that_makes_the_first_owner() {
    let bot = TestBot::with(&[("ACCESS__OWNERS", "")]).await;
    bot.logs("https://t.me/sayso_bot?start=").await;
    let log = bot.log();
    let (_, link) = log.split_once("?start=").unwrap();
    let code: String = link
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    let ann = bot.direct();
    ann.says(&format!("/start {code}"));
    let answer = ann.hears().await;
    assert!(answer.text.starts_with("You are my owner now."), "{answer}");
    bot.assert_clean();
}

#[tokio::test]
async fn start_does_not_wait_for_the_link() {
    let mut bot = TestBot::closed(&[("ACCESS__OWNERS", "")]).await;
    // A port without a listener.
    bot.set("CHANNELS__TELEGRAM__API_URL", "http://127.0.0.1:9");
    bot.start();
    bot.logs("send it `/start ").await;
    bot.logs("cannot reach Telegram").await;
    assert!(!bot.log().contains("t.me/"));
    assert_eq!(bot.stop().await, Some(0));
}

#[tokio::test]
async fn sigterm_ends_an_idle_sayso_at_once() {
    let mut bot = TestBot::open().await;
    bot.telegram.waits_for_calls("getUpdates", 1).await;
    let asked = Instant::now();
    assert_eq!(bot.stop().await, Some(0));
    assert!(asked.elapsed() < END_WITHIN, "{:?}", asked.elapsed());
}

#[tokio::test]
async fn sigterm_ends_a_turn_that_goes_on_at_the_next_start() {
    let mut bot = TestBot::open().await;
    let gate = Gate::new();
    bot.model
        .answers(Answer::text("never heard").held_by(&gate));
    let chat = bot.direct();
    chat.says("think hard");
    gate.reached_by(1).await;
    let asked = Instant::now();
    assert_eq!(bot.stop().await, Some(0));
    assert!(asked.elapsed() < END_WITHIN, "{:?}", asked.elapsed());

    bot.model.says("Thought.");
    bot.start();
    chat.settles(|message| message.text == "Thought.").await;
    bot.assert_clean();
}

/// Sends SIGINT to a chat that has said these words.
async fn interrupt_after(mut child: Child, words: &str) -> Ran {
    let mut out = child.stdout.take().unwrap();
    let mut heard = Vec::new();
    while !String::from_utf8_lossy(&heard).contains(words) {
        let read = tokio::time::timeout(END_WITHIN, out.read_buf(&mut heard)).await;
        assert!(
            read.unwrap().unwrap() > 0,
            "{}",
            String::from_utf8_lossy(&heard)
        );
    }
    kill(Pid::from_raw(child.id().unwrap() as i32), Signal::SIGINT).unwrap();
    ended(child).await
}

#[tokio::test]
async fn sigint_ends_a_chat_without_a_keyboard() {
    let here = CommandLine::new();
    let mut child = here.command(&["chat"]).spawn().unwrap();
    let mut typing = child.stdin.take().unwrap();
    typing.write_all(b"hello\n").await.unwrap();
    let ran = interrupt_after(child, "Hello! I am Sayso").await;
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}
