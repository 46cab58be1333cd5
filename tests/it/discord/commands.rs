//! Slash commands, their arguments, and "Ask Sayso" on a message.

use serde_json::Value;

use super::workshop;
use crate::levels::shown::without_kernel;
use crate::platform::Platform;
use crate::test_bot::TestBot;

#[tokio::test]
async fn the_menu_is_there_in_both_languages() {
    let bot = TestBot::on(Platform::Discord).await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |command: &Value| {
        let chinese = &command["description_localizations"]["zh-CN"];
        let arguments = command["options"].as_array().into_iter().flatten();
        let arguments = arguments.map(|argument| text(&argument["name"]));
        let arguments = arguments.collect::<Vec<_>>().join(" ");
        let name = text(&command["name"]);
        let about = text(&command["description"]);
        format!("{name} [{arguments}] | {about} | {}", text(chinese)).replace(" []", "")
    };
    let menu: Vec<String> = bot.discord.commands().iter().map(line).collect();
    insta::assert_snapshot!(menu.join("\n"), @r"
    start [code] | Say hello, or pair with a code | 打招呼，或用配对码配对
    help [details] | What I can do, and the commands | 我能做什么，有哪些命令
    new | Begin a new conversation | 开始新的对话
    stop | Stop what I am doing for you | 停止正在为你做的事
    steer [words] | Add words to what I am doing | 补充到正在做的事里
    queue [words] | Do this when I am done with what I am doing | 做完手上的事之后再做这件
    interrupt [words] | Stop what I am doing and do this | 停下手上的事，改做这件
    undo | Put back what I last changed in files | 撤销我最近对文件的改动
    check | Check the project that I work in here | 检查当前工作的项目
    status [details] | Show status and what I am doing | 运行状态和正在做的事
    whoami | Who you are to me | 我所知道的你是谁
    link [code] | Join another account of yours, so that I know you on both | 关联你的另一个账号，让我在两边都认得你
    unlink | Disconnect this account from your others | 取消账号关联
    autonomy [level] | What I may do without asking | 哪些事我可以不询问就做
    grants [revoke] | List or revoke what you always allow | 查看或撤销“总是允许”
    usage [details] | What you used today, and what is left | 今天的用量和剩余
    forget [what] | Forget some of what I remember, or everything | 忘掉我记住的某些内容，或者一切
    memory [what] | What I remember | 我记住了什么
    skills [what] | What I know how to do well, and which of it is used here | 我擅长的技能，以及这里启用了哪些
    model [which] | Which model answers here | 这里由哪个模型回答
    project [which] | Which folder I work in here | 在这里使用哪个项目文件夹
    routines | What you want done at set times | 你要定时做的事
    remind [what] | Remind you of something | 提醒你一件事
    reminders | What I will remind you of | 我会提醒你的事
    timezone [zone] | Your time zone | 你的时区
    quiet [hours] | Hours in which I send nothing unasked | 免打扰时段
    compact | Sum up the earlier part of our conversation | 概括我们较早的对话
    language [language] | English or 中文 | 中文或 English
    Ask Sayso |  |
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_slash_command_takes_its_argument_and_is_answered_in_place() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    group.says("/autonomy read_only");
    group.hears().await;
    group.says_as(&bot.bob, "/whoami");
    group.hears().await;
    insta::assert_snapshot!(bot.without_accounts(&without_kernel(&group.transcript())), @r"
    Ann: /autonomy read_only
    Sayso: I only look, and change nothing.  [Read only ✓ | Ask first]  [Details]
    Bob: /whoami
    Sayso: You are Bob, a member ((account of Bob)).
    ");
    assert_eq!(
        bot.discord.count("create_message"),
        0,
        "all is said in the interactions"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn ask_sayso_about_a_message_answers_with_it_in_view() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    let said = group
        .with(&bot.bob)
        .sends_document("saw.pdf", vec![0; 2_000], "the saw is broken");
    bot.model.says("Then we buy a new one.");
    // Commands and messages come to us on ways of their own.
    bot.has_heard_all().await;
    group.asks_about(&bot.ann, said, "Ask Sayso");
    group.hears().await;
    insta::assert_snapshot!(group.transcript(), @r"
    Bob: <document saw.pdf> the saw is broken
    Ann: Ask Sayso
    Sayso: Then we buy a new one.
    ");
    insta::assert_snapshot!(bot.model.turn_requests()[0].last_user(), @r"
    [in reply to Bob]
    > the saw is broken
    > [file: inbox/saw.pdf, PDF, 2 kB]
    Ann: [no words of their own: it is about the message above]
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_command_is_acknowledged_before_its_answer_is_known() {
    let bot = TestBot::on(Platform::Discord).await;
    let chats: Vec<_> = (0..30)
        .map(|number| {
            let chat = bot
                .discord
                .group_in(super::SERVER, super::SERVER + 200 + number, "Busy");
            chat.with(&bot.ann)
        })
        .collect();
    for chat in &chats {
        chat.says("/status");
    }
    for chat in &chats {
        chat.hears_with(|message| message.text.contains("Discord: online"))
            .await;
    }
    // The fake calls an answer after three seconds a violation.
    bot.assert_clean();
}
