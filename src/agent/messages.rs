//! What a turn says in its own words, where no model speaks.

use std::time::Duration;

use sayso_channel::{Language, text};
use sayso_checks::Recovery;
use sayso_core::transcript::{
    CallProgress, ConversationMessage, ErrorCode, PlannedStep, ToolCall, ToolOutcome, TurnState,
};

use crate::executor::{Act, doing, report_line};

/// How many results the report of a cut turn names.
const REPORTED_RESULTS: usize = 12;
/// How many results stand in one line; more are a list.
const LINE_RESULTS: usize = 3;

/// The instruction that the model receives at the step limit, in place of a further step.
pub fn conclude(max_steps: u32, language: Language) -> String {
    text!(language, "agent-conclude", max_steps)
}

/// The instruction for the model that summarizes older turns of a conversation.
pub fn sum_up(language: Language) -> &'static str {
    text!(language, "agent-sum-up")
}

/// The result of a call that was not started, since the person said something meanwhile.
pub fn gives_way(language: Language) -> ToolOutcome {
    let (why, what_now) = (
        text!(language, "agent-gives-way-heading"),
        text!(language, "agent-gives-way-again"),
    );
    ToolOutcome::steered(format!("{why}\n{what_now}"))
}

/// Tells the model what to do about a check that failed, whose output it sees above; this is
/// correction `number` of `most`.
pub fn correct(recovery: Recovery, number: u32, most: u32, language: Language) -> String {
    let what = match recovery {
        Recovery::FixInPlace => text!(language, "agent-checks-fix"),
        Recovery::RevertStep => text!(language, "agent-checks-revert"),
        Recovery::AddDependency => text!(language, "agent-checks-dependency"),
    };
    text!(language, "agent-checks-correct", what, number, most)
}

/// Shows the model the plan that was made before its first step.
pub fn first_plan(steps: &[PlannedStep], language: Language) -> String {
    let lines: Vec<String> = steps.iter().map(PlannedStep::line).collect();
    let lines = lines.join("\n");
    text!(language, "agent-first-plan", lines)
}

/// Shows the model its plan again, while something of it is left.
pub fn plan(steps: &[PlannedStep], language: Language) -> String {
    let lines: Vec<String> = steps.iter().map(PlannedStep::line).collect();
    let lines = lines.join("\n");
    text!(language, "agent-plan", lines)
}

/// Reports a turn that did the same again and again, and what that was.
pub fn gave_up(state: &TurnState, language: Language) -> String {
    let repeated = repeated_act(state);
    match repeated {
        Some((act, times)) => text!(
            language,
            "agent-gave-up-act",
            act = doing(&act, language),
            times
        ),
        None => text!(language, "agent-gave-up").to_owned(),
    }
}

/// Returns the act that was last kept from running because it repeats others, and how often it was
/// wanted.
fn repeated_act(state: &TurnState) -> Option<(Act, usize)> {
    let results = results_of(state);
    let is_repetition = |(_, outcome): &&(&ToolCall, &ToolOutcome)| {
        matches!(
            outcome,
            ToolOutcome::Error {
                code: ErrorCode::Loop,
                ..
            }
        )
    };
    let (call, _) = results.iter().rev().find(is_repetition)?;
    let act = Act::of(call);
    let times = results.iter().filter(|(call, _)| Act::of(call) == act);
    Some((act.clone(), times.count()))
}

/// Says behind an answer that it was cut at the token limit.
pub fn cut_at_limit(tokens: usize, language: Language) -> String {
    text!(language, "agent-cut-at-limit", tokens)
}

/// Says behind an answer that the service withheld the rest.
pub fn withheld(language: Language) -> &'static str {
    text!(language, "agent-withheld")
}

/// Says that the model said nothing.
pub fn no_answer(language: Language) -> &'static str {
    text!(language, "agent-no-answer")
}

/// Says that the whole answer went into thinking.
pub fn only_thoughts(tokens: usize, language: Language) -> String {
    text!(language, "agent-only-thoughts", tokens)
}

/// Cuts what a model said to `limit` bytes, with a note of how much was left out.
pub fn bounded(mut text: String, limit: usize, language: Language) -> String {
    if text.len() <= limit {
        return text;
    }
    let whole = text.len();
    text.truncate(text.floor_char_boundary(limit));
    let left_out = (whole - text.len()).div_ceil(1000);
    let is_in_code = text
        .lines()
        .filter(|line| line.trim_start().starts_with("```"))
        .count()
        % 2
        == 1;
    if is_in_code {
        text.push_str("\n```");
    }
    text + &text!(language, "agent-bounded", left_out)
}

