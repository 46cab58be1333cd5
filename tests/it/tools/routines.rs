//! Routines: kept, listed, changed and deleted by their person alone. `tests/it/routines` has what they
//! do when they are due.

use serde_json::{Value, json};

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_routine_is_asked_about_and_kept,
    u4_what_people_write_is_understood_and_its_next_time_said,
    the_list_leads_to_each_where_it_is_switched_off_and_deleted,
    a_routine_is_its_persons_alone,
    a_list_in_a_group_is_its_persons_alone,
    switching_on_what_is_on_changes_nothing,
    routines_are_exported_and_erased,
    what_cannot_be_kept_is_said_before_anybody_is_asked
);

/// What the model knows a routine by.
fn create(schedule: &str, prompt: &str) -> Value {
    json!({"action": "create", "schedule": schedule, "prompt": prompt})
}

/// Has the model call the tool, says yes to whatever card comes, and returns what it was told.
async fn told(bot: &TestBot, chat: &Chat, arguments: Value) -> String {
    asked(bot, chat, arguments).await.1
}

/// The same, and the text of the card.
async fn asked(bot: &TestBot, chat: &Chat, arguments: Value) -> (String, String) {
    bot.model.calls(vec![("routine", arguments)]);
    let done = format!("Done after {}.", bot.model.requests().len());
    bot.model.says(&done);
    chat.says("about my routines");
    let is_over = |text: &str| text.ends_with(&done);
    let next = chat
        .settles(|message| is_over(&message.text) || message.button("Approve").is_some())
        .await;
    let mut card = String::new();
    if next.button("Approve").is_some() {
        card = next.text.clone();
        chat.press(&bot.ann, next.id, "Approve").await;
        chat.settles(|message| is_over(&message.text)).await;
    }
    let told = bot.model.requests().pop().unwrap().last_tool_result();
    (card, told)
}

async fn u4_what_people_write_is_understood_and_its_next_time_said(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let mut cards = String::new();
    for (schedule, kept) in [
        ("at 2098-12-01T09:00:00Z", "Monday 1 December 2098, "),
        ("@daily", "every day at 00:00"),
        ("at tomorrow 9am", ", 09:00 ("),
        (
            "CRON_TZ=America/New_York 0 9 * * *",
            "every day at 09:00 (America/New_York); next: ",
        ),
    ] {
        let (card, told) = asked(&bot, &chat, create(schedule, "look at the mail")).await;
        cards += &card;
        assert!(told.contains(kept), "{schedule}: {told}");
    }
    assert_eq!(cards.matches("When: ").count(), 4, "{cards}");
    let of_new_york = "When: every day at 09:00 (America/New_York); next: ";
    assert_eq!(cards.matches(of_new_york).count(), 1, "{cards}");
    bot.assert_clean();
}

/// The id in a result.
fn id_in(told: &str) -> String {
    let (_, rest) = told.split_once("(id ").unwrap();
    rest.chars().take_while(char::is_ascii_digit).collect()
}

async fn a_routine_is_asked_about_and_kept(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let about = create("every weekday at 9", "look at the mail");
    let (card, kept) = asked(&bot, &chat, about).await;
    assert!(kept.starts_with("kept (id "), "{kept}");
    assert!(kept.contains("every weekday at 09:00 ("), "{kept}");
    assert!(card.contains("routine: every weekday at 09:00"), "{card}");
    assert!(card.contains("look at the mail"), "{card}");
    let id = id_in(&kept);
    bot.restart().await;
    let update = json!({"action": "update", "id": id, "schedule": "每天早上8点"});
    let changed = told(&bot, &chat, update).await;
    assert!(
        changed.contains(&format!("- look at the mail (id {id}; 0 8 * * *; due ")),
        "{changed}"
    );
    let off = told(&bot, &chat, json!({"action": "disable", "id": id})).await;
    assert!(off.contains("; off)"), "{off}");
    let gone = told(&bot, &chat, json!({"action": "delete", "id": id})).await;
    assert_eq!(gone, "deleted");
    let none = told(&bot, &chat, json!({"action": "list"})).await;
    assert_eq!(none, "no routines");
    bot.assert_clean();
}

async fn the_list_leads_to_each_where_it_is_switched_off_and_deleted(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    told(&bot, &chat, create("daily at 7", "water the plants")).await;
    chat.says("/routines");
    let list = chat.settles(|message| message.button("1").is_some()).await;
    assert!(
        list.text
            .contains("1. every day at 07:00: water the plants"),
        "{list}"
    );
    chat.press(&bot.ann, list.id, "1").await;
    let one = chat
        .becomes(list.id, |message| message.button("Delete").is_some())
        .await;
    assert_eq!(one.labels(), ["Run now", "Switch off", "Delete", "Back"]);
    assert_eq!(one.text.matches(", 07:00 (").count(), 3, "{one}");
    chat.press(&bot.ann, list.id, "Switch off").await;
    let off = chat
        .becomes(list.id, |message| message.button("Switch on").is_some())
        .await;
    assert!(off.text.contains("every day at 07:00 (off)"), "{off}");
    chat.press(&bot.ann, list.id, "Switch on").await;
    let on = chat
        .becomes(list.id, |message| message.button("Switch off").is_some())
        .await;
    chat.press(&bot.ann, list.id, "Back").await;
    chat.becomes(list.id, |message| message.button("1").is_some())
        .await;
    let delete = on.token("Delete");
    let pressed = chat.press_token(&bot.ann, list.id, &delete).await;
    assert_eq!(pressed.text.as_deref(), platform.echo("Deleted."));
    chat.becomes(list.id, |message| {
        message.text.contains("You have no routines here")
    })
    .await;
    let again = chat.press_token(&bot.ann, list.id, &delete).await;
    assert_eq!(
        again.text.as_deref(),
        Some("This button does nothing here.")
    );
    bot.assert_clean();
}

