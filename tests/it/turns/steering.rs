//! What is said while a turn of the same person runs: it joins the turn, waits for one of its own, or
//! ends it.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use super::conversation;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    words_come_before_calls_that_were_not_started,
    a_call_under_way_ends_and_those_behind_it_give_way,
    what_is_queued_has_a_turn_of_its_own_and_one_notice,
    what_is_queued_joins_at_a_press,
    what_is_queued_comes_next_at_a_press,
    only_whose_words_wait_may_press,
    what_interrupts_ends_the_turn_and_begins_the_next,
    a_command_says_it_of_one_message,
    a_command_without_words_says_how_it_is_used,
    a_stop_drops_what_is_queued_with_its_notice,
    what_joins_does_so_whatever_is_queued_before_it,
    nothing_that_is_queued_is_lost_or_doubled_by_a_kill,
    u6_a_word_that_only_says_stop_stops,
    u3_an_edit_of_what_is_answered_replaces_it,
    u3_an_edit_of_one_message_of_several_loses_none
);

const NOW: &str = "Add to current task";
const INSTEAD: &str = "Do this now instead";
const QUEUED: &str = "⏳ Next in line.";

const QUEUE: &[(&str, &str)] = &[("AGENT__WHILE_BUSY", "queue")];

/// Has the model begin with a look around, once the gate opens.
fn looks_around(bot: &TestBot, gate: &Gate) {
    let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(look.held_by(gate));
}

/// Begins a turn that looks around once the gate opens.
async fn begins(bot: &TestBot, chat: &Chat) -> Gate {
    let gate = Gate::new();
    looks_around(bot, &gate);
    chat.says("look around");
    gate.reached_by(1).await;
    gate
}

async fn words_come_before_calls_that_were_not_started(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("POLICY__CONFIRM_WRITE", "false")]).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let calls = Answer::calls(vec![
        ("file_write", json!({"path": "a", "content": "a"})),
        ("file_write", json!({"path": "b", "content": "b"})),
    ]);
    bot.model.answers(calls.held_by(&gate));
    bot.model.says("I wrote nothing.");
    chat.says("write both");
    gate.reached_by(1).await;
    chat.says("no, wait");
    bot.has_heard_all().await;
    gate.open();
    chat.settles(|message| message.text == "I wrote nothing.")
        .await;
    let steps = bot.model.turn_requests();
    assert_eq!(steps.len(), 2, "one turn for both messages");
    insta::assert_snapshot!(conversation(&steps[1]).join("\n"), @r"
    user: write both
    assistant: 
    tool: [error] E_STEERED: not started: the person has said something meanwhile, which comes next.
    Call it again if it is still wanted.
    tool: [error] E_STEERED: not started: the person has said something meanwhile, which comes next.
    Call it again if it is still wanted.
    user: [added while you work]
    no, wait
    ");
    assert!(!bot.workspace().join("a").exists());
    bot.assert_clean();
}

async fn a_call_under_way_ends_and_those_behind_it_give_way(platform: Platform) {
    let settings = [
        ("POLICY__CONFIRM_EXEC", "false"),
        ("POLICY__CONFIRM_WRITE", "false"),
    ];
    let bot = TestBot::on_with(platform, &settings).await;
    let chat = bot.direct();
    let command = "while [ ! -e go ]; do sleep 0.02; done; echo went";
    bot.model.calls(vec![
        ("shell", json!({"command": command})),
        ("file_write", json!({"path": "b", "content": "b"})),
    ]);
    bot.model.says("Only the first.");
    chat.says("go, then write");
    chat.settles(|message| message.text.contains("sleep 0.02"))
        .await;
    chat.says("do not write");
    bot.has_heard_all().await;
    std::fs::write(bot.workspace().join("go"), "").unwrap();
    chat.settles(|message| message.text == "Only the first.")
        .await;
    let steps = bot.model.turn_requests();
    let results = steps[1].tool_results();
    assert!(results[0].1.contains("went"), "{results:?}");
    assert!(results[1].1.contains("E_STEERED"), "{results:?}");
    assert!(!bot.workspace().join("b").exists());
    bot.assert_clean();
}

async fn what_is_queued_has_a_turn_of_its_own_and_one_notice(platform: Platform) {
    let bot = TestBot::on_with(platform, QUEUE).await;
    let chat = bot.direct();
    let gate = begins(&bot, &chat).await;
    bot.model.says("Nothing here.");
    chat.says("one");
    chat.says("two");
    bot.has_heard_all().await;
    let notice = chat.settles(|message| message.text == QUEUED).await;
    assert_eq!(notice.labels(), [NOW, INSTEAD]);
    gate.open();
    for answer in ["Nothing here.", "ok: one", "ok: two"] {
        chat.settles(|message| message.text == answer).await;
    }
    chat.becomes(notice.id, |notice| notice.deleted).await;
    let said = chat.transcript();
    assert!(!said.contains(QUEUED), "{said}");
    let step = conversation(&bot.model.turn_requests()[1]);
    assert!(!step.iter().any(|said| said.contains("one")), "{step:?}");
    bot.assert_clean();
}

