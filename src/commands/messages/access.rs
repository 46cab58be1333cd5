//! What `/autonomy` and `/grants` say, beside the effective policy.

use sayso_channel::Language::{self, Chinese, English};

use crate::policy::AutonomyLevel;

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

/// `/grants`.
pub fn grants(commands: &[String], language: Language) -> String {
    if commands.is_empty() {
        return match language {
            English => "You always allow nothing here: I ask every time.".to_owned(),
            Chinese => "这里没有“总是允许”的命令：每次都会询问。".to_owned(),
        };
    }
    let lines: Vec<String> = commands
        .iter()
        .enumerate()
        .map(|(position, command)| format!("{}. `{command}`", position + 1))
        .collect();
    let list = lines.join("\n") + covers_more(commands, language);
    match language {
        English => format!(
            "Here you always allow exactly these commands:\n{list}\n\n`/grants revoke 1` revokes one, `/grants revoke all` all."
        ),
        Chinese => format!(
            "在这里总是允许的命令（完全一致才算）：\n{list}\n\n`/grants revoke 1` 撤销一条，`/grants revoke all` 全部撤销。"
        ),
    }
}

/// What the dots behind a listed prefix mean.
fn covers_more(commands: &[String], language: Language) -> &'static str {
    if !commands.iter().any(|command| command.ends_with(" …")) {
        return "";
    }
    match language {
        English => "\n… stands for options and names that are safe behind these words.",
        Chinese => "\n… 表示这些词后面可以安全附加的选项和名称。",
    }
}

/// `/grants revoke`.
pub fn revoked(count: u64, language: Language) -> String {
    match language {
        English => format!("Revoked: {count}."),
        Chinese => format!("已撤销 {count} 条。"),
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
            format!("There is no grant `{which}`. You have {count}; use its number or `all`.")
        }
        Chinese => format!("没有第 `{which}` 条。共 {count} 条，请用编号或 `all`。"),
    }
}
