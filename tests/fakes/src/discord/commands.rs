//! The application's commands: the rules for setting them, and what a person may do with one.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::form::Form;
use super::people::APPLICATION_ID;
use super::refusal::Refusal;
use super::sending::Outcome;
use super::snowflake::text;
use super::state::State;
use crate::people::BOT_USERNAME;

const SLASH: i64 = 1;
const ON_MESSAGE: i64 = 3;
const MOST_SLASH: usize = 100;
const MOST_IN_MENU: usize = 15;
const MOST_CHOICES: usize = 25;
const LONGEST_NAME: usize = 32;
const LONGEST_DESCRIPTION: usize = 100;
const STRING_OPTION: i64 = 3;

pub(crate) fn list(state: &State, form: &Form) -> Outcome {
    is_ours(form)?;
    Ok(Some(state.commands.clone().into()))
}

/// Puts these commands in place of all there are.
pub(crate) fn set_all(state: &mut State, form: &Form) -> Outcome {
    is_ours(form)?;
    let commands = form.body.as_array().cloned().unwrap_or_default();
    check(&commands)?;
    let version = state.ids.next();
    state.commands = commands
        .into_iter()
        .map(|mut command| {
            let known = state
                .commands
                .iter()
                .find(|known| known["name"] == command["name"] && kind(known) == kind(&command));
            let id = known.map_or_else(|| text(state.ids.next()), |known| known["id"].clone());
            command["id"] = id;
            command["application_id"] = text(APPLICATION_ID);
            command["version"] = text(version);
            command["type"] = kind(&command).into();
            command
        })
        .collect();
    Ok(Some(state.commands.clone().into()))
}

fn is_ours(form: &Form) -> Result<(), Refusal> {
    if form.id("application_id") == APPLICATION_ID {
        return Ok(());
    }
    Err(Refusal::new(
        403,
        20012,
        "You are not authorized to perform this action on this application",
    )
    .violating())
}

fn kind(command: &Value) -> i64 {
    command["type"].as_i64().unwrap_or(SLASH)
}

fn check(commands: &[Value]) -> Result<(), Refusal> {
    let mut names = HashSet::new();
    for command in commands {
        check_command(command)?;
        let name = command["name"].as_str().unwrap_or_default();
        if !names.insert((kind(command), name)) {
            return Err(wrong("name", "Application command names must be unique"));
        }
    }
    let count = |wanted: i64| commands.iter().filter(|it| kind(it) == wanted).count();
    if count(SLASH) > MOST_SLASH || count(2) > MOST_IN_MENU || count(ON_MESSAGE) > MOST_IN_MENU {
        return Err(
            Refusal::new(400, 30032, "Maximum number of application commands reached").violating(),
        );
    }
    Ok(())
}

fn check_command(command: &Value) -> Result<(), Refusal> {
    let is_slash = kind(command) == SLASH;
    let description = command["description"].as_str().unwrap_or_default();
    check_names(command, is_slash)?;
    if is_slash {
        check_descriptions(command)?;
    } else if !description.is_empty() {
        return Err(wrong(
            "description",
            "Context menu commands cannot have description",
        ));
    }
    let options = command["options"].as_array().map_or(&[][..], Vec::as_slice);
    if !is_slash && !options.is_empty() {
        return Err(wrong(
            "options",
            "Context menu commands cannot have options",
        ));
    }
    let mut names = HashSet::new();
    let mut was_optional = false;
    for option in options {
        check_names(option, true)?;
        check_descriptions(option)?;
        check_choices(option)?;
        if !names.insert(option["name"].as_str()) {
            return Err(wrong("options", "Option names must be unique"));
        }
        let is_required = option["required"] == true;
        if is_required && was_optional {
            return Err(wrong(
                "options",
                "Required options must be placed before non-required options",
            ));
        }
        was_optional |= !is_required;
    }
    Ok(())
}

