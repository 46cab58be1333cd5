//! What the commands answer.

use serde_json::json;

use super::PAGES;
use crate::platform::{Platform, on_both};
use crate::stage::{Spoken, Stage};

on_both!(commands_answer);

/// The moments that are a command and its answer.
const COMMANDS: [(u8, &str); 12] = [
    (16, "/status"),
    (18, "/memory"),
    (19, "/usage"),
    (20, "/autonomy"),
    (46, "/grants"),
    (49, "/help"),
    (50, "/skills"),
    (51, "/model"),
    (52, "/model 2"),
    (53, "/staus"),
    (48, "/new"),
    (55, "/forget everything"),
];

async fn commands_answer(platform: Platform) {
    for spoken in Spoken::BOTH {
        let settings = [("POLICY__CONFIRM_WRITE", "false")];
        let mut stage = Stage::open(platform, spoken, &settings).await;
        let fact = spoken.pick("Ann is allergic to peanuts.", "小安对花生过敏。");
        stage
            .bot
            .model
            .calls(vec![("memory_store", json!({ "text": fact }))]);
        stage.model_says("I will remember it.", "我记住了。");
        stage.says("I am allergic to peanuts", "我对花生过敏");
        stage.reads("I will remember it.", "我记住了。").await;
        stage.rests().await;
        undo(&mut stage).await;
        routines(&mut stage).await;
        for (number, command) in COMMANDS {
            stage.chat.says(command);
            stage.chat.hears().await;
            stage.keeps(number, command).await;
        }
        foreign_files(&mut stage).await;
        stage.ends(PAGES, "commands");
    }
}

async fn undo(stage: &mut Stage) {
    let list = json!({"path": "shopping.md", "content": "- milk\n"});
    stage.bot.model.calls(vec![("file_write", list)]);
    stage.model_says("The list is there.", "清单写好了。");
    stage.says("write me a list", "写个清单");
    stage.reads("The list is there.", "清单写好了。").await;
    stage.rests().await;
    stage.says("/undo", "/undo");
    stage.chat.hears().await;
    stage.keeps(56, "/undo").await;
}

async fn routines(stage: &mut Stage) {
    let prompt = stage.spoken.pick("Tell me the weather", "告诉我天气");
    let arguments = json!({"action": "create", "schedule": "0 9 * * 1-5", "prompt": prompt});
    stage.bot.model.calls(vec![("routine", arguments)]);
    stage.says("tell me the weather on weekdays", "工作日告诉我天气");
    let card = stage.card().await;
    stage.keeps(38, "the card of a routine").await;
    stage.model_says("It is kept.", "记下了。");
    stage.presses(card.id, "Approve", "批准").await;
    stage.reads("It is kept.", "记下了。").await;
    stage.rests().await;
    stage.says("/routines", "/routines");
    stage
        .chat
        .hears_with(|message| message.button("1").is_some())
        .await;
    stage.keeps(39, "/routines").await;
}

/// Somebody puts a file there, which `/status` tells with all other details.
async fn foreign_files(stage: &mut Stage) {
    std::fs::write(stage.bot.workspace().join("strange.txt"), "from outside").unwrap();
    stage
        .bot
        .model
        .calls(vec![("list_dir", json!({"path": "."}))]);
    stage.model_says("One file is new.", "有一个新文件。");
    stage.says("what is there?", "有什么？");
    stage.reads("One file is new.", "有一个新文件。").await;
    stage.rests().await;
    stage.says("/status", "/status");
    stage.chat.hears().await;
    stage.keeps(17, "/status with files of others").await;
}
