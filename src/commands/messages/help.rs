//! What `/help`, `/new` and `/whoami` say.

use sayso_channel::{Command, Inbound};
use sayso_channel::{Language, text};
use sayso_core::transcript::Role;

use super::plain;

/// `/help`: what to try, in four groups.
pub fn help(language: Language) -> &'static str {
    text!(language, "commands-help")
}

/// `/help` for guests.
pub fn guest_help(language: Language) -> &'static str {
    text!(language, "commands-guest-help")
}

/// `/help`, with every command.
pub fn all_commands(commands: &[Command], language: Language) -> String {
    let lines: Vec<String> = commands
        .iter()
        .map(|command| {
            text!(
                language,
                "commands-help-all-commands",
                name = command.name,
                said = match language {
                    Language::English => command.english,
                    Language::Chinese => command.chinese,
                }
            )
        })
        .collect();
    lines.join("\n")
}

/// A guest used a command that is not for guests.
pub fn not_for_guests(language: Language) -> String {
    text!(language, "commands-help-not-for-guests").to_owned()
}

/// `/new`.
pub fn begun_anew(language: Language) -> String {
    text!(language, "commands-help-begun-anew").to_owned()
}

/// `/whoami`, with the accounts that the same person has.
pub fn who_am_i(inbound: &Inbound, role: Role, linked: &[String], language: Language) -> String {
    let account = format!("{}:{}", inbound.address.channel, inbound.sender.key);
    let name = plain(&inbound.sender.name);
    let who = match role {
        Role::Owner => text!(language, "commands-help-who-am-i-who-owner", name, account),
        Role::Member => text!(language, "commands-help-who-am-i-who-member", name, account),
        Role::Guest => text!(language, "commands-help-who-am-i-who-guest", name, account),
    };
    if linked.is_empty() {
        return who;
    }
    let linked = linked.join("\n");
    text!(language, "commands-help-who-am-i", who, linked)
}
