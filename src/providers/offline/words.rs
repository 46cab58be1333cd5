//! What the offline model says, in English and Chinese.

use sayso_core::transcript::{ToolCall, ToolOutcome};
use sayso_core::{Language, text};

use super::intents::Intent;

/// The most lines of a result that are quoted.
const QUOTED_LINES: usize = 12;

/// The most characters of a result that are quoted.
const QUOTED_CHARS: usize = 1200;

const GREETINGS: [&str; 8] = ["hello", "hi", "hey", "help", "你好", "您好", "帮助", "嗨"];

/// Returns whether a text is a greeting, or asks for help.
pub(super) fn greets(said: &str) -> bool {
    let greeting = said
        .trim()
        .trim_end_matches(['.', '!', '?', '。', '！', '？'])
        .to_lowercase();
    GREETINGS.contains(&greeting.as_str())
}

/// Says what it can do with a guide that Phase 1 chose: quote it.
pub(super) fn guide(name: &str, text: &str, language: Language) -> String {
    let beginning = quoted(text, language);
    text!(language, "offline-words-guide", name, beginning)
}

/// Says what it is, what it knows, and how to get a real model.
pub(super) fn introduction(said: &str, language: Language) -> String {
    let understood = greets(said);
    {
        let first = if understood {
            text!(language, "offline-words-introduction-first")
        } else {
            text!(language, "offline-words-introduction-again")
        };
        text!(
            language,
            "offline-words-introduction",
            first,
            known = text!(language, "offline-words-known")
        )
    }
}

/// Says what it is about to do, and what it has no tool for.
pub(super) fn plan(possible: &[Intent], missing: &[Intent], language: Language) -> String {
    let steps = possible.iter().map(|intent| step(intent, language));
    let gaps = missing
        .iter()
        .map(|intent| text!(language, "offline-words-plan-gaps", tool = intent.tool()));
    steps.chain(gaps).collect::<Vec<_>>().join("\n")
}

fn step(intent: &Intent, language: Language) -> String {
    match intent {
        Intent::Run(command) => text!(language, "offline-words-step-run", command),
        Intent::Read(path) => text!(language, "offline-words-step-read", path),
        Intent::List(path) if path == "." => text!(language, "offline-words-step-list").to_owned(),
        Intent::List(path) => text!(language, "offline-words-step-list-path", path),
        Intent::Write { path, .. } => text!(language, "offline-words-step-write", path),
        Intent::Remember(_) => text!(language, "offline-words-step-remember").to_owned(),
        Intent::Recall(_) => text!(language, "offline-words-step-recall").to_owned(),
        Intent::Forget(_) => text!(language, "offline-words-step-forget").to_owned(),
    }
}

/// Reports the results of the calls, by their own first lines.
pub(super) fn report(results: &[(&ToolCall, &ToolOutcome)], language: Language) -> String {
    let parts: Vec<_> = results
        .iter()
        .map(|(call, outcome)| result(call, outcome, language))
        .collect();
    parts.join("\n\n")
}

fn result(call: &ToolCall, outcome: &ToolOutcome, language: Language) -> String {
    let subject = subject(call);
    match outcome {
        ToolOutcome::Success { output } if output.trim().is_empty() => {
            text!(language, "offline-words-result-success", subject)
        }
        ToolOutcome::Success { .. } if call.name == "memory_store" => {
            text!(language, "offline-words-result-remembered").to_owned()
        }
        ToolOutcome::Success { output } | ToolOutcome::Checked { output, .. } => {
            let gave = gave(&call.name, &subject, language);
            format!("{gave}\n{}", quoted(output, language))
        }
        ToolOutcome::Failed { error, partial } => {
            let all = with_partial(error, partial.as_deref());
            text!(
                language,
                "offline-words-result-failed",
                subject,
                all = quoted(&all, language)
            )
        }
        ToolOutcome::Error { message, .. } => text!(
            language,
            "offline-words-result-error",
            subject,
            message = quoted(message, language)
        ),
        ToolOutcome::Sends { file } => {
            text!(language, "offline-words-result-sends", name = file.name)
        }
        ToolOutcome::Plans { .. } => text!(language, "offline-words-result-plans").to_owned(),
        ToolOutcome::Asks { .. } => text!(language, "offline-words-result-asks", subject),
        ToolOutcome::Denied { why, .. } => text!(
            language,
            "offline-words-result-denied",
            subject,
            why = first_line(why)
        ),
        ToolOutcome::Unknown { .. } => {
            text!(language, "offline-words-result-unknown", subject)
        }
    }
}

/// Says what follows.
fn gave(tool: &str, subject: &str, language: Language) -> String {
    match tool {
        "memory_recall" => text!(language, "offline-words-remembered").to_owned(),
        _ => text!(language, "offline-words-gave", subject),
    }
}

/// Names a call by what it is about.
fn subject(call: &ToolCall) -> String {
    let about = ["command", "path"]
        .iter()
        .find_map(|field| call.arguments.get(field)?.as_str())
        .filter(|about| *about != ".");
    format!("`{}`", about.unwrap_or(&call.name))
}

/// The lines below the first are advice to a model.
fn first_line(why: &str) -> &str {
    why.lines().next().unwrap_or_default()
}

fn with_partial(error: &str, partial: Option<&str>) -> String {
    match partial {
        Some(partial) => format!("{error}\n{partial}"),
        None => error.to_owned(),
    }
}

fn quoted(text: &str, language: Language) -> String {
    let lines: Vec<_> = text.trim_end().lines().collect();
    let shown: String = lines
        .iter()
        .take(QUOTED_LINES)
        .copied()
        .collect::<Vec<_>>()
        .join("\n")
        .chars()
        .take(QUOTED_CHARS)
        .collect();
    let fence = if shown.contains("```") { "````" } else { "```" };
    let left = lines.len().saturating_sub(QUOTED_LINES);
    let more = if left == 0 {
        String::new()
    } else {
        text!(language, "offline-words-more-lines", left)
    };
    format!("{fence}\n{shown}\n{fence}{more}")
}
