//! Work under way: the live message, stops, and what is said meanwhile.

use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use super::PAGES;
use crate::platform::{Platform, on_both};
use crate::stage::{Spoken, Stage};
use crate::test_bot::TestBot;

on_both!(work_is_shown_and_stopped, what_is_said_meanwhile_waits);

const UNASKED: [(&str, &str); 2] = [
    ("POLICY__CONFIRM_EXEC", "false"),
    ("POLICY__CONFIRM_WRITE", "false"),
];

async fn work_is_shown_and_stopped(platform: Platform) {
    for spoken in Spoken::BOTH {
        let mut stage = Stage::open(platform, spoken, &UNASKED).await;
        shown_while_it_works(&mut stage).await;
        remembers(&mut stage).await;
        goes_round(&mut stage).await;
        stopped_after_work(&mut stage).await;
        stopped_in_an_answer(&mut stage).await;
        left_over(&mut stage).await;
        compacts(&mut stage).await;
        stage.ends(PAGES, "live");
        grows_long(platform, spoken).await;
    }
}

/// Has the model announce a look around, and hold its next words back.
fn looks_around(stage: &Stage, gate: &Gate) {
    let words = stage
        .spoken
        .pick("First I look at what is there.", "我先看看有什么。");
    let look = Answer::text(words).and_calls("list_dir", &json!({"path": "."}));
    stage.bot.model.answers(look);
    let done = stage.spoken.pick("There is nothing yet.", "还什么都没有。");
    stage.bot.model.answers(Answer::text(done).held_by(gate));
}

async fn shown_while_it_works(stage: &mut Stage) {
    let gate = Gate::new();
    looks_around(stage, &gate);
    stage.says("what is there?", "有什么？");
    gate.reached_by(1).await;
    step_done(stage).await;
    stage
        .reads("First I look at what is there.", "我先看看有什么。")
        .await;
    stage.keeps_as_it_stands(21, "the words before a step, and the step");
    gate.open();
    stage.rests().await;
    let held = Gate::new();
    let command = json!({"command": "mkdir -p photos/2026 && ls photos"});
    stage.bot.model.calls(vec![("shell", command)]);
    let done = stage.spoken.pick("The folder is there.", "文件夹建好了。");
    stage.bot.model.answers(Answer::text(done).held_by(&held));
    stage.says("make a folder", "建个文件夹");
    held.reached_by(1).await;
    step_done(stage).await;
    stage.keeps_as_it_stands(22, "a command that ran");
    held.open();
    stage.rests().await;
}

/// Waits until the live message shows a step that is done.
async fn step_done(stage: &Stage) {
    stage
        .chat
        .settles(|message| message.is_live() && message.text.contains('✓'))
        .await;
}

async fn remembers(stage: &mut Stage) {
    let gate = Gate::new();
    let fact = stage
        .spoken
        .pick("Ann is allergic to peanuts.", "小安对花生过敏。");
    stage
        .bot
        .model
        .calls(vec![("memory_store", json!({ "text": fact }))]);
    let done = stage.spoken.pick("I will remember it.", "我记住了。");
    stage.bot.model.answers(Answer::text(done).held_by(&gate));
    stage.says("I am allergic to peanuts", "我对花生过敏");
    gate.reached_by(1).await;
    step_done(stage).await;
    stage.keeps_as_it_stands(23, "something is remembered");
    gate.open();
    stage.rests().await;
}

async fn goes_round(stage: &mut Stage) {
    for _ in 0..7 {
        stage
            .bot
            .model
            .calls(vec![("list_dir", json!({"path": "."}))]);
    }
    stage.says("tidy up", "整理一下");
    stage.chat.hears().await;
    stage.keeps(6, "the same step again and again").await;
}

async fn stopped_after_work(stage: &mut Stage) {
    let command = |command: &str| ("shell", json!({ "command": command }));
    stage.bot.model.calls(vec![command("mkdir -p photos/2024")]);
    stage.bot.model.calls(vec![command("sleep 61")]);
    stage.says("one more year", "再加一年");
    stage
        .chat
        .settles(|message| message.is_live() && message.text.contains("sleep 61"))
        .await;
    stage.says("/stop", "/stop");
    stage.reads("⏹", "⏹").await;
    stage.keeps(12, "a stop, and what was done before").await;
}

async fn stopped_in_an_answer(stage: &mut Stage) {
    let gate = Gate::new();
    let story = stage.spoken.pick(
        "Once upon a time there was a lighthouse by the sea. Nobody lived in it but a cat.",
        "从前海边有一座灯塔。里面只住着一只猫，它每天晚上都爬到塔顶看星星。有一天，远处来了一艘没有灯的船。",
    );
    let begun = Answer::text(story).chunks_of(8).held_after(5, &gate);
    stage.bot.model.answers(begun);
    stage.says("tell me a story", "讲个故事");
    let live = stage.chat.settles(Message::is_live).await;
    let so_far = stage.spoken.pick("there was a lig", "看星星");
    stage
        .chat
        .becomes(live.id, |message| message.text.contains(so_far))
        .await;
    stage.presses(live.id, "⏹ Stop", "⏹ 停止").await;
    stage.reads("⏹", "⏹").await;
    stage.keeps(14, "a stop in the middle of an answer").await;
}

