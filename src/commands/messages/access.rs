//! What `/autonomy` and `/grants` say, beside the effective policy.

use sayso_channel::Language::{self, Chinese, English};
use sayso_policy::{AutonomyLevel, Covers, GrantPattern};

/// `/autonomy LEVEL` by a member.
pub fn autonomy_owners_only(language: Language) -> String {
    match language {
        English => "Only an owner can change this.".to_owned(),
        Chinese => "只有管理者可以更改。".to_owned(),
    }
}

/// `/autonomy` with a word that is no level.
pub fn autonomy_unknown(wanted: &str, language: Language) -> String {
    let wanted: String = wanted
        .chars()
        .filter(|letter| *letter != '`')
        .take(40)
        .collect();
    match language {
        English => {
            format!("There is no level `{wanted}`. Levels: `read_only`, `supervised`, `full`.")
        }
        Chinese => format!("没有 `{wanted}` 这个级别。可用：`read_only`、`supervised`、`full`。"),
    }
}

/// `/autonomy` above what the configuration allows.
pub fn autonomy_above_ceiling(
    wanted: AutonomyLevel,
    ceiling: AutonomyLevel,
    language: Language,
) -> String {
    let (wanted, ceiling) = (wanted.as_str(), ceiling.as_str());
    match language {
        English => format!(
            "`{wanted}` is more than the configuration allows (`{ceiling}`).\n*Hint:* raise `agent.autonomy`, or your entry in `access.autonomy`, in `sayso.toml` and restart."
        ),
        Chinese => format!(
            "`{wanted}` 超过了配置允许的 `{ceiling}`。\n*提示：*修改 `sayso.toml` 的 `agent.autonomy` 或 `access.autonomy` 中的条目并重启。"
        ),
    }
}

/// `/grants`: what is allowed without asking.
pub fn grants(allowed: &[GrantPattern], language: Language) -> String {
    if allowed.is_empty() {
        return match language {
            English => "No standing permissions here: I ask each time.".to_owned(),
            Chinese => "这里没有长期许可，每次都会询问。".to_owned(),
        };
    }
    let lines: Vec<String> = allowed
        .iter()
        .zip(1..)
        .map(|(pattern, number)| format!("{number}. {}", covered(pattern, language)))
        .collect();
    let list = lines.join("\n");
    match language {
        English => format!("Allowed without asking in this conversation:\n{list}"),
        Chinese => format!("本次对话中无需询问：\n{list}"),
    }
}

fn covered(pattern: &GrantPattern, language: Language) -> String {
    let secrets = pattern.secrets.join(", ");
    match (&pattern.covers, secrets.as_str(), language) {
        (Covers::Command(command), "", _) => format!("`{}`", in_code(command)),
        (Covers::Command(command), secrets, English) => {
            format!("`{}` with the secret {secrets}", in_code(command))
        }
        (Covers::Command(command), secrets, Chinese) => {
            format!("`{}`（使用机密 {secrets}）", in_code(command))
        }
        (Covers::Prefix(words), _, English) => {
            format!("`{} …` with any safe names", in_code(words))
        }
        (Covers::Prefix(words), _, Chinese) => format!("`{} …`（任何安全的名称）", in_code(words)),
    }
}

/// Returns a text on one line that cannot close the code that it stands in.
fn in_code(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('`', "'")
}

/// The button that takes back one of the list.
pub fn take_back_one(number: usize, language: Language) -> String {
    match language {
        English => format!("Take back {number}"),
        Chinese => format!("撤回 {number}"),
    }
}

/// The button that takes back all of the list.
pub fn take_back_all(language: Language) -> String {
    match language {
        English => "Take back all".to_owned(),
        Chinese => "全部撤回".to_owned(),
    }
}

/// Permissions were taken back.
pub fn revoked(count: u64, language: Language) -> String {
    match (count, language) {
        (0, English) => "There was nothing to take back.".to_owned(),
        (0, Chinese) => "没有可撤回的许可。".to_owned(),
        (1, English) => "Taken back. I ask again from now on.".to_owned(),
        (1, Chinese) => "已撤回，之后会再询问。".to_owned(),
        (count, English) => format!("Taken back: {count}. I ask again from now on."),
        (count, Chinese) => format!("已撤回 {count} 条，之后会再询问。"),
    }
}

/// A press on a permission that does not hold any more.
pub fn grant_is_gone(language: Language) -> String {
    match language {
        English => "It does not hold any more. Nothing changed.".to_owned(),
        Chinese => "它已经失效，没有任何改变。".to_owned(),
    }
}

/// `/grants revoke` with a number that is none.
pub fn no_such_grant(which: &str, count: usize, language: Language) -> String {
    let which: String = which
        .chars()
        .filter(|letter| *letter != '`')
        .take(20)
        .collect();
    match language {
        English => {
            format!("There is no permission `{which}`. You have {count}; use its number or `all`.")
        }
        Chinese => format!("没有第 `{which}` 条。共 {count} 条，请用编号或 `all`。"),
    }
}
