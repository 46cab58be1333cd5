//! How a channel is, where its own crate cannot say it: read in `/status`, `/health` and `doctor`;
//! what the operator reads at the terminal; and what the bot says of itself before a chat begins.

use sayso_channel::Language;
use sayso_channel::text;
use sayso_channel::{BotAccount, BotLink, ChannelError, ChannelName};

/// Somebody else has the lease of the token.
pub fn token_is_taken() -> &'static str {
    "another Sayso listens with this token; this one takes over when that one ends"
}

/// The lease cannot be asked for; why is in the log.
pub fn store_does_not_answer() -> &'static str {
    "the database does not take what is written; the log says why"
}

/// Listening ended by itself.
pub fn ended_unasked() -> &'static str {
    "it ended although nobody asked it to"
}

/// Listening panicked.
pub fn broke_down() -> &'static str {
    "it broke down; this is a fault of Sayso"
}

/// What the operator does about a refused token.
pub fn hint_for_a_refused_token() -> &'static str {
    "put a valid token into the configuration and restart"
}

/// What follows from the end of a channel for everybody else.
pub fn hint_for_the_others() -> &'static str {
    "the other channels go on"
}

/// Whether other channels live when one has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// They go on.
    GoOn,
    /// There are none.
    None,
}

/// What an empty chat with the bot shows, in English and 简体中文.
#[cfg(any(feature = "telegram", test))]
pub const DESCRIPTION: [&str; 2] = [
    "Hi! I am a personal assistant and run on my owner's own computer.\n\nTell me in your own words what you need: find something out, write a text, sort files, remember a date. Before I do anything that could go wrong, I ask.\n\nPress Start to begin.",
    "你好！我是一位个人助手，运行在管理者自己的电脑上。\n\n需要什么直接说：查资料、写文章、整理文件、记住日子。可能出错的事，我会先问过再做。\n\n点击“开始”即可。",
];

/// What the profile of the bot shows, in English and 简体中文.
#[cfg(any(feature = "telegram", test))]
pub const SHORT_DESCRIPTION: [&str; 2] = [
    "A personal assistant on my owner's own computer. I ask before I do anything risky.",
    "运行在管理者自己电脑上的个人助手，有风险的事会先问。",
];

/// The name of a platform as people write it.
fn display_name(platform: &str) -> &str {
    match platform {
        "telegram" => "Telegram",
        "discord" => "Discord",
        other => other,
    }
}

/// A bot can be written to.
pub fn online(
    platform: &str,
    account: &BotAccount,
    at_terminal: bool,
    language: Language,
) -> String {
    let (name, platform) = (&account.name, display_name(platform));
    let stop = if at_terminal {
        text!(language, "app-online-stop")
    } else {
        ""
    };
    match &account.link {
        BotLink::Chat(link) => text!(language, "app-online-chat", name, link, stop),
        BotLink::Invite(link) => text!(language, "app-online-invite", name, platform, stop, link),
        BotLink::None => text!(language, "app-online", name, platform, stop),
    }
}

/// The bot has no owner yet, and this makes one.
pub fn unowned(account: &BotAccount, code: &str, language: Language) -> String {
    let name = &account.name;
    match &account.link {
        BotLink::Chat(link) => text!(language, "app-unowned-chat", link, code, name),
        BotLink::Invite(_) | BotLink::None => {
            text!(language, "app-unowned-invite-code", name, code)
        }
    }
}

/// Another program listens with the token of a channel.
pub fn contested(name: &ChannelName, language: Language) -> String {
    text!(language, "app-contested", name = name.to_string())
}

/// A channel cannot go on.
pub fn channel_failed(
    name: &ChannelName,
    error: &ChannelError,
    others: Others,
    language: Language,
) -> String {
    let why = match error {
        ChannelError::Unauthorized(_) => token_refused(name, language),
        ChannelError::Rejected(why) => stopped(name, why, language),
        error => stopped(name, &error.to_string(), language),
    };
    let rest = match others {
        Others::GoOn => text!(language, "app-channel-failed-rest-go-on"),
        Others::None => "",
    };
    format!("{why}{rest}")
}

