//! The transcript as memory: people find their own messages again by words and by time, and cannot
//! find those of others.

use std::time::Duration;

use chrono::{Datelike as _, Days, Local, NaiveDate, TimeZone as _};
use serde_json::json;

use super::remembering::{asks, section};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    what_i_said_in_a_group_last_wednesday_is_found_in_my_direct_chat,
    it_is_found_in_chinese_too,
    a_group_finds_nothing_of_direct_chats_or_of_other_groups,
    what_is_in_view_is_not_recalled,
    the_tool_finds_lines_and_what_was_forgotten_is_in_none,
    the_newest_form_of_a_message_is_found,
    nothing_is_lost_by_a_kill_at_any_moment,
    lines_that_are_indexed_later_are_found,
    a_stretch_that_is_over_is_one_memory
);

async fn what_i_said_in_a_group_last_wednesday_is_found_in_my_direct_chat(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let group = bot.group("Home").with(&bot.ann);
    bot.model.says("I see.");
    group.says("@sayso_bot the boiler lost its pressure again");
    group.hears().await;
    moved(&bot, wednesday_before(today())).await;
    bot.model.says("Right.");
    group.says("@sayso_bot the boiler wants a new boiler valve");
    group.hears().await;
    moved_newest(&bot, today() - Days::new(20)).await;

    let system = asks(
        &bot,
        &ann,
        "what did I say last Wednesday about the boiler?",
    )
    .await;
    let found = section(&system, "[Related memories]");
    let first = found.lines().nth(1).unwrap_or_default();
    let day = wednesday_before(today());
    assert!(
        first.starts_with(&format!("- {day}, said in a group: "))
            && first.ends_with("the boiler lost its pressure again"),
        "{found}"
    );
    assert!(
        found.contains("a new boiler valve"),
        "nothing is hidden: {found}"
    );
    assert!(!found.contains("I see."), "only her own words: {found}");
    let system = asks(&bot, &bob, "what was said last Wednesday about the boiler?").await;
    assert!(!system.contains("pressure"), "{system}");
    bot.assert_clean();
}

async fn it_is_found_in_chinese_too(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let week_before = monday_of(today()) - Days::new(7);
    for (text, day) in [
        ("鍋爐又漏水了", week_before + Days::new(2)),
        ("ＡＢＣ公司的锅炉报价太贵", week_before - Days::new(30)),
    ] {
        bot.model.says("好的。");
        chat.says(text);
        chat.hears().await;
        moved_newest(&bot, day).await;
    }
    anew(&chat).await;
    let system = asks(&bot, &chat, "我上周三说锅炉怎么了？").await;
    let found = section(&system, "[相关记忆]");
    let first = found.lines().nth(1).unwrap_or_default();
    assert!(first.contains("鍋爐又漏水了"), "{found}");
    for (question, text) in [
        ("鍋爐 報價", "报价太贵"),
        ("abc", "ＡＢＣ公司"),
        ("漏水", "鍋爐又漏水了"),
    ] {
        anew(&chat).await;
        let system = asks(&bot, &chat, question).await;
        let found = section(&system, "[相关记忆]");
        assert!(found.contains(text), "{question}: {found}");
    }
    bot.assert_clean();
}

async fn a_group_finds_nothing_of_direct_chats_or_of_other_groups(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let ann = bot.direct();
    let (home, work) = (bot.group("Home"), bot.group("Work"));
    let (home, work) = (home.with(&bot.ann), work.with(&bot.ann));
    bot.model.says("Noted.");
    ann.says("my boiler secret is cormorant");
    ann.hears().await;
    bot.model.says("Noted.");
    work.says("@sayso_bot the boiler of the office is a walrus");
    work.hears().await;
    let system = asks(&bot, &home, "@sayso_bot what was said about the boiler?").await;
    assert!(
        !system.contains("cormorant") && !system.contains("walrus"),
        "{system}"
    );
    bot.model.calls(vec![(
        "memory_recall",
        json!({"query": "boiler office secret"}),
    )]);
    home.says("@sayso_bot look it up");
    home.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let told = bot.model.turn_requests().pop().unwrap().last_tool_result();
    assert!(
        !told.contains("cormorant") && !told.contains("walrus"),
        "{told}"
    );
    bot.assert_clean();
}

async fn what_is_in_view_is_not_recalled(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.says("Noted.");
    chat.says("the boiler is from 1998");
    chat.hears().await;
    let system = asks(&bot, &chat, "how old is the boiler?").await;
    assert!(
        !system.contains("from 1998"),
        "it is in the history: {system}"
    );
    anew(&chat).await;
    let system = asks(&bot, &chat, "how old is the boiler?").await;
    assert_eq!(
        system.matches("the boiler is from 1998").count(),
        1,
        "the summary and its line are not both there: {system}"
    );
    bot.assert_clean();
}

async fn the_tool_finds_lines_and_what_was_forgotten_is_in_none(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let long = format!(
        "{} The boiler valve costs 80 euros.",
        "It rained. ".repeat(60)
    );
    bot.model.says(&long);
    chat.says("what does it cost?");
    chat.hears().await;
    anew(&chat).await;
    let told = uses(
        &bot,
        &chat,
        "memory_recall",
        json!({"query": "boiler valve"}),
    )
    .await;
    assert!(
        told.contains("The boiler valve costs 80 euros.") && told.contains(", said by you)"),
        "{told}"
    );
    let told = uses(
        &bot,
        &chat,
        "memory_store",
        json!({"text": "The alarm code is 4711"}),
    )
    .await;
    assert!(told.starts_with("remembered"), "{told}");
    let id: String = told.chars().filter(char::is_ascii_digit).collect();
    bot.model.says("Noted: the alarm code is 4711.");
    chat.says("the alarm code is 4711");
    chat.hears_with(|message| message.text.starts_with("Noted"))
        .await;
    let told = uses(&bot, &chat, "memory_forget", json!({ "id": id })).await;
    assert!(told.starts_with("forgotten"), "{told}");
    anew(&chat).await;
    let lines = bot
        .rows("SELECT i.said FROM lines l JOIN inbox i ON i.id = l.id WHERE i.said LIKE '%4711%'")
        .await;
    assert_eq!(lines, Vec::<String>::new());
    bot.assert_clean();
}

