//! What is asked, and the file that the answers make.

use std::fmt::Write as _;
use std::io::{BufRead, Write};

use reqwest::Url;
use toml::Value;

use super::dialogue::Dialogue;
use super::messages;
use crate::config::AccountPattern;

/// What the person chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answers {
    telegram: Option<Bot>,
    discord: Option<Bot>,
    provider: Provider,
    data_dir: String,
}

/// A bot and who may order it about.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Bot {
    /// As it stands in the file: the token itself, `env:NAME` or `file:PATH`.
    token: String,
    owner: FirstOwner,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum FirstOwner {
    /// The first person who pairs.
    ByCode,
    Account(AccountPattern),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Provider {
    Offline,
    Server {
        kind: &'static str,
        base_url: String,
        api_key: Option<String>,
        model: String,
    },
}

impl Answers {
    /// Asks everything.
    pub(super) fn ask<I: BufRead, O: Write>(
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            telegram: Bot::ask_for_telegram(dialogue)?,
            discord: Bot::ask_for_discord(dialogue)?,
            provider: Provider::ask(dialogue)?,
            data_dir: dialogue.ask(
                &messages::data_dir(dialogue.language),
                "~/.local/share/sayso",
            )?,
        })
    }

    /// Returns the file.
    pub(super) fn to_toml(&self) -> String {
        let mut file = format!(
            "# Written by `sayso init`. `deploy/sayso.example.toml` shows every key.\n\n\
             data_dir = {}\n",
            quoted(&self.data_dir)
        );
        // Writing to a string cannot fail.
        let _ = self.write_channels(&mut file);
        let _ = self.write_provider(&mut file);
        file
    }

    fn write_channels(&self, file: &mut String) -> std::fmt::Result {
        let mut owners = Vec::new();
        for (platform, bot) in [("telegram", &self.telegram), ("discord", &self.discord)] {
            let Some(bot) = bot else { continue };
            let token = quoted(&bot.token);
            writeln!(file, "\n[channels.{platform}]\ntoken = {token}")?;
            if let FirstOwner::Account(owner) = &bot.owner {
                owners.push(quoted(&owner.to_string()));
            }
        }
        if owners.is_empty() {
            return Ok(());
        }
        writeln!(file, "\n[access]\nowners = [{}]", owners.join(", "))
    }

    fn write_provider(&self, file: &mut String) -> std::fmt::Result {
        match &self.provider {
            Provider::Offline => {
                writeln!(file, "\n[[providers]]\nname = \"main\"\nkind = \"offline\"")
            }
            Provider::Server {
                kind,
                base_url,
                api_key,
                model,
            } => {
                writeln!(file, "\n[[providers]]\nname = \"main\"\nkind = \"{kind}\"")?;
                writeln!(file, "base_url = {}", quoted(base_url))?;
                if let Some(api_key) = api_key {
                    writeln!(file, "api_key = {}", quoted(api_key))?;
                }
                writeln!(file, "model = {}", quoted(model))
            }
        }
    }
}

impl Bot {
    fn ask_for_telegram<I: BufRead, O: Write>(
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<Option<Self>> {
        let language = dialogue.language;
        dialogue.say(&messages::botfather_steps(language))?;
        let token = dialogue.ask_secret_until(
            &messages::token(language),
            &messages::no_token(language),
            |answer| (answer.is_empty() || is_telegram_token(answer)).then(|| answer.to_owned()),
        )?;
        if token.is_empty() {
            return Ok(None);
        }
        let owner = dialogue.ask_until(
            &messages::owner(language),
            "",
            &messages::no_account(language),
            |answer| read_owner("telegram", answer),
        )?;
        Ok(Some(Self { token, owner }))
    }

    fn ask_for_discord<I: BufRead, O: Write>(
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<Option<Self>> {
        let language = dialogue.language;
        dialogue.say(&messages::developer_portal_steps(language))?;
        let token = dialogue.ask_secret_until(
            &messages::token(language),
            &messages::no_discord_token(language),
            |answer| (answer.is_empty() || is_discord_token(answer)).then(|| answer.to_owned()),
        )?;
        if token.is_empty() {
            return Ok(None);
        }
        let owner = dialogue.ask_until(
            &messages::discord_owner(language),
            "",
            &messages::no_account(language),
            |answer| read_owner("discord", answer),
        )?;
        Ok(Some(Self { token, owner }))
    }
}

impl Provider {
    fn ask<I: BufRead, O: Write>(dialogue: &mut Dialogue<'_, I, O>) -> anyhow::Result<Self> {
        let language = dialogue.language;
        dialogue.say(&messages::about_models(language))?;
        let kind = dialogue.ask_until(
            &messages::kind(language),
            "openai",
            &messages::no_kind(language),
            |answer| {
                ["openai", "anthropic", "offline"]
                    .into_iter()
                    .find(|kind| *kind == answer)
            },
        )?;
        if kind == "offline" {
            return Ok(Self::Offline);
        }
        let (usual_url, usual_model) = if kind == "anthropic" {
            ("https://api.anthropic.com", "claude-haiku-4-5")
        } else {
            ("https://api.openai.com/v1", "gpt-4o-mini")
        };
        let base_url = dialogue.ask_until(
            &messages::base_url(language),
            usual_url,
            &messages::no_url(language),
            |answer| is_url(answer).then(|| answer.to_owned()),
        )?;
        let api_key = dialogue.ask_secret(&messages::api_key(language))?;
        Ok(Self::Server {
            kind,
            base_url,
            api_key: (!api_key.is_empty()).then_some(api_key),
            model: dialogue.ask(&messages::model(language), usual_model)?,
        })
    }
}

/// Returns whether an answer is BotFather's token, or says where one is kept.
fn is_telegram_token(answer: &str) -> bool {
    is_kept(answer)
        || answer.split_once(':').is_some_and(|(account, secret)| {
            !account.is_empty()
                && account.chars().all(|letter| letter.is_ascii_digit())
                && is_plain(secret)
        })
}

/// Returns whether an answer is a token of the Developer Portal, or says where one is kept.
fn is_discord_token(answer: &str) -> bool {
    is_kept(answer) || (answer.split('.').count() == 3 && answer.split('.').all(is_plain))
}

/// Returns whether an answer says where a secret is kept.
fn is_kept(answer: &str) -> bool {
    let place = ["env:", "file:"]
        .iter()
        .find_map(|place| answer.strip_prefix(place));
    place.is_some_and(|name| !name.is_empty())
}

fn is_plain(part: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    !part.is_empty() && part.chars().all(plain)
}

/// Reads `12345` or `telegram:12345`; an empty answer pairs by a code.
fn read_owner(platform: &str, answer: &str) -> Option<FirstOwner> {
    if answer.is_empty() {
        return Some(FirstOwner::ByCode);
    }
    let number = answer
        .strip_prefix(platform)
        .and_then(|rest| rest.strip_prefix(':'))
        .unwrap_or(answer);
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match AccountPattern::parse(&format!("{platform}:{number}"))? {
        owner @ AccountPattern::One(..) => Some(FirstOwner::Account(owner)),
        AccountPattern::Role(..) | AccountPattern::Everybody(_) => None,
    }
}

fn is_url(answer: &str) -> bool {
    Url::parse(answer).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.has_host()
    })
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}
