//! What the commands say of MCP servers.

use std::collections::BTreeSet;

use sayso_channel::{Language, text};

/// `/status`: which MCP servers wait for a login, and what to do.
pub fn wait_for_logins(names: &BTreeSet<String>, language: Language) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let commands: Vec<String> = names
        .iter()
        .map(|name| format!("`sayso mcp login {name}`"))
        .collect();
    Some(text!(
        language,
        "commands-mcp-wait-for-logins",
        commands = commands.join(text!(language, "list-names"))
    ))
}

/// `/status`: which tools no model is offered, and where the reasons are.
pub fn tools_left_out(names: &BTreeSet<String>, language: Language) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Some(text!(
        language,
        "commands-mcp-tools-left-out",
        names = names.join(text!(language, "list-names"))
    ))
}
