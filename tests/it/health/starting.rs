//! The start as an operator sees it: who is online, what makes an owner, and how a start that is
//! good for nothing ends.

use sayso_fakes::{FakeDiscord, FakeTelegram, Fault};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::command_line::{CommandLine, Ran, ended};
use crate::test_bot::PATIENCE;

/// Returns a command line with a bot on this server that speaks the language of the terminal.
fn on_telegram(telegram: &FakeTelegram, token: &str, lang: &str) -> CommandLine {
    let mut here = CommandLine::new();
    here.set("LANG", lang);
    here.set("SAYSO__CHANNELS__TELEGRAM__TOKEN", token);
    here.set("SAYSO__CHANNELS__TELEGRAM__API_URL", &telegram.url());
    here
}

/// Reads this many lines of what a run prints, and ends it.
async fn lines_of(mut command: Command, count: usize) -> String {
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = Vec::new();
    while said.len() < count {
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await;
        said.push(line.unwrap().unwrap().unwrap());
    }
    let errors = read_errors(&mut child).await;
    assert_eq!(errors, "", "the log says it too");
    without_code(&said.join("\n"))
}

async fn read_errors(child: &mut Child) -> String {
    child.kill().await.unwrap();
    let mut errors = String::new();
    let mut pipe = child.stderr.take().unwrap();
    pipe.read_to_string(&mut errors).await.unwrap();
    let lines = errors.lines();
    lines
        .filter(|line| line.contains("sayso::console"))
        .collect()
}

/// The code is another one each time.
fn without_code(said: &str) -> String {
    let Some((_, rest)) = said.split_once("?start=").or(said.split_once("/start ")) else {
        return said.to_owned();
    };
    let code: String = rest
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    assert_eq!(code.len(), 8, "{said}");
    said.replace(&code, "(code)")
}

