//! One account on Telegram, the other on Discord: told here, recalled there, once both have said yes.

use super::memory::{recalls, remembers};
use super::{Side, asked, join, part};
use crate::platform::{Chat, Platform};
use crate::test_bot::{ANN, TestBot};
use crate::together;

const ON_DISCORD: i64 = 1_300_000_000_000_000_101;

/// Starts a bot on both platforms, with Ann's accounts on each: her own house on Telegram, a member's
/// on Discord.
async fn at_home_on_both() -> (TestBot, Side, Side) {
    let allowed = format!(r#"["discord:{ON_DISCORD}"]"#);
    let bot = together::both(&[("ACCESS__ALLOW", &*allowed)]).await;
    let (on_telegram, on_discord) = sides(&bot);
    (bot, on_telegram, on_discord)
}

fn sides(bot: &TestBot) -> (Side, Side) {
    let there = bot.discord.person(Platform::Discord.user_id(ANN), "Anna");
    let on_telegram = Side {
        chat: bot.direct(),
        person: bot.ann.clone(),
    };
    let on_discord = Side {
        chat: Chat::Discord(bot.discord.direct(&there)),
        person: there,
    };
    (on_telegram, on_discord)
}

#[tokio::test]
async fn memory_told_on_telegram_is_recalled_on_discord_between_the_second_yes_and_unlink() {
    let (bot, on_telegram, on_discord) = at_home_on_both().await;
    remembers(&bot, &on_telegram, "the green tea is in the blue tin").await;
    let before = recalls(&bot, &on_discord).await;
    assert!(!before.contains("blue"), "{before}");

    let (ours, theirs) = asked(&on_telegram, &on_discord).await;
    assert!(
        ours.text.contains("Anna (discord:1300000000000000101)"),
        "{ours}"
    );
    assert!(theirs.text.contains("Ann (telegram:101)"), "{theirs}");
    on_telegram.presses(&ours, "Confirm").await;
    let between = recalls(&bot, &on_discord).await;
    assert!(
        !between.contains("blue"),
        "one yes is not enough: {between}"
    );
    on_discord.answers(&theirs, "Confirm", "Linked.").await;
    on_telegram.closes(&ours, "Linked with Anna").await;
    on_discord.closes(&theirs, "Linked with Ann").await;
    let after = recalls(&bot, &on_discord).await;
    assert!(after.contains("blue"), "{after}");

    remembers(&bot, &on_discord, "the black tea is in the red tin").await;
    assert!(recalls(&bot, &on_telegram).await.contains("red"));
    part(&on_discord).await;
    let parted = recalls(&bot, &on_discord).await;
    assert!(
        parted.contains("red") && !parted.contains("blue"),
        "{parted}"
    );
    let kept = recalls(&bot, &on_telegram).await;
    assert!(kept.contains("blue") && !kept.contains("red"), "{kept}");
    bot.assert_clean();
}

#[tokio::test]
async fn a_code_from_discord_links_too_and_each_account_keeps_its_role() {
    let (bot, on_telegram, on_discord) = at_home_on_both().await;
    join(&on_discord, &on_telegram).await;
    let here = on_telegram.asks("/whoami").await;
    let there = on_discord.asks("/whoami").await;
    insta::assert_snapshot!(format!("{here}\n--\n{there}"), @r"
    You are Ann, my owner (telegram:101).
    Linked with:

    • Anna (discord:1300000000000000101)
    --
    You are Anna, a member (discord:1300000000000000101).
    Linked with:

    • Ann (telegram:101)
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_link_across_platforms_survives_a_kill() {
    let (mut bot, on_telegram, on_discord) = at_home_on_both().await;
    remembers(&bot, &on_telegram, "the green tea is in the blue tin").await;
    let (ours, theirs) = asked(&on_telegram, &on_discord).await;
    on_telegram.presses(&ours, "Confirm").await;
    bot.crash_when_noted().await;
    bot.discord.waits_for_identifies(2).await;
    together::hears_discord(&bot).await;
    on_discord.answers(&theirs, "Confirm", "Linked.").await;
    bot.crash_when_noted().await;
    bot.discord.waits_for_identifies(3).await;
    together::hears_discord(&bot).await;
    let after = recalls(&bot, &on_discord).await;
    assert!(after.contains("blue"), "{after}");
    bot.assert_clean();
}
