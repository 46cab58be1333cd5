//! What `/model` says.

use sayso_channel::{Language, text};
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
            let mark = if shown.chosen == Some(model) {
                text!(language, "commands-models-chosen-here")
            } else {
                ""
            };
            // No list of Markdown, which would count by itself.
            format!("{number}\\. `{model}`{mark}")
        })
        .chain(more(shown.more, language))
        .collect();
    let lines = lines.join("\n");
    match shown.offered {
        0 => text!(language, "commands-models-none").to_owned(),
        1 => text!(language, "commands-models-one", shown = only(shown)),
        _ => text!(language, "commands-models", lines),
    }
}

/// Returns the name of the one model, without that of its server.
fn only<'a>(shown: &ShownModels<'a>) -> &'a str {
    let name = shown.models.first().map_or("", |(_, model)| model);
    name.rsplit('/').next().unwrap_or(name)
}

/// How the others are found, where a list does not show all.
fn more(count: usize, language: Language) -> Option<String> {
    let line = text!(language, "commands-model-more", count);
    (count > 0).then_some(line)
}

/// The button that follows the configuration again.
pub fn model_auto(language: Language) -> &'static str {
    text!(language, "commands-model-auto")
}

/// A press on a list that somebody else asked for.
pub fn model_list_of_others(language: Language) -> String {
    text!(language, "commands-model-list-of-others").to_owned()
}

/// A press on a model that is offered no more.
pub fn model_gone(language: Language) -> String {
    text!(language, "commands-model-gone").to_owned()
}

/// `/model NAME`, or `/model auto`.
pub fn model_chosen(model: Option<&str>, language: Language) -> String {
    match model {
        Some(model) => text!(language, "commands-model-chosen", model),
        None => text!(language, "commands-model-as-configured").to_owned(),
    }
}

/// `/model` with a name that is none, or stands for several.
pub fn model_unknown(written: &str, language: Language) -> String {
    let written = plain(first_chars(written, NAME_CHARS).unwrap_or(written));
    text!(language, "commands-model-unknown", written)
}

/// `/model NAME` by a member of a group.
pub fn model_owners_only(language: Language) -> String {
    text!(language, "commands-model-owners-only").to_owned()
}
