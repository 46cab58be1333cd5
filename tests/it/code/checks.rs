//! The checks of what a turn changed in a project, with real tests of Python: receipts, corrections,
//! and what a test command may do to the machine.

use std::path::Path;

use sayso_fakes::Message;
use serde_json::{Value, json};

use super::projects::Site;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    a_fix_passes_at_the_second_correction,
    a_failure_from_before_the_change_is_not_blamed_on_it,
    a_flaky_test_is_run_once_more_and_called_so,
    a_claim_that_the_receipt_contradicts_stands_below_it,
    a_project_without_a_check_says_so,
    a_test_that_never_ends_is_ended_with_what_it_started,
    a_test_that_prints_without_end_or_wants_input_is_bounded,
    a_check_that_was_denied_is_not_claimed,
    a_kill_in_a_check_runs_nothing_twice,
    a_hostile_check_is_asked_about_and_confined,
    a_chat_without_a_project_pays_nothing,
    check_runs_everything_without_a_model,
    with_asked_nothing_runs_by_itself,
    when_the_time_is_used_up_no_further_check_begins,
    the_operator_has_the_last_word
);

const SUMS: &str = "def total(prices):\n    return sum(prices[1:])\n";
const TEST_OF_SUMS: &str = "\
import unittest
from sums import total

class Sums(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2, 3]), 6)
";

fn writes(path: &str, content: &str) -> Vec<(&'static str, Value)> {
    vec![("write_file", json!({"path": path, "content": content}))]
}

/// Returns the call that has `sums.py` add these prices.
fn sums(expression: &str) -> Vec<(&'static str, Value)> {
    let content = format!("def total(prices):\n    return sum({expression})\n");
    writes("sums.py", &content)
}

/// Starts a bot with a project of these files, chosen in the direct chat with Ann.
async fn at_work(
    platform: Platform,
    files: &[(&str, &str)],
    settings: &[(&str, &str)],
) -> (Site, TestBot, Chat) {
    let site = Site::new();
    for (path, content) in files {
        std::fs::write(site.path().join(path), content).unwrap();
    }
    let ours = [("PROJECTS__SITE__WRITE", "true"), ("AGENT__ROUTING", "off")];
    let settings = [&ours, settings].concat();
    let mut bot = site.bot(platform, &settings).await;
    // A Python of the system: the sandbox keeps commands out of the home directory.
    bot.set_variable("PATH", "/usr/bin:/bin");
    bot.restart().await;
    let chat = bot.direct();
    chat.says("/project site");
    chat.hears_with(|message| message.text.contains("in the project site"))
        .await;
    (site, bot, chat)
}

const ALWAYS: &str = "Always this exact command";

/// Says something and approves whatever is asked about, checks for good, until the bot answers with a
/// receipt; returns the answer.
async fn asks(bot: &TestBot, chat: &Chat, text: &str) -> String {
    chat.says(text);
    goes_on(bot, chat).await
}

async fn goes_on(bot: &TestBot, chat: &Chat) -> String {
    loop {
        let message = chat
            .hears_with(|message| message.asks() || has_receipt(message))
            .await;
        if !message.asks() {
            return message.text;
        }
        let label = if message.button(ALWAYS).is_some() {
            ALWAYS
        } else {
            "Approve"
        };
        chat.press(&bot.ann, message.id, label).await;
    }
}

fn has_receipt(message: &Message) -> bool {
    ["✔", "✘", "– not checked"]
        .iter()
        .any(|sign| message.text.lines().any(|line| line.starts_with(sign)))
        && !message.text.starts_with("✘ Not")
}

/// Returns the line of the receipt.
fn receipt(answer: &str) -> &str {
    let mut lines = answer.lines();
    let found = lines.find(|line| ["✔", "✘", "–"].iter().any(|it| line.starts_with(it)));
    found.unwrap_or_default()
}