async fn the_newest_form_of_a_message_is_found(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.says("Noted.");
    let message = chat.says("the boiler man comes at noon");
    chat.hears().await;
    bot.model.says("Noted again.");
    chat.edits(message, "the boiler man comes at midnight");
    chat.hears_with(|message| message.text == "Noted again." && !message.is_live())
        .await;
    bot.has_indexed().await;
    let said = bot
        .rows("SELECT i.said FROM lines l JOIN inbox i ON i.id = l.id ORDER BY l.id")
        .await;
    assert_eq!(said, ["(edited) the boiler man comes at midnight"]);
    bot.assert_clean();
}

async fn nothing_is_lost_by_a_kill_at_any_moment(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    for (number, milliseconds) in [0, 3, 10, 30, 100].into_iter().enumerate() {
        let said = format!("the boiler of house {number}");
        chat.says(&said);
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        bot.kill().await;
        bot.start();
        chat.hears_with(|message| message.text.contains(&said) && !message.is_live())
            .await;
    }
    bot.has_indexed().await;
    let unfound = bot
        .rows(
            "SELECT CAST(id AS TEXT) FROM turns t WHERE state = 'ended'
               AND (SELECT count(*) FROM lines l JOIN line_words w ON w.rowid = l.id
                    WHERE l.turn_id = t.id) < 2",
        )
        .await;
    assert_eq!(unfound, Vec::<String>::new());
}

async fn lines_that_are_indexed_later_are_found(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.says("Noted.");
    chat.says("我家的鍋爐是1998年的");
    chat.hears().await;
    anew(&chat).await;
    bot.stop().await;
    for statement in [
        "DELETE FROM lines",
        "DELETE FROM memories",
        "UPDATE turns SET index_due_ms = 0",
    ] {
        bot.write(statement).await;
    }
    bot.start();
    bot.has_noted(
        "SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM turns WHERE index_due_ms IS NOT NULL)",
    )
    .await;
    let system = asks(&bot, &chat, "锅炉是哪年的？").await;
    let found = section(&system, "[相关记忆]");
    assert!(found.contains("用户说: 我家的鍋爐是1998年的"), "{found}");
    bot.assert_clean();
}

async fn a_stretch_that_is_over_is_one_memory(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for (said, answer) in [
        ("the boiler is loud", "Bleed it."),
        ("the cat is ill", "Poor cat."),
        ("the car is red", "Nice."),
    ] {
        bot.model.says(answer);
        chat.says(said);
        chat.hears_with(|message| message.text == answer).await;
    }
    anew(&chat).await;
    bot.stop().await;
    bot.write("UPDATE stretches SET last_ms = last_ms - 7200000")
        .await;
    bot.start();
    bot.has_noted("SELECT 'merged' FROM stretches WHERE merged = 1")
        .await;
    let kept = bot.rows("SELECT text FROM memories").await;
    assert_eq!(
        kept,
        ["the boiler is loud → Bleed it. / the cat is ill → Poor cat. / the car is red → Nice."]
    );
    let system = asks(&bot, &chat, "what is the matter with the cat?").await;
    assert_eq!(system.matches("the cat is ill").count(), 1, "{system}");
    bot.assert_clean();
}

/// Begins a new conversation, so that only memory can bring something back.
async fn anew(chat: &Chat) {
    chat.says("/new");
    chat.hears_with(|message| {
        message.text.contains("New conversation") || message.text.contains("新对话")
    })
    .await;
}

async fn uses(bot: &TestBot, chat: &Chat, tool: &str, arguments: serde_json::Value) -> String {
    bot.model.calls(vec![(tool, arguments)]);
    chat.says("go on");
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    bot.model.turn_requests().pop().unwrap().last_tool_result()
}

fn today() -> NaiveDate {
    Local::now().date_naive()
}

fn monday_of(day: NaiveDate) -> NaiveDate {
    day - Days::new(day.weekday().num_days_from_monday().into())
}

fn wednesday_before(day: NaiveDate) -> NaiveDate {
    let back = (day.weekday().num_days_from_monday() + 7 - 2) % 7;
    day - Days::new(if back == 0 { 7 } else { back.into() })
}

/// Moves all that was said so far to the noon of a day.
async fn moved(bot: &TestBot, day: NaiveDate) {
    let at = noon(day);
    bot.has_indexed().await;
    bot.change(format!("UPDATE lines SET at_ms = {at}").leak())
        .await;
}

/// Moves what was said in the newest turn to the noon of a day.
async fn moved_newest(bot: &TestBot, day: NaiveDate) {
    let at = noon(day);
    let newest = "(SELECT max(turn_id) FROM lines)";
    let change = format!("UPDATE lines SET at_ms = {at} WHERE turn_id = {newest}");
    bot.has_indexed().await;
    bot.change(change.leak()).await;
}

fn noon(day: NaiveDate) -> i64 {
    let noon = day.and_hms_opt(12, 0, 0).unwrap();
    Local
        .from_local_datetime(&noon)
        .earliest()
        .unwrap()
        .timestamp_millis()
}
