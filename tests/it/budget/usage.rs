//! `/usage`: one's own figures for everybody, everybody's for owners among themselves.

use super::{costs, is_answered, open};
use crate::platform::{Chat, Platform, on_both};

on_both!(
    a_member_sees_own_figures_only,
    an_owner_sees_everybody_in_the_direct_chat_only
);

async fn usage(chat: &Chat) -> String {
    chat.says("/usage details");
    let shown = chat
        .hears_with(|message| message.text.contains("You, today"))
        .await;
    shown.text
}

async fn a_member_sees_own_figures_only(platform: Platform) {
    let bot = open(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    is_answered(&ann, "one").await;
    is_answered(&ann, "two").await;
    is_answered(&bob, "three").await;
    let shown = usage(&bob).await;
    for line in [
        "This conversation, today: 10,000 tokens, in 1 model call",
        "You, today: 10,000 of 10,000,000 tokens (9,990,000 left)",
        "One turn may use 1,000,000 tokens.",
        "No price is configured, so money is not counted.",
    ] {
        assert!(shown.contains(line), "no {line:?} in {shown}");
    }
    for others in ["Everybody", "Ann", "20,000", "30,000"] {
        assert!(!shown.contains(others), "{others} in {shown}");
    }
    bot.assert_clean();
}

async fn an_owner_sees_everybody_in_the_direct_chat_only(platform: Platform) {
    let bot = open(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    is_answered(&ann, "one").await;
    is_answered(&bob, "two").await;
    is_answered(&bob, "three").await;
    let shown = usage(&ann).await;
    for line in [
        "You, today: 10,000 of",
        "Everybody, today: 30,000 of 50,000,000 tokens",
        "Everybody, this month: 30,000 tokens",
        "1. Bob: 20,000 tokens",
        "2. Ann: 10,000 tokens",
    ] {
        assert!(shown.contains(line), "no {line:?} in {shown}");
    }
    let group = bot.group("Garden").with(&bot.ann);
    let shown = usage(&group).await;
    assert!(
        shown.contains("This conversation, today: 0 tokens"),
        "{shown}"
    );
    assert!(
        !shown.contains("Everybody") && !shown.contains("Bob"),
        "{shown}"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn an_owner_reads_tokens_money_and_names() {
    let settings = [
        ("PRICES__0__MODEL", "fake-1"),
        ("PRICES__0__INPUT", "1.5"),
        ("PRICES__0__OUTPUT", "1.5"),
        ("BUDGET__USER_DAY_MONEY", "2"),
        ("BUDGET__INSTANCE_MONTH_MONEY", "20"),
    ];
    let bot = open(Platform::Telegram, &settings).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    is_answered(&ann, "one").await;
    is_answered(&bob, "two").await;
    is_answered(&bob, "three").await;
    let shown = usage(&ann).await;
    let without_time = shown.lines().filter(|line| !line.starts_with("A new day"));
    let shown: Vec<&str> = without_time.collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    This conversation, today: 10,000 tokens, 0.015 USD, in 1 model call
    You, today: 10,000 of 10,000,000 tokens (9,990,000 left), 0.015 USD of 2.00 USD (1.99 USD left)
    One turn may use 1,000,000 tokens.

    Everybody, today: 30,000 of 50,000,000 tokens (49,970,000 left), 0.045 USD
    Everybody, this month: 30,000 tokens, 0.045 USD of 20.00 USD (19.96 USD left)

    1. Bob: 20,000 tokens, 0.03 USD
    2. Ann: 10,000 tokens, 0.015 USD
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn chinese_is_spoken_where_it_is_wanted() {
    let settings = [("LANGUAGE", "zh-CN"), ("AGENT__ROUTING", "off")];
    let bot = crate::test_bot::TestBot::with(&settings).await;
    costs(&bot, 5_000);
    let chat = bot.direct();
    is_answered(&chat, "你好").await;
    chat.says("/usage details");
    let shown = chat
        .hears_with(|message| message.text.contains("你今天"))
        .await;
    assert!(
        shown
            .text
            .contains("5,000 / 10,000,000 token（剩余 9,995,000）"),
        "{shown}"
    );
    bot.assert_clean();
}
