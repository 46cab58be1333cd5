//! Work on the code of a project: patches that a person approves, and what becomes of them whatever
//! happens meanwhile.

use std::path::Path;

use sayso_fakes::{Answer, Gate, Message};
use serde_json::{Value, json};

use super::projects::{Site, WRITABLE};
use crate::bad_input::disk::SmallDisk;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_failing_test_is_found_and_mended_by_one_approved_patch,
    a_patch_that_was_denied_with_a_reason_is_followed_by_another,
    a_patch_of_a_file_that_changed_meanwhile_is_refused_with_what_changed,
    a_file_that_changes_behind_its_card_is_asked_about_anew,
    a_patch_over_three_files_is_whole_after_a_kill_at_any_point,
    of_two_chats_that_patch_one_file_the_second_is_informed,
    each_step_is_taken_back_and_the_turn_as_a_whole,
    a_read_only_project_takes_no_patch,
    a_disk_that_is_full_leaves_every_file_as_it_was,
    long_outputs_of_tests_are_summed_up_and_kept
);

pub(super) const SUMS: &str = "def total(prices):\n    return sum(prices[1:])\n";
pub(super) const TEST_OF_SUMS: &str = "\
import unittest
from sums import total

class Sums(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2, 3]), 6)
";
pub(super) const MENDED: &str = "def total(prices):\n    return sum(prices)\n";
pub(super) const MENDS: &str = "\
*** Update File: sums.py
@@ def total(prices):
-    return sum(prices[1:])
+    return sum(prices)";

/// Returns a call that applies a patch of these lines.
pub(super) fn patch(lines: &str) -> (&'static str, Value) {
    let patch = format!("*** Begin Patch\n{lines}\n*** End Patch\n");
    ("apply_patch", json!({ "patch": patch }))
}

/// Returns a call that reads a file.
pub(super) fn read(path: &str) -> (&'static str, Value) {
    ("read_file", json!({ "path": path }))
}

/// Programs of the system, such as its Python: the sandbox keeps commands out of the home directory.
pub(super) const SYSTEM: (&str, &str) = ("PATH", "/usr/bin:/bin");

/// Returns a call that runs a command.
pub(super) fn runs(command: &str) -> (&'static str, Value) {
    ("run_cmd", json!({ "command": command }))
}

/// Returns a call that runs the tests of Python's unittest.
pub(super) fn runs_tests() -> (&'static str, Value) {
    runs("PYTHONDONTWRITEBYTECODE=1 python3 -m unittest")
}

/// Starts a bot with a project of these files, chosen in the direct chat with Ann.
pub(super) async fn at_work(platform: Platform, files: &[(&str, &str)]) -> (Site, TestBot, Chat) {
    let settings = [("AGENT__ROUTING", "off")];
    at_work_with(platform, files, &settings, &[SYSTEM]).await
}

