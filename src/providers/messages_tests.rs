//! What people read, in both languages.

use std::time::Duration;

use insta::assert_snapshot;
use sayso_core::Language;
use sayso_core::transcript::Role;

use super::for_user;
use crate::ProviderError;

fn refused(status: u16) -> ProviderError {
    ProviderError::Refused {
        status,
        message: "sk-secret at https://host.example".into(),
    }
}

fn limited(retry_after: Option<u64>) -> ProviderError {
    ProviderError::RateLimited {
        retry_after: retry_after.map(Duration::from_secs),
    }
}

fn every_error() -> Vec<ProviderError> {
    let mut errors = vec![
        ProviderError::Unreachable("https://host.example sk-secret".into()),
        ProviderError::TimedOut {
            stage: "go on",
            after: Duration::from_secs(9),
        },
        limited(None),
        limited(Some(1)),
        limited(Some(20)),
        limited(Some(100)),
        ProviderError::Broken {
            status: 503,
            message: "https://host.example sk-secret".into(),
        },
        ProviderError::Garbage("https://host.example sk-secret".into()),
        ProviderError::Repeating("the same 3 characters came 300 times".into()),
        ProviderError::Missing,
    ];
    errors.extend([400, 401, 402, 404, 413].map(refused));
    errors
}

fn all_in(role: Role, language: Language) -> String {
    let texts: Vec<_> = every_error()
        .iter()
        .map(|error| for_user(error, role, language))
        .collect();
    texts.join("\n\n")
}

#[test]
fn a_conversation_that_does_not_fit_is_told_from_other_refusals() {
    let error = ProviderError::Refused {
        status: 413,
        message: "request (2009 tokens) exceeds the available context size (512 tokens)".into(),
    };
    let text = for_user(&error, Role::Owner, Language::English);
    assert!(text.contains("too long"), "{text}");
}

#[test]
fn three_lines_at_most_and_nothing_of_the_wire() {
    for language in [Language::English, Language::Chinese] {
        for error in every_error() {
            let text = for_user(&error, Role::Owner, language);
            assert!(text.lines().count() <= 3, "{text}");
            for secret in ["sk-", "http", "host.example", "503", "401"] {
                assert!(!text.contains(secret), "{text}");
            }
        }
    }
}

#[test]
fn an_owner_reads_what_to_check() {
    assert_snapshot!(all_in(Role::Owner, Language::English), @r"
    I cannot reach the model service.
    Check the internet connection and `base_url` in sayso.toml (`sayso doctor` helps).

    The model took too long to answer. A shorter request can help.

    The model is busy. Try again in a minute.

    The model is busy. Try again in 1 second.

    The model is busy. Try again in 20 seconds.

    The model is busy. Try again in 2 minutes.

    The model service has a problem on its side. Try again in a few minutes.

    The model gave no usable answer. Try again?

    The model kept repeating itself, so I stopped it. Try again?

    I have no model yet. Set one with `sayso init`, or with `OPENAI_API_KEY`, and start me again.

    The model service refused this request.
    If the conversation is long, `/new` helps; else the reason is in the log.

    The model service rejects the API key.
    Check `api_key` in sayso.toml (`sayso doctor` helps).

    The account at the model service is used up.
    Check its credit there.

    The model service does not know the model that is set.
    Check `model` and `base_url` in sayso.toml (`sayso doctor` helps).

    This conversation is too long for the model.
    Start a new one with `/new`, or send less at once.
    ");
}

#[test]
fn an_owner_reads_what_to_check_in_chinese() {
    assert_snapshot!(all_in(Role::Owner, Language::Chinese), @r"
    我连不上模型服务。
    请检查网络和 sayso.toml 的 `base_url`（可用 `sayso doctor`）。

    模型太久没有回答。把要求写短一些可能会有帮助。

    模型繁忙，请一分钟后再试。

    模型繁忙，请 1 秒后再试。

    模型繁忙，请 20 秒后再试。

    模型繁忙，请 2 分钟后再试。

    模型服务那边出了问题，请过几分钟再试。

    模型没有给出可用的回答。要再试一次吗？

    模型一直在重复同样的内容，我已将它中断。要再试一次吗？

    我还没有可用的模型。
    请用 `sayso init` 或者 `OPENAI_API_KEY` 设置一个，然后重新启动我。

    模型服务拒绝了这个请求。
    如果对话很长，可以用 `/new` 开始新对话；否则请看日志里的原因。

    模型服务拒绝了 API 密钥。
    请检查 sayso.toml 的 `api_key`（可用 `sayso doctor`）。

    模型服务的账户额度用完了。
    请去那里检查余额。

    模型服务不认识设置的模型。
    请检查 sayso.toml 的 `model` 和 `base_url`（可用 `sayso doctor`）。

    这段对话对模型来说太长了。
    请用 `/new` 开始新对话，或者一次少发一些。
    ");
}

#[test]
fn a_member_reads_nothing_of_the_configuration() {
    for language in [Language::English, Language::Chinese] {
        let texts = all_in(Role::Member, language);
        for word in ["api_key", "base_url", "sayso", "log", "日志"] {
            assert!(!texts.contains(word), "{texts}");
        }
    }
}
