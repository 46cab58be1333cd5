//! What people read of calls: while they run, when they are done, and when they did not work.

use sayso_channel::{Language, text};
use sayso_core::transcript::{ErrorCode, ToolCall, ToolOutcome};

use crate::executor::act::Act;

/// How much of a command that runs is shown, in characters; its card has shown all of it.
const RUNNING_CHARS: usize = 200;
/// How much of the object of a call is shown afterwards, in characters.
const OBJECT_CHARS: usize = 80;
/// How long the first line of a command's output may be that is shown, in characters.
const OUTPUT_CHARS: usize = 60;
/// How many lines of the output of a command are shown that did not work.
const FAILED_LINES: usize = 2;

/// The line that people read of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleLine {
    /// What the call does.
    pub act: Act,
    /// How far it is.
    pub state: LineState,
    /// The line, as Markdown.
    pub text: String,
}

/// How far a call is, as people see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineState {
    /// It runs.
    Running,
    /// It did what it was to do.
    Done,
    /// It did not, or did not run, or that is unknown.
    Failed,
}

/// Returns what people read while a call runs; `None` where something else shows it.
pub fn running_line(call: &ToolCall, language: Language) -> Option<PeopleLine> {
    let act = Act::of(call);
    let text = match &act {
        Act::Plan | Act::Ask => return None,
        Act::Command(command) => format!("▸ {}…", code(command, RUNNING_CHARS)),
        _ => text!(
            language,
            "executor-acts-running",
            icon = icon(&act),
            act = capitalized(&doing(&act, language))
        ),
    };
    let state = LineState::Running;
    Some(PeopleLine { act, state, text })
}

/// Returns what people read of a result; `None` where it is not for them: a call that was not
/// written correctly, gave way or repeated others, and what another message shows.
pub fn result_line(
    call: &ToolCall,
    outcome: &ToolOutcome,
    language: Language,
) -> Option<PeopleLine> {
    let act = Act::of(call);
    let (state, text) = match outcome {
        ToolOutcome::Plans { .. } | ToolOutcome::Asks { .. } => return None,
        ToolOutcome::Error { code, .. } => match code {
            ErrorCode::Tool => (LineState::Failed, failed(&act, "", language)),
            ErrorCode::InvalidArgs
            | ErrorCode::UnknownTool
            | ErrorCode::Loop
            | ErrorCode::Steered => return None,
        },
        ToolOutcome::Success { output } => (
            LineState::Done,
            format!("✓ {}", succeeded(&act, output, language)),
        ),
        ToolOutcome::Sends { .. } => (LineState::Done, format!("✓ {}", done_now(&act, language))),
        ToolOutcome::Checked { report, output } => match report.failure() {
            None => (
                LineState::Done,
                format!("✓ {}", succeeded(&act, "", language)),
            ),
            Some(_) => (LineState::Failed, failed(&act, output, language)),
        },
        ToolOutcome::Failed { partial, .. } => {
            let output = partial.as_deref().unwrap_or_default();
            (LineState::Failed, failed(&act, output, language))
        }
        ToolOutcome::Denied { shown, .. } => (LineState::Failed, not_run(&act, shown, language)),
        ToolOutcome::Unknown { .. } => (LineState::Failed, unknown(&act, language)),
    };
    Some(PeopleLine { act, state, text })
}

/// Returns what people read of a result that was withheld, since it gives orders to a model.
pub fn withheld_line(call: &ToolCall, language: Language) -> PeopleLine {
    let act = Act::of(call);
    let what = doing(&act, language);
    let text = text!(language, "executor-acts-withheld-line", what);
    let state = LineState::Failed;
    PeopleLine { act, state, text }
}

/// Returns what a list of what was done says of a result; `None` where nothing was done.
pub fn report_line(call: &ToolCall, outcome: &ToolOutcome, language: Language) -> Option<String> {
    let act = Act::of(call);
    match outcome {
        ToolOutcome::Success { .. } | ToolOutcome::Sends { .. } | ToolOutcome::Checked { .. } => {
            Some(done(&act, language))
        }
        ToolOutcome::Failed { .. } => Some(text!(
            language,
            "executor-acts-report-tried",
            act = doing(&act, language)
        )),
        ToolOutcome::Unknown { .. } => Some(text!(
            language,
            "executor-acts-report-cut-off",
            act = doing(&act, language)
        )),
        ToolOutcome::Error { .. }
        | ToolOutcome::Denied { .. }
        | ToolOutcome::Plans { .. }
        | ToolOutcome::Asks { .. } => None,
    }
}

