//! `[access]`: who is let in, and how much each may send.

use std::num::NonZeroU32;

use super::key::{switch, texts, whole};

declare! {
    /// `[access]`
    AccessTable in "access" {
        owners: Vec<String> = texts()
            .default("")
            .doc(
                r#"operators, e.g. "telegram:12345"; when empty, the first pairing makes the owner"#,
                r#"管理者，例如 "telegram:12345"；为空时第一个配对的人成为管理者"#,
            ),
        allow: Vec<String> = texts()
            .default("")
            .doc(
                r#"members, e.g. "telegram:67890", "discord:role:24680"; "telegram:*" admits all accounts"#,
                r#"成员，例如 "telegram:67890"、"discord:role:24680"；"telegram:*" 允许所有账号"#,
            ),
        pairing: bool = switch()
            .default("true")
            .doc(
                "strangers may ask to be let in; an owner decides",
                "陌生人可以申请加入，由管理者决定",
            ),
        autonomy: Vec<String> = texts()
            .default("")
            .doc(
                r#"levels of single accounts, above agent.autonomy or below it: "telegram:67890=read_only""#,
                r#"单个账号的自主级别，可高于或低于 agent.autonomy："telegram:67890=read_only""#,
            ),
        messages_per_minute: NonZeroU32 = whole(1, 600)
            .default("30")
            .doc(
                "messages that one user may send in a minute; more are skipped with a notice",
                "每个用户每分钟可发送的消息数；超出的会被跳过并提示",
            ),
        commands_per_minute: NonZeroU32 = whole(1, 600)
            .default("30")
            .doc(
                "commands that one user may send in a minute",
                "每个用户每分钟可发送的命令数",
            ),
    }
}
