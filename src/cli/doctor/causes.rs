//! Why something failed, in the language of the report. Known causes of systems and libraries are
//! said in words. Other text of theirs is English: elsewhere it is marked as a quotation.

use std::fmt::Display;

use sayso_channel::{ChannelError, Language, text};
use sayso_providers::ProviderError;
use sayso_store::StoreError;

use crate::app::McpTrouble;

/// Declares texts by the cause: one function each, with the key of its text.
macro_rules! texts {
    ($($name:ident() $key:literal)*) => {$(
        fn $name(language: Language) -> &'static str {
            text!(language, $key)
        }
    )*};
}

texts! {
    refused() "doctor-cause-refused"
    reset() "doctor-cause-reset"
    cut() "doctor-cause-cut"
    no_network() "doctor-cause-no-network"
    no_route() "doctor-cause-no-route"
    no_name() "doctor-cause-no-name"
    expired() "doctor-cause-expired"
    untrusted() "doctor-cause-untrusted"
    other_host() "doctor-cause-other-host"
    too_late() "doctor-cause-too-late"
    no_permission() "doctor-cause-no-permission"
    read_only() "doctor-cause-read-only"
    full() "doctor-cause-full"
    no_directory() "doctor-cause-no-directory"
    in_the_way() "doctor-cause-in-the-way"
    missing() "doctor-cause-missing"
    not_opened() "doctor-cause-not-opened"
    no_database() "doctor-cause-no-database"
}

/// Returns the text of a cause.
type Cause = fn(Language) -> &'static str;

/// A part of an error's text, and what it means. The first match counts.
const KNOWN: [(&str, Cause); 21] = [
    ("Connection refused", refused),
    ("Connection reset", reset),
    ("Broken pipe", cut),
    ("connection closed", cut),
    ("Network is unreachable", no_network),
    ("No route to host", no_route),
    ("failed to lookup address", no_name),
    ("dns error", no_name),
    ("certificate expired", expired),
    ("UnknownIssuer", untrusted),
    ("NotValidForName", other_host),
    ("no answer in time", too_late),
    ("timed out", too_late),
    ("Permission denied", no_permission),
    ("Read-only file system", read_only),
    ("No space left", full),
    ("Not a directory", no_directory),
    ("File exists", in_the_way),
    ("No such file", missing),
    ("unable to open database file", not_opened),
    ("file is not a database", no_database),
];

/// Returns a cause in words, where it is a known one.
fn known(text: &str, language: Language) -> Option<String> {
    let (_, cause) = KNOWN.iter().find(|(part, _)| text.contains(part))?;
    Some(cause(language).to_owned())
}

/// Returns a cause in words; one that is not known is quoted.
pub(super) fn cause(error: &dyn Display, language: Language) -> String {
    let text = error.to_string();
    known(&text, language).unwrap_or_else(|| quoted(&text, language))
}

/// Returns an English text unchanged, and for other readers its cause or a quotation of it.
pub(super) fn text(error: &dyn Display, language: Language) -> String {
    if language == Language::English {
        return error.to_string();
    }
    cause(error, language)
}

fn quoted(text: &str, language: Language) -> String {
    text!(language, "doctor-cause-quoted", text)
}

/// Says why a model service did not answer.
pub(super) fn provider(error: &ProviderError, language: Language) -> String {
    match error {
        ProviderError::Unreachable(why) => {
            let why = cause(why, language);
            text!(language, "doctor-cause-model-unreachable", why)
        }
        ProviderError::TimedOut { stage, after } => {
            let seconds = after.as_secs();
            text!(language, "doctor-cause-model-too-late", stage, seconds)
        }
        ProviderError::RateLimited { .. } => text!(language, "doctor-cause-model-busy").to_owned(),
        ProviderError::Refused { status, message } => refusal(*status, message, language),
        ProviderError::Broken { status, message } => {
            let why = text(message, language);
            text!(language, "doctor-cause-model-broken", status, why)
        }
        ProviderError::Garbage(why) => {
            let why = text(why, language);
            text!(language, "doctor-cause-model-unreadable", why)
        }
        ProviderError::Repeating(what) => text!(language, "doctor-cause-model-repeats", what),
        ProviderError::Missing => text!(language, "doctor-cause-model-missing").to_owned(),
    }
}

/// Says why a model service refuses; `message` is its own text.
fn refusal(status: u16, message: &str, language: Language) -> String {
    let why = text(&message, language);
    match status {
        401 | 403 => text!(language, "doctor-cause-model-key", status, why),
        402 => text!(language, "doctor-cause-model-account", status, why),
        404 => text!(language, "doctor-cause-model-unknown", status, why),
        _ => text!(language, "doctor-cause-model-refuses", status, why),
    }
}