/// Returns the one line that stays of the steps of a long task.
pub fn folded(lines: &[&PeopleLine], language: Language) -> String {
    let is_done = |line: &&&PeopleLine| line.state == LineState::Done;
    let acts: Vec<&Act> = lines.iter().filter(is_done).map(|line| &line.act).collect();
    let is_command = |act: &&&Act| matches!(act, Act::Command(_));
    let commands = acts.iter().filter(is_command).count();
    let mut said: Vec<String> = Vec::new();
    for act in acts.iter().filter(|act| !is_command(act)) {
        let it = done(act, language);
        if !said.contains(&it) {
            said.push(it);
        }
    }
    if commands > 0 {
        said.push(text!(language, "executor-acts-ran-commands", commands));
    }
    let steps = lines.len();
    if said.is_empty() {
        return text!(language, "executor-acts-steps", steps);
    }
    let acts = said.join(text!(language, "list-clauses"));
    text!(language, "executor-acts-steps-did", steps, acts)
}

fn succeeded(act: &Act, output: &str, language: Language) -> String {
    let line = done_now(act, language);
    if !matches!(act, Act::Command(_)) {
        return line;
    }
    let mut said = output.lines().filter(|line| !line.trim().is_empty());
    match said.next() {
        Some(first) if first.chars().count() <= OUTPUT_CHARS => {
            format!("{line} → {}", literal(first.trim()))
        }
        Some(_) | None => line,
    }
}

fn failed(act: &Act, output: &str, language: Language) -> String {
    let head = text!(
        language,
        "executor-acts-failed-head",
        act = doing(act, language)
    );
    if !matches!(act, Act::Command(_)) {
        return head;
    }
    let said = output
        .lines()
        .filter(|line| !line.trim().is_empty() && *line != "[stderr]");
    let lines = said.take(FAILED_LINES);
    let lines = lines.map(|line| literal(&beginning(line, OBJECT_CHARS)));
    std::iter::once(head)
        .chain(lines)
        .collect::<Vec<_>>()
        .join("\n")
}

fn not_run(act: &Act, shown: &str, language: Language) -> String {
    if shown.is_empty() {
        text!(
            language,
            "executor-acts-not-run",
            act = doing(act, language)
        )
    } else {
        format!("✗ {shown}")
    }
}

fn unknown(act: &Act, language: Language) -> String {
    let what = doing(act, language);
    text!(language, "executor-acts-unknown", what)
}

fn icon(act: &Act) -> &'static str {
    match act {
        Act::ListFiles | Act::ReadFile(_) => "📂",
        Act::WriteFile(_) | Act::WriteNote => "✏️",
        Act::SendFile(_) => "📎",
        Act::ReadSite(_) | Act::SendToSite(_) => "🌐",
        Act::SearchWeb(_) | Act::FindTool => "🔎",
        Act::Remember(_) | Act::CorrectMemory(_) | Act::Forget | Act::Recall => "🧠",
        Act::ReadInstructions | Act::ReadResult => "📖",
        Act::ReadRoutines | Act::ChangeRoutines => "⏰",
        Act::LookAtItself | Act::ReadSettings | Act::ChangeSettings | Act::UseService(_) => "⚙️",
        Act::Command(_) | Act::Plan | Act::Ask | Act::Other => "▸",
    }
}

/// Names an act as something that goes on: “reading `notes.txt`”.
pub fn doing(act: &Act, language: Language) -> String {
    named(act, "doing", language)
}

/// Names an act as something that was done: “read `notes.txt`”.
pub fn done(act: &Act, language: Language) -> String {
    named(act, "done", language)
}

