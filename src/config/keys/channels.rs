//! `[channels]`: the accounts on each platform.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::key::{auto_or_whole, choice, secret, text};
use super::section::Section;
use crate::config::choices::LongAnswers;

/// How it stands in the example.
pub(super) const TELEGRAM: Section =
    Section::of("channels.telegram", TelegramTable::KEYS).written();

/// How it stands in the example.
pub(super) const DISCORD: Section = Section::of("channels.discord", DiscordTable::KEYS)
    .above(
        "Discord. The token is from https://discord.com/developers/applications (your application, Bot).",
        "Discord。令牌来自 https://discord.com/developers/applications（你的应用，Bot）。",
    )
    .below(
        "Further bots, in any number, also without the plain section: each is a channel of its own, called\n\
         `telegram.work` here. Names are of a-z 0-9 _ -; no two bots can have the same token.\n\
         [channels.telegram.work]\n\
         token = \"env:WORK_BOT_TOKEN\" # all keys of [channels.telegram] may stand here",
        "更多机器人，数量不限，也可以没有上面的小节：每个机器人是一个单独的频道，这里叫\n\
         `telegram.work`。名称由 a-z 0-9 _ - 组成；两个机器人不能使用同一个令牌。\n\
         [channels.telegram.work]\n\
         token = \"env:WORK_BOT_TOKEN\" # 可使用 [channels.telegram] 的所有键",
    );

/// How it stands in the example.
pub(super) const TERMINAL: Section = Section::of("channels.terminal", &[]).above(
    "A chat in this terminal; it has no keys. Without any channel, `sayso` opens one by itself.",
    "在此终端中聊天；没有任何键。没有配置任何频道时，`sayso` 会自动打开它。",
);

/// `[channels]`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::config) struct ChannelsTable {
    /// By account; the plain one is `@`.
    #[serde(default)]
    pub(in crate::config) telegram: BTreeMap<String, TelegramTable>,
    /// By account; the plain one is `@`.
    #[serde(default)]
    pub(in crate::config) discord: BTreeMap<String, DiscordTable>,
    pub(in crate::config) terminal: Option<TerminalTable>,
}

declare! {
    /// `[channels.telegram]`
    TelegramTable in "channels.telegram" {
        token: Option<String> = secret()
            .example(r#""env:TELEGRAM_BOT_TOKEN""#)
            .doc("what @BotFather gave you", "@BotFather 给你的令牌"),
        api_url: String = text()
            .default("https://api.telegram.org")
            .doc("another Bot API server, when you run one", "自建 Bot API 服务器时填写其地址"),
        mode: WrittenMode = choice(&["polling", "webhook"])
            .default("polling")
            .doc(
                "polling, or webhook with the three keys below",
                "polling（轮询），或 webhook（需要下面三个键）",
            ),
        webhook_url: Option<String> = text()
            .optional(r#""https://bot.example.org/telegram""#)
            .doc("what Telegram calls; https", "Telegram 调用的地址，必须是 https"),
        listen: Option<String> = text()
            .optional(r#""127.0.0.1:8443""#)
            .doc("where your proxy reaches Sayso", "反向代理访问 Sayso 的地址"),
        secret: Option<String> = secret()
            .optional(r#""env:TELEGRAM_WEBHOOK_SECRET""#)
            .doc("1-256 of A-Z a-z 0-9 _ -", "1-256 个字符：A-Z a-z 0-9 _ -"),
    }
}

/// `[channels.telegram] mode`.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::config) enum WrittenMode {
    Polling,
    Webhook,
}

declare! {
    /// `[channels.discord]`
    DiscordTable in "channels.discord" {
        token: Option<String> = secret()
            .example(r#""env:DISCORD_BOT_TOKEN""#)
            .doc(
                "what the Developer Portal gave you, without the word `Bot`",
                "Developer Portal 给你的令牌，不含单词 `Bot`",
            ),
        api_url: String = text()
            .default("https://discord.com/api/v10")
            .doc(
                "another server that speaks Discord's API, when you run one",
                "自建的兼容 Discord API 的服务器地址",
            ),
        shards: String = auto_or_whole(1, 1024)
            .default("auto")
            .doc(
                "connections that share the servers: auto, or a number",
                "分担各服务器的连接数：auto 或数字",
            ),
        long_answers: LongAnswers = choice(&["messages", "thread"])
            .default("messages")
            .doc(
                "messages below each other, or thread: a thread of their own in servers",
                "messages（逐条发送），或 thread（在服务器里另开子区）",
            ),
    }
}

/// `[channels.terminal]`, which has no keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::config) struct TerminalTable {}