/// Says why a platform did not answer.
#[cfg_attr(
    not(any(feature = "telegram", feature = "discord")),
    expect(dead_code, reason = "only platforms ask for it")
)]
pub(super) fn channel(error: &ChannelError, language: Language) -> String {
    match error {
        ChannelError::Unreachable(why) => {
            let why = cause(why, language);
            text!(language, "doctor-cause-platform-unreachable", why)
        }
        ChannelError::Ambiguous(why) => {
            let why = cause(why, language);
            text!(language, "doctor-cause-platform-answer-lost", why)
        }
        ChannelError::Unauthorized(why) => text!(language, "doctor-cause-platform-token", why),
        ChannelError::RetryAfter(wait) => {
            let seconds = wait.as_secs().max(1);
            text!(language, "doctor-cause-platform-busy", seconds)
        }
        ChannelError::Rejected(why) | ChannelError::ThreadGone(why) => {
            let why = text(why, language);
            text!(language, "doctor-cause-platform-refuses", why)
        }
        ChannelError::TooLong => text!(language, "doctor-cause-platform-too-long").to_owned(),
        ChannelError::Moved(address) => {
            let address = address.to_string();
            text!(language, "doctor-cause-platform-moved", address)
        }
    }
}

/// Says why the database or its directory cannot be used.
pub(super) fn store(error: &StoreError, language: Language) -> String {
    let words = match error {
        StoreError::FromTheFuture { found, known, .. } => {
            return text!(language, "doctor-cause-store-newer", found, known);
        }
        StoreError::Corrupt(why) => return text!(language, "doctor-cause-store-damaged", why),
        StoreError::Locked(why) => return text!(language, "doctor-cause-store-locked", why),
        StoreError::Unaudited(why) => return text!(language, "doctor-cause-store-unaudited", why),
        StoreError::Full(why) => {
            let why = text(why, language);
            return text!(language, "doctor-cause-store-full", why);
        }
        StoreError::ReadOnly(why) => return cause(why, language),
        StoreError::Broken(why) => {
            let why = text(why, language);
            return text!(language, "doctor-cause-store-broken", why);
        }
        StoreError::InUse { .. } => text!(language, "doctor-cause-store-in-use"),
        StoreError::HalfRestored(_) => text!(language, "doctor-cause-store-half-restored"),
        StoreError::FromThePast { .. } => text!(language, "doctor-cause-store-older"),
        StoreError::Unreleased { .. } => text!(language, "doctor-cause-store-unreleased"),
        StoreError::Fenced => text!(language, "doctor-cause-store-fenced"),
        StoreError::Closed => text!(language, "doctor-cause-store-closed"),
    };
    words.to_owned()
}

/// Says why an MCP server cannot be used.
pub(super) fn mcp(error: &McpTrouble, language: Language) -> String {
    match error {
        McpTrouble::NeedsLogin => text!(language, "doctor-cause-mcp-login").to_owned(),
        McpTrouble::BadList(why) => {
            let why = text(why, language);
            text!(language, "doctor-cause-mcp-list", why)
        }
        McpTrouble::Failed(why) => text(why, language),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn u8_causes_are_words_of_one_language() {
        let refused = ProviderError::Unreachable("Connection refused (os error 111)".to_owned());
        let english = provider(&refused, Language::English);
        assert_eq!(english, "cannot reach the model: the connection is refused");
        let chinese = provider(&refused, Language::Chinese);
        assert_eq!(chinese, "连不上模型服务（连接被拒绝）");
        let slow = ProviderError::TimedOut {
            stage: "connect",
            after: Duration::from_secs(10),
        };
        let chinese = provider(&slow, Language::Chinese);
        assert_eq!(chinese, "模型服务在 10 秒内没有应答");
        let key = ProviderError::Refused {
            status: 401,
            message: "Incorrect API key provided.".to_owned(),
        };
        let chinese = provider(&key, Language::Chinese);
        assert_eq!(chinese, "模型服务不接受密钥（HTTP 401）");
        let away = "error sending request: tcp connect error: Connection refused (os error 111)";
        let away = ChannelError::Unreachable(away.to_owned());
        assert_eq!(channel(&away, Language::Chinese), "连不上（连接被拒绝）");
        let strange = StoreError::Broken("no such table: turns".to_owned());
        let chinese = store(&strange, Language::Chinese);
        assert_eq!(chinese, "数据库出错：原文“no such table: turns”");
    }
}
