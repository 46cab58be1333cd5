//! Commands and their menu.

use sayso_fakes::Message;
use serde_json::json;

use crate::levels::shown::without_kernel;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    help_status_and_whoami_answer_at_once,
    new_begins_a_conversation_without_the_past,
    an_owner_lowers_the_autonomy_and_no_one_raises_it,
    grants_are_listed_and_revoked,
    u16_an_unknown_command_never_reaches_a_model,
    u16_a_button_runs_the_command_that_was_meant,
    u16_a_path_is_no_command,
    u16_a_bare_word_stops_what_runs
);

#[tokio::test]
async fn the_menu_is_there_in_both_languages() {
    let bot = TestBot::open().await;
    bot.telegram.waits_for_calls("setMyCommands", 2).await;
    bot.direct().says("/help details");
    bot.direct().hears().await;
    let menus = bot.telegram.menus();
    let lines = |key: &str| -> String {
        let menu = menus
            .get(key)
            .unwrap_or_else(|| panic!("no {key} in {:?}", menus.keys()));
        let line = |entry: &serde_json::Value| {
            let text = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
            format!("/{} {}", text("command"), text("description"))
        };
        menu.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(lines("default/"), @r"
    /start Say hello, or pair with a code
    /help What I can do, and the commands
    /new Begin a new conversation
    /stop Stop what I am doing for you
    /steer Add words to what I am doing
    /queue Do this when I am done with what I am doing
    /interrupt Stop what I am doing and do this
    /undo Put back what I last changed in files
    /check Check the project that I work in here
    /status Show status and what I am doing
    /whoami Who you are to me
    /link Join another account of yours, so that I know you on both
    /unlink Disconnect this account from your others
    /autonomy What I may do without asking
    /grants List or revoke what you always allow
    /usage What you used today, and what is left
    /forget Forget some of what I remember, or everything
    /memory What I remember
    /skills What I know how to do well, and which of it is used here
    /model Which model answers here
    /project Which folder I work in here
    /routines What you want done at set times
    /remind Remind you of something
    /reminders What I will remind you of
    /timezone Your time zone
    /quiet Hours in which I send nothing unasked
    /compact Sum up the earlier part of our conversation
    /language English or 中文
    ");
    insta::assert_snapshot!(lines("default/zh"), @r"
    /start 打招呼，或用配对码配对
    /help 我能做什么，有哪些命令
    /new 开始新的对话
    /stop 停止正在为你做的事
    /steer 补充到正在做的事里
    /queue 做完手上的事之后再做这件
    /interrupt 停下手上的事，改做这件
    /undo 撤销我最近对文件的改动
    /check 检查当前工作的项目
    /status 运行状态和正在做的事
    /whoami 我所知道的你是谁
    /link 关联你的另一个账号，让我在两边都认得你
    /unlink 取消账号关联
    /autonomy 哪些事我可以不询问就做
    /grants 查看或撤销“总是允许”
    /usage 今天的用量和剩余
    /forget 忘掉我记住的某些内容，或者一切
    /memory 我记住了什么
    /skills 我擅长的技能，以及这里启用了哪些
    /model 这里由哪个模型回答
    /project 在这里使用哪个项目文件夹
    /routines 你要定时做的事
    /remind 提醒你一件事
    /reminders 我会提醒你的事
    /timezone 你的时区
    /quiet 免打扰时段
    /compact 概括我们较早的对话
    /language 中文或 English
    ");
    bot.assert_clean();
}

async fn help_status_and_whoami_answer_at_once(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let bob = bot.direct_with(&bot.bob);
    bot.model
        .calls(vec![("shell", json!({"command": "touch seen"}))]);
    bob.says("list the files");
    bob.hears_with(Message::asks).await;
    for command in ["/help details", "/start", "/status details", "/whoami"] {
        bob.says(command);
        bob.hears().await;
    }
    let shown = bot
        .without_accounts(&bob.transcript())
        .replace(&format!("{}:", platform.name()), "PLATFORM:")
        .replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let shown = (0..60).fold(shown, |shown, seconds| {
        let ago = format!("last contact {seconds} s ago");
        shown.replace(&ago, "last contact just now")
    });
    insta::assert_snapshot!(without_kernel(&shown), @r"
    Bob: list the files
    Sayso: May I run this?

      touch seen

      • changes files
      Only in your folder, no internet · expires in 30 min  [Approve | Deny]  [Deny and say why]  [Always: touch …]  [Always this exact command]
    Bob: /help details
    Sayso: /start – Say hello, or pair with a code
      /help – What I can do, and the commands
      /new – Begin a new conversation
      /stop – Stop what I am doing for you
      /steer – Add words to what I am doing
      /queue – Do this when I am done with what I am doing
      /interrupt – Stop what I am doing and do this
      /undo – Put back what I last changed in files
      /check – Check the project that I work in here
      /status – Show status and what I am doing
      /whoami – Who you are to me
      /link – Join another account of yours, so that I know you on both
      /unlink – Disconnect this account from your others
      /autonomy – What I may do without asking
      /grants – List or revoke what you always allow
      /usage – What you used today, and what is left
      /forget – Forget some of what I remember, or everything
      /memory – What I remember
      /skills – What I know how to do well, and which of it is used here
      /model – Which model answers here
      /project – Which folder I work in here
      /routines – What you want done at set times
      /remind – Remind you of something
      /reminders – What I will remind you of
      /timezone – Your time zone
      /quiet – Hours in which I send nothing unasked
      /compact – Sum up the earlier part of our conversation
      /language – English or 中文  [Less]
    Bob: /start
    Sayso: I am Sayso. Tell me what you need in your own words; I ask before anything risky.

      Try: “Sort the photos in my folder by year” · “Remember that I am allergic to peanuts” · “Summarize this PDF” (send it along)

      While I work: /stop, or just write what has changed · /undo takes back file changes
      About you: /memory what I remember · /forget · /language · /new for a new conversation
      What I may do: /autonomy · /grants · /skills · /usage · /status  [Details]
    Bob: /status details
    Sayso: Sayso VERSION, model fake-1
      Sandbox require ...

      Channels

      • PLATFORM: connected, last contact just now

      Here

      • waiting for approval: list the files

      Memory is found by words; no embedder is configured.

      Your folder holds nothing from outside that I know of: what I read there does not make me ask.  [Less]
    Bob: /whoami
    Sayso: You are Bob, a member ((account of Bob)).
    ");
    bot.assert_clean();
}

async fn new_begins_a_conversation_without_the_past(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.says("the word is apple");
    chat.hears().await;
    chat.says("/new");
    insta::assert_snapshot!(chat.hears().await.text, @"New conversation. I still remember what you told me to; permissions are reset.");
    chat.says("hello");
    chat.hears().await;
    let turn = bot.model.turn_requests().pop().unwrap();
    assert_eq!(super::said(&turn), ["hello"]);
    bot.assert_clean();
}

async fn an_owner_lowers_the_autonomy_and_no_one_raises_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Lab");
    let (ann, bob) = (group.with(&bot.ann), group.with(&bot.bob));
    for (chat, wanted) in [
        (&bob, "/autonomy read_only"),
        (&ann, "/autonomy full"),
        (&ann, "/autonomy read_only"),
    ] {
        chat.says(wanted);
        chat.hears().await;
    }
    bot.model.calls(vec![(
        "file_write",
        json!({"path": "a.txt", "content": "a"}),
    )]);
    bob.says("@sayso_bot write a file");
    bob.settles(|message| message.text.starts_with("ok:")).await;
    insta::assert_snapshot!(without_kernel(&group.transcript()), @r"
    Bob: /autonomy read_only
    Sayso: Only an owner can change this.
    Ann: /autonomy full
    Sayso: full is more than the configuration allows (supervised).
      Hint: raise agent.autonomy, or your entry in access.autonomy, in sayso.toml and restart.
    Ann: /autonomy read_only
    Sayso: I only look, and change nothing.  [Read only ✓ | Ask first]  [Details]
    Bob: @sayso_bot write a file
    Sayso: ok: Bob: write a file
    ");
    let refused = bot.model.turn_requests().pop().unwrap().last_tool_result();
    insta::assert_snapshot!(refused, @"[failed] not run: the autonomy level is `read_only`: nothing may be changed or executed. Answer from what can be read, or say that the level must be raised with `/autonomy`");
    let direct = bot.direct();
    bot.model
        .calls(vec![("shell", json!({"command": "touch seen"}))]);
    direct.says("list the files");
    direct.hears_with(Message::asks).await;
    bot.assert_clean();
}

/// Discord's client offers the levels and sends no other.
#[tokio::test]
async fn the_level_alone_is_told_and_an_unknown_one_refused() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    for wanted in ["/autonomy details", "/autonomy reckless"] {
        chat.says(wanted);
        chat.hears().await;
    }
    insta::assert_snapshot!(without_kernel(&chat.transcript()), @r"
    Ann: /autonomy details
    Sayso: Autonomy here: supervised (agent.autonomy)

      • Unasked: read files in the workspace, run commands that only read there
      • Asks first: write files there, run other commands, fetch web pages, send anything to a server, read files with keys or passwords
      • Never: destroy the system
      • Network: commands have it only after a yes
      • Sandbox require ...

      An owner can lower it here: /autonomy read_only.  [Less]
    Ann: /autonomy reckless
    Sayso: There is no level reckless. Levels: read_only, supervised, full.
    ");
    bot.assert_clean();
}

async fn grants_are_listed_and_revoked(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let touch = || vec![("shell", json!({"command": "touch now"}))];
    chat.says("/grants");
    chat.hears().await;
    bot.model.calls(touch());
    bot.model.says("It is late.");
    chat.says("what time is it?");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Always this exact command")
        .await;
    chat.settles(|message| message.text == "It is late.").await;
    bot.model.calls(touch());
    bot.model.says("Later still.");
    chat.says("and now?");
    chat.settles(|message| message.text == "Later still.").await;
    for command in ["/grants", "/grants revoke 2", "/grants revoke 1", "/grants"] {
        chat.says(command);
        chat.hears_with(|message| {
            message.text.contains("llow")
                || message.text.contains("evoke")
                || message.text.contains("ermission")
                || message.text.contains("aken back")
        })
        .await;
    }
    bot.model.calls(touch());
    chat.says("and now?");
    chat.settles(|message| message.button("Approve").is_some())
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: /grants
    Sayso: No standing permissions here: I ask each time.
    Ann: what time is it?
    Sayso: ✅ Approved by Ann: touch now
      From now on without asking: exactly this command  [Take back]
    Sayso: It is late.
    Ann: and now?
    Sayso: Later still.
    Ann: /grants
    Sayso: Allowed without asking in this conversation:

      1. touch now  [Take back 1]
    Ann: /grants revoke 2
    Sayso: There is no permission 2. You have 1; use its number or all.
    Ann: /grants revoke 1
    Sayso: Taken back. I ask again from now on.
    Ann: /grants
    Sayso: No standing permissions here: I ask each time.
    Ann: and now?
    Sayso: May I run this?

      touch now

      • changes files
      Only in your folder, no internet · expires in 30 min  [Approve | Deny]  [Deny and say why]  [Always: touch …]  [Always this exact command]
    ");
    bot.assert_clean();
}

async fn u16_an_unknown_command_never_reaches_a_model(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let mut told = Vec::new();
    for typed in [
        "/foo",
        "/staus",
        "/Stauts@sayso_bot now",
        "/mem",
        "/weather in Porto",
    ] {
        if platform == Platform::Discord && typed.contains('@') {
            continue;
        }
        chat.says(typed);
        told.push(chat.hears().await.to_string());
    }
    let lin = bot.bob.clone().speaking("zh-hans");
    let chinese = bot.direct_with(&lin);
    for typed in ["/帮助", "/天气"] {
        chinese.says("我想看看你能做什么");
        chinese.hears().await;
        let requests = bot.model.requests().len();
        chinese.says(typed);
        told.push(chinese.hears().await.to_string());
        assert_eq!(bot.model.requests().len(), requests);
    }
    let told = told.join("\n").replace(
        "Sayso: No command /stauts. Did you mean /status?  [Yes, /status]\n",
        "",
    );
    insta::assert_snapshot!(told, @r"
    Sayso: There is no command /foo. /help lists them.
    Sayso: No command /staus. Did you mean /status?  [Yes, /status]
    Sayso: No command /mem. Did you mean /memory?  [Yes, /memory]
    Sayso: There is no command /weather. /help lists them.
    Sayso: 没有 /帮助 命令，是 /help 吗？  [是，/help]
    Sayso: 没有 /天气 命令。发送 /help 可查看全部命令。
    ");
    bot.assert_clean();
}

async fn u16_a_button_runs_the_command_that_was_meant(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.says("/whoam");
    let asked = chat.hears().await;
    bot.restart().await;
    chat.press(&bot.ann, asked.id, "Yes, /whoami").await;
    chat.hears_with(|message| message.text.contains("owner"))
        .await;
    let said = chat.message(asked.id);
    insta::assert_snapshot!(said, @"Sayso: → /whoami");
    let twice = chat
        .press_token(&bot.ann, asked.id, &asked.token("Yes, /whoami"))
        .await;
    insta::assert_snapshot!(twice.text.unwrap_or_default(), @"This was already answered. Nothing changed.");
    // What stands behind the name is kept.
    chat.says("/langage zh-CN");
    let asked = chat.hears().await;
    chat.press(&bot.ann, asked.id, "Yes, /language").await;
    chat.hears_with(|message| message.text == "从现在起，我和你说中文。")
        .await;
    bot.assert_clean();
}

async fn u16_a_path_is_no_command(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for typed in ["/etc/passwd: what is it?", "//", "/", "/2 of them"] {
        chat.says(typed);
        let answer = chat.hears().await;
        assert_eq!(answer.text, format!("ok: {typed}"));
    }
    bot.assert_clean();
}

async fn u16_a_bare_word_stops_what_runs(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for word in ["stop", "停", "停止", "cancel", "取消"] {
        let gate = sayso_fakes::Gate::new();
        bot.model
            .answers(sayso_fakes::Answer::text("a long story").held_by(&gate));
        chat.says("a story, please");
        gate.reached_by(1).await;
        chat.says(word);
        chat.settles(|message| message.text.starts_with('⏹')).await;
        gate.open();
    }
}