/// The same with these settings and variables of the environment.
pub(super) async fn at_work_with(
    platform: Platform,
    files: &[(&str, &str)],
    settings: &[(&str, &str)],
    variables: &[(&str, &str)],
) -> (Site, TestBot, Chat) {
    let site = Site::new();
    for (path, content) in files {
        let path = site.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    // What checks say after a change is told in `checks.rs`.
    let checks = [("CHECKS__WHEN", "asked")];
    let settings = [WRITABLE, &checks, settings].concat();
    let mut bot = site.bot(platform, &settings).await;
    bot.set("POLICY__CONFIRM_WRITE", "true");
    for (name, value) in variables {
        bot.set_variable(name, value);
    }
    bot.restart().await;
    let chat = bot.direct();
    chooses(&chat).await;
    (site, bot, chat)
}

/// Chooses the project in a chat.
pub(super) async fn chooses(chat: &Chat) {
    chat.says("/project site");
    chat.hears_with(|message| message.text.contains("in the project site"))
        .await;
}

/// Waits for a card and approves it; returns the card.
pub(super) async fn approves(bot: &TestBot, chat: &Chat) -> Message {
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    card
}

/// Waits for these words of the bot.
pub(super) async fn hears(chat: &Chat, text: &str) {
    chat.settles(|message| message.text == text).await;
}

/// Returns the result of the last call as the model saw it.
pub(super) fn result(bot: &TestBot) -> String {
    bot.model.turn_requests().pop().unwrap().last_tool_result()
}

/// Returns what a file of the project holds.
pub(super) fn content(site: &Site, name: &str) -> String {
    std::fs::read_to_string(site.path().join(name)).unwrap()
}

async fn a_failing_test_is_found_and_mended_by_one_approved_patch(platform: Platform) {
    let files = [("sums.py", SUMS), ("test_sums.py", TEST_OF_SUMS)];
    let (site, bot, chat) = at_work(platform, &files).await;
    bot.model.calls(vec![runs_tests()]);
    bot.model
        .calls(vec![("grep", json!({"pattern": "def total"}))]);
    bot.model.calls(vec![read("sums.py")]);
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.calls(vec![runs_tests()]);
    bot.model
        .says("The first price was left out. Mended, and the tests pass.");
    chat.says("the test of the sums fails, have a look");
    approves(&bot, &chat).await;
    let card = chat
        .hears_with(|message| message.asks() && message.text.contains("sums.py"))
        .await;
    let blocks = chat.code_blocks(card.id);
    insta::allow_duplicates! {
        insta::assert_snapshot!(blocks.join("\n---\n"), @r"
        sums.py +1 -1

        --- sums.py
        +++ sums.py
         def total(prices):
        -    return sum(prices[1:])
        +    return sum(prices)
        ");
    }
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/guides/projects.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    assert!(
        guide.contains(blocks[0].trim_end()),
        "the guide shows another card"
    );
    assert!(guide.contains(SUMS), "the guide shows another file");
    assert_eq!(content(&site, "sums.py"), SUMS, "before the yes");
    chat.press(&bot.ann, card.id, "Approve").await;
    approves(&bot, &chat).await;
    let answer = "The first price was left out. Mended, and the tests pass.";
    hears(&chat, answer).await;
    assert!(guide.contains(answer), "the guide shows another answer");
    assert_eq!(content(&site, "sums.py"), MENDED);
    let requests = bot.model.turn_requests();
    let results = requests.iter().skip(1).map(|it| it.last_tool_result());
    let results: Vec<String> = results.collect();
    assert!(results[0].contains("test_total"), "{results:?}");
    assert!(
        results[1].contains("sums.py\n1: def total(prices):"),
        "{results:?}"
    );
    assert!(results[4].contains("OK"), "{results:?}");
    let offered = requests[0].tools();
    for tool in [
        "apply_patch",
        "write_file",
        "undo_patch",
        "run_cmd",
        "read_file",
        "grep",
    ] {
        assert!(offered.contains(&tool.to_owned()), "{offered:?}");
    }
    for tool in ["shell", "file_read", "file_write"] {
        assert!(!offered.contains(&tool.to_owned()), "{offered:?}");
    }
    bot.assert_clean();
}

async fn a_patch_that_was_denied_with_a_reason_is_followed_by_another(platform: Platform) {
    let (site, bot, chat) = at_work(platform, &[("sums.py", SUMS)]).await;
    let rough = "*** Update File: sums.py\n@@\n-    return sum(prices[1:])\n+    return 6";
    bot.model.calls(vec![patch(rough)]);
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.says("As you wish.");
    chat.says("mend the sums");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Deny and say why").await;
    chat.becomes(card.id, |card| {
        card.text.contains("What should I do instead?")
    })
    .await;
    chat.replies(card.id, "do not cheat, sum them up");
    let second = chat
        .hears_with(|message| message.asks() && message.id != card.id)
        .await;
    assert!(
        result(&bot).contains("do not cheat, sum them up"),
        "{}",
        result(&bot)
    );
    assert_eq!(content(&site, "sums.py"), SUMS);
    chat.press(&bot.ann, second.id, "Approve").await;
    hears(&chat, "As you wish.").await;
    assert_eq!(content(&site, "sums.py"), MENDED);
    bot.assert_clean();
}

async fn a_patch_of_a_file_that_changed_meanwhile_is_refused_with_what_changed(platform: Platform) {
    let (site, bot, chat) = at_work(platform, &[("sums.py", SUMS)]).await;
    bot.model.calls(vec![read("sums.py")]);
    let gate = Gate::new();
    bot.model
        .answers(Answer::calls(vec![patch(MENDS)]).held_by(&gate));
    bot.model.says("You changed it.");
    chat.says("mend the sums");
    gate.reached_by(1).await;
    let by_hand = format!("# mine\n{SUMS}");
    std::fs::write(site.path().join("sums.py"), &by_hand).unwrap();
    gate.open();
    hears(&chat, "You changed it.").await;
    let told = result(&bot);
    assert!(
        told.contains("`sums.py` has changed since you read it"),
        "{told}"
    );
    assert!(told.contains("+# mine"), "{told}");
    assert_eq!(content(&site, "sums.py"), by_hand);
    bot.assert_clean();
}

async fn a_file_that_changes_behind_its_card_is_asked_about_anew(platform: Platform) {
    let (site, bot, chat) = at_work(platform, &[("sums.py", SUMS)]).await;
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.says("Mended.");
    chat.says("mend the sums");
    let card = chat.hears_with(Message::asks).await;
    std::fs::write(site.path().join("sums.py"), format!("# mine\n{SUMS}")).unwrap();
    chat.press(&bot.ann, card.id, "Approve").await;
    let second = chat
        .hears_with(|message| message.asks() && message.id != card.id)
        .await;
    assert!(chat.code_blocks(second.id).join("\n").contains("# mine"));
    assert_eq!(content(&site, "sums.py"), format!("# mine\n{SUMS}"));
    chat.press(&bot.ann, second.id, "Approve").await;
    hears(&chat, "Mended.").await;
    assert_eq!(content(&site, "sums.py"), format!("# mine\n{MENDED}"));
    bot.assert_clean();
}

/// Each file of the patch below before and after it.
const THREE: [(&str, &str, &str); 3] = [
    ("a.txt", "one\n", "1\n"),
    ("b.txt", "two\n", "2\n"),
    ("c.txt", "three\n", "3\n"),
];

fn three() -> (&'static str, Value) {
    let change = |(path, old, new): &(&str, &str, &str)| {
        format!("*** Update File: {path}\n@@\n-{old}+{new}")
    };
    let changes: Vec<String> = THREE.iter().map(change).collect();
    patch(changes.concat().trim_end())
}

async fn a_patch_over_three_files_is_whole_after_a_kill_at_any_point(platform: Platform) {
    let files = THREE.map(|(path, old, _)| (path, old));
    let (site, mut bot, chat) = at_work(platform, &files).await;
    for put_in_place in 0..=THREE.len() {
        for (path, old) in files {
            std::fs::write(site.path().join(path), old).unwrap();
        }
        // What was read and written in the conversation before is not what they are now.
        chat.says("/new");
        chat.hears().await;
        bot.model.calls(vec![three()]);
        let gate = Gate::new();
        bot.model.answers(Answer::text("Lost.").held_by(&gate));
        chat.says(&format!("count, round {put_in_place}"));
        approves(&bot, &chat).await;
        gate.reached_by(1).await;
        bot.kill().await;
        // As if the kill had come between two of its renames.
        bot.write(
            "DELETE FROM journal WHERE kind = 'returned'
             AND turn_id = (SELECT max(turn_id) FROM journal)",
        )
        .await;
        for (at, (path, old, new)) in THREE.into_iter().enumerate() {
            let now = if at < put_in_place { new } else { old };
            std::fs::write(site.path().join(path), now).unwrap();
        }
        let answer = format!("Counted {put_in_place}.");
        bot.model.says(&answer);
        gate.open();
        bot.start();
        bot.settles_in().await;
        hears(&chat, &answer).await;
        for (path, _, new) in THREE {
            assert_eq!(content(&site, path), new, "{path}, {put_in_place}");
        }
        assert!(
            result(&bot).contains("finished after an interruption"),
            "{}",
            result(&bot)
        );
        let left: Vec<String> = hidden(site.path());
        assert_eq!(left, Vec::<String>::new());
    }
    bot.assert_clean();
}

/// Returns what stands in a folder under hidden names.
pub(super) fn hidden(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with('.')).collect()
}

async fn of_two_chats_that_patch_one_file_the_second_is_informed(platform: Platform) {
    let (site, bot, chat) = at_work(platform, &[("sums.py", SUMS)]).await;
    let group = bot.group("Workshop");
    group.says_as(&bot.ann, "/project site");
    group
        .hears_with(|message| message.text.contains("in the project site"))
        .await;
    bot.model.calls(vec![patch(MENDS)]);
    chat.says("mend the sums");
    let own = chat.hears_with(Message::asks).await;
    let other = "*** Update File: sums.py\n@@\n-    return sum(prices[1:])\n+    return 0";
    bot.model.calls(vec![patch(other)]);
    group.says_as(&bot.ann, "@sayso_bot return nothing");
    let of_group = group.hears_with(Message::asks).await;
    bot.model.says("Mended.");
    chat.press(&bot.ann, own.id, "Approve").await;
    hears(&chat, "Mended.").await;
    bot.model.says("It is different by now.");
    group.press(&bot.ann, of_group.id, "Approve").await;
    group
        .hears_with(|message| message.text.contains("It is different by now."))
        .await;
    let told = result(&bot);
    assert!(told.contains("nothing was changed"), "{told}");
    assert_eq!(content(&site, "sums.py"), MENDED);
    bot.assert_clean();
}

async fn each_step_is_taken_back_and_the_turn_as_a_whole(platform: Platform) {
    let (site, bot, chat) = at_work(platform, &[("sums.py", SUMS), ("old.py", "x = 1\n")]).await;
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.calls(vec![patch(
        "*** Delete File: old.py\n*** Add File: new.py\n+y = 2",
    )]);
    bot.model.calls(vec![("undo_patch", json!({}))]);
    bot.model.says("One of two is taken back.");
    chat.says("mend, tidy, and think again");
    for _ in 0..3 {
        approves(&bot, &chat).await;
    }
    hears(&chat, "One of two is taken back.").await;
    assert_eq!(content(&site, "old.py"), "x = 1\n");
    assert!(!site.path().join("new.py").exists());
    assert_eq!(content(&site, "sums.py"), MENDED);
    chat.says("/undo");
    chat.hears_with(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&site, "sums.py"), SUMS);
    assert_eq!(content(&site, "old.py"), "x = 1\n");
    bot.assert_clean();
}

