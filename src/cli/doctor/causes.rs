//! Why something failed, in the language of the report. Known causes of systems and libraries are
//! said in words; in Chinese, other text of theirs is marked as a quotation.

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

/// Returns an English text unchanged, and for a Chinese reader its cause or a quotation of it.
pub(super) fn text(error: &dyn Display, language: Language) -> String {
    match language {
        Language::English => error.to_string(),
        Language::Chinese => cause(error, language),
    }
}

fn quoted(text: &str, language: Language) -> String {
    text!(language, "doctor-cause-quoted", text)
}

/// Says why a model service did not answer.
pub(super) fn provider(error: &ProviderError, language: Language) -> String {
    match language {
        Language::English => match error {
            ProviderError::Unreachable(why) => {
                let why = cause(why, language);
                text!(language, "doctor-cause-model-unreachable", why)
            }
            ProviderError::TimedOut { .. }
            | ProviderError::RateLimited { .. }
            | ProviderError::Refused { .. }
            | ProviderError::Broken { .. }
            | ProviderError::Garbage(_)
            | ProviderError::Repeating(_)
            | ProviderError::Missing => error.to_string(),
        },
        Language::Chinese => provider_in_chinese(error),
    }
}

fn provider_in_chinese(error: &ProviderError) -> String {
    let quoted = |text: &String| cause(text, Language::Chinese);
    match error {
        ProviderError::Unreachable(why) => {
            let (language, why) = (Language::Chinese, quoted(why));
            text!(language, "doctor-cause-model-unreachable", why)
        }
        ProviderError::TimedOut { after, .. } => {
            format!("模型服务在 {} 秒内没有应答", after.as_secs())
        }
        ProviderError::RateLimited { .. } => "模型服务限制了请求频率".to_owned(),
        ProviderError::Refused { status, message } => match status {
            401 | 403 => format!("模型服务不接受密钥（HTTP {status}）"),
            402 => format!("模型服务的账户额度已用完（HTTP {status}）"),
            404 => format!("模型服务没有这个地址或模型（HTTP {status}）"),
            _ => format!("模型服务拒绝了请求（HTTP {status}）：{}", quoted(message)),
        },
        ProviderError::Broken { status, message } => {
            format!("模型服务出错（HTTP {status}）：{}", quoted(message))
        }
        ProviderError::Garbage(why) => format!("模型的回答无法读取：{}", quoted(why)),
        ProviderError::Repeating(_) => "模型只是不停地重复".to_owned(),
        ProviderError::Missing => "尚未配置模型".to_owned(),
    }
}

/// Says why a platform did not answer.
#[cfg_attr(
    not(any(feature = "telegram", feature = "discord")),
    expect(dead_code, reason = "only platforms ask for it")
)]
pub(super) fn channel(error: &ChannelError, language: Language) -> String {
    match (error, language) {
        (ChannelError::Unreachable(why), _) => {
            let why = cause(why, language);
            text!(language, "doctor-cause-platform-unreachable", why)
        }
        (ChannelError::Ambiguous(why), _) => {
            let why = cause(why, language);
            text!(language, "doctor-cause-platform-answer-lost", why)
        }
        (ChannelError::Unauthorized(_), Language::Chinese) => {
            "不接受此令牌：令牌或接口地址有误".to_owned()
        }
        (ChannelError::RetryAfter(wait), Language::Chinese) => {
            format!("要求等待 {} 秒", wait.as_secs().max(1))
        }
        (ChannelError::Rejected(why) | ChannelError::ThreadGone(why), Language::Chinese) => {
            format!("拒绝了请求：{}", cause(why, language))
        }
        (ChannelError::TooLong, Language::Chinese) => "消息太长".to_owned(),
        (ChannelError::Moved(address), Language::Chinese) => format!("聊天已移至 {address}"),
        (
            ChannelError::Unauthorized(_)
            | ChannelError::RetryAfter(_)
            | ChannelError::Rejected(_)
            | ChannelError::ThreadGone(_)
            | ChannelError::TooLong
            | ChannelError::Moved(_),
            Language::English,
        ) => error.to_string(),
    }
}

/// Says why the database or its directory cannot be used.
pub(super) fn store(error: &StoreError, language: Language) -> String {
    if let StoreError::ReadOnly(why) = error {
        return cause(why, language);
    }
    match language {
        Language::English => error.to_string(),
        Language::Chinese => store_in_chinese(error),
    }
}

fn store_in_chinese(error: &StoreError) -> String {
    match error {
        StoreError::InUse { .. } => "正被另一个 Sayso 使用".to_owned(),
        StoreError::HalfRestored(_) => "恢复操作曾被中断".to_owned(),
        StoreError::FromTheFuture { found, known, .. } => {
            format!("由更新版本的 Sayso 写入（结构版本 {found}，本程序只支持到 {known}）")
        }
        StoreError::FromThePast { .. } => "由旧版本的 Sayso 写入，需要启动一次来升级".to_owned(),
        StoreError::Unreleased { .. } => "由首次发布之前的版本写入，本版本无法读取".to_owned(),
        StoreError::Corrupt(_) => "文件已损坏，或不是 SQLite 数据库".to_owned(),
        StoreError::Full(why) => format!("磁盘已满或拒绝写入：{}", cause(why, Language::Chinese)),
        StoreError::ReadOnly(why) => cause(why, Language::Chinese),
        StoreError::Locked(_) => "被另一个程序锁定".to_owned(),
        StoreError::Fenced => "会话已由另一个进程接管".to_owned(),
        StoreError::Unaudited(_) => "审计日志无法写入".to_owned(),
        StoreError::Closed => "数据库已关闭".to_owned(),
        StoreError::Broken(why) => format!("数据库出错：{}", cause(why, Language::Chinese)),
    }
}

/// Says why an MCP server cannot be used.
pub(super) fn mcp(error: &McpTrouble, language: Language) -> String {
    match (error, language) {
        (_, Language::English) => error.to_string(),
        (McpTrouble::NeedsLogin, Language::Chinese) => "正在等待登录".to_owned(),
        (McpTrouble::BadList(why), Language::Chinese) => {
            format!("有应答，但它的工具列表无法读取：{}", cause(why, language))
        }
        (McpTrouble::Failed(why), Language::Chinese) => cause(why, language),
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
