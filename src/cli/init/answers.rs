//! What is asked, and the file that the answers make.

use std::fmt::Write as _;
use std::io::{BufRead, Write};

use reqwest::Url;
use toml::Value;

use super::dialogue::{Dialogue, Reply};
use super::messages;
use super::presets::{Preset, Service};
use crate::config::AccountPattern;

/// What the person chose so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answers {
    telegram: Bot,
    discord: Bot,
    server: Server,
    data_dir: String,
}

/// A bot and who may order it about.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Bot {
    /// As it stands in the file: the token itself, `env:NAME` or `file:PATH`; empty without a bot.
    token: String,
    owner: FirstOwner,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum FirstOwner {
    /// The first person who pairs.
    ByCode,
    Account(AccountPattern),
}

/// The service that has the model.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Server {
    preset: Preset,
    base_url: String,
    /// Empty where none is needed.
    api_key: String,
    model: String,
    /// The name of a model that was typed where the service was asked for.
    typed_model: Option<String>,
}

/// What is asked together, and asked again when its check failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Telegram,
    Discord,
    Model,
    DataDir,
}

/// One question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Telegram,
    TelegramOwner,
    Discord,
    DiscordOwner,
    Service,
    Address,
    Key,
    Model,
    DataDir,
}

impl Step {
    fn part(self) -> Part {
        match self {
            Self::Telegram | Self::TelegramOwner => Part::Telegram,
            Self::Discord | Self::DiscordOwner => Part::Discord,
            Self::Service | Self::Address | Self::Key | Self::Model => Part::Model,
            Self::DataDir => Part::DataDir,
        }
    }

    fn first_of(part: Part) -> Self {
        match part {
            Part::Telegram => Self::Telegram,
            Part::Discord => Self::Discord,
            Part::Model => Self::Service,
            Part::DataDir => Self::DataDir,
        }
    }
}