/// The name and its translations.
fn check_names(named: &Value, is_slash: bool) -> Result<(), Refusal> {
    for name in translations(named, "name") {
        let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
        let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '\'';
        let is_right = !is_slash || name.chars().all(is_plain) && name.to_lowercase() == name;
        if !fits || !is_right {
            return Err(wrong("name", "Command name is invalid"));
        }
    }
    Ok(())
}

fn check_descriptions(named: &Value) -> Result<(), Refusal> {
    let mut all = translations(named, "description");
    let is_there = named["description"].is_string();
    if !is_there || !all.all(|text| (1..=LONGEST_DESCRIPTION).contains(&text.chars().count())) {
        return Err(wrong("description", "Must be between 1 and 100 in length."));
    }
    Ok(())
}

fn check_choices(option: &Value) -> Result<(), Refusal> {
    let choices = option["choices"].as_array().map_or(&[][..], Vec::as_slice);
    if choices.len() > MOST_CHOICES {
        return Err(wrong("choices", "Must be 25 or fewer in length."));
    }
    for choice in choices {
        let fits = |text: &str| (1..=100).contains(&text.chars().count());
        let value_fits =
            option["type"] != STRING_OPTION || choice["value"].as_str().is_some_and(fits);
        if !translations(choice, "name").all(fits) || !choice["name"].is_string() || !value_fits {
            return Err(wrong("choices", "Must be between 1 and 100 in length."));
        }
    }
    Ok(())
}

/// The text of a field and of its translations.
fn translations<'a>(named: &'a Value, field: &str) -> impl Iterator<Item = &'a str> {
    let translated = named[format!("{field}_localizations")].as_object();
    let translated = translated.into_iter().flat_map(|map| map.values());
    named[field]
        .as_str()
        .into_iter()
        .chain(translated.filter_map(Value::as_str))
}

fn wrong(field: &str, why: &str) -> Refusal {
    Refusal::form(field, why)
}

/// What Discord's client makes of a line that begins with a slash: the interaction's `data`, or `None` where
/// it is only text, since no such command is there or it takes no argument.
/// Panics where the client would not let the person send it.
pub(crate) fn typed(commands: &[Value], line: &str) -> Option<Value> {
    let line = line.strip_prefix('/')?;
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (name, addressee) = name.split_once('@').unwrap_or((name, BOT_USERNAME));
    if addressee != BOT_USERNAME {
        return None;
    }
    let argument = argument.trim();
    let command = commands.iter().find(|command| {
        kind(command) == SLASH && translations(command, "name").any(|it| it == name)
    })?;
    let mut data = data_of(command);
    let option = &command["options"][0];
    if argument.is_empty() {
        let is_needed = option["required"] == true;
        assert!(
            !is_needed,
            "Discord's client does not send /{name} without its argument"
        );
        return Some(data);
    }
    if option.is_null() {
        return None;
    }
    let value = chosen(option, name, argument);
    data["options"] = json!([{ "name": option["name"], "type": option["type"], "value": value }]);
    Some(data)
}

/// The value behind what a person picked or typed.
fn chosen(option: &Value, command: &str, argument: &str) -> Value {
    let Some(choices) = option["choices"].as_array().filter(|it| !it.is_empty()) else {
        return argument.into();
    };
    let is_it = |choice: &&Value| {
        choice["value"] == argument || translations(choice, "name").any(|name| name == argument)
    };
    let choice = choices.iter().find(is_it);
    let choice = choice.unwrap_or_else(|| {
        panic!("Discord's client does not send /{command} {argument}: the choices are {choices:?}")
    });
    choice["value"].clone()
}

/// A command from the menu of a message.
pub(crate) fn on_message(commands: &[Value], name: &str) -> Value {
    let found = commands.iter().find(|command| {
        kind(command) == ON_MESSAGE && translations(command, "name").any(|it| it == name)
    });
    data_of(found.unwrap_or_else(|| panic!("no command {name:?} for messages is registered")))
}

fn data_of(command: &Value) -> Value {
    json!({ "id": command["id"], "name": command["name"], "type": kind(command) })
}