async fn a_read_only_project_takes_no_patch(platform: Platform) {
    let site = Site::new();
    std::fs::write(site.path().join("sums.py"), SUMS).unwrap();
    let bot = site.bot(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    chat.says("/project site");
    chat.hears().await;
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.says("I may only read here.");
    chat.says("mend the sums");
    hears(&chat, "I may only read here.").await;
    assert!(result(&bot).contains("the project `site` is read-only here"));
    assert_eq!(content(&site, "sums.py"), SUMS);
    bot.assert_clean();
}

async fn a_disk_that_is_full_leaves_every_file_as_it_was(platform: Platform) {
    let site = Site::new();
    let Some(_disk) = SmallDisk::mount(&site.path().join("disk")) else {
        // Nothing may be mounted here.
        return;
    };
    std::fs::write(site.path().join("disk/b.txt"), "two\n").unwrap();
    std::fs::write(site.path().join("a.txt"), "one\n").unwrap();
    let settings = [WRITABLE[0], ("AGENT__ROUTING", "off")];
    let bot = site.bot(platform, &settings).await;
    let chat = bot.direct();
    chooses(&chat).await;
    let filler = site.path().join("disk/filler");
    let _ = std::fs::write(&filler, vec![0; 17 * 1024 * 1024]);
    let lines = "*** Update File: a.txt\n@@\n-one\n+1\n*** Update File: disk/b.txt\n@@\n-two\n+2";
    bot.model.calls(vec![patch(lines)]);
    bot.model.says("There is no room.");
    chat.says("write more");
    hears(&chat, "There is no room.").await;
    let told = result(&bot);
    assert!(
        told.contains("nothing was changed: `disk/b.txt`"),
        "{told}\n{}",
        bot.log()
    );
    assert!(told.contains("No space left"), "{told}");
    assert_eq!(content(&site, "a.txt"), "one\n");
    assert_eq!(content(&site, "disk/b.txt"), "two\n");
    assert_eq!(hidden(site.path()), Vec::<String>::new());
    bot.assert_clean();
}

async fn long_outputs_of_tests_are_summed_up_and_kept(platform: Platform) {
    let tests = "import unittest\n\nclass Many(unittest.TestCase):\n".to_owned();
    let cases: Vec<String> = (0..60)
        .map(|number| {
            format!("    def test_case_{number}(self):\n        self.assertEqual({number}, -1)\n")
        })
        .collect();
    let tests = tests + &cases.concat();
    let (_site, bot, chat) = at_work(platform, &[("test_many.py", &tests)]).await;
    bot.model.calls(vec![runs_tests()]);
    bot.model.says("All sixty fail.");
    chat.says("run the tests");
    approves(&bot, &chat).await;
    hears(&chat, "All sixty fail.").await;
    let told = result(&bot);
    assert!(told.contains("60 failed"), "{told}");
    for number in 0..60 {
        assert!(
            told.contains(&format!("test_case_{number}")),
            "{number}: {told}"
        );
    }
    let (_, note) = told.split_once("[summed up: ").unwrap();
    let id = note.split('`').nth(3).unwrap().to_owned();
    bot.model.calls(vec![("read_result", json!({ "id": id }))]);
    bot.model.says("That is all of it.");
    chat.says("show all of it");
    hears(&chat, "That is all of it.").await;
    let whole = result(&bot);
    assert!(whole.contains("[whole output of "), "{whole}");
    assert!(whole.contains("AssertionError: 0 != -1"), "{whole}");
    assert!(whole.contains("go on with `from`"), "{whole}");
    bot.assert_clean();
}