async fn a_fix_passes_at_the_second_correction(platform: Platform) {
    let files = [("sums.py", SUMS), ("test_sums.py", TEST_OF_SUMS)];
    let (site, bot, chat) = at_work(platform, &files, &[]).await;
    for (expression, words) in [
        ("prices[2:]", "Corrected."),
        ("prices[:1]", "Now it is right."),
        ("prices", "The whole list is added up now."),
    ] {
        bot.model.calls(sums(expression));
        bot.model.says(words);
    }
    let answer = asks(&bot, &chat, "the sums are wrong").await;
    assert!(
        answer.starts_with("The whole list is added up now."),
        "{answer}"
    );
    assert!(receipt(&answer).starts_with("✔ 1 test ("), "{answer}");
    let written = std::fs::read_to_string(site.path().join("sums.py")).unwrap();
    assert!(written.contains("sum(prices)"), "{written}");
    let requests = bot.model.turn_requests();
    let last = format!("{:?}", requests.last().unwrap());
    for words in ["Correction 1 of 2", "Correction 2 of 2", "3 != 6"] {
        assert!(last.contains(words), "{words}: {last}");
    }
    bot.assert_clean();
}

async fn a_failure_from_before_the_change_is_not_blamed_on_it(platform: Platform) {
    let files = [("sums.py", SUMS), ("test_sums.py", TEST_OF_SUMS)];
    let (_site, bot, chat) = at_work(platform, &files, &[]).await;
    bot.model.calls(writes("names.py", "NAMES = []\n"));
    bot.model.says("The names have a file of their own.");
    let answer = asks(&bot, &chat, "add a file for names").await;
    assert!(
        receipt(&answer).ends_with("test_total; it was so before the change"),
        "{answer}"
    );
    assert_eq!(bot.model.turn_requests().len(), 2, "nothing was corrected");
    bot.assert_clean();
}

async fn a_flaky_test_is_run_once_more_and_called_so(platform: Platform) {
    let test = "\
import os
import unittest

class Luck(unittest.TestCase):
    def test_luck(self):
        was_there = os.path.exists('ran')
        open('ran', 'w').close()
        self.assertTrue(was_there)
";
    let (_site, bot, chat) = at_work(platform, &[("test_luck.py", test)], &[]).await;
    bot.model.calls(writes("names.py", "NAMES = []\n"));
    bot.model.says("Added.");
    let answer = asks(&bot, &chat, "add a file for names").await;
    let receipt = receipt(&answer);
    assert!(receipt.starts_with("✔ 1 test ("), "{answer}");
    assert!(receipt.ends_with("; flaky: test_luck"), "{answer}");
    bot.assert_clean();
}

pub async fn a_claim_that_the_receipt_contradicts_stands_below_it(platform: Platform) {
    let files = [("sums.py", SUMS), ("test_sums.py", TEST_OF_SUMS)];
    let none = [("CHECKS__MAX_CORRECTIONS", "0")];
    let (_site, bot, chat) = at_work(platform, &files, &none).await;
    bot.model.calls(sums("prices[2:]"));
    bot.model.says("Fixed, and all tests pass.");
    let answer = asks(&bot, &chat, "the sums are wrong").await;
    assert!(
        answer.starts_with("✘ 1 of 1 tests fail: test_total\n"),
        "{answer}"
    );
    assert!(answer.ends_with("Fixed, and all tests pass."), "{answer}");
    bot.assert_clean();
}

async fn a_project_without_a_check_says_so(platform: Platform) {
    let (_site, bot, chat) = at_work(platform, &[], &[]).await;
    bot.model.calls(writes("notes.txt", "hello\n"));
    bot.model.says("Written.");
    let answer = asks(&bot, &chat, "write it down").await;
    let expected = "– not checked: no check of this project is known";
    assert_eq!(receipt(&answer), expected);
    bot.assert_clean();
}

