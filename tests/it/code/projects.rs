//! `/project`: which folder a conversation works in, who may choose it, and that nothing else is
//! touched meanwhile.

use std::path::{Path, PathBuf};

use sayso_fakes::Message;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{BOB, TestBot};

on_both!(
    a_project_is_chosen_for_one_conversation_and_worked_in,
    a_person_is_shown_only_what_names_them,
    a_read_only_project_is_never_changed,
    what_was_asked_for_a_project_runs_there_also_when_another_is_chosen,
    a_project_that_is_gone_ends_its_turns,
    what_sayso_keeps_stays_readable_beside_a_project
);

/// A project of the test, with one file in it.
pub struct Site {
    _directory: TempDir,
    path: PathBuf,
}

impl Site {
    pub fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let path = directory.path().canonicalize().unwrap().join("site");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("README"), "the web site\n").unwrap();
        Self {
            _directory: directory,
            path,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn content(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path.join(name)).ok()
    }

    /// Starts a bot with this project, in which writes run unasked.
    pub async fn bot(&self, platform: Platform, settings: &[(&str, &str)]) -> TestBot {
        let mut bot = TestBot::closed_on(platform, settings).await;
        bot.set("PROJECTS__SITE__PATH", &self.path.to_string_lossy());
        bot.set("POLICY__CONFIRM_WRITE", "false");
        bot.start();
        bot.settles_in().await;
        bot
    }
}

pub const WRITABLE: &[(&str, &str)] = &[("PROJECTS__SITE__WRITE", "true")];

pub async fn asks(chat: &Chat, text: &str) -> String {
    chat.says(text);
    chat.hears().await.text
}

/// Has the model make these calls, and returns the result of the last as the model sees it.
pub async fn does(bot: &TestBot, chat: &Chat, request: &str, calls: Vec<(&str, Value)>) -> String {
    bot.model.calls(calls);
    let answer = format!("Done: {request}");
    bot.model.says(&answer);
    chat.says(request);
    chat.settles(|message| message.text == answer).await;
    bot.model.requests().pop().unwrap().last_tool_result()
}

fn writes(path: &str, content: &str) -> Vec<(&'static str, Value)> {
    vec![("file_write", json!({"path": path, "content": content}))]
}

