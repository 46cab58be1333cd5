//! What the offline model says, in English and Chinese.

use sayso_core::Language;
use sayso_core::transcript::{ToolCall, ToolOutcome};

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
    match language {
        Language::English => format!(
            "The guide `{name}` fits this, and is in my prompt for this turn. A real model would follow it; this offline one can only quote how it begins:\n{beginning}"
        ),
        Language::Chinese => format!(
            "指南 `{name}` 适合这个问题，已放进本轮的提示词。真正的模型会照它做；这个离线模型只能引用它的开头：\n{beginning}"
        ),
    }
}

/// Says what it is, what it knows, and how to get a real model.
pub(super) fn introduction(said: &str, language: Language) -> String {
    let understood = greets(said);
    match language {
        Language::English => {
            let first = if understood {
                "Hello! I am Sayso, running on a small offline model."
            } else {
                "I am running on a small offline model, and it does not understand that."
            };
            format!("{first}\n{KNOWN_IN_ENGLISH}")
        }
        Language::Chinese => {
            let first = if understood {
                "你好！我是 Sayso，正在使用一个小型离线模型。"
            } else {
                "我正在使用一个小型离线模型，它听不懂这句话。"
            };
            format!("{first}\n{KNOWN_IN_CHINESE}")
        }
    }
}

const KNOWN_IN_ENGLISH: &str = "\
It knows a handful of requests:
- `run ls`
- `list files`
- `read README.md`
- `write hello to note.txt`
- `remember that I like tea`, `what do you remember about tea`, `forget tea`
For a real model run `sayso init`, or set `OPENAI_API_KEY` and start again.";

const KNOWN_IN_CHINESE: &str = "\
它只懂几种请求：
- `运行 ls`
- `列出文件`
- `读 README.md`
- `把 你好 写到 note.txt`
- `记住我喜欢茶`、`你记得茶吗`、`忘记茶`
要用真正的模型，请运行 `sayso init`，或者设置 `OPENAI_API_KEY` 后重新启动。";

/// Says what it is about to do, and what it has no tool for.
pub(super) fn plan(possible: &[Intent], missing: &[Intent], language: Language) -> String {
    let steps = possible.iter().map(|intent| step(intent, language));
    let gaps = missing.iter().map(|intent| match language {
        Language::English => format!(
            "I have no tool `{}` here, so I cannot do that.",
            intent.tool()
        ),
        Language::Chinese => format!("这里没有工具 `{}`，所以我做不到。", intent.tool()),
    });
    steps.chain(gaps).collect::<Vec<_>>().join("\n")
}

fn step(intent: &Intent, language: Language) -> String {
    match (intent, language) {
        (Intent::Run(command), Language::English) => format!("I will run `{command}`."),
        (Intent::Run(command), Language::Chinese) => format!("我来运行 `{command}`。"),
        (Intent::Read(path), Language::English) => format!("I will read `{path}`."),
        (Intent::Read(path), Language::Chinese) => format!("我来读 `{path}`。"),
        (Intent::List(path), Language::English) if path == "." => {
            "I will list the workspace.".to_owned()
        }
        (Intent::List(path), Language::Chinese) if path == "." => "我来列出工作区。".to_owned(),
        (Intent::List(path), Language::English) => format!("I will list `{path}`."),
        (Intent::List(path), Language::Chinese) => format!("我来列出 `{path}`。"),
        (Intent::Write { path, .. }, Language::English) => format!("I will write `{path}`."),
        (Intent::Write { path, .. }, Language::Chinese) => format!("我来写 `{path}`。"),
        (Intent::Remember(_), Language::English) => "I will remember that.".to_owned(),
        (Intent::Remember(_), Language::Chinese) => "我来记住。".to_owned(),
        (Intent::Recall(_), Language::English) => "I will look up what I remember.".to_owned(),
        (Intent::Recall(_), Language::Chinese) => "我来看看我记得什么。".to_owned(),
        (Intent::Forget(_), Language::English) => "I will forget that.".to_owned(),
        (Intent::Forget(_), Language::Chinese) => "我来忘掉。".to_owned(),
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
    match (outcome, language) {
        (ToolOutcome::Success { output }, Language::English) if output.trim().is_empty() => {
            format!("{subject} is done. It gave no output.")
        }
        (ToolOutcome::Success { output }, Language::Chinese) if output.trim().is_empty() => {
            format!("{subject} 完成了，没有输出。")
        }
        (ToolOutcome::Success { .. }, Language::English) if call.name == "memory_store" => {
            "I keep that in mind.".to_owned()
        }
        (ToolOutcome::Success { .. }, Language::Chinese) if call.name == "memory_store" => {
            "我记下了。".to_owned()
        }
        (ToolOutcome::Success { output }, _) => {
            let gave = gave(&call.name, &subject, language);
            format!("{gave}\n{}", quoted(output, language))
        }
        (ToolOutcome::Failed { error, partial }, Language::English) => {
            let all = with_partial(error, partial.as_deref());
            format!("{subject} failed:\n{}", quoted(&all, language))
        }
        (ToolOutcome::Failed { error, partial }, Language::Chinese) => {
            let all = with_partial(error, partial.as_deref());
            format!("{subject} 失败了：\n{}", quoted(&all, language))
        }
        (ToolOutcome::Error { message, .. }, Language::English) => {
            format!("{subject} could not be run:\n{}", quoted(message, language))
        }
        (ToolOutcome::Error { message, .. }, Language::Chinese) => {
            format!("{subject} 无法运行：\n{}", quoted(message, language))
        }
        (ToolOutcome::Sends { file }, Language::English) => format!("`{}` is sent.", file.name),
        (ToolOutcome::Sends { file }, Language::Chinese) => format!("`{}` 已发送。", file.name),
        (ToolOutcome::Plans { .. }, Language::English) => "The plan is noted.".to_owned(),
        (ToolOutcome::Plans { .. }, Language::Chinese) => "计划已记下。".to_owned(),
        (ToolOutcome::Asks { .. }, Language::English) => format!("{subject} asks you."),
        (ToolOutcome::Asks { .. }, Language::Chinese) => format!("{subject} 在问你。"),
        (ToolOutcome::Denied { why, .. }, Language::English) => {
            format!("{subject} was not run: {}", first_line(why))
        }
        (ToolOutcome::Denied { why, .. }, Language::Chinese) => {
            format!("{subject} 没有运行：{}", first_line(why))
        }
        (ToolOutcome::Unknown { .. }, Language::English) => {
            format!("{subject} was cut off, so I do not know how it ended.")
        }
        (ToolOutcome::Unknown { .. }, Language::Chinese) => {
            format!("{subject} 被中断了，我不知道结果如何。")
        }
    }
}

/// Says what follows.
fn gave(tool: &str, subject: &str, language: Language) -> String {
    match (tool, language) {
        ("memory_recall", Language::English) => "This is what I remember:".to_owned(),
        ("memory_recall", Language::Chinese) => "我记得这些：".to_owned(),
        (_, Language::English) => format!("{subject} gave:"),
        (_, Language::Chinese) => format!("{subject} 的结果："),
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
    let more = match language {
        _ if left == 0 => String::new(),
        Language::English => format!("\n({left} more lines)"),
        Language::Chinese => format!("\n（还有 {left} 行）"),
    };
    format!("{fence}\n{shown}\n{fence}{more}")
}
