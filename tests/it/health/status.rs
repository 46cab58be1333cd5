//! What `/status` says of connections that were cut.

use sayso_fakes::Fault;

use crate::test_bot::TestBot;

/// Cuts the connection once and has it heal.
async fn healed(language: &str) -> String {
    let bot = TestBot::with(&[("LANGUAGE", language)]).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    bot.telegram.fail_next("getUpdates", Fault::BadGateway);
    chat.says("/whoami");
    chat.hears().await;
    chat.says("/status details");
    let status = chat.hears().await;
    let line = status
        .text
        .lines()
        .find(|line| line.contains("telegram"))
        .unwrap_or_else(|| panic!("{status}"));
    // Ages depend on the machine.
    line.chars()
        .map(|letter| if letter.is_ascii_digit() { '#' } else { letter })
        .collect()
}

#[tokio::test]
async fn past_of_a_connection_is_told_in_both_languages() {
    insta::assert_snapshot!(healed("en").await, @"• telegram: connected, last contact # s ago, interrupted once, last fault # s ago: Telegram cannot be reached: Telegram answered ### Bad Gateway");
    insta::assert_snapshot!(healed("zh-CN").await, @"• telegram：已连接，# 秒前有响应，中断 # 次，最近一次故障在 # 秒前：Telegram cannot be reached: Telegram answered ### Bad Gateway");
}
