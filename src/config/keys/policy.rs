//! `[policy]`: what may be done without asking, and what never.

use sayso_policy::{MembersNetwork, MembersSystem, SandboxMode, SandboxedCommands};

use super::key::{choice, switch, text, texts, whole};

declare! {
    /// `[policy]`
    PolicyTable in "policy" {
        allow_commands: Vec<String> = texts()
            .default("")
            .doc(
                r#"programs that `full` may run, e.g. "git"; a yes of yours is not bound by it"#,
                r#"`full` 级别可运行的程序，例如 "git"；你亲自批准的不受此限"#,
            ),
        allow_hosts: Vec<String> = texts()
            .default("")
            .doc(
                r#"hosts that are read without asking, e.g. "example.org", "*.example.org", "example.org:8443""#,
                r#"无需询问即可读取的主机，例如 "example.org"、"*.example.org"、"example.org:8443""#,
            ),
        ask_hosts: Vec<String> = texts()
            .default("")
            .doc("hosts that are always asked about", "始终要询问的主机"),
        deny_hosts: Vec<String> = texts()
            .default("")
            .doc("hosts that are never asked for anything", "绝不访问的主机"),
        allow_network: bool = switch()
            .default("false")
            .doc(
                "let commands use the network without asking for that alone, and `full` at all",
                "命令使用网络时不再单独询问，并允许 `full` 使用网络",
            ),
        confirm_write: bool = switch()
            .default("true")
            .doc("ask before writing a file", "写文件前询问"),
        confirm_exec: bool = switch()
            .default("true")
            .doc("ask before running a command", "运行命令前询问"),
        sandbox: SandboxMode = choice(&["require", "prefer", "off"])
            .default("require")
            .doc(
                "require (commands run confined by the kernel, or not at all), prefer (as far as it can), off",
                "require（命令受内核限制，否则不运行）、prefer（尽可能限制）、off",
            ),
        sandboxed_commands: SandboxedCommands = choice(&["ask", "allow"])
            .default("ask")
            .doc(
                "ask, or allow: what the kernel keeps in the workspace, without network, runs unasked unless it deletes",
                "ask，或 allow：被内核限制在工作区内且不联网的命令，只要不删除内容就无需询问",
            ),
        members_system: MembersSystem = choice(&["owner", "deny"])
            .default("owner")
            .doc(
                "who approves calls beyond a member's own space: owner, or deny (such calls are refused)",
                "成员的调用超出自己的空间时由谁批准：owner，或 deny（拒绝此类调用）",
            ),
        members_network: MembersNetwork = choice(&["asker", "owner", "deny"])
            .default("owner")
            .doc(
                "who approves a member's command with the network: asker (the member), owner, or deny (such calls are refused)",
                "成员的联网命令由谁批准：asker（成员本人）、owner，或 deny（拒绝此类调用）",
            ),
        rules: Option<String> = text()
            .optional(r#""rules.toml""#)
            .doc(
                "command rules of your own, beside this file; see rules.example.toml",
                "你自己的命令规则，与本文件放在一起；参见 rules.example.toml",
            ),
        approval_expires_secs: u64 = whole(10, 604_800)
            .default("1800")
            .doc("how long a question waits for its answer", "一个询问等待回答的时间"),
    }
}
