//! What `/help`, `/new` and `/whoami` say.

use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::{Command, Inbound};

use crate::transcript::Role;

/// `/help`.
pub fn help(commands: &[Command], role: Role, language: Language) -> String {
    let head = match (role, language) {
        (Role::Guest, English) => {
            "I am Sayso. You can chat with me here; tools and files are not part of it."
        }
        (Role::Guest, Chinese) => "我是 Sayso。你可以在这里和我聊天，但不能使用工具和文件。",
        (Role::Member | Role::Owner, English) => {
            "I am Sayso. Tell me what you need in your own words: I can run commands, read and write files in your workspace, remember things for you, and I ask before anything risky."
        }
        (Role::Member | Role::Owner, Chinese) => {
            "我是 Sayso。直接说需要什么：我可以执行命令、读写你工作区里的文件、替你记住事情，有风险的操作会先询问。"
        }
    };
    let lines: Vec<String> = commands
        .iter()
        .map(|command| match language {
            English => format!("/{} – {}", command.name, command.english),
            Chinese => format!("/{} – {}", command.name, command.chinese),
        })
        .collect();
    format!("{head}\n\n{}", lines.join("\n"))
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
        English => "A new conversation. What was said before is out of view, and what was always allowed here is revoked.".to_owned(),
        Chinese => "开始新的对话。之前的内容不再参考，在这里“总是允许”的也已撤销。".to_owned(),
    }
}

/// `/whoami`, with the accounts that the same person has.
pub fn who_am_i(inbound: &Inbound, role: Role, linked: &[String], language: Language) -> String {
    let account = format!("{}:{}", inbound.address.channel, inbound.sender.key);
    let role = match (role, language) {
        (Role::Owner, English) => "owner",
        (Role::Owner, Chinese) => "管理者",
        (Role::Member, English) => "member",
        (Role::Member, Chinese) => "成员",
        (Role::Guest, English) => "guest: you can chat with me, without my tools",
        (Role::Guest, Chinese) => "访客：可以和我聊天，不能使用工具",
    };
    let who = match language {
        English => format!("You are `{account}`, and your role is **{role}**."),
        Chinese => format!("你是 `{account}`，身份：**{role}**。"),
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
