//! `sayso` on a pseudo-terminal: what reaches the screen, and what is kept of what is typed.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;

use nix::pty::{Winsize, openpty};
use sayso_fakes::{Answer, FakeModel};
use serde_json::json;
use tokio::process::Child;

use crate::command_line::CommandLine;
use crate::test_bot::eventually;

/// A person at a terminal.
struct Terminal {
    here: CommandLine,
    keys: File,
    shown: Arc<Mutex<Vec<u8>>>,
    chat: Child,
}

impl Terminal {
    /// Opens a chat with this model.
    fn open(model: &FakeModel) -> Self {
        Self::open_with(model, &[])
    }

    /// Opens a chat with this model and these variables.
    fn open_with(model: &FakeModel, variables: &[(&str, &str)]) -> Self {
        let mut here = CommandLine::new();
        for (name, value) in variables {
            here.set(name, value);
        }
        for (name, value) in [
            ("TERM", "xterm"),
            ("SAYSO__AGENT__ROUTING", "off"),
            ("SAYSO__PROVIDERS__0__NAME", "fake"),
            ("SAYSO__PROVIDERS__0__KIND", "openai"),
            ("SAYSO__PROVIDERS__0__BASE_URL", &model.url()),
            ("SAYSO__PROVIDERS__0__API_KEY", "sk-canary-of-the-house"),
            ("SAYSO__PROVIDERS__0__MODEL", "fake-1"),
        ] {
            here.set(name, value);
        }
        Self::run(here, &["chat"], 200)
    }

    /// Runs a command at a terminal of this many columns.
    fn run(here: CommandLine, arguments: &[&str], columns: u16) -> Self {
        let size = Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let ends = openpty(Some(&size), None).unwrap();
        let end = || Stdio::from(ends.slave.try_clone().unwrap());
        let mut command = here.command(arguments);
        command.stdin(end()).stdout(end()).stderr(end());
        let chat = command.spawn().unwrap();
        drop(command);
        let keys = File::from(ends.master);
        let shown: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (mut screen, seen) = (keys.try_clone().unwrap(), Arc::clone(&shown));
        // It ends with the last process that has the terminal open.
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read) = screen.read(&mut bytes) {
                seen.lock().unwrap().extend_from_slice(&bytes[..read]);
            }
        });
        Self {
            here,
            keys,
            shown,
            chat,
        }
    }

    /// Types a line.
    fn types(&mut self, line: &str) {
        self.keys.write_all(format!("{line}\r").as_bytes()).unwrap();
    }

    /// Waits until these words are shown, and returns all that was.
    async fn shows(&self, words: &str) -> String {
        eventually(words, || self.shown().contains(words)).await;
        self.shown()
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }

    async fn leave(mut self) -> CommandLine {
        self.chat.kill().await.unwrap();
        self.here
    }
}

/// Asserts that no title, clipboard, erased screen, C1 code, backspace or reversed order was written.
/// The line editor and our own colours have their sequences, all of them others.
fn assert_harmless(shown: &str) {
    for command in [
        "\u{1b}]",
        "\u{1b}[2J",
        "\u{1b}[5m",
        "\u{1b}[6n",
        "\u{1b}[21t",
        "\u{9b}",
        "\u{9d}",
        "\u{8}",
        "\u{202e}",
        "\u{2066}",
    ] {
        assert!(!shown.contains(command), "{command:?} in {shown:?}");
    }
}

#[tokio::test]
async fn r1_an_answer_with_entities_commands_no_terminal() {
    let model = FakeModel::start().await;
    let mut terminal = Terminal::open(&model);
    model.says(
        "ent &#27;]0;PWN1&#7; &#x1b;[2J &#27;]52;c;ZXZpbA==&#7; &#x9b;31m &#8;&#8; &#13;OVER &#x202e;rtl\n\n\
         # head &#27;]0;PWN2&#7;\n\n> quote &#x9d;0;PWN3&#7;\n\n- item &#27;[6n &#27;[21t\n\n\
         | h &#27;[2J | x |\n|--|--|\n| c &#x9b;2J | [l](http://x.example/&#27;[5mX) |\n\n\
         [a](http://x.example/&#27;[5mX) ![i &#x2066;](http://x.example/&#8; \"t &#27;]0;PWN4&#7;\")\n\nthe end",
    );
    terminal.types("hello");
    let shown = terminal.shows("the end").await;
    assert_harmless(&shown);
    assert!(shown.contains("\u{fffd}]0;PWN1\u{fffd}"), "{shown:?}");
    assert!(shown.contains("OVER \u{fffd}rtl"), "{shown:?}");
    terminal.leave().await;
}

