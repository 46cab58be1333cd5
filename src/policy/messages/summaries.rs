//! What a call does, in the language of its card: tools write it once, in English.

use sayso_core::Language;
use sayso_core::when::schedule_in_words;

use crate::call_facts::Action;

/// How a tool begins what it says of a call, and how a card does, in English and in 简体中文.
const BEGINNINGS: [(&str, &str, &str); 4] = [
    ("remember: ", "remember: ", "记住："),
    ("note: ", "note: ", "记下："),
    ("save to the vault: ", "save as a note: ", "存为笔记："),
    ("config: ", "setting: ", "设置："),
];
/// How a tool begins what it says of a routine; its schedule follows, also one before a change.
const ROUTINE: &str = "routine: ";
/// What stands between the schedules before and after a change.
const CHANGED: &str = " → ";
/// What is done with a routine that is kept, as a sign in front of its number and its schedule.
const DONE: [(&str, &str, &str); 3] = [
    ("▶ #", "switch on the routine: ", "启用例行任务："),
    ("⏸ #", "switch off the routine: ", "停用例行任务："),
    ("🗑 #", "delete the routine: ", "删除例行任务："),
];
/// How the change of a memory begins; the number of the memory follows, and says nothing to people.
const CHANGE: &str = "change memory ";

/// Returns what a call does in one language. A command, a path, an address and what a server
/// defines are never put in other words: a person approves exactly what stands there.
pub(crate) fn summary_in(action: &Action, summary: &str, language: Language) -> String {
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
    if let Some(routine) = summary.strip_prefix(ROUTINE) {
        return routine_in(routine, language);
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

/// Returns a routine with its schedule in words, and without its number.
fn routine_in(routine: &str, language: Language) -> String {
    for (sign, english, chinese) in DONE {
        let kept = routine.strip_prefix(sign);
        if let Some((_, schedule)) = kept.and_then(|rest| rest.split_once(' ')) {
            let done = match language {
                Language::English => english,
                Language::Chinese => chinese,
            };
            return format!("{done}{}", schedule_words(schedule, language));
        }
    }
    let schedules = routine.split(CHANGED);
    let schedules: Vec<String> = schedules
        .map(|schedule| schedule_words(schedule, language))
        .collect();
    let name = match language {
        Language::English => "routine: ",
        Language::Chinese => "例行任务：",
    };
    format!("{name}{}", schedules.join(CHANGED))
}

fn schedule_words(schedule: &str, language: Language) -> String {
    schedule_in_words(schedule, language).unwrap_or_else(|| schedule.to_owned())
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::summary_in;
    use crate::{Action, Reach};

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

    #[test]
    fn row38_a_routine_is_said_in_words_and_without_its_number() {
        let action = Action::Schedule(None);
        let said = |summary: &str, language| summary_in(&action, summary, language);
        for (summary, english, chinese) in [
            (
                "routine: 0 9 * * 1-5",
                "routine: every weekday at 09:00",
                "例行任务：每个工作日 09:00",
            ),
            (
                "routine: 0 9 * * 1-5 → */5 * * * *",
                "routine: every weekday at 09:00 → */5 * * * *",
                "例行任务：每个工作日 09:00 → */5 * * * *",
            ),
            (
                "routine: 🗑 #96035 0 8 * * *",
                "delete the routine: every day at 08:00",
                "删除例行任务：每天 08:00",
            ),
        ] {
            assert_eq!(said(summary, Language::English), english);
            assert_eq!(said(summary, Language::Chinese), chinese);
        }
    }
}
