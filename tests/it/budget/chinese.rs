//! Budget notices in 简体中文: at 80 %, at 100 %, on the owner's card and in `/usage`.

use super::{costs, is_card};
use crate::test_bot::TestBot;

/// Removes the time left until midnight or the next month, which differs from run to run. Late in
/// the evening the rest of the day is given in minutes.
fn without_times(text: &str) -> String {
    let mut kept = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' if kept.ends_with('_') => {}
            '0'..='9' => kept.push('_'),
            other => kept.push(other),
        }
    }
    kept.replace("_ 分钟", "_ 小时")
}

#[tokio::test]
async fn limits_are_told_and_raised_in_chinese() {
    let settings = [
        ("LANGUAGE", "zh-CN"),
        ("AGENT__ROUTING", "off"),
        ("BUDGET__USER_DAY_TOKENS", "24000"),
        ("PRICES__0__MODEL", "fake-1"),
        ("PRICES__0__INPUT", "1"),
        ("PRICES__0__OUTPUT", "1"),
        ("BUDGET__CURRENCY", "CNY"),
    ];
    let bot = TestBot::with(&settings).await;
    costs(&bot, 20_000);
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    ann.says("/whoami");
    ann.hears().await;
    bob.says("一");
    let told = bob.hears_with(|message| message.text.contains('%')).await;
    insta::assert_snapshot!(without_times(&told.text), @r"
    ⚠️ 你今天的用量已达上限的 _ %。
    午夜重新开始计算，还有 _ 小时。
    /usage 可查看具体用量。
    ");
    bob.says("二");
    bob.hears_with(|message| message.text == "ok: 二").await;
    bob.says("三");
    let refused = bob
        .hears_with(|message| message.text.contains("我先停在这里"))
        .await;
    insta::assert_snapshot!(without_times(&refused.text), @r"
    ⚠️ 我先停在这里：你今天的用量已到上限。
    午夜重新开始计算，还有 _ 小时。
    已询问管理者是否为今天提高上限。
    ");
    let card = ann.hears_with(is_card).await;
    insta::assert_snapshot!(card.to_string(), @r"
    Sayso: 💰 Bob 今天的上限已用完：40,000 / 24,000 token（剩余 0），0.04 CNY。
      要为今天提高上限吗？  [+50 % | 加倍 | 不提高]
    ");
    let labels = card.labels();
    ann.press(&bot.ann, card.id, labels[0]).await;
    let closed = ann.becomes(card.id, |message| !message.asks()).await;
    insta::assert_snapshot!(closed.text, @"✅ Bob 今天的上限已提高。已用：40,000 / 48,000 token（剩余 8,000），0.04 CNY。");
    let told = bob.hears().await;
    insta::assert_snapshot!(told.text, @"管理者已提高今天的上限。请重新发送，或回复“继续”。");
    ann.says("/usage details");
    let shown = ann.hears().await;
    let without_time = shown
        .text
        .lines()
        .filter(|line| !line.starts_with("新的一天"));
    let shown: Vec<&str> = without_time.collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    本对话今天：0 token，0.00 CNY，共 0 次模型调用
    你今天：0 / 24,000 token（剩余 24,000），0.00 CNY
    每轮对话最多 1,000,000 token。

    所有人今天：40,000 / 50,000,000 token（剩余 49,960,000），0.04 CNY
    所有人本月：40,000 token，0.04 CNY

    1. Bob：40,000 token，0.04 CNY
    ");
    bot.assert_clean();
}