pub async fn a_test_that_never_ends_is_ended_with_what_it_started(platform: Platform) {
    let test = "\
import subprocess
import unittest

class Endless(unittest.TestCase):
    def test_endless(self):
        subprocess.Popen(['sleep', '86399'], start_new_session=True)
        while True:
            pass
";
    let short = [("CHECKS__TIMEOUT_SECS", "2")];
    let (_site, bot, chat) = at_work(platform, &[("test_endless.py", test)], &short).await;
    bot.model.calls(writes("names.py", "NAMES = []\n"));
    bot.model.says("Added.");
    let answer = asks(&bot, &chat, "add a file for names").await;
    assert_eq!(receipt(&answer), "✘ tests: not done in time, and ended");
    eventually("what the test started has ended", || !runs("86399")).await;
    bot.assert_clean();
}

/// Returns whether a process runs that has this word among its arguments.
fn runs(word: &str) -> bool {
    let processes = Path::new("/proc").read_dir().unwrap().flatten();
    let lines = processes.filter_map(|it| std::fs::read(it.path().join("cmdline")).ok());
    let mut lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.any(|line| line.starts_with("sleep\0") && line.contains(word))
}

async fn a_test_that_prints_without_end_or_wants_input_is_bounded(platform: Platform) {
    let test = "\
import unittest

class Loud(unittest.TestCase):
    def test_asks(self):
        input('name? ')

    def test_loud(self):
        while True:
            print('x' * 100_000)
";
    let short = [("CHECKS__TIMEOUT_SECS", "2")];
    let (_site, bot, chat) = at_work(platform, &[("test_loud.py", test)], &short).await;
    bot.model.calls(writes("names.py", "NAMES = []\n"));
    bot.model.says("Added.");
    let answer = asks(&bot, &chat, "add a file for names").await;
    assert!(receipt(&answer).starts_with("✘ tests: "), "{answer}");
    bot.assert_clean();
}

async fn a_check_that_was_denied_is_not_claimed(platform: Platform) {
    let files = [("sums.py", SUMS), ("test_sums.py", TEST_OF_SUMS)];
    let (_site, bot, chat) = at_work(platform, &files, &[]).await;
    bot.model.calls(sums("prices"));
    bot.model.says("Done.");
    chat.says("the sums are wrong");
    let card = chat
        .hears_with(|message| message.asks() && message.text.contains("unittest"))
        .await;
    chat.press(&bot.ann, card.id, "Deny").await;
    let answer = chat.settles(has_receipt).await.text;
    assert_eq!(answer, "Done.\n\n– not checked: tests did not run");
    bot.assert_clean();
}

async fn a_kill_in_a_check_runs_nothing_twice(platform: Platform) {
    let test = "\
import time
import unittest

class Slow(unittest.TestCase):
    def test_slow(self):
        with open('runs', 'a') as runs:
            runs.write('x')
        time.sleep(600)
";
    let (site, mut bot, chat) = at_work(platform, &[("test_slow.py", test)], &[]).await;
    bot.model.calls(writes("names.py", "NAMES = []\n"));
    bot.model.says("Added.");
    chat.says("add a file for names");
    let card = chat
        .hears_with(|message| message.asks() && message.text.contains("unittest"))
        .await;
    chat.press(&bot.ann, card.id, ALWAYS).await;
    let counted = || std::fs::read_to_string(site.path().join("runs")).unwrap_or_default();
    eventually("the test runs", || !counted().is_empty()).await;
    bot.kill().await;
    bot.start();
    let answer = chat.settles(has_receipt).await.text;
    assert_eq!(receipt(&answer), "– not checked: tests did not run");
    assert_eq!(counted(), "x");
    bot.assert_clean();
}

