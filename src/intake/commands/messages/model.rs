//! What `/model` says.

use sayso_channel::Language::{self, Chinese, English};

use crate::intake::messages::plain;
use crate::transcript::first_chars;

/// The most of a name that is said back, in characters.
const NAME_CHARS: usize = 60;

/// `/model`: what there is, and what is in use here.
pub fn models(models: &[String], chosen: Option<&str>, language: Language) -> String {
    let lines: Vec<String> = models
        .iter()
        .zip(1..)
        .map(|(model, number)| {
            let mark = match (chosen == Some(model), language) {
                (false, _) => "",
                (true, English) => " (chosen here)",
                (true, Chinese) => "（这里已选）",
            };
            format!("{number}. `{model}`{mark}")
        })
        .collect();
    let lines = lines.join("\n");
    match (models.len(), language) {
        (0, English) => "There is no model to choose from.".to_owned(),
        (0, Chinese) => "没有可选的模型。".to_owned(),
        (1, English) => format!(
            "**Models**\n{lines}\n\n*Hint:* the operator can offer more with `models` in `[[providers]]`."
        ),
        (1, Chinese) => format!(
            "**模型**\n{lines}\n\n*提示：*管理员可以在 `[[providers]]` 里用 `models` 提供更多。"
        ),
        (_, English) => format!(
            "**Models**\n{lines}\n\n`/model 2` has that one asked first in this conversation, `/model auto` follows the configuration."
        ),
        (_, Chinese) => format!(
            "**模型**\n{lines}\n\n`/model 2` 让这个对话先用该模型，`/model auto` 按配置的顺序。"
        ),
    }
}

/// `/model NAME`, or `/model auto`.
pub fn model_chosen(model: Option<&str>, language: Language) -> String {
    match (model, language) {
        (Some(model), English) => {
            format!("From now on `{model}` is asked first here; another one only when it fails.")
        }
        (Some(model), Chinese) => format!("从现在起这里先用 `{model}`，它失败时才用其他模型。"),
        (None, English) => "From now on the order of the configuration holds here.".to_owned(),
        (None, Chinese) => "从现在起这里按配置的顺序。".to_owned(),
    }
}

/// `/model` with a name that is none, or stands for several.
pub fn model_unknown(written: &str, language: Language) -> String {
    let written = plain(first_chars(written, NAME_CHARS).unwrap_or(written));
    match language {
        English => format!("There is no one model called {written}. `/model` lists them."),
        Chinese => format!("没有唯一叫做 {written} 的模型。`/model` 会列出所有模型。"),
    }
}

/// `/model NAME` by a member of a group.
pub fn model_owners_only(language: Language) -> String {
    match language {
        English => "In a group only an owner can choose the model.".to_owned(),
        Chinese => "在群里只有管理者可以选择模型。".to_owned(),
    }
}
