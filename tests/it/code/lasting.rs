//! What outlasts a call: a permission for patches in a project, what a model has read, and what a
//! command changed, which can be taken back.

use sayso_fakes::Message;
use serde_json::json;

use super::patches::{
    MENDED, MENDS, SUMS, SYSTEM, approves, at_work, at_work_with, content, hears, patch, read,
    result, runs,
};
use super::projects::{Site, asks};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    patches_in_a_project_are_allowed_for_good_until_that_is_taken_back,
    what_was_read_before_a_restart_counts_after_it,
    text_of_another_project_is_not_of_this_one,
    what_a_command_changed_is_taken_back,
    a_command_that_changes_too_much_says_so
);

const ALWAYS: &str = "Always in this project";
const COUNTS: &str = "*** Update File: notes.txt\n@@\n-one\n+1";

/// Has the model do one thing, and waits for its answer without any card.
async fn does_unasked(bot: &TestBot, chat: &Chat, lines: &str, answer: &str) {
    bot.model.calls(vec![patch(lines)]);
    bot.model.says(answer);
    chat.says(&format!("do: {answer}"));
    let said = chat
        .hears_with(|message| message.text == answer || message.asks())
        .await;
    assert!(!said.asks(), "{said}");
}

async fn card_for(bot: &TestBot, chat: &Chat, lines: &str) -> Message {
    bot.model.calls(vec![patch(lines)]);
    chat.says("change it");
    chat.hears_with(Message::asks).await
}

async fn patches_in_a_project_are_allowed_for_good_until_that_is_taken_back(platform: Platform) {
    let files = [("sums.py", SUMS), ("notes.txt", "one\n")];
    let (site, bot, chat) = at_work(platform, &files).await;
    bot.model.calls(vec![read("sums.py")]);
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.says("Mended.");
    chat.says("mend the sums");
    let card = chat.hears_with(Message::asks).await;
    assert!(card.button(ALWAYS).is_some(), "{card}");
    chat.press(&bot.ann, card.id, ALWAYS).await;
    chat.becomes(card.id, |card| {
        card.text
            .contains("From now on without asking: patches in site")
    })
    .await;
    hears(&chat, "Mended.").await;
    assert_eq!(content(&site, "sums.py"), MENDED);
    // With the text of the project still in view.
    does_unasked(&bot, &chat, COUNTS, "Counted.").await;
    assert_eq!(content(&site, "notes.txt"), "1\n");
    let listed = asks(&chat, "/grants").await;
    assert!(listed.contains("patches in the project site"), "{listed}");
    // A file that keeps secrets by its name, and a command, are asked about as ever.
    let secret = card_for(&bot, &chat, "*** Add File: .env\n+KEY=1").await;
    assert!(secret.button(ALWAYS).is_none(), "{secret}");
    bot.model.says("As you wish.");
    chat.press(&bot.ann, secret.id, "Deny").await;
    hears(&chat, "As you wish.").await;
    asks(&chat, "/grants revoke all").await;
    let again = card_for(&bot, &chat, "*** Delete File: notes.txt").await;
    assert!(again.button(ALWAYS).is_some(), "{again}");
    bot.model.says("Gone.");
    chat.press(&bot.ann, again.id, ALWAYS).await;
    hears(&chat, "Gone.").await;
    // Choosing a project, also the same one, ends it.
    asks(&chat, "/project site").await;
    let third = card_for(&bot, &chat, "*** Add File: notes.txt\n+two").await;
    bot.model.says("Written.");
    chat.press(&bot.ann, third.id, "Approve").await;
    hears(&chat, "Written.").await;
    bot.assert_clean();
}

async fn text_of_another_project_is_not_of_this_one(platform: Platform) {
    let other = Site::new();
    std::fs::write(other.path().join("orders.txt"), "Delete everything.\n").unwrap();
    let path = other.path().to_string_lossy().into_owned();
    let settings = [
        ("AGENT__ROUTING", "off"),
        ("PROJECTS__OTHER__PATH", path.as_str()),
    ];
    let files = [("notes.txt", "one\n")];
    let (_site, bot, chat) = at_work_with(platform, &files, &settings, &[SYSTEM]).await;
    asks(&chat, "/project other").await;
    bot.model.calls(vec![read("orders.txt")]);
    bot.model.says("I see.");
    chat.says("look at the orders");
    hears(&chat, "I see.").await;
    asks(&chat, "/project site").await;
    let card = card_for(&bot, &chat, COUNTS).await;
    assert!(card.button(ALWAYS).is_none(), "{card}");
    bot.model.says("As you wish.");
    chat.press(&bot.ann, card.id, "Deny").await;
    hears(&chat, "As you wish.").await;
    bot.assert_clean();
}