async fn a_routine_is_its_persons_alone(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let kept = told(&bot, &ann, create("every 2h", "count the zithers")).await;
    let id = id_in(&kept);
    for action in ["show", "disable", "enable", "delete"] {
        let refused = told(&bot, &bob, json!({"action": action, "id": id})).await;
        assert!(refused.contains("has no such routine here"), "{refused}");
    }
    let none = told(&bot, &bob, json!({"action": "list"})).await;
    assert_eq!(none, "no routines");
    ann.says("/routines");
    let list = ann.settles(|message| message.button("1").is_some()).await;
    bob.says("/routines");
    let his = bob
        .settles(|message| message.text.contains("You have no routines here"))
        .await;
    let pressed = bob.press_token(&bot.bob, his.id, &list.token("1")).await;
    assert_eq!(
        pressed.text.as_deref(),
        Some("This button does nothing here.")
    );
    // What she made in private is not shown in a group.
    let group = bot.group("Band").with(&bot.ann);
    group.says("/routines");
    group
        .settles(|message| message.text.contains("You have no routines here"))
        .await;
    assert_eq!(bot.rows("SELECT prompt FROM routines").await.len(), 1);
    bot.assert_clean();
}

async fn a_list_in_a_group_is_its_persons_alone(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let bob = bot.direct_with(&bot.bob);
    bob.says("hello");
    bob.settles(|message| message.text == "ok: hello").await;
    let group = bot.group("Band").with(&bot.ann);
    group.says("/remind every day at 9 count the zithers");
    group
        .settles(|message| message.text.contains("count the zithers"))
        .await;
    group.says("/reminders");
    let list = group.settles(|message| message.button("1").is_some()).await;
    group.press(&bot.ann, list.id, "1").await;
    let one = group
        .becomes(list.id, |message| message.button("Back").is_some())
        .await;
    let refused = group.press(&bot.bob, list.id, "Back").await;
    assert_eq!(
        refused.text.as_deref(),
        Some("This question was for somebody else.")
    );
    bot.has_said_all().await;
    let shown = group.messages().into_iter().find(|it| it.id == list.id);
    assert_eq!(shown.map(|it| it.text), Some(one.text));
    group.press(&bot.ann, list.id, "Back").await;
    group
        .becomes(list.id, |message| message.button("1").is_some())
        .await;
    bot.assert_clean();
}

async fn switching_on_what_is_on_changes_nothing(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let kept = told(&bot, &chat, create("daily at 7", "water the plants")).await;
    // It is due and waits until its run is started a day later.
    bot.stop().await;
    bot.write(
        "UPDATE routines SET due_ms = unixepoch() * 1000 - 1000,
             next_ms = unixepoch() * 1000 + 86400000",
    )
    .await;
    bot.start();
    let times = "SELECT due_ms || ' ' || next_ms || ' ' || enabled FROM routines";
    let before = bot.rows(times).await;
    let enable = json!({"action": "enable", "id": id_in(&kept)});
    told(&bot, &chat, enable).await;
    assert_eq!(bot.rows(times).await, before);
    bot.assert_clean();
}

async fn routines_are_exported_and_erased(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    told(&bot, &chat, create("daily", "polish the marimba")).await;
    chat.says("/memory export");
    let export = chat
        .hears_with(|message| {
            message
                .file
                .as_ref()
                .is_some_and(|file| file.name == "memory.md")
        })
        .await;
    let export = String::from_utf8(chat.files_of(export.id).concat()).unwrap();
    assert!(
        export.contains("`0 9 * * *` polish the marimba"),
        "{export}"
    );
    chat.says("/forget everything");
    let card = chat
        .hears_with(|message| message.button("Erase everything").is_some())
        .await;
    chat.press(&bot.ann, card.id, "Erase everything").await;
    bot.has_noted("SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM routines)")
        .await;
    bot.assert_clean();
}

async fn what_cannot_be_kept_is_said_before_anybody_is_asked(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for (schedule, why) in [
        ("* * * * *", "at most every 15 minutes"),
        ("every 5 minutes", "at most every 15 minutes"),
        ("at 2020-01-01 09:00", "that moment is over"),
        ("whenever you like", "is no schedule that is understood"),
        ("every second", "once a minute is the most"),
        ("at 31 February 2098 09:00", "no such day"),
        ("at 2098-02-31 09:00", "no such day"),
        ("at 99999-12-31 09:00", "too far away"),
        ("0 9 30 2 *", "never comes"),
        ("0 0 9 * * *", "five fields"),
        ("CRON_TZ=Mars/Olympus 0 9 * * *", "Mars/Olympus"),
    ] {
        let refused = told(&bot, &chat, create(schedule, "look")).await;
        assert!(refused.contains(why), "{schedule}: {refused}");
    }
    // Words that differ: a model that repeats itself is stopped before.
    let words = (0..20_000).map(|number| number.to_string());
    let words = words.collect::<Vec<_>>().join(" ");
    let long = told(&bot, &chat, create("every day at 9", &words)).await;
    assert!(long.contains("characters; 1 to 1000 are allowed"), "{long}");
    let missing = told(&bot, &chat, json!({"action": "create", "prompt": "look"})).await;
    assert!(
        missing.contains("`create` needs `schedule` and `prompt`"),
        "{missing}"
    );
    assert!(chat.messages().iter().all(|message| !message.asks()));
    assert!(bot.rows("SELECT prompt FROM routines").await.is_empty());
    bot.assert_clean();
}
