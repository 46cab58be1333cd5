//! Why a configuration cannot be used, in the language of the command line.

use std::path::Path;

use sayso_channel::Language;

use crate::config::{ConfigError, Mistake, Origin};

/// What is allowed, in English and 简体中文: whole phrases of it. What is not in this list stays.
const PHRASES: [(&str, &str); 14] = [
    ("\nhint: did you mean ", "\n提示：是不是 "),
    ("\nhint: write ", "\n提示：请写 "),
    (
        "\nhint: it speaks OpenAI's protocol: write ",
        "\n提示：它使用 OpenAI 协议：请写 ",
    ),
    ("\nhint: ", "\n提示："),
    ("write it in quotes", "请加引号"),
    ("write it without quotes", "请去掉引号"),
    ("write it as a list", "请写成列表"),
    ("text in quotes", "带引号的文本"),
    ("a whole number from ", "整数，范围 "),
    ("a number from ", "数字，范围 "),
    ("a list of texts, such as ", "文本列表，例如 "),
    ("a list of sections: ", "多个小节："),
    ("a section: ", "一个小节："),
    (" such as ", " 例如 "),
];

/// Returns the words for an error.
pub(super) fn in_words(error: &ConfigError, language: Language) -> String {
    match language {
        Language::English => error.to_string(),
        Language::Chinese => in_chinese(error),
    }
}

fn in_chinese(error: &ConfigError) -> String {
    match error {
        ConfigError::NoFile { path, named_by } => {
            format!("`{}` 不存在（由 {named_by} 指定）", path.display())
        }
        ConfigError::Directory { path, named_by } => format!(
            "`{}` 是目录，应为文件（由 {named_by} 指定）\n提示：请指定文件本身",
            path.display()
        ),
        ConfigError::Unreadable { path, why } => {
            format!("无法读取 `{}`：{}", path.display(), phrases(why))
        }
        ConfigError::Syntax {
            path,
            line,
            column,
            message,
            mistake,
        } => syntax(path, (*line, *column), message, mistake.as_ref()),
        ConfigError::UnknownKey {
            origin,
            key,
            section,
            allowed,
            nearest,
        } => format!(
            "{}：未知的键 `{key}`；{}",
            place_of(origin),
            known_keys(section, allowed, *nearest)
        ),
        ConfigError::Refused { .. } | ConfigError::WrongType { .. } => value_in_chinese(error),
        ConfigError::Missing {
            origin,
            key,
            because,
            hint,
        } => format!(
            "{}：没有设置 `{key}`：{because}\n提示：{hint}",
            place_of(origin)
        ),
        ConfigError::Inconsistent(why) => format!("无法读取配置：{why}"),
        ConfigError::NoSecret {
            origin,
            key,
            place,
            why,
        } => format!("{}：`{key}` 存放在 {place}，但是：{why}", place_of(origin)),
    }
}

/// Says what is wrong with a value.
fn value_in_chinese(error: &ConfigError) -> String {
    match error {
        ConfigError::Refused {
            origin,
            key,
            value,
            allowed,
        } => {
            let value = value
                .as_ref()
                .map_or_else(String::new, |value| format!(" 的值是 `{value}`，但"));
            let allowed = phrases(allowed);
            format!("{}：`{key}`{value}应为{allowed}", place_of(origin))
        }
        ConfigError::WrongType {
            origin,
            key,
            found,
            allowed,
        } => format!(
            "{}：`{key}` 的值是{}，但应为{}",
            place_of(origin),
            kind_of_value(found),
            phrases(allowed)
        ),
        ConfigError::NoFile { .. }
        | ConfigError::Directory { .. }
        | ConfigError::Unreadable { .. }
        | ConfigError::Syntax { .. }
        | ConfigError::UnknownKey { .. }
        | ConfigError::Missing { .. }
        | ConfigError::Inconsistent(_)
        | ConfigError::NoSecret { .. } => error.to_string(),
    }
}

fn known_keys(section: &str, allowed: &[&str], nearest: Option<&str>) -> String {
    let place = match section {
        "" => "文件".to_owned(),
        section => format!("`[{section}]`"),
    };
    let names = match allowed {
        [] => "没有任何键".to_owned(),
        names => format!("`{}`", names.join("`、`")),
    };
    let hint = nearest.map_or_else(String::new, |name| format!("\n提示：是不是 `{name}`？"));
    format!("{place} 中可用：{names}{hint}")
}

