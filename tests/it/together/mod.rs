//! One Sayso on both platforms at once: a Telegram and a Discord account in one process.

/// Strangers on one platform, owners on the other.
mod strangers;
/// What is said on one platform stays there.
mod talking;

use crate::house::{House, found};
use crate::platform::{Chat, Platform};

/// Opens a house on both platforms: Telegram is its own, Discord stands beside it. Ann owns it on
/// Telegram, everybody else whom `with_discord` names is a stranger.
pub async fn both(settings: &[(&str, &str)]) -> House {
    let mut house = House::closed(settings).await;
    with_discord(&mut house);
    house.start();
    hears_discord(&house).await;
    house
}

/// Gives the house a Discord account at its next start.
pub fn with_discord(house: &mut House) {
    let (token, url) = (house.discord.token(), house.discord.url());
    house.set("CHANNELS__DISCORD__TOKEN", token);
    house.set("CHANNELS__DISCORD__API_URL", &url);
}

/// Waits until people may speak and press on Discord.
pub async fn hears_discord(house: &House) {
    house.discord.waits_for_sessions(1).await;
    // What is said with a slash before that is no command.
    let menu = found(|| (!house.discord.commands().is_empty()).then_some(())).await;
    assert!(menu.is_some(), "no commands:\n{}", house.log());
}

/// The direct chat on Discord of the person whom the tests know by this small number.
pub fn direct_on_discord(house: &House, number: i64, name: &str) -> Chat {
    let person = house
        .discord
        .person(Platform::Discord.user_id(number), name);
    Chat::Discord(house.discord.direct(&person))
}