#[tokio::test]
async fn u24_the_start_on_telegram_says_the_link_and_what_makes_an_owner() {
    let telegram = FakeTelegram::start().await;
    let here = on_telegram(&telegram, telegram.token(), "C.UTF-8");
    let said = lines_of(here.command(&["run"]), 4).await;
    insta::assert_snapshot!(said, @r"
    ✓ @sayso_bot is online: https://t.me/sayso_bot
      It has no owner yet. To become its owner, open this link within an hour:
      https://t.me/sayso_bot?start=(code)
      or send @sayso_bot the message: /start (code)
    ");
    let here = on_telegram(&telegram, telegram.token(), "zh_CN.UTF-8");
    let said = lines_of(here.command(&["run"]), 4).await;
    insta::assert_snapshot!(said, @r"
    ✓ @sayso_bot 已上线：https://t.me/sayso_bot
      还没有管理者。要成为管理者，请在一小时内打开此链接：
      https://t.me/sayso_bot?start=(code)
      或向 @sayso_bot 发送：/start (code)
    ");
    telegram.assert_clean();
}

#[tokio::test]
async fn u24_the_start_on_discord_says_the_invitation_and_an_owned_bot_no_code() {
    let discord = FakeDiscord::start().await;
    let mut here = CommandLine::new();
    here.set("SAYSO__CHANNELS__DISCORD__TOKEN", discord.token());
    here.set("SAYSO__CHANNELS__DISCORD__API_URL", &discord.url());
    let said = lines_of(here.command(&["run"]), 2).await;
    insta::assert_snapshot!(said, @r"
    ✓ sayso_bot is online on Discord. Add it to a server: https://discord.com/oauth2/authorize?client_id=4343&scope=bot+applications.commands&permissions=309237763072
      It has no owner yet. To become its owner, send sayso_bot this direct message within an hour: /start (code)
    ");
    here.set(
        "SAYSO__ACCESS__OWNERS",
        r#"["discord:1300000000000000101"]"#,
    );
    here.set("LANG", "zh_CN.UTF-8");
    // Discord takes one identify in five seconds.
    let discord = FakeDiscord::start().await;
    here.set("SAYSO__CHANNELS__DISCORD__API_URL", &discord.url());
    let said = lines_of(here.command(&["run"]), 1).await;
    insta::assert_snapshot!(said, @"✓ sayso_bot 已在 Discord 上线。添加到服务器：https://discord.com/oauth2/authorize?client_id=4343&scope=bot+applications.commands&permissions=309237763072");
    discord.assert_clean();
}

#[tokio::test]
async fn u5_a_refused_token_ends_the_process_with_1_and_a_plain_sentence() {
    for (lang, expected) in [
        (
            "C.UTF-8",
            "error: Telegram rejects the token of `channels.telegram`. Copy it again from @BotFather (/mybots → API Token).",
        ),
        (
            "zh_CN.UTF-8",
            "错误：Telegram 不接受 `channels.telegram` 的令牌，请在 @BotFather（/mybots → API Token）重新复制。",
        ),
    ] {
        let telegram = FakeTelegram::start().await;
        let here = on_telegram(&telegram, "4242:wrong", lang);
        let ran = here.run(&["run"], "").await;
        assert_eq!(last_line(&ran), expected);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(!ran.err.contains("ERROR"), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
    let discord = FakeDiscord::start().await;
    let mut here = CommandLine::new();
    here.set("SAYSO__CHANNELS__DISCORD__TOKEN", "NDI0Mg.wrong0.token");
    here.set("SAYSO__CHANNELS__DISCORD__API_URL", &discord.url());
    let ran = here.run(&["run"], "").await;
    assert_eq!(
        last_line(&ran),
        "error: Discord rejects the token of `channels.discord`. Make a new one in the Developer Portal (your application → Bot → Reset Token)."
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

fn last_line(ran: &Ran) -> &str {
    ran.err.lines().last().unwrap_or_default()
}

#[tokio::test]
async fn u5_where_another_channel_lives_it_goes_on_and_says_so() {
    let (telegram, discord) = (FakeTelegram::start().await, FakeDiscord::start().await);
    let mut here = on_telegram(&telegram, "4242:wrong", "C.UTF-8");
    here.set("SAYSO__CHANNELS__DISCORD__TOKEN", discord.token());
    here.set("SAYSO__CHANNELS__DISCORD__API_URL", &discord.url());
    let mut child = here.command(&["run"]).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    let said = loop {
        let line = tokio::time::timeout(PATIENCE, errors.next_line()).await;
        let line = line.unwrap().unwrap().unwrap();
        if line.starts_with("error: ") {
            break line;
        }
    };
    assert!(said.ends_with(" The other channels go on."), "{said}");
    discord.waits_for_sessions(1).await;
    assert_eq!(child.try_wait().unwrap(), None, "it ended");
    let pid = nix::unistd::Pid::from_raw(child.id().unwrap() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).unwrap();
    child.stderr = Some(errors.into_inner().into_inner());
    assert_eq!(ended(child).await.code, Some(0));
}

#[tokio::test]
async fn u5_another_program_with_the_token_is_said_once_in_plain_words() {
    let telegram = FakeTelegram::start().await;
    for _ in 0..2 {
        telegram.fail_next("getUpdates", Fault::Conflict);
    }
    let here = on_telegram(&telegram, telegram.token(), "C.UTF-8");
    let mut child = here.command(&["run"]).spawn().unwrap();
    telegram.waits_for_calls("getUpdates", 3).await;
    child.kill().await.unwrap();
    let ran = ended(child).await;
    insta::assert_snapshot!(ran.err.lines().filter(|line| line.contains("token")).collect::<Vec<_>>().join("\n"), @"warning: another program uses the token of `channels.telegram`, so messages do not arrive here. Stop it, or give Sayso a bot of its own. I keep trying.");
}

#[tokio::test]
async fn u24_a_bot_describes_itself_before_the_first_chat_once_and_not_over_the_operators_words() {
    let telegram = FakeTelegram::start().await;
    let here = on_telegram(&telegram, telegram.token(), "C.UTF-8");
    let start = async || {
        let polls = telegram.count("getUpdates");
        let menus = telegram.count("getMyShortDescription");
        let mut child = here.command(&["run"]).spawn().unwrap();
        telegram.waits_for_calls("getUpdates", polls + 1).await;
        telegram
            .waits_for_calls("getMyShortDescription", menus + 2)
            .await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        child.kill().await.unwrap();
    };
    start().await;
    let said = telegram.descriptions();
    assert_eq!(said.len(), 4);
    for (key, words) in [
        ("description/", "I ask"),
        ("description/zh", "你好"),
        ("short_description/", "personal assistant"),
        ("short_description/zh", "个人助手"),
    ] {
        assert!(said[key].contains(words), "{said:?}");
    }
    start().await;
    assert_eq!(telegram.count("setMyDescription"), 2);
    assert_eq!(telegram.count("setMyShortDescription"), 2);
    telegram.describes("description/", "Ann's own words");
    start().await;
    assert_eq!(telegram.count("setMyDescription"), 2);
    assert_eq!(telegram.descriptions()["description/"], "Ann's own words");
    telegram.assert_clean();
}
