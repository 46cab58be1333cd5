//! `sayso init` at a terminal: secrets are not shown while they are typed.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::Stdio;

use nix::pty::openpty;
use tokio::io::AsyncReadExt as _;
use tokio::process::ChildStdout;
use tokio::time::timeout;

use crate::command_line::CommandLine;
use crate::test_bot::PATIENCE;

/// Reads what is asked until it holds these words.
async fn asked(questions: &mut ChildStdout, words: &str) {
    let mut seen = Vec::new();
    let until = async {
        while !String::from_utf8_lossy(&seen).contains(words) {
            assert!(questions.read_buf(&mut seen).await.unwrap() > 0);
        }
    };
    let is_asked = timeout(PATIENCE, until).await.is_ok();
    assert!(is_asked, "not asked: {}", String::from_utf8_lossy(&seen));
}

/// Reads what a terminal showed; its other end is closed, which reads as an error.
fn shown(mut terminal: File) -> String {
    let mut shown = Vec::new();
    let _ = terminal.read_to_end(&mut shown);
    String::from_utf8(shown).unwrap()
}

#[tokio::test]
async fn secrets_that_are_typed_are_not_shown_and_the_rest_is() {
    let here = CommandLine::new();
    let terminal = openpty(None, None).unwrap();
    let mut command = here.command(&["init"]);
    command.stdin(Stdio::from(terminal.slave));
    let mut init = command.spawn().unwrap();
    drop(command);
    let mut keys = File::from(terminal.master);
    let mut questions = init.stdout.take().unwrap();
    for (question, answer) in [
        ("Token (what you type is not shown): ", "123:TYPED-TOKEN\n"),
        ("Your Telegram number", "4242\n"),
        // The next one is Discord's.
        (
            "Token (what you type is not shown): ",
            "TYPED.TOKEN.OF-DISCORD\n",
        ),
        ("Your Discord", "678\n"),
        ("Service (name or number)", "openai\n"),
        ("[https://api.openai.com/v1]: ", "http://127.0.0.1:9/v1\n"),
        ("(what you type is not shown): ", "sk-TYPED-KEY\n"),
        ("[gpt-4o-mini]: ", "tiny\n"),
    ] {
        asked(&mut questions, question).await;
        keys.write_all(answer.as_bytes()).unwrap();
    }
    asked(&mut questions, "local/share/sayso]: ").await;
    init.kill().await.unwrap();
    let shown = shown(keys);
    assert!(shown.contains("4242") && shown.contains("tiny"), "{shown}");
    assert!(!shown.contains("TYPED"), "{shown}");
}
