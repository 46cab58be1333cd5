//! What the commands say of MCP servers.

use std::collections::BTreeSet;

use sayso_channel::Language::{self, Chinese, English};

/// `/status`: which MCP servers wait for a login, and what to do.
pub fn wait_for_logins(names: &BTreeSet<String>, language: Language) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let commands: Vec<String> = names
        .iter()
        .map(|name| format!("`sayso mcp login {name}`"))
        .collect();
    Some(match language {
        English => format!(
            "MCP servers that wait for a login; on the machine that I run on: {}",
            commands.join(", ")
        ),
        Chinese => format!(
            "有 MCP 服务器在等待登录；请在我运行的机器上执行：{}",
            commands.join("、")
        ),
    })
}

/// `/status`: which tools no model is offered, and where the reasons are.
pub fn tools_left_out(names: &BTreeSet<String>, language: Language) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Some(match language {
        English => format!(
            "Tools that I leave out, because they or their schemas cannot be used; the log says why: {}",
            names.join(", ")
        ),
        Chinese => format!(
            "以下工具或其参数定义无法使用，因此未启用，原因见日志：{}",
            names.join("、")
        ),
    })
}
