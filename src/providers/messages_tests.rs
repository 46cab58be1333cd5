//! What people read, in both languages.

use std::time::Duration;

use insta::assert_snapshot;
use sayso_channel::Language;

use super::for_user;
use crate::providers::ProviderError;

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

fn all_in(language: Language) -> String {
    let texts: Vec<_> = every_error()
        .iter()
        .map(|error| for_user(error, language))
        .collect();
    texts.join("\n\n")
}

#[test]
fn a_conversation_that_does_not_fit_is_told_from_other_refusals() {
    let error = ProviderError::Refused {
        status: 413,
        message: "request (2009 tokens) exceeds the available context size (512 tokens)".into(),
    };
    let text = for_user(&error, Language::English);
    assert!(text.contains("too long"), "{text}");
}

#[test]
fn three_lines_at_most_and_nothing_of_the_wire() {
    for language in [Language::English, Language::Chinese] {
        for error in every_error() {
            let text = for_user(&error, language);
            assert!(text.lines().count() <= 3, "{text}");
            for secret in ["sk-", "http", "host.example", "503", "401"] {
                assert!(!text.contains(secret), "{text}");
            }
        }
    }
}

#[test]
fn people_read_plain_english() {
    assert_snapshot!(all_in(Language::English), @r"
    I could not reach the model, so your request is not finished.
    Please try again in a minute; if it stays like this, my owner can run `sayso doctor`.

    The model took too long to answer, so I stopped waiting.
    Please try again; a shorter request or `/new` can help.

    The model service gets too many requests just now.
    Please try again in a minute.

    The model service gets too many requests just now.
    Please try again in 1 second.

    The model service gets too many requests just now.
    Please try again in 20 seconds.

    The model service gets too many requests just now.
    Please try again in 2 minutes.

    The model service has a problem on its side.
    Please try again in a few minutes.

    The model gave an answer that I cannot read.
    Please try again; putting the request in other words can help.

    The model only repeated itself, twice, so I cut it off.
    Please try again; putting the request in other words can help.

    I have no model to think with yet.
    My owner can set one with `sayso init`, or with `OPENAI_API_KEY`, and start me again.

    The model service refused this request, so asking again will not help.
    If the conversation is long, start a new one with `/new`.
    Otherwise my owner can see the reason in the log.

    The model service does not accept my key.
    My owner has to check the provider's `api_key`; `sayso doctor` shows what it says.

    The model service says that its account is used up.
    My owner has to check its credit there.

    The model service does not know the model that is set.
    My owner has to check the provider's `model` and `base_url`; `sayso doctor` helps.

    This conversation is too long for the model.
    Please start a new one with `/new`, or send less at once.
    ");
}

#[test]
fn people_read_plain_chinese() {
    assert_snapshot!(all_in(Language::Chinese), @r"
    我连不上模型服务，这个请求没有完成。
    请一分钟后再试；如果一直这样，管理者可以运行 `sayso doctor`。

    模型太久没有回答，我不再等了。
    请再试一次；把要求写短一些，或者用 `/new` 开始新对话，可能会有帮助。

    模型服务现在请求太多。
    请一分钟后再试。

    模型服务现在请求太多。
    请 1 秒后再试。

    模型服务现在请求太多。
    请 20 秒后再试。

    模型服务现在请求太多。
    请 2 分钟后再试。

    模型服务那边出了问题。
    请过几分钟再试。

    模型给了一个我读不懂的回答。
    请再试一次；换一种说法可能会有帮助。

    模型两次都只是不停地重复同样的内容，我已将它中断。
    请再试一次；换一种说法可能会有帮助。

    我还没有可用的模型。
    管理者可以用 `sayso init` 或者 `OPENAI_API_KEY` 设置一个，然后重新启动我。

    模型服务拒绝了这个请求，再问一次也没有用。
    如果对话很长，请用 `/new` 开始新对话。
    否则管理者可以在日志里看到原因。

    模型服务不接受我的密钥。
    管理者需要检查提供方的 `api_key`；`sayso doctor` 会显示服务的说法。

    模型服务说账户额度用完了。
    管理者需要去那里检查余额。

    模型服务不认识设置的模型。
    管理者需要检查提供方的 `model` 和 `base_url`；`sayso doctor` 可以帮忙。

    这段对话对模型来说太长了。
    请用 `/new` 开始新对话，或者一次少发一些。
    ");
}
