//! What `/help`, `/new` and `/whoami` say.

use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::{Command, Inbound};
use sayso_core::transcript::Role;

use super::plain;

/// `/help`: what to try, in four groups.
pub fn help(language: Language) -> &'static str {
    match language {
        English => {
            "I am Sayso. Tell me what you need in your own words; I ask before anything risky.\n\n\
             **Try:** “Sort the photos in my folder by year” · “Remember that I am allergic to peanuts” · “Summarize this PDF” (send it along)\n\n\
             **While I work:** /stop, or just write what has changed · /undo takes back file changes\n\
             **About you:** /memory what I remember · /forget · /language · /new for a new conversation\n\
             **What I may do:** /autonomy · /grants · /skills · /usage · /status"
        }
        Chinese => {
            "我是 Sayso。直接说你需要什么；有风险的操作我会先问。\n\n\
             **试试：**“把我文件夹里的照片按年份整理” · “记住我对花生过敏” · “总结这个 PDF”（把文件一起发来）\n\n\
             **我在忙的时候：**/stop 停止，或直接写有什么变化 · /undo 撤销对文件的改动\n\
             **关于你：**/memory 我记住了什么 · /forget 忘掉 · /language 语言 · /new 开始新的对话\n\
             **我能做什么：**/autonomy · /grants · /skills · /usage · /status"
        }
    }
}

/// `/help` for guests.
pub fn guest_help(language: Language) -> &'static str {
    match language {
        English => "I am Sayso. You can chat with me here; tools and files are not part of it.",
        Chinese => "我是 Sayso。你可以在这里和我聊天，但不能使用工具和文件。",
    }
}

/// `/help`, with every command.
pub fn all_commands(commands: &[Command], language: Language) -> String {
    let lines: Vec<String> = commands
        .iter()
        .map(|command| match language {
            English => format!("/{} – {}", command.name, command.english),
            Chinese => format!("/{} – {}", command.name, command.chinese),
        })
        .collect();
    lines.join("\n")
}

/// A guest used a command that is not for guests.
pub fn not_for_guests(language: Language) -> String {
    match language {
        English => {
            "You can chat with me here, but this command is not part of it. /help lists yours."
        }
        Chinese => "你可以在这里和我聊天，但不能使用这个命令。/help 列出你可以用的命令。",
    }
    .to_owned()
}

/// `/new`.
pub fn begun_anew(language: Language) -> String {
    match language {
        English => "New conversation. I still remember what you told me to; permissions are reset."
            .to_owned(),
        Chinese => "新对话开始。我记住的内容还在，许可已重置。".to_owned(),
    }
}

/// `/whoami`, with the accounts that the same person has.
pub fn who_am_i(inbound: &Inbound, role: Role, linked: &[String], language: Language) -> String {
    let account = format!("{}:{}", inbound.address.channel, inbound.sender.key);
    let name = plain(&inbound.sender.name);
    let who = match (role, language) {
        (Role::Owner, English) => format!("You are {name}, my owner (`{account}`)."),
        (Role::Owner, Chinese) => format!("你是 {name}，我的管理者（`{account}`）。"),
        (Role::Member, English) => format!("You are {name}, a member (`{account}`)."),
        (Role::Member, Chinese) => format!("你是 {name}，成员（`{account}`）。"),
        (Role::Guest, English) => {
            format!(
                "You are {name}, a guest (`{account}`): you can chat with me, without my tools."
            )
        }
        (Role::Guest, Chinese) => {
            format!("你是 {name}，访客（`{account}`）：可以和我聊天，不能使用工具。")
        }
    };
    if linked.is_empty() {
        return who;
    }
    let linked = linked.join("\n");
    match language {
        English => format!("{who}\nLinked with:\n{linked}"),
        Chinese => format!("{who}\n已关联：\n{linked}"),
    }
}
