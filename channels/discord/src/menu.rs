//! Slash commands: how they are registered with Discord.

use sayso_channel::{Argument, ArgumentKind, ChannelError, Choice, Command};
use serde::Serialize;
use serde_json::{Value, json};

use crate::identity::Identity;
use crate::messages;
use crate::refusal;
use crate::rest::{Request, Rest};

/// Discord's name of Simplified Chinese
/// (<https://docs.discord.com/developers/reference#locales>).
const CHINESE: &str = "zh-CN";

/// Discord's number for a command that is written.
const CHAT_INPUT: u8 = 1;
/// Discord's number for a command below a message.
const MESSAGE: u8 = 3;
/// Discord's number for an option that is text.
const STRING: u8 = 3;

/// Replaces the commands that Discord offers, everywhere and in both languages.
pub(crate) async fn announce(rest: &Rest, commands: &[Command]) -> Result<(), ChannelError> {
    let identity = Identity::ask(rest).await.map_err(refusal::of_repeatable)?;
    let path = format!("/applications/{}/commands", identity.application);
    let request = Request::put(path).json(&body(commands));
    rest.call::<Value>(request)
        .await
        .map(drop)
        .map_err(refusal::of_repeatable)
}

/// A command as Discord takes it. serenity's builder writes fields that Discord does not document.
#[derive(Serialize)]
struct NewCommand<'a> {
    #[serde(rename = "type")]
    kind: u8,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_localizations: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description_localizations: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<Value>,
}

fn body(commands: &[Command]) -> Vec<NewCommand<'_>> {
    let ask = NewCommand {
        kind: MESSAGE,
        name: messages::ask(),
        name_localizations: Some(in_chinese(messages::ask_in_chinese())),
        description: None,
        description_localizations: None,
        options: Vec::new(),
    };
    commands.iter().map(written).chain([ask]).collect()
}

fn written(command: &Command) -> NewCommand<'_> {
    NewCommand {
        kind: CHAT_INPUT,
        name: command.name,
        name_localizations: None,
        description: Some(command.english),
        description_localizations: Some(in_chinese(command.chinese)),
        options: command.argument.as_ref().map(option).into_iter().collect(),
    }
}

/// An argument may always be left out.
fn option(argument: &Argument) -> Value {
    let mut option = json!({
        "type": STRING,
        "name": argument.name,
        "description": argument.english,
        "description_localizations": in_chinese(argument.chinese),
        "required": false,
    });
    if let ArgumentKind::Choice(choices) = argument.kind {
        option["choices"] = choices.iter().map(choice).collect();
    }
    option
}

fn choice(choice: &Choice) -> Value {
    json!({
        "name": choice.english,
        "name_localizations": in_chinese(choice.chinese),
        "value": choice.value,
    })
}

fn in_chinese(text: &str) -> Value {
    json!({ CHINESE: text })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: Command = Command {
        name: "autonomy",
        english: "How much I may do",
        chinese: "我可以做多少",
        argument: Some(Argument {
            name: "level",
            english: "The level",
            chinese: "级别",
            kind: ArgumentKind::Choice(&[Choice {
                value: "full",
                english: "Full",
                chinese: "完全",
            }]),
        }),
    };

    #[test]
    fn commands_are_told_in_both_languages_and_with_their_choices() {
        let told = serde_json::to_value(body(&[LEVEL])).unwrap();
        assert_eq!(
            told,
            json!([
                {
                    "type": 1,
                    "name": "autonomy",
                    "description": "How much I may do",
                    "description_localizations": {"zh-CN": "我可以做多少"},
                    "options": [{
                        "type": 3,
                        "name": "level",
                        "description": "The level",
                        "description_localizations": {"zh-CN": "级别"},
                        "required": false,
                        "choices": [{
                            "name": "Full",
                            "name_localizations": {"zh-CN": "完全"},
                            "value": "full"
                        }]
                    }]
                },
                {"type": 3, "name": "Ask Sayso", "name_localizations": {"zh-CN": "问 Sayso"}}
            ])
        );
    }
}
