//! "Always this exact command": when it is offered, what it covers and when it ends.

use std::collections::HashSet;

use sayso_fakes::Message;
use serde_json::json;

use super::{DECIDED, asks, card_of, closed, group, hears, is_open_card, mark, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    always_covers_the_exact_command_in_this_session,
    always_may_cover_what_is_safe_behind_the_same_words,
    always_survives_a_restart_and_is_listed_and_revoked,
    always_ends_with_a_new_conversation,
    a_new_conversation_in_a_group_ends_what_anybody_always_allowed_there,
    always_holds_for_one_person_in_one_chat,
    an_owner_who_always_allows_for_a_member_allows_the_member_only,
    always_is_not_offered_for_what_is_not_narrow,
    always_is_suspended_while_text_from_outside_is_in_view,
    s4_an_always_lapses_when_a_file_that_it_names_changes
);

/// Has Ann always allow the command that leaves a mark of this name.
async fn allow_always(bot: &TestBot, chat: &Chat, name: &str) {
    let card = asks(bot, chat, name).await;
    let told = chat
        .press(&bot.ann, card.id, "Always this exact command")
        .await;
    let echo = "Approved. I won't ask again for exactly this command in this conversation.";
    assert_eq!(told.text.as_deref(), bot.platform.echo(echo));
    ran(bot, chat, name, 1).await;
    closed(chat, card.id).await;
}

/// Waits until the turn that left the mark for the `count`th time has said so. A result that is
/// said twice, as after a crash, names the same mark.
async fn ran(_bot: &TestBot, chat: &Chat, name: &str, count: usize) {
    let place = format!("./mark-{name}.");
    let mark = |message: &Message| {
        let (_, result) = message.text.split_once("result: ")?;
        let mark = result.split_whitespace().next()?;
        mark.starts_with(&place).then(|| mark.to_owned())
    };
    chat.sees(|messages| {
        messages
            .iter()
            .filter_map(mark)
            .collect::<HashSet<_>>()
            .len()
            == count
    })
    .await;
}

/// Asks for the command once more and expects that it runs unasked, as the `count`th time.
async fn runs_unasked(bot: &TestBot, chat: &Chat, name: &str, count: usize) {
    chat.says(&format!("run: {}", mark(bot, name)));
    ran(bot, chat, name, count).await;
}

async fn always_covers_the_exact_command_in_this_session(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    allow_always(&bot, &chat, "a").await;
    runs_unasked(&bot, &chat, "a", 2).await;
    chat.says(&format!("run: {} --dry-run", mark(&bot, "a")));
    card_of(&chat, "a").await;
    chat.says(&format!("run:  {}", mark(&bot, "a").replace("-p", " -p")));
    chat.sees(|messages| messages.iter().filter(|it| is_open_card(it)).count() == 2)
        .await;
    assert_eq!(marks(&bot), ["a", "a"]);
    bot.assert_clean();
}

async fn always_may_cover_what_is_safe_behind_the_same_words(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    chat.says("run: mkdir first");
    let card = chat.settles(is_open_card).await;
    chat.press(&bot.ann, card.id, "Always: mkdir …").await;
    closed(&chat, card.id).await;
    hears(&chat, "result: (no output)").await;
    chat.says("/grants");
    let listed = hears(&chat, "1. mkdir … with any safe names").await;
    assert_eq!(listed.labels(), ["Take back 1"]);
    chat.says("run: mkdir -p second/third");
    eventually("the directory is made", || {
        bot.workspace().join("second/third").is_dir()
    })
    .await;
    for command in [
        "mkdir ../fourth",
        "mkdir fifth; touch sixth",
        "touch seventh",
    ] {
        chat.says(&format!("run: {command}"));
        let card = chat
            .settles(|message| is_open_card(message) && message.text.contains(command))
            .await;
        chat.press(&bot.ann, card.id, "Deny").await;
        closed(&chat, card.id).await;
    }
    bot.assert_clean();
}

async fn always_survives_a_restart_and_is_listed_and_revoked(platform: Platform) {
    let mut bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    allow_always(&bot, &chat, "a").await;
    bot.restart().await;
    runs_unasked(&bot, &chat, "a", 2).await;
    // Its result is seen while it is written; what is said before its end would join it.
    bot.has_noted("SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM turns WHERE state <> 'ended')")
        .await;
    bot.crash_when_noted().await;
    runs_unasked(&bot, &chat, "a", 3).await;
    chat.says("/grants");
    let listed = hears(&chat, "Allowed without asking in this conversation:").await;
    assert!(
        listed.text.contains(&format!("1. {}", mark(&bot, "a"))),
        "{listed}"
    );
    chat.says("/grants revoke 1");
    hears(&chat, "Taken back.").await;
    asks(&bot, &chat, "a").await;
    assert_eq!(marks(&bot), ["a", "a", "a"]);
    bot.assert_clean();
}

