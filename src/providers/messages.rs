//! What people read when a model did not answer: no status, no address, no key.

use std::time::Duration;

use sayso_core::Language;
use sayso_core::transcript::Role;

use super::ProviderError;
use super::limits::TooLong;

/// Says what happened, what it means and what to do, in at most three lines.
pub fn for_user(error: &ProviderError, role: Role, language: Language) -> String {
    match language {
        Language::English => in_english(error, role),
        Language::Chinese => in_chinese(error, role),
    }
}

/// Says whether the same request may be answered later, so that it is offered to run it again.
pub fn may_be_tried_again(error: &ProviderError) -> bool {
    match error {
        ProviderError::Refused { status, .. } => match Refusal::of(error, *status) {
            Refusal::Key | Refusal::Credit | Refusal::Model => true,
            Refusal::Length | Refusal::Else => error.is_loading(),
        },
        ProviderError::Missing => false,
        ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::RateLimited { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_)
        | ProviderError::Repeating(_) => true,
    }
}

/// What a refusal means for the person who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Key,
    Credit,
    Model,
    Length,
    Else,
}

impl Refusal {
    fn of(error: &ProviderError, status: u16) -> Self {
        match status {
            401 | 403 => Self::Key,
            402 => Self::Credit,
            404 => Self::Model,
            _ if error.is_too_long() => Self::Length,
            _ => Self::Else,
        }
    }
}

fn in_english(error: &ProviderError, role: Role) -> String {
    match error {
        ProviderError::Unreachable(_) => match role {
            Role::Owner => "I cannot reach the model service.\n\
                Check the internet connection and `base_url` in sayso.toml (`sayso doctor` helps)."
                .to_owned(),
            Role::Member | Role::Guest => {
                "I cannot reach the model right now. Try again in a minute.".to_owned()
            }
        },
        ProviderError::TimedOut { .. } => {
            "The model took too long to answer. A shorter request can help.".to_owned()
        }
        ProviderError::RateLimited { retry_after } => format!(
            "The model is busy. Try again {}.",
            retry_after.map_or_else(|| "in a minute".to_owned(), wait_in_english)
        ),
        ProviderError::Refused { status, .. } => {
            let refusal = refused_in_english(Refusal::of(error, *status), role);
            match TooLong::of(error) {
                Some(too_long) => format!("{refusal}\n{}", lengths_in_english(too_long)),
                None => refusal.to_owned(),
            }
        }
        error if error.is_loading() => {
            "The model is still starting. Try again in a minute.".to_owned()
        }
        ProviderError::Broken { .. } => {
            "The model service has a problem on its side. Try again in a few minutes.".to_owned()
        }
        ProviderError::Garbage(_) => "The model gave no usable answer. Try again?".to_owned(),
        ProviderError::Repeating(_) => {
            "The model kept repeating itself, so I stopped it. Try again?".to_owned()
        }
        ProviderError::Missing => match role {
            Role::Owner => "I have no model yet. Set one with `sayso init`, or with \
                `OPENAI_API_KEY`, and start me again."
                .to_owned(),
            Role::Member | Role::Guest => {
                "I have no model to think with yet. Only my owner can set one.".to_owned()
            }
        },
    }
}

fn refused_in_english(refusal: Refusal, role: Role) -> &'static str {
    match (refusal, role) {
        (Refusal::Key | Refusal::Credit | Refusal::Model, Role::Member | Role::Guest) => {
            "I am out of order right now, and only my owner can fix that."
        }
        (Refusal::Key, Role::Owner) => {
            "The model service rejects the API key.\n\
            Check `api_key` in sayso.toml (`sayso doctor` helps)."
        }
        (Refusal::Credit, Role::Owner) => {
            "The account at the model service is used up.\nCheck its credit there."
        }
        (Refusal::Model, Role::Owner) => {
            "The model service does not know the model that is set.\n\
            Check `model` and `base_url` in sayso.toml (`sayso doctor` helps)."
        }
        (Refusal::Length, _) => {
            "This conversation is too long for the model.\n\
            Start a new one with `/new`, or send less at once."
        }
        (Refusal::Else, Role::Owner) => {
            "The model service refused this request.\n\
            If the conversation is long, `/new` helps; else the reason is in the log."
        }
        (Refusal::Else, Role::Member | Role::Guest) => {
            "The model service refused this request.\n\
            If our conversation is long, `/new` can help."
        }
    }
}

