//! What strangers see first: the transcript of the README and the picture of two chats. Both are
//! made of what Sayso says; a test fails when they show anything else.
//!
//! `SAYSO_WRITE_BOOK=1 cargo test --test it pictures` draws the picture anew.

mod draw;
mod spans;

use std::path::{Path, PathBuf};

use sayso_fakes::Message;

use self::draw::Theme;
use crate::command_line::CommandLine;
use crate::platform::Platform;
use crate::stage::{Spoken, Stage};

/// The picture in the colours of a theme, from the root of the repository.
fn picture(theme: Theme) -> PathBuf {
    let name = match theme {
        Theme::Light => "chats-light.svg",
        Theme::Dark => "chats-dark.svg",
    };
    Path::new("docs/src/images").join(name)
}

/// Has the owner say lines of the tour on a platform, and returns what then stands in the chat.
async fn conversation(platform: Platform) -> Vec<Message> {
    let settings = [("PROVIDERS__0__KIND", "offline")];
    let mut stage = Stage::open(platform, Spoken::English, &settings).await;
    stage.says("remember that my favourite tea is oolong", "");
    stage.reads("I keep that in mind", "").await;
    stage.rests().await;
    stage.says("run mkdir -v hello-from-the-shell", "");
    let card = stage.card().await;
    stage.presses(card.id, "Approve", "").await;
    stage.reads("created directory", "").await;
    stage.rests().await;
    stage.says("run rm -rf important-directory", "");
    stage.card().await;
    stage.rests().await;
    let mut messages = stage.chat.messages();
    messages.retain(|message| !message.deleted);
    for message in &mut messages {
        if let Some(markdown) = stage.chat.markdown_of(message.id) {
            message.text = markdown;
        }
    }
    messages
}

#[tokio::test]
async fn picture_shows_what_the_bot_says() {
    let telegram = conversation(Platform::Telegram).await;
    let discord = conversation(Platform::Discord).await;
    for theme in [Theme::Light, Theme::Dark] {
        let drawn = draw::chats(&telegram, &discord, theme);
        let path = picture(theme);
        if std::env::var_os("SAYSO_WRITE_BOOK").is_some() {
            std::fs::create_dir_all("docs/src/images").unwrap();
            std::fs::write(&path, &drawn).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "{} is stale: SAYSO_WRITE_BOOK=1 cargo test --test it pictures",
            path.display()
        );
    }
}

#[tokio::test]
async fn transcript_of_the_readme_is_what_the_tour_says() {
    let mut here = CommandLine::new();
    here.set("LANG", "en_US.UTF-8");
    let ran = here.run(&["demo"], "").await;
    let readme = std::fs::read_to_string("README.md").unwrap();
    let (_, rest) = readme.split_once("```text\n").unwrap();
    let (transcript, _) = rest.split_once("```").unwrap();
    assert!(transcript.lines().count() > 5, "{transcript}");
    assert!(ran.out.contains(transcript), "{transcript}\n{}", ran.out);
}