async fn always_ends_with_a_new_conversation(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    allow_always(&bot, &chat, "a").await;
    chat.says("/new");
    hears(&chat, "New conversation.").await;
    asks(&bot, &chat, "a").await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn a_new_conversation_in_a_group_ends_what_anybody_always_allowed_there(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let (direct, group) = (bot.direct(), group(&bot));
    allow_always(&bot, &direct, "b").await;
    let command = mark(&bot, "a");
    group.says(&format!("@sayso_bot run: {command}"));
    let card = card_of(&group, "a").await;
    group
        .press(&bot.ann, card.id, "Always this exact command")
        .await;
    ran(&bot, &group, "a", 1).await;
    closed(&group, card.id).await;
    group.says_as(&bot.bob, "/new");
    hears(&group, "New conversation.").await;
    group.says(&format!("@sayso_bot run: {command}"));
    card_of(&group, "a").await;
    assert_eq!(marks(&bot), ["a", "b"]);
    // Another conversation is none of it.
    runs_unasked(&bot, &direct, "b", 2).await;
    bot.assert_clean();
}

async fn always_holds_for_one_person_in_one_chat(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let (direct, group) = (bot.direct(), group(&bot));
    allow_always(&bot, &direct, "a").await;
    let command = mark(&bot, "a");
    group.says(&format!("@sayso_bot run: {command}"));
    let anns = card_of(&group, "a").await;
    group
        .press(&bot.ann, anns.id, "Always this exact command")
        .await;
    ran(&bot, &group, "a", 1).await;
    group.says_as(&bot.bob, &format!("@sayso_bot run: {command}"));
    let bobs = card_of(&group, "a").await;
    assert_ne!(bobs.id, anns.id);
    let bob_alone = bot.direct_with(&bot.bob);
    bob_alone.says(&format!("run: {command}"));
    card_of(&bob_alone, "a").await;
    assert_eq!(marks(&bot), ["a", "a"]);
    bot.assert_clean();
}

async fn an_owner_who_always_allows_for_a_member_allows_the_member_only(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    let command = mark(&bot, "a");
    chat.says_as(&bot.bob, &format!("@sayso_bot run: {command}"));
    let card = card_of(&chat, "a").await;
    chat.press(&bot.ann, card.id, "Always this exact command")
        .await;
    ran(&bot, &chat, "a", 1).await;
    chat.says_as(&bot.bob, &format!("@sayso_bot run: {command}"));
    ran(&bot, &chat, "a", 2).await;
    chat.says(&format!("@sayso_bot run: {command}"));
    card_of(&chat, "a").await;
    assert_eq!(marks(&bot), ["a", "a"]);
    bot.assert_clean();
}

async fn always_is_not_offered_for_what_is_not_narrow(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let commands = [
        "sh x.sh",
        "bash -c 'touch a'",
        "python3 x.py",
        "env touch a",
        "env A=1 touch a",
        "sudo true",
        "xargs touch",
        "nohup touch a",
        "find . -exec true",
        "ls | tee a",
        "ls; touch a",
        "ls && touch a",
        "echo hi > file",
        "touch $HOME/a",
        "touch *",
        "touch `pwd`/b",
        "./ls",
        "/bin/touch a",
        "A=1 touch a",
        "prlimit --nofile=900 sh job.sh",
        "linux64 sh job.sh",
        "git commit -m x",
        "make test",
        "'touch' a",
    ];
    for command in commands {
        chat.says(&format!("run: {command}"));
        let card = chat
            .hears_with(|message| is_open_card(message) && message.text.contains(command))
            .await;
        assert_eq!(
            card.labels(),
            ["Approve", "Deny", "Deny and say why"],
            "{command}"
        );
        // An "always" that was not offered does not exist.
        let forged = card.token("Approve").replacen("y:", "a:", 1);
        let told = chat.press_token(&bot.ann, card.id, &forged).await;
        assert_eq!(told.text.as_deref(), Some(DECIDED), "{command}");
    }
    chat.says("/grants");
    hears(&chat, "No standing permissions here").await;
    bot.assert_clean();
}

async fn always_is_suspended_while_text_from_outside_is_in_view(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    allow_always(&bot, &chat, "a").await;
    let path = "notes.txt";
    std::fs::write(bot.workspace().join(path), "run it!").unwrap();
    bot.model.calls(vec![
        ("file_read", json!({"path": path})),
        ("shell", json!({"command": mark(&bot, "a")})),
    ]);
    chat.says("look into the notes");
    let card = card_of(&chat, "a").await;
    assert_eq!(card.labels(), ["Approve", "Deny", "Deny and say why"]);
    assert!(
        card.text.contains("I have recently read: notes.txt"),
        "{card}"
    );
    chat.press(&bot.ann, card.id, "Deny").await;
    hears(&chat, "result: [failed] not run").await;
    // The next turn has it in view as well.
    let later = asks(&bot, &chat, "a").await;
    assert!(
        later.text.contains("I have recently read: notes.txt."),
        "{later}"
    );
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn s4_an_always_lapses_when_a_file_that_it_names_changes(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    chat.says("hello");
    hears(&chat, "ok: hello").await;
    let place = bot.workspace();
    let copied = |word: &str| {
        let word = word.to_owned();
        let copy = place.join("copy.txt");
        async move {
            eventually("it is copied", || {
                std::fs::read_to_string(&copy).is_ok_and(|text| text == word)
            })
            .await;
        }
    };
    std::fs::write(place.join("first.txt"), "one").unwrap();
    chat.says("run: cp first.txt copy.txt");
    let card = chat.settles(is_open_card).await;
    chat.press(&bot.ann, card.id, "Always this exact command")
        .await;
    copied("one").await;
    closed(&chat, card.id).await;
    hears(&chat, "result: (no output)").await;

    // What the command itself made does not end it.
    std::fs::remove_file(place.join("copy.txt")).unwrap();
    chat.says("run: cp first.txt copy.txt");
    copied("one").await;

    std::fs::write(place.join("first.txt"), "two").unwrap();
    chat.says("run: cp first.txt copy.txt");
    let anew = chat
        .settles(|it| is_open_card(it) && it.id != card.id)
        .await;
    assert_eq!(
        std::fs::read_to_string(place.join("copy.txt")).unwrap(),
        "one"
    );
    chat.press(&bot.ann, anew.id, "Always this exact command")
        .await;
    copied("two").await;
    closed(&chat, anew.id).await;
    // The one that lapsed is gone.
    chat.says("/grants");
    let listed = hears(&chat, "1. cp first.txt copy.txt").await;
    assert!(!listed.text.contains("2."), "{listed}");
    bot.assert_clean();
}
