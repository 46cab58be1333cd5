//! What a turn says in its own words, where no model speaks.

use sayso_channel::Language;

use crate::transcript::{ConversationMessage, ToolStatus, TurnState};

/// How many results the report of a cut turn names.
const REPORTED_RESULTS: usize = 12;

/// What the model is told at the step limit, in place of a further step.
pub fn conclude(max_steps: u32, language: Language) -> String {
    match language {
        Language::English => format!(
            "[note] This turn has reached its limit of {max_steps} steps; no tool can be called any more. Say briefly what was done, and what is left."
        ),
        Language::Chinese => format!(
            "[说明] 本轮已达到 {max_steps} 步的上限，不能再调用工具。请简要说明已完成和剩余的工作。"
        ),
    }
}

/// Reports a turn that reached its step limit: what the model says of it, or else what was run.
pub fn step_limit(state: &TurnState, said: &str, language: Language) -> String {
    let steps = state.steps;
    let head = match language {
        Language::English => {
            format!("I stopped here: this turn reached its limit of {steps} steps.")
        }
        Language::Chinese => format!("我先停在这里：本轮已达到 {steps} 步的上限。"),
    };
    let body = if said.trim().is_empty() {
        results(state, language)
    } else {
        said.trim().to_owned()
    };
    let hint = match language {
        Language::English => "Say `go on` to continue.",
        Language::Chinese => "回复“继续”即可接着做。",
    };
    format!("{head}\n\n{body}\n\n{hint}")
}

fn results(state: &TurnState, language: Language) -> String {
    let lines: Vec<String> = state
        .messages
        .iter()
        .filter_map(|message| match message {
            ConversationMessage::ToolResult { name, outcome, .. } => Some((name, outcome.status())),
            ConversationMessage::User { .. } | ConversationMessage::Assistant(_) => None,
        })
        .map(|(name, status)| match status {
            ToolStatus::Success(line) | ToolStatus::Running(line) => {
                format!("- ✓ `{name}`: {line}")
            }
            ToolStatus::Failed(lines) => format!("- ✗ `{name}`: {lines}"),
        })
        .collect();
    let head = match language {
        Language::English => "What was done:",
        Language::Chinese => "已经做的：",
    };
    let left_out = lines.len().saturating_sub(REPORTED_RESULTS);
    let shown = lines.get(left_out..).unwrap_or_default().join("\n");
    match (left_out, language) {
        (0, _) => format!("{head}\n{shown}"),
        (_, Language::English) => format!("{head}\n- … {left_out} earlier\n{shown}"),
        (_, Language::Chinese) => format!("{head}\n- … 更早的 {left_out} 项\n{shown}"),
    }
}
