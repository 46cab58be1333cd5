//! What a call does, in the language of its card.

use sayso_core::when::schedule_in_words;
use sayso_core::{Language, text};

use crate::summary::{RoutineChange, RoutineState, Summary};

/// Returns what a call does in one language. What is verbatim is never put in other words.
pub(crate) fn summary_in(summary: &Summary, language: Language) -> String {
    let (begins, rest) = match summary {
        Summary::Verbatim(text) => ("", text.as_str()),
        Summary::Remember(text) => (
            text!(language, "policy-summaries-summary-in-remember"),
            text.as_str(),
        ),
        Summary::ChangeMemory { text, .. } => (
            text!(language, "policy-summaries-summary-in-change-memory"),
            text.as_str(),
        ),
        Summary::Note(text) => (
            text!(language, "policy-summaries-summary-in-note"),
            text.as_str(),
        ),
        Summary::SaveNote(title) => (
            text!(language, "policy-summaries-summary-in-save-note"),
            title.as_str(),
        ),
        Summary::SetKey(key) => (
            text!(language, "policy-summaries-summary-in-set-key"),
            key.as_str(),
        ),
        Summary::RestoreKey(key) => (
            text!(language, "policy-summaries-summary-in-restore-key"),
            key.as_str(),
        ),
        Summary::Routine(change) => return routine_in(change, language),
    };
    format!("{begins}{rest}")
}

/// Returns what happens to a routine, with its schedule in words and without its number.
fn routine_in(change: &RoutineChange, language: Language) -> String {
    let words = |schedule: &String| {
        schedule_in_words(schedule, language).unwrap_or_else(|| schedule.clone())
    };
    let name = text!(language, "policy-summaries-routine-in-name");
    match change {
        RoutineChange::Create { schedule } => format!("{name}{}", words(schedule)),
        RoutineChange::Remind { schedule } => {
            let name = text!(language, "policy-summaries-remind");
            format!("{name}{}", words(schedule))
        }
        RoutineChange::Update { before, after } => {
            format!("{name}{} → {}", words(before), words(after))
        }
        RoutineChange::Switch { to, schedule, .. } => {
            let done = match to {
                RoutineState::On => text!(language, "policy-summaries-routine-in-done-on"),
                RoutineState::Off => text!(language, "policy-summaries-routine-in-done-off"),
                RoutineState::Deleted => {
                    text!(language, "policy-summaries-routine-in-done-deleted")
                }
            };
            format!("{done}{}", words(schedule))
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;
    use sayso_core::transcript::MemoryId;

    use super::summary_in;
    use crate::summary::{RoutineChange, RoutineState, Summary};

    #[track_caller]
    fn check(summary: &Summary, bound: &str, english: &str, chinese: &str) {
        assert_eq!(summary.to_string(), bound);
        assert_eq!(summary_in(summary, Language::English), english);
        assert_eq!(summary_in(summary, Language::Chinese), chinese);
    }

    #[test]
    fn a_chinese_card_says_what_is_remembered_in_chinese_and_leaves_paths_alone() {
        let tea = "tea".to_owned();
        check(
            &Summary::Remember(tea.clone()),
            "remember: tea",
            "remember: tea",
            "记住：tea",
        );
        let path = "remember: tea";
        check(&Summary::from(path), path, path, path);
        check(
            &Summary::ChangeMemory {
                id: MemoryId(5),
                text: "a: b".to_owned(),
            },
            "change memory 5: a: b",
            "change what I remember to: a: b",
            "把记忆改为：a: b",
        );
        check(
            &Summary::Note(tea.clone()),
            "note: tea",
            "note: tea",
            "记下：tea",
        );
        check(
            &Summary::SaveNote(tea),
            "save to the vault: tea",
            "save as a note: tea",
            "存为笔记：tea",
        );
    }

    #[test]
    fn a_key_is_named_as_it_is_written() {
        let key = || "agent.max_steps".to_owned();
        check(
            &Summary::SetKey(key()),
            "config: agent.max_steps",
            "setting: agent.max_steps",
            "设置：agent.max_steps",
        );
        check(
            &Summary::RestoreKey(key()),
            "config: ↩ agent.max_steps",
            "setting: ↩ agent.max_steps",
            "设置：↩ agent.max_steps",
        );
    }

    #[test]
    fn row38_a_routine_is_said_in_words_and_without_its_number() {
        let weekdays = || "0 9 * * 1-5".to_owned();
        let create = RoutineChange::Create {
            schedule: weekdays(),
        };
        check(
            &Summary::Routine(create),
            "routine: 0 9 * * 1-5",
            "routine: every weekday at 09:00",
            "例行任务：每个工作日 09:00",
        );
        let update = RoutineChange::Update {
            before: weekdays(),
            after: "*/5 * * * *".to_owned(),
        };
        check(
            &Summary::Routine(update),
            "routine: 0 9 * * 1-5 → */5 * * * *",
            "routine: every weekday at 09:00 → */5 * * * *",
            "例行任务：每个工作日 09:00 → */5 * * * *",
        );
        for (to, bound, english, chinese) in [
            (
                RoutineState::Deleted,
                "routine: 🗑 #96035 0 8 * * *",
                "delete the routine: every day at 08:00",
                "删除例行任务：每天 08:00",
            ),
            (
                RoutineState::On,
                "routine: ▶ #96035 0 8 * * *",
                "switch on the routine: every day at 08:00",
                "启用例行任务：每天 08:00",
            ),
            (
                RoutineState::Off,
                "routine: ⏸ #96035 0 8 * * *",
                "switch off the routine: every day at 08:00",
                "停用例行任务：每天 08:00",
            ),
        ] {
            let switch = RoutineChange::Switch {
                to,
                id: 96035,
                schedule: "0 8 * * *".to_owned(),
            };
            check(&Summary::Routine(switch), bound, english, chinese);
        }
    }
}
