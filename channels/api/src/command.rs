//! Commands as a platform's menu shows them and as a chat writes them.

use serde::{Deserialize, Serialize};

/// A command for a platform's menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The name without the slash: 1-32 of `a-z`, `0-9` and `_` (Telegram's rule, the narrowest).
    pub name: &'static str,
    /// What it does, in English, 1-100 characters.
    pub english: &'static str,
    /// What it does, in Simplified Chinese, 1-100 characters.
    pub chinese: &'static str,
    /// What may be written behind the name.
    pub argument: Option<Argument>,
}

/// What may be written behind the name of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// Its name, by the rule of command names.
    pub name: &'static str,
    /// What it is, in English, 1-100 characters.
    pub english: &'static str,
    /// What it is, in Simplified Chinese, 1-100 characters.
    pub chinese: &'static str,
    /// What it may be.
    pub kind: ArgumentKind,
}

/// What an argument may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    /// Any text, or none.
    Text,
    /// One of these, at most 25 (Discord's limit of choices), or none.
    Choice(&'static [Choice]),
}

/// One value of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// What the command is given, 1-100 characters.
    pub value: &'static str,
    /// How it reads in English, 1-100 characters.
    pub english: &'static str,
    /// How it reads in Simplified Chinese, 1-100 characters.
    pub chinese: &'static str,
}

/// The longest name of a command in Han letters.
const MOST_HAN: usize = 4;

/// A command that was written to us: `/start CODE`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandCall {
    /// The name in lower case, without the slash and without our name behind `@`.
    pub name: String,
    /// Everything behind the name, trimmed.
    pub arguments: String,
}

impl CommandCall {
    /// Reads `/name@us arguments`; `None` when the text is no command, or one for another bot.
    ///
    /// A name begins with a letter and has nothing but letters, digits and `_`: a path is none. One
    /// in Han letters has at most four, since Chinese has no spaces: more is a sentence.
    pub fn parse(text: &str, our_name: Option<&str>) -> Option<Self> {
        let line = text.trim_start().strip_prefix('/')?;
        let (word, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (name, addressee) = match word.split_once('@') {
            Some((name, addressee)) => (name, Some(addressee)),
            None => (word, None),
        };
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let is_han = |letter: char| matches!(letter, '\u{4e00}'..='\u{9fff}');
        let is_ascii = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && name.chars().all(is_plain);
        let is_chinese = (1..=MOST_HAN).contains(&name.chars().count()) && name.chars().all(is_han);
        let well_formed = is_ascii || is_chinese;
        let for_us = addressee
            .is_none_or(|addressee| our_name.is_some_and(|us| us.eq_ignore_ascii_case(addressee)));
        (well_formed && for_us).then(|| Self {
            name: name.to_ascii_lowercase(),
            arguments: arguments.trim().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::CommandCall;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let call = CommandCall::parse(text, Some("sayso_bot"));
        let found = call
            .as_ref()
            .map(|call| (call.name.as_str(), call.arguments.as_str()));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn commands_are_read_as_people_write_them() {
        check("/help", Some(("help", "")));
        check("/Start  abc ", Some(("start", "abc")));
        check("/stop@Sayso_Bot now", Some(("stop", "now")));
        check("/new\nline", Some(("new", "line")));
        check("/stop@other_bot", None);
        check("/usr/bin/env", None);
        check("/", None);
        check("//", None);
        check("/2", None);
        check("/etc/passwd is readable", None);
        check("/var.log", None);
        check("/帮助", Some(("帮助", "")));
        check("/帮我写一封信", None);
        check("help", None);
    }
}