/// How long it is, and how long it may be.
fn lengths_in_english(too_long: TooLong) -> String {
    let limit = too_long.limit_words();
    match too_long.asked_words() {
        Some(asked) => format!("It has about {asked} of {limit} tokens."),
        None => format!("The model can read {limit} tokens."),
    }
}

fn lengths_in_chinese(too_long: TooLong) -> String {
    let limit = too_long.limit_words();
    match too_long.asked_words() {
        Some(asked) => format!("它约有 {asked} 个词元，模型最多能读 {limit} 个。"),
        None => format!("模型最多能读 {limit} 个词元。"),
    }
}

fn wait_in_english(wait: Duration) -> String {
    let seconds = wait.as_secs().max(1);
    if seconds < 90 {
        let plural = if seconds == 1 { "" } else { "s" };
        return format!("in {seconds} second{plural}");
    }
    format!("in {} minutes", seconds.div_ceil(60))
}

fn in_chinese(error: &ProviderError, role: Role) -> String {
    match error {
        ProviderError::Unreachable(_) => match role {
            Role::Owner => "我连不上模型服务。\n\
                请检查网络和 sayso.toml 的 `base_url`（可用 `sayso doctor`）。"
                .to_owned(),
            Role::Member | Role::Guest => "我暂时连不上模型，请一分钟后再试。".to_owned(),
        },
        ProviderError::TimedOut { .. } => {
            "模型太久没有回答。把要求写短一些可能会有帮助。".to_owned()
        }
        ProviderError::RateLimited { retry_after } => format!(
            "模型繁忙，请{}再试。",
            retry_after.map_or_else(|| "一分钟后".to_owned(), wait_in_chinese)
        ),
        ProviderError::Refused { status, .. } => {
            let refusal = refused_in_chinese(Refusal::of(error, *status), role);
            match TooLong::of(error) {
                Some(too_long) => format!("{refusal}\n{}", lengths_in_chinese(too_long)),
                None => refusal.to_owned(),
            }
        }
        error if error.is_loading() => "模型还在启动，请一分钟后再试。".to_owned(),
        ProviderError::Broken { .. } => "模型服务那边出了问题，请过几分钟再试。".to_owned(),
        ProviderError::Garbage(_) => "模型没有给出可用的回答。要再试一次吗？".to_owned(),
        ProviderError::Repeating(_) => {
            "模型一直在重复同样的内容，我已将它中断。要再试一次吗？".to_owned()
        }
        ProviderError::Missing => match role {
            Role::Owner => "我还没有可用的模型。\n\
                请用 `sayso init` 或者 `OPENAI_API_KEY` 设置一个，然后重新启动我。"
                .to_owned(),
            Role::Member | Role::Guest => "我还没有可用的模型，只有管理者可以设置。".to_owned(),
        },
    }
}

fn refused_in_chinese(refusal: Refusal, role: Role) -> &'static str {
    match (refusal, role) {
        (Refusal::Key | Refusal::Credit | Refusal::Model, Role::Member | Role::Guest) => {
            "我暂时用不了，只有管理者可以修复。"
        }
        (Refusal::Key, Role::Owner) => {
            "模型服务拒绝了 API 密钥。\n\
            请检查 sayso.toml 的 `api_key`（可用 `sayso doctor`）。"
        }
        (Refusal::Credit, Role::Owner) => "模型服务的账户额度用完了。\n请去那里检查余额。",
        (Refusal::Model, Role::Owner) => {
            "模型服务不认识设置的模型。\n\
            请检查 sayso.toml 的 `model` 和 `base_url`（可用 `sayso doctor`）。"
        }
        (Refusal::Length, _) => {
            "这段对话对模型来说太长了。\n请用 `/new` 开始新对话，或者一次少发一些。"
        }
        (Refusal::Else, Role::Owner) => {
            "模型服务拒绝了这个请求。\n\
            如果对话很长，可以用 `/new` 开始新对话；否则请看日志里的原因。"
        }
        (Refusal::Else, Role::Member | Role::Guest) => {
            "模型服务拒绝了这个请求。\n如果对话很长，可以用 `/new` 开始新对话。"
        }
    }
}

fn wait_in_chinese(wait: Duration) -> String {
    let seconds = wait.as_secs().max(1);
    if seconds < 90 {
        return format!(" {seconds} 秒后");
    }
    format!(" {} 分钟后", seconds.div_ceil(60))
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
