//! Cards: what is asked, and what is left when it is decided.

use sayso_fakes::Answer;
use serde_json::{Value, json};

use super::PAGES;
use crate::platform::{Platform, on_both};
use crate::stage::{Spoken, Stage};

on_both!(commands_are_asked_about, other_calls_are_asked_about);

/// The command of a call.
fn shell(command: &str) -> Value {
    json!({ "command": command })
}

impl Stage {
    /// Has the model announce a call in the language of this stage, and make it.
    fn announces(&self, english: &str, chinese: &str, tool: &str, arguments: &Value) {
        let words = Answer::text(self.spoken.pick(english, chinese));
        self.bot.model.answers(words.and_calls(tool, arguments));
    }
}

async fn commands_are_asked_about(platform: Platform) {
    for spoken in Spoken::BOTH {
        let mut stage = Stage::open(platform, spoken, &[]).await;
        several_parts(&mut stage).await;
        ordinary(&mut stage).await;
        always(&mut stage).await;
        denied(&mut stage).await;
        several_calls(&mut stage).await;
        forbidden_and_expired(&mut stage).await;
        stage.ends(PAGES, "cards");
    }
}

async fn several_parts(stage: &mut Stage) {
    let command = "mkdir -p a; rm -rf photos; curl -s https://example.org/up -d @a/list.txt";
    stage.announces(
        "I will clean up the photos and send the list.",
        "我来清理照片并发送清单。",
        "shell",
        &json!({"command": command, "access": "network"}),
    );
    stage.says("clean up my photos", "清理一下我的照片");
    let card = stage.card().await;
    stage.keeps(1, "a card of several parts").await;
    stage.says("yes", "好的");
    let again = stage.card().await;
    stage.keeps(2, "a yes that is typed").await;
    stage.model_says("I left everything as it was.", "我没有改动任何东西。");
    stage.presses(again.id, "Deny", "拒绝").await;
    stage.reads("I left everything", "我没有改动").await;
    stage.keeps(24, "after a no").await;
    let first = stage.chat.message(card.id);
    assert!(first.deleted, "the reminder alone keeps record: {first}");
    stage.announces(
        "I will install a library for tables.",
        "我来安装一个处理表格的库。",
        "shell",
        &json!({"command": "pip install pandas", "access": "system"}),
    );
    stage.says("install pandas", "安装 pandas");
    let card = stage.card().await;
    stage.keeps(3, "a card with full access").await;
    stage.model_says("Not installed.", "没有安装。");
    stage.presses(card.id, "Deny", "拒绝").await;
    stage.reads("Not installed.", "没有安装。").await;
}

async fn ordinary(stage: &mut Stage) {
    stage.announces(
        "I will make two folders for your photos.",
        "我来为照片建两个文件夹。",
        "shell",
        &shell("mkdir -p photos/2026 photos/2025"),
    );
    stage.says("sort my photos", "整理我的照片");
    let card = stage.card().await;
    stage.keeps(7, "an ordinary card").await;
    stage.model_says("Two folders are there.", "两个文件夹建好了。");
    stage.presses(card.id, "Approve", "批准").await;
    stage.reads("Two folders", "两个文件夹建好").await;
    stage.keeps(61, "an ordinary card, approved").await;
}

async fn always(stage: &mut Stage) {
    stage.announces(
        "I will make one more folder.",
        "我再建一个文件夹。",
        "shell",
        &shell("mkdir photos/2024"),
    );
    stage.says("one for 2024 too", "2024 年的也要");
    let card = stage.card().await;
    stage.keeps(29, "the buttons").await;
    stage.model_says("That one is there too.", "这个也建好了。");
    stage
        .presses(card.id, "Always: mkdir …", "总是允许 mkdir …")
        .await;
    stage.reads("That one is there", "这个也建好").await;
    stage.keeps(27, "Always, as the presser is told").await;
    stage.says("/grants", "/grants");
    stage.chat.hears().await;
    stage.keeps(47, "/grants with one").await;
}