async fn what_is_queued_joins_at_a_press(platform: Platform) {
    let bot = TestBot::on_with(platform, QUEUE).await;
    let chat = bot.direct();
    let gate = begins(&bot, &chat).await;
    bot.model.says("No files.");
    chat.says("count the files");
    let notice = chat.settles(|message| message.text == QUEUED).await;
    let token = notice.token(NOW);
    let told = chat.press(&bot.ann, notice.id, NOW).await;
    assert_eq!(
        told.text.as_deref(),
        platform.echo("＋ Added to what I am doing.")
    );
    chat.becomes(notice.id, |notice| notice.deleted).await;
    gate.open();
    chat.settles(|message| message.text == "No files.").await;
    let steps = bot.model.turn_requests();
    assert_eq!(steps.len(), 2, "one turn for both messages");
    assert!(steps[1].last_user().contains("count the files"));
    let told = chat.press_token(&bot.ann, notice.id, &token).await;
    assert_eq!(
        told.text.as_deref(),
        Some("Nothing is queued any more. Nothing changed.")
    );
    bot.assert_clean();
}

async fn what_is_queued_comes_next_at_a_press(platform: Platform) {
    let bot = TestBot::on_with(platform, QUEUE).await;
    let chat = bot.direct();
    bot.model.answers(Answer::hangs());
    chat.says("think hard");
    bot.model.waits_for(|request| !request.is_routing()).await;
    chat.says("what time is it?");
    let notice = chat.settles(|message| message.text == QUEUED).await;
    let told = chat.press(&bot.ann, notice.id, INSTEAD).await;
    assert_eq!(
        told.text.as_deref(),
        platform.echo("⏹ Stopping; this comes next.")
    );
    chat.settles(|message| message.text == "⏹ Stopped.").await;
    chat.settles(|message| message.text == "ok: what time is it?")
        .await;
    chat.becomes(notice.id, |notice| notice.deleted).await;
    bot.assert_clean();
}

async fn only_whose_words_wait_may_press(platform: Platform) {
    let bot = TestBot::on_with(platform, QUEUE).await;
    let group = bot.group("Workshop");
    let gate = Gate::new();
    looks_around(&bot, &gate);
    group.says_as(&bot.bob, "@sayso_bot look around");
    gate.reached_by(1).await;
    group.says_as(&bot.bob, "@sayso_bot and count");
    let notice = group.settles(|message| message.text == QUEUED).await;
    let told = group.press(&bot.ann, notice.id, INSTEAD).await;
    assert_eq!(
        told.text.as_deref(),
        Some("This is about somebody else's message.")
    );
    assert!(group.message(notice.id).asks());
    gate.open();
    group
        .settles(|message| message.text.contains("ok: Bob: and count"))
        .await;
    bot.assert_clean();
}

