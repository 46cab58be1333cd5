//! Questions, memories, and a model that fails.

use std::sync::atomic::{AtomicI32, Ordering};

use sayso_fakes::{Answer, Message};
use serde_json::json;

use super::{Story, told_twice};
use crate::platform::Platform;
use crate::stage::Spoken;

told_twice!(
    the_first_day on Telegram and Discord,
    an_allergy_is_remembered on Discord and Telegram,
    a_question_is_asked_back on Telegram and Discord,
    the_model_is_busy on Discord and Telegram
);

async fn the_first_day(platform: Platform, spoken: Spoken) {
    let mut story = Story::begins("first-day", platform, spoken, &[]).await;
    for (english, chinese) in [
        ("/start", "/start"),
        ("/help", "/help"),
        ("/staus", "/staus"),
    ] {
        story.says(english, chinese);
        story.stage.chat.hears().await;
        story.is_answered_by(1).await;
    }
    let hello = (
        "Hello! Tell me what is on your list today.",
        "你好！今天有什么要做的？",
    );
    story.stage.model_says(hello.0, hello.1);
    story.says("Hi there", "你好呀");
    story.stage.reads(hello.0, hello.1).await;
    story.is_answered_by(1).await;
    story.says("/status", "/status");
    story.stage.chat.hears().await;
    story.is_answered_by(1).await;
    story.ends().await;
}

async fn an_allergy_is_remembered(platform: Platform, spoken: Spoken) {
    let mut story = Story::begins("allergy", platform, spoken, &[]).await;
    let fact = spoken.pick("Ann is allergic to peanuts.", "小安对花生过敏。");
    let model = &story.stage.bot.model;
    model.calls(vec![("memory_store", json!({ "text": fact }))]);
    story
        .stage
        .model_says("I will keep that in mind.", "我记住了。");
    story.says("Remember that I am allergic to peanuts", "记住我对花生过敏");
    story
        .stage
        .reads("I will keep that in mind.", "我记住了。")
        .await;
    story.is_answered_by(1).await;
    story.says("/new", "/new");
    story.stage.chat.hears().await;
    story.is_answered_by(1).await;
    let query = spoken.pick("allergic peanuts", "花生 过敏");
    let model = &story.stage.bot.model;
    model.calls(vec![("memory_recall", json!({ "query": query }))]);
    let answer = ("No peanuts in it, please.", "别放花生。");
    story.stage.model_says(answer.0, answer.1);
    story.says("What must not be in my cake?", "我的蛋糕里不能有什么？");
    story.stage.reads(answer.0, answer.1).await;
    story.is_answered_by(1).await;
    story.says("/memory", "/memory");
    let list = story.stage.chat.hears().await;
    story.is_answered_by(1).await;
    story.stage.presses(list.id, "Forget 1", "忘掉 1").await;
    story.ends().await;
}

async fn a_question_is_asked_back(platform: Platform, spoken: Spoken) {
    let mut story = Story::begins("question", platform, spoken, &[]).await;
    let asked = spoken.pick("Which list do you mean?", "你指的是哪个清单？");
    let choices = [
        spoken.pick("Shopping", "购物"),
        spoken.pick("Travel", "旅行"),
    ];
    let questions = json!({"questions": [{"question": asked, "choices": choices}]});
    let words = spoken.pick("There are two.", "有两个清单。");
    story
        .stage
        .bot
        .model
        .answers(Answer::text(words).and_calls("ask_user", &questions));
    story.says("Clear my list", "清空我的清单");
    let question = story.stage.chat.settles(Message::asks).await;
    let answer = ("The shopping list is clear.", "购物清单清空了。");
    story.stage.model_says(answer.0, answer.1);
    story.stage.presses(question.id, "Shopping", "购物").await;
    story.stage.reads(answer.0, answer.1).await;
    story.is_answered_by(2).await;
    story.ends().await;
}

async fn the_model_is_busy(platform: Platform, spoken: Spoken) {
    let settings = [("PROVIDERS__0__TIMEOUT_SECS", "1")];
    let mut story = Story::begins("busy-model", platform, spoken, &settings).await;
    let request = spoken.pick("What is the capital of Portugal?", "葡萄牙的首都是哪里？");
    let (asked, left) = (request.to_owned(), AtomicI32::new(4));
    story.stage.bot.model.when(move |asking| {
        let is_it = !asking.is_routing() && asking.last_user().ends_with(&asked);
        let fails = is_it && left.fetch_sub(1, Ordering::Relaxed) > 0;
        fails.then(|| Answer::error(429, "{}"))
    });
    story.says("What is the capital of Portugal?", "葡萄牙的首都是哪里？");
    let failed = story
        .stage
        .chat
        .hears_with(|message| message.text.starts_with('⚠'))
        .await;
    story.is_answered_by(1).await;
    story.stage.model_says("Lisbon.", "里斯本。");
    story
        .stage
        .presses(failed.id, "↻ Try again", "↻ 重试")
        .await;
    story.stage.reads("Lisbon.", "里斯本。").await;
    story.ends().await;
}