fn stopped(name: &ChannelName, why: &str, language: Language) -> String {
    let platform = display_name(name.platform());
    text!(language, "app-stopped", platform, why)
}

fn token_refused(name: &ChannelName, language: Language) -> String {
    let platform = display_name(name.platform());
    let said = match name.platform() {
        "telegram" => text!(language, "app-token-refused"),
        "discord" => text!(language, "app-token-refused-2"),
        _ => "",
    };
    let key = format!("channels.{name}");
    text!(language, "app-token-refused-3", platform, key, said)
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language::{Chinese, English};

    use super::*;

    #[test]
    fn u24_the_start_says_who_is_online_and_how_to_reach_it() {
        let telegram = BotAccount {
            name: "@saybot".to_owned(),
            link: BotLink::Chat("https://t.me/saybot".to_owned()),
        };
        let discord = BotAccount {
            name: "saybot".to_owned(),
            link: BotLink::Invite("https://discord.com/x".to_owned()),
        };
        let mut lines = Vec::new();
        for language in [English, Chinese] {
            lines.push(online("telegram", &telegram, true, language));
            lines.push(online("discord", &discord, false, language));
            lines.push(unowned(&telegram, "ABCD2345", language));
            lines.push(unowned(&discord, "ABCD2345", language));
            lines.push(contested(&"telegram".into(), language));
        }
        insta::assert_snapshot!(lines.join("\n"), @r"
        ✓ @saybot is online: https://t.me/saybot (Ctrl-C stops)
        ✓ saybot is online on Discord. Add it to a server: https://discord.com/x
          It has no owner yet. To become its owner, open this link within an hour:
          https://t.me/saybot?start=ABCD2345
          or send @saybot the message: /start ABCD2345
          It has no owner yet. To become its owner, send saybot this direct message within an hour: /start ABCD2345
        warning: another program uses the token of `channels.telegram`, so messages do not arrive here. Stop it, or give Sayso a bot of its own. I keep trying.
        ✓ @saybot 已上线：https://t.me/saybot（Ctrl-C 停止）
        ✓ saybot 已在 Discord 上线。添加到服务器：https://discord.com/x
          还没有管理者。要成为管理者，请在一小时内打开此链接：
          https://t.me/saybot?start=ABCD2345
          或向 @saybot 发送：/start ABCD2345
          还没有管理者。要成为管理者，请在一小时内私信 saybot：/start ABCD2345
        注意：另一个程序正在使用 `channels.telegram` 的令牌，这里收不到消息。请停止那个程序，或让 Sayso 使用单独的机器人。我会继续尝试。
        ");
    }

    #[test]
    fn u5_a_channel_that_cannot_go_on_says_what_to_do() {
        let refused = ChannelError::Unauthorized("401".to_owned());
        let intent = ChannelError::Rejected("Discord does not allow an intent".to_owned());
        let mut lines = Vec::new();
        for language in [English, Chinese] {
            let said =
                |name: &str, error, others| channel_failed(&name.into(), error, others, language);
            lines.push(said("telegram", &refused, Others::None));
            lines.push(said("discord.work", &refused, Others::GoOn));
            lines.push(said("discord", &intent, Others::None));
        }
        insta::assert_snapshot!(lines.join("\n"), @r"
        error: Telegram rejects the token of `channels.telegram`. Copy it again from @BotFather (/mybots → API Token).
        error: Discord rejects the token of `channels.discord.work`. Make a new one in the Developer Portal (your application → Bot → Reset Token). The other channels go on.
        error: Discord cannot go on: Discord does not allow an intent.
        错误：Telegram 不接受 `channels.telegram` 的令牌，请在 @BotFather（/mybots → API Token）重新复制。
        错误：Discord 不接受 `channels.discord.work` 的令牌，请在 Developer Portal（你的应用 → Bot → Reset Token）生成新的令牌。其他渠道继续运行。
        错误：Discord 无法继续：“Discord does not allow an intent”。
        ");
    }

    #[test]
    fn u24_descriptions_keep_the_limits_of_telegram() {
        for (texts, limit) in [(DESCRIPTION, 512), (SHORT_DESCRIPTION, 120)] {
            for text in texts {
                assert!(text.encode_utf16().count() <= limit, "{text}");
            }
        }
    }
}