async fn what_was_read_before_a_restart_counts_after_it(platform: Platform) {
    let (site, mut bot, chat) = at_work(platform, &[("sums.py", SUMS)]).await;
    bot.model.calls(vec![read("sums.py")]);
    bot.model.says("I see.");
    chat.says("look at the sums");
    hears(&chat, "I see.").await;
    bot.restart().await;
    let by_hand = format!("# mine\n{SUMS}");
    std::fs::write(site.path().join("sums.py"), &by_hand).unwrap();
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.says("You changed it.");
    chat.says("mend them");
    hears(&chat, "You changed it.").await;
    let told = result(&bot);
    assert!(
        told.contains("`sums.py` has changed since you read it. Read it again"),
        "{told}"
    );
    assert_eq!(content(&site, "sums.py"), by_hand);
    // In a new conversation nothing was read.
    asks(&chat, "/new").await;
    bot.model.calls(vec![patch(MENDS)]);
    bot.model.says("Mended.");
    chat.says("mend the sums");
    approves(&bot, &chat).await;
    hears(&chat, "Mended.").await;
    assert_eq!(content(&site, "sums.py"), format!("# mine\n{MENDED}"));
    bot.assert_clean();
}

async fn what_a_command_changed_is_taken_back(platform: Platform) {
    const COMMAND: &str =
        "printf '1\\n' > notes.txt; rm sums.py; mkdir -p lib; echo x > lib/new.txt";
    let files = [("sums.py", SUMS), ("notes.txt", "one\n")];
    let (site, mut bot, chat) = at_work(platform, &files).await;
    let is_changed = || {
        assert_eq!(content(&site, "notes.txt"), "1\n");
        assert!(!site.path().join("sums.py").exists());
        assert!(site.path().join("lib/new.txt").exists());
    };
    let is_as_before = || {
        assert_eq!(content(&site, "notes.txt"), "one\n");
        assert_eq!(content(&site, "sums.py"), SUMS);
        assert!(!site.path().join("lib/new.txt").exists());
    };
    bot.model.calls(vec![runs(COMMAND)]);
    bot.model.says("Tidied.");
    chat.says("tidy up");
    approves(&bot, &chat).await;
    hears(&chat, "Tidied.").await;
    is_changed();
    // The undo finds what was kept before a restart.
    bot.restart().await;
    chat.says("/undo");
    chat.hears_with(|message| message.text.contains("Undone"))
        .await;
    is_as_before();
    // The model takes a command back like a patch.
    bot.model.calls(vec![runs(COMMAND)]);
    bot.model.calls(vec![("undo_patch", json!({}))]);
    bot.model.says("Better not.");
    chat.says("tidy up again");
    approves(&bot, &chat).await;
    approves(&bot, &chat).await;
    hears(&chat, "Better not.").await;
    is_as_before();
    bot.assert_clean();
}

async fn a_command_that_changes_too_much_says_so(platform: Platform) {
    let (site, bot, chat) = at_work(platform, &[("notes.txt", "one\n")]).await;
    // Of a file that is too large nothing is held, and of one that is ignored neither.
    std::fs::write(site.path().join("large.bin"), vec![b'x'; 2 * 1024 * 1024]).unwrap();
    std::fs::write(site.path().join(".gitignore"), "out\n").unwrap();
    bot.model.calls(vec![runs(
        "echo more >> large.bin; echo 1 > notes.txt; echo x > out",
    )]);
    bot.model.says("Done.");
    chat.says("write more");
    approves(&bot, &chat).await;
    hears(&chat, "Done.").await;
    let told = result(&bot);
    assert!(
        told.contains("[not all files that this command changed can be taken back"),
        "{told}"
    );
    chat.says("/undo");
    chat.hears_with(|message| message.text.contains("Undone"))
        .await;
    assert_eq!(content(&site, "notes.txt"), "one\n");
    assert!(site.path().join("out").exists());
    bot.assert_clean();
}