/// Reports a turn that reached its step limit: what the model says of it, or else what was run.
pub fn step_limit(state: &TurnState, said: &str, language: Language) -> String {
    let steps = state.steps;
    let head = text!(language, "agent-step-limit-head", steps);
    let body = if said.trim().is_empty() {
        done_so_far(state, language).unwrap_or_default()
    } else {
        said.trim().to_owned()
    };
    let parts = [head.as_str(), &body, go_on(language)];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// Says which limit of the budget is reached, and what was run until then.
pub fn used_up(state: &TurnState, why: &str, language: Language) -> String {
    match done_so_far(state, language) {
        Some(done) => format!("{why}\n\n{done}"),
        None => why.to_owned(),
    }
}

/// Returns what a turn has done until now, and what was refused, for its person; `None` when that
/// is nothing.
pub fn done_so_far(state: &TurnState, language: Language) -> Option<String> {
    let results = results_of(state);
    let done = results
        .iter()
        .filter_map(|(call, outcome)| report_line(call, outcome, language));
    let refused = results.iter().filter_map(|(_, outcome)| {
        let ToolOutcome::Denied { shown, .. } = outcome else {
            return None;
        };
        (!shown.is_empty()).then(|| shown.clone())
    });
    let done = done_line(&counted(done, language), language);
    let parts: Vec<String> = done.into_iter().chain(counted(refused, language)).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

/// Lists what was done: in one line, or the newest of many below each other.
fn done_line(lines: &[String], language: Language) -> Option<String> {
    let head = text!(language, "agent-done-line-head");
    let left_out = lines.len().saturating_sub(REPORTED_RESULTS);
    let shown = lines.get(left_out..).unwrap_or_default();
    match lines.len() {
        0 => None,
        1..=LINE_RESULTS => Some(text!(
            language,
            "agent-done-line-l-i-n-e_-r-e-s-u-l-t-s",
            head,
            shown = shown.join(" · ")
        )),
        _ => {
            let earlier = (left_out > 0).then(|| earlier(left_out, language));
            let lines = earlier.iter().chain(shown);
            let lines: Vec<String> = lines.map(|line| format!("- {line}")).collect();
            Some(format!("{head}\n{}", lines.join("\n")))
        }
    }
}

fn earlier(count: usize, language: Language) -> String {
    text!(language, "agent-earlier", count)
}

/// Returns each line once, in the order of the first of its kind, with how often it is there.
fn counted(lines: impl Iterator<Item = String>, language: Language) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for line in lines {
        match counts.iter_mut().find(|(known, _)| *known == line) {
            Some((_, count)) => *count += 1,
            None => counts.push((line, 1)),
        }
    }
    let counted = counts.into_iter();
    let counted = counted.map(|(line, count)| match count {
        1 => line,
        _ => text!(language, "agent-counted", line, count),
    });
    counted.collect()
}

/// Returns the calls of a turn that were begun or answered, with their results, in their order.
fn results_of(state: &TurnState) -> Vec<(&ToolCall, &ToolOutcome)> {
    let calls = state.messages.iter().filter_map(|message| match message {
        ConversationMessage::Assistant(said) => Some(&said.calls),
        ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => None,
    });
    let calls: Vec<&ToolCall> = calls.flatten().collect();
    let returned = state.messages.iter().filter_map(|message| match message {
        ConversationMessage::ToolResult { call, outcome, .. } => {
            let call = calls.iter().rfind(|known| known.id == *call)?;
            Some((*call, outcome))
        }
        ConversationMessage::User { .. } | ConversationMessage::Assistant(_) => None,
    });
    let cut_off = state.calls.iter().filter_map(|call| {
        (call.progress == CallProgress::Called).then_some((&call.call, &ToolOutcome::INTERRUPTED))
    });
    returned.chain(cut_off).collect()
}

/// Reports a turn that has worked for as long as one may.
pub fn time_limit(state: &TurnState, limit: Duration, language: Language) -> String {
    let secs = limit.as_secs();
    let head = match secs % 60 {
        0 => text!(language, "agent-time-limit", secs = secs / 60),
        _ => text!(language, "agent-time-limit-head", secs),
    };
    let hint = go_on(language);
    match done_so_far(state, language) {
        Some(done) => format!("{head}\n\n{done}\n\n{hint}"),
        None => format!("{head}\n\n{hint}"),
    }
}

fn go_on(language: Language) -> &'static str {
    text!(language, "agent-go-on")
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::bounded;

    #[test]
    fn long_reply_is_cut_between_characters_with_a_note() {
        let cut = |text: &str, limit| bounded(text.to_owned(), limit, Language::English);
        assert_eq!(cut("short", 5), "short");
        assert_eq!(
            cut("你好吗", 7),
            "你好\n\n[Cut here: 1 kB more were said. Ask for the rest in parts.]"
        );
        assert_eq!(
            cut("```\ncode and more\n```", 8),
            "```\ncode\n```\n\n[Cut here: 1 kB more were said. Ask for the rest in parts.]"
        );
    }
}
