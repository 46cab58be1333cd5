//! The reference page of the book: every key with what it takes, its default and who may change it.

use sayso_channel::Language;

use crate::config::keys::{Bound, Key, SECTIONS, Section};

const ENGLISH: &str = "\
# Configuration reference

This page is written by `sayso config reference`; `sayso config example` prints the same keys as a file.
Each key is also an environment variable, which wins over the file: `agent.max_steps` is `SAYSO__AGENT__MAX_STEPS`.
A secret can be written out, or be kept elsewhere: `env:NAME` or `file:PATH`.
What owners change in chat takes effect at the next start.
";
const CHINESE: &str = "\
# 配置参考

本页由 `sayso config reference` 生成；`sayso config example` 以文件形式输出同样的键。
每个键也可以是环境变量，且优先于文件：`agent.max_steps` 即 `SAYSO__AGENT__MAX_STEPS`。
密钥可以直接写出，也可以存放在别处：`env:NAME` 或 `file:PATH`。
管理者在聊天中所做的修改在下次启动时生效。
";

/// Returns the reference page in a language.
pub fn reference(language: Language) -> String {
    let mut page = match language {
        Language::English => ENGLISH.to_owned(),
        Language::Chinese => CHINESE.to_owned(),
    };
    for section in SECTIONS {
        page.push('\n');
        page.push_str(&one_section(section, language));
    }
    page
}

fn one_section(section: &Section, language: Language) -> String {
    let heading = match (section.heading(), language) {
        (Some(heading), _) => format!("`{heading}`"),
        (None, Language::English) => "The top of the file".to_owned(),
        (None, Language::Chinese) => "文件顶部".to_owned(),
    };
    let mut lines = vec![format!("## {heading}"), String::new()];
    let above = section.above.in_words(language);
    if !above.is_empty() {
        lines.extend(above.lines().map(in_cell));
        lines.push(String::new());
    }
    if !section.keys.is_empty() {
        let head = match language {
            Language::English => "| key | takes | default | changed in chat | |",
            Language::Chinese => "| 键 | 取值 | 默认值 | 在聊天中修改 | |",
        };
        lines.extend([head.to_owned(), "|---|---|---|---|---|".to_owned()]);
        lines.extend(section.keys.iter().map(|key| row(key, language)));
    }
    lines.join("\n").trim_end().to_owned() + "\n"
}

fn row(key: &Key, language: Language) -> String {
    let name = key.path.rsplit('.').next().unwrap_or(key.path);
    let default = match key.default {
        Some("") => "`[]`".to_owned(),
        Some(default) => format!("`{default}`"),
        None => String::new(),
    };
    format!(
        "| `{name}` | {} | {default} | {} | {} |",
        in_cell(&key.kind.rule().in_words(language)),
        key.bound.map_or("", |bound| in_chat(bound, language)),
        in_cell(key.doc.in_words(language)),
    )
}

/// Returns how far owners may change a key.
fn in_chat(bound: Bound, language: Language) -> &'static str {
    match (bound, language) {
        (Bound::Any, Language::English) => "yes",
        (Bound::Any, Language::Chinese) => "可以",
        (Bound::Down, Language::English) => "downwards",
        (Bound::Down, Language::Chinese) => "只能调低",
        (Bound::Twice, Language::English) => "up to twice the value here, never off",
        (Bound::Twice, Language::Chinese) => "最多为此处值的两倍，不能关闭",
        (Bound::Off, Language::English) => "off",
        (Bound::Off, Language::Chinese) => "只能关闭",
        (Bound::Offered, Language::English) => "of the first provider, among its `models`",
        (Bound::Offered, Language::Chinese) => "仅第一个提供方，限其 `models`",
    }
}

/// Returns a text in which nothing ends the cell of a table or begins a tag.
fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
