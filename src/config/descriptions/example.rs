//! The example file: every key with its default and what it is for. What is optional is a comment.

use sayso_channel::Language;
use toml::Value;

use crate::config::keys::{Example, Key, Kind, SECTIONS, Section};

/// Longer assignments do not push the explanations of the others to the right.
const ALIGNED_CHARACTERS: usize = 40;

const ENGLISH: &str = "\
# Sayso's configuration: every key with its default.
# It is read from `--config PATH`, `SAYSO_CONFIG`, `./sayso.toml` or `~/.config/sayso/sayso.toml`.
# Each key is also an environment variable, which wins: SAYSO__AGENT__MAX_STEPS, SAYSO__PROVIDERS__0__MODEL.
# A secret can be written out, or be kept elsewhere: \"env:NAME\" or \"file:PATH\".
";
const CHINESE: &str = "\
# Sayso 的配置：所有的键及其默认值。
# 读取位置：`--config PATH`、`SAYSO_CONFIG`、`./sayso.toml` 或 `~/.config/sayso/sayso.toml`。
# 每个键也可以是环境变量，且优先：SAYSO__AGENT__MAX_STEPS、SAYSO__PROVIDERS__0__MODEL。
# 密钥可以直接写出，也可以存放在别处：\"env:NAME\" 或 \"file:PATH\"。
";

/// Returns the example file, with its explanations in a language.
pub fn example(language: Language) -> String {
    let mut text = match language {
        Language::English => ENGLISH.to_owned(),
        Language::Chinese => CHINESE.to_owned(),
    };
    for section in SECTIONS {
        text.push('\n');
        text.push_str(&one_section(section, language));
    }
    text
}

fn one_section(section: &Section, language: Language) -> String {
    let mut lines: Vec<String> = Vec::new();
    let comments =
        |text: &str| -> Vec<String> { text.lines().map(|line| format!("# {line}")).collect() };
    lines.extend(comments(section.above.in_words(language)));
    let mark = if section.is_written { "" } else { "# " };
    lines.extend(section.heading().map(|heading| format!("{mark}{heading}")));
    let assigned: Vec<String> = section
        .keys
        .iter()
        .map(|key| assignment(section, key))
        .collect();
    let lengths = assigned.iter().map(|line| line.chars().count());
    let width = lengths
        .filter(|length| *length <= ALIGNED_CHARACTERS)
        .max()
        .unwrap_or_default();
    for (assigned, key) in assigned.iter().zip(section.keys) {
        lines.push(format!(
            "{assigned:width$} # {}",
            explanation(key, language)
        ));
    }
    let below = comments(section.below.in_words(language));
    if !below.is_empty() {
        lines.push(String::new());
        lines.extend(below);
    }
    lines.join("\n") + "\n"
}

/// Returns `name = value`, as a comment where it is optional.
fn assignment(section: &Section, key: &Key) -> String {
    let name = key.path.rsplit('.').next().unwrap_or(key.path);
    let (is_optional, value) = match (key.example, key.default) {
        (Example::Written(value), _) => (false, value.to_owned()),
        (Example::Optional(value), _) => (true, value.to_owned()),
        (Example::Default, Some(default)) => (false, as_toml(key.kind, default)),
        (Example::Default, None) => (true, "\"\"".to_owned()),
    };
    let mark = if is_optional || !section.is_written {
        "# "
    } else {
        ""
    };
    format!("{mark}{name} = {value}")
}

/// Returns a default as the file has it.
fn as_toml(kind: Kind, text: &str) -> String {
    match (kind, kind.read_text(text)) {
        // The declared text: `0`, not `0.0`.
        (Kind::Decimal(..), _) | (_, None) => text.to_owned(),
        (_, Some(Value::Array(items))) if items.is_empty() => "[]".to_owned(),
        (_, Some(value)) => value.to_string(),
    }
}

fn explanation(key: &Key, language: Language) -> String {
    let doc = key.doc.in_words(language);
    match key.kind.range() {
        Some(range) => format!("{doc} ({range})"),
        None => doc.to_owned(),
    }
}
