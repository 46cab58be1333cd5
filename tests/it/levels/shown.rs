//! What `/autonomy` and `/status` show: the effective policy of the person who asks.

use crate::platform::Platform;
use crate::test_bot::{BOB, TestBot};

/// Returns the reply without the parts that depend on the kernel of this machine.
pub fn without_kernel(told: &str) -> String {
    let lines = told.lines().map(|line| {
        let kernel = [": the kernel confines", "：内核把命令限制"];
        let begins = kernel.iter().find_map(|words| line.find(words));
        begins.map_or(line.to_owned(), |at| format!("{} ...", &line[..at]))
    });
    lines.collect::<Vec<_>>().join("\n")
}

async fn told(bot: &TestBot, by_bob: bool, command: &str) -> String {
    let chat = if by_bob {
        bot.direct_with(&bot.bob)
    } else {
        bot.direct()
    };
    chat.says(command);
    without_kernel(&chat.hears().await.text)
}

#[tokio::test]
async fn everybody_is_shown_their_own_policy() {
    let levels = super::levels(Platform::Telegram, &[(BOB, "full")]);
    let settings = [
        ("ACCESS__AUTONOMY", levels.as_str()),
        ("POLICY__ALLOW_COMMANDS", "[\"git\", \"cargo\", \"curl\"]"),
        ("POLICY__ALLOW_HOSTS", "example.org"),
    ];
    let bot = TestBot::with(&settings).await;
    insta::assert_snapshot!(told(&bot, false, "/autonomy details").await, @r"
    Autonomy here: supervised (agent.autonomy)

    • Unasked: read files in the workspace, run commands that only read there
    • Asks first: write files there, run other commands, fetch web pages, send anything to a server, read files with keys or passwords
    • Never: destroy the system
    • Exceptions: 1 in policy.allow_hosts
    • Network: commands have it only after a yes
    • Sandbox require ...

    An owner can lower it here: /autonomy read_only.
    ");
    insta::assert_snapshot!(told(&bot, true, "/autonomy details").await, @r"
    Autonomy here: full (your entry in access.autonomy)

    • Unasked: read files in the workspace, write files there, run git cargo curl there
    • Asks first: read files with keys or passwords
    • Never: run other commands, fetch web pages, send anything to a server, destroy the system
    • Exceptions: 1 in policy.allow_hosts
    • With text from outside in view, writing and running ask all the same
    • Network: commands have none
    • Sandbox require ...
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn chinese_reads_the_same() {
    let levels = super::levels(Platform::Telegram, &[(BOB, "read_only")]);
    let settings = [
        ("ACCESS__AUTONOMY", levels.as_str()),
        ("LANGUAGE", "zh-CN"),
        ("POLICY__SANDBOXED_COMMANDS", "allow"),
    ];
    let bot = TestBot::with(&settings).await;
    insta::assert_snapshot!(told(&bot, false, "/autonomy details").await, @r"
    这里的自主级别：supervised（由 agent.autonomy 设定）

    • 直接做：读取工作区的文件、执行只在其中读取的命令、执行不出工作区的命令
    • 先询问：在其中写文件、执行会删除的命令、执行联网的命令、执行越出工作区的命令、抓取网页、向服务器提交内容、读取存有密钥或密码的文件
    • 不做：破坏系统
    • 对话中有外部文本时，写入和执行仍会询问
    • 网络：命令经同意才能联网
    • 沙箱 require ...
    • sandboxed_commands 为 allow：询问更少，但命令弄坏工作区里的东西之前没有人把关

    管理者可以在这里调低：/autonomy read_only。
    ");
    insta::assert_snapshot!(told(&bot, true, "/autonomy details").await, @r"
    这里的自主级别：read_only（由 access.autonomy 中你的条目设定）

    • 直接做：读取工作区的文件、执行只在其中读取的命令
    • 先询问：抓取网页、读取存有密钥或密码的文件
    • 不做：在其中写文件、执行其他命令、向服务器提交内容、破坏系统
    • 网络：命令不能联网
    • 沙箱 require ...
    ");
    insta::assert_snapshot!(told(&bot, false, "/autonomy read_only").await, @"我只查看，不做任何修改。");
    bot.assert_clean();
}

#[tokio::test]
async fn status_has_a_line_about_the_sandbox() {
    let sandbox = async |settings: &[(&str, &str)]| {
        let bot = TestBot::with(settings).await;
        let status = told(&bot, false, "/status details").await;
        let line = status.lines().nth(1).unwrap_or_default().to_owned();
        bot.assert_clean();
        line
    };
    insta::assert_snapshot!(sandbox(&[]).await, @"Sandbox require ...");
    insta::assert_snapshot!(sandbox(&[("LANGUAGE", "zh-CN")]).await, @"沙箱 require ...");
    insta::assert_snapshot!(sandbox(&[("POLICY__SANDBOX", "off")]).await, @"Sandbox off: nothing confines commands");
}