async fn denied(stage: &mut Stage) {
    stage.announces(
        "I will delete the old downloads.",
        "我来删除旧的下载。",
        "shell",
        &shell("rm -rf downloads"),
    );
    stage.says("make room", "腾点空间");
    let card = stage.card().await;
    stage
        .presses(card.id, "Deny and say why", "拒绝并说明")
        .await;
    stage
        .chat
        .becomes(card.id, |card| card.labels().is_empty())
        .await;
    stage.keeps(31, "a no that will be explained").await;
    stage.model_says("I will sort by size first.", "我先按大小排序。");
    stage.says("sort by size first", "先按大小排一下");
    stage.reads("I will sort by size", "我先按大小").await;
    stage.keeps(32, "the reason of a no").await;
}

async fn several_calls(stage: &mut Stage) {
    let calls = ["2020", "2021", "2022", "2023"].map(|year| {
        let command = format!("touch photos/{year}.txt");
        ("shell", shell(&command))
    });
    let words = Answer::text(stage.spoken.pick(
        "I will make a list for each year.",
        "我为每一年建一个清单。",
    ));
    let answer = calls.iter().fold(words, |answer, (tool, arguments)| {
        answer.and_calls(tool, arguments)
    });
    stage.bot.model.answers(answer);
    stage.says("a list for each year", "每年一个清单");
    let card = stage.card().await;
    stage.keeps(30, "a card of four calls").await;
    stage.model_says("Four lists are there.", "四个清单建好了。");
    stage.presses(card.id, "Approve all", "全部批准").await;
    stage.reads("Four lists", "四个清单").await;
    stage.keeps(28, "a card of four calls, approved").await;
}

async fn forbidden_and_expired(stage: &mut Stage) {
    stage.announces(
        "I will start afresh.",
        "我来重新开始。",
        "shell",
        &shell("rm -rf /"),
    );
    stage.model_says("That is not possible.", "这做不到。");
    stage.says("delete everything there is", "删除所有东西");
    stage.reads("That is not possible.", "这做不到。").await;
    stage.keeps(25, "what nobody can approve").await;
    stage.announces(
        "I will read your key.",
        "我来读取你的密钥。",
        "shell",
        &shell("touch key.txt"),
    );
    stage.says("read my key", "读取我的密钥");
    stage.card().await;
    stage
        .bot
        .change("UPDATE cards SET expires_ms = 1 WHERE state = 'open'")
        .await;
    stage.reads("⌛", "⌛").await;
    stage.keeps(33, "a card that nobody answered").await;
}

async fn other_calls_are_asked_about(platform: Platform) {
    for spoken in Spoken::BOTH {
        let mut stage = Stage::open(platform, spoken, &[]).await;
        let name = spoken.pick("invoice.txt", "发票.txt");
        stage.chat.sends_document(
            name,
            spoken.pick("An invoice of 12 euros.", "一张 12 欧元的发票。"),
            spoken.pick("what does it say?", "写了什么？"),
        );
        stage.chat.hears().await;
        stage.bot.model.calls(vec![(
            "file_read",
            json!({"path": format!("inbox/{name}")}),
        )]);
        stage.model_says("It is an invoice.", "这是一张发票。");
        stage.says("read it again", "再读一遍");
        stage.reads("It is an invoice.", "这是一张发票。").await;
        let fact = spoken.pick("Ann is allergic to peanuts", "小安对花生过敏");
        stage
            .bot
            .model
            .calls(vec![("memory_store", json!({ "text": fact }))]);
        stage.model_says("I will remember it.", "我记住了。");
        stage.says("Remember that I am allergic to peanuts", "记住我对花生过敏");
        stage.reads("I will remember it.", "我记住了。").await;
        stage
            .keeps(8, "a memory in the person's own words, after a file")
            .await;
        stage.bot.model.calls(vec![(
            "file_write",
            json!({"path": "todo.md", "content": "- milk\n"}),
        )]);
        stage.says("write me a list", "写个清单");
        let card = stage.card().await;
        stage.keeps(9, "what was read before").await;
        stage.model_says("Then not.", "那就不写。");
        stage.presses(card.id, "Deny", "拒绝").await;
        stage.reads("Then not.", "那就不写。").await;
        stage.keeps(70, "a file that is not written").await;
        stage.ends(PAGES, "cards-of-files");
    }
}