pub async fn a_project_is_chosen_for_one_conversation_and_worked_in(platform: Platform) {
    let site = Site::new();
    let mut bot = site.bot(platform, WRITABLE).await;
    bot.set("PROJECTS__SITE__DESCRIPTION", "what visitors see");
    bot.restart().await;
    bot.settles_in().await;
    let ann = bot.direct();
    ann.says("/project");
    let list = ann.settles(Message::asks).await;
    insta::assert_snapshot!(list.text, @r"
    Projects

    site: what visitors see (may be changed)

    /project NAME has me work in that folder in this conversation, /project none in your own again.
    ");
    assert!(list.button("✓ None").is_some(), "{list}");
    ann.press(&bot.ann, list.id, "site").await;
    ann.becomes(list.id, |message| message.text.contains("(chosen here)"))
        .await;
    let read = does(
        &bot,
        &ann,
        "read",
        vec![("file_read", json!({"path": "README"}))],
    )
    .await;
    assert!(read.contains("the web site"), "{read}");
    let system = bot.model.requests().pop().unwrap().system();
    assert!(
        system.contains("Project: site (what visitors see); paths are relative to it"),
        "{system}"
    );
    bot.restart().await;
    bot.settles_in().await;
    // What was read counts as text from outside, so that the write is asked about.
    bot.model.calls(writes("new.txt", "hello"));
    bot.model.says("Written.");
    ann.says("write");
    let card = ann.hears_with(Message::asks).await;
    ann.press(&bot.ann, card.id, "Approve").await;
    ann.settles(|message| message.text == "Written.").await;
    assert_eq!(site.content("new.txt").as_deref(), Some("hello"));
    ann.says("/undo");
    ann.hears_with(|message| message.text.contains("removed new.txt"))
        .await;
    assert_eq!(site.content("new.txt"), None);
    let left = asks(&ann, "/project none").await;
    assert_eq!(left, "From now on I work in no project here.");
    asks(&ann, "/new").await;
    does(&bot, &ann, "again", writes("own.txt", "mine")).await;
    assert_eq!(site.content("own.txt"), None);
    let own = std::fs::read_to_string(bot.workspace().join("own.txt")).unwrap();
    assert_eq!(own, "mine");
    bot.assert_clean();
}

async fn a_person_is_shown_only_what_names_them(platform: Platform) {
    let site = Site::new();
    let bot = site.bot(platform, WRITABLE).await;
    let bob = bot.direct_with(&bot.bob);
    let shown = asks(&bob, "/project").await;
    assert_eq!(shown, "There is no project that you can choose.");
    let refused = asks(&bob, "/project site").await;
    assert!(
        refused.contains("There is no project site for you"),
        "{refused}"
    );
    let group = bot.group("Workshop");
    group.says_as(&bot.ann, "/project site");
    let chosen = group.hears().await;
    assert_eq!(chosen.text, "From now on I work in the project site here.");
    // The turn of a person whom it does not name works in the folder of the group.
    bot.model
        .calls(vec![("file_read", json!({"path": "README"}))]);
    bot.model.says("Looked.");
    let as_bob = group.with(&bot.bob);
    as_bob.replies(chosen.id, "what does the README say?");
    as_bob.hears_with(|message| message.text == "Looked.").await;
    let request = bot.model.requests().pop().unwrap();
    let read = request.last_tool_result();
    assert!(!read.contains("the web site"), "{read}");
    assert!(!request.system().contains("site"), "{}", request.system());
    group.says_as(&bot.bob, "/project none");
    let refused = group.hears().await.text;
    assert!(
        refused.starts_with("Only somebody who may use the project"),
        "{refused}"
    );
    bot.assert_clean();
}

/// A person whom a project names may choose it and work in it.
pub async fn who_is_named_may_choose_it(platform: Platform) {
    let site = Site::new();
    let mut settings = WRITABLE.to_vec();
    let bob = platform.accounts(&[BOB]);
    settings.push(("PROJECTS__SITE__PEOPLE", &bob));
    let bot = site.bot(platform, &settings).await;
    let chat = bot.direct_with(&bot.bob);
    let chosen = asks(&chat, "/project site").await;
    assert_eq!(chosen, "From now on I work in the project site here.");
    does(&bot, &chat, "write", writes("new.txt", "by Bob")).await;
    assert_eq!(site.content("new.txt").as_deref(), Some("by Bob"));
    bot.assert_clean();
}

pub async fn a_read_only_project_is_never_changed(platform: Platform) {
    let site = Site::new();
    let bot = site.bot(platform, &[]).await;
    let ann = bot.direct();
    let chosen = asks(&ann, "/project site").await;
    assert!(chosen.ends_with("It is read-only."), "{chosen}");
    let refused = does(&bot, &ann, "write", writes("README", "changed")).await;
    assert!(
        refused.contains("the project `site` is read-only here"),
        "{refused}"
    );
    bot.model
        .calls(vec![("shell", json!({"command": "echo changed > README"}))]);
    bot.model.says("Tried.");
    ann.says("try");
    let card = ann.hears_with(Message::asks).await;
    ann.press(&bot.ann, card.id, "Approve").await;
    ann.settles(|message| message.text == "Tried.").await;
    assert_eq!(site.content("README").as_deref(), Some("the web site\n"));
    let seen = does(
        &bot,
        &ann,
        "look",
        vec![("file_read", json!({"path": "README"}))],
    )
    .await;
    assert!(seen.contains("the web site"), "{seen}");
    bot.assert_clean();
}

async fn what_was_asked_for_a_project_runs_there_also_when_another_is_chosen(platform: Platform) {
    let site = Site::new();
    let mut bot = site.bot(platform, WRITABLE).await;
    bot.set("POLICY__CONFIRM_WRITE", "true");
    bot.restart().await;
    bot.settles_in().await;
    let ann = bot.direct();
    asks(&ann, "/project site").await;
    bot.model.calls(writes("new.txt", "for the site"));
    ann.says("write it");
    let card = ann.hears_with(Message::asks).await;
    ann.says("/project none");
    ann.hears_with(|message| message.text.contains("in no project here"))
        .await;
    bot.model.says("Written.");
    ann.press(&bot.ann, card.id, "Approve").await;
    ann.settles(|message| message.text == "Written.").await;
    assert_eq!(site.content("new.txt").as_deref(), Some("for the site"));
    bot.assert_clean();
}

async fn a_project_that_is_gone_ends_its_turns(platform: Platform) {
    let site = Site::new();
    let bot = site.bot(platform, WRITABLE).await;
    let ann = bot.direct();
    asks(&ann, "/project site").await;
    std::fs::rename(site.path(), site.path().with_extension("away")).unwrap();
    let ended = asks(&ann, "write something").await;
    assert!(
        ended.contains("The project of this conversation is not there any more"),
        "{ended}"
    );
    assert!(!site.path().exists());
    assert!(bot.model.requests().is_empty());
    bot.assert_clean();
}

async fn what_sayso_keeps_stays_readable_beside_a_project(platform: Platform) {
    let site = Site::new();
    let bot = site
        .bot(platform, &[("TOOLS__MAX_OUTPUT_BYTES", "1024")])
        .await;
    std::fs::write(site.path().join("long"), "0123456789\n".repeat(1000)).unwrap();
    let ann = bot.direct();
    asks(&ann, "/project site").await;
    bot.model
        .calls(vec![("shell", json!({"command": "cat long"}))]);
    bot.model.says("Long.");
    ann.says("show it");
    ann.settles(|message| message.text == "Long.").await;
    let kept = std::fs::read_dir(bot.workspace().join(".sayso/output")).unwrap();
    let name = kept.flatten().next().unwrap().file_name();
    let path = format!(".sayso/output/{}", name.to_string_lossy());
    let read = vec![("file_read", json!({"path": path}))];
    let rest = does(&bot, &ann, "rest", read).await;
    assert!(rest.contains("0123456789"), "{rest}");
    assert!(!site.path().join(".sayso").exists());
    bot.assert_clean();
}
