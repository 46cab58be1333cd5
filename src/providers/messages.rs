//! What people read when a model did not answer: no status, no address, no key.

use std::time::Duration;

use sayso_channel::Language;

use super::ProviderError;
use super::limits::TooLong;

/// Says what happened, what it means and what to do, in at most three lines.
pub fn for_user(error: &ProviderError, language: Language) -> String {
    match language {
        Language::English => in_english(error),
        Language::Chinese => in_chinese(error),
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

fn in_english(error: &ProviderError) -> String {
    match error {
        ProviderError::Unreachable(_) => {
            "I could not reach the model, so your request is not finished.\n\
            Please try again in a minute; if it stays like this, my owner can run `sayso doctor`."
                .to_owned()
        }
        ProviderError::TimedOut { .. } => {
            "The model took too long to answer, so I stopped waiting.\n\
            Please try again; a shorter request or `/new` can help."
                .to_owned()
        }
        ProviderError::RateLimited { retry_after } => format!(
            "The model service gets too many requests just now.\nPlease try again {}.",
            retry_after.map_or_else(|| "in a minute".to_owned(), wait_in_english)
        ),
        ProviderError::Refused { status, .. } => {
            let refusal = refused_in_english(Refusal::of(error, *status));
            match TooLong::of(error) {
                Some(too_long) => format!("{refusal}\n{}", lengths_in_english(too_long)),
                None => refusal.to_owned(),
            }
        }
        error if error.is_loading() => "The model is still starting.\n\
            Please try again in a minute."
            .to_owned(),
        ProviderError::Broken { .. } => "The model service has a problem on its side.\n\
            Please try again in a few minutes."
            .to_owned(),
        ProviderError::Garbage(_) => "The model gave an answer that I cannot read.\n\
            Please try again; putting the request in other words can help."
            .to_owned(),
        ProviderError::Repeating(_) => "The model only repeated itself, twice, so I cut it off.\n\
            Please try again; putting the request in other words can help."
            .to_owned(),
        ProviderError::Missing => "I have no model to think with yet.\n\
            My owner can set one with `sayso init`, or with `OPENAI_API_KEY`, and start me again."
            .to_owned(),
    }
}

fn refused_in_english(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Key => {
            "The model service does not accept my key.\n\
            My owner has to check the provider's `api_key`; `sayso doctor` shows what it says."
        }
        Refusal::Credit => {
            "The model service says that its account is used up.\n\
            My owner has to check its credit there."
        }
        Refusal::Model => {
            "The model service does not know the model that is set.\n\
            My owner has to check the provider's `model` and `base_url`; `sayso doctor` helps."
        }
        Refusal::Length => {
            "This conversation is too long for the model.\n\
            Please start a new one with `/new`, or send less at once."
        }
        Refusal::Else => {
            "The model service refused this request, so asking again will not help.\n\
            If the conversation is long, start a new one with `/new`.\n\
            Otherwise my owner can see the reason in the log."
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

fn in_chinese(error: &ProviderError) -> String {
    match error {
        ProviderError::Unreachable(_) => "我连不上模型服务，这个请求没有完成。\n\
            请一分钟后再试；如果一直这样，管理者可以运行 `sayso doctor`。"
            .to_owned(),
        ProviderError::TimedOut { .. } => "模型太久没有回答，我不再等了。\n\
            请再试一次；把要求写短一些，或者用 `/new` 开始新对话，可能会有帮助。"
            .to_owned(),
        ProviderError::RateLimited { retry_after } => format!(
            "模型服务现在请求太多。\n请{}再试。",
            retry_after.map_or_else(|| "一分钟后".to_owned(), wait_in_chinese)
        ),
        ProviderError::Refused { status, .. } => {
            let refusal = refused_in_chinese(Refusal::of(error, *status));
            match TooLong::of(error) {
                Some(too_long) => format!("{refusal}\n{}", lengths_in_chinese(too_long)),
                None => refusal.to_owned(),
            }
        }
        error if error.is_loading() => "模型还在启动。\n请一分钟后再试。".to_owned(),
        ProviderError::Broken { .. } => "模型服务那边出了问题。\n请过几分钟再试。".to_owned(),
        ProviderError::Garbage(_) => "模型给了一个我读不懂的回答。\n\
            请再试一次；换一种说法可能会有帮助。"
            .to_owned(),
        ProviderError::Repeating(_) => "模型两次都只是不停地重复同样的内容，我已将它中断。\n\
            请再试一次；换一种说法可能会有帮助。"
            .to_owned(),
        ProviderError::Missing => "我还没有可用的模型。\n\
            管理者可以用 `sayso init` 或者 `OPENAI_API_KEY` 设置一个，然后重新启动我。"
            .to_owned(),
    }
}

fn refused_in_chinese(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Key => {
            "模型服务不接受我的密钥。\n\
            管理者需要检查提供方的 `api_key`；`sayso doctor` 会显示服务的说法。"
        }
        Refusal::Credit => "模型服务说账户额度用完了。\n管理者需要去那里检查余额。",
        Refusal::Model => {
            "模型服务不认识设置的模型。\n\
            管理者需要检查提供方的 `model` 和 `base_url`；`sayso doctor` 可以帮忙。"
        }
        Refusal::Length => "这段对话对模型来说太长了。\n请用 `/new` 开始新对话，或者一次少发一些。",
        Refusal::Else => {
            "模型服务拒绝了这个请求，再问一次也没有用。\n\
            如果对话很长，请用 `/new` 开始新对话。\n\
            否则管理者可以在日志里看到原因。"
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