async fn what_interrupts_ends_the_turn_and_begins_the_next(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__WHILE_BUSY", "interrupt")]).await;
    let chat = bot.direct();
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(Answer::hangs());
    chat.says("think hard");
    chat.settles(|message| message.text.contains('✓')).await;
    bot.model
        .waits_for(|request| !request.is_routing() && !request.tool_results().is_empty())
        .await;
    chat.says("what time is it?");
    let stopped = chat
        .settles(|message| message.text.contains("topped"))
        .await;
    insta::assert_snapshot!(stopped.text, @r"
    ⏹ Stopped.

    Done before: looked at your files
    ");
    chat.settles(|message| message.text == "ok: what time is it?")
        .await;
    bot.has_noted(
        "SELECT body FROM journal WHERE body -> 'outcome' ->> 'kind' = 'stopped'
             AND body -> 'outcome' ->> 'done' LIKE '%your files%'",
    )
    .await;
    bot.assert_clean();
}

async fn a_command_says_it_of_one_message(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = begins(&bot, &chat).await;
    bot.model.answers(Answer::hangs());
    chat.says("/queue later");
    chat.settles(|message| message.text == QUEUED).await;
    chat.says("/steer now");
    bot.has_noted("SELECT said FROM inbox WHERE said = 'now' AND while_busy = 'steer'")
        .await;
    gate.open();
    let joined = bot
        .model
        .waits_for(|request| !request.is_routing() && request.last_user().contains("\nnow"))
        .await;
    let joined = conversation(&joined);
    assert!(
        !joined.iter().any(|said| said.contains("later")),
        "{joined:?}"
    );
    chat.says("/interrupt at once");
    for answer in ["ok: at once", "ok: later"] {
        chat.settles(|message| message.text == answer).await;
    }
    let turns = bot.model.turn_requests();
    let place = |words: &str| {
        turns
            .iter()
            .position(|request| request.last_user() == words)
    };
    assert!(place("at once") < place("later"), "it came next");
    chat.sees(|messages| messages.iter().all(|it| it.text != QUEUED))
        .await;
    bot.assert_clean();
}

async fn what_joins_does_so_whatever_is_queued_before_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = begins(&bot, &chat).await;
    bot.model.says("In a moment.");
    for number in 1..=21 {
        chat.says(&format!("/queue later {number}"));
    }
    chat.says("/steer now");
    bot.has_noted("SELECT said FROM inbox WHERE said = 'now' AND while_busy = 'steer'")
        .await;
    gate.open();
    chat.settles(|message| message.text == "In a moment.").await;
    let steps = bot.model.turn_requests();
    assert_eq!(
        conversation(&steps[1]).last().unwrap(),
        "user: [added while you work]\nnow"
    );
    chat.settles(|message| message.text == "ok: later 21").await;
    bot.assert_clean();
}

/// What is asked for while a turn looks around, and what that turn and the next one are asked then.
async fn asked_while_looking_around(
    bot: &TestBot,
    asks: impl FnOnce(),
    pieces: &'static str,
) -> [Vec<String>; 2] {
    let chat = bot.direct();
    let gate = begins(bot, &chat).await;
    bot.model.says("Nothing here.");
    bot.model.says("Both.");
    asks();
    bot.has_noted(pieces).await;
    gate.open();
    for answer in ["Nothing here.", "Both."] {
        chat.settles(|message| message.text == answer).await;
    }
    let turns = bot.model.turn_requests();
    assert_eq!(turns.len(), 3, "one turn for both pieces");
    [&turns[1], &turns[2]].map(|step| conversation(step))
}

#[tokio::test]
async fn an_album_waits_as_a_whole() {
    let bot = TestBot::on_with(Platform::Telegram, QUEUE).await;
    let chat = bot.telegram.direct(&bot.ann);
    let album = vec![vec![1; 3_000], vec![2; 4_000]];
    let asks = || drop(chat.sends_album(album, "which is better?"));
    let pieces = "SELECT max(album) FROM inbox WHERE album IS NOT NULL
        HAVING count(*) = 2 AND max(ready_ms) < unixepoch('subsec') * 1000";
    let [running, next] = asked_while_looking_around(&bot, asks, pieces).await;
    assert!(
        !running.iter().any(|said| said.contains("photo")),
        "{running:?}"
    );
    let photos = ["[photo: inbox/photo, 3 kB]", "[photo: inbox/photo-2, 4 kB]"];
    for photo in photos {
        assert!(next.iter().any(|said| said.contains(photo)), "{next:?}");
    }
    bot.assert_clean();
}

#[tokio::test]
async fn a_queued_text_that_the_app_has_split_waits_as_a_whole() {
    let bot = TestBot::on(Platform::Telegram).await;
    let chat = bot.direct();
    let asks = || {
        chat.says(&format!("/queue {}", "a".repeat(4_089)));
        chat.says("the end");
    };
    let pieces = "SELECT max(album) FROM inbox WHERE album LIKE 'split-%'
        HAVING count(*) = 2 AND max(ready_ms) < unixepoch('subsec') * 1000";
    let [running, next] = asked_while_looking_around(&bot, asks, pieces).await;
    assert!(
        !running.iter().any(|said| said.contains("the end")),
        "{running:?}"
    );
    assert!(next.last().unwrap().ends_with("the end"), "{next:?}");
    bot.assert_clean();
}

async fn a_command_without_words_says_how_it_is_used(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.says("/queue");
    insta::assert_snapshot!(chat.hears().await.text, @"Write it behind the command: /queue WORDS – what I do when the work is done.");
    // With nothing to wait for it is a message like any other.
    chat.says("/queue hello");
    assert_eq!(chat.hears().await.text, "ok: hello");
    bot.assert_clean();
}