impl Answers {
    /// Asks everything.
    pub(super) fn ask<I: BufRead, O: Write>(
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<Self> {
        let no_bot = || Bot {
            token: String::new(),
            owner: FirstOwner::ByCode,
        };
        let mut answers = Self {
            telegram: no_bot(),
            discord: no_bot(),
            server: Server {
                preset: Preset::Offline,
                base_url: String::new(),
                api_key: String::new(),
                model: String::new(),
                typed_model: None,
            },
            data_dir: String::new(),
        };
        answers.go(Step::Telegram, None, dialogue)?;
        Ok(answers)
    }

    /// Asks one part again.
    pub(super) fn ask_again<I: BufRead, O: Write>(
        &mut self,
        part: Part,
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<()> {
        self.go(Step::first_of(part), Some(part), dialogue)
    }

    /// Asks from one question on, to the end of a part or of all.
    fn go<I: BufRead, O: Write>(
        &mut self,
        first: Step,
        only: Option<Part>,
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<()> {
        let mut asked = Vec::new();
        let mut next = Some(first);
        while let Some(step) = next.filter(|step| only.is_none_or(|part| step.part() == part)) {
            match self.put(step, dialogue)? {
                Reply::Answer(()) => {
                    asked.push(step);
                    next = self.after(step);
                }
                // Before the first question there is none.
                Reply::Back => next = asked.pop().or(Some(step)),
            }
        }
        Ok(())
    }

    fn after(&self, step: Step) -> Option<Step> {
        Some(match step {
            Step::Telegram if !self.telegram.token.is_empty() => Step::TelegramOwner,
            Step::Telegram | Step::TelegramOwner => Step::Discord,
            Step::Discord if !self.discord.token.is_empty() => Step::DiscordOwner,
            Step::Discord | Step::DiscordOwner => Step::Service,
            Step::Service if self.server.preset == Preset::Offline => Step::DataDir,
            Step::Service => Step::Address,
            Step::Address => Step::Key,
            Step::Key => Step::Model,
            Step::Model => Step::DataDir,
            Step::DataDir => return None,
        })
    }

    /// Puts one question and keeps its answer.
    fn put<I: BufRead, O: Write>(
        &mut self,
        step: Step,
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<Reply<()>> {
        Ok(match step {
            Step::Telegram => keep(&mut self.telegram.token, ask_telegram_token(dialogue)?),
            Step::Discord => keep(&mut self.discord.token, ask_discord_token(dialogue)?),
            Step::TelegramOwner => {
                let question = messages::owner(dialogue.language);
                let owner = ask_owner("telegram", &question, dialogue)?;
                keep(&mut self.telegram.owner, owner)
            }
            Step::DiscordOwner => {
                let question = messages::discord_owner(dialogue.language);
                let owner = ask_owner("discord", &question, dialogue)?;
                keep(&mut self.discord.owner, owner)
            }
            Step::Service => self.server.ask_service(dialogue)?,
            Step::Address => self.server.ask_address(dialogue)?,
            Step::Key => {
                let question = messages::api_key(dialogue.language);
                let key = dialogue.ask_secret_until(&question, "", |key| Some(key.to_owned()))?;
                keep(&mut self.server.api_key, key)
            }
            Step::Model => {
                let (typed, usual) = (&self.server.typed_model, self.server.preset.model());
                let usual = typed.as_deref().unwrap_or(usual);
                let question = messages::model(dialogue.language);
                let model = dialogue.ask_until(&question, usual, "", |it| Some(it.to_owned()))?;
                keep(&mut self.server.model, model)
            }
            Step::DataDir => {
                let question = messages::data_dir(dialogue.language);
                let usual = "~/.local/share/sayso";
                let place = dialogue.ask_until(&question, usual, "", |it| Some(it.to_owned()))?;
                keep(&mut self.data_dir, place)
            }
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
        let _ = self.server.write(&mut file);
        file
    }

    fn write_channels(&self, file: &mut String) -> std::fmt::Result {
        let mut owners = Vec::new();
        for (platform, bot) in [("telegram", &self.telegram), ("discord", &self.discord)] {
            if bot.token.is_empty() {
                continue;
            }
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
}

/// Keeps an answer, where one was given.
fn keep<T>(place: &mut T, reply: Reply<T>) -> Reply<()> {
    match reply {
        Reply::Answer(answer) => {
            *place = answer;
            Reply::Answer(())
        }
        Reply::Back => Reply::Back,
    }
}

fn ask_telegram_token<I: BufRead, O: Write>(
    dialogue: &mut Dialogue<'_, I, O>,
) -> anyhow::Result<Reply<String>> {
    let language = dialogue.language;
    dialogue.say(&messages::botfather_steps(language))?;
    dialogue.ask_secret_until(
        &messages::token(language),
        &messages::no_token(language),
        |answer| (answer.is_empty() || is_telegram_token(answer)).then(|| answer.to_owned()),
    )
}

fn ask_discord_token<I: BufRead, O: Write>(
    dialogue: &mut Dialogue<'_, I, O>,
) -> anyhow::Result<Reply<String>> {
    let language = dialogue.language;
    dialogue.say(&messages::developer_portal_steps(language))?;
    dialogue.ask_secret_until(
        &messages::token(language),
        &messages::no_discord_token(language),
        |answer| (answer.is_empty() || is_discord_token(answer)).then(|| answer.to_owned()),
    )
}

fn ask_owner<I: BufRead, O: Write>(
    platform: &str,
    question: &str,
    dialogue: &mut Dialogue<'_, I, O>,
) -> anyhow::Result<Reply<FirstOwner>> {
    let refusal = messages::no_account(dialogue.language);
    dialogue.ask_until(question, "", &refusal, |answer| {
        read_owner(platform, answer)
    })
}

impl Server {
    /// Asks for the service. The name of a model, which many type there, is understood.
    fn ask_service<I: BufRead, O: Write>(
        &mut self,
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<Reply<()>> {
        let language = dialogue.language;
        dialogue.say(&messages::about_models(language))?;
        let asked = dialogue.ask_until(
            &messages::kind(language),
            "openai",
            &messages::no_kind(language),
            Service::read,
        )?;
        match asked {
            Reply::Back => Ok(Reply::Back),
            Reply::Answer(Service::Preset(preset)) => {
                (self.preset, self.typed_model) = (preset, None);
                Ok(Reply::Answer(()))
            }
            Reply::Answer(Service::OfModel(preset, model)) => {
                let question = messages::is_a_model(language, &model, &preset.name());
                if !dialogue.accepts(&question)? {
                    return self.ask_service(dialogue);
                }
                (self.preset, self.typed_model) = (preset, Some(model));
                Ok(Reply::Answer(()))
            }
        }
    }

    /// Asks for the address. One without the version that most services have is offered with it.
    fn ask_address<I: BufRead, O: Write>(
        &mut self,
        dialogue: &mut Dialogue<'_, I, O>,
    ) -> anyhow::Result<Reply<()>> {
        let language = dialogue.language;
        let asked = dialogue.ask_until(
            &messages::base_url(language),
            self.preset.address(),
            &messages::no_url(language),
            |answer| is_url(answer).then(|| answer.to_owned()),
        )?;
        let Reply::Answer(mut address) = asked else {
            return Ok(Reply::Back);
        };
        if let Some(whole) = self.preset.with_version(&address)
            && dialogue.accepts(&messages::with_version(language, &whole))?
        {
            address = whole;
        }
        self.base_url = address;
        Ok(Reply::Answer(()))
    }

    fn write(&self, file: &mut String) -> std::fmt::Result {
        let kind = self.preset.kind();
        writeln!(file, "\n[[providers]]\nname = \"main\"\nkind = \"{kind}\"")?;
        if self.preset == Preset::Offline {
            return Ok(());
        }
        writeln!(file, "base_url = {}", quoted(&self.base_url))?;
        if !self.api_key.is_empty() {
            writeln!(file, "api_key = {}", quoted(&self.api_key))?;
        }
        writeln!(file, "model = {}", quoted(&self.model))
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
