//! What people read of calls: while they run, when they are done, and when they did not work.

use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::text;
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
        _ => match language {
            English => format!("{} {}…", icon(&act), capitalized(&doing(&act, language))),
            Chinese => format!("{} {}……", icon(&act), doing(&act, language)),
        },
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
        ToolOutcome::Success { .. } | ToolOutcome::Sends { .. } => Some(done(&act, language)),
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
    match (commands, language) {
        (0, _) => {}
        (1, English) => said.push("ran a command".to_owned()),
        (_, English) => said.push(format!("ran {commands} commands")),
        (_, Chinese) => said.push(format!("运行了 {commands} 个命令")),
    }
    let steps = lines.len();
    match (steps, said.is_empty(), language) {
        (1, true, English) => "✓ 1 step".to_owned(),
        (_, true, English) => format!("✓ {steps} steps"),
        (_, true, Chinese) => format!("✓ 共 {steps} 步"),
        (1, false, English) => format!("✓ 1 step: {}", said.join(", ")),
        (_, false, English) => format!("✓ {steps} steps: {}", said.join(", ")),
        (_, false, Chinese) => format!("✓ 共 {steps} 步：{}", said.join("，")),
    }
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
    match language {
        English => doing_in_english(act),
        Chinese => in_chinese(act, ""),
    }
}

/// Names an act as something that was done: “read `notes.txt`”.
pub fn done(act: &Act, language: Language) -> String {
    match language {
        English => done_in_english(act),
        Chinese => in_chinese(act, "了"),
    }
}

/// The same at the beginning of a line, with the words of a memory.
fn done_now(act: &Act, language: Language) -> String {
    let words = |text: &str| literal(&beginning(text, OBJECT_CHARS));
    match (act, language) {
        (Act::Remember(text), English) => format!("Remembered: {}", words(text)),
        (Act::Remember(text), Chinese) => format!("已记住：{}", words(text)),
        (Act::CorrectMemory(text), English) => format!("Corrected: {}", words(text)),
        (Act::CorrectMemory(text), Chinese) => format!("已更正：{}", words(text)),
        (_, English) => capitalized(&done(act, language)),
        (_, Chinese) => done(act, language),
    }
}

fn doing_in_english(act: &Act) -> String {
    let plain = match act {
        Act::Command(command) => return code(command, OBJECT_CHARS),
        Act::ReadFile(name) => return with_object("reading", name, "a file"),
        Act::WriteFile(name) => return with_object("writing", name, "a file"),
        Act::SendFile(name) => return with_object("sending", name, "a file"),
        Act::ReadSite(host) => return with_object("reading", host, "a page"),
        Act::SendToSite(host) => return with_object("sending data to", host, "a server"),
        Act::SearchWeb(query) => return format!("searching the web for “{}”", words(query)),
        Act::UseService(server) => return with_object("using", server, "a connected service"),
        Act::ListFiles => "looking at your files",
        Act::Remember(_) => "remembering something",
        Act::CorrectMemory(_) => "correcting what I remember",
        Act::Forget => "forgetting something",
        Act::Recall => "looking in my memory",
        Act::WriteNote => "writing a note",
        Act::ReadInstructions => "reading up on how to do this",
        Act::FindTool => "looking for a way to do this",
        Act::ReadResult => "reading a long result",
        Act::LookAtItself => "looking at my own state",
        Act::ReadSettings => "looking at my settings",
        Act::ChangeSettings => "changing my settings",
        Act::ReadRoutines => "looking at your routines",
        Act::ChangeRoutines => "changing your routines",
        Act::Plan => "planning the steps",
        Act::Ask => "asking you",
        Act::Other => "working on it",
    };
    plain.to_owned()
}

fn done_in_english(act: &Act) -> String {
    let plain = match act {
        Act::Command(command) => return code(command, OBJECT_CHARS),
        Act::ReadFile(name) => return with_object("read", name, "a file"),
        Act::WriteFile(name) => return with_object("wrote", name, "a file"),
        Act::SendFile(name) => return with_object("sent", name, "a file"),
        Act::ReadSite(host) => return with_object("read", host, "a page"),
        Act::SendToSite(host) => return with_object("sent data to", host, "a server"),
        Act::SearchWeb(query) => return format!("searched the web for “{}”", words(query)),
        Act::UseService(server) => return with_object("used", server, "a connected service"),
        Act::ListFiles => "looked at your files",
        Act::Remember(_) => "remembered something",
        Act::CorrectMemory(_) => "corrected what I remember",
        Act::Forget => "forgot something",
        Act::Recall => "looked in my memory",
        Act::WriteNote => "wrote a note",
        Act::ReadInstructions => "read up on how to do this",
        Act::FindTool => "looked for a way to do this",
        Act::ReadResult => "read a long result",
        Act::LookAtItself => "looked at my own state",
        Act::ReadSettings => "looked at my settings",
        Act::ChangeSettings => "changed my settings",
        Act::ReadRoutines => "looked at your routines",
        Act::ChangeRoutines => "changed your routines",
        Act::Plan => "planned the steps",
        Act::Ask => "asked you",
        Act::Other => "did one more step",
    };
    plain.to_owned()
}

/// `past` is 了 behind the verb of what was done, and empty for what goes on.
fn in_chinese(act: &Act, past: &str) -> String {
    let object = |verb: &str, name: &str, unnamed: &str| {
        if name.is_empty() {
            format!("{verb}{past}{unnamed}")
        } else {
            format!("{verb}{past} {}", code(name, OBJECT_CHARS))
        }
    };
    let pair = match act {
        Act::Command(command) => return code(command, OBJECT_CHARS),
        Act::ReadFile(name) => return object("读取", name, "文件"),
        Act::WriteFile(name) => return object("写入", name, "文件"),
        Act::SendFile(name) => return object("发送", name, "文件"),
        Act::ReadSite(host) => return object("浏览", host, "网页"),
        Act::SendToSite(host) => {
            let host = if host.is_empty() { "服务器" } else { host };
            return format!("向 {} 发送{past}数据", code(host, OBJECT_CHARS));
        }
        Act::SearchWeb(query) => return format!("在网上搜索{past}“{}”", words(query)),
        Act::UseService(server) => return object("使用", server, "已连接的服务"),
        Act::ListFiles => ["查看", "文件"],
        Act::Remember(_) => ["记住", "一件事"],
        Act::CorrectMemory(_) => ["更正", "一条记忆"],
        Act::Forget => ["忘掉", "一件事"],
        Act::Recall => ["查找", "记忆"],
        Act::WriteNote => ["写", "笔记"],
        Act::ReadInstructions => ["查看", "操作指南"],
        Act::FindTool => ["查找", "合适的办法"],
        Act::ReadResult => ["读取", "较长的结果"],
        Act::LookAtItself => ["查看", "自身状态"],
        Act::ReadSettings => ["查看", "设置"],
        Act::ChangeSettings => ["修改", "设置"],
        Act::ReadRoutines => ["查看", "定时任务"],
        Act::ChangeRoutines => ["修改", "定时任务"],
        Act::Plan => ["规划", "步骤"],
        Act::Ask => ["询问", "你"],
        Act::Other => ["处理", "这件事"],
    };
    let [verb, what] = pair;
    format!("{verb}{past}{what}")
}

fn with_object(verb: &str, name: &str, unnamed: &str) -> String {
    if name.is_empty() {
        format!("{verb} {unnamed}")
    } else {
        format!("{verb} {}", code(name, OBJECT_CHARS))
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