async fn left_over(stage: &mut Stage) {
    let held = Gate::new();
    looks_around(stage, &held);
    stage.says("look once more", "再看一次");
    held.reached_by(1).await;
    stage.chat.settles(Message::is_live).await;
    stage.says("/whoami", "/whoami");
    stage.chat.hears().await;
    held.open();
    stage.reads("There is nothing yet.", "还什么都没有。").await;
    stage.keeps(15, "an answer below other messages").await;
}

async fn compacts(stage: &mut Stage) {
    let summary = stage.spoken.pick("They tidied photos.", "整理了照片。");
    stage.bot.model.sums_up_with(Answer::text(summary));
    stage.says("/compact", "/compact");
    stage
        .reads("I shortened our conversation", "已精简对话记录")
        .await;
    stage.keeps(41, "/compact").await;
}

/// A conversation that became long is summed up without a word about it.
async fn grows_long(platform: Platform, spoken: Spoken) {
    let short = [("AGENT__HISTORY_MESSAGES", "8")];
    let mut stage = Stage::open(platform, spoken, &short).await;
    let summary = spoken.pick("They counted.", "数了数。");
    stage.bot.model.sums_up_with(Answer::text(summary));
    for number in 1..=6 {
        stage.chat.says(&number.to_string());
        stage
            .reads(&format!("ok: {number}"), &format!("ok: {number}"))
            .await;
    }
    stage
        .bot
        .has_noted("SELECT body FROM journal WHERE kind IN ('compacted', 'condensed')")
        .await;
    stage.keeps(40, "a conversation that became long").await;
    stage.ends(PAGES, "long");
}

async fn what_is_said_meanwhile_waits(platform: Platform) {
    for spoken in Spoken::BOTH {
        let mut stage = Stage::open(platform, spoken, &UNASKED).await;
        joins(&mut stage).await;
        stopped_with_words_that_joined(&mut stage).await;
        stop_in_words(&mut stage).await;
        stage.ends(PAGES, "busy");
        let queue = [("AGENT__WHILE_BUSY", "queue")];
        let mut stage = Stage::open(platform, spoken, &queue).await;
        queues(&mut stage).await;
        stage.ends(PAGES, "queued");
    }
}

async fn joins(stage: &mut Stage) {
    let (before, after) = (Gate::new(), Gate::new());
    let words = stage.spoken.pick("I look for files.", "我来找文件。");
    let look = Answer::text(words).and_calls("list_dir", &json!({"path": "."}));
    stage.bot.model.answers(look.held_by(&before));
    let done = stage
        .spoken
        .pick("None, hidden or not.", "没有，隐藏的也没有。");
    stage.bot.model.answers(Answer::text(done).held_by(&after));
    stage.says("count my files", "数一下我的文件");
    before.reached_by(1).await;
    stage.says("also the hidden ones", "也算隐藏的");
    heard(&stage.bot).await;
    before.open();
    after.reached_by(1).await;
    stage.chat.settles(Message::is_live).await;
    stage.keeps_as_it_stands(26, "words that join what is under way");
    after.open();
    stage.rests().await;
}

/// A stop says nothing of how a model was told of the words that joined.
async fn stopped_with_words_that_joined(stage: &mut Stage) {
    let gate = Gate::new();
    let answer = Answer::text("never said");
    stage.bot.model.answers(answer.held_by(&gate));
    stage.says("and another year", "再加一年");
    gate.reached_by(1).await;
    stage.says("delete my old downloads", "删除旧的下载");
    heard(&stage.bot).await;
    stage.says("/stop", "/stop");
    stage.reads("⏹", "⏹").await;
    stage.keeps(13, "a stop after words joined").await;
    gate.open();
}

async fn heard(bot: &TestBot) {
    bot.has_heard_all().await;
}

async fn stop_in_words(stage: &mut Stage) {
    let gate = Gate::new();
    let answer = Answer::text("never said");
    stage.bot.model.answers(answer.held_by(&gate));
    stage.says("think about it", "想一想");
    gate.reached_by(1).await;
    stage.says("stop", "停");
    stage.reads("⏹", "⏹").await;
    stage.keeps(45, "a stop in words").await;
    gate.open();
}

async fn queues(stage: &mut Stage) {
    let gate = Gate::new();
    let done = stage.spoken.pick("Counted: none.", "数完了：没有。");
    stage.bot.model.answers(Answer::text(done).held_by(&gate));
    stage.says("count my files", "数一下我的文件");
    gate.reached_by(1).await;
    stage.says("and then the folders", "然后数文件夹");
    let notice = stage.chat.settles(Message::asks).await;
    stage.keeps_as_it_stands(42, "a message that waits");
    stage.model_says("No folders either.", "也没有文件夹。");
    gate.open();
    stage.reads("No folders either.", "也没有文件夹。").await;
    stage
        .chat
        .becomes(notice.id, |notice| notice.deleted || !notice.asks())
        .await;
    stage.keeps(43, "nothing waits any more").await;
    let gate = Gate::new();
    stage
        .bot
        .model
        .answers(Answer::text("never said").held_by(&gate));
    stage.says("think about it", "想一想");
    gate.reached_by(1).await;
    stage.says("and about that", "再想想那个");
    stage.chat.settles(Message::asks).await;
    stage.says("/stop", "/stop");
    stage.reads("⏹", "⏹").await;
    stage.keeps(44, "/stop with a message that waits").await;
    gate.open();
}
