//! What goes wrong, and what is said of it.

use sayso_fakes::Answer;

use super::PAGES;
use crate::platform::{Platform, on_both};
use crate::stage::{Spoken, Stage};

on_both!(models_fail, messages_are_too_much);

async fn models_fail(platform: Platform) {
    let settings = [("PROVIDERS__0__TIMEOUT_SECS", "1")];
    for spoken in Spoken::BOTH {
        let mut stage = Stage::open(platform, spoken, &settings).await;
        let cases = [
            (
                34,
                "a wrong key",
                Answer::error(401, r#"{"error": {"message": "bad key"}}"#),
            ),
            (35, "an empty answer", Answer::text("")),
            (36, "a busy model", Answer::error(429, "{}")),
            (37, "a model that hangs", Answer::hangs()),
        ];
        for (number, name, answer) in cases {
            let words = format!("request {number}");
            let asked = words.clone();
            stage.bot.model.when(move |request| {
                let is_it = !request.is_routing() && request.last_user().ends_with(&asked);
                is_it.then(|| answer.clone())
            });
            stage.chat.says(&words);
            stage
                .chat
                .hears_with(|message| message.text.starts_with('⚠'))
                .await;
            stage.keeps(number, name).await;
        }
        stage.bot.model.answers(Answer::text(
            "Your key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD and that is it.",
        ));
        stage.says("what is my key?", "我的密钥是什么？");
        stage.reads("and that is it.", "and that is it.").await;
        stage.keeps(58, "a key is hidden").await;
        stage.ends(PAGES, "trouble");
    }
}

async fn messages_are_too_much(platform: Platform) {
    for spoken in Spoken::BOTH {
        let mut stage = Stage::open(platform, spoken, &[]).await;
        let film = vec![0_u8; 21 * 1024 * 1024];
        stage.chat.sends_document("film.mp4", film, "");
        stage.reads("20 MB", "20 MB").await;
        stage.keeps(60, "a file that is too large").await;
        for number in 1..=36 {
            stage.chat.says(&format!("message {number}"));
        }
        let notice = stage
            .reads("came within a minute", "一分钟内超过 30 条")
            .await;
        // How many were let through meanwhile depends on how fast they came.
        let notice = without_numbers(&notice.to_string());
        stage.keeps_text(59, "too many messages at once", &notice);
        stage.ends(PAGES, "too-much");
    }
}

/// The number of skipped messages is one of few; any other stays.
fn without_numbers(notice: &str) -> String {
    (2..=7).fold(notice.to_owned(), |notice, skipped| {
        notice
            .replace(
                &format!("last {skipped} messages"),
                "last (2 to 7) messages",
            )
            .replace(&format!("最后 {skipped} 条"), "最后（2 到 7）条")
    })
}