/// The same at the beginning of a line, with the words of a memory.
fn done_now(act: &Act, language: Language) -> String {
    let words = |text: &str| literal(&beginning(text, OBJECT_CHARS));
    match act {
        Act::Remember(text) => text!(language, "executor-acts-remembered", text = words(text)),
        Act::CorrectMemory(text) => {
            text!(language, "executor-acts-corrected", text = words(text))
        }
        _ => capitalized(&done(act, language)),
    }
}

/// Names an act; `when` is `doing` or `done`.
// long: one text for each act
fn named(act: &Act, when: &str, language: Language) -> String {
    match act {
        Act::Command(command) => code(command, OBJECT_CHARS),
        Act::ReadFile(name) if name.is_empty() => {
            text!(language, "executor-act-read-file-unnamed", when)
        }
        Act::ReadFile(name) => text!(
            language,
            "executor-act-read-file",
            when,
            name = code(name, OBJECT_CHARS)
        ),
        Act::WriteFile(name) if name.is_empty() => {
            text!(language, "executor-act-write-file-unnamed", when)
        }
        Act::WriteFile(name) => text!(
            language,
            "executor-act-write-file",
            when,
            name = code(name, OBJECT_CHARS)
        ),
        Act::SendFile(name) if name.is_empty() => {
            text!(language, "executor-act-send-file-unnamed", when)
        }
        Act::SendFile(name) => text!(
            language,
            "executor-act-send-file",
            when,
            name = code(name, OBJECT_CHARS)
        ),
        Act::ReadSite(host) if host.is_empty() => {
            text!(language, "executor-act-read-site-unnamed", when)
        }
        Act::ReadSite(host) => text!(
            language,
            "executor-act-read-site",
            when,
            name = code(host, OBJECT_CHARS)
        ),
        Act::SendToSite(host) if host.is_empty() => {
            text!(language, "executor-act-send-to-site-unnamed", when)
        }
        Act::SendToSite(host) => text!(
            language,
            "executor-act-send-to-site",
            when,
            name = code(host, OBJECT_CHARS)
        ),
        Act::UseService(server) if server.is_empty() => {
            text!(language, "executor-act-use-service-unnamed", when)
        }
        Act::UseService(server) => text!(
            language,
            "executor-act-use-service",
            when,
            name = code(server, OBJECT_CHARS)
        ),
        Act::SearchWeb(query) => {
            text!(
                language,
                "executor-act-search-web",
                when,
                query = words(query)
            )
        }
        Act::ListFiles => text!(language, "executor-act-list-files", when),
        Act::Remember(_) => text!(language, "executor-act-remember", when),
        Act::CorrectMemory(_) => text!(language, "executor-act-correct-memory", when),
        Act::Forget => text!(language, "executor-act-forget", when),
        Act::Recall => text!(language, "executor-act-recall", when),
        Act::WriteNote => text!(language, "executor-act-write-note", when),
        Act::ReadInstructions => text!(language, "executor-act-read-instructions", when),
        Act::FindTool => text!(language, "executor-act-find-tool", when),
        Act::ReadResult => text!(language, "executor-act-read-result", when),
        Act::LookAtItself => text!(language, "executor-act-look-at-itself", when),
        Act::ReadSettings => text!(language, "executor-act-read-settings", when),
        Act::ChangeSettings => text!(language, "executor-act-change-settings", when),
        Act::ReadRoutines => text!(language, "executor-act-read-routines", when),
        Act::ChangeRoutines => text!(language, "executor-act-change-routines", when),
        Act::Plan => text!(language, "executor-act-plan", when),
        Act::Ask => text!(language, "executor-act-ask", when),
        Act::Other => text!(language, "executor-act-other", when),
    }
}

fn words(text: &str) -> String {
    literal(&beginning(text, OBJECT_CHARS))
}

/// Returns a text as code on one line, cut with a sign that it is.
fn code(text: &str, chars: usize) -> String {
    format!("`{}`", beginning(text, chars).replace('`', "'"))
}

fn beginning(text: &str, chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(chars).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

/// Returns a text that Markdown shows as it is.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii_punctuation() && "\\`*_[]<>#~|!&".contains(letter) {
            literal.push('\\');
        }
        literal.push(letter);
    }
    literal
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
#[path = "acts_tests.rs"]
mod tests;
