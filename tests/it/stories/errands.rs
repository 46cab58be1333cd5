//! Commands and files: asked about, approved, denied, sent back.

use sayso_fakes::{Answer, Gate, Message};
use serde_json::{Value, json};

use super::{Story, told_twice};
use crate::platform::Platform;
use crate::stage::Spoken;

told_twice!(
    photos_get_their_folders on Telegram and Discord,
    a_report_is_sent_back on Discord and Telegram,
    a_command_is_allowed_from_now_on on Telegram and Discord,
    a_yes_is_typed on Discord and Telegram,
    nobody_answers_in_time on Telegram and Discord,
    a_long_story_is_stopped on Discord and Telegram
);

/// A step in which the model says what it will do, and calls a tool.
fn step(words: &str, tool: &str, arguments: &Value) -> Answer {
    Answer::text(words).and_calls(tool, arguments)
}

async fn photos_get_their_folders(platform: Platform, spoken: Spoken) {
    let mut story = Story::begins("photos", platform, spoken, &[]).await;
    story.stage.bot.model.answers(step(
        spoken.pick(
            "I will make a folder for each year of your photos.",
            "我来为每一年的照片建一个文件夹。",
        ),
        "shell",
        &json!({"command": "mkdir -p photos/2025 photos/2026"}),
    ));
    story.says("Sort my photos by year", "按年份整理我的照片");
    let card = story.card().await;
    let done = ("Your photos have their folders.", "照片的文件夹都建好了。");
    story.stage.model_says(done.0, done.1);
    story.stage.presses(card.id, "Approve", "批准").await;
    story.stage.reads(done.0, done.1).await;
    story.is_answered_by(2).await;
    story.says("/undo", "/undo");
    story.stage.chat.hears().await;
    story.is_answered_by(1).await;
    story.ends().await;
}

async fn a_report_is_sent_back(platform: Platform, spoken: Spoken) {
    let settings = [("POLICY__CONFIRM_WRITE", "false")];
    let mut story = Story::begins("report", platform, spoken, &settings).await;
    let name = spoken.pick("report.md", "报告.md");
    let content = spoken.pick("# March\n\nAll is paid.\n", "# 三月\n\n全部付清。\n");
    story.stage.bot.model.answers(step(
        spoken.pick("I write the report first.", "我先写报告。"),
        "file_write",
        &json!({"path": name, "content": content}),
    ));
    story.stage.bot.model.answers(step(
        spoken.pick("Now I send it to you.", "现在发给你。"),
        "send_file",
        &json!({ "path": name }),
    ));
    story
        .stage
        .model_says("Here is your report.", "报告在这里。");
    story.says(
        "Write a report about March and send it",
        "写一份三月的报告发给我",
    );
    story
        .stage
        .reads("Here is your report.", "报告在这里。")
        .await;
    story.is_answered_by(2).await;
    story.ends().await;
}

async fn a_command_is_allowed_from_now_on(platform: Platform, spoken: Spoken) {
    let mut story = Story::begins("always", platform, spoken, &[]).await;
    story.stage.bot.model.answers(step(
        spoken.pick(
            "I will make a folder for bills.",
            "我来建一个放账单的文件夹。",
        ),
        "shell",
        &json!({"command": "mkdir bills"}),
    ));
    story.says("A folder for my bills, please", "请建一个放账单的文件夹");
    let card = story.card().await;
    story.stage.model_says("It is there.", "建好了。");
    story
        .stage
        .presses(card.id, "Always: mkdir …", "总是允许 mkdir …")
        .await;
    story.stage.reads("It is there.", "建好了。").await;
    story.is_answered_by(2).await;
    story.stage.bot.model.answers(step(
        spoken.pick(
            "I will make a folder for letters.",
            "我来建一个放信件的文件夹。",
        ),
        "shell",
        &json!({"command": "mkdir letters"}),
    ));
    story.stage.model_says("Letters too.", "信件的也好了。");
    story.says("And one for letters", "再来一个放信件的");
    story.stage.reads("Letters too.", "信件的也好了。").await;
    story.is_answered_by(1).await;
    story.says("/grants", "/grants");
    let list = story.stage.chat.hears().await;
    story.is_answered_by(1).await;
    story.stage.presses(list.id, "Take back 1", "撤回 1").await;
    story.ends().await;
}

async fn a_yes_is_typed(platform: Platform, spoken: Spoken) {
    let mut story = Story::begins("yes", platform, spoken, &[]).await;
    story.stage.bot.model.answers(step(
        spoken.pick("I will delete the old downloads.", "我来删除旧的下载。"),
        "shell",
        &json!({"command": "rm -rf downloads"}),
    ));
    story.says("Make some room", "腾点空间");
    story.card().await;
    story.says("yes", "好的");
    let again = story.card().await;
    story
        .stage
        .model_says("Done, there is room.", "好了，空间腾出来了。");
    story.stage.presses(again.id, "Approve", "批准").await;
    story
        .stage
        .reads("Done, there is room.", "空间腾出来了。")
        .await;
    story.ends().await;
}

async fn nobody_answers_in_time(platform: Platform, spoken: Spoken) {
    let mut story = Story::begins("too-late", platform, spoken, &[]).await;
    story.stage.bot.model.answers(step(
        spoken.pick("I will clean up the list.", "我来清理清单。"),
        "shell",
        &json!({"command": "sort -u -o list.txt list.txt"}),
    ));
    story.says("Clean up my list", "清理我的清单");
    story.card().await;
    story
        .stage
        .bot
        .change("UPDATE cards SET expires_ms = 1 WHERE state = 'open'")
        .await;
    story.stage.reads("⌛", "⌛").await;
    story.is_answered_by(1).await;
    story.ends().await;
}

async fn a_long_story_is_stopped(platform: Platform, spoken: Spoken) {
    let mut story = Story::begins("stopped", platform, spoken, &[]).await;
    let gate = Gate::new();
    let tale = spoken.pick(
        "Once upon a time there was a lighthouse by the sea. Nobody lived in it but a cat.",
        "从前海边有一座灯塔。里面只住着一只猫，它每天晚上看着月亮。",
    );
    let begun = Answer::text(tale).chunks_of(10).held_after(2, &gate);
    story.stage.bot.model.answers(begun);
    story.says("Tell me a long story", "讲一个长故事");
    let words = spoken.pick("Once upon", "从前海边");
    story
        .stage
        .chat
        .settles(|message: &Message| message.is_live() && message.text.contains(words))
        .await;
    story.stage.says("/stop", "/stop");
    story.stage.reads("⏹", "⏹").await;
    story.is_answered_by(1).await;
    story.ends().await;
}