fn syntax(
    path: &Path,
    (line, column): (usize, usize),
    message: &str,
    mistake: Option<&Mistake>,
) -> String {
    let why = match mistake {
        Some(Mistake::TypographicQuotes) => {
            "这一行用了弯引号或全角引号；请改用直引号 `\"`".to_owned()
        }
        Some(Mistake::BareText(key)) => format!("值需要加引号：请写 `{key} = \"...\"`"),
        Some(Mistake::BareItem(key)) => {
            format!("列表中的每个值都需要加引号：请写 `{key} = [\"...\", \"...\"]`")
        }
        None => format!("原文“{message}”"),
    };
    format!("{}:{line}:{column}：不是有效的 TOML：{why}", path.display())
}

fn place_of(origin: &Origin) -> String {
    match origin {
        Origin::File { path, line } => format!("{}:{line}", path.display()),
        Origin::Variable(name) => format!("环境变量 {name}"),
        Origin::Chat => "在聊天中的修改".to_owned(),
        Origin::Default => "默认值".to_owned(),
    }
}

fn kind_of_value(found: &str) -> String {
    [
        ("the text ", "文本 "),
        ("the number ", "数字 "),
        ("the switch ", "开关值 "),
        ("a time", "时间"),
        ("a list", "列表"),
        ("a section", "小节"),
    ]
    .iter()
    .fold(found.to_owned(), |text, (english, chinese)| {
        text.replacen(english, chinese, 1)
    })
}

fn phrases(text: &str) -> String {
    let text = PHRASES
        .iter()
        .fold(text.to_owned(), |text, (english, chinese)| {
            text.replace(english, chinese)
        });
    text.replace("` or ", "` 或 ")
        .replace("`, `", "`、`")
        .replace("`?", "`？")
        .replace(" to ", " 至 ")
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::in_words;
    use crate::config::{self, Environment};

    fn said(text: &str, language: Language) -> String {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("sayso.toml");
        std::fs::write(&path, text).unwrap();
        let environment = Environment::from_iter([("HOME", "/home/mia")]);
        let error = config::load(Some(&path), &environment).unwrap_err();
        let said = in_words(&error, language);
        said.replace(&format!("{}/", place.path().display()), "")
    }

    #[test]
    fn u25_mistakes_are_named_in_words() {
        let english = |text| said(text, Language::English);
        insta::assert_snapshot!(english("[access]\nowners = [telegram:12345]"), @r#"sayso.toml:2:11: this is not TOML: each value of the list needs quotes: write `owners = ["...", "..."]`"#);
        insta::assert_snapshot!(english("[agent]\nautonomy = 'Full'"), @r"
        sayso.toml:2: `agent.autonomy` is `Full`, but must be `read_only`, `supervised` or `full`
        hint: did you mean `full`?
        ");
        insta::assert_snapshot!(english("[[providers]]\nkind = 'ollama'\nmodel = 'x'"), @r#"
        sayso.toml:2: `providers.0.kind` is `ollama`, but must be `openai`, `anthropic`, `llama` or `offline`
        hint: it speaks OpenAI's protocol: write `kind = "openai"` and `base_url = "http://127.0.0.1:11434/v1"`
        "#);
    }

    #[test]
    fn u25_errors_speak_chinese() {
        let chinese = |text| said(text, Language::Chinese);
        insta::assert_snapshot!(chinese("[channels.telegram]\ntoken = \u{201c}1:x\u{201d}"), @r#"sayso.toml:2:9：不是有效的 TOML：这一行用了弯引号或全角引号；请改用直引号 `"`"#);
        insta::assert_snapshot!(chinese("[agent]\nmax_steps = 99"), @"sayso.toml:2：`agent.max_steps` 的值是 `99`，但应为整数，范围 1 至 30");
        insta::assert_snapshot!(chinese("[agent]\nautonomy = 'Full'"), @r"
        sayso.toml:2：`agent.autonomy` 的值是 `Full`，但应为`read_only`、`supervised` 或 `full`
        提示：是不是 `full`？
        ");
    }
}