async fn a_stop_drops_what_is_queued_with_its_notice(platform: Platform) {
    let bot = TestBot::on_with(platform, QUEUE).await;
    let chat = bot.direct();
    bot.model.answers(Answer::hangs());
    chat.says("think hard");
    bot.model.waits_for(|request| !request.is_routing()).await;
    chat.says("and then harder");
    let notice = chat.settles(|message| message.text == QUEUED).await;
    chat.says("/stop");
    chat.settles(|message| message.text.contains("is dropped: “and then harder”"))
        .await;
    chat.becomes(notice.id, |notice| notice.deleted).await;
    chat.says("something else");
    chat.settles(|message| message.text == "ok: something else")
        .await;
    let turns = bot.model.turn_requests();
    assert!(turns.iter().all(|request| !request.mentions("harder")));
    bot.assert_clean();
}

async fn nothing_that_is_queued_is_lost_or_doubled_by_a_kill(platform: Platform) {
    let mut bot = TestBot::on_with(platform, QUEUE).await;
    let chat = bot.direct();
    let _gate = begins(&bot, &chat).await;
    chat.says("one");
    chat.says("two");
    bot.has_heard_all().await;
    let notice = chat.settles(|message| message.text == QUEUED).await;
    bot.model.says("Nothing here.");
    bot.crash_when_noted().await;
    for answer in ["Nothing here.", "ok: one", "ok: two"] {
        chat.settles(|message| message.text == answer).await;
    }
    chat.becomes(notice.id, |notice| notice.deleted).await;
    bot.crash_when_noted().await;
    chat.says("still there?");
    chat.settles(|message| message.text == "ok: still there?")
        .await;
    let said = chat.transcript();
    for once in ["ok: one", "ok: two"] {
        assert_eq!(said.matches(once).count(), 1, "{said}");
    }
    assert!(!said.contains(QUEUED), "{said}");
    bot.assert_clean();
}

/// In both languages, and in no longer sentence.
async fn u6_a_word_that_only_says_stop_stops(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for word in ["stop", "Cancel!", "停", "停止", "取消"] {
        bot.model.answers(Answer::hangs());
        let asked = bot.model.turn_requests().len();
        let request = format!("think hard before {word}");
        chat.says(&request);
        bot.model
            .waits_for(|it| !it.is_routing() && it.mentions(&request))
            .await;
        chat.says(word);
        chat.settles(|message| message.text.contains("topped"))
            .await;
        assert_eq!(bot.model.turn_requests().len(), asked + 1, "{word}");
    }
    // Where nothing runs, it is a message like any other.
    chat.says("stop");
    chat.settles(|message| message.text == "ok: stop").await;
    let gate = begins(&bot, &chat).await;
    bot.model.says("I do not stop.");
    chat.says("do not stop the server");
    bot.has_heard_all().await;
    gate.open();
    chat.settles(|message| message.text == "I do not stop.")
        .await;
    bot.assert_clean();
}

async fn u3_an_edit_of_what_is_answered_replaces_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.answers(Answer::hangs());
    let wish = chat.says("capital of Frence?");
    bot.model
        .waits_for(|it| !it.is_routing() && it.mentions("Frence"))
        .await;
    bot.model.says("Paris.");
    chat.edits(wish, "capital of France?");
    chat.settles(|message| message.text == "Paris.").await;
    let said = chat.transcript();
    assert!(said.contains("topped"), "{said}");
    assert_eq!(said.matches("Paris.").count(), 1, "{said}");
    let asked = bot.model.turn_requests();
    assert_eq!(asked.len(), 2, "{said}");
    assert!(asked[1].last_user().contains("capital of France?"));
    // An edit of what waits for a yes replaces it as well.
    bot.model
        .calls(vec![("file_write", json!({"path": "a", "content": "old"}))]);
    let wish = chat.says("write old");
    let card = chat.settles(sayso_fakes::Message::asks).await;
    bot.model.says("I wrote nothing.");
    chat.edits(wish, "write nothing");
    chat.settles(|message| message.text == "I wrote nothing.")
        .await;
    chat.becomes(card.id, |card| card.buttons.is_empty()).await;
    assert!(!bot.workspace().join("a").exists());
    bot.assert_clean();
}

async fn u3_an_edit_of_one_message_of_several_loses_none(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = begins(&bot, &chat).await;
    let second = Gate::new();
    looks_around(&bot, &second);
    let more = chat.says("and count the fils");
    bot.has_heard_all().await;
    gate.open();
    second.reached_by(1).await;
    bot.model.says("No files.");
    chat.edits(more, "and count the files");
    bot.has_heard_all().await;
    second.open();
    chat.settles(|message| message.text == "No files.").await;
    let said = chat.transcript();
    assert!(!said.contains("topped"), "{said}");
    let last = bot.model.turn_requests().pop().unwrap();
    assert!(last.mentions("look around") && last.mentions("and count the files"));
    bot.assert_clean();
}