async fn a_hostile_check_is_asked_about_and_confined(platform: Platform) {
    let makefile = "test:\n\ttouch ran\n\ttouch ../outside\n";
    let (site, bot, chat) = at_work(platform, &[("Makefile", makefile)], &[]).await;
    let outside = site.path().join("../outside");
    bot.model.calls(writes("names.txt", "x\n"));
    bot.model.says("Added.");
    chat.says("add a file for names");
    let card = chat
        .hears_with(|message| message.asks() && message.text.contains("make test"))
        .await;
    let shown = card.to_string();
    assert!(
        shown.contains("Only in your folder, no internet"),
        "{shown}"
    );
    assert!(!site.path().join("ran").exists(), "before the yes");
    chat.press(&bot.ann, card.id, "Approve").await;
    let answer = goes_on(&bot, &chat).await;
    assert!(receipt(&answer).starts_with("✘ tests"), "{answer}");
    assert!(!outside.exists(), "it reached out of the project");
    bot.assert_clean();
}

async fn a_chat_without_a_project_pays_nothing(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[("AGENT__ROUTING", "off")]).await;
    bot.set("POLICY__CONFIRM_WRITE", "false");
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "file_write",
        json!({"path": "a.txt", "content": "x"}),
    )]);
    bot.model.says("Written.");
    chat.says("write it down");
    chat.settles(|message| message.text == "Written.").await;
    let request = bot.model.requests().pop().unwrap();
    assert!(!request.tools().contains(&"run_checks".to_owned()));
    assert!(
        !request.system().contains("run_checks"),
        "{}",
        request.system()
    );
    bot.assert_clean();
}

async fn check_runs_everything_without_a_model(platform: Platform) {
    let makefile = "test:\n\t@echo fine\nlint:\n\t@echo fine\n";
    let (_site, bot, chat) = at_work(platform, &[("Makefile", makefile)], &[]).await;
    let answer = asks(&bot, &chat, "/check").await;
    assert!(answer.starts_with("✔ tests, lint ("), "{answer}");
    assert_eq!(bot.model.requests().len(), 0);
    chat.says("/project none");
    chat.hears_with(|message| message.text.contains("no project here"))
        .await;
    chat.says("/check");
    chat.hears_with(|message| message.text.contains("Choose one with /project"))
        .await;
    bot.assert_clean();
}

pub async fn with_asked_nothing_runs_by_itself(platform: Platform) {
    let files = [("sums.py", SUMS), ("test_sums.py", TEST_OF_SUMS)];
    let asked = [("CHECKS__WHEN", "asked")];
    let (_site, bot, chat) = at_work(platform, &files, &asked).await;
    bot.model.calls(writes("names.py", "NAMES = []\n"));
    bot.model.says("Added.");
    chat.says("add a file for names");
    chat.settles(|message| message.text == "Added.").await;
    let offered = bot.model.turn_requests().pop().unwrap().tools();
    assert!(offered.contains(&"run_checks".to_owned()), "{offered:?}");
    bot.assert_clean();
}

pub async fn when_the_time_is_used_up_no_further_check_begins(platform: Platform) {
    let settings = [
        ("CHECKS__BUDGET_SECS", "1"),
        (
            "PROJECTS__SITE__CHECKS",
            r#"["lint=sleep 1.2", "tests=make test"]"#,
        ),
    ];
    let (_site, bot, chat) = at_work(platform, &[], &settings).await;
    bot.model.calls(writes("names.py", "NAMES = []\n"));
    bot.model.says("Added.");
    let answer = asks(&bot, &chat, "add a file for names").await;
    assert!(receipt(&answer).starts_with("✔ lint ("), "{answer}");
    assert!(receipt(&answer).ends_with("; not run: tests"), "{answer}");
    bot.assert_clean();
}

pub async fn the_operator_has_the_last_word(platform: Platform) {
    let files = [(
        "Makefile",
        "test:\n\tfalse\nlint:\n\tfalse\nmine:\n\ttrue\n",
    )];
    let checks = r#"["tests=make mine", "lint="]"#;
    let settings = [("PROJECTS__SITE__CHECKS", checks)];
    let (_site, bot, chat) = at_work(platform, &files, &settings).await;
    let answer = asks(&bot, &chat, "/check").await;
    assert!(answer.starts_with("✔ tests ("), "{answer}");
    bot.assert_clean();
}
