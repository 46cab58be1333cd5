//! What `/model` says.

use sayso_channel::Language::{self, Chinese, English};
use sayso_core::transcript::first_chars;

use super::plain;

/// The models of one list, by their numbers among all.
pub struct ShownModels<'a> {
    /// Those that are shown: the first ones, and the chosen one.
    pub models: Vec<(usize, &'a str)>,
    /// How many more there are.
    pub more: usize,
    /// The one that the session chose.
    pub chosen: Option<&'a str>,
    /// How many are offered.
    pub offered: usize,
}

/// The most of a name that is said back, in characters.
const NAME_CHARS: usize = 60;

/// `/model`: what there is, and what is in use here.
pub fn models(shown: &ShownModels<'_>, language: Language) -> String {
    let lines: Vec<String> = shown
        .models
        .iter()
        .map(|(number, model)| {
            let mark = match (shown.chosen == Some(model), language) {
                (false, _) => "",
                (true, English) => " (chosen here)",
                (true, Chinese) => "（这里已选）",
            };
            // No list of Markdown, which would count by itself.
            format!("{number}\\. `{model}`{mark}")
        })
        .chain(more(shown.more, language))
        .collect();
    let lines = lines.join("\n");
    match (shown.offered, language) {
        (0, English) => "There is no model to choose from.".to_owned(),
        (0, Chinese) => "没有可选的模型。".to_owned(),
        (1, English) => format!("I use `{}`. It is the only model set up.", only(shown)),
        (1, Chinese) => format!("当前模型：`{}`（仅此一个）。", only(shown)),
        (_, English) => format!(
            "**Models**\n\n{lines}\n\n`/model 2` has that one asked first in this conversation, `/model auto` follows the configuration."
        ),
        (_, Chinese) => format!(
            "**模型**\n\n{lines}\n\n`/model 2` 让这个对话先用该模型，`/model auto` 按配置的顺序。"
        ),
    }
}

/// Returns the name of the one model, without that of its server.
fn only<'a>(shown: &ShownModels<'a>) -> &'a str {
    let name = shown.models.first().map_or("", |(_, model)| model);
    name.rsplit('/').next().unwrap_or(name)
}

/// How the others are found, where a list does not show all.
fn more(count: usize, language: Language) -> Option<String> {
    let line = match language {
        English => {
            format!("… and {count} more: `/model WORD` lists those with the word in their names.")
        }
        Chinese => format!("……还有 {count} 个：`/model 词` 列出名称里含有该词的模型。"),
    };
    (count > 0).then_some(line)
}

/// The button that follows the configuration again.
pub fn model_auto(language: Language) -> &'static str {
    match language {
        English => "As configured",
        Chinese => "按配置",
    }
}

/// A press on a list that somebody else asked for.
pub fn model_list_of_others(language: Language) -> String {
    match language {
        English => "Somebody else asked for this list. /model shows yours.".to_owned(),
        Chinese => "这个列表是别人要的。/model 会给出你的列表。".to_owned(),
    }
}

/// A press on a model that is offered no more.
pub fn model_gone(language: Language) -> String {
    match language {
        English => "This model is not offered any more. /model shows what is.".to_owned(),
        Chinese => "已不再提供这个模型。/model 会列出现有的模型。".to_owned(),
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
        English => format!("There is no model {written}. `/model` lists them."),
        Chinese => format!("没有 {written} 这个模型。`/model` 会列出所有模型。"),
    }
}

/// `/model NAME` by a member of a group.
pub fn model_owners_only(language: Language) -> String {
    match language {
        English => "In a group only an owner can choose the model.".to_owned(),
        Chinese => "在群里只有管理者可以选择模型。".to_owned(),
    }
}
