//! Buttons and select menus: the rules that the published schema does not hold, and what people see of them.

use std::collections::HashSet;

use serde_json::Value;

use super::refusal::Refusal;
use crate::message::Button;

const MOST_ROWS: usize = 5;
const MOST_BUTTONS: usize = 5;
const MOST_OPTIONS: usize = 25;
const LONGEST_LABEL: usize = 80;
const LONGEST_TOKEN: usize = 100;
const LONGEST_OPTION: usize = 100;
const LONGEST_URL: usize = 512;

const ACTION_ROW: i64 = 1;
const BUTTON: i64 = 2;
const STRING_SELECT: i64 = 3;
const LINK: i64 = 5;

/// Judges the components of a message and returns the rows as people see them.
pub(crate) fn accept(components: &[Value]) -> Result<Vec<Vec<Button>>, Refusal> {
    if components.len() > MOST_ROWS {
        return Err(wrong("Must be 5 or fewer in length."));
    }
    let mut tokens = HashSet::new();
    components
        .iter()
        .map(|row| accept_row(row, &mut tokens))
        .collect()
}

fn accept_row(row: &Value, tokens: &mut HashSet<String>) -> Result<Vec<Button>, Refusal> {
    if row["type"] != ACTION_ROW {
        return Err(wrong("this fake plays action rows only"));
    }
    let inside = row["components"].as_array().map_or(&[][..], Vec::as_slice);
    if inside.is_empty() || inside.len() > MOST_BUTTONS {
        return Err(wrong("Must be between 1 and 5 in length."));
    }
    for component in inside {
        check_token(component, tokens)?;
    }
    match (inside, inside[0]["type"].as_i64()) {
        ([menu], Some(STRING_SELECT)) => accept_menu(menu),
        _ => inside.iter().map(accept_button).collect(),
    }
}

/// Every component but a link has a custom id, which is unique in its message.
fn check_token(component: &Value, tokens: &mut HashSet<String>) -> Result<(), Refusal> {
    let token = component["custom_id"].as_str();
    if component["type"] == BUTTON && component["style"] == LINK {
        return match token {
            None => Ok(()),
            Some(_) => Err(wrong("A custom id and url cannot both be specified")),
        };
    }
    let token = token.ok_or_else(|| wrong("A custom id is required"))?;
    let length = token.chars().count();
    if length == 0 || length > LONGEST_TOKEN {
        return Err(wrong("custom_id must be between 1 and 100 in length."));
    }
    if !tokens.insert(token.to_owned()) {
        return Err(wrong("Component custom id cannot be duplicated"));
    }
    Ok(())
}

fn accept_button(button: &Value) -> Result<Button, Refusal> {
    if button["type"] != BUTTON {
        return Err(wrong("a row holds one menu or up to five buttons"));
    }
    let label = button["label"].as_str().unwrap_or_default();
    let length = label.chars().count();
    if length > LONGEST_LABEL {
        return Err(wrong("label must be 80 or fewer in length."));
    }
    if length == 0 && button["emoji"].is_null() {
        return Err(wrong("A button must have a label or an emoji"));
    }
    let url = button["url"].as_str();
    let is_link = button["style"] == LINK;
    if is_link != url.is_some() {
        return Err(wrong("A url is required for links, and for nothing else"));
    }
    if let Some(url) = url {
        let is_openable = ["http://", "https://", "discord://"]
            .iter()
            .any(|scheme| url.starts_with(scheme));
        if !is_openable || url.chars().count() > LONGEST_URL {
            return Err(wrong("url: Not a well formed URL."));
        }
    }
    Ok(Button {
        label: label.to_owned(),
        token: button["custom_id"].as_str().map(str::to_owned),
        url: url.map(str::to_owned),
    })
}

/// People see the options of a menu once it is open; each shows as a button whose token is its value.
fn accept_menu(menu: &Value) -> Result<Vec<Button>, Refusal> {
    let options = menu["options"].as_array().map_or(&[][..], Vec::as_slice);
    if options.is_empty() || options.len() > MOST_OPTIONS {
        return Err(wrong("options must be between 1 and 25 in length."));
    }
    let mut values = HashSet::new();
    options
        .iter()
        .map(|option| {
            let field = |name: &str| option[name].as_str().unwrap_or_default().to_owned();
            let (label, value) = (field("label"), field("value"));
            let fits = |text: &str| (1..=LONGEST_OPTION).contains(&text.chars().count());
            if !fits(&label) || !fits(&value) {
                return Err(wrong(
                    "label and value must be between 1 and 100 in length.",
                ));
            }
            if !values.insert(value.clone()) {
                return Err(wrong("The specified option value is already used"));
            }
            Ok(Button {
                label,
                token: Some(value),
                url: None,
            })
        })
        .collect()
}

/// What a person does with a component of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// Presses the button with this custom id.
    Button(String),
    /// Chooses this value in the menu with this custom id.
    Menu { token: String, value: String },
}

/// Finds what the label stands for: a button, or an option of a menu.
pub(crate) fn find(components: &[Value], label: &str) -> Option<Touch> {
    let inside = |row: &Value| row["components"].as_array().cloned().unwrap_or_default();
    let mut all = components.iter().flat_map(inside);
    all.find_map(|component| touch(&component, label))
}

fn touch(component: &Value, label: &str) -> Option<Touch> {
    let token = component["custom_id"].as_str()?.to_owned();
    if component["type"] == BUTTON {
        let is_it = component["label"] == label && component["disabled"] != true;
        return is_it.then_some(Touch::Button(token));
    }
    let options = component["options"].as_array()?;
    let option = options.iter().find(|option| option["label"] == label)?;
    Some(Touch::Menu {
        token,
        value: option["value"].as_str()?.to_owned(),
    })
}

fn wrong(why: &str) -> Refusal {
    Refusal::form("components", why)
}