#[tokio::test]
async fn r1_a_question_with_entities_commands_no_terminal() {
    let model = FakeModel::start().await;
    let mut terminal = Terminal::open(&model);
    let question = json!({
        "question": "which &#27;]0;PWNQ&#7;&#27;[2J&#x202e; one?",
        "choices": ["left &#27;[5m", "right &#x9b;m"],
    });
    let asking = Answer::text("Two ways &#27;]0;PWNT&#7;.");
    model.answers(asking.and_calls("ask_user", &json!({ "questions": [question] })));
    terminal.types("go");
    let shown = terminal.shows("right").await;
    assert_harmless(&shown);
    assert!(shown.contains("PWNQ"), "{shown:?}");
    terminal.leave().await;
}

#[tokio::test]
async fn r13_keys_that_are_typed_are_no_history() {
    let model = FakeModel::start().await;
    let mut terminal = Terminal::open(&model);
    model.says("First.");
    model.says("Second.");
    let key = ["sk", "proj", "Zx9Qw7Er5Ty3Ui1Op0As8Df6Gh4Jk2Lz"].join("-");
    terminal.types(&format!("my key is {key}"));
    terminal.shows("First.").await;
    terminal.types("and a plain line");
    terminal.shows("Second.").await;
    let here = terminal.leave().await;
    let history = std::fs::read_to_string(here.path("data/terminal-history")).unwrap();
    assert!(history.contains("and a plain line"), "{history}");
    assert!(history.contains("my key is [redacted: "), "{history}");
    assert!(!history.contains("Zx9Qw7"), "{history}");
}

/// Returns how many sequences set a color, bold text or another look.
fn looks(shown: &str) -> usize {
    let sequences = shown.split("\u{1b}[").skip(1);
    let is_number = |letter: char| letter.is_ascii_digit() || letter == ';';
    sequences
        .filter(|rest| rest.trim_start_matches(is_number).starts_with('m'))
        .count()
}

#[tokio::test]
async fn no_color_is_obeyed_by_the_chat_and_by_the_log() {
    for (variable, has_looks) in [("NO_COLOR", false), ("ANOTHER", true)] {
        let model = FakeModel::start().await;
        let variables = [(variable, "1"), ("SAYSO_LOG", "info")];
        let mut terminal = Terminal::open_with(&model, &variables);
        model.says("# A heading\n\n**Bold** words, and the end");
        terminal.types("hello");
        let shown = terminal.shows("and the end").await;
        assert!(shown.contains("INFO"), "the log is shown: {shown:?}");
        let is_plain = |words: &str| {
            shown
                .lines()
                .filter(|it| it.contains(words))
                .map(looks)
                .sum::<usize>()
                == 0
        };
        assert_eq!(looks(&shown) > 0, has_looks, "{shown:?}");
        assert_eq!(!is_plain("INFO"), has_looks, "{shown:?}");
        terminal.leave().await;
    }
}

#[tokio::test]
async fn what_doctor_says_fits_into_the_terminal() {
    const COLUMNS: u16 = 60;
    let mut here = CommandLine::new();
    here.set("TERM", "xterm");
    let terminal = Terminal::run(here, &["doctor"], COLUMNS);
    let shown = terminal.shows("to fix.").await;
    let words = |line: &str| line.split_whitespace().count();
    let wide = shown.lines().map(str::trim_end);
    let wide: Vec<&str> = wide
        .filter(|line| line.chars().count() > usize::from(COLUMNS) && words(line) > 1)
        .collect();
    assert!(wide.is_empty(), "{wide:#?}");
    assert!(shown.lines().count() > 8, "{shown}");
    terminal.leave().await;
}
