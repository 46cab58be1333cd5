//! What may change between the card and the press, and what runs then.

use std::path::{Path, PathBuf};

use sayso_fakes::Message;

use super::{DECIDED, asks, closed, group, hears, is_open_card, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    a_yes_before_a_restart_in_read_only_runs_nothing,
    a_yes_after_the_owner_lowered_the_level_runs_nothing,
    a_script_that_changed_on_disk_is_asked_about_anew,
    a_script_that_an_approved_call_changes_is_asked_about_anew,
    an_approval_is_good_for_one_call,
    a_card_that_expires_while_nothing_runs_is_closed_at_the_next_start,
    s3_whatever_a_command_may_run_is_bound_however_it_is_spelled,
    s3_what_did_not_change_runs_with_one_press,
    s3_a_yes_after_a_restart_is_for_the_files_that_were_shown,
    s3_a_change_by_somebody_else_in_a_group_is_asked_about_anew
);

/// The tool result when the level no longer lets the model run anything.
const READ_ONLY: &str = "result: [failed] not run: the autonomy level is `read_only`";

async fn a_yes_before_a_restart_in_read_only_runs_nothing(platform: Platform) {
    let mut bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    bot.set("AGENT__AUTONOMY", "read_only");
    bot.restart().await;
    let told = chat.press(&bot.ann, card.id, "Approve").await;
    assert_eq!(told.text.as_deref(), platform.echo("Approved."));
    hears(&chat, &READ_ONLY.replace('`', "")).await;
    closed(&chat, card.id).await;
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn a_yes_after_the_owner_lowered_the_level_runs_nothing(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let (once, always) = (asks(&bot, &chat, "a").await, asks(&bot, &chat, "b").await);
    chat.says("/autonomy read_only");
    hears(&chat, "I only look, and change nothing.").await;
    chat.press(&bot.ann, once.id, "Approve").await;
    chat.press(&bot.ann, always.id, "Always this exact command")
        .await;
    let refused = READ_ONLY.replace('`', "");
    let both = |messages: &[Message]| {
        messages
            .iter()
            .filter(|message| message.text.starts_with(&refused))
            .count()
            == 2
    };
    chat.sees(both).await;
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn a_script_that_changed_on_disk_is_asked_about_anew(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    chat.says("hello");
    hears(&chat, "ok: hello").await;
    let script = bot.workspace().join("script.sh");
    let says = |word: &str| format!("echo {word} >> word");
    let word = bot.workspace().join("word");
    std::fs::write(&script, says("shown")).unwrap();
    chat.says("run: sh ./script.sh");
    let first = chat.settles(is_open_card).await;
    std::fs::write(&script, says("changed")).unwrap();
    chat.press(&bot.ann, first.id, "Approve").await;
    let second = chat
        .settles(|card| is_open_card(card) && card.id != first.id)
        .await;
    assert!(second.text.contains("changed since"), "{second}");
    assert!(!word.exists(), "the first yes was for another script");
    // Nor does the first yes come back to life when the script does.
    std::fs::write(&script, says("shown")).unwrap();
    chat.press(&bot.ann, second.id, "Approve").await;
    let third = chat
        .settles(|card| is_open_card(card) && ![first.id, second.id].contains(&card.id))
        .await;
    assert!(!word.exists());
    chat.press(&bot.ann, third.id, "Approve").await;
    hears(&chat, "result: (no output)").await;
    assert_eq!(std::fs::read_to_string(word).unwrap(), "shown\n");
    bot.assert_clean();
}

async fn a_script_that_an_approved_call_changes_is_asked_about_anew(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    chat.says("hello");
    hears(&chat, "ok: hello").await;
    std::fs::write(bot.workspace().join("script.sh"), "true").unwrap();
    let evil = "echo touch mark-evil > script.sh";
    chat.says(&format!("run: {evil} ;; sh script.sh"));
    let card = chat.settles(is_open_card).await;
    chat.press(&bot.ann, card.id, "Approve all").await;
    let anew = chat
        .settles(|it| is_open_card(it) && it.id != card.id)
        .await;
    assert!(anew.text.contains("sh script.sh"), "{anew}");
    assert!(
        !anew.text.contains("evil"),
        "only the changed call is asked about: {anew}"
    );
    chat.press(&bot.ann, anew.id, "Deny").await;
    hears(&chat, "result: [failed] not run").await;
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn an_approval_is_good_for_one_call(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let first = asks(&bot, &chat, "a").await;
    chat.press(&bot.ann, first.id, "Approve").await;
    hears(&chat, "result: ").await;
    let second = asks(&bot, &chat, "a").await;
    assert_ne!(second.id, first.id);
    chat.press(&bot.ann, second.id, "Deny").await;
    hears(&chat, "result: [failed] not run").await;
    assert_eq!(marks(&bot), ["a"]);
    let told = chat
        .press_token(&bot.ann, second.id, &first.token("Approve"))
        .await;
    assert_eq!(told.text.as_deref(), Some(DECIDED));
    assert!(!chat.messages().iter().any(is_open_card));
    bot.assert_clean();
}

async fn a_card_that_expires_while_nothing_runs_is_closed_at_the_next_start(platform: Platform) {
    let mut bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    // What is said next waits until it is known that the card arrived, and as which message.
    chat.says("/whoami");
    hears(&chat, "You are ").await;
    bot.kill().await;
    bot.write("UPDATE cards SET expires_ms = 1").await;
    bot.start();
    bot.listens().await;
    let expired = closed(&chat, card.id).await;
    assert!(expired.text.starts_with("⌛ Not run"), "{expired}");
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

/// Commands that run a file of the workspace, and that file.
const RUNNING: [(&str, &str); 24] = [
    ("sh build.sh", "build.sh"),
    ("sh sub/build.sh", "sub/build.sh"),
    ("cd sub && sh run.sh", "sub/run.sh"),
    ("cd sub; . ./run2.sh", "sub/run2.sh"),
    ("sh ~/h.sh", "h.sh"),
    ("sh $HOME/h2.sh", "h2.sh"),
    ("sh \"$PWD/h3.sh\"", "h3.sh"),
    ("sh g*.sh", "g1.sh"),
    ("sh q'uot'e.sh", "quote.sh"),
    ("sh esc\\ape.sh", "escape.sh"),
    ("x=va; sh ${x}r.sh", "var.sh"),
    ("sh l\\\nine.sh", "line.sh"),
    ("find sub -name f1.sh -exec sh {} \\;", "sub/f1.sh"),
    ("cat sub/*.txt | sh", "sub/p.txt"),
    ("env -C sub sh e.sh", "sub/e.sh"),
    ("sh outer.sh", "inner.sh"),
    ("for f in loop/*; do sh $f; done", "loop/1.sh"),
    ("sh $(ls | grep named)", "named.sh"),
    ("ls li*t.sh | xargs sh", "list.sh"),
    ("sh -c 'cd deep && sh ./d.sh'", "deep/d.sh"),
    ("cd sub && cd ../deep && . ./e.sh", "deep/e.sh"),
    ("ln -sf linked.sh now.sh; sh now.sh", "linked.sh"),
    ("cp source.sh copy.sh && sh copy.sh", "source.sh"),
    ("sh many/*; sh last.sh", "last.sh"),
];

/// Puts a script there that says a word when it runs.
fn says_word(workspace: &Path, script: &str, word: &str) {
    let path = workspace.join(script);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, format!("echo {word} >> \"$HOME/said\"\n")).unwrap();
}

fn prepare(workspace: &Path) {
    for (_, script) in RUNNING {
        says_word(workspace, script, "shown");
    }
    std::fs::write(workspace.join("outer.sh"), ". ./inner.sh\n").unwrap();
    std::fs::create_dir(workspace.join("many")).unwrap();
    for number in 0..70 {
        std::fs::write(workspace.join(format!("many/{number}.sh")), "true\n").unwrap();
    }
}

/// Returns what scripts said since the last look.
fn said(workspace: &Path) -> String {
    let path = workspace.join("said");
    let said = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    said
}

/// Waits until this many turns have answered.
async fn answered(chat: &Chat, count: usize) {
    let is_answer = |message: &&Message| message.text.contains("result: ") && !message.is_live();
    chat.sees(|messages| messages.iter().filter(is_answer).count() == count)
        .await;
}

/// Opens the workspace of a chat with the bot.
async fn opened(bot: &TestBot, chat: &Chat) -> PathBuf {
    chat.says("hello");
    hears(chat, "ok: hello").await;
    let workspace = bot.workspace();
    prepare(&workspace);
    workspace
}

async fn s3_whatever_a_command_may_run_is_bound_however_it_is_spelled(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let workspace = opened(&bot, &chat).await;
    for (index, (command, script)) in RUNNING.into_iter().enumerate() {
        chat.says(&format!("run: {command}"));
        let shown = chat.settles(is_open_card).await;
        says_word(&workspace, script, "changed");
        chat.press(&bot.ann, shown.id, "Approve").await;
        let anew = chat
            .settles(|card| is_open_card(card) && card.id != shown.id)
            .await;
        assert_eq!(said(&workspace), "", "{command}");
        assert!(anew.text.contains("changed since"), "{command}: {anew}");
        chat.press(&bot.ann, anew.id, "Approve").await;
        answered(&chat, index + 1).await;
        closed(&chat, shown.id).await;
        closed(&chat, anew.id).await;
        assert_eq!(said(&workspace), "changed\n", "{command}");
    }
    bot.assert_clean();
}

async fn s3_what_did_not_change_runs_with_one_press(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let workspace = opened(&bot, &chat).await;
    for (index, (command, _)) in RUNNING.into_iter().enumerate() {
        chat.says(&format!("run: {command}"));
        let card = chat.settles(is_open_card).await;
        chat.press(&bot.ann, card.id, "Approve").await;
        answered(&chat, index + 1).await;
        closed(&chat, card.id).await;
        assert_eq!(said(&workspace), "shown\n", "{command}");
    }
    bot.assert_clean();
}

async fn s3_a_yes_after_a_restart_is_for_the_files_that_were_shown(platform: Platform) {
    let mut bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let workspace = opened(&bot, &chat).await;
    chat.says("run: cd sub && sh run.sh");
    let card = chat.settles(is_open_card).await;
    bot.restart().await;
    chat.press(&bot.ann, card.id, "Approve").await;
    answered(&chat, 1).await;
    closed(&chat, card.id).await;
    assert_eq!(said(&workspace), "shown\n");

    chat.says("run: cd sub && sh run.sh");
    let card = chat.settles(is_open_card).await;
    bot.restart().await;
    says_word(&workspace, "sub/run.sh", "changed");
    chat.press(&bot.ann, card.id, "Approve").await;
    let anew = chat
        .settles(|it| is_open_card(it) && it.id != card.id)
        .await;
    assert!(anew.text.contains("changed since"), "{anew}");
    chat.press(&bot.ann, anew.id, "Deny").await;
    answered(&chat, 2).await;
    assert_eq!(said(&workspace), "");
    bot.assert_clean();
}

async fn s3_a_change_by_somebody_else_in_a_group_is_asked_about_anew(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    chat.says("@sayso_bot run: mkdir jobs");
    let first = chat.settles(is_open_card).await;
    chat.press(&bot.ann, first.id, "Approve").await;
    answered(&chat, 1).await;
    closed(&chat, first.id).await;
    let workspace = workspace_with(&bot, "jobs").await;
    says_word(&workspace, "jobs/job.sh", "shown");
    says_word(&workspace, "other.sh", "changed");
    chat.says("@sayso_bot run: cd jobs && ./job.sh || sh job.sh");
    let anns = chat.settles(is_open_card).await;
    chat.says_as(&bot.bob, "@sayso_bot run: cp other.sh jobs/job.sh");
    let bobs = chat
        .settles(|it| is_open_card(it) && it.text.contains("cp other.sh"))
        .await;
    chat.press(&bot.bob, bobs.id, "Approve").await;
    answered(&chat, 2).await;
    chat.press(&bot.ann, anns.id, "Approve").await;
    let anew = chat
        .settles(|it| is_open_card(it) && it.id != anns.id)
        .await;
    assert!(anew.text.contains("changed since"), "{anew}");
    assert_eq!(said(&workspace), "");
    bot.assert_clean();
}

/// Returns the workspace in which there is this.
async fn workspace_with(bot: &TestBot, name: &str) -> PathBuf {
    let found = || {
        let workspaces = std::fs::read_dir(bot.data().join("workspaces")).unwrap();
        workspaces
            .map(|entry| entry.unwrap().path())
            .find(|path| path.join(name).exists())
    };
    eventually("the workspace is there", || found().is_some()).await;
    found().unwrap()
}
