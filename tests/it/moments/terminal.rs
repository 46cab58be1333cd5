//! Start, `doctor`, `init` and the terminal chat.

use std::fmt::Write as _;

use sayso_fakes::{FakeModel, FakeTelegram};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use super::PAGES;
use crate::command_line::{CommandLine, Ran};
use crate::stage::{Spoken, compares};
use crate::test_bot::PATIENCE;

/// Nothing listens here.
const CLOSED: &str = "http://127.0.0.1:9";

/// A command line, and the page of what it printed.
struct Terminal {
    here: CommandLine,
    page: String,
    /// What differs from run to run, and what stands for it on the page.
    masks: Vec<(String, &'static str)>,
}

impl Terminal {
    /// A command line in a terminal of this language, with a bot on Telegram and a model.
    fn new(spoken: Spoken, telegram: &FakeTelegram, model: &FakeModel) -> Self {
        let mut here = CommandLine::new();
        here.set("LANG", spoken.pick("C.UTF-8", "zh_CN.UTF-8"));
        for (key, value) in [
            ("CHANNELS__TELEGRAM__TOKEN", telegram.token()),
            ("CHANNELS__TELEGRAM__API_URL", &telegram.url()),
            ("PROVIDERS__0__MODEL", "tiny"),
            ("PROVIDERS__0__API_KEY", "sk-1"),
            ("PROVIDERS__0__BASE_URL", &model.url()),
            ("ACCESS__OWNERS", "telegram:101"),
        ] {
            here.set(&format!("SAYSO__{key}"), value);
        }
        Self {
            here,
            page: String::new(),
            masks: vec![(telegram.url(), "TELEGRAM"), (model.url(), "MODEL")],
        }
    }

    async fn keeps(&mut self, number: u8, name: &str, arguments: &[&str], input: &str) {
        let ran = self.here.run(arguments, input).await;
        self.writes(number, name, &ran);
    }

    fn writes(&mut self, number: u8, name: &str, ran: &Ran) {
        let mut text = format!("{}{}", ran.out, ran.err);
        for (differs, stands_as) in &self.masks {
            text = text.replace(differs, stands_as);
        }
        // What the kernel and the disk of this machine can do is no moment.
        let of_machine = ["sandbox:", "沙箱：", "disk:", "磁盘："];
        let lines = text
            .lines()
            .filter(|line| !of_machine.iter().any(|begins| line.contains(begins)));
        let text = lines.collect::<Vec<_>>().join("\n");
        let code = ran
            .code
            .map_or("a signal".to_owned(), |code| code.to_string());
        let text = text.trim_end();
        let _ = writeln!(
            self.page,
            "## {number} {name}\n{text}\n(exit code {code})\n"
        );
    }
}

/// Starts Sayso and returns what it prints first, until it says that it is up.
async fn started(terminal: &Terminal) -> (tokio::process::Child, String) {
    let mut child = terminal.here.command(&[]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = tokio::time::timeout(PATIENCE, lines.next_line()).await;
    let line = line.unwrap().unwrap().unwrap();
    (child, line)
}

#[tokio::test]
async fn the_command_line_reads_well() {
    for spoken in Spoken::BOTH {
        let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
        let mut terminal = Terminal::new(spoken, &telegram, &model);
        terminal.keeps(69, "the commands", &["--help"], "").await;
        let (mut running, banner) = started(&terminal).await;
        let _ = writeln!(terminal.page, "## 62 start\n{banner}\n");
        let pid = running.id().unwrap().to_string();
        terminal.masks.push((pid, "PID"));
        telegram.waits_for_calls("getUpdates", 1).await;
        terminal
            .keeps(64, "doctor beside a running bot", &["doctor"], "")
            .await;
        running.kill().await.unwrap();
        terminal
            .here
            .set("SAYSO__CHANNELS__TELEGRAM__TOKEN", "1:wrong");
        terminal.keeps(63, "a wrong token", &[], "").await;
        terminal
            .here
            .set("SAYSO__CHANNELS__TELEGRAM__API_URL", CLOSED);
        terminal
            .keeps(67, "doctor without a network", &["doctor"], "")
            .await;
        let name = format!(
            "command-line.terminal.{}",
            spoken.pick("english", "chinese")
        );
        compares(PAGES, &name, &terminal.page);
    }
}

#[tokio::test]
async fn a_guide_and_a_chat_without_a_model_read_well() {
    for spoken in Spoken::BOTH {
        let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
        let mut terminal = Terminal::new(spoken, &telegram, &model);
        let mut here = CommandLine::new();
        here.set("LANG", spoken.pick("C.UTF-8", "zh_CN.UTF-8"));
        here.set("SAYSO__CHANNELS__TELEGRAM__API_URL", &telegram.url());
        terminal.here = here;
        let token = telegram.token();
        let owner = format!("{token}\n@ann\n\n\n");
        terminal
            .keeps(
                65,
                "init: a name where a number is wanted",
                &["init"],
                &owner,
            )
            .await;
        // A file is there since the last time.
        let kind = format!("yes\n{token}\n101\n\ngpt-4o\n");
        terminal
            .keeps(
                66,
                "init: a model where a service is wanted",
                &["init"],
                &kind,
            )
            .await;
        terminal.here = CommandLine::new();
        terminal
            .here
            .set("LANG", spoken.pick("C.UTF-8", "zh_CN.UTF-8"));
        let said = spoken.pick("hello\ndo it\n", "你好\n做吧\n");
        terminal
            .keeps(68, "the chat without a model", &["chat"], said)
            .await;
        let name = format!("first-steps.terminal.{}", spoken.pick("english", "chinese"));
        compares(PAGES, &name, &terminal.page);
    }
}
