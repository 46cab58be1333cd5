//! One Sayso on both platforms at once: a Telegram and a Discord account in one process.

/// Strangers on one platform, owners on the other.
mod strangers;
/// What is said on one platform stays there.
mod talking;

use crate::platform::{Chat, Platform};
use crate::test_bot::{TestBot, found};

/// Starts a bot on both platforms: Telegram is its own, Discord stands beside it. Ann owns it on
/// Telegram, everybody else whom `with_discord` names is a stranger.
pub async fn both(settings: &[(&str, &str)]) -> TestBot {
    let mut bot = TestBot::closed(settings).await;
    with_discord(&mut bot);
    bot.start();
    hears_discord(&bot).await;
    bot
}

/// Gives the bot a Discord account at its next start.
pub fn with_discord(bot: &mut TestBot) {
    let (token, url) = (bot.discord.token(), bot.discord.url());
    bot.set("CHANNELS__DISCORD__TOKEN", token);
    bot.set("CHANNELS__DISCORD__API_URL", &url);
}

/// Waits until people may speak and press on Discord.
pub async fn hears_discord(bot: &TestBot) {
    bot.discord.waits_for_sessions(1).await;
    // What is said with a slash before that is no command.
    let menu = found(|| (!bot.discord.commands().is_empty()).then_some(())).await;
    assert!(menu.is_some(), "no commands:\n{}", bot.log());
}

/// The direct chat on Discord of the person whom the tests know by this small number.
pub fn direct_on_discord(bot: &TestBot, number: i64, name: &str) -> Chat {
    let person = bot.discord.person(Platform::Discord.user_id(number), name);
    Chat::Discord(bot.discord.direct(&person))
}
