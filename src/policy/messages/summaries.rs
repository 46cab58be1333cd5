//! What a call does, in the language of its card: tools write it once, in English.

use sayso_channel::Language;

use crate::policy::call_facts::Action;

/// How a tool begins what it says of a call, and how a card does, in English and in 简体中文.
const BEGINNINGS: [(&str, &str, &str); 5] = [
    ("remember: ", "remember: ", "记住："),
    ("note: ", "note: ", "记下："),
    ("save to the vault: ", "save as a note: ", "存为笔记："),
    ("routine: ", "at set times: ", "定时："),
    ("config: ", "setting: ", "设置："),
];
/// How the change of a memory begins; the number of the memory follows, and says nothing to people.
const CHANGE: &str = "change memory ";

/// Returns what a call does in one language. A command, a path, an address and what a server
/// defines are never put in other words: a person approves exactly what stands there.
pub fn summary_in(action: &Action, summary: &str, language: Language) -> String {
    let is_ours = match action {
        Action::Remember { .. } | Action::Schedule(_) | Action::Configure => true,
        Action::Internal
        | Action::Read { .. }
        | Action::Write { .. }
        | Action::Fetch { .. }
        | Action::Mcp { .. }
        | Action::Exec { .. } => false,
    };
    if !is_ours {
        return summary.to_owned();
    }
    let changed = summary.strip_prefix(CHANGE);
    if let Some((_, text)) = changed.and_then(|rest| rest.split_once(": ")) {
        return match language {
            Language::English => format!("change what I remember to: {text}"),
            Language::Chinese => format!("把记忆改为：{text}"),
        };
    }
    let mut beginnings = BEGINNINGS.iter();
    let translated = beginnings.find_map(|(begins, english, chinese)| {
        let rest = summary.strip_prefix(begins)?;
        let begins = match language {
            Language::English => english,
            Language::Chinese => chinese,
        };
        Some(format!("{begins}{rest}"))
    });
    translated.unwrap_or_else(|| summary.to_owned())
}

#[cfg(test)]
mod tests {
    use super::summary_in;
    use crate::policy::{Action, Reach};
    use sayso_channel::Language;

    #[test]
    fn a_chinese_card_says_what_is_remembered_in_chinese_and_leaves_paths_alone() {
        let memory = Action::Remember {
            is_suspicious: false,
            text: None,
        };
        let said = |action: &Action, language| summary_in(action, "remember: tea", language);
        assert_eq!(said(&memory, Language::Chinese), "记住：tea");
        assert_eq!(said(&memory, Language::English), "remember: tea");
        let file = Action::Write {
            path: Reach::Inside("remember: tea".into()),
        };
        assert_eq!(said(&file, Language::Chinese), "remember: tea");
    }
}
